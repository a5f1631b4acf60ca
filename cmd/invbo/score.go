package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/guacamol"
)

func scoreCommand() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:   "score --task NAME [SMILES… | FILE]",
		Short: "Score molecules",
		Long: `score writes CSV with the header smiles,score and a row for each molecule, in order.
FILE has a SMILES a line, with a name after a blank or not, or is CSV with a
column smiles; gzip too. Without it, or with -, standard input is read.

What is no molecule has an empty score, and standard error says why.`,
		Example: `  invbo score --task med2 'O=C1N(CC(N2C1CC3=C(C2C4=CC5=C(OCO5)C=C4)NC6=C3C=CC=C6)=O)C'
  invbo score --task qed molecules.smi.gz > scores.csv`,
		RunE: func(c *cobra.Command, args []string) error {
			o, err := moleculeOracle(name)
			if err != nil {
				return err
			}
			smiles, err := readMolecules(args, c.InOrStdin())
			if err != nil {
				return err
			}
			return writeScores(c.Context(), o, smiles, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&name, "task", "", "score for the task `NAME`, such as med2 or qed")
	return c
}

// moleculeOracle returns the oracle of a task of package guacamol.
func moleculeOracle(name string) (*guacamol.Oracle, error) {
	var names []string
	for _, t := range guacamol.Tasks() {
		names = append(names, t.Name)
	}
	if name == "" {
		return nil, usagef("give a task: --task %s", strings.Join(names, ", "))
	}
	o, err := guacamol.New(name)
	if errors.Is(err, guacamol.ErrNoTask) {
		return nil, usagef("there is no molecule task %q%s", name, suggest(name, names))
	}
	if err != nil {
		return nil, &usageError{err}
	}
	return o, nil
}

// readMolecules returns the SMILES in args, or in the file that the only one names.
func readMolecules(args []string, stdin io.Reader) ([]string, error) {
	if len(args) > 1 || len(args) == 1 && !namesFile(args[0]) {
		return args, nil
	}
	file := fileArgument(args)
	list, err := readFile(file, stdin, verbatim("smiles", "SMILES", "smile", "x"))
	if err != nil {
		return nil, err
	}
	smiles := make([]string, len(list.rows))
	for i, r := range list.rows {
		smiles[i] = strings.Fields(r.text)[0] // readFile skips blank lines
	}
	return smiles, nil
}

// namesFile tells a file from a SMILES, which may be any letters with dots and slashes.
func namesFile(arg string) bool {
	if info, err := os.Stat(arg); err == nil && !info.IsDir() {
		return true
	}
	return arg == "-" || slices.Contains([]string{".smi", ".csv", ".txt", ".gz"}, strings.ToLower(filepath.Ext(arg)))
}

// writeScores scores SMILES on all processors and writes them in their order, some hundred at a time.
func writeScores(ctx context.Context, o oracle.Oracle, smiles []string, stdout, stderr io.Writer) error {
	w := csv.NewWriter(stdout)
	w.Write([]string{"smiles", "score"}) // its error stays until Error
	done := 0
	for some := range slices.Chunk(smiles, 256) {
		results := make([]oracle.Result, len(some))
		errs := make([]error, len(some))
		parallel.For(len(some), 4, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				results[i], errs[i] = o.Score(ctx, some[i])
			}
		})
		for i, r := range results {
			if errs[i] != nil {
				return fmt.Errorf("row %d: %w", done+i+1, errs[i])
			}
			score := ""
			if math.IsNaN(r.Score) {
				fmt.Fprintf(stderr, "invbo: row %d: %s: %s\n", done+i+1, some[i], r.Reason)
			} else {
				score = float(r.Score)
			}
			w.Write([]string{some[i], score})
		}
		w.Flush()
		if err := w.Error(); err != nil {
			return err
		}
		done += len(some)
	}
	return nil
}
