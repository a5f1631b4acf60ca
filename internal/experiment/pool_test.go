package experiment

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/molecule"
	corpus "github.com/invbo/invbo/molecule/library"
	"github.com/invbo/invbo/study"
)

// A packed pool is unpacked as it was, and one that another RDKit read, or that is damaged, is not: its file is read
// instead.
func TestPackedPool(t *testing.T) {
	want := &pool{
		xs: []string{"CCO", "CN", "c1ccccc1"}, names: []string{"ethanol, dry", "", `"benzene"`}, columns: []string{"price\n(€)", "vendor"},
		rows: map[string][]string{"CCO": {"1,5", "A"}, "CN": {"", ""}, "c1ccccc1": {" 2 ", "B\n"}},
	}
	packed, err := want.pack()
	if err != nil {
		t.Fatal(err)
	}
	if got := unpack(packed); !reflect.DeepEqual(got, want) {
		t.Errorf("unpacked %+v, want %+v", got, want)
	}
	single := &pool{xs: []string{"C"}, names: []string{""}, columns: []string{}, rows: map[string][]string{"C": {}}}
	if packed, err = single.pack(); err != nil {
		t.Fatal(err)
	}
	if got := unpack(packed); !reflect.DeepEqual(got, single) {
		t.Errorf("unpacked %+v, want %+v", got, single)
	}
	none, err := (&pool{}).pack()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"none": nil, "cut": packed[:len(packed)-3], "text": []byte("CCO\n"), "empty": none, "changed": append(bytes.Clone(packed[:len(packed)-12]), make([]byte, 12)...)} {
		if got := unpack(data); got != nil {
			t.Errorf("%s: %+v, want nothing", name, got)
		}
	}
}

// A study with many molecules to choose from opens with those that it was begun with, and does not read their file again.
func TestPoolIsKeptAsRead(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	if molecule.Available() != nil {
		t.Skip("needs RDKit")
	}
	var file bytes.Buffer
	fmt.Fprintln(&file, "smiles,name,price")
	for i, x := range corpus.SMILES()[:manyMolecules] {
		fmt.Fprintf(&file, "%s.Cl,M-%d,%d\n", x, i, i%7)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "pool.csv")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := []table.Record{{ID: "a", Input: "CCO", State: table.Measured, Score: 1}, {ID: "b", Input: "CCN", State: table.Measured, Score: 2}, {ID: "c", Input: "CCC", State: table.Measured, Score: 3}}
	p, err := RunSpec{Task: "molecules", Options: task.Options{Pool: task.File{Path: path}}}.BuildMeasured(t.Context(), &table.Table{Records: rows})
	if err != nil {
		t.Fatal(err)
	}
	at := Place{File: filepath.Join(dir, "lab.db")}
	e, err := Create(t.Context(), at, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), at.File, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if unpack(again.Spec.asRead) == nil {
		t.Error("the file was read again")
	}
	if len(again.pool.xs) < manyMolecules*9/10 || !reflect.DeepEqual(again.pool, e.pool) {
		t.Errorf("%d molecules, and the first is %s %q; want %d and %s %q", len(again.pool.xs), again.pool.xs[0], again.pool.rows[again.pool.xs[0]],
			len(e.pool.xs), e.pool.xs[0], e.pool.rows[e.pool.xs[0]])
	}
}

// An oracle that does not know the prices of a pool is not asked for them: they leave out strings, and the status says so.
func TestRunWithAConstraintOnThePool(t *testing.T) {
	folder := t.TempDir()
	pool, init := filepath.Join(folder, "pool.csv"), filepath.Join(folder, "init.csv")
	if err := os.WriteFile(pool, []byte("sequence,price\nACDE,9\nACDF,120\nACDG,5\nACDH,100\nACDI,101\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(init, []byte("sequence,activity\nACDK,1\nACDL,2\nACDM,3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	spec := RunSpec{Task: "strings", Init: Init{File: task.File{Path: init}}, Budget: 3, Options: task.Options{
		Pool:        task.File{Path: pool},
		Constraints: []study.Constraint{{Outcome: "price", Op: "<=", Bound: 100}},
		External:    task.External{OracleCmd: `while read x; do echo 1; done`},
	}}
	p, err := spec.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e, err := Create(t.Context(), Place{Folder: filepath.Join(folder, "run")}, p, Options{Run: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r, err := e.Run(t.Context(), Observer{})
	if err != nil {
		t.Fatal(err)
	}
	var proposed []string
	for _, t := range r.Trials {
		if t.Kind == study.Acquired && t.State == study.Scored {
			proposed = append(proposed, t.Input)
		}
	}
	if slices.Sort(proposed); !slices.Equal(proposed, []string{"ACDE", "ACDG", "ACDH"}) {
		t.Errorf("proposed: %q", proposed)
	}
	if got, want := e.Status().String(), "only strings with price<=100 are proposed"; !strings.Contains(got, want) {
		t.Errorf("status lacks %q:\n%s", want, got)
	}
}

// A constraint on a column of the pool leaves out what violates it; cells without a number leave nothing out.
func TestConstraintOnPool(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pool.csv")
	if err := os.WriteFile(path, []byte("sequence;Price (€)\nACDE;9,50\nACDF;€120\nACDG;on request\nACDH;100\nACDI;100,01\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := []table.Record{{Input: "ACDK", State: table.Measured, Score: 1}, {Input: "ACDL", State: table.Measured, Score: 2}, {Input: "ACDM", State: table.Measured, Score: 3}}
	options := func(bound float64) task.Options {
		return task.Options{Pool: task.File{Path: path}, Constraints: []study.Constraint{{Outcome: "price (€)", Op: "<=", Bound: bound}}}
	}
	p, err := RunSpec{Task: "strings", Options: options(100)}.BuildMeasured(t.Context(), &table.Table{Records: rows})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"ACDE", "ACDG", "ACDH"}; !slices.Equal(p.space.Only, want) {
		t.Errorf("may be proposed: %q, want %q", p.space.Only, want)
	}
	if got, want := p.Notes.String(), "column Price (€) violates price (€)<=100, and that are not proposed: 2"; !strings.Contains(got, want) {
		t.Errorf("notes %q lack %q", got, want)
	}
	bounds := options(100)
	data := filepath.Join(t.TempDir(), "data.csv")
	for text, want := range map[string]int{"sequence,activity\nACDK,1\n": 1, "sequence,activity,Price (€)\nACDK,1,3\n": 0} { // unless they are measured
		if err := os.WriteFile(data, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		o := bounds
		if err := o.SetPoolBounds(task.Task{}, task.File{Path: data}); err != nil {
			t.Fatal(err)
		}
		if len(o.PoolBounds) != want || len(o.Constraints) != 1-want {
			t.Errorf("beside %q: bounds of the pool %v, constraints %v", text, o.PoolBounds, o.Constraints)
		}
	}
	bounds.PoolBounds, bounds.Constraints = bounds.Constraints, nil
	if p, err = (RunSpec{Task: "strings", Options: bounds}).BuildMeasured(t.Context(), &table.Table{Records: rows}); err != nil || len(p.space.Only) != 3 {
		t.Errorf("may be proposed: %q, %v, want three", p.space.Only, err)
	}
	if err := os.WriteFile(path, []byte("sequence,price (€)\nACDE,9.50\nACDF,120\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err = (RunSpec{Task: "strings", Options: options(1)}).BuildMeasured(t.Context(), &table.Table{Records: rows}); err == nil || !strings.Contains(err.Error(), "no string of it keeps constraint") {
		t.Errorf("error %v", err)
	}
}
