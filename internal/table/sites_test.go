package table_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
)

// Residues in one column for each position are read as sequences; other columns of letters are not.
func TestSitesInColumns(t *testing.T) {
	const rows = "C,L,E,G,1\nY,Y,N,S,2\nR,D,C,P,3\nH,K,W,R,4\n"
	for _, test := range []struct {
		name, text string
		want       string // the first sequence; "": the table is not read so
	}{
		{"letter and number", "V39,D40,G41,V54,fitness\n" + rows, "CLEG"},
		{"names of positions", "site 1,site 2,site 3,site 4,fitness\n" + rows, "CLEG"},
		{"in three letters", "Val39,Asp40,fitness\nCys,Leu,1\nTyr,Asn,2\nArg,Glu,3\n", "CL"},
		{"beside names", "well,V39,D40,fitness\nA1,C,L,1\nA2,Y,N,2\nA3,R,E,3\n", "CL"},
		{"beside sequences", "sequence,V39,D40,fitness\nMKTCL,C,L,1\nMKTYN,Y,N,2\nMKTRE,R,E,3\n", "MKTCL"},
		{"groups of a scaffold", "R1,R2,fitness\nF,H,1\nI,F,2\nH,I,3\nN,C,4\n", ""},
		{"levels", "X1,X2,fitness\nA,B,1\nB,A,2\nA,A,3\n", ""},
		{"numbers", "A1,A2,A3,fitness\n1,2,3,1\n2,3,4,2\n", ""},
	} {
		got, err := table.Read(t.Context(), strings.NewReader(test.text), table.Options{CSV: true, Sequences: table.Detect})
		first := ""
		if err == nil && got.Sequences == bioseq.Protein {
			first = got.Records[0].Input
		}
		var asked *table.Question
		if first != test.want || err != nil && (test.want != "" || !errors.As(err, &asked)) {
			t.Errorf("%s: %q (%v), want %q, or else a question at most", test.name, first, err, test.want)
		}
	}
}

// A row without a residue at some position has no sequence, and one of the columns named as the input means all.
func TestSitesOfRows(t *testing.T) {
	const text = "V39,D40,G41,fitness\nC,L,E,1\nY,,N,2\nR,D,?,3\nH,K,W,4\n"
	for _, input := range []string{"", "D40"} {
		got := read(t, text, table.Options{Input: input, Sequences: table.Detect})
		var all []string
		for _, r := range got.Records {
			all = append(all, r.Input)
		}
		if inputs := strings.Join(all, ","); inputs != "CLE,,,HKW" {
			t.Errorf("with %q as the input: %s", input, inputs)
		}
	}
}
