package evolve

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/invbo/invbo/gp"
)

// The variance is that of a Gaussian process on similarity, scaled to the scores, however many points came at once.
func TestNovelty(t *testing.T) {
	of := newReader(lettersOf)
	term := gp.Term{Kernel: gp.Tanimoto, Groups: []int{0}}
	points := scoredWords(40, pairs)
	n := newNovelty(term, of)
	for _, to := range []int{7, 8, 40, 30} { // at last, points are gone
		a := acquisition{widen: 1}
		s := Searcher{novelty: n, model: model{spread: 9}}
		if err := s.explore(t.Context(), &a, points[:to]); err != nil {
			t.Fatal(err)
		}
		xs := []string{points[0].x, "abcdabcd", "aaaaaaaa", "dddddddd"}
		for _, p := range points[:to] {
			xs = append(xs, p.x)
		}
		described := of.read(xs)
		k := mat.NewSymDense(to, nil)
		for i := range to {
			for j := range i + 1 {
				k.SetSym(i, j, term.Similarity(described[4+i].Groups, described[4+j].Groups))
			}
			k.SetSym(i, i, 1+noveltyNoise)
		}
		var factor mat.Cholesky
		if !factor.Factorize(k) {
			t.Fatal("words are equal")
		}
		_, got := a.doubt.predict(described[:4])
		_, known := a.doubt.atPoints()
		for i, d := range described[:4] {
			row := mat.NewVecDense(to, nil)
			for j := range to {
				row.SetVec(j, term.Similarity(d.Groups, described[4+j].Groups))
			}
			var w mat.VecDense
			if err := factor.SolveVecTo(&w, row); err != nil {
				t.Fatal(err)
			}
			want := curiosity * curiosity * 9 * (1 - mat.Dot(row, &w))
			if got := a.unit * got[i]; math.Abs(got-want) > 1e-9 {
				t.Errorf("%d points: variance %g at %q, want %g", to, got, xs[i], want)
			}
		}
		if math.Abs(known[0]-got[0]) > 1e-9 {
			t.Errorf("%d points: variance %g at the first one, and %g when it is asked for again", to, known[0], got[0])
		}
	}
}

// Every other small batch explores, unless the scores say little by their size.
func TestExplores(t *testing.T) {
	points := scoredWords(20, pairs)
	for _, test := range []struct {
		name      string
		novelty   *model
		batch, n  int
		transform gp.Transform
		points    []point
		want      bool
	}{
		{"first batch", &model{}, 1, 5, gp.Standardise, points, false},
		{"second batch", &model{}, 2, 5, gp.Standardise, points, true},
		{"large batch", &model{}, 2, 10, gp.Standardise, points, false},
		{"third batch", &model{}, 3, 5, gp.Standardise, points, false},
		{"as they are", &model{}, 4, 5, gp.Raw, points, true},
		{"logarithms", &model{}, 2, 5, gp.Log, points, false},
		{"ranks", &model{}, 2, 5, gp.LogRanks, points, false},
		{"equal scores", &model{}, 2, 5, gp.Standardise, scoredWords(20, func(string) float64 { return 1 }), false},
		{"no similarity", nil, 2, 5, gp.Standardise, points, false},
	} {
		s := &Searcher{novelty: test.novelty, model: model{hyperparameters: hyperparameters{Transform: test.transform}}}
		if got := s.explores(test.batch, test.n, test.points); got != test.want {
			t.Errorf("%s: explores %v", test.name, got)
		}
	}
}
