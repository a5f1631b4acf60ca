package task

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/space/protein"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/vae/sequence"
)

// Proposals of lists have items of the data, each where it may be; others are read.
func TestLists(t *testing.T) {
	for _, test := range []struct {
		name, alphabet string
		xs             []string
	}{
		{"settings", "", []string{"lr=0.1,opt=adam", "lr=0.1,opt=sgd", "lr=0.3,opt=adam"}},
		{"settings with blanks", "", []string{"lr=0.1, opt=adam", "lr=0.1, opt=sgd", "lr=0.3, opt=adam"}},
		{"words", "", []string{"conv3 pool relu", "conv5 relu pool", "conv3 conv3 relu", "pool relu conv5"}},
		{"lists of several lengths", "", []string{"a;b", "b;a;c", "c;a"}},
		{"words of an alphabet", "conv3 conv5 pool", []string{"conv3 pool", "conv5"}},
		{"settings of an alphabet, with a value that did not occur", "lr=0.1 lr=0.3 opt=adam opt=sgd opt=rms", []string{"lr=0.1,opt=adam", "lr=0.1,opt=sgd", "lr=0.3,opt=adam"}},
		{"an alphabet with a symbol of no position", "a b c d e", []string{"a,b", "c,d"}},
		{"one string without the separator", "", []string{"a,b", "b,a", "a"}},
		{"JSON", "", []string{`{"T": 25, "pH": 7}`, `{"T": 30, "pH": 7}`, `{"T": 25, "pH": 8}`}},
		{"brackets", "", []string{"[fU][mC]", "[mU][mC]", "[mU][fC]"}},
		{"nested", "", []string{"LNP(lipidA(60), DOPE)", "LNP(lipidB(60), DOPE)", "LNP(lipidB(60), DSPC)"}},
		{"HELM", "", []string{"PEPTIDE1{A.[meA].K}$$$$", "PEPTIDE1{A.K.K}$$$$", "PEPTIDE1{[meA].A.K}$$$$"}},
		{"a ring", "", []string{"ring[-unit1-unit2-unit3-]", "ring[-unit3-unit1-unit2-]", "ring[-unit1-unit1-unit3-]"}},
	} {
		given := alphabetOf(t, test.alphabet)
		l, ok := listsOf(given, test.xs)
		if !ok {
			t.Fatalf("%s: no lists", test.name)
		}
		var init []study.Observation
		for _, x := range test.xs {
			init = append(init, study.Observation{X: x})
		}
		space, err := ownSpace(Options{Alphabet: test.alphabet}, given, Design{Init: init})
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		items := map[string]bool{}
		for _, x := range test.xs {
			for _, item := range l.Split(x) {
				items[item] = true
			}
		}
		if given != nil {
			for _, s := range given.Symbols() {
				items[s] = true
			}
		}
		made := 0
		for _, op := range space.Operators {
			children, err := op.Make(t.Context(), slices.Repeat([][2]string{{test.xs[0], test.xs[1]}}, 100), rand.New(rand.NewPCG(1, 0)))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range children {
				if c.X == "" {
					continue
				}
				d, err := space.Read(c.X)
				if err != nil {
					t.Errorf("%s: %s makes %q: %v", test.name, op.Name, c.X, err)
				}
				for i, item := range l.Split(c.X) {
					if !items[item] {
						t.Errorf("%s: %s makes %q, with an item of no string", test.name, op.Name, c.X)
					}
					if !d.Infeasible && l.Settings != nil && !l.Settings[i].Has(item) {
						t.Errorf("%s: %s makes %q, with the value of another setting", test.name, op.Name, c.X)
					}
				}
				if !d.Infeasible {
					made++
				}
			}
		}
		if made == 0 {
			t.Errorf("%s: nothing was made that may be proposed", test.name)
		}
		if given == nil {
			items := l.Split(test.xs[0]) // a value that did not occur is read, since it may be measured
			items[0] += "9"
			other := l.Join(items)
			if _, err := space.Read(other); err != nil {
				t.Errorf("%s: %q: %v", test.name, other, err)
			}
		}
	}
}

func alphabetOf(t *testing.T, text string) *sequence.Alphabet {
	t.Helper()
	if text == "" {
		return nil
	}
	a, err := readAlphabet(text)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Proposals have at each position what the data leave there, and items as often as the data.
func TestWhatListsLeave(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	const guide = "UUCAGCAUCUAC"
	var genes, pattern, overhang, library, sites, steps []string
	for range 40 {
		order := rng.Perm(3)
		gene := func(i int) string { return []string{"crtE", "crtB", "crtI"}[order[i]] }
		genes = append(genes, strings.Join([]string{pick("J23100", "J23106"), gene(0), pick("B0030", "B0034"), gene(1), pick("B0030", "B0034"), gene(2), pick("T7t", "B0015")}, "|"))
		var bases []string
		for i := range guide {
			bases = append(bases, pick("m", "f")+guide[i:i+1])
		}
		pattern = append(pattern, strings.Join(bases, " "))
		random := ""
		for range 12 {
			random += pick("A", "C", "G", "U")
		}
		overhang = append(overhang, random+"TT")
		library = append(library, pick("V", "A")+pick("I", "L")+pick("D", "E")+pick("K", "R")+pick("F", "Y")+pick("Q", "N")+pick("S", "T"))
		residue := func() string { return protein.Residues[rng.IntN(20):][:1] }
		sites = append(sites, strings.Join([]string{residue(), residue(), residue(), residue()}, "/"))
		of := []string{"mix", "heat", "spin", "wash", "cool"}
		rng.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		steps = append(steps, strings.Join(of[:3+rng.IntN(3)], " > "))
	}
	for _, test := range []struct {
		name string
		xs   []string
		want func(x string) bool
	}{
		{"an operon has each gene once", genes, func(x string) bool {
			return strings.Count(x, "crtE") == 1 && strings.Count(x, "crtB") == 1 && strings.Count(x, "crtI") == 1 && strings.HasPrefix(x, "J231") && !strings.Contains(x[1:], "J")
		}},
		{"a guide keeps its bases", pattern, func(x string) bool { return strings.NewReplacer("m", "", "f", "", " ", "").Replace(x) == guide }},
		{"an overhang stays", overhang, func(x string) bool { return strings.Index(x, "T") == 12 && strings.HasSuffix(x, "TT") }},
		{"sites with slashes stay apart", sites, func(x string) bool { return len(strings.Split(x, "/")) == 4 && len(x) == 7 }},
		{"a library has its residues", library, func(x string) bool {
			return strings.Contains("VA", x[:1]) && strings.Contains("IL", x[1:2]) && strings.Contains("DE", x[2:3]) && strings.Contains("ST", x[6:])
		}},
		{"a step is done once", steps, func(x string) bool {
			all := strings.Split(x, " > ")
			return len(inOrder(all)) == len(all)
		}},
	} {
		var init []study.Observation
		for _, x := range test.xs {
			init = append(init, study.Observation{X: x})
		}
		space, err := ownSpace(Options{}, nil, Design{Init: init})
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		made := map[string]bool{}
		for _, op := range space.Operators {
			var pairs [][2]string
			for range 200 {
				pairs = append(pairs, [2]string{test.xs[rng.IntN(len(test.xs))], test.xs[rng.IntN(len(test.xs))]})
			}
			children, err := op.Make(t.Context(), pairs, rng)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range children {
				if c.X == "" || slices.Contains(test.xs, c.X) {
					continue
				}
				if d, err := space.Read(c.X); err != nil {
					t.Errorf("%s: %s makes %q: %v", test.name, op.Name, c.X, err)
				} else if !d.Infeasible {
					if made[c.X] = true; !test.want(c.X) {
						t.Errorf("%s: %s makes %q", test.name, op.Name, c.X)
					}
				}
			}
		}
		if len(made) < 20 {
			t.Errorf("%s: only %d new strings", test.name, len(made))
		}
	}
}

// HELM has at each position the monomers that it has there in the data, and those of an alphabet that are in none. A string of other chains is named.
func TestHELM(t *testing.T) {
	xs := []string{
		"PEPTIDE1{H.A.E.G.E.T.F}$$$$", "PEPTIDE1{H.A.E.G.E.T.Y}$$$$", "PEPTIDE1{H.G.E.G.R.T.Y}$$$$", "PEPTIDE1{H.[Aib].E.G.E.T.F}$$$$",
		"PEPTIDE1{H.[Aib].E.G.E.T.W}$$$$", "PEPTIDE1{H.[Aib].E.G.K.T.W}$$$$", "PEPTIDE1{H.[Aib].E.G.K.T.Y}$$$$", "PEPTIDE1{H.[Aib].E.G.Q.T.F}$$$$",
	}
	rng := rand.New(rand.NewPCG(6, 6))
	for alphabet, last := range map[string]string{"": "FWY", "H A G E R K Q T F W Y N [Aib]": "FWYN"} {
		var init []study.Observation
		for _, x := range xs {
			init = append(init, study.Observation{X: x})
		}
		space, err := ownSpace(Options{Alphabet: alphabet}, alphabetOf(t, alphabet), Design{Init: init})
		if err != nil {
			t.Fatal(err)
		}
		made := 0
		for _, op := range space.Operators {
			children, err := op.Make(t.Context(), slices.Repeat([][2]string{{xs[0], xs[5]}, {xs[2], xs[7]}}, 100), rng)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range children {
				monomers := strings.Split(strings.TrimSuffix(strings.TrimPrefix(c.X, "PEPTIDE1{"), "}$$$$"), ".")
				if c.X == "" {
					continue
				}
				if made++; !strings.Contains(last, monomers[6]) {
					t.Errorf("with the alphabet %q %s is made", alphabet, c.X)
				}
			}
		}
		if made == 0 {
			t.Errorf("with the alphabet %q nothing is made", alphabet)
		}
	}
	const ring = "PEPTIDE1{C.A.E.G.T.F.C}$PEPTIDE1,PEPTIDE1,1:R3-7:R3$$$"
	_, err := ownSpace(Options{}, nil, Design{Init: []study.Observation{{X: xs[0]}, {X: xs[1]}, {X: xs[2]}, {X: ring}}})
	if err == nil || !strings.HasPrefix(err.Error(), ring) {
		t.Errorf("beside a ring: %v", err)
	}
}
