package task

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/study"
)

// Where all sequences have the same number of cysteines, so have proposals, whatever the notation.
func TestKeepCysteines(t *testing.T) {
	for _, test := range []struct {
		name, fewer, same, more string
		xs                      []string
		copies                  int
		kind                    bioseq.Kind
		residues                string
		want                    string // part of the note
	}{
		{name: "a bicycle", xs: []string{"ACWAYLCG", "ACWMYLCG", "ACFAYLCG", "ACWAYNCG", "ACWAYQCG"}, kind: bioseq.Protein,
			fewer: "AAWAYLCG", same: "ACWAYFCG", more: "ACWCYLCG", want: "all sequences have 2 cysteines"},
		{name: "of several lengths", xs: []string{"ACWAYLCG", "ACWMCG", "ACFAYLLCG", "ACWACG", "ACWAYQLKCG"}, kind: bioseq.Protein,
			fewer: "AAWAYLCG", same: "ACWAYFCG", more: "ACWCYLCG", want: "all sequences have 2 cysteines"},
		{name: "with ends", xs: []string{"Ac-ACWAYLCG-NH2", "Ac-ACWMYLCG-NH2", "Ac-ACFAYLCG-NH2", "Ac-ACWAYNCG-NH2", "Ac-ACWAYQCG-NH2"},
			fewer: "Ac-AAWAYLCG-NH2", same: "Ac-ACWAYFCG-NH2", more: "Ac-ACWCYLCG-NH2", want: "all sequences have 2 cysteines"},
		{name: "in words", xs: []string{"H-Cys-Ala-Cys-OH", "H-Cys-Phe-Cys-OH", "H-Cys-Tyr-Cys-OH", "H-Cys-Trp-Cys-OH", "H-Ala-Cys-D-Cys-OH"},
			fewer: "H-Cys-Ala-Ala-OH", same: "H-Cys-Ala-D-Cys-OH", more: "H-Cys-Cys-D-Cys-OH", want: "all sequences have 2 cysteines"},
		{name: "staples", xs: []string{"Ac-HA[R8]AY[S5]F-NH2", "Ac-HL[R8]AY[S5]F-NH2", "Ac-HA[S5]AY[S5]W-NH2", "Ac-HA[R8]AW[S5]F-NH2", "Ac-HV[R8]AY[S5]L-NH2"},
			fewer: "Ac-HA[R8]AYAF-NH2", same: "Ac-HV[S5]AW[S5]F-NH2", more: "Ac-H[S5][R8]AY[S5]F-NH2", want: "all sequences have 2 residues for staples"},
		{name: "staples at one distance", xs: []string{"Ac-HA[R8]AY[S5]F-NH2", "Ac-HL[R8]AY[S5]F-NH2", "Ac-H[R8]AY[S5]FA-NH2", "Ac-HA[R8]AW[S5]F-NH2", "Ac-HV[R8]AY[S5]L-NH2"},
			fewer: "Ac-HA[R8]A[S5]YF-NH2", same: "Ac-[R8]HV[S5]AWF-NH2", more: "Ac-HA[S5]AY[R8]F-NH2", want: "at the same distances"},
		{name: "none", xs: []string{"AWAYLG", "AWMYLG", "AFAYLG", "AWAYNG"}, copies: 5, kind: bioseq.Protein, same: "AWAYFG", more: "AWCYLG", want: "no sequence has a cysteine"},
		{name: "none of few in a ring", xs: []string{"cyclo(RGDFV)", "cyclo(RGDFK)", "cyclo(RGDNV)", "cyclo(RGDPV)", "cyclo(RGDGV)"},
			same: "cyclo(RGDAV)", more: "cyclo(RGDCV)", want: "no sequence has a cysteine"},
		{name: "none of few in c[]", xs: []string{"c[RGDfK]", "c[RGDNV]", "c[RGDPV]", "c[RGDGV]", "c[RGDfL]"},
			same: "c[RGDAV]", more: "c[RGDCV]", want: "no sequence has a cysteine"},
		{name: "none of few with ends", xs: []string{"Ac-KWAY-NH2", "Ac-KWLY-NH2", "Ac-KWFY-NH2", "Ac-KWVY-NH2", "Ac-KWPY-NH2"},
			same: "Ac-KWGY-NH2", more: "Ac-KWCY-NH2", want: "no sequence has a cysteine"},
		{name: "of D residues and protected", xs: []string{"Ac-[dC]WA[Cys(Acm)]-NH2", "Ac-CWL[dC]-NH2", "Ac-[dC]WFC-NH2", "Ac-CWVC-NH2", "Ac-CWPC-NH2"},
			fewer: "Ac-CWAA-NH2", same: "Ac-CWG[dC]-NH2", more: "Ac-C[dC]GC-NH2", want: "all sequences have 2 cysteines"},
		{name: "in words of letters", xs: []string{"H-C-A-W-C-OH", "H-C-F-W-C-OH", "H-C-Y-W-C-OH", "H-C-W-W-C-OH", "H-C-L-A-C-OH"},
			fewer: "H-C-L-A-A-OH", same: "H-C-L-W-C-OH", more: "H-C-C-W-C-OH", want: "all sequences have 2 cysteines"},
		{name: "in HELM", xs: []string{"PEPTIDE1{C.A.W.C}$$$$", "PEPTIDE1{C.F.W.C}$$$$", "PEPTIDE1{C.Y.W.C}$$$$", "PEPTIDE1{C.W.W.C}$$$$", "PEPTIDE1{A.C.W.C}$$$$"},
			fewer: "PEPTIDE1{A.F.W.C}$$$$", same: "PEPTIDE1{C.A.W.C}$$$$", more: "PEPTIDE1{C.C.W.C}$$$$", want: "all sequences have 2 cysteines"},
		{name: "none of few", xs: []string{"AWAYLG", "AWMYLG", "AFAYLG", "AWAYNG"}, kind: bioseq.Protein, same: "AWCYLG"},
		{name: "some", xs: []string{"ACWAYLCG", "ACWMYLCG", "ACFAYLCG", "ACWAYNCG", "ACWAYQAG"}, kind: bioseq.Protein, same: "ACWCYLCG"},
		{name: "a rule lets it", xs: []string{"ACWAYLCG", "ACWMYLCG", "ACFAYLCG", "ACWAYNCG", "ACWAYQCG"}, kind: bioseq.Protein, residues: "4:ACM", same: "ACWCYLCG"},
	} {
		var o Options
		if test.residues != "" {
			if err := o.Residues.Set(test.residues); err != nil {
				t.Fatal(err)
			}
		}
		d := Design{Sequences: test.kind}
		for _, x := range slices.Repeat(test.xs, max(1, test.copies)) {
			d.Init = append(d.Init, study.Observation{X: x})
		}
		space, err := ownSpace(o, nil, d)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if notes := space.Notes.String(); !strings.Contains(notes, test.want) || test.want == "" && strings.Contains(notes, "cysteine") {
			t.Errorf("%s: notes %q, want %q", test.name, notes, test.want)
		}
		for x, want := range map[string]bool{test.fewer: true, test.same: false, test.more: true} {
			if x == "" {
				continue
			}
			if got, err := space.Read(x); err != nil || got.Infeasible != want {
				t.Errorf("%s: %s is infeasible: %t, %v; want %t", test.name, x, got.Infeasible, err, want)
			}
		}
	}
}

// A label with brackets is no ring.
func TestClosersOfParts(t *testing.T) {
	for x, want := range map[string]string{"Ac-c(RGDfK)-NH2": "RK", "Biotin-c[RGDfK]-NH2": "RK", "c(-RGDfK-)": "", "5(6)-FAM-RGDfK-NH2": "", "RGDfK-C(5-FAM)-NH2": ""} {
		if got := strings.Join(closersOfParts(x), ""); got != want {
			t.Errorf("%s: %q, want %q", x, got, want)
		}
	}
}
