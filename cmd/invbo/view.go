package main

import (
	"fmt"
	"math"
	"os"

	"github.com/invbo/invbo"
)

// view tells a progress what people want to know of a run.
type view struct {
	*progress
	initial, calls int
	details        []string
}

// show starts a display of e, which its options feed from then on. The note on the initial data comes before it.
func (e *experiment) show(lines bool) *view {
	e.sayNote()
	v := &view{progress: newProgress(e.task.name+" ", e.options.Budget, lines)}
	e.options.Record, e.options.Watch = v.record, v.watch
	return v
}

// sayNote shows the note on the initial data, if there is one.
func (e experiment) sayNote() {
	if e.note != "" {
		fmt.Fprintln(os.Stderr, "invbo:", e.note)
	}
}

// record counts a trial. It never fails.
func (v *view) record(t invbo.Trial) error {
	switch {
	case t.Kind == invbo.Initial:
		v.initial++
		v.details = []string{fmt.Sprintf("initial data: %d strings", v.initial)}
	case t.Called:
		v.calls++
	}
	v.set(v.calls, v.details...)
	return nil
}

// watch describes the run after a batch.
func (v *view) watch(s invbo.Status) {
	v.details = []string{fmt.Sprintf("best %s  %s", number(s.Best.Score), shorten(s.Best.Input, 60))}
	if !math.IsNaN(s.Aligned) {
		v.details = append(v.details, fmt.Sprintf("aligned %.0f %%  region %.3g  restarts %d  VAE updates %d", 100*s.Aligned, s.Length, s.Restarts, s.Updates))
	}
	v.set(v.calls, v.details...)
}
