package table_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
)

func TestRemarksBehindSequences(t *testing.T) {
	nothing := func(string) string { return "" }
	known := func(remarked bool) *table.Known {
		return &table.Known{Called: nothing, Written: nothing, Remarked: func() bool { return remarked }}
	}
	detect := table.Options{Sequences: table.Detect}
	for _, test := range []struct {
		name, rows, want string
		o                table.Options
		note             string
	}{
		{"some codes", "Ala-His-Trp (TFA salt)|Val-His-Trp|Leu-Gln-Phe", "AHW|VHW|LQF", detect, "column Peptide has comments behind sequences (1), such as (TFA salt), which are set aside"},
		{"some of other residues", "Ala-Nle-Trp [batch 2]|Val-His-Trp|Leu-Gln-Phe", "Ala-Nle-Trp|Val-His-Trp|Leu-Gln-Phe", detect, "such as [batch 2]"},
		{"some letters", "AHWKK (crude)|VHWKK|LQFKK", "AHWKK|VHWKK|LQFKK", detect, "such as (crude)"},
		{"all", "Ala-Nle-Trp (TFA salt)|Val-His-Trp (TFA salt)", "Ala-Nle-Trp (TFA salt)|Val-His-Trp (TFA salt)", detect, ""},
		{"the structure of some", "Cys-Nle-Cys (disulfide)|Cys-His-Cys|Cys-Gln-Cys", "Cys-Nle-Cys (disulfide)|Cys-His-Cys|Cys-Gln-Cys", detect, ""},
		{"no sequences", "steel (AISI 304)|BRASS (cast)|iron", "steel (AISI 304)|BRASS (cast)|iron", detect, ""},
		{"proteins", "AHWKK (crude)|VHWKK (crude)", "AHWKK|VHWKK", table.Options{Sequences: bioseq.Protein}, "such as (crude)"},
		{"told to a study without", "Ala-Nle-Trp (crude)", "Ala-Nle-Trp", table.Options{Known: known(false)}, "such as (crude)"},
		{"told to a study with such", "Ala-Nle-Trp (crude)", "Ala-Nle-Trp (crude)", table.Options{Known: known(true)}, ""},
		{"text that is told", "steel (crude)", "steel (crude)", table.Options{Known: known(false)}, ""},
	} {
		test.o.Input = "Peptide"
		tab := read(t, "Peptide,score\n"+strings.ReplaceAll(test.rows, "|", ",1\n")+",1\n", test.o)
		notes := strings.Join(tab.Notes, "; ")
		if got := strings.Join(outcomes(tab), "|"); got != test.want || !strings.Contains(notes, test.note) || test.note == "" && strings.Contains(notes, "comments") {
			t.Errorf("%s: %s, want %s; notes %q, want %q", test.name, got, test.want, notes, test.note)
		}
	}
	if got, err := table.ReadSequence("AHWKK (crude)", table.Options{Sequences: bioseq.Protein}); got != "AHWKK" {
		t.Errorf("ReadSequence = %q, %v", got, err)
	}
}
