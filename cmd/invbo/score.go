package main

import (
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
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
)

func scoreCommand() *cobra.Command {
	var name string
	var options task.Options
	docking := newGroup("Docking")
	c := &cobra.Command{
		Use:   "score --task NAME [SMILES… | FILE]",
		Short: "Score molecules",
		Long: `score writes CSV with the header smiles,score and a row for each molecule, in order.
FILE has one SMILES per line, optionally followed by a name, or is CSV with a
column smiles; it may be gzipped. Without it, or with -, standard input is read.

An invalid molecule, or one that cannot be docked, has an empty score, and
standard error says why.`,
		Example: `  invbo score --task med2 'O=C1N(CC(N2C1CC3=C(C2C4=CC5=C(OCO5)C=C4)NC6=C3C=CC=C6)=O)C'
  invbo score --task qed molecules.smi.gz > scores.csv
  invbo score --task drd3 --receptor DRD3_target.pdbqt --box DRD3_conf.txt ligands.smi`,
		RunE: func(c *cobra.Command, args []string) error {
			if name == "" {
				return usage.Errorf("give a task, for example --task med2; invbo tasks lists them")
			}
			t, err := task.Among(task.Molecular(), name)
			if err != nil {
				if _, other := task.Named(name); other == nil {
					return usage.Errorf("score is for molecules, and the task %s has none", name)
				}
				return err
			}
			if err := t.Refuse(docking.names(c.Flags())); err != nil {
				return err
			}
			o, err := t.Oracle(c.Context(), options)
			if err != nil {
				return err
			}
			smiles, err := readMolecules(args)
			if err != nil {
				return err
			}
			return writeScores(c.Context(), o, smiles, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&name, "task", "", "score for the task `NAME`, such as med2, qed or drd3")
	addDocking(docking.FlagSet, &options)
	c.Flags().AddFlagSet(docking.FlagSet)
	return c
}

// readMolecules returns the SMILES in args, or in the file that the only one names.
func readMolecules(args []string) ([]string, error) {
	if len(args) > 1 {
		if i := slices.IndexFunc(args, namesFile); i >= 0 {
			return nil, usage.Errorf("%s is a file; give a file alone, or SMILES", args[i])
		}
		return args, nil
	}
	if len(args) == 1 && !namesFile(args[0]) {
		return args, nil
	}
	list, err := task.ReadFile(fileArgument(args), task.Verbatim("smiles", "SMILES", "smile", "x"), task.ScoreColumn{})
	if err != nil {
		return nil, err
	}
	say(list.Note)
	smiles := make([]string, len(list.Rows))
	for i, r := range list.Rows {
		smiles[i] = strings.Fields(r.Text)[0] // ReadFile skips blank lines
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
	w.Write([]string{"smiles", "score"}) // csv.Writer keeps its error until Error
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
			score = task.Float(r.Score)
		}
		w.Write([]string{smiles[i], score})
		w.Flush()
		return w.Error()
	})
}
