package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Every command has a manual page with all of its flags.
func TestManual(t *testing.T) {
	c, folder := root(), t.TempDir()
	c.SetArgs([]string{"manual", folder})
	if err := c.Execute(); err != nil {
		t.Fatal(err)
	}
	pages := 0
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		pages++
		page, err := os.ReadFile(filepath.Join(folder, manualName(c)+".1"))
		if err != nil {
			t.Error(err)
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if flag := regexp.QuoteMeta(roff.Replace("--" + f.Name)); !f.Hidden && f.Name != "help" && !regexp.MustCompile(`(?m)^\.B .*`+flag+`\b`).Match(page) {
				t.Errorf("%s has no --%s", manualName(c), f.Name)
			}
		})
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				check(sub)
			}
		}
	}
	check(root())
	if written, _ := filepath.Glob(filepath.Join(folder, "*.1")); len(written) != pages {
		t.Errorf("%d pages for %d commands", len(written), pages)
	}
}

// The service that packages install has arguments that invbo serve takes.
func TestService(t *testing.T) {
	read := func(file, key string) string {
		text, err := os.ReadFile(filepath.Join("..", "..", "packaging", file))
		if err != nil {
			t.Fatal(err)
		}
		line := regexp.MustCompile(`(?m)^` + key + `=(.*)$`).FindSubmatch(text)
		if line == nil {
			t.Fatalf("%s has no %s", file, key)
		}
		return string(line[1])
	}
	line := strings.Replace(read("invbo.service", "ExecStart"), "$INVBO_SERVE", read("invbo.default", "INVBO_SERVE"), 1)
	c, args, err := root().Find(strings.Fields(line)[1:])
	if err == nil {
		err = c.ParseFlags(args)
	}
	if err == nil {
		err = c.ValidateArgs(c.Flags().Args())
	}
	if err != nil || c.Name() != "serve" {
		t.Errorf("%s: %s, %v", line, c.Name(), err)
	}
}
