package simd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	tests := []struct {
		name, variable string
		can            []set
		want           set
		err            string // part of it; empty if there is none
	}{
		{"no wish, the best", "", []set{portable, avx2, avx512}, avx512, ""},
		{"a lesser set", "avx2", []set{portable, avx2, avx512}, avx2, ""},
		{"portable Go", "go", []set{portable, avx2}, portable, ""},
		{"more than there is", "avx512", []set{portable, avx2}, avx2, "not supported here, using avx2"},
		{"another processor's", "avx2", []set{portable, neon}, neon, "not supported here, using neon"},
		{"unknown", "sse", []set{portable, avx2, avx512}, avx512, "want avx512, avx2, neon or go; using avx512"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := choose(test.variable, test.can)
			if got != test.want {
				t.Errorf("set = %s, want %s", setNames[got], setNames[test.want])
			}
			if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("error = %v, want one with %q", err, test.err)
			}
		})
	}
}

// TestISAIsFollowed fails if the tests run other kernels than INVBO_SIMD selects.
func TestISAIsFollowed(t *testing.T) {
	if err := ISAError(); err != nil {
		t.Error(err)
	}
}

// TestGenerated checks that the generated files are up to date.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the generator")
	}
	if out, err := exec.Command("go", "-C", "_asm", "list", "-deps", ".").CombinedOutput(); err != nil {
		t.Skipf("the generator's libraries are not here: %v\n%s", err, out)
	}
	dir := t.TempDir()
	files := []string{"kernels_amd64.s", "kernels_arm64.s", "kernels.go", "kernels_other.go"}
	args := []string{"-C", "_asm", "run", ".", "-pkg", "simd"}
	for i, option := range []string{"-out", "-arm64", "-go", "-other"} {
		args = append(args, option, filepath.Join(dir, files[i]))
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("generator: %v\n%s", err, out)
	}
	for _, name := range files {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if body(got) != body(want) {
			t.Errorf("%s is out of date: run go generate", name)
		}
	}
}

// body returns a file without its first line, which contains the command line of the generator.
func body(file []byte) string {
	_, rest, _ := bytes.Cut(file, []byte("\n"))
	return string(rest)
}

// TestAVX2KeepsToItsRegisters checks that other functions than those of AVX-512 do not use registers 16 to 31, which
// need AVX-512: the assembler accepts them.
func TestAVX2KeepsToItsRegisters(t *testing.T) {
	file, err := os.ReadFile("kernels_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, function := range strings.Split(string(file), "\nTEXT ")[1:] {
		name, code, _ := strings.Cut(function, "(SB)")
		if strings.HasSuffix(strings.TrimSuffix(name, "<>"), "AVX512") {
			continue
		}
		checked++
		for _, word := range strings.FieldsFunc(code, func(r rune) bool { return strings.ContainsRune(" \t\n,()*", r) }) {
			if len(word) > 1 && strings.ContainsRune("KZ", rune(word[0])) && word[1] <= '9' ||
				len(word) == 3 && strings.ContainsRune("XY", rune(word[0])) && word[1:] > "15" {
				t.Errorf("%s uses %s", name, word)
			}
		}
	}
	if checked == 0 {
		t.Error("no AVX2 functions found")
	}
}
