package protein_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/space/protein"
	"github.com/invbo/invbo/study"
)

// differences returns where sequences of one length differ.
func differences(a, b string) (at []int) {
	for i := range a {
		if a[i] != b[i] {
			at = append(at, i)
		}
	}
	return at
}

// Children keep to the options, whatever the parents are.
func TestChildren(t *testing.T) {
	const reference = "MKTAYIAKQRQI"
	rapid.Check(t, func(t *rapid.T) {
		sequence := rapid.StringOfN(rapid.RuneFrom([]rune(protein.Residues)), len(reference), len(reference), -1)
		examples := rapid.SliceOfN(sequence, 1, 5).Draw(t, "examples")
		positions := rapid.SliceOfNDistinct(rapid.IntRange(0, len(reference)-1), 1, 6, rapid.ID[int]).Draw(t, "positions")
		opts := protein.Options{Positions: positions, Mutations: rapid.IntRange(1, 4).Draw(t, "mutations"), Residues: map[int]string{}}
		wildType := rapid.Bool().Draw(t, "wild type")
		if wildType {
			opts.Reference = reference
		}
		if p := positions[0]; rapid.Bool().Draw(t, "residues") {
			opts.Residues[p] = "AVG" + reference[p:p+1]
		}
		space, err := protein.New(examples, opts)
		if err != nil {
			t.Fatal(err)
		}
		seed := rapid.Uint64().Draw(t, "seed")
		pairs := slices.Repeat([][2]string{{examples[0], examples[len(examples)-1]}}, 20)
		for _, op := range space.Operators {
			made, err := op.Make(t.Context(), pairs, rand.New(rand.NewPCG(seed, 0)))
			if err != nil || len(made) != len(pairs) {
				t.Fatalf("%s: %d children of %d pairs, error %v", op.Name, len(made), len(pairs), err)
			}
			for _, c := range made {
				if err := space.Check(c.X); err != nil {
					t.Fatalf("%s: %v", op.Name, err)
				}
				for p, letters := range opts.Residues {
					if strings.IndexByte(letters, c.X[p]) < 0 {
						t.Errorf("%s: %s has %c at %d, want one of %s", op.Name, c.X, c.X[p], p, letters)
					}
				}
				if !wildType {
					if i := slices.IndexFunc(differences(c.X, pairs[0][0]), func(i int) bool { return !slices.Contains(positions, i) }); i >= 0 && protein.Consensus(examples) == "" {
						t.Errorf("%s: %s differs from %s beyond positions %d", op.Name, c.X, pairs[0][0], positions)
					}
					continue
				}
				at := differences(c.X, reference)
				if len(at) > opts.Mutations {
					t.Errorf("%s: %s has %d mutations, want at most %d", op.Name, c.X, len(at), opts.Mutations)
				}
				for _, i := range at {
					if !slices.Contains(positions, i) {
						t.Errorf("%s: %s differs at %d, want mutations at %v alone", op.Name, c.X, i, positions)
					}
				}
			}
			again, err := op.Make(t.Context(), pairs, rand.New(rand.NewPCG(seed, 0)))
			if err != nil || !slices.Equal(again, made) {
				t.Errorf("%s: %v, %v, from the same generator %v before", op.Name, again, err, made)
			}
		}
	})
}

// Unless told otherwise, proposals differ where the examples do, and have two more mutations at most.
func TestDefaults(t *testing.T) {
	const reference = "MKTAYIAKQRQI"
	space, err := protein.New([]string{"MRTAYIAKQRQI", "MKSAYIAKQRQI", "MKTAYIAKQRQV"}, protein.Options{Reference: reference})
	if err != nil {
		t.Fatal(err)
	}
	most, where := 0, map[int]bool{}
	for _, op := range space.Operators {
		made, err := op.Make(t.Context(), slices.Repeat([][2]string{{"MRTAYIAKQRQV", "MKSAYIAKQRQI"}}, 300), rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range made {
			at := differences(c.X, reference)
			most = max(most, len(at))
			for _, i := range at {
				where[i] = true
			}
		}
	}
	if most != 3 || len(where) != 3 || !where[1] || !where[2] || !where[11] {
		t.Errorf("up to %d mutations at %v, want 3 at 1, 2 and 11", most, where)
	}
}

// What an operator can make of parents that differ from the reference at one position each.
func TestOperators(t *testing.T) {
	space, err := protein.New([]string{"CA", "AG"}, protein.Options{Reference: "AA", Alphabet: "ACGT"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"recombine": {"AA", "AG", "CA", "CG"}, "combine": {"CG"}, "revert": {"AA"},
		"substitute": {"AA", "AC", "AG", "AT", "CA", "CC", "CG", "CT", "GA", "GC", "GG", "GT", "TA", "TC", "TG", "TT"},
	}
	for _, op := range space.Operators {
		made, err := op.Make(t.Context(), slices.Repeat([][2]string{{"CA", "AG"}}, 2000), rand.New(rand.NewPCG(2, 2)))
		if err != nil {
			t.Fatal(err)
		}
		var xs []string
		for _, c := range made {
			xs = append(xs, c.X)
		}
		slices.Sort(xs)
		if xs = slices.Compact(xs); !slices.Equal(xs, want[op.Name]) {
			t.Errorf("%s: %q, want %q", op.Name, xs, want[op.Name])
		}
	}
}

func TestNewRefuses(t *testing.T) {
	four := []string{"ACDE", "ACDF"}
	for _, test := range []struct {
		name     string
		examples []string
		opts     protein.Options
		want     string
	}{
		{"nothing at all", nil, protein.Options{}, "neither an example nor a reference"},
		{"lengths", []string{"ACDE", "ACD"}, protein.Options{}, `"ACD" has 3 letters, and the others have 4`},
		{"letters", []string{"ACDE", "ACDX"}, protein.Options{}, `'X' as letter 4, which is not in the alphabet`},
		{"nothing that may change", []string{"ACDE"}, protein.Options{}, "no position may change"},
		{"a position outside", four, protein.Options{Positions: []int{1, 4}}, "position 4 is outside of sequences of 4 letters"},
		{"letters where nothing changes", four, protein.Options{Residues: map[int]string{0: "AV"}}, "position 0, which does not change"},
		{"letters of another alphabet", four, protein.Options{Residues: map[int]string{3: "AX"}}, `"AX" for position 3`},
		{"letters without the reference's", four, protein.Options{Reference: "ACDE", Residues: map[int]string{3: "AV"}}, `leave out 'E' of the reference`},
	} {
		if _, err := protein.New(test.examples, test.opts); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}

// A variant that differs where no example does is told from the others, and a sequence of another length is not
// compared at all.
func TestWhatIsCompared(t *testing.T) {
	space, err := protein.New([]string{"MKTA", "MRTA"}, protein.Options{})
	if err != nil {
		t.Fatal(err)
	}
	known, err := space.Read("MKTA")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []string{"MKTV", "MKTL"} {
		d, err := space.Read(x)
		if err != nil || reflect.DeepEqual(d.Groups, known.Groups) {
			t.Errorf("%s has the features of MKTA, error %v", x, err)
		}
	}
	if !space.Compares("MVTA") || space.Compares("MKTAA") {
		t.Errorf("MVTA is compared: %t, and MKTAA: %t; want the first alone", space.Compares("MVTA"), space.Compares("MKTAA"))
	}
}

func TestConsensus(t *testing.T) {
	for _, test := range []struct {
		sequences []string
		want      string
	}{
		{nil, ""},
		{[]string{"MKTAYIAKQRQI"}, "MKTAYIAKQRQI"},
		{[]string{"MRTAYIAKQRQI", "MKSAYIAKQRQI", "MKTAYIAKQRQV"}, "MKTAYIAKQRQI"},
		{slices.Repeat([]string{"KRLAKWIGRV", "RWLWKHIGAS", "KWSFKKYKAV", "KWLFYRIHAI"}, 3), "KWLFKHIGAV"}, // a peptide, changed at a third of its positions
		{[]string{"KRLAKWIGRV", "RWLWKHIGAS", "KWSFKKYKAV", "KWLFYRIHAI"}, ""},                             // or so it seems
		{slices.Repeat([]string{"KRLFKWIGRV", "GSTQPANDEC", "KWSFYYMHHT", "DDAERLIPPS"}, 3), ""},
		{[]string{"FWAA", "VDGV", "ACLC", "WWHG"}, ""}, // of a library that varies throughout
	} {
		if got := protein.Consensus(test.sequences); got != test.want {
			t.Errorf("consensus of %q: %q, want %q", test.sequences, got, test.want)
		}
	}
}

// A search of a peptide with the charges − + − + from two that have one of them each.
func ExampleNew() {
	score := func(x string) oracle.Result {
		n := 0
		for i, letters := range []string{"DE", "KR", "DE", "KR"} {
			if strings.IndexByte(letters, x[i]) >= 0 {
				n++
			}
		}
		return oracle.Result{Score: float64(n)}
	}
	init := []study.Observation{{X: "DAAA"}, {X: "AKGG"}, {X: "GGGG"}}
	space, err := protein.New([]string{"DAAA", "AKGG", "GGGG"}, protein.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	searcher, err := evolve.New(space, evolve.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	s, err := study.New(ctx, study.Problem{Oracle: oracle.Func(score), Init: init}, searcher, study.Options{Budget: 60})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := s.Run(ctx); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Best().Score)
	// Output: 4
}

// A D-amino acid has the properties of its L form, and a residue without known ones those of the average: it is like
// none, and least unlike all.
func TestFurtherResidues(t *testing.T) {
	alphabet := protein.Residues + "k1"
	space, err := protein.New([]string{"AK", "Ak", "A1"}, protein.Options{Alphabet: alphabet})
	if err != nil {
		t.Fatal(err)
	}
	n := len(alphabet)
	unlike := func(by []float64, a, b byte) float64 {
		return by[strings.IndexByte(alphabet, a)*n+strings.IndexByte(alphabet, b)]
	}
	distances := space.Kernels[0].Sites.Distances
	if d := unlike(distances[0], 'K', 'k'); d == 0 {
		t.Error("K and k are the same")
	}
	for i, by := range distances[1:] {
		if d := unlike(by, 'K', 'k'); d != 0 {
			t.Errorf("property %d: K and k differ by %g", i, d)
		}
		most := 0.0
		for _, r := range []byte(protein.Residues) {
			most = max(most, unlike(by, 'A', r), unlike(by, 'W', r), unlike(by, 'K', r))
		}
		if d := unlike(by, '1', 'A'); d >= most {
			t.Errorf("property %d: an unknown residue and A differ by %g, and residues by %g at most", i, d, most)
		}
	}
}

// From a wild type and variants that are all better, what is proposed first has the best mutations together. Further
// mutations that nothing is known about are not predicted to be better still.
func TestHits(t *testing.T) {
	const wildType = "MTYKLILNGKTLKGETTTEAVDAATAEK"
	variant := func(mutations ...string) string { // such as A20V
		x := []byte(wildType)
		for _, m := range mutations {
			at, err := strconv.Atoi(m[1 : len(m)-1])
			if err != nil || x[at-1] != m[0] {
				t.Fatalf("mutation %s", m)
			}
			x[at-1] = m[len(m)-1]
		}
		return string(x)
	}
	observed := func(score float64, mutations ...string) study.Observation {
		return study.Observation{X: variant(mutations...), Measurements: []study.Measurement{{Score: score}}}
	}
	init := []study.Observation{observed(1), observed(1.2, "A20V"), observed(1.4, "T25I"), observed(1.6, "N8M")}
	var known []string
	for _, o := range init {
		known = append(known, o.X)
	}
	space, err := protein.New(known, protein.Options{Reference: wildType})
	if err != nil {
		t.Fatal(err)
	}
	searcher, err := evolve.New(space, evolve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := study.New(t.Context(), study.Problem{Init: init}, searcher, study.Options{})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := s.Ask(t.Context(), 8)
	if err != nil {
		t.Fatal(err)
	}
	if want := variant("T25I", "N8M"); batch[0].X != want || batch[0].Mean < 1.6 {
		t.Errorf("%s with %g is proposed first, want %s, better than 1.6", batch[0].X, batch[0].Mean, want)
	}
	for _, p := range batch[1:] {
		if p.Mean > batch[0].Mean {
			t.Errorf("%s with %g is thought to be better than the best two mutations with %g", p.X, p.Mean, batch[0].Mean)
		}
	}
}

// noise returns a number of N(0, 1) that a string always has: oracles are called from several goroutines.
func noise(x string) float64 {
	h := fnv.New64a()
	h.Write([]byte(x))
	return rand.New(rand.NewPCG(h.Sum64(), 0)).NormFloat64()
}

// From a scan of single mutants, where few are better than the wild type, proposals combine the best ones, and more of
// them as these turn out well.
func TestScan(t *testing.T) {
	const wildType = "MTYKLILNGKTLKGETTTEAVDAATAEK"
	rng := rand.New(rand.NewPCG(4, 4))
	effects := map[[2]int]float64{} // of a residue at a position
	score := func(x string) (sum float64) {
		for _, i := range differences(x, wildType) {
			sum += effects[[2]int{i, int(x[i])}]
		}
		return sum + 0.05*noise(x)
	}
	init := []study.Observation{{X: wildType, Measurements: []study.Measurement{{Score: 0}}}}
	known := []string{wildType}
	for _, i := range []int{2, 3, 6, 9, 10, 13, 16, 20, 23, 26} {
		for k, residue := range protein.Residues {
			if byte(residue) == wildType[i] {
				continue
			}
			effect := -math.Abs(0.5 + 0.5*rng.NormFloat64())
			if k == i%20 {
				effect = 0.2 + 0.2*rng.Float64()
			}
			effects[[2]int{i, int(residue)}] = effect
			x := wildType[:i] + string(residue) + wildType[i+1:]
			known = append(known, x)
			init = append(init, study.Observation{X: x, Measurements: []study.Measurement{{Score: score(x)}}})
		}
	}
	space, err := protein.New(known, protein.Options{Reference: wildType})
	if err != nil {
		t.Fatal(err)
	}
	searcher, err := evolve.New(space, evolve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := study.New(t.Context(), study.Problem{Init: init, Oracle: oracle.Func(func(x string) oracle.Result { return oracle.Result{Score: score(x)} })}, searcher, study.Options{Budget: 24, Batch: 8})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	single, triple := 0.0, 0
	for i, trial := range s.Trials() {
		switch n := len(differences(trial.X, wildType)); {
		case i < len(init):
			single = max(single, trial.Score)
		case i < len(init)+8 && n == 3 && trial.Score > single:
			triple++
		}
	}
	best := s.Best()
	if n := len(differences(best.X, wildType)); triple < 6 || n < 6 || best.Score < 3*single {
		t.Errorf("%d of 8 are three mutations that are better than the best one, and the best string has %d: %g, that of one %g", triple, n, best.Score, single)
	}
}

// Of two mutations that are good alone and fail together a search learns that, although either is in strings that have
// a score.
func TestFailTogether(t *testing.T) {
	const wildType = "MTYKLILNGKTLKGETTTEAVDAATAEKVFKQYANDNGVD"
	sites := []int{2, 6, 10, 14, 18, 22, 26, 30, 34, 38}
	rng := rand.New(rand.NewPCG(8, 8))
	effect := map[int]float64{}
	for _, i := range sites {
		effect[i] = rng.NormFloat64() / 2
	}
	effect[6], effect[26] = 1, 1
	score := func(x string) oracle.Result {
		if x[6] == 'W' && x[26] == 'W' {
			return oracle.Result{Score: math.NaN(), Reason: "no expression"}
		}
		r := oracle.Result{Score: 0.05 * noise(x)}
		for _, i := range sites {
			if x[i] == 'W' {
				r.Score += effect[i]
			}
		}
		return r
	}
	var init []study.Observation
	var known []string
	for range 60 {
		x := []byte(wildType)
		for _, i := range sites {
			if rng.IntN(3) == 0 {
				x[i] = 'W'
			}
		}
		if !slices.Contains(known, string(x)) {
			known, init = append(known, string(x)), append(init, study.Observation{X: string(x)})
		}
	}
	space, err := protein.New(known, protein.Options{Reference: wildType, Positions: sites})
	if err != nil {
		t.Fatal(err)
	}
	searcher, err := evolve.New(space, evolve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := study.New(t.Context(), study.Problem{Init: init, Oracle: oracle.Func(score)}, searcher, study.Options{Budget: len(init) + 24, Batch: 8})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	given, failed := 0, 0
	for i, trial := range s.Trials() {
		switch {
		case trial.State != study.Failed:
		case i < len(init):
			given++
		default:
			failed++
		}
	}
	if given < 3 || failed > 12 {
		t.Errorf("of the initial strings %d failed, and of 24 proposals %d", given, failed)
	}
}
