package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/invbo/invbo/internal/experiment"
)

// manualCommand writes the manual pages that packages install.
func manualCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "manual FOLDER",
		Short:  "Write the manual pages",
		Long:   "manual writes a manual page of each command to FOLDER, for packages.",
		Hidden: true,
		Args:   exactly(1, "a folder"),
		RunE: func(c *cobra.Command, args []string) error {
			return writeManual(c.Root(), args[0])
		},
	}
}

// writeManual writes the pages of c and of the commands below it.
func writeManual(c *cobra.Command, folder string) error {
	if err := os.WriteFile(filepath.Join(folder, manualName(c)+".1"), []byte(manualPage(c)), 0o644); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			if err := writeManual(sub, folder); err != nil {
				return err
			}
		}
	}
	return nil
}

// manualName returns the name of the page of c, such as invbo-serve-token.
func manualName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// roff escapes what groff reads as a request, or prints as another character.
var roff = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "\n.", "\n\\&.")

// manualPage returns the page of c in roff, with the macros of man(7). It has no date, so that a version has one page.
func manualPage(c *cobra.Command) string {
	var page strings.Builder
	write := func(format string, args ...any) {
		for i, arg := range args {
			args[i] = roff.Replace(fmt.Sprint(arg))
		}
		fmt.Fprintf(&page, format, args...)
	}
	name := manualName(c)
	write(".TH %s 1 \"\" \"invbo %s\"\n", strings.ToUpper(name), experiment.Version())
	write(".SH NAME\n%s \\- %s\n", name, c.Short)
	write(".SH SYNOPSIS\n%s\n", c.UseLine())
	write(".SH DESCRIPTION\n")
	for paragraph := range strings.SplitSeq(c.Long, "\n\n") {
		if strings.HasPrefix(paragraph, "  ") || strings.Contains(paragraph, "\n  ") { // a list, whose lines stay
			write(".PP\n.nf\n%s\n.fi\n", paragraph)
		} else {
			write(".PP\n%s\n", paragraph)
		}
	}
	title := ""
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		if group := f.Annotations[titleOf]; len(group) == 1 && group[0] != title {
			title = group[0]
			write(".SH %s\n", strings.ToUpper(title))
		}
		alone := pflag.NewFlagSet("", pflag.ContinueOnError)
		alone.AddFlag(f)
		flag, text, _ := strings.Cut(strings.TrimSpace(alone.FlagUsages()), "   ")
		write(".TP\n.B %s\n%s\n", flag, strings.TrimSpace(text))
	})
	if c.Example != "" {
		write(".SH EXAMPLES\n.nf\n%s\n.fi\n", c.Example)
	}
	var others []string
	if c.HasParent() {
		others = append(others, manualName(c.Parent()))
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			others = append(others, manualName(sub))
		}
	}
	if len(others) > 0 {
		write(".SH SEE ALSO\n%s\n", strings.Join(others, "(1), ")+"(1)")
	}
	return page.String()
}
