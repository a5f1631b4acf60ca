package task

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/space/codons"
	"github.com/invbo/invbo/study"
)

func TestCoding(t *testing.T) {
	long := strings.Repeat("GCTAAA", 50) // 100 codons without a start
	short := "ATGAAAACTTGA"
	const gene = "ATGAGCAAAGGTGAACTGTTCACCGGTGTTGTTCCGATTTAA"
	behind := func(before, after string) (all []string) { // genes of one protein
		for _, r := range []string{"GGT GGC", "GAA GAG", "ACC ACG", "GTT GTG", "CCG CCA", "ATT ATC", "AAA AAG", "TAA TAG"} {
			from, to, _ := strings.Cut(r, " ")
			all = append(all, before+strings.ReplaceAll(gene, from, to)+after)
		}
		return all
	}
	for _, test := range []struct {
		name     string
		options  SequenceOptions
		examples []string
		kind     bioseq.Kind
		allowed  []string
		refused  []string
	}{
		{"one protein", SequenceOptions{}, []string{short, "ATGAAGACTTGA"}, bioseq.DNA, []string{"ATGAAGACCTAA"}, []string{"ATGAACACTTGA", "ATGTAAACTTGA"}},
		{"one protein as RNA", SequenceOptions{}, []string{"AUGAAAACUUGA", "AUGAAGACUUGA"}, bioseq.RNA, []string{"AUGAAGACCUAA"}, []string{"AUGAACACUUGA"}},
		{"two proteins", SequenceOptions{}, []string{short, "ATGAAGACTTGA", "ATGCCCTGA", "ATGCCATGA"}, bioseq.DNA, []string{"ATGCCGTAA", "ATGAAGACCTAA"}, []string{"ATGAACACTTGA", "ATGAAATGA"}},
		{"a short part of a gene", SequenceOptions{}, []string{"AAACTGATTCTG", "AAGTTAATACTC", "AAGCTTATCTTA"}, bioseq.DNA, []string{"AAACTAATTCTT"}, []string{"AACCTGATTCTG"}},
		{"a control with a stop", SequenceOptions{}, append(slices.Repeat([]string{short, "ATGAAGACTTGA"}, 5), "ATGTAAACTTGA"), bioseq.DNA, []string{"ATGAAGACCTAA"}, []string{"ATGAACACTTGA", "ATGTAAACTTGA"}},
		{"several proteins", SequenceOptions{}, []string{short, "ATGAACACTTGA"}, bioseq.DNA, []string{"ATGCCCACTTGA"}, []string{"ATGTAAACTTGA", "CTGAAAACTTGA", "ATGAAAACTTGC"}},
		{"one sequence", SequenceOptions{}, []string{short}, bioseq.DNA, []string{"ATGCCCACTTGA"}, []string{"ATGTAAACTTGA"}},
		{"the wild type's protein", SequenceOptions{WildType: short}, []string{"ATGAAGACTTGA"}, bioseq.DNA, []string{"ATGAAAACGTGA"}, []string{"ATGCCCACTTGA"}},
		{"a part of a gene", SequenceOptions{}, []string{long, "CCC" + long[3:]}, bioseq.DNA, []string{"CCT" + long[3:]}, []string{"TAA" + long[3:]}},
		{"a gene behind a leader", SequenceOptions{}, behind("AGGAGGTAAATA", ""), bioseq.DNA, []string{"AGGAGGTAAATA" + gene, "AGGAGGTAACTA" + gene}, []string{"AGGAGGTAAATA" + strings.Replace(gene, "CTG", "CCG", 1), "AGGAGGTAAATAATC" + gene[3:]}},
		{"a gene between flanks of any frame", SequenceOptions{}, behind("GGAGGTCAATC", "CCGGCAT"), bioseq.DNA, []string{"GGAGGTCAATC" + gene + "CCGGCAA"}, []string{"GGAGGTCAATC" + strings.Replace(gene, "CTG", "CCG", 1) + "CCGGCAT"}},
		{"a gene behind leaders of several lengths", SequenceOptions{}, append(behind("AGGAGGTAAATA", ""), behind("AGGTATAA", "")...), bioseq.DNA, []string{"AGGAGTAA" + gene}, []string{"AGGAGTAA" + strings.Replace(gene, "CTG", "CCG", 1)}},
		{"the protein behind a leader, as asked for", SequenceOptions{Coding: keepProtein}, behind("AGGAGGTAAATA", "")[:2], bioseq.DNA, []string{"AGGAGGTAAATA" + gene}, []string{"AGGAGGTAAATA" + strings.Replace(gene, "CTG", "CCG", 1)}},
		{"a promoter before one gene", SequenceOptions{}, []string{"TTGACAGGTATA" + gene, "TTGACTGGTATA" + gene, "TTGACCGGTATA" + gene}, bioseq.DNA, []string{"TTGACAGGTATA" + strings.Replace(gene, "CTG", "CCG", 1)}, nil},
		{"no stop at its end", SequenceOptions{}, []string{"ATG" + long[:90], "ATC" + long[:90]}, bioseq.DNA, []string{"TAA" + long[:90]}, nil},
		{"a promoter", SequenceOptions{}, []string{"TTGACATAT", "TTGACTTAT"}, bioseq.DNA, []string{"TAATAGTAA"}, nil},
		{"as many controls", SequenceOptions{}, []string{short, "ATGTAAACTTGA"}, bioseq.DNA, []string{"ATGCCCACTTGA"}, []string{"ATGTAATAATGA"}},
		{"a control of five", SequenceOptions{}, []string{short, "ATGAAGACTTGA", "ATGAAGACCTGA", "ATGAAAACCTGA", "ATGTAAACTTGA"}, bioseq.DNA, []string{"ATGAAGACCTAA"}, []string{"ATGAACACTTGA", "ATGTAAACTTGA"}},
		{"the protein kept, with controls", SequenceOptions{Coding: keepProtein}, []string{"AAAACTGCA", "AAGACTGCA", "TAAACTGCA", "AAATAAGCA"}, bioseq.DNA, []string{"AAGACCGCC"}, []string{"TAAACTGCA", "AAACCTGCA"}},
		{"most have a stop", SequenceOptions{}, []string{"ATGAAAACT", "TAAACTGCA", "AAATAAGCA"}, bioseq.DNA, []string{"TAAACTGCA"}, nil},
		{"no whole codons", SequenceOptions{}, []string{short, "ATGAAGACTTGA", "ATGAAACTTGA", "ATGAAACTTGAAA"}, bioseq.DNA, []string{"ATGTAATAATGA"}, nil},
		{"nothing kept", SequenceOptions{Coding: keepNone}, []string{short, "ATGAAGACTTGA"}, bioseq.DNA, []string{"ATGTAAACTTGA"}, nil},
		{"the frame kept", SequenceOptions{Coding: keepFrame}, []string{short, "ATGAAGACTTGA"}, bioseq.DNA, []string{"ATGCCCACTTGA"}, []string{"ATGTAAACTTGA"}},
		{"the frame of what is short", SequenceOptions{Coding: keepFrame}, []string{"TTGACATAT"}, bioseq.DNA, []string{"CCCCCCCCC"}, []string{"TAACCCCCC"}},
		{"a protein", SequenceOptions{}, []string{"MKT", "MKA"}, bioseq.Protein, []string{"ATG"}, nil},
	} {
		k, err := test.options.coding(test.examples, test.kind)
		forbids, note := k.forbids, k.note
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if said := note != ""; said != (test.refused != nil && test.options.Coding == asData) {
			t.Errorf("%s: note %q", test.name, note)
		}
		for _, x := range test.allowed {
			if forbids != nil && forbids(x) {
				t.Errorf("%s: refuses %s", test.name, x)
			}
		}
		for _, x := range test.refused {
			if forbids == nil || !forbids(x) {
				t.Errorf("%s: allows %s", test.name, x)
			}
		}
	}
}

func TestCodingRefuses(t *testing.T) {
	for _, test := range []struct {
		coding   Coding
		examples []string
		kind     bioseq.Kind
		want     string
	}{
		{keepFrame, []string{"ATGTAAACTTGA"}, bioseq.DNA, "no open reading frame"},
		{keepFrame, []string{"ATGT"}, bioseq.DNA, "no open reading frame"},
		{keepFrame, []string{"MKT"}, bioseq.Protein, "is for DNA and RNA"},
	} {
		if _, err := (SequenceOptions{Coding: test.coding}).coding(test.examples, test.kind); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, %s: error %v, want one with %q", test.coding, test.examples, err, test.want)
		}
	}
	var c Coding
	if err := c.Set("proteins"); err == nil {
		t.Error("proteins is taken")
	}
}

// Genes that differ in their proteins are proposed once for each new protein; where codons are part of the data, all are.
func TestOneGeneForEachProtein(t *testing.T) {
	const wild = "ATGAGCAAAGGTGAACTGTTCACCGGTGTTGTTCCGATTTAA"
	rng := rand.New(rand.NewPCG(5, 5))
	variants := func() (all []string) {
		for range 30 {
			x := []byte(wild)
			for range 3 {
				at := 3 + 3*rng.IntN(12)
				copy(x[at:], []string{"GCT", "AAA", "GAA", "CTG", "TGG", "TTC"}[rng.IntN(6)])
			}
			all = append(all, string(x))
		}
		return append(inOrder(all), wild)
	}
	for _, test := range []struct {
		name string
		more []string
		want bool // proteins are new, and once each
	}{
		{"genes", nil, true},
		{"with codons of one", []string{"ATGAGCAAAGGTGAACTGTTCACCGGTGTTGTTCCGATTTAG"}, false},
	} {
		xs := append(variants(), test.more...)
		known, seen := map[string]bool{}, map[string]string{}
		var init []study.Observation
		for _, x := range xs {
			init = append(init, study.Observation{X: x})
			known[codons.Translate(x)] = true
		}
		space, err := ownSpace(Options{}, nil, Design{Init: init, Sequences: bioseq.DNA})
		if err != nil {
			t.Fatal(err)
		}
		made, again := 0, 0
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
				if c.X == "" || slices.Contains(xs, c.X) {
					continue
				}
				d, err := space.Read(c.X)
				if err != nil {
					t.Fatal(err)
				}
				if protein := codons.Translate(c.X); !d.Infeasible {
					made++
					if known[protein] || seen[protein] != "" && seen[protein] != c.X {
						again++
					}
					seen[protein] = c.X
				}
			}
		}
		if made < 50 || (again == 0) != test.want {
			t.Errorf("%s: of %d proposals %d encode a protein again", test.name, made, again)
		}
	}
}
