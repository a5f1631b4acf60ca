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
	"time"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
)

func scoreCommand() *cobra.Command {
	var name string
	var options task.Options
	what, external := newGroup("What"), newGroup("An oracle of your own")
	c := &cobra.Command{
		Use:   "score {--task NAME | --oracle-cmd COMMAND | --oracle-url URL} [SMILES… | FILE]",
		Short: "Score molecules, or try an oracle of your own",
		Long: `score writes CSV with the header smiles,score and a row for each molecule, in order.
FILE has one SMILES per line, optionally followed by a name, or is CSV with a
column smiles; it may be gzipped. Without it, or with -, standard input is read.

An invalid molecule, or one that cannot be docked, has an empty score, and
standard error says why. A file in which no line is a molecule is an error.

With --oracle-cmd or --oracle-url it asks an oracle of your own as invbo run --task
strings does, about the strings of FILE: one per line, or CSV with a column x. The
header is x,score,reason, and standard error says how many strings have no score, and
how long a call took.`,
		Example: `  invbo score --task med2 'O=C1N(CC(N2C1CC3=C(C2C4=CC5=C(OCO5)C=C4)NC6=C3C=CC=C6)=O)C'
  invbo score --task qed molecules.smi.gz > scores.csv
  invbo score --task drd3:receptor=DRD3_target.pdbqt,box=DRD3_conf.txt ligands.smi
  invbo score --oracle-cmd 'python3 score.py' --oracle-size 20 sequences.txt`,
		RunE: func(c *cobra.Command, args []string) error {
			if name == "" && len(external.names(c.Flags())) > 0 {
				return tryOracle(c.Context(), options.External, args, c.OutOrStdout(), c.ErrOrStderr())
			}
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
			if err := t.Refuse(option.GivenOf(declared(c.Flags()))); err != nil {
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
	addTask(what, &name, &options, "score for the task `NAME`, such as med2, qed or drd3:receptor=FILE,box=FILE", "")
	external.declare(options.DeclareOracle()...)
	addGroups(c, what, external)
	return c
}

// readMolecules returns the SMILES in args, or in the file that the only one names. Lines of which none is a molecule are refused: the
// file is likely of another format.
func readMolecules(args []string) ([]string, error) {
	fromFile := len(args) == 0 || len(args) == 1 && namesFile(args[0])
	f := fileArgument(args)
	if ext := strings.ToLower(filepath.Ext(strings.TrimSuffix(f.Path, ".gz"))); fromFile && slices.Contains(structureFiles, ext) {
		return nil, usage.Errorf("%s: %s files are not read; give SMILES, one per line (obabel %s -O molecules.smi writes them)", f.Path, ext, f.Path)
	}
	smiles, err := readStrings(args, task.Verbatim("smiles", "SMILES", "smile", "x"), func(line string) string { return strings.Fields(line)[0] }) // ReadFile skips blank lines
	isMolecule := func(x string) bool {
		_, err := molecule.Canonical(x)
		return err == nil
	}
	if err == nil && fromFile && !f.IsTable() && !slices.ContainsFunc(smiles, isMolecule) {
		return nil, usage.Errorf("%s: no line begins with a molecule; give one SMILES per line, or a table with a column smiles whose name ends in .csv or .tsv", f.Source())
	}
	return smiles, err
}

// structureFiles are the ends of names of files with structures that are not SMILES.
var structureFiles = []string{".sdf", ".mol", ".mol2", ".pdb"}

// readStrings returns the strings in args, or in the file that the only one names: what of makes of its lines.
func readStrings(args []string, n task.Notation, of func(line string) string) ([]string, error) {
	if len(args) > 1 {
		if i := slices.IndexFunc(args, namesFile); i >= 0 {
			return nil, usage.Errorf("%s is a file; give a file alone, or strings", args[i])
		}
		return args, nil
	}
	if len(args) == 1 && !namesFile(args[0]) {
		return args, nil
	}
	list, err := task.ReadFile(fileArgument(args), n, task.ScoreColumn{})
	if err != nil {
		return nil, err
	}
	say(list.Note)
	x := make([]string, len(list.Rows))
	for i, r := range list.Rows {
		x[i] = of(r.Text)
	}
	return x, nil
}

// namesFile tells a file or a folder from a SMILES, which may be any letters with dots and slashes.
func namesFile(arg string) bool {
	if _, err := os.Stat(arg); err == nil {
		return true
	}
	ext := strings.ToLower(filepath.Ext(arg))
	return arg == "-" || slices.Contains([]string{".smi", ".smiles", ".csv", ".tsv", ".txt", ".gz"}, ext) || slices.Contains(structureFiles, ext)
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

// tryOracle asks an oracle of the user's own about strings, in calls as those of a run. Each call is written as soon as those
// before it are in.
func tryOracle(ctx context.Context, e task.External, args []string, stdout, stderr io.Writer) error {
	o, end, err := e.Open("x")
	if err != nil {
		return err
	}
	defer end()
	x, err := readStrings(args, task.Verbatim("x", "string", "sequence", "smiles"), func(line string) string { return line })
	if err != nil {
		return err
	}
	o = e.Patient(o, logger(true))
	run, err := task.Named("strings")
	if err != nil {
		return err
	}
	calls := slices.Collect(slices.Chunk(x, e.CallSize(run.Batch)))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type reply struct {
		results []oracle.Result
		took    time.Duration
		err     error
	}
	w := csv.NewWriter(stdout)
	w.Write([]string{"x", "score", "reason"}) // csv.Writer keeps its error until Error
	failed := 0
	var shortest, longest, total time.Duration
	err = parallel.Ordered(len(calls), max(1, e.OracleJobs), func(i int) reply {
		began := time.Now()
		results, err := oracle.Score(ctx, o, calls[i])
		return reply{results, time.Since(began), err}
	}, func(i int, r reply) error {
		if r.err != nil {
			cancel() // the other calls
			return fmt.Errorf("call %d of %d: %w", i+1, len(calls), r.err)
		}
		for k, result := range r.results {
			score := ""
			if math.IsNaN(result.Score) {
				failed++
			} else {
				score = task.Float(result.Score)
			}
			w.Write([]string{calls[i][k], score, result.Reason})
		}
		total, longest = total+r.took, max(longest, r.took)
		if shortest = min(shortest, r.took); i == 0 {
			shortest = r.took
		}
		w.Flush()
		return w.Error()
	})
	if err != nil {
		return err
	}
	seconds := func(d time.Duration) string { return d.Round(time.Millisecond).String() }
	fmt.Fprintf(stderr, "invbo: %d of %d strings have no score; a call of up to %d strings took %s on average, %s at least and %s at most\n",
		failed, len(x), len(calls[0]), seconds(total/time.Duration(len(calls))), seconds(shortest), seconds(longest))
	return nil
}
