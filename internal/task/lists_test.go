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

// HELM has at each position the monomers that it has there in the data, and those of an alphabet that are in none. A
// string of other chains is named.
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

// reactions returns lists of a ligand, a base, a solvent and a temperature, with scores.
func reactions(separator string) (init []study.Observation) {
	rng := rand.New(rand.NewPCG(4, 4))
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	for range 40 {
		x := strings.Join([]string{pick("XPhos", "SPhos", "PPh3", "dppf"), pick("Cs2CO3", "K3PO4", "DBU"), pick("toluene", "MeCN", "DMF", "dioxane"), pick("60 C", "80 C", "100 C")}, separator)
		init = append(init, study.Observation{X: x, Measurements: []study.Measurement{{Score: rng.Float64()}}})
	}
	return init
}

// proposed returns what operators make of strings that may be proposed.
func proposed(t *testing.T, space Space, xs []string) (made []string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 5))
	for _, op := range space.Operators {
		var pairs [][2]string
		for range 300 {
			pairs = append(pairs, [2]string{xs[rng.IntN(len(xs))], xs[rng.IntN(len(xs))]})
		}
		children, err := op.Make(t.Context(), pairs, rng)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range children {
			if d, err := space.Read(c.X); c.X != "" && err == nil && !d.Infeasible && (space.Compares == nil || space.Compares(c.X)) {
				made = append(made, c.X)
			}
		}
	}
	return made
}

// A set of one item, such as a control without additives, teaches the search, and its item joins no others.
func TestSetOfOneItem(t *testing.T) {
	init := []study.Observation{{X: "none", Measurements: []study.Measurement{{Score: 9}}}}
	rng := rand.New(rand.NewPCG(4, 4))
	for range 30 {
		all := []string{"glycerol", "DMSO", "MgCl2", "NaCl", "Tween20"}
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		init = append(init, study.Observation{X: strings.Join(all[:2+rng.IntN(3)], "; "), Measurements: []study.Measurement{{Score: rng.Float64()}}})
	}
	space, err := ownSpace(Options{}, nil, Design{Init: init})
	if err != nil {
		t.Fatal(err)
	}
	if !space.Compares("none") {
		t.Errorf("none is set apart: %s", space.Why("none"))
	}
	made := proposed(t, space, Design{Init: init}.Strings())
	for _, x := range made {
		if strings.Contains(x, "none;") || strings.Contains(x, "; none") {
			t.Errorf("%q is made", x)
		}
	}
	if len(made) == 0 {
		t.Error("nothing is made")
	}
}

// Proposals have no item where the data have none, and nowhere else.
func TestEmptyItems(t *testing.T) {
	init := reactions(" | ")
	for i := range init {
		if i%4 == 0 {
			items := strings.Split(init[i].X, " | ")
			items[1] = ""
			init[i].X = strings.Join(items, " | ")
		}
	}
	space, err := ownSpace(Options{}, nil, Design{Init: init})
	if err != nil {
		t.Fatal(err)
	}
	empty := 0
	for _, x := range proposed(t, space, Design{Init: init}.Strings()) {
		for i, item := range strings.Split(x, " | ") {
			if item == "" && i == 1 {
				empty++
			} else if item == "" {
				t.Errorf("%q is made", x)
			}
		}
	}
	if empty == 0 {
		t.Error("no proposal has an empty item")
	}
}

// A string of another structure, even the best, is set apart, and proposals are those without it.
func TestOddListIsApart(t *testing.T) {
	for _, odd := range []string{"unknown", "Cs2CO3 | DMF | 60 C", "XPhos | Cs2CO3 | DMF | 60 C | 1 h", "XPhos; Cs2CO3; DMF; 60 C"} {
		init := reactions(" | ")
		xs := Design{Init: init}.Strings()
		init = append(init, study.Observation{X: odd, Measurements: []study.Measurement{{Score: 9}}})
		space, err := ownSpace(Options{}, nil, Design{Init: init})
		if err != nil {
			t.Fatal(err)
		}
		if space.Compares(odd) || space.Why(odd) == "" || !strings.Contains(space.Notes.String(), "another structure") {
			t.Errorf("%q is not set apart: %s", odd, space.Notes)
		}
		made := proposed(t, space, xs)
		for _, x := range made {
			if items := strings.Split(x, " | "); len(items) != 4 || !strings.Contains("XPhos SPhos PPh3 dppf", items[0]) || !strings.HasSuffix(items[3], "0 C") {
				t.Errorf("beside %q %q is made", odd, x)
			}
		}
		if len(made) == 0 {
			t.Errorf("beside %q nothing is made", odd)
		}
	}
}

// An alphabet adds items to lists, each where its number, its key or its unit says.
func TestAlphabetAddsItems(t *testing.T) {
	for _, test := range []struct {
		separator, alphabet string
		wants               map[string]int // items by their positions
		err                 string
	}{
		{"|", "1:DavePhos", map[string]int{"DavePhos": 0}, ""},
		{" | ", "1:DavePhos, 120 C", map[string]int{"DavePhos": 0, "120 C": 3}, ""},
		{"|", `2:"K2CO3" "120 C"`, map[string]int{"K2CO3": 1, "120 C": 3}, ""},
		{"|", "120 C", map[string]int{"120 C": 3}, ""},
		{" | ", "4:120 C", map[string]int{"120 C": 3}, ""},
		{"|", "1:DavePhos 4:120 C", map[string]int{"DavePhos": 0, "120 C": 3}, ""},
		{"|", "3:tert-amyl alcohol", map[string]int{"tert-amyl alcohol": 2}, ""},
		{" | ", `"120 C" 3:THF`, map[string]int{"120 C": 3, "THF": 2}, ""},
		{"|", "XPhos,SPhos,PPh3,dppf,Cs2CO3,K3PO4,DBU,toluene,MeCN,DMF,dioxane,60 C,80 C,100 C,120 C,|", map[string]int{"120 C": 3}, ""},
		{"|", "2:XPhos", map[string]int{"XPhos": 1}, ""},
		{"|", "XPhos,DavePhos", nil, "say at which of the 4 positions DavePhos may stand"},
		{"|", "5:DavePhos", nil, "lists have 4 items"},
		{"|", "1:A|B", nil, "several items"},
	} {
		if _, err := readAlphabet(test.alphabet); err != nil && !mayBeItems(test.alphabet) {
			t.Fatal(err)
		}
		given, _ := readAlphabet(test.alphabet)
		init := reactions(test.separator)
		space, err := ownSpace(Options{Alphabet: test.alphabet}, given, Design{Init: init})
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: %v, want %s", test.alphabet, err, test.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.alphabet, err)
			continue
		}
		seen := map[string]bool{}
		for _, x := range proposed(t, space, Design{Init: init}.Strings()) {
			for i, item := range strings.Split(x, test.separator) {
				if at, ok := test.wants[item]; ok && at == i {
					seen[item] = true
				} else if ok && item != "XPhos" {
					t.Errorf("%s: %q is made", test.alphabet, x)
				}
			}
		}
		if len(seen) != len(test.wants) {
			t.Errorf("%s: proposals have %v", test.alphabet, seen)
		}
	}
}

// Items that differ in case alone are different ones, and a table says how many strings have each.
func TestCasedItems(t *testing.T) {
	xs := []string{"KRAS/EGFR/HEK", "TP53/EGFR/HEK", "KRAS/BRCA1/CHO", "KRAS/BRCA1/HEK", "TP53/EGFR/CHO", "Kras/EGFR/HEK", "Kras/EGFR/HEK"}
	spell, notes, err := Alike("", nil)(xs)
	if err != nil {
		t.Fatal(err)
	}
	if s := spell("Kras/EGFR/HEK"); s.Text != "Kras/EGFR/HEK" || s.Folded != spell("KRAS/EGFR/HEK").Folded {
		t.Errorf("Kras is %q", s)
	}
	if len(notes) != 1 || !strings.HasSuffix(notes[0], ": KRAS (3) and Kras (2)") {
		t.Errorf("notes are %q", notes)
	}
	_, notes, _ = Alike("", xs[:5])([]string{"kras/EGFR/HEK", "KRAS/EGFR/HEK"})
	if len(notes) != 1 || !strings.HasSuffix(notes[0], ": KRAS (4) and kras (1)") {
		t.Errorf("beside known strings notes are %q", notes)
	}
	if _, notes, _ = Alike("", xs)([]string{"Kras/EGFR/HEK", "KRAS/EGFR/HEK"}); notes != nil {
		t.Errorf("of known strings notes are %q", notes)
	}
}

// Rows of a table with items that the alphabet lacks are read, and those over no alphabet of characters refused.
func TestAlike(t *testing.T) {
	list := []string{"XPhos|DBU|60 C", "XPhos|Et3N|60 C", "SPhos|DBU|80 C", "SPhos|Et3N|80 C"}
	for _, test := range []struct {
		alphabet string
		known    []string
		texts    []string
		x, want  string
		refused  bool
	}{
		{"", nil, list, "XPhos | DBU | 60 C", "XPhos|DBU|60 C", false},
		{"", list, nil, "xphos | dbu | 60 C", "xphos|dbu|60 C", false},
		{"", list, nil, "unknown", "unknown", false},
		{"1:DavePhos", nil, list, "XPhos |DBU|60 C", "XPhos|DBU|60 C", false},
		{"abc", nil, []string{"abc", "cab", "cba"}, "abd", "abd", true},
		{"Ala Gly", nil, []string{"Ala Gly", "Gly Gly", "Gly Ala"}, "Gly Trp", "Gly Trp", true},
		{"", nil, []string{"x + y", "x - y", "x+y"}, "x+ y", "x+ y", false},
		{"", nil, []string{"Ac-Ala-Gly-NH2", "Ac-Gly-Gly-NH2", "Ac-Gly-Ala-NH2"}, "Ac-ala-Gly-NH2", "Ac-ala-Gly-NH2", false},
		{"", nil, []string{"Ala,Gly,Trp", "Gly,Gly,Trp", "Gly,Ala,Trp"}, "ala,Gly,Trp", "ala,Gly,Trp", false},
	} {
		spell, _, err := Alike(test.alphabet, test.known)(test.texts)
		if err != nil {
			t.Fatal(err)
		}
		if s := spell(test.x); s.Text != test.want || (s.Err != nil) != test.refused {
			t.Errorf("with the alphabet %q %q is written %q: %v", test.alphabet, test.x, s.Text, s.Err)
		}
	}
}
