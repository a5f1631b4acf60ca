package task

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/study"
)

// childrenOf returns what the operators of a space make of its examples and may be proposed.
func childrenOf(t *testing.T, space Space, xs []string) (all []string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 0))
	var pairs [][2]string
	for range 200 {
		pair := [2]string{xs[rng.IntN(len(xs))], xs[rng.IntN(len(xs))]}
		compared := space.Compares == nil || space.Compares(pair[0]) && space.Compares(pair[1])
		if bred := space.Breeds == nil || space.Breeds(pair[0]); compared && bred {
			pairs = append(pairs, pair)
		}
	}
	for _, op := range space.Operators {
		made, err := op.Make(t.Context(), pairs, rng)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range made {
			if c.X == "" {
				continue
			}
			d, err := space.Read(c.X)
			if err != nil {
				t.Fatalf("%s made %q: %v", op.Name, c.X, err)
			}
			if !d.Infeasible {
				all = append(all, c.X)
			}
		}
	}
	return all
}

func designOf(xs []string) (d Design) {
	for i, x := range xs {
		d.Init = append(d.Init, study.Observation{X: x, Measurements: study.Measured(float64(i))})
	}
	return d
}

// Proposals of sequences that are more than letters keep their ends, what separates chains, and the lengths that most
// chains have.
func TestPartsSpace(t *testing.T) {
	for _, test := range []struct {
		name    string
		options Options
		xs      []string
		want    string // a pattern of all children
	}{
		{"an insertion", Options{}, []string{"EVQLVESGG/DIQMTQ", "EVQLVEAGG/DIQMTQ", "EVQLVESGG/DIQMSQ", "EVQLVEESGG/DIQMTQ"}, `^EVQLVE.GG/DIQM.Q$`},
		{"an insertion in each chain", Options{}, []string{"EVQLVESGG/DIQMTQ", "EVQLVEAGG/DIQMTQ", "EVQLVESGG/DIQMSTQ", "EVQLVEESGG/DIQMTQ"}, `^EVQLVE.GG/DIQMTQ$`},
		{"each chain has a usual length", Options{}, []string{"EVQLVESGG/DIQMSTQ", "EVQLVEAGG/DIQMTQ", "EVQLVEESGG/DIQMAQ"}, `^EVQLVE.GG/DIQM.Q$`},
		{"one chain varies", Options{}, []string{"EVQLVEGG/DIQMTQ", "EVQLVEAGG/DIQMTQ", "EVQLVEEEGG/DIQMAQ", "EVQLVKKKKGG/DIQMTQ"}, `^EVQLV.{1,4}GG/DIQM.Q$`},
		{"one chain varies, and another seldom", Options{}, []string{"EVQLVESGG/DIQMTQ", "EVQLVEAGGL/DIQMTQ", "EVQLVESGGLL/DIQMSQ", "EVQLVESGGLLL/DIQMAQT"}, `^EVQLVE.{3,6}/DIQM.Q$`},
		{"another length is asked for", Options{SequenceOptions: SequenceOptions{Lengths: Lengths{16, 17}}}, []string{"EVQLVESGG/DIQMTQ", "EVQLVEAGG/DIQMTQ", "EVQLVESGG/DIQMSQ", "EVQLVEESGG/DIQMTQ"}, `^EVQLVE.{4,5}/DIQM.Q$`},
		{"ends", Options{}, []string{"KWKLF-NH2", "KWKAF-NH2", "KWRLF-OH", "Ac-KWKLF-NH2"}, `^(KW..F-NH2|KW..F-OH|Ac-KW..F-NH2)$`},
		{"labels and spacers", Options{}, []string{"5(6)-FAM-Ahx-KWKLF-NH2", "5(6)-FAM-Ahx-KWKAF-NH2", "Biotin-GSG-KWRLF-K(TAMRA)-NH2", "H2N-KWKLF-COOH"}, `^(5\(6\)-FAM-Ahx-KW..F-NH2|Biotin-GSG-KW..F-K\(TAMRA\)-NH2|H2N-KW..F-COOH)$`},
		{"cyclic", Options{}, []string{"cyclo(RGDfK)", "cyclo(RGDfV)", "cyclo(RGDyK)", "cyclo(RGDf[NMe]V)", "cyclo(RGDfKA)"}, `^cyclo\(RGD([A-Yfy]|\[NMe\]V){2}\)$`},
		{"brackets", Options{}, []string{"H[Aib]EGTF-NH2", "HGEGTF-NH2", "H[Aib]EGTW-NH2"}, `^H([A-Y]|\[Aib\])EGT([A-Y]|\[Aib\])-NH2$`},
		{"words", Options{}, []string{"Ac-Nle-Asp-D-Phe-Arg-NH2", "Ac-Nle-Asp-D-Nal-Arg-NH2", "H-Nle-Glu-D-Phe-Arg-OH", "Ac-Nle-Asp-Aib-Phe-Arg-NH2"}, `^(Ac-Nle-(\w|-)+-Arg-NH2|H-Nle-(\w|-)+-Arg-OH)$`},
		{"words with an insertion", Options{}, []string{"Ac-Nle-Asp-Phe-Arg-NH2", "Ac-Nle-Asp-Trp-Arg-NH2", "Ac-Nle-Glu-Phe-Arg-NH2", "Ac-Nle-Asp-Asp-Phe-Arg-NH2"}, `^Ac-Nle-(Nle|Asp|Glu|Phe|Trp|Arg)-(Nle|Asp|Glu|Phe|Trp|Arg)-Arg-NH2$`},
		{"a ring within", Options{}, []string{"Ac-Nle-c[Asp-His-Phe-Arg-Trp-Orn]-NH2", "Ac-Nle-c[Asp-His-D-Nal(2')-Arg-Trp-Orn]-NH2", "Ac-Nle-c[Asp-His-D-Phe-Arg-Trp-Lys]-NH2"},
			`^Ac-Nle-c\[Asp-His-(Nle|Asp|His|Phe|D-Nal\(2'\)|D-Phe|Arg|Trp|Orn|Lys)-Arg-Trp-(Orn|Lys)\]-NH2$`},
		{"a ring of varying size", Options{}, []string{"Ac-c[Cys-Tyr-Cys]-NH2", "Ac-c[Cys-Tyr-D-Trp-Cys]-NH2", "Ac-c[Cys-Tyr-D-Trp-Lys-Cys]-NH2", "Ac-c[Cys-D-Trp-Lys-Val-Cys]-NH2"},
			`^Ac-c\[Cys(-(Cys|Tyr|D-Trp|Lys|Val))*-Cys\]-NH2$`},
		{"a ring in letters", Options{}, []string{"Ac-c[DHfRWK]-NH2", "Ac-c[DHARWK]-NH2", "Ac-c[DHfGWK]-NH2"}, `^Ac-c\[DH[A-Yf][A-Yf]WK\]-NH2$`},
		{"a comment that all have", Options{}, []string{"Ac-CKRWC-NH2 (disulfide)", "Ac-CKLWC-NH2 (disulfide)", "Ac-CKRFC-NH2 (disulfide)"}, `^Ac-CK..C-NH2 \(disulfide\)$`},
		{"a comment without ends", Options{}, []string{"CKRWC (cyclic)", "CKLWC (cyclic)", "CKRFC (cyclic)"}, `^CK..C \(cyclic\)$`},
		{"a comment beside the end", Options{}, []string{"Ac-CKRWC-NH2(S-S)", "Ac-CKLWC-NH2(S-S)", "Ac-CKRFC-NH2(S-S)"}, `^Ac-CK..C-NH2\(S-S\)$`},
		{"comments of words", Options{}, []string{"H-Cys-Aib-Arg-Trp-Cys-NH2 [1-5 disulfide]", "H-Cys-Aib-Leu-Trp-Cys-NH2 [1-5 disulfide]", "H-Cys-Aib-Arg-Phe-Cys-NH2 [1-5 disulfide]"},
			`^H-Cys-Aib-\w+-\w+-Cys-NH2 \[1-5 disulfide\]$`},
		{"a row that is no sequence", Options{}, []string{"EVQLVESGG/DIQMTQ", "EVQLVEAGG/DIQMTQ", "EVQLVESGG/DIQMSQ", "EVQLVESGG/DIQMAQ", "see notes"}, `^EVQLVE.GG/DIQM.Q$`},
	} {
		want, lengths := regexp.MustCompile(test.want), Lengths{}
		for range 2 { // a study keeps the lengths of its first data
			space, err := ownSpace(test.options, nil, designOf(test.xs))
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
				break
			}
			made := childrenOf(t, space, test.xs)
			if i := slices.IndexFunc(made, func(x string) bool { return !want.MatchString(x) }); i >= 0 {
				t.Errorf("%s, lengths %s: %s is proposed, want %s", test.name, lengths, made[i], test.want)
			}
			if len(made) < 50 {
				t.Errorf("%s, lengths %s: only %d children", test.name, lengths, len(made))
			}
			lengths = space.Lengths
			test.options.Lengths = lengths
		}
	}
}

// Few residues and several ends leave rules for the positions of residues alone.
func TestWordsWithEnds(t *testing.T) {
	var xs []string
	for i, second := range strings.Fields("Ala Gln Thr His Pro Arg") {
		for k, third := range strings.Fields("Ala Phe Nal") {
			xs = append(xs, "Val-"+second+"-"+third+"-Arg-Trp"+[]string{"-NH2", "-OH"}[(i+k)%2])
		}
	}
	space, err := ownSpace(Options{}, nil, designOf(xs))
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`^Val-\w+-\w+-Arg-Trp-(NH2|OH)$`)
	for _, x := range childrenOf(t, space, xs) {
		if !want.MatchString(x) {
			t.Errorf("%s is proposed, want %s", x, want)
		}
	}
}

// A residue with a name of its own that only begins or ends peptides is none of their ends, unless most have ends.
func TestOuterWords(t *testing.T) {
	for _, test := range []struct {
		x    string
		want bool // x is aligned with peptides of four residues
	}{
		{"Nle-His-Trp-Arg", true}, {"Ala-His-Trp-Aib", true}, {"D-Nal(2)-His-Trp-Arg", true}, {"Boc-His-Trp-Arg", false}, {"Ala-His-Trp-NH2", false},
	} {
		xs := []string{"Ala-His-Trp-Arg", "Val-His-Trp-Arg", "Leu-Gln-Phe-Arg", "Met-Asn-Trp-Lys", test.x}
		space, err := ownSpace(Options{}, nil, designOf(xs))
		if err != nil {
			t.Fatalf("%s: %v", test.x, err)
		}
		if got := space.Check(test.x) == nil; got != test.want {
			t.Errorf("%s: aligned %t, want %t", test.x, got, test.want)
		}
	}
}

// A child has the ends of its first parent.
func TestPartsSpaceEnds(t *testing.T) {
	xs := []string{"KWKLF-NH2", "KWKAF-NH2", "KWRLF-OH"}
	space, err := ownSpace(Options{}, nil, designOf(xs))
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range space.Operators {
		made, err := op.Make(t.Context(), slices.Repeat([][2]string{{xs[2], xs[0]}}, 50), rand.New(rand.NewPCG(1, 0)))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range made {
			if len(c.X) != len(xs[2]) || c.X[5:] != "-OH" {
				t.Errorf("%s makes %s of %s", op.Name, c.X, xs[2])
			}
		}
	}
}

// The wild type of chains is written as the sequences are; one of other chains is refused.
func TestWildTypeOfChains(t *testing.T) {
	xs := []string{"EVQLVESGG:DIQMTQS", "EVQLVESGA:DIQMTQS", "EVQLVESGG:DIQMTQA", "AVQLVESGG:DIQMTQS"}
	var init []study.Observation
	for _, x := range xs {
		init = append(init, study.Observation{X: x})
	}
	space, err := ownSpace(Options{SequenceOptions: SequenceOptions{WildType: "EVQLVESGW/DIQMTQS"}}, nil, Design{Init: init})
	if err != nil || space.WildType != "EVQLVESGW:DIQMTQS" || space.Reference != space.WildType {
		t.Errorf("the wild type is %q, and the reference %q (%v)", space.WildType, space.Reference, err)
	}
	for wildType, want := range map[string]string{"EVQLVESGG": "none of the sequences has", "EVQLVESGG/DIQM": "none of the sequences has"} {
		if _, err := ownSpace(Options{SequenceOptions: SequenceOptions{WildType: wildType}}, nil, Design{Init: init}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", wildType, err)
		}
	}
	init = []study.Observation{{X: "MKTAYI"}, {X: "MRTAYI"}, {X: "MKSAYI"}}
	if _, err := ownSpace(Options{SequenceOptions: SequenceOptions{WildType: "MKTAYI/DIQM"}}, nil, Design{Init: init, Sequences: bioseq.Protein}); err == nil || !strings.Contains(err.Error(), "has 2 chains") {
		t.Errorf("chains for sequences of one: %v", err)
	}
}
