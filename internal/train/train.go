// Package train trains and imports models. It shows progress, and saves checkpoints that a training resumes from.
package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
)

// Job holds what the trainings of all models share. A zero number takes the model's default.
type Job struct {
	Out    string // file to write the model to
	Data   task.File
	Resume bool // continue from the checkpoint
	Epochs float64
	Batch  int
	Rate   float64 // Adam's highest learning rate
	Beta   float64 // weight of the KL divergence
	Seed   uint64
}

// checkpoint returns the name of the checkpoint file.
func (j Job) checkpoint() string { return j.Out + ".checkpoint" }

// Check returns an error if Out is taken, or cannot be written.
func (j Job) Check() error {
	if j.Out == "" {
		return usage.Errorf("give a file to write the model to: --out FILE")
	}
	if files.Exists(j.Out) {
		return usage.Errorf("%s exists; give another --out, or delete it", j.Out)
	}
	if files.Exists(j.checkpoint()) && !j.Resume {
		return usage.Errorf("%s holds an unfinished training; continue it with --resume, or delete it", j.checkpoint())
	}
	if dir := filepath.Dir(j.Out); !files.Exists(dir) {
		return usage.Errorf("--out: there is no folder %s", dir)
	} else if err := files.Writable(dir); err != nil {
		return err
	}
	return nil
}

// resumed reads the checkpoint with load.
func resumed[C any](j Job, load func(io.Reader) (C, error)) (c C, err error) {
	file, err := os.Open(j.checkpoint())
	if err != nil {
		return c, usage.Errorf("--resume: %w; start without it", err)
	}
	defer file.Close()
	if c, err = load(file); err != nil {
		return c, usage.Errorf("%s: %w", j.checkpoint(), err)
	}
	return c, nil
}

// ended returns the error of an interrupted or failed training; saved describes its checkpoint, empty if there is none.
func (j Job) ended(ctx context.Context, saved string, err error) error {
	switch {
	case ctx.Err() != nil && saved == "":
		return errors.New("stopped early; nothing was saved")
	case ctx.Err() != nil:
		return fmt.Errorf("stopped after %s, which are in %s; the same command with --resume continues from there", saved, j.checkpoint())
	}
	return err
}

// finish writes the model and removes the checkpoint.
func (j Job) finish(stdout io.Writer, save func(io.Writer) error, learned string) error {
	if err := files.WriteWhole(j.Out, save); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %s; use it with --weights %[1]s\n", j.Out, learned)
	if err := os.Remove(j.checkpoint()); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
