package task

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/molecules"
	"github.com/invbo/invbo/study"
)

func TestParseGroups(t *testing.T) {
	const give = "give the number of an attachment point and its limits"
	for _, test := range []struct{ text, want string }{
		{"1 max_atoms=8", ""},
		{"1 max_atoms=8 max_rings=0 2 min_atoms=1", ""},
		{"1 max_atoms=8 0", give},
		{"", give},
		{"1", give},
		{"1 2 max_atoms=8", give},
		{"1 max_atoms=8 2", give},
		{"1 max_atoms=8 1 max_rings=1", give},
		{"max_atoms=8", "first, such as '1 max_atoms=8'"},
		{"1 max_atoms=8,max_rings=1", "max_atoms=8,max_rings=1: separate limits by blanks"},
		{"1,max_atoms=8", "1,max_atoms=8: separate limits by blanks"},
		{"1 max_atoms=many", "max_atoms=many: give a whole number from 1"},
		{"1 min_atoms=8 max_atoms=7", "the maximum is below the minimum"},
	} {
		_, err := parseGroups(test.text)
		if test.want == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.text, err, test.want)
		}
	}
}

// The core takes the configuration that the data with it have, and a search that goes on keeps it. What is proposed has
// that one.
func TestCoreTakesConfiguration(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	const r, s, flat = "C[C@@H](N)c1ccccc1", "C[C@H](N)c1ccccc1", "CC(N)c1ccccc1"
	const amine, rAmine, sAmine = "CC(N)c1ccc([*:1])cc1", "C[C@@H](N)c1ccc([*:1])cc1", "C[C@H](N)c1ccc([*:1])cc1"
	para := func(smiles, group string) string {
		return strings.Replace(smiles, "c1ccccc1", "c1ccc("+group+")cc1", 1)
	}
	tests := []struct {
		name, core string
		data       []string // best first
		want       string   // core
		notes      []string
		without    string // of no note
	}{
		{"all have one", amine, []string{r, para(r, "F"), "CCO"}, rAmine, []string{"molecules of the data with the core: 2 of 3", "the core has the configuration of 2 of 2 molecules: "}, "others"},
		{"the most frequent", amine, []string{s, r, para(r, "F")}, rAmine, []string{"molecules of the data with the core: 3 of 3", "the core has the configuration of 2 of 3 molecules: "}, "others"},
		{"as frequent, the best", amine, []string{s, r, para(r, "F"), para(s, "F"), flat}, sAmine, []string{"configuration of 2 of 5 molecules"}, "others"},
		{"none is the most frequent", amine, []string{s, flat, para(flat, "F")}, amine, []string{"with the core: 3 of 3", "proposals leave undefined, as most of the data do: 1; mark them in core"}, "configuration of"},
		{"the core's own", rAmine, []string{s, r, flat, para(r, "F")}, rAmine, []string{"with the core: 2 of 4", "are not counted: 2 (another or no configuration"}, "configuration of 2"},
		{"other configurations alone", sAmine, []string{r, para(r, "F"), "CCO"}, sAmine, []string{"with the core: 0 of 3", "are not counted: 2 (another or no configuration", "the search begins with groups from the data and the library"}, "ring"},
		{"rings and substituents", "c1cc([*:2])c([*:3])cc1[*:1]", []string{"CCc1ccccc1", "c1ccc2c(c1)OCO2", "c1ccc2c(c1)CCC2", "Cc1cccc(C)c1C"}, "c1cc([*:2])c([*:3])cc1[*:1]",
			[]string{"with the core: 1 of 4", "are not counted: 2 (a ring closed over the attachment points", "are not counted: 1 (a substituent where the core has no point"}, "configuration"},
		{"two points of a center", "NC(=O)C([*:1])([*:2])c1ccccc1", []string{"NC(=O)[C@](C)(O)c1ccccc1", "NC(=O)[C@@](C)(O)c1ccccc1", "NC(=O)[C@@H](O)c1ccccc1", "NC(=O)C(F)(F)c1ccccc1"}, "NC(=O)[C@]([*:1])([*:2])c1ccccc1",
			[]string{"with the core: 4 of 4", "configuration of 4 of 4 molecules"}, "others"},
	}
	drawn := map[string]int{"as frequent, the best": 20, "two points of a center": 20} // which takes a second
	own, err := Named("molecules")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		d := Design{}
		for i, smiles := range test.data {
			x, err := molecule.Canonical(smiles)
			if err != nil {
				t.Fatal(err)
			}
			d.Init = append(d.Init, study.Observation{X: x, Measurements: study.Measured(float64(-i))})
		}
		build := func(configured string) (Parts, Space) {
			p, err := own.Build(t.Context(), own, Options{Measured: true, CoreOptions: CoreOptions{Core: test.core, Configured: configured}})
			if err != nil {
				t.Fatal(err)
			}
			space, err := p.Space(d)
			if err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
			return p, space
		}
		p, space := build("")
		got, want := canonicalOf(t, space.Core.SMILES), canonicalOf(t, test.want)
		if two := strings.Contains(test.core, ")([*:2])"); got != want && !(two && strings.Contains(got, "@")) { // whose points are named at will
			t.Errorf("%s: core %s, want %s", test.name, got, want)
		}
		for _, note := range test.notes {
			if !strings.Contains(space.Notes.String(), note) {
				t.Errorf("%s: no note %q in %q", test.name, note, space.Notes.String())
			}
		}
		if strings.Contains(space.Notes.String(), test.without) {
			t.Errorf("%s: note %q in %q", test.name, test.without, space.Notes.String())
		}
		for _, x := range space.Pool(drawn[test.name], rand.New(rand.NewPCG(0, 0))) {
			if fit, why := space.Core.Fit(x); why != molecule.NoMisfit || fit.Core != space.Core.SMILES {
				t.Errorf("%s: %s has another core", test.name, x)
			}
			if ok, err := p.Feasible(x); !ok || err != nil {
				t.Errorf("%s: %s is not feasible, %v", test.name, x, err)
			}
		}
		d.Init[0].Measurements = nil // which a search that goes on does not know here
		if _, again := build(space.Core.SMILES); again.Core.SMILES != space.Core.SMILES || again.Notes.String() != "" {
			t.Errorf("%s: goes on with the core %s and the note %q", test.name, again.Core.SMILES, again.Notes.String())
		}
	}
}

func canonicalOf(t *testing.T, smiles string) string {
	t.Helper()
	c, err := molecule.Canonical(smiles)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// With a core, proposals keep what nearly all of the data have beside it, and groups what nearly all have at their
// point, unless options let it change.
func TestCoreKeepsTheSeries(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	own, err := Named("molecules")
	if err != nil {
		t.Fatal(err)
	}
	d := Design{}
	for i, linker := range []string{"C", "CC", "CCC", "CCCC", "CCOC", "CCN(C)C", "CC(C)C", "CCCCC", "CCSC"} {
		x, err := molecule.Canonical("O=C(Nc1ccccc1)N" + linker + "NC(=O)c1ccc2c(c1)CCC(=O)N2")
		if err != nil {
			t.Fatal(err)
		}
		d.Init = append(d.Init, study.Observation{X: x, Measurements: study.Measured(float64(-i))})
	}
	for _, test := range []struct {
		name    string
		options func(o *Options)
		require bool
		points  int
	}{
		{"the default", func(*Options) {}, true, 1},
		{"no requirement", func(o *Options) { o.Require.Groups = []string{NoGroups} }, false, 0},
		{"another group", func(o *Options) { o.CoreOptions.Groups = []string{"1 require=*"} }, true, 0},
	} {
		o := Options{Measured: true, FromData: true, CoreOptions: CoreOptions{Core: "O=C(Nc1ccccc1)[*:1]"}}
		test.options(&o)
		p, err := own.Build(t.Context(), own, o)
		if err != nil {
			t.Fatal(err)
		}
		space, err := p.Space(d)
		if err != nil {
			t.Fatal(err)
		}
		l := space.DataLimits
		if len(l.Points) != test.points || len(l.Require) > 0 != test.require {
			t.Errorf("%s: points %q and groups %q", test.name, l.Points, l.Require)
		}
		for _, x := range space.Pool(20, rand.New(rand.NewPCG(0, 0))) {
			fit, _ := space.Core.Fit(x)
			if test.points > 0 && !strings.Contains(fit.Groups[0], "N") {
				t.Errorf("%s: %s has the group %s", test.name, x, fit.Groups[0])
			}
		}
	}
}

// No default closes a point: neither a closed scaffold, nor a group that a hydrogen makes, and a require of the user's
// opens what all have at a point.
func TestCorePointsStayOpen(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	own, err := Named("molecules")
	if err != nil {
		t.Fatal(err)
	}
	var d Design
	for i, amine := range []string{"C", "CC", "C(C)C", "CC1CC1", "CCO", "CCC", "C1CC1", "CCOC", "CCN(C)C", "C1CCOCC1"} {
		for k, at7 := range []string{"F", "C#N"} {
			x, err := molecule.Canonical("C(" + amine + ")Nc1ncnc2cc(" + at7 + ")ccc12")
			if err != nil {
				t.Fatal(err)
			}
			d.Init = append(d.Init, study.Observation{X: x, Measurements: study.Measured(float64(2*i + k))})
		}
	}
	for _, groups := range [][]string{nil, {"3 require=*"}, {"1 require=*"}} {
		p, err := own.Build(t.Context(), own, Options{Measured: true, FromData: true, CoreOptions: CoreOptions{Core: "c1(N[*:1])ncnc2cc([*:2])c([*:3])cc12", Groups: groups}})
		if err != nil {
			t.Fatal(err)
		}
		space, err := p.Space(d)
		if err != nil {
			t.Fatal(err)
		}
		if groups != nil && groups[0] == "1 require=*" {
			if ok := slices.ContainsFunc(space.DataLimits.Require, func(name string) bool { return strings.Contains(name, "CNc1") }); ok {
				t.Errorf("%q: proposals keep %q", groups, space.DataLimits.Require)
			}
		}
		if slices.ContainsFunc(space.DataLimits.Points, func(text string) bool { return strings.HasPrefix(text, "3 ") }) {
			t.Errorf("%q: groups keep %q", groups, space.DataLimits.Points)
		}
		x, err := space.Core.Join([]string{"C1CC1C[*:1]", "F[*:2]", "C[*:3]"})
		if err != nil {
			t.Fatal(err)
		}
		var l molecules.Limits
		if err := setRequired(&l, space.DataLimits.Require); err != nil {
			t.Fatal(err)
		}
		if ok, err := l.Feasible(x); !ok || err != nil {
			t.Errorf("%q: %s is refused, %v, by %q", groups, x, err, space.DataLimits.Require)
		}
	}
}

// A series that is drawn as both tautomers of a core has the same kind of groups at each point, as have proposals, and
// all are compared as one drawing.
func TestCoreOfTautomers(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	own, err := Named("molecules")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, core string
		tautomers  [2]string
		aryl       int // index of the point
	}{
		{"a pyrazole", "[*:1]c1cc([*:2])[nH]n1", [2]string{"c1(AR)cc(AMIDE)[nH]n1", "c1(AR)cc(AMIDE)n[nH]1"}, 0},
		{"an imidazole", "c1nc([*:1])c([*:2])[nH]1", [2]string{"c1(AR)nc[nH]c1AMIDE", "c1(AR)[nH]cnc1AMIDE"}, 0},
		{"an imidazole with three points", "[*:3]c1nc([*:1])c([*:2])[nH]1", [2]string{"c1(AR)[nH]c(C)nc1AMIDE", "c1(AR)nc(C)[nH]c1AMIDE"}, 1},
	} {
		var d Design
		for i, aryl := range []string{"c2ccccc2", "c2ccc(F)cc2", "c2ccc(Cl)cc2", "c2ccc(OC)cc2", "c2cccnc2", "c2ccncc2", "c2ccc(C)cc2", "c2cccc(F)c2", "c2ccc(C#N)cc2", "c2ccsc2", "c2cccc(Cl)c2", "c2ccc(CC)cc2"} {
			amide := []string{"C(=O)NC", "C(=O)NCC", "C(=O)NC3CC3", "C(=O)N3CCOCC3"}[i%4]
			smiles := strings.NewReplacer("AR", aryl, "AMIDE", amide).Replace(test.tautomers[i%2])
			d.Init = append(d.Init, study.Observation{X: canonicalOf(t, smiles), Measurements: study.Measured(float64(-i))})
		}
		p, err := own.Build(t.Context(), own, Options{Measured: true, FromData: true, CoreOptions: CoreOptions{Core: test.core}})
		if err != nil {
			t.Fatal(err)
		}
		space, err := p.Space(d)
		if err != nil {
			t.Fatal(err)
		}
		const note = "drawn as another tautomer: 6;"
		if !strings.Contains(space.Notes.String(), note) {
			t.Errorf("%s: no note %q in %q", test.name, note, space.Notes.String())
		}
		series := func(x string) {
			groups, ok := space.Groups(x)
			if !ok || !strings.Contains(groups[test.aryl], "c") || !strings.Contains(groups[1-test.aryl], "=") { // as an amide
				t.Errorf("%s: %s has the groups %q", test.name, x, groups)
			}
		}
		for _, x := range slices.Concat(d.Strings(), space.Pool(10, rand.New(rand.NewPCG(0, 0)))) {
			series(x)
		}
		var as [2]string // a told molecule
		for i, tautomer := range test.tautomers {
			as[i] = canonicalOf(t, strings.NewReplacer("AR", "c2ccc(Br)cc2", "AMIDE", "C(=O)NCCC").Replace(tautomer))
			series(as[i])
		}
		one, err := space.Read(as[0])
		if err != nil {
			t.Fatal(err)
		}
		other, err := space.Read(as[1])
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(one, other) {
			t.Errorf("%s: %s and %s are compared as two molecules", test.name, as[0], as[1])
		}
	}
}

// Double bonds of linear atoms have no configuration to mark.
func TestUndefined(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	for core, want := range map[string]int{
		"[N-]=[N+]=NCc1ccc([*:1])cc1":         0,
		"[N-]=[N+]=CC(=O)[*:1]":               0,
		"COC(=O)C(=[N+]=[N-])[*:1]":           0,
		"O=C=NCc1ccc([*:1])cc1":               0,
		"S=C=Nc1ccc([*:1])cc1":                0,
		"[*:1]N=C=N[*:2]":                     0,
		"CC=C=C[*:1]":                         0,
		"[N-]=[N+]=NCC(O)c1ccc([*:1])cc1":     1,
		"[N-]=[N+]=NC[C@H](O)c1ccc([*:1])cc1": 0,
		"c1ccccc1N=Nc1ccc([*:1])cc1":          1,
		"C[N+]([O-])=N[*:1]":                  1,
		"CC=C[*:1]":                           1,
		"c1ccc([*:1])cc1":                     0,
	} {
		c, err := molecule.ParseCore(core)
		if err != nil {
			t.Fatal(err)
		}
		if got := undefined(c); got != want {
			t.Errorf("%s: %d undefined, want %d", core, got, want)
		}
	}
}
