package task

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table/bioseq"
)

func TestCoding(t *testing.T) {
	long := strings.Repeat("GCTAAA", 50) // 100 codons without a start
	short := "ATGAAAACTTGA"
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
		forbids, note, err := test.options.coding(test.examples, test.kind)
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
		if _, _, err := (SequenceOptions{Coding: test.coding}).coding(test.examples, test.kind); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, %s: error %v, want one with %q", test.coding, test.examples, err, test.want)
		}
	}
	var c Coding
	if err := c.Set("proteins"); err == nil {
		t.Error("proteins is taken")
	}
}
