package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/oracle"
)

func scoreCommand() *cobra.Command {
	var name string
	var f taskFlags
	c := &cobra.Command{
		Use:   "score --task NAME [SMILES… | FILE]",
		Short: "Score molecules",
		Long: `score writes CSV with the header smiles,score and a row for each molecule, in order.
FILE has a SMILES a line, with a name after a blank or not, or is CSV with a
column smiles; gzip too. Without it, or with -, standard input is read.

What is no molecule, or cannot be docked, has an empty score, and standard error
says why.`,
		Example: `  invbo score --task med2 'O=C1N(CC(N2C1CC3=C(C2C4=CC5=C(OCO5)C=C4)NC6=C3C=CC=C6)=O)C'
  invbo score --task qed molecules.smi.gz > scores.csv
  invbo score --task drd3 --receptor DRD3_target.pdbqt --box DRD3_conf.txt ligands.smi`,
		RunE: func(c *cobra.Command, args []string) error {
			if name == "" {
				return usagef("give a task: --task med2, for one; see invbo tasks")
			}
			t, err := taskAmong(moleculeTasks(), name)
			if err != nil {
				if _, other := taskNamed(name); other == nil {
					return usagef("score is for molecules, and the task %s has none", name)
				}
				return err
			}
			if err := cmp.Or(f.docking.check(c.Flags()), t.refuse(c.Flags())); err != nil {
				return err
			}
			o, err := t.oracle(c.Context(), f)
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
	c.Flags().StringVar(&name, "task", "", "score for the task `NAME`, such as med2, qed or drd3")
	f.docking.add(c.Flags())
	return c
}

// readMolecules returns the SMILES in args, or in the file that the only one names.
func readMolecules(args []string, stdin io.Reader) ([]string, error) {
	if len(args) > 1 {
		if i := slices.IndexFunc(args, namesFile); i >= 0 {
			return nil, usagef("%s is a file; give a file alone, or SMILES", args[i])
		}
		return args, nil
	}
	if len(args) == 1 && !namesFile(args[0]) {
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

// namesFile tells a file or a folder from a SMILES, which may be any letters with dots and slashes.
func namesFile(arg string) bool {
	if _, err := os.Stat(arg); err == nil {
		return true
	}
	return arg == "-" || slices.Contains([]string{".smi", ".smiles", ".csv", ".txt", ".gz", ".sdf", ".mol", ".mol2", ".pdb"}, strings.ToLower(filepath.Ext(arg)))
}

// writeScores scores SMILES on all processors and writes them in their order, each as soon as those before it are in.
func writeScores(ctx context.Context, o oracle.Oracle, smiles []string, stdout, stderr io.Writer) error {
	w := csv.NewWriter(stdout)
	w.Write([]string{"smiles", "score"}) // its error stays until Error
	type reply struct {
		oracle.Result
		err error
	}
	return parallel.Ordered(len(smiles), runtime.GOMAXPROCS(0), func(i int) reply {
		r, err := oracle.One(ctx, o, smiles[i])
		return reply{r, err}
	}, func(i int, r reply) error {
		if r.err != nil {
			return fmt.Errorf("row %d: %w", i+1, r.err)
		}
		score := ""
		if math.IsNaN(r.Score) {
			fmt.Fprintf(stderr, "invbo: row %d: %s: %s\n", i+1, smiles[i], r.Reason)
		} else {
			score = float(r.Score)
		}
		w.Write([]string{smiles[i], score})
		w.Flush()
		return w.Error()
	}, nil)
}
