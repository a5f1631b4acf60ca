package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
