package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Texts of packages that several interfaces share name options by option.Name, which the command line writes as flags.
// Help of an option is read on the command line alone.
func TestNoFlagsInSharedTexts(t *testing.T) {
	flag := regexp.MustCompile(`["' (]--[a-z]`)
	for _, pattern := range []string{"../task/*.go", "../experiment/*.go", "../table/*.go", "../../evolve/*.go", "../../study/*.go", "../../space/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(text), "\n") {
				code, _, _ := strings.Cut(line, "// ")
				if flag.MatchString(code) && !strings.Contains(code, "Help:") && !strings.Contains(code, "About") {
					t.Errorf("%s:%d names a flag: %s", file, i+1, strings.TrimSpace(line))
				}
			}
		}
	}
}
