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
	"time"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/progress"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
)

func scoreCommand() *cobra.Command {
	var name string
	var options task.Options
	var wild wildTypeFlags
	what, external := newGroup("What"), newGroup("An oracle of your own")
	c := &cobra.Command{
		Use:   "score {--task NAME | --oracle-cmd COMMAND | --oracle-url URL} [SMILES… | FILE]",
		Short: "Score molecules, or try an oracle of your own",
		Long: `score writes CSV with the header smiles,score and a row for each molecule, in order.
FILE is any table that invbo new reads: SMILES with or without names, CSV, SDF, Excel.
Without it, or with -, standard input is read. Salts are stripped, and the molecule
that was scored is written; otherwise the SMILES of the file.

A row without a molecule, or with one that cannot be docked, has an empty score, and
standard error says why. It is an error if most rows have no molecule.

With --oracle-cmd or --oracle-url it asks an oracle of your own as invbo run does, about
the molecules or other strings of FILE. The header is x,score,reason, and standard error
says how many strings have no score, and how long a call took.`,
		Example: `  invbo score --task med2 'O=C1N(CC(N2C1CC3=C(C2C4=CC5=C(OCO5)C=C4)NC6=C3C=CC=C6)=O)C'
  invbo score --task qed molecules.smi.gz > scores.csv
  invbo score --task drd3:receptor=DRD3_target.pdbqt,box=DRD3_conf.txt ligands.sdf
  invbo score --oracle-cmd 'python3 score.py' --oracle-size 20 sequences.fasta`,
		RunE: func(c *cobra.Command, args []string) error {
			if own := len(external.given()) > 0; own && slices.Contains([]string{"", task.OwnMolecules, task.OwnStrings}, name) {
				columns, err := wild.options()
				if err != nil {
					return err
				}
				read, err := readStrings(c.Context(), args, name, columns)
				if err != nil {
					return err
				}
				if len(read.Usable()) == 0 {
					return usage.Errorf("no string can be scored: %s", read.LeftOut())
				}
				return tryOracle(c.Context(), options.External, read.Usable(), c.OutOrStdout(), c.ErrOrStderr())
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
			given := option.GivenOf(declared(c.Flags()))
			if err := t.Refuse(given); err != nil {
				return err
			}
			for _, p := range given {
				if slices.Contains(p.Tasks, task.KindMolecules) {
					return usage.Errorf("--task %s:%s is a limit on proposals, and score makes none; leave it out", name, p.Name)
				}
			}
			o, err := t.Oracle(c.Context(), options)
			if err != nil {
				return err
			}
			read, err := readStrings(c.Context(), args, task.OwnMolecules, table.Options{})
			if err != nil {
				return err
			}
			return writeScores(c.Context(), o, read, c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	what.declare(&option.Option{Name: "task", Value: options.TaskValue(&name), Help: "score for the task `NAME`, such as med2, qed or drd3:receptor=FILE,box=FILE; of an oracle of your own molecules or strings", Unset: "by the data"})
	external.declare(options.DeclareOracle()...)
	wild.add(external)
	return withGroups(c, what, external)
}

// readStrings reads the strings in args, or in the file that the only one names, as the task molecules or strings has
// them; without a task, as the one that they look like.
func readStrings(ctx context.Context, args []string, as string, columns table.Options) (*task.Strings, error) {
	isFile := slices.IndexFunc(args, namesFile)
	if isFile >= 0 && len(args) > 1 {
		return nil, usage.Errorf("%s is a file; give a file alone, or strings", args[isFile])
	}
	inArgs := isFile < 0 && len(args) > 0
	file := fileArgument(args)
	var err error
	if !inArgs {
		err = file.Digest() // a stream is read several times
	}
	switch {
	case err != nil || as != "":
	case inArgs:
		as = task.GuessOf(args)
	default:
		as, err = task.Guess(file, columns)
	}
	if err != nil {
		return nil, remedied(err)
	}
	n := task.AnyStrings()
	if as == task.OwnMolecules {
		n = task.Molecules(table.Strip{})
	}
	if inArgs {
		return n.Strings(ctx, args)
	}
	read, err := n.Read(ctx, file, columns, nil)
	if err != nil {
		return nil, remedied(err)
	}
	say(read.Note())
	return read, nil
}

// namesFile tells a file or a folder from a SMILES, which may be any letters with dots and slashes.
func namesFile(arg string) bool {
	if _, err := os.Stat(arg); err == nil {
		return true
	}
	ends := []string{".smi", ".smiles", ".csv", ".tsv", ".txt", ".gz", ".sdf", ".mol", ".mol2", ".pdb", ".xlsx", ".fasta", ".fa"}
	return arg == "-" || slices.Contains(ends, strings.ToLower(filepath.Ext(arg)))
}

// writeScores scores molecules on all processors and writes them in their order, each as soon as those before it are in.
func writeScores(ctx context.Context, o oracle.Oracle, read *task.Strings, stdout, stderr io.Writer) error {
	w := csv.NewWriter(stdout)
	w.Write([]string{"smiles", "score"}) // csv.Writer keeps its error until Error
	type reply struct {
		oracle.Result
		err error
	}
	show, stop := progress.Rows("scored ", os.Stdout)
	defer stop()
	return parallel.Ordered(len(read.X), runtime.GOMAXPROCS(0), func(i int) reply {
		if r := read.Records[i]; r.State == table.Invalid {
			return reply{Result: oracle.Result{Score: math.NaN(), Reason: r.Reason.Text}}
		}
		r, err := oracle.One(ctx, o, read.X[i])
		return reply{r, cmp.Or(err, ctx.Err())}
	}, func(i int, r reply) error {
		record := read.Records[i]
		if r.err != nil {
			return fmt.Errorf("line %d: %w", record.Line, r.err)
		}
		smiles := record.Text
		if record.Changed() {
			smiles = record.Input
		}
		score := ""
		if math.IsNaN(r.Score) {
			fmt.Fprintf(stderr, "invbo: line %d: %s: %s\n", record.Line, usage.Visible(smiles), usage.Visible(r.Reason))
		} else {
			score = task.Float(r.Score)
		}
		w.Write([]string{usage.Visible(smiles), score})
		w.Flush()
		show(i+1, len(read.X))
		return w.Error()
	})
}

// tryOracle asks an oracle of the user's own about strings, in calls as those of a run. Each call is written as soon as
// those before it are in.
func tryOracle(ctx context.Context, e task.External, x []string, stdout, stderr io.Writer) error {
	o, end, err := e.Open("x")
	if err != nil {
		return err
	}
	defer end()
	o = e.Patient(o, logger(true))
	run, err := task.Named(task.OwnStrings)
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
	var times []time.Duration
	var total time.Duration
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
			w.Write([]string{usage.Visible(calls[i][k]), score, usage.Visible(result.Reason)}) // for programs: no text is guarded against spreadsheets
		}
		times, total = append(times, r.took), total+r.took
		w.Flush()
		return w.Error()
	})
	if err != nil {
		return err
	}
	seconds := func(d time.Duration) string { return d.Round(time.Millisecond).String() }
	fmt.Fprintf(stderr, "invbo: %d of %d strings have no score; a call of up to %d strings took %s on average, %s at least and %s at most\n",
		failed, len(x), len(calls[0]), seconds(total/time.Duration(len(calls))), seconds(slices.Min(times)), seconds(slices.Max(times)))
	return nil
}
