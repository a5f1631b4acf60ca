package task

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/space/observed"
	"github.com/invbo/invbo/study"
)

func TestReadAlphabet(t *testing.T) {
	for text, want := range map[string][]string{
		"ACGT": {"A", "C", "G", "T"}, "().[]": {"(", ")", ".", "[", "]"}, "αβ": {"α", "β"},
		"Ala Gly,Cys": {"Ala", "Gly", "Cys"}, " [C] [=O]\n": {"[C]", "[=O]"}, "Ala,": {"Ala"},
	} {
		if a, err := readAlphabet(text); err != nil || !slices.Equal(a.Symbols(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for text, want := range map[string]string{
		" , ": "no token", "ACA": `"A" is repeated`, "Ala,Ala": `"Ala" is repeated`, "A AC": `"AC" of the alphabet begins with symbol "A"`,
	} {
		if _, err := readAlphabet(text); !usage.Is(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// The tokens of a search are those that are given, or those of the initial strings, and strings of one length keep it.
func TestStringsSpace(t *testing.T) {
	for _, test := range []struct {
		name, alphabet string
		init           []string
		tokens         string // that children consist of
		fixed          bool
	}{
		{"of the strings", "", []string{"ABBA", "CABB"}, "ABC", true},
		{"given", "ABCD", []string{"ABBA", "BAB"}, "ABCD", false},
	} {
		p, err := buildStrings(t.Context(), Task{}, Options{External: External{OracleCmd: "true"}, Alphabet: test.alphabet})
		if err != nil {
			t.Fatal(err)
		}
		var init []study.Observation
		for _, x := range test.init {
			init = append(init, study.Observation{X: x})
		}
		space, err := p.Space(Design{Init: init})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 0))
		seen, lengths := map[rune]bool{}, map[int]bool{}
		for _, op := range space.Operators {
			children, err := op.Make(t.Context(), slices.Repeat([][2]string{{test.init[0], test.init[1]}}, 50), rng)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range children {
				x := c.X
				for _, r := range x {
					seen[r] = true
				}
				if x == "" {
					continue
				}
				lengths[len(x)] = true
				if _, err := space.Read(x); err != nil {
					t.Errorf("%s: %s made %q: %v", test.name, op.Name, x, err)
				}
			}
		}
		if len(seen) != len(test.tokens) || strings.ContainsFunc(test.tokens, func(r rune) bool { return !seen[r] }) || (len(lengths) == 1) != test.fixed {
			t.Errorf("%s: tokens %v of lengths %v, want %s of one length: %t", test.name, seen, lengths, test.tokens, test.fixed)
		}
	}
}

// Where all strings have balanced brackets, proposals have.
func TestBalancedBrackets(t *testing.T) {
	for _, test := range []struct {
		xs    []string
		keeps bool
	}{
		{[]string{"sin(x)", "x*(x+y)", "x", "exp(x)*(y)"}, true},
		{[]string{"((..))", ".((..)).", "(((...)))"}, true},
		{[]string{"sin(x)", "x*(x", "(x)"}, false},
		{[]string{"x+y", "x*y", "(x)"}, false},
	} {
		d := Design{}
		for _, x := range test.xs {
			d.Init = append(d.Init, study.Observation{X: x})
		}
		space, err := ownSpace(Options{}, nil, d)
		if err != nil {
			t.Fatal(err)
		}
		if read, err := space.Read("(x"); err == nil && read.Infeasible != test.keeps {
			t.Errorf("beside %q, (x is infeasible: %t", test.xs, read.Infeasible)
		}
		unbalanced, made, rng := 0, 0, rand.New(rand.NewPCG(1, 1))
		for _, op := range space.Operators {
			children, err := op.Make(t.Context(), slices.Repeat([][2]string{{test.xs[0], test.xs[1]}}, 200), rng)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range children {
				if d, err := space.Read(c.X); c.X != "" && err == nil && !d.Infeasible {
					made++
					if !observed.Balanced(c.X) {
						unbalanced++
					}
				}
			}
		}
		if made < 20 || test.keeps != (unbalanced == 0) {
			t.Errorf("beside %q %d of %d children are unbalanced", test.xs, unbalanced, made)
		}
	}
}

// Sequences of different lengths that are variants of each other differ in proposals only where they do in the data;
// loops between common ends are free.
func TestVariantsOfDifferentLengths(t *testing.T) {
	const wild = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKV"
	variant := func(at int, by string, insert string) string {
		return wild[:at] + by + wild[at+1:30] + insert + wild[30:]
	}
	for _, test := range []struct {
		name string
		xs   []string
		kept bool
	}{
		{"variants", []string{wild, variant(5, "V", "GGS"), variant(10, "L", ""), variant(12, "Y", "GGS"), variant(5, "L", "GGSGGS")}, true},
		{"loops", []string{"CARDYGFDY", "CARWWGGSSLFDY", "CTRPPLKMNEFDY", "CARAAAFDY", "CAKLLIVHGFDY"}, false},
		{"one length", []string{wild, variant(5, "V", ""), variant(10, "L", "")}, false},
	} {
		d := Design{Sequences: bioseq.Protein}
		for _, x := range test.xs {
			d.Init = append(d.Init, study.Observation{X: x})
		}
		space, err := ownSpace(Options{}, nil, d)
		if err != nil {
			t.Fatal(err)
		}
		kept := strings.Contains(fmt.Sprint(space.Notes), "variants of different lengths")
		if kept != test.kept {
			t.Errorf("%s are variants of different lengths: %t", test.name, kept)
		}
		if !kept {
			continue
		}
		rng := rand.New(rand.NewPCG(1, 1))
		for _, op := range space.Operators {
			children, err := op.Make(t.Context(), slices.Repeat([][2]string{{test.xs[1], test.xs[4]}, {test.xs[3], test.xs[0]}}, 100), rng)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range children {
				bare := strings.ReplaceAll(c.X, "GGS", "")
				if c.X != "" && (len(bare) != len(wild) || bare[13:] != wild[13:]) {
					t.Errorf("%s made %s", op.Name, c.X)
				}
			}
		}
	}
}

// A linker of a few residues gets no others.
func TestLettersOfLinkers(t *testing.T) {
	const before, after = "MKTAYIAKQRQISFVKSHF", "WDVQMTQSPSSLSASVGDR"
	units := []string{"GGGGS", "EAAAK", "GGS", "PAPAP"}
	rng := rand.New(rand.NewPCG(6, 6))
	d := Design{Sequences: bioseq.Protein}
	for range 40 {
		linker := ""
		for range 1 + rng.IntN(5) {
			linker += units[rng.IntN(len(units))]
		}
		d.Init = append(d.Init, study.Observation{X: before + linker + after})
	}
	space, err := ownSpace(Options{}, nil, d)
	if err != nil {
		t.Fatal(err)
	}
	xs, made := d.Strings(), 0
	for _, op := range space.Operators {
		children, err := op.Make(t.Context(), slices.Repeat([][2]string{{xs[0], xs[1]}, {xs[2], xs[3]}}, 100), rng)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range children {
			if c.X == "" {
				continue
			}
			made++
			middle := strings.TrimSuffix(strings.TrimPrefix(c.X, before), after)
			if len(middle) != len(c.X)-len(before)-len(after) || strings.Trim(middle, "GSEAKP") != "" {
				t.Errorf("%s makes the linker %s", op.Name, middle)
			}
		}
	}
	if made < 100 {
		t.Errorf("only %d children", made)
	}
	if err := space.Check(before + "WWW" + after); err != nil {
		t.Errorf("another linker cannot be measured: %v", err)
	}
}

// A few mutations that are for the better are combined, whether the wild type was measured or not, and others are not
// tried before.
func TestHitsAreCombined(t *testing.T) {
	const wild = "MKTAYIAKQRQISFVKSHFS"
	variant := func(score float64, mutations ...string) study.Observation {
		x := []byte(wild)
		for _, m := range mutations {
			x[m[0]-'a'] = m[1]
		}
		return study.Observation{X: string(x), Measurements: []study.Measurement{{Score: score}}}
	}
	hits := []study.Observation{variant(2, "bW"), variant(1.5, "eL"), variant(1.4, "hD"), variant(1.3, "kG"), variant(1.2, "oT")}
	for _, test := range []struct {
		name  string
		init  []study.Observation
		o     SequenceOptions
		known int
		want  bool
	}{
		{"without the wild type", hits, SequenceOptions{WildType: wild}, 0, true},
		{"with it", append(slices.Clone(hits), variant(1)), SequenceOptions{WildType: wild}, 0, true},
		{"most for the worse", append(slices.Clone(hits), variant(1.7)), SequenceOptions{WildType: wild}, 0, false},
		{"most combinations are known", hits, SequenceOptions{WildType: wild}, 20, false},
		{"positions are given", hits, SequenceOptions{WildType: wild, Positions: Positions{2, 5}}, 0, false},
	} {
		space, err := ownSpace(Options{SequenceOptions: test.o}, nil, Design{Init: test.init, Sequences: bioseq.Protein, Total: test.known})
		if err != nil {
			t.Fatal(err)
		}
		goesOn := Design{Sequences: bioseq.Protein, Total: test.known, Scores: map[string]float64{}} // as from its file
		for _, o := range test.init {
			goesOn.Init = append(goesOn.Init, study.Observation{X: o.X})
			goesOn.Scores[o.X] = o.Value(false)
		}
		again, err := ownSpace(Options{SequenceOptions: test.o}, nil, goesOn)
		if err != nil || fmt.Sprint(again.Notes) != fmt.Sprint(space.Notes) {
			t.Errorf("%s: a study that goes on has the notes %v, %v; want %v", test.name, again.Notes, err, space.Notes)
		}
		if got := strings.Contains(fmt.Sprint(space.Notes), "proposals combine these"); got != test.want {
			t.Errorf("%s: mutations are combined: %t", test.name, got)
		}
		if assumed := space.Reference != ""; test.want && test.name == "without the wild type" && assumed {
			t.Errorf("%s: the wild type is assumed to be good", test.name)
		}
		others := 0
		rng := rand.New(rand.NewPCG(1, 1))
		for _, op := range space.Operators {
			children, err := op.Make(t.Context(), slices.Repeat([][2]string{{test.init[0].X, test.init[1].X}}, 100), rng)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range children {
				for i := range len(c.X) {
					if c.X[i] != wild[i] && !slices.ContainsFunc(hits, func(o study.Observation) bool { return o.X[i] == c.X[i] }) {
						others++
					}
				}
			}
		}
		if (others == 0) != test.want {
			t.Errorf("%s: %d other mutations", test.name, others)
		}
	}
}

// Where the best sequences have other lengths than most, lengths vary.
func TestBestOfAnotherLength(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	var d Design
	for i := range 40 {
		x := ""
		for range 20 + i%5/3*2 { // two in five have 22 letters
			x += string("ACGT"[rng.IntN(4)])
		}
		d.Init = append(d.Init, study.Observation{X: x, Measurements: []study.Measurement{{Score: float64(len(x)) + rng.Float64()}}})
	}
	d.Sequences = bioseq.DNA
	for minimize, want := range map[bool]bool{false: false, true: true} {
		space, err := ownSpace(Options{Minimize: minimize}, nil, d)
		if err != nil {
			t.Fatal(err)
		}
		if space.Aligned != want {
			t.Errorf("minimized %t: aligned %t, want %t", minimize, space.Aligned, want)
		}
	}
}

// Of windows of a target others are proposed, and of sequences that are alike only where parts of them are moved, such
// as circular permutants, single ones with few other letters.
func TestMovedSequences(t *testing.T) {
	const gene = "GATTGGTTATAAAGTAGTCCGTCAGAGCCACGAGTGAGGCTATGGCGGATGTGCACTTGCTACAAGTTGAGTGACCGTCC"
	const protein = "MTYKLILNGKTLKGETTTEAVDAATAEKVFKQYANDNGVDGEWTYDDATKTFTVTE"
	var walk, permuted []string
	for at := 0; at+20 <= len(gene); at += 6 {
		walk = append(walk, gene[at:at+20])
	}
	for at := 0; at < len(protein); at += 5 {
		permuted = append(permuted, protein[at:]+protein[:at])
	}
	d := designOf(walk)
	d.Sequences = bioseq.DNA
	space, err := ownSpace(Options{}, nil, d)
	if err != nil {
		t.Fatal(err)
	}
	if n := 5 * (len(walk) - 1); len(space.Only) != n || slices.ContainsFunc(space.Only, func(x string) bool { return !strings.Contains(gene, x) }) {
		t.Errorf("of a walk %d are proposed, want %d: %q", len(space.Only), n, space.Only)
	}
	d.Pool = []string{gene[1:21]}
	if space, err = ownSpace(Options{}, nil, d); err != nil || space.Only != nil {
		t.Errorf("with a pool others are proposed: %q, %v", space.Only, err)
	}
	if space.Aligned {
		t.Error("with a pool windows are compared by position")
	}
	var all []string
	for at := 0; at+20 <= len(gene); at++ {
		all = append(all, gene[at:at+20])
	}
	d = designOf(all)
	d.Sequences = bioseq.DNA
	if space, err := ownSpace(Options{}, nil, d); err != nil || !strings.Contains(fmt.Sprint(space.Notes), "no longer match") {
		t.Errorf("where all windows are known: %v, %v", space.Notes, err)
	}
	d = designOf(permuted)
	d.Sequences = bioseq.Protein
	if space, err = ownSpace(Options{}, nil, d); err != nil {
		t.Fatal(err)
	}
	some := childrenOf(t, space, permuted)
	if len(some) == 0 {
		t.Error("no sequence has a child")
	}
	for _, x := range some {
		if farFrom(permuted, x) {
			t.Errorf("%s is made", x)
		}
	}
}

// Where a fifth of variants have another length than the rest, all of them count, and positions do not.
func TestManyOtherLengths(t *testing.T) {
	const x = "MTYKLILNGKTLKGETTTEAVDAATAEKVFKQYANDNGVDGEWTYDDATKTFTVTE"
	variants := func(others int) (all []string) {
		for i := range 20 {
			y := []byte(x)
			y[5+2*i] = 'W'
			if i < others {
				y = slices.Delete(y, 30, 32)
			}
			all = append(all, string(y))
		}
		return all
	}
	for others, want := range map[int]bool{0: true, 3: true, 4: false} {
		d := designOf(variants(others))
		d.Sequences = bioseq.Protein
		if space, err := ownSpace(Options{}, nil, d); err != nil || space.Aligned != want {
			t.Errorf("%d of 20 have another length: aligned %t, %v", others, space.Aligned, err)
		}
	}
}

// Blocks with the same few variants have their places, though sequences are alike where these are moved; and variants
// with a tag at either end, or at none, are those of several lengths.
func TestNotMovedSequences(t *testing.T) {
	const protein = "MTYKLILNGKTLKGETTTEAVDAATAEKVFKQYANDNGVDGEWTYDDATKTFTVTE"
	rng := rand.New(rand.NewPCG(2, 2))
	var blocks, tagged []string
	for i := range 24 {
		x := "ACGTTGCA"
		for range 6 {
			x += [2]string{"TTGACATT", "GGAATTCC"}[rng.IntN(2)]
		}
		y := []byte(protein)
		y[10+i] = 'W'
		blocks = append(blocks, x+"TTACG")
		tagged = append(tagged, [2]string{"", "MHHHHHHG"}[i%2]+string(y)+[2]string{"", "GSHHHHHH"}[i/2%2])
	}
	d := designOf(blocks)
	d.Sequences = bioseq.DNA
	if space, err := ownSpace(Options{}, nil, d); err != nil || !space.Aligned {
		t.Errorf("blocks are not aligned (%v)", err)
	}
	d = designOf(tagged)
	d.Sequences = bioseq.Protein
	space, err := ownSpace(Options{}, nil, d)
	if err != nil {
		t.Fatal(err)
	}
	lengths := map[int]bool{}
	for _, x := range childrenOf(t, space, tagged) {
		lengths[len(x)] = true
	}
	if n := len(protein); space.Aligned || !lengths[n] || !lengths[n+8] || !lengths[n+16] {
		t.Errorf("children of variants with tags have the lengths %v", lengths)
	}
}
