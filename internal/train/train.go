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
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/progress"
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
	Say    func(string) // shows a note
}

// checkpoint returns the name of the checkpoint file.
func (j Job) checkpoint() string { return j.Out + ".checkpoint" }

// Check returns an error if Out is taken, or cannot be written.
func (j Job) Check() error {
	dir := filepath.Dir(j.Out)
	switch {
	case j.Out == "":
		return option.Errorf("give a file to write the model to: %s", option.Setting{Name: "out", Value: "FILE"})
	case files.Exists(j.Out):
		return option.Errorf("%s exists; give another %s, or delete it", j.Out, option.Name("out"))
	case files.Exists(j.checkpoint()) && !j.Resume:
		return option.Errorf("%s holds an unfinished training; continue it with %s, or delete it", j.checkpoint(), option.Name("resume"))
	case !files.Exists(dir):
		return option.Errorf("%s: there is no folder %s", option.Name("out"), dir)
	}
	return files.MakeWritable(dir)
}

// resumed reads the checkpoint with load.
func resumed[C any](j Job, load func(io.Reader) (C, error)) (c C, err error) {
	file, err := os.Open(j.checkpoint())
	if err != nil {
		return c, option.Errorf("%s: %w; start without it", option.Name("resume"), err)
	}
	defer file.Close()
	if c, err = load(file); err != nil {
		return c, usage.Errorf("%s: %w", j.checkpoint(), err)
	}
	return c, nil
}

// session is a training in progress.
type session struct {
	Job
	unit         string            // epochs or steps
	display      *progress.Display // nil before the first unit is done
	saved, total int               // units in the checkpoint, and in all
	unsaved      error
}

// show shows that so many of all units are done.
func (s *session) show(done, total int, details string) {
	if s.display == nil {
		s.display = progress.New(s.unit+" ", total, false)
	}
	s.total = total
	s.display.Set(done, details)
}

// save writes the checkpoint after so many units.
func (s *session) save(done int, write func(io.Writer) error) error {
	if s.unsaved = files.WriteWhole(s.checkpoint(), write); s.unsaved == nil {
		s.saved = done
	}
	return s.unsaved
}

// end ends the display, and returns the error of a training that was interrupted or failed with err.
func (s *session) end(ctx context.Context, err error) error {
	if s.display != nil {
		s.display.Stop()
	}
	switch {
	case s.unsaved != nil || err == nil:
		return s.unsaved
	case ctx.Err() != nil && s.saved == 0:
		return errors.New("stopped early; nothing was saved")
	case ctx.Err() != nil:
		return fmt.Errorf("stopped after %d of %d %s, which are in %s; the same command with --resume continues from there", s.saved, s.total, s.unit, s.checkpoint())
	}
	return usage.Wrap(err) // strings or sizes that do not fit
}

// finish writes the model and removes the checkpoint.
func (j Job) finish(stdout io.Writer, save func(io.Writer) error, learned string) error {
	if err := files.WriteWhole(j.Out, save); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %s; use it with --method cobo+invbo:weights=%[1]s\n", j.Out, learned)
	if err := os.Remove(j.checkpoint()); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
