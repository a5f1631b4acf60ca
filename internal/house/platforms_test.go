package house

import (
	"flag"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

var platforms = flag.String("platforms", "", "type-check for these, such as 'darwin/arm64 windows/amd64'")

// Every package of the module type-checks for other platforms, tests included. From source, without compiling what they
// stand on, this takes a tenth of the time of go vet. It does not see whether assembly fits its declarations: make
// arm64 does.
func TestPlatforms(t *testing.T) {
	for platform := range strings.FieldsSeq(*platforms) {
		goos, goarch, _ := strings.Cut(platform, "/")
		found, err := packages.Load(&packages.Config{
			Dir:   "../..",
			Mode:  packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesSizes,
			Env:   append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0"),
			Tests: true,
		}, "./...")
		if err != nil {
			t.Fatalf("%s: %v", platform, err)
		}
		if n := packages.PrintErrors(found); n > 0 || len(found) == 0 {
			t.Errorf("%s: %d errors in %d packages", platform, n, len(found))
		}
	}
}
