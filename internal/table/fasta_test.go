package table_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
)

// Numbers that all titles of FASTA name are columns.
func TestNumbersInTitles(t *testing.T) {
	for _, test := range []struct {
		name, titles string
		options      table.Options
		want         string // ids and scores, or part of the error
	}{
		{"one", "v0 activity=1.2|v1 activity=2.4", table.Options{Score: []string{"activity"}}, "v0 1.2, v1 2.4"},
		{"found by its name", "v0 activity=1.2|v1 activity=2.4", table.Options{}, "v0 1.2, v1 2.4"},
		{"several", "v0 round=2 clone a kd=1.2 kon = 5|v1 round=2 kd=>10 kon=6", table.Options{Score: []string{"kd"}, Others: []string{"kon"}}, "v0 1.2, v1 10"},
		{"bars", "v0;kd=1.2;x=y|v1;kd=2.4;x=z", table.Options{Score: []string{"kd"}}, "v0;x=y 1.2, v1;x=z 2.4"},
		{"a value that is missing", "v0 kd=1.2|v1 kd=nd", table.Options{Score: []string{"kd"}}, "v0 1.2, v1 NaN"},
		{"not of all", "v0 kd=1.2|v1", table.Options{Score: []string{"kd"}}, "there is no such column"},
		{"UniProt", "sp GFP OX=6100 PE=1 SV=1|sp RFP OX=6101 PE=2 SV=1", table.Options{Score: []string{"PE"}}, "there is no such column"},
		{"words", "v0 chain=H|v1 chain=H", table.Options{Score: []string{"chain"}}, "there is no such column"},
	} {
		titles := strings.Split(test.titles, "|")
		tab, err := table.Read(t.Context(), strings.NewReader(fmt.Sprintf(">%s\nMKTAY\nIAK\n>%s\nMRTAYIAK\n", titles[0], titles[1])), test.options)
		got := fmt.Sprint(err)
		if err == nil {
			r := tab.Records
			got = fmt.Sprintf("%s %g, %s %g", r[0].ID, r[0].Score, r[1].ID, r[1].Score)
			if r[0].Input != "MKTAYIAK" {
				t.Errorf("%s: sequence %s", test.name, r[0].Input)
			}
		}
		if got != test.want && (err == nil || !strings.Contains(got, test.want)) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Sequences of FASTA may be more than letters.
func TestFASTAOfParts(t *testing.T) {
	for _, sequence := range []string{"EVQLVES/DIQMTQ", "EVQLVES:DIQMTQ", "Ac-HAEGTF-NH2", "H[Aib]EGTF", "cyclo(RGDfK)"} {
		tab := read(t, ">a KD=3\n"+sequence+"\n>b KD=4\n"+sequence[:4]+"\n"+sequence[4:]+"\n", table.Options{Sequences: table.Detect, Score: []string{"KD"}})
		if r := tab.Records; tab.Format.Kind != "FASTA" || len(r) != 2 || r[0].ID != "a" || r[0].Input != sequence || r[1].Input != sequence || r[1].Score != 4 {
			t.Errorf("%s: %s, %v", sequence, tab.Format.Kind, r)
		}
	}
	if tab := read(t, ">5 x\n3.2 y\n", table.Options{}); tab.Format.Kind == "FASTA" {
		t.Error("bounds are taken for titles")
	}
}
