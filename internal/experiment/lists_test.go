package experiment_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/study"
)

// lists is a table of lists of a ligand, a base and a temperature.
func lists() string {
	rows := "conditions,yield\n"
	for i, ligand := range []string{"XPhos", "SPhos", "dppf"} {
		for j, base := range []string{"Cs2CO3", "K3PO4", "DBU"} {
			for k, temperature := range []string{"60 C", "80 C", "100 C"} {
				if (i+j+k)%2 == 0 {
					rows += ligand + " | " + base + " | " + temperature + "," + string(rune('1'+i*3+j+k)) + "\n"
				}
			}
		}
	}
	return rows
}

func beginLists(t *testing.T, spec experiment.RunSpec) (*experiment.Experiment, string) {
	t.Helper()
	return beginTable(t, lists(), spec)
}

// beginTable begins a study of a table.
func beginTable(t *testing.T, rows string, spec experiment.RunSpec) (*experiment.Experiment, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lab.db")
	read, err := table.Read(t.Context(), strings.NewReader(rows), table.Options{Sequences: table.Detect, Alike: task.Alike("", nil), Scored: true})
	if err != nil {
		t.Fatal(err)
	}
	spec.Task = "strings"
	p, err := spec.BuildMeasured(t.Context(), read)
	if err != nil {
		t.Fatal(err)
	}
	e, err := experiment.Create(t.Context(), experiment.Place{File: path}, p, experiment.Options{Columns: experiment.Columns{Columns: read.Columns}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e, path
}

// A list that is told in another spelling is the one that was asked for, and one of another structure, even as the
// best, changes no proposal.
func TestToldLists(t *testing.T) {
	e, path := beginLists(t, experiment.RunSpec{})
	asked, err := e.Ask(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	o, err := e.TableOptions()
	if err != nil {
		t.Fatal(err)
	}
	other := strings.ReplaceAll(asked[0].X, " | ", "|")
	rows := "conditions,yield\n" + other + ",5\nunknown,99\nXPhos | DBU,98\nXPhos; DBU; 60 C,97\n"
	read, err := table.Read(t.Context(), strings.NewReader(rows), o)
	if err != nil {
		t.Fatal(err)
	}
	told, err := e.Tell(t.Context(), read.Records, false)
	if err != nil {
		t.Fatal(err)
	}
	if told[0].Trial != asked[0].ID || told[0].Apart {
		t.Errorf("%q is told to trial %d, want %d; apart %t", other, told[0].Trial, asked[0].ID, told[0].Apart)
	}
	for _, row := range told[1:] {
		if !row.Apart || row.Odd == "" {
			t.Errorf("%q is not set apart", row.Input)
		}
	}
	for range 2 {
		more, err := e.Ask(t.Context(), 4)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range more {
			if items := strings.Split(p.X, " | "); len(items) != 3 || !strings.HasSuffix(items[2], "0 C") || !strings.Contains("XPhos SPhos dppf", items[0]) {
				t.Errorf("%q is proposed", p.X)
			}
		}
		if _, err := e.WithdrawAll(t.Context(), "none"); err != nil {
			t.Fatal(err)
		}
		e = reopen(t, e, path)
	}
}

// A list that differs in case alone from a proposal is refused with its name, unless the row has that or another one.
func TestToldInAnotherCase(t *testing.T) {
	for _, test := range []struct {
		name, id    string
		refused, of bool // of the proposal
	}{
		{"no name", "", true, false},
		{"that of the proposal", "15", false, true},
		{"another", "mine", false, false},
	} {
		e, _ := beginLists(t, experiment.RunSpec{})
		asked, err := e.Ask(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		o, err := e.TableOptions()
		if err != nil {
			t.Fatal(err)
		}
		read, err := table.Read(t.Context(), strings.NewReader("id,conditions,yield\n"+test.id+","+strings.ToLower(asked[0].X)+",5\nx1,XPhos | NaOH | 60 C,4\n"), o)
		if err != nil {
			t.Fatal(err)
		}
		told, err := e.Tell(t.Context(), read.Records, false)
		if err != nil {
			t.Fatal(err)
		}
		refused := told[0].What == experiment.Refused && strings.Contains(told[0].Why, "in case alone from proposal 15")
		if refused != test.refused || (told[0].Trial == asked[0].ID) != test.of || told[0].Taken() == test.refused {
			t.Errorf("%s: %s, trial %d", test.name, told[0], told[0].Trial)
		}
		if said := strings.Contains(strings.Join(told[0].Remarks(), "\n"), "in case alone"); said == (test.refused || test.of) {
			t.Errorf("%s: remarks are %q", test.name, told[0].Remarks())
		}
	}
}

// Settings with the keys of a proposal in another order are not taken for it.
func TestToldInAnotherOrder(t *testing.T) {
	rows := "recipe,score\n"
	for i := range 9 {
		rows += fmt.Sprintf("anneal=%d;etch=%d;dope=%d,%d\n", 300+100*(i%3), 10+10*(i/3), 1+i%2, i)
	}
	e, _ := beginTable(t, rows, experiment.RunSpec{})
	asked, err := e.Ask(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	o, err := e.TableOptions()
	if err != nil {
		t.Fatal(err)
	}
	keys := strings.Split(asked[0].X, ";")
	read, err := table.Read(t.Context(), strings.NewReader("recipe,score\n"+keys[1]+"; "+keys[0]+";"+keys[2]+",5\n"), o)
	if err != nil {
		t.Fatal(err)
	}
	told, err := e.Tell(t.Context(), read.Records, false)
	if err != nil {
		t.Fatal(err)
	}
	if told[0].What != experiment.Refused || !strings.Contains(told[0].Why, "in the order of its keys alone from proposal 10") {
		t.Errorf("%s", told[0])
	}
}

// A pool in another case is another one; one in another spelling offers what was measured no more.
func TestPoolOfLists(t *testing.T) {
	pool := filepath.Join(t.TempDir(), "pool.csv")
	text := "conditions\nRuPhos|DBU|60 C\nRUPHOS|DBU|60 C\n"
	known := 0
	for line := range strings.Lines(lists()) {
		if x, _, ok := strings.Cut(line, ","); ok && strings.Contains(x, "|") {
			text += strings.ReplaceAll(x, " | ", "|") + "\n"
			known++
		}
	}
	if err := os.WriteFile(pool, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	e, _ := beginLists(t, experiment.RunSpec{Options: task.Options{Pool: task.File{Path: pool}}})
	var asked []study.Proposal
	asked, err := e.Ask(t.Context(), 2+known)
	if len(asked) != 2 {
		t.Errorf("%d strings of the pool are proposed, want 2: %v", len(asked), err)
	}
}
