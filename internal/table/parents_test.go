package table_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
)

// inputsOf returns the strings of the rows that have one, and the reasons of the others.
func inputsOf(t *table.Table) string {
	var all []string
	for _, r := range t.Records {
		text := r.Input
		if r.State == table.Invalid {
			text = r.Reason.Text
		}
		all = append(all, text)
	}
	return strings.Join(all, "|")
}

// A sequence that the mutant beside it does not have, and changes, is that of a parent.
func TestMutantsOfParents(t *testing.T) {
	const made = "MRTAYIAKQRQI|MKSAYIAKQRQI"
	for _, test := range []struct{ name, content, wildType, want string }{
		{"one", "sequence,mutation,ddG\nMKTAYIAKQRQI,K2R,1\nMKTAYIAKQRQI,T3S,2\n", "", made},
		{"of a wild type", "sequence,mutation,ddG\nMKTAYIAKQRQI,K2R,1\nMKTAYIAKQRQI,T3S,2\n", wildType, made},
		{"one row", "sequence,mutation,ddG\nMKTAYIAKQRQI,K2R,1\n", wildType, "MRTAYIAKQRQI"},
		{"families", "sequence,mutation,ddG\nMKTAYIAKQRQI,K2R/T3S,1\nMRTAYIAKQRQL,R2K,2\nMRTAYIAKQRQL,WT,3\nMRTAYIAKQRQL,-,3.5\n", "", "MRSAYIAKQRQI|MKTAYIAKQRQL|MRTAYIAKQRQL|MRTAYIAKQRQL"},
		{"under other names", "Variant,Substitutions relative to parent,Parent sequence,kcat/KM\nE1,K2R,MKTAYIAKQRQI,10\nE3,R2K,MRTAYIAKQRQL,13\nE5,,MKTAYIAKQRQI,8\n", "", "MRTAYIAKQRQI|MKTAYIAKQRQL|MKTAYIAKQRQI"},
		{"other positions", "sequence,mutation,ddG\nMKTAYIAKQRQI,K26R,1\nMKTAYIAKQRQI,T27S,2\nMKTAYIAKQRQI,A28G,3\n", "", made + "|MKTGYIAKQRQI"},
		{"a row that does not fit", "sequence,mutation,ddG\n" + strings.Repeat("MKTAYIAKQRQI,K2R,1\n", 9) + "MKTAYIAKQRQI,W3S,2\n", "", strings.Repeat("MRTAYIAKQRQI|", 9) + "W3S: position 3 of the wild type is T, not W"},
		{"mutated sequences", "sequence,mutation,ddG\nMRTAYIAKQRQI,K2R,1\nMKSAYIAKQRQI,T3S,2\n", "", made},
		{"mutated sequences and the parent's", "sequence,mutation,parent sequence,ddG\nMRTAYIAKQRQI,K2R,MKTAYIAKQRQI,1\nMKSAYIAKQRQI,T3S,MKTAYIAKQRQI,2\n", "", made},
	} {
		tab := read(t, test.content, table.Options{Sequences: table.Detect, WildType: test.wildType})
		if got := inputsOf(tab); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Mutants of a background that is a mutant are added to it; other backgrounds are other proteins.
func TestBackgrounds(t *testing.T) {
	const rows = "WT,WT,1\nK2R,WT,1.5\nT3S,,1.2\nT3S,K2R,2\nA4G,K2R/T3S,2.4\nK2R/A4G,K2R,1\nWT,K2R,1\n"
	const want = "MKTAYIAKQRQI|MRTAYIAKQRQI|MKSAYIAKQRQI|MRSAYIAKQRQI|MRSGYIAKQRQI|MRTGYIAKQRQI|MRTAYIAKQRQI"
	o := table.Options{Sequences: bioseq.Protein, WildType: wildType}
	for _, name := range []string{"Background", "Parent", "Template", "Backbone", "Scaffold", "Starting variant", "Parent variant", "Background (mutant)"} {
		tab := read(t, fmt.Sprintf("Mutation,%s,Activity\n%s", name, rows), o)
		if got := inputsOf(tab); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for _, test := range []struct{ name, content, want string }{
		{"names", "Mutation,Parent,Activity\nWT,P1,1\nK2R,P1,1.5\nT3S,P1,1\nT3S,P2,1\n", "T3S is a variant of Parent P2, and others are of P1"},
		{"names of few rows", "Mutation,Scaffold,Activity\nT3S,P1,1\nT3S,P2,1\n", "T3S is a variant of Scaffold P2"},
		{"names of plasmids", "Mutation,Template,Activity\nK2R,pET-WT,1.5\nT3S,pET-K2R,1\nA4G,pET-K2R,1\n", "MRTAYIAKQRQI|MRSAYIAKQRQI|MRTGYIAKQRQI"},
		{"names of rows", "Name,Parent,Mutation,Activity\nV0,,WT,1\nV1,V0,K2R,1\nV2,V1,T3S,1\nV3,V1,A4G,1\n", "T3S is a variant of Parent V1, and others are of V0"},
		{"names of rows whose mutations are theirs, too", "Name,Parent,Mutation,Activity\nV0,,WT,1\nV1,V0,K2R,1\nV2,V1,K2R/T3S,1\nV3,V1,K2R/A4G,1\n", "MKTAYIAKQRQI|MRTAYIAKQRQI|MRSAYIAKQRQI|MRTGYIAKQRQI"},
		{"one name", "Mutation,Template,Activity\nWT,P1,1\nK2R,P1,1.5\nT3S,P1,1\n", "MKTAYIAKQRQI|MRTAYIAKQRQI|MKSAYIAKQRQI"},
		{"a name of each", "Mutation,Template,Activity\nWT,P1,1\nK2R,P2,1.5\nT3S,P3,1\n", "MKTAYIAKQRQI|MRTAYIAKQRQI|MKSAYIAKQRQI"},
		{"numbers", "Mutation,Background,Activity\nK2R,0.02,1.5\nT3S,0.03,1\nT3S,0.02,1\n", "MRTAYIAKQRQI|MKSAYIAKQRQI|MKSAYIAKQRQI"},
		{"another residue", "Mutation,Background,Activity\nK2R,WT,1\nK2A,K2R,1.5\n", "MRTAYIAKQRQI|on background K2R, which stands for the wild type: K2A: position 2 of the wild type is R, not K"},
	} {
		o.Score = []string{"Activity"}
		tab, err := table.Read(t.Context(), strings.NewReader(test.content), o)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = inputsOf(tab)
		}
		if err == nil && got != test.want || err != nil && !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
