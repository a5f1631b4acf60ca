package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
)

// Crash carries out a run again and again, each time in its own folder, kills it at random moments and resumes it, until there
// were so many kills.
type Crash struct {
	Program string   // this one
	Run     []string // flags of invbo run, without --out
	Asked   string   // file that the oracle appends each string to before it answers; empty: nobody counts
	Kills   int
	Folder  string
	Seed    uint64
}

// Damage is what kills did. All but Kills and Runs should be 0.
type Damage struct {
	Kills, Runs int
	Lost        int // answers that were stored, and later are not
	Twice       int // strings that the oracle was asked for again, although their answer was stored
	Others      int // runs that ended with other trials or batches than one without kills
}

func (d Damage) String() string {
	return fmt.Sprintf("kills %d, runs %d; answers lost %d, paid twice %d; runs with other trials or batches than one without kills %d", d.Kills, d.Runs, d.Lost, d.Twice, d.Others)
}

// tables are what runs are compared by.
func tables(folder string) (text []byte, err error) {
	for _, name := range []string{"trials.csv", "batches.csv"} {
		table, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		text = append(text, table...)
	}
	return text, nil
}

// Carry carries it out.
func (c Crash) Carry(ctx context.Context, progress io.Writer) (Damage, error) {
	var d Damage
	whole := filepath.Join(c.Folder, "whole")
	began := time.Now()
	if said, err := c.command(ctx, append([]string{"run", "--out", whole}, c.Run...)).CombinedOutput(); err != nil {
		return d, fmt.Errorf("the run without kills: %w: %s", err, bytes.TrimSpace(said))
	}
	took := time.Since(began)
	want, err := tables(whole)
	if err != nil {
		return d, err
	}
	rng := rand.New(rand.NewPCG(c.Seed, 0))
	for d.Kills < c.Kills {
		folder := filepath.Join(c.Folder, fmt.Sprintf("run-%d", d.Runs+1))
		if err := c.one(ctx, folder, took, rng, &d); err != nil {
			return d, fmt.Errorf("%s: %w", folder, err)
		}
		d.Runs++
		got, err := tables(folder)
		if err != nil {
			return d, err
		}
		if bytes.Equal(got, want) {
			err = os.RemoveAll(folder)
		} else {
			d.Others++ // the folder stays to be looked at
		}
		if err != nil {
			return d, err
		}
		fmt.Fprintln(progress, d)
	}
	return d, nil
}

// one carries out a run of the given length with kills.
func (c Crash) one(ctx context.Context, folder string, length time.Duration, rng *rand.Rand, d *Damage) error {
	args := append([]string{"run", "--out", folder}, c.Run...)
	stored := map[string]bool{}
	asked, err := c.asked()
	if err != nil {
		return err
	}
	for {
		var said bytes.Buffer
		cmd := c.command(ctx, args)
		cmd.Stdout, cmd.Stderr = &said, &said
		if err := cmd.Start(); err != nil {
			return err
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		killed := false
		select {
		case err = <-ended:
		case <-time.After(time.Duration(rng.ExpFloat64() * float64(length) / 4)):
			killed = cmd.Process.Kill() == nil
			err = <-ended
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil && !killed {
			return fmt.Errorf("invbo %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(said.Bytes()))
		}
		all, err1 := c.asked()
		if err1 != nil {
			return err1
		}
		for _, x := range all[len(asked):] {
			if stored[x] {
				d.Twice++
			}
		}
		asked = all
		now, err1 := answers(ctx, folder)
		if err1 != nil {
			return err1
		}
		for x := range stored {
			if !now[x] {
				d.Lost++
			}
		}
		stored = now
		if err == nil { // it ended, perhaps just before it would have been killed
			return nil
		}
		d.Kills++
		if _, err := os.Stat(filepath.Join(folder, "study.db")); err == nil {
			args = []string{"resume", folder}
		} else {
			args = append([]string{"run", "--overwrite", "--out", folder}, c.Run...) // killed before the first call
		}
	}
}

func (c Crash) command(ctx context.Context, args []string) *exec.Cmd {
	return exec.CommandContext(ctx, c.Program, args...)
}

// asked returns the strings that the oracle was asked for so far.
func (c Crash) asked() ([]string, error) {
	text, err := os.ReadFile(c.Asked)
	if errors.Is(err, os.ErrNotExist) || c.Asked == "" {
		return nil, nil
	}
	return strings.Fields(string(text)), err
}

// answers returns the inputs of a study's trials with an answer.
func answers(ctx context.Context, folder string) (_ map[string]bool, err error) {
	all := map[string]bool{}
	path := filepath.Join(folder, "study.db")
	if _, err := os.Stat(path); err != nil {
		return all, nil
	}
	f, err := sqlite.Open(ctx, path, sqlite.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	events, err := f.Events(ctx)
	for _, e := range events {
		for _, t := range slices.DeleteFunc(slices.Clone(e.Trials), func(t study.Trial) bool { return t.State == study.Pending }) {
			all[t.Input] = true
		}
	}
	return all, err
}
