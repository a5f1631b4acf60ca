package experiment_test

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/molecule"
)

// amides are measured molecules, and a peptide that is the best.
func amides() []table.Record {
	var rows []table.Record
	for i, x := range []string{
		"CC(=O)Nc1ccc(O)cc1", "COc1ccc(CCN)cc1", "Cc1ccc(C(=O)NC2CC2)cc1", "O=C(NC1CCNCC1)c1ccc(F)cc1", "O=C(NC1CCNCC1)c1ccc(Cl)cc1", "O=C(NC1CCNCC1)c1ccncc1",
		"O=C(NC1CCCCC1)c1ccc(F)cc1", "CN1CCC(NC(=O)c2ccc(F)cc2)CC1", "O=C(Nc1ccccc1)c1ccc(F)cc1", strings.Repeat("NC(C)C(=O)", 12) + "O",
	} {
		rows = append(rows, table.Record{Line: i + 2, ID: fmt.Sprintf("A-%d", i+1), Input: x, State: table.Measured, Score: 5 + 0.3*float64(i)})
	}
	return rows
}

// Proposals of a study keep within the bulk of what was measured, match no alert, and say what holds; what is given
// holds instead, also after the study was opened again.
func TestLimitsFromTheData(t *testing.T) {
	needRDKit(t)
	if testing.Short() {
		t.Skip("long")
	}
	for _, test := range []struct {
		name    string
		options task.Options
		limits  string // those that are not given
		within  func(m *molecule.Molecule) bool
	}{
		{"none given", task.Options{}, "weight sa charge rings centers alerts", func(m *molecule.Molecule) bool { return m.Weight() < 300 && m.Charge() == 0 && m.Rings() <= 3 }},
		{"a weight", task.Options{Bounds: task.Bounds{Weight: task.Range{Min: 240, Max: 300}}}, "sa charge rings centers alerts", func(m *molecule.Molecule) bool { return m.Weight() >= 240 && m.Weight() <= 300 }},
		{"no alerts, and no more than two rings", task.Options{Alerts: task.Alerts{Named: task.NoAlerts}, Bounds: task.Bounds{Rings: "2"}}, "weight sa charge centers", func(m *molecule.Molecule) bool { return m.Rings() == 2 }},
	} {
		p, err := experiment.RunSpec{Task: "molecules", Options: test.options}.BuildMeasured(t.Context(), &table.Table{Records: amides()})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, l := range p.Limits() {
			names = append(names, string(l.Name))
		}
		if got := strings.Join(names, " "); got != test.limits {
			t.Errorf("%s: limits from the data on %s, want %s", test.name, got, test.limits)
		}
		at := experiment.Place{File: filepath.Join(t.TempDir(), "lab.db")}
		e, err := experiment.Create(t.Context(), at, p, experiment.Options{})
		if err != nil {
			t.Fatal(err)
		}
		before := e.Limits()
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		if e, err = experiment.Open(t.Context(), at.File, experiment.Options{}); err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		if !slices.Equal(e.Limits(), before) {
			t.Errorf("%s: opened again, the limits are %v, want %v", test.name, e.Limits(), before)
		}
		asked, err := e.Ask(t.Context(), 4)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range asked {
			m, err := molecule.Parse(p.Input)
			if err != nil {
				t.Fatal(err)
			}
			if !test.within(m) {
				t.Errorf("%s: %s is proposed", test.name, p.Input)
			}
			m.Close()
		}
	}
}

// Where nothing passes, the error says which limit refuses how many.
func TestNothingPasses(t *testing.T) {
	needRDKit(t)
	_, err := experiment.RunSpec{Task: "molecules", Options: task.Options{Bounds: task.Bounds{Weight: task.Range{Min: 900, Max: 901}}}}.BuildMeasured(t.Context(), &table.Table{Records: amides()})
	plain := func(n option.Name) string { return "--" + string(n) }
	if err == nil || !strings.Contains(option.Say(err, plain), "none of 10 initial molecules and of 2000 from the built-in library passes; they are refused by --weight 900:901 (2010); ") {
		t.Errorf("error %v, want one that counts what limits refuse", err)
	}
}

// Complexes with dative bonds, which no operator changes, are named, with how to write them.
func TestDativeBondsAreNamed(t *testing.T) {
	needRDKit(t)
	records := amides()
	p, err := experiment.RunSpec{Task: "molecules"}.BuildMeasured(t.Context(), &table.Table{Records: records})
	if err != nil || strings.Contains(p.Notes.String(), "dative") {
		t.Errorf("notes %q, %v", p.Notes.String(), err)
	}
	records[0].Input = "Cl[Pt](Cl)(<-N)<-N"
	p, err = experiment.RunSpec{Task: "molecules"}.BuildMeasured(t.Context(), &table.Table{Records: records})
	if want := "dative bonds: in 1 of 10 molecules"; err != nil || !strings.Contains(p.Notes.String(), want) {
		t.Errorf("notes %q, %v, want %q", p.Notes.String(), err, want)
	}
}

// Specifications of runs differ by the limits that were given, not by those that the data gave. A run of another method
// has none.
func TestKeysOfLimits(t *testing.T) {
	key := func(s experiment.RunSpec) string {
		r, err := s.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		return r.Key()
	}
	plain := experiment.RunSpec{Task: "med2", Init: experiment.Init{Library: 10}}
	taken, none, soft := plain, plain, plain
	taken.DataLimits = &task.DataLimits{Bounds: task.Bounds{Weight: task.Range{Min: 1, Max: 2}}}
	none.Alerts.Named = task.NoAlerts
	soft.SA = task.Range{Min: math.Inf(-1), Max: 4}
	if key(plain) != key(taken) || key(plain) == key(none) || key(plain) == key(soft) {
		t.Errorf("keys %s, %s, %s and %s", key(plain), key(taken), key(none), key(soft))
	}
	if k := key(experiment.RunSpec{Task: "med2", Method: "gbga", Init: experiment.Init{File: task.File{Path: "x", SHA256: "0"}}}); strings.Contains(k, "alerts") || strings.Contains(k, "from_data") {
		t.Errorf("another method has limits: %s", k)
	}
	for _, part := range []string{"alerts", "access", "bulk"} {
		if key(experiment.RunSpec{Task: "med2", Method: "evolve-" + part, Init: experiment.Init{Library: 10}}) == key(plain) {
			t.Errorf("evolve-%s is evolve", part)
		}
	}
}

// Proposals of a study on a series keep its group and stay near it, also after the study was opened again.
func TestLimitsOfASeries(t *testing.T) {
	needRDKit(t)
	if testing.Short() {
		t.Skip("long")
	}
	var rows []table.Record
	for i, x := range []string{"CC(=O)Nc1ccccc1", "CC(=O)Nc1ccc(F)cc1", "CC(=O)Nc1ccc(OC)cc1", "CC(=O)Nc1ccc(Cl)cc1", "CC(=O)Nc1ccc(C)c(Cl)c1", "CCC(=O)Nc1ccc(Cl)cc1"} {
		rows = append(rows, table.Record{Line: i + 2, ID: fmt.Sprintf("A-%d", i+1), Input: x, State: table.Measured, Score: 5 + 0.3*float64(i)})
	}
	p, err := experiment.RunSpec{Task: "molecules"}.BuildMeasured(t.Context(), &table.Table{Records: rows})
	if err != nil {
		t.Fatal(err)
	}
	before := p.Limits()
	at := experiment.Place{File: filepath.Join(t.TempDir(), "lab.db")}
	e, err := experiment.Create(t.Context(), at, p, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if e, err = experiment.Open(t.Context(), at.File, experiment.Options{}); err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if after := e.Limits(); !slices.Equal(after, before) || !slices.Contains(after, option.Setting{Name: "require", Value: "anilide,1 scaffold:CC(=O)Nc1ccccc1"}) {
		t.Errorf("limits %v, opened again %v; want the same, and anilides", before, after)
	}
	anilide, err := e.Contains("c-N-C=O")
	if err != nil {
		t.Fatal(err)
	}
	asked, err := e.Ask(t.Context(), 6)
	if err != nil || len(asked) != 6 {
		t.Fatalf("%d proposals (%v), want 6", len(asked), err)
	}
	for _, p := range asked {
		most := 0.0
		for _, r := range rows {
			alike, err := e.Like(r.Input)
			if err != nil {
				t.Fatal(err)
			}
			s, err := alike(p.Input)
			if err != nil {
				t.Fatal(err)
			}
			most = max(most, s)
		}
		if ok, err := anilide(p.Input); err != nil || !ok || most < 0.4 {
			t.Errorf("%s is proposed, similarity %.2f (%v)", p.Input, most, err)
		}
	}
}
