package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/molecule"
)

var update = flag.Bool("update", false, "write what the examples of the pages print now into the pages")

// The README repeats scores of docs/benchmarks.md.
func TestScores(t *testing.T) {
	row := regexp.MustCompile("(?m)^\\| `(\\w+)` \\| (.*) \\|$")
	scores := func(page string) map[string][]string {
		text, err := os.ReadFile(filepath.Join("..", "..", page))
		if err != nil {
			t.Fatal(err)
		}
		rows := map[string][]string{}
		for _, m := range row.FindAllStringSubmatch(string(text), -1) {
			if _, ok := rows[m[1]]; !ok { // the first table of a task
				rows[m[1]] = strings.Split(strings.ReplaceAll(m[2], " ± ", "±"), " | ")
			}
		}
		return rows
	}
	repeated, of := scores("README.md"), scores("docs/benchmarks.md")
	for task, row := range repeated {
		if full := of[task]; len(row) != 4 || len(full) != 6 || row[1] != full[0] || row[2] != full[3] || row[3] != full[4] {
			t.Errorf("%s: %q in the README, %q in docs/benchmarks.md", task, row, full)
		}
	}
	if len(repeated) != 7 {
		t.Errorf("%d tasks in the README, want 7", len(repeated))
	}
}

// The commands of the documentation have flags, tasks, methods and parameters that there are.
func TestDocs(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	found := 0
	for _, page := range append(pages, filepath.Join("..", "..", "README.md"), filepath.Join("..", "..", "bench", "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		names := strings.NewReplacer("$i", "1", "figure NAME", "figure curves") // what stands for several
		for _, args := range commands(names.Replace(string(text))) {
			found++
			c, rest, err := root().Find(args)
			if err == nil {
				err = c.ParseFlags(rest)
			}
			if err != nil {
				t.Errorf("%s: invbo %s: %v", filepath.Base(page), strings.Join(args, " "), err)
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d commands were found", found)
	}
}

// commands returns the arguments of invbo in the code blocks of a page. A backslash ends lines that go on.
func commands(text string) (all [][]string) {
	fenced := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if !fenced && !strings.HasPrefix(line, "    ") {
			continue
		}
		words := shellWords(line)
		for i, word := range words {
			if word != "invbo" && word != "bin/invbo" && word != "INVBO" {
				continue
			}
			var args []string
			for _, word := range words[i+1:] {
				end := strings.IndexAny(word, "|>#;")
				if end > 0 {
					args = append(args, word[:end])
				}
				if end >= 0 {
					break
				}
				args = append(args, word)
			}
			if len(args) > 0 {
				all = append(all, args)
			}
		}
	}
	return all
}

// shellWords splits a line at blanks outside quotation marks, which are left out.
func shellWords(line string) (words []string) {
	var word strings.Builder
	quote := rune(0)
	for _, r := range line + " " {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && strings.ContainsRune(`'"`, r):
			quote = r
		case quote == 0 && strings.ContainsRune(" \n\t", r):
			if word.Len() > 0 {
				words = append(words, word.String())
			}
			word.Reset()
		default:
			word.WriteRune(r)
		}
	}
	return words
}

// examples matches the blocks of a page that TestExamples carries out: a file, or commands after "$ " with what they print.
var examples = regexp.MustCompile("(?ms)^```(console|[a-z]+ (\\S+))\n(.*?)^```$")

// TestExamples holds that the examples of the chemist's and the protein engineer's page print what the pages say.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 10 seconds")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("the pages show the proposals of amd64; rounding may give others")
	}
	for _, name := range []string{"molecules.md", "laboratory.md"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "molecules.md" && !strings.HasPrefix(molecule.Version(), "2022.09.") {
				t.Skip("the page shows the proposals of RDKit 2022.09")
			}
			path := filepath.Join("..", "..", "docs", name)
			page, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			run := newExample(t)
			now := examples.ReplaceAllStringFunc(string(page), func(block string) string {
				parts := examples.FindStringSubmatch(block)
				body := parts[3]
				if parts[1] == "console" {
					body = run.commands(body)
				} else {
					body = run.file(parts[2], body)
				}
				got := "```" + parts[1] + "\n" + body + "```"
				if got != block && !*update {
					t.Errorf("now it is\n%s\nand the page has\n%s\nTo write it there: go test -tags rdkit ./cmd/invbo -run TestExamples -update", got, block)
				}
				return got
			})
			if len(run.done) == 0 {
				t.Error("the page has no example")
			}
			if *update {
				if err := os.WriteFile(path, []byte(now), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// example is a folder in which the blocks of a page are carried out one after the other.
type example struct {
	t    *testing.T
	dir  string
	path string // for the shell, with invbo first
	done []string
}

func newExample(t *testing.T) *example {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "invbo")); err != nil {
		t.Fatal(err)
	}
	return &example{t: t, dir: t.TempDir(), path: bin + string(os.PathListSeparator) + os.Getenv("PATH")}
}

// commands runs the lines of a block that begin with "$ ", and returns the block with what they print now. Where the block leaves
// out the last lines, with a line "…", so does the result.
func (e *example) commands(block string) string {
	var now strings.Builder
	for part := range strings.SplitSeq("\n"+block, "\n$ ") {
		command, shown, ok := strings.Cut(part, "\n")
		if !ok {
			continue // before the first
		}
		e.done = append(e.done, command)
		shell := exec.Command("sh", "-c", command)
		shell.Dir, shell.Env = e.dir, append(os.Environ(), "PATH="+e.path)
		said, err := shell.CombinedOutput()
		if _, refused := errors.AsType[*exec.ExitError](err); err != nil && !refused {
			e.t.Fatal(err)
		}
		lines := strings.SplitAfter(string(said), "\n")
		if shown, cut := strings.CutSuffix(strings.TrimSpace(shown), "…"); cut {
			lines = append(lines[:min(len(lines), strings.Count(shown, "\n"))], "…\n")
		}
		now.WriteString("$ " + command + "\n" + strings.Join(lines, ""))
	}
	return now.String()
}

// file writes a file. One that a command has written is a table whose last column the block fills in; file returns it so.
func (e *example) file(name, block string) string {
	path := filepath.Join(e.dir, name)
	if files.Exists(path) {
		written, err := os.ReadFile(path)
		if err != nil {
			e.t.Fatal(err)
		}
		rows, filled := strings.SplitAfter(string(written), "\n"), strings.SplitAfter(block, "\n")
		if len(rows) != len(filled) {
			e.t.Fatalf("%s has %d lines, and in the page %d", name, len(rows), len(filled))
		}
		for i, row := range rows {
			rows[i] = row[:strings.LastIndexByte(row, ',')+1] + filled[i][strings.LastIndexByte(filled[i], ',')+1:]
		}
		block = strings.Join(rows, "")
	}
	if err := os.WriteFile(path, []byte(block), 0o644); err != nil {
		e.t.Fatal(err)
	}
	return block
}
