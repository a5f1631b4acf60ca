package sqlite

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/invbo/invbo/study"
)

// BenchmarkLarge is about a study of 100,000 trials with strings of 60 bytes. Each benchmark reports the size of the file.
//
//	go test ./store/sqlite -run '^$' -bench Large -benchtime 5x
func BenchmarkLarge(b *testing.B) {
	for _, d := range []int{0, 128} {
		b.Run(fmt.Sprintf("latent=%d", d), func(b *testing.B) { large(b, d) })
	}
}

const benchTrials = 100_000

func large(b *testing.B, d int) {
	path := filepath.Join(b.TempDir(), "lab.db")
	f, err := Create(b.Context(), path, Meta{})
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	sync := func(mode string) {
		if _, err := f.db.Exec("PRAGMA synchronous = " + mode); err != nil {
			b.Fatal(err)
		}
	}
	sync("OFF")
	next := 1
	begun := time.Now()
	for next <= benchTrials {
		next = saveBatch(b, f, rng, next, d)
	}
	b.Logf("%d trials in events of 5 proposals and 1 answer: %v for a Save without fsync", benchTrials, time.Since(begun)/(benchTrials*6/5))
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	report := func(b *testing.B) { b.ReportMetric(float64(info.Size())/1e6, "MB") }

	b.Run("open and Events", func(b *testing.B) {
		for range b.N {
			f, err := Open(b.Context(), path, Options{})
			if err != nil {
				b.Fatal(err)
			}
			events, err := f.Events(b.Context())
			if err != nil || len(events) != benchTrials*6/5 {
				b.Fatalf("%d events, %v", len(events), err)
			}
			f.Close()
		}
		report(b)
	})
	b.Run("open", func(b *testing.B) {
		for range b.N {
			f, err := Open(b.Context(), path, Options{})
			if err != nil {
				b.Fatal(err)
			}
			f.Close()
		}
	})
	if f, err = Open(b.Context(), path, Options{}); err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	for _, mode := range []string{"FULL", "OFF"} { // with fsync, and without
		b.Run("6 of Save/synchronous="+mode, func(b *testing.B) {
			sync(mode)
			for range b.N {
				next = saveBatch(b, f, rng, next, d)
			}
		})
	}
	for _, query := range []string{"SELECT * FROM trials", "SELECT * FROM measurements", "PRAGMA quick_check", "PRAGMA integrity_check"} {
		b.Run(query, func(b *testing.B) {
			for range b.N {
				rows, err := f.db.Query(query)
				if err != nil {
					b.Fatal(err)
				}
				for rows.Next() {
				}
				if err := rows.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// saveBatch saves an event of five proposals and five of an answer each, and returns the ID of the next trial.
func saveBatch(b testing.TB, f *File, rng *rand.Rand, id, d int) int {
	e := study.Event{Asked: 5}
	for range 5 {
		p := study.Proposal{ID: id, X: strings.Repeat("C", 50) + fmt.Sprintf("%010d", id), Kind: study.Acquired, Batch: id / 5, Mean: rng.NormFloat64(), SD: rng.Float64()}
		p.Input = p.X
		for range d {
			p.Latent = append(p.Latent, rng.NormFloat64())
		}
		e.Trials = append(e.Trials, study.Trial{Proposal: p, State: study.Pending, Score: math.NaN(), Value: math.NaN()})
		id++
	}
	events := []study.Event{e}
	for i, t := range e.Trials {
		score := rng.NormFloat64()
		t.State, t.Score, t.Value, t.Called = study.Scored, score, score, true
		t.Measurements = []study.Measurement{{ID: id + i, Score: score}}
		events = append(events, study.Event{Trials: []study.Trial{t}})
	}
	for _, e := range events {
		if err := f.Save(b.Context(), e); err != nil {
			b.Fatal(err)
		}
	}
	return id
}

// BenchmarkInitial saves what is known of 100,000 strings in one event.
//
//	go test ./store/sqlite -run '^$' -bench Initial -benchtime 1x
func BenchmarkInitial(b *testing.B) {
	e := study.Event{}
	for i := range benchTrials {
		p := study.Proposal{ID: i + 1, Name: fmt.Sprint("CMP-", i), X: strings.Repeat("C", 60), Input: strings.Repeat("C", 60), Kind: study.Initial, Mean: math.NaN(), SD: math.NaN()}
		e.Trials = append(e.Trials, study.Trial{Proposal: p, State: study.Scored, Score: 1, Value: 1, Measurements: []study.Measurement{{ID: i + 1, Score: 1}}})
	}
	for b.Loop() {
		f, err := Create(b.Context(), filepath.Join(b.TempDir(), "lab.db"), Meta{})
		if err != nil {
			b.Fatal(err)
		}
		if err := f.Save(b.Context(), e); err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
}
