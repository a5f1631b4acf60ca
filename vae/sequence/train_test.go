package sequence

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/invbo/invbo/nn"
)

// trained returns the file of a model trained for 6 steps of several chunks each.
func trained(t *testing.T, opts TrainOptions) []byte {
	t.Helper()
	m, err := Train(t.Context(), alphabetOf(t, "ACDEFG"), small, words(300), options(opts))
	if err != nil {
		t.Fatal(err)
	}
	return saved(t, m)
}

func options(opts TrainOptions) TrainOptions {
	opts.Passes, opts.Batch, opts.Warmup, opts.Dropout = 3, 150, 4, 0.1
	return opts
}

func saved(t *testing.T, m *Model) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := m.Save(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// A run resumed from a checkpoint file gives the same bytes as an uninterrupted run, on any number of processors.
func TestResume(t *testing.T) {
	want := trained(t, TrainOptions{})
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for last := 1; last < 6; last++ { // within a pass and at its end
		runtime.GOMAXPROCS(last)
		var file bytes.Buffer
		enough := errors.New("enough")
		_, err := Train(t.Context(), alphabetOf(t, "ACDEFG"), small, words(300), options(TrainOptions{Step: func(c *Checkpoint, _ Quality) error {
			if c.Adam.Steps < last {
				return nil
			}
			return errors.Join(c.Save(&file), enough)
		}}))
		if !errors.Is(err, enough) {
			t.Fatalf("Train: %v, want the error of Step", err)
		}
		c, err := LoadCheckpoint(&file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(trained(t, TrainOptions{Resume: c}), want) {
			t.Errorf("resumed after step %d: weights differ", last)
		}
	}
}

// Training lowers the loss, starts from given weights and records its options.
func TestTrain(t *testing.T) {
	a, data := alphabetOf(t, "ACDEFG"), words(60)
	var results []Quality
	opts := TrainOptions{
		Training: Training{Passes: 30, Batch: 25, LR: 5e-3, Warmup: 10, Source: "words"},
		HeldOut:  words(90)[60:],
		Step:     func(_ *Checkpoint, q Quality) error { results = append(results, q); return nil },
	}
	m, err := Train(t.Context(), a, small, data, opts)
	if err != nil {
		t.Fatal(err)
	}
	first, last := results[0], results[len(results)-1]
	if len(results) != 90 || first.Strings != 25 || results[2].Strings != 10 {
		t.Errorf("%d steps; first %+v, last %+v", len(results), first, last)
	}
	if !(last.CrossEntropy < 0.8*first.CrossEntropy && last.TokenAccuracy > first.TokenAccuracy) {
		t.Errorf("first step %+v, last %+v", first, last)
	}
	r := m.Training()
	if r.Source != "words" || r.Strings != 60 || r.Steps != 90 || r.KL != 0.1 || r.Before != nil || r.HeldOut == nil || r.HeldOut.Strings != 30 {
		t.Errorf("Training = %+v", r)
	}
	before, err := m.Evaluate(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}

	opts.Begin, opts.LR, opts.HeldOut, opts.Seed, results = m, 1e-3, nil, 1, nil
	m2, err := Train(t.Context(), a, small, data, opts)
	if err != nil {
		t.Fatal(err)
	}
	after, err := m2.Evaluate(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	if !(after.CrossEntropy < before.CrossEntropy) || results[0].CrossEntropy > first.CrossEntropy/2+last.CrossEntropy/2 {
		t.Errorf("trained further: %+v, was %+v; its first step %+v", after, before, results[0])
	}
	if b := m2.Training().Before; b == nil || b.Steps != 90 || b.LR != 5e-3 {
		t.Errorf("Before = %+v", b)
	}
}

func TestTrainErrors(t *testing.T) {
	wide := small
	wide.DecoderHidden = 40
	tests := []struct {
		name string
		data []string
		opts TrainOptions
		want string
	}{
		{"a string too long", []string{"A", strings.Repeat("C", 16)}, TrainOptions{}, "string 1: \"CCCCCCCCCCCCCCCC\" has 16 symbols"},
		{"a string held out too long", []string{"A"}, TrainOptions{HeldOut: []string{strings.Repeat("C", 16)}}, "held out: string 0"},
		{"no strings", nil, TrainOptions{}, "no strings"},
		{"a string of another alphabet", []string{"A", "AX"}, TrainOptions{}, "string 1: "},
		{"an empty string", []string{""}, TrainOptions{}, "empty string"},
		{"a negative rate", []string{"A"}, TrainOptions{Training: Training{LR: -1}}, "learning rate"},
		{"all dropped", []string{"A"}, TrainOptions{Training: Training{Dropout: 1}}, "dropout"},
		{"weights of other sizes", []string{"A"}, TrainOptions{Begin: untrained(t, wide)}, "other sizes"},
		{"a rate that diverges", []string{"A", "C"}, TrainOptions{Training: Training{LR: 1e30, Passes: 50, Warmup: 1}}, "lower the learning rate"},
		{"a checkpoint of other options", []string{"A"}, TrainOptions{Resume: &Checkpoint{Model: untrained(t, small), Adam: new(nn.Adam)}, Training: Training{Seed: 1}}, "a training with"},
		{"a checkpoint of other sizes", []string{"A"}, TrainOptions{Resume: &Checkpoint{Model: untrained(t, wide)}}, "other sizes"},
	}
	for _, tt := range tests {
		if _, err := Train(t.Context(), alphabetOf(t, "ACDEFG"), small, tt.data, tt.opts); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q in it", tt.name, err, tt.want)
		}
	}
	if _, err := Train(t.Context(), nil, small, []string{"A"}, TrainOptions{}); err == nil || !strings.Contains(err.Error(), "sequence: train: no alphabet") {
		t.Errorf("without an alphabet: %v", err)
	}
	if _, err := untrained(t, small).Evaluate(t.Context(), []string{"A", "AX"}); err == nil || !strings.Contains(err.Error(), "string 1: ") || !strings.Contains(err.Error(), "alphabet") {
		t.Errorf("Evaluate on strings of another alphabet: %v", err)
	}
}
