package synthetic_test

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/oracletest"
	"github.com/invbo/invbo/oracle/synthetic"
)

// Instances and scores are those of the reference implementation.
func TestEhrlichGolden(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/golden/ehrlich/*.json.gz")
	if len(files) == 0 {
		t.Skip("no ../shared/golden/ehrlich beside the repository")
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		var set struct {
			Alphabet  string
			Instances []struct {
				synthetic.Ehrlich
				Initial []string
				Scored  [][2]any
				Optimum string
			}
		}
		if err := json.NewDecoder(z).Decode(&set); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		infeasible := 0
		for i, in := range set.Instances {
			e := in.Ehrlich
			e.Alphabet = set.Alphabet
			if err := e.Check(); err != nil {
				t.Error(err)
			}
			check := func(x string, want any) {
				t.Helper()
				r, err := oracle.One(t.Context(), &e, x)
				if err != nil {
					t.Fatal(err)
				}
				if want == nil {
					infeasible++
					if !math.IsNaN(r.Score) || r.Reason == "" {
						t.Errorf("%s, instance %d: %s has score %g (%s), and is infeasible", name, i, x, r.Score, r.Reason)
					}
				} else if !(math.Abs(r.Score-want.(float64)) <= 1e-6) {
					t.Errorf("%s, instance %d: %s has score %g (%s), want %g", name, i, x, r.Score, r.Reason, want)
				}
			}
			for _, s := range in.Scored {
				check(s[0].(string), s[1])
			}
			check(in.Optimum, 1.0)
			for _, x := range in.Initial {
				if r, err := oracle.One(t.Context(), &e, x); err != nil || math.IsNaN(r.Score) {
					t.Errorf("%s, instance %d: initial %s: %v, %v", name, i, x, r, err)
				}
			}
		}
		if infeasible == 0 {
			t.Errorf("%s: no infeasible string was checked", name)
		}
	}
}

func TestNewEhrlich(t *testing.T) {
	for seed := range uint64(50) {
		e, err := synthetic.NewEhrlich(20, 32, 4, 5, seed)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := oracle.One(t.Context(), e, optimum(e)); err != nil || r.Score != 1 {
			t.Errorf("seed %d: the optimum %s has %v, %v", seed, optimum(e), r, err)
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		for range 20 {
			x := e.Sample(rng)
			if r, err := oracle.One(t.Context(), e, x); err != nil || !(r.Score >= 0 && r.Score <= 1) {
				t.Errorf("seed %d: sample %s has %v, %v", seed, x, r, err)
			}
		}
	}
	for _, bad := range [][4]int{{3, 10, 1, 2}, {60, 10, 1, 2}, {20, 10, 0, 2}, {20, 10, 1, 1}, {5, 30, 1, 6}, {20, 10, 3, 4}, {4, 8, 2, 4}} {
		if e, err := synthetic.NewEhrlich(bad[0], bad[1], bad[2], bad[3], 0); err == nil {
			t.Errorf("NewEhrlich%v = %v, want an error", bad, e)
		}
	}
}

func TestEhrlichCheck(t *testing.T) {
	ok := synthetic.Ehrlich{Alphabet: "ABC", Length: 4, Motifs: []string{"AB"}, Spacings: [][]int{{3}}}
	if err := ok.Check(); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*synthetic.Ehrlich){
		"no length":          func(e *synthetic.Ehrlich) { e.Length = 0 },
		"no motif":           func(e *synthetic.Ehrlich) { e.Motifs, e.Spacings = nil, nil },
		"a spacing too few":  func(e *synthetic.Ehrlich) { e.Spacings[0] = nil },
		"a motif too long":   func(e *synthetic.Ehrlich) { e.Spacings = [][]int{{4}} },
		"too many motifs":    func(e *synthetic.Ehrlich) { e.Motifs, e.Spacings = []string{"AB", "C"}, [][]int{{3}, nil} },
		"elements at a spot": func(e *synthetic.Ehrlich) { e.Spacings = [][]int{{0}} },
		"an odd level":       func(e *synthetic.Ehrlich) { e.Quantization = 3 },
		"another symbol":     func(e *synthetic.Ehrlich) { e.Motifs = []string{"AD"} },
	} {
		bad := ok
		bad.Spacings = [][]int{{3}}
		change(&bad)
		if bad.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestEhrlichIsAnOracle(t *testing.T) {
	e, err := synthetic.NewEhrlich(20, 15, 2, 5, 0)
	if err != nil {
		t.Fatal(err)
	}
	oracletest.Run(t, e, []string{optimum(e), e.Sample(rand.New(rand.NewPCG(1, 0)))}, []string{"", "A", optimum(e) + "A", "aaaaaaaaaaaaaaa"})
}

// optimum returns a string of score 1: motif after motif, with their gaps filled by repeats.
func optimum(e *synthetic.Ehrlich) string {
	var text strings.Builder
	for i, motif := range e.Motifs {
		for k := range len(motif) {
			n := 1
			if k < len(motif)-1 {
				n = e.Spacings[i][k]
			}
			text.WriteString(strings.Repeat(motif[k:k+1], n))
		}
	}
	s := text.String()
	return s + strings.Repeat(s[len(s)-1:], e.Length-len(s))
}
