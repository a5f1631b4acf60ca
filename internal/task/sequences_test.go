package task

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/space/protein"
	"github.com/invbo/invbo/study"
)

func TestPositions(t *testing.T) {
	for text, want := range map[string]struct {
		at      Positions
		written string
	}{
		"39,40,41,54": {Positions{39, 40, 41, 54}, "39-41,54"},
		"10-12, 11":   {Positions{10, 11, 12}, "10-12"},
		"-1,3":        {Positions{-1, 3}, "-1,3"},
		"-2--1":       {Positions{-2, -1}, "-2--1"},
		"4..6":        {Positions{4, 5, 6}, "4-6"},
	} {
		var p, again Positions
		if err := p.Set(text); err != nil || !reflect.DeepEqual(p, want.at) || p.String() != want.written {
			t.Errorf("%q: %v, written %q, error %v; want %v, %q", text, []int(p), p, err, []int(want.at), want.written)
		}
		if err := again.Set(p.String()); err != nil || !reflect.DeepEqual(again, p) {
			t.Errorf("%q is read back as %v, error %v", p, again, err)
		}
	}
	for _, text := range []string{"", "a", "5-", "7-3", "1-100000", "1;2"} {
		var p Positions
		if err := p.Set(text); err == nil {
			t.Errorf("%q: %v, want an error", text, []int(p))
		}
	}
}

// Degenerate codons stand for what they encode; of other rules the letters are residues.
func TestResidues(t *testing.T) {
	for text, want := range map[string]string{
		"39:AVILMF": "AFILMV", "39:a,v": "AV", "39:!C": "ADEFGHIKLMNPQRSTVWY", "39:NNK": protein.Residues, "39:NDT": "CDFGHILNRSVY",
		"39:DTN": "DNT", "39:VHG": "AEKLMPQTV", "39:!NDT": "AEKMPQTW", "39:NNT": "ACDFGHILNPRSTVY", "39:NDT,VHG,TGG": protein.Residues,
		"39:AAV": "KN", "39:TNK": "KNT", "39:t, n,K": "KNT",
	} {
		var r, again Residues
		if err := r.Set(text); err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got, _, err := r[0].allowed(protein.Residues); err != nil || got != want {
			t.Errorf("%q allows %s, error %v; want %s", text, got, err, want)
		}
		if err := again.Set(r.String()); err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%q is read back as %v, error %v", r, again, err)
		}
	}
	for text, want := range map[string]string{"39": "is no rule", "39:": "is no rule", "x:A": "is no position", "39:A1": "is no rule", "39:BOX": "B is none of the letters", "39:!" + protein.Residues: "no letter of"} {
		var r Residues
		err := r.Set(text)
		if err == nil {
			_, _, err = r[0].allowed(protein.Residues)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// Three letters that may be a codon or residues are residues, which a note says; with commas they are no codon.
func TestResiduesOrCodon(t *testing.T) {
	for text, want := range map[string]string{"5:TNK": "TNK stands for the residues T, N, K; the codon encodes YSWCLF", "5:T,N,K": "", "5:NNK": "", "5:AVI": ""} {
		var r Residues
		if err := r.Set(text); err != nil {
			t.Fatal(err)
		}
		if _, note, err := r[0].allowed(protein.Residues); err != nil || note != want {
			t.Errorf("%q: note %q, error %v; want %q", text, note, err, want)
		}
	}
}

// Motifs are searched for in either case, in both strands where they are one string, and with T and U alike.
func TestForbiddenMotifs(t *testing.T) {
	for _, test := range []struct {
		options SequenceOptions
		kind    bioseq.Kind
		x       string
		want    bool
	}{
		{SequenceOptions{Forbidden: []string{"gg"}}, bioseq.DNA, "ACGGT", true},
		{SequenceOptions{Forbidden: []string{"GG"}}, bioseq.DNA, "ACCT", false},
		{SequenceOptions{Forbidden: []string{"GG"}, BothStrands: true}, bioseq.DNA, "ACCT", true},
		{SequenceOptions{Forbidden: []string{"TAC"}}, bioseq.RNA, "GUACG", true},
		{SequenceOptions{Forbidden: []string{"UAC"}}, bioseq.DNA, "GTACG", true},
		{SequenceOptions{Forbidden: []string{"n[^p][st]"}}, bioseq.Protein, "ANAS", true},
		{SequenceOptions{Forbidden: []string{"U"}}, bioseq.Protein, "ANAT", false},
		{SequenceOptions{Forbidden: []string{"gg"}}, bioseq.None, "ACGGT", false},
	} {
		if got := test.options.forbids(test.kind)(test.x); got != test.want {
			t.Errorf("%v of kind %v in %s: %t", test.options.Forbidden, test.kind, test.x, got)
		}
	}
}

// A string of a pool is refused by the option that it breaks.
func TestRefuses(t *testing.T) {
	const wild = "GQASKV"
	var residues Residues
	if err := residues.Set("12:QA"); err != nil {
		t.Fatal(err)
	}
	o := SequenceOptions{WildType: wild, Offset: 10, Positions: Positions{11, 12}, Residues: residues, Mutations: 1, Forbidden: []string{"^W"}}
	refuses := o.refuses([]string{wild, "GQATKV"}, protein.Residues, bioseq.Protein)
	for x, want := range map[string]option.Name{
		wild: "", "GAASKV": "", "AQASKV": "", "GQATKV": "", // the last change is one that the data have
		"AAASKV": "mutations", "GQASRV": "positions", "GPASKV": "residues", "WQASKV": "forbid_motif",
	} {
		if got := refuses(x); got != want {
			t.Errorf("%s is refused by %q, want %q", x, got, want)
		}
	}
	// What must not be put anywhere may stay.
	var without Residues
	if err := without.Set("!CS; 12:!K"); err != nil || without.String() != "!CS;12:!K" {
		t.Fatalf("%q: %v", without, err)
	}
	refuses = SequenceOptions{WildType: wild, Offset: 10, Residues: without}.refuses([]string{wild}, protein.Residues, bioseq.Protein)
	for x, want := range map[string]option.Name{wild: "", "GQAWKV": "", "CQASKV": "residues", "GSASKV": "residues", "GKASKV": "residues", "GQASSV": "residues"} {
		if got := refuses(x); got != want {
			t.Errorf("%s is refused by %q, want %q", x, got, want)
		}
	}
	short := SequenceOptions{Lengths: Lengths{4, 6}}.refuses(nil, protein.Residues, bioseq.Protein)
	if by := short("KWKLFKKI"); by != "length" {
		t.Errorf("a long string is refused by %q", by)
	}
}

func TestLengths(t *testing.T) {
	for text, want := range map[string]Lengths{"4": {4, 4}, "3:5": {3, 5}, ":9": {1, 9}, "8:": {8, longest}} {
		var l Lengths
		if err := l.Set(text); err != nil || l != want {
			t.Errorf("%q: %v, error %v; want %v", text, l, err, want)
		}
	}
	for _, text := range []string{"", ":", "0", "5:3", "a", "3:b", "99999"} {
		var l Lengths
		if err := l.Set(text); err == nil {
			t.Errorf("%q: %v, want an error", text, l)
		}
	}
}

// Sequences are aligned if most have one length, unless another is asked for.
func TestFrame(t *testing.T) {
	most, half := []string{"ACDE", "ACDF", "ACD"}, []string{"ACDE", "ACD"}
	for _, test := range []struct {
		name           string
		options        SequenceOptions
		xs             []string
		kind           bioseq.Kind
		length, others int
	}{
		{"most", SequenceOptions{}, most, bioseq.Protein, 4, 1},
		{"half", SequenceOptions{}, half, bioseq.Protein, 0, 0},
		{"a wild type", SequenceOptions{WildType: "ACE"}, most, bioseq.Protein, 3, 2},
		{"that length", SequenceOptions{Lengths: Lengths{4, 4}}, most, bioseq.Protein, 4, 1},
		{"a range", SequenceOptions{Lengths: Lengths{3, 5}}, most, bioseq.Protein, 0, 0},
		{"words", SequenceOptions{}, most, bioseq.None, 0, 0},
	} {
		if length, others, err := test.options.frame(test.xs, test.kind); err != nil || length != test.length || others != test.others {
			t.Errorf("%s: length %d, and %d others (%v); want %d, %d", test.name, length, others, err, test.length, test.others)
		}
	}
	if _, _, err := (SequenceOptions{WildType: "AC"}).frame(most, bioseq.Protein); err == nil {
		t.Error("no sequence has the wild type's length, which is no error")
	}
}

// A wild type that is not given is the sequence with its name, if there is one of that length, or else the consensus.
func TestNamedWildType(t *testing.T) {
	for _, test := range []struct {
		given string
		names [4]string
		want  string
	}{
		{"", [4]string{"a", "b", "c", "wt"}, "ACDF"},
		{"", [4]string{"a", "b", "WT-control", "WT-control"}, "ACDE"},
		{"", [4]string{"a", "b", "c", "WT-like"}, "ACDE"},
		{"", [4]string{"a", "wild type", "c", "d"}, "ACDE"},
		{"ACDG", [4]string{"a", "b", "c", "WT"}, "ACDG"},
	} {
		d := Design{Sequences: bioseq.Protein}
		for i, x := range []string{"ACDE", "ACD", "ACDE", "ACDF"} {
			d.Init = append(d.Init, study.Observation{X: x, Name: test.names[i]})
		}
		space, err := ownSpace(Options{SequenceOptions: SequenceOptions{WildType: test.given}}, nil, d)
		if err != nil || space.WildType != test.want {
			t.Errorf("%q given, %q named: the wild type is %q (%v), want %s", test.given, test.names, space.WildType, err, test.want)
		}
	}
}

// The lengths of proposals are those of what scores well.
func TestUsualLengths(t *testing.T) {
	init := []study.Observation{
		{X: "AAAAAAAA", Measurements: study.Measured(0)}, {X: "AAA", Measurements: []study.Measurement{{Score: 3}, {Score: -50, Bound: study.Above}}}, {X: "AAAA", Measurements: study.Measured(4)},
		{X: "AAAAAAA", Measurements: study.Measured(1)}, {X: "A"},
	}
	for minimize, want := range map[bool]Lengths{false: {3, 4}, true: {7, 8}} {
		if got := usualLengths(init, minimize, func(x string) int { return len(x) }); got != want {
			t.Errorf("minimize %t: %v, want %v", minimize, got, want)
		}
	}
	if got, want := usualLengths([]study.Observation{{X: "AA"}, {X: "AAAA"}}, false, func(x string) int { return len(x) }), (Lengths{2, 4}); got != want {
		t.Errorf("without scores: %v, want %v", got, want)
	}
}

func TestTogether(t *testing.T) {
	a, b := gp.Counts{IDs: []uint64{1, 3, 4}, N: []uint32{1, 2, 1}}, gp.Counts{IDs: []uint64{2, 3}, N: []uint32{5, 1}}
	want := gp.Counts{IDs: []uint64{1, 2, 3, 4}, N: []uint32{1, 5, 3, 1}}
	if got := together(a, b); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Both strands have one description, whichever is read, and children are written as the strand that stands for both.
func TestBothStrands(t *testing.T) {
	o := Options{SequenceOptions: SequenceOptions{BothStrands: true}}
	space, err := ownSpace(o, nil, Design{Init: []study.Observation{{X: "ACGTAA"}, {X: "AAACCC"}, {X: "CCATAC"}}, Sequences: bioseq.DNA})
	if err != nil {
		t.Fatal(err)
	}
	one, err := space.Read("ACGTAA")
	if err != nil {
		t.Fatal(err)
	}
	other, err := space.Read(bioseq.DNA.ReverseComplement("ACGTAA"))
	if err != nil || !reflect.DeepEqual(one.Groups, other.Groups) {
		t.Errorf("strands have the features %v and %v, error %v", one.Groups, other.Groups, err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	made := space.Drift([]evolve.Known{{X: "ACGTAA", Value: 1}, {X: "AAACCC", Value: 2}}, 50, rng)
	for _, op := range space.Operators {
		children, err := op.Make(t.Context(), slices.Repeat([][2]string{{"ACGTAA", "AAACCC"}}, 50), rng)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range children {
			made = append(made, c.X)
		}
	}
	for _, x := range made {
		if x != "" && x != bioseq.DNA.Strand(x, "") {
			t.Errorf("%s is proposed, which is written as its complement", x)
		}
	}
	if len(made) < 100 {
		t.Errorf("%d strings are made", len(made))
	}
}

// Letters that must not be put anywhere stay where the wild type has them, and open no position. A protein keeps its start.
func TestAlignedRules(t *testing.T) {
	const wild = "MCASKV"
	examples := []string{wild, "MCATKV", "MCASRV"}
	for _, test := range []struct {
		name, residues, positions string
		free                      string // positions that change
		never                     string // letters that are not put there
	}{
		{"a prohibition everywhere", "!CP", "", "4,5", "CP"},
		{"a prohibition at a position that does not vary", "1-6:!CP", "", "4,5", "CP"},
		{"a rule opens a position", "3:AVL;!P", "", "3,4,5", "P"},
		{"positions that begin with the start", "", "1-3", "2,3", ""},
		{"the start by a rule", "1:MV", "1-3", "1,2,3", ""},
	} {
		o := Options{}
		o.WildType = wild
		for _, set := range []struct {
			value interface{ Set(string) error }
			text  string
		}{{&o.Residues, test.residues}, {&o.Positions, test.positions}} {
			if set.text != "" {
				if err := set.value.Set(set.text); err != nil {
					t.Fatal(err)
				}
			}
		}
		var init []study.Observation
		for _, x := range examples {
			init = append(init, study.Observation{X: x})
		}
		space, err := ownSpace(o, nil, Design{Init: init, Sequences: bioseq.Protein})
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		var changed Positions
		rng := rand.New(rand.NewPCG(0, 0))
		for range 50 {
			for _, op := range space.Operators {
				made, err := op.Make(t.Context(), [][2]string{{wild, examples[1]}, {examples[1], examples[2]}, {wild, wild}}, rng)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range made {
					for i := range len(c.X) {
						if c.X[i] != wild[i] {
							changed = append(changed, i+1)
							if strings.IndexByte(test.never, c.X[i]) >= 0 {
								t.Errorf("%s: %s", test.name, c.X)
							}
						}
					}
				}
			}
		}
		slices.Sort(changed)
		if got := strings.ReplaceAll(fmt.Sprint([]int(slices.Compact(changed))), " ", ","); got != "["+test.free+"]" {
			t.Errorf("%s: positions %s change, want %s", test.name, got, test.free)
		}
	}
}
