package experiment_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/store/sqlite"
)

func needRDKit(t *testing.T) {
	t.Helper()
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
}

// alcohols are measured molecules.
func alcohols() []table.Record {
	var rows []table.Record
	for i, x := range []string{"CCO", "CCCO", "OCCCO", "Oc1ccccc1"} {
		rows = append(rows, table.Record{Line: i + 2, ID: fmt.Sprintf("A-%d", i+1), Input: x, State: table.Measured, Score: float64(i)})
	}
	return rows
}

// A table of proposals of molecules names the most similar measured one, by ECFP4, and a picture shows them.
func TestMoleculesThatAreProposed(t *testing.T) {
	needRDKit(t)
	p, err := experiment.RunSpec{Task: "molecules", Method: "gbga"}.BuildMeasured(t.Context(), &table.Table{Records: alcohols()})
	if err != nil {
		t.Fatal(err)
	}
	e, err := experiment.Create(t.Context(), experiment.Place{File: filepath.Join(t.TempDir(), "lab.db")}, p, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	asked, err := e.Ask(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := e.Sheet(asked)
	if err != nil {
		t.Fatal(err)
	}
	var text, svg bytes.Buffer
	if err := sheet.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&text).ReadAll()
	if err != nil || strings.Join(rows[0], " ") != "id SMILES predicted predicted_sd nearest similarity weight sa undefined_centers alerts score" || len(rows) != len(asked)+1 {
		t.Fatalf("%v, %v", rows, err)
	}
	print := func(smiles string) molecule.Counts {
		m, err := molecule.Parse(smiles)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		return m.ECFP(2)
	}
	for i, row := range rows[1:] {
		best, name := -1.0, ""
		for _, known := range alcohols() {
			if v := molecule.Tanimoto(print(asked[i].Input), print(known.Input)); v > best {
				best, name = v, known.ID
			}
		}
		if v, err := strconv.ParseFloat(row[5], 64); row[0] != e.Name(asked[i]) || row[1] != asked[i].Input || row[4] != name || err != nil || math.Abs(v-best) > 0.005 || row[10] != "" {
			t.Errorf("%v, want %s with %g", row, name, best)
		}
		m, err := molecule.Parse(row[1])
		if err != nil {
			t.Fatal(err)
		}
		if weight, err := strconv.ParseFloat(row[6], 64); err != nil || math.Abs(weight-m.Weight()) > 0.1 || row[8] != strconv.Itoa(m.Undefined()) {
			t.Errorf("%v, want a weight of %g and %d undefined centers", row, m.Weight(), m.Undefined())
		}
		m.Close()
	}
	if err := e.Draw(&svg, asked); err != nil || !strings.Contains(svg.String(), "</svg>") {
		t.Errorf("%v: %s", err, &svg)
	}
	if err := e.Draw(&svg, append(asked[:1:1], e.All()[0].Proposal)); err != nil {
		t.Error(err)
	}
	bad := asked[0]
	bad.Input = "C("
	if err := e.Draw(&svg, append(asked[:1:1], bad)); err == nil || !strings.Contains(err.Error(), "draw C(") {
		t.Errorf("error %v", err)
	}
}

// A search in latent space writes molecules otherwise than people, who tell SMILES.
func TestTellARunInLatentSpace(t *testing.T) {
	needRDKit(t)
	file := task.File{Path: write(t, filepath.Join(t.TempDir(), "init.csv"), "smiles\nCCO\nCCN\nCCC\n")}
	e, err := experiment.Create(t.Context(), experiment.Place{}, build(t, experiment.RunSpec{Task: "med2", Method: "turbo", Init: experiment.Init{File: file}}), experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, test := range [][2]string{{"CCCO", "1 measured"}, {"OCCC", "1 known already"}, {"C(", "0 not taken: "}} {
		if got := tell(t, e, false, table.Record{Input: test[0], Score: 0.5}); !strings.HasPrefix(got, test[1]) {
			t.Errorf("%s: %s, want %s", test[0], got, test[1])
		}
	}
	if known := e.All()[0]; known.Input != "CCCO" || known.X != "[C][C][C][O]" {
		t.Errorf("%+v", known)
	}
}

// A study of an earlier version holds no initial design: its file is read as that version did, which kept salts.
func TestStudyOfAnEarlierVersion(t *testing.T) {
	needRDKit(t)
	file := task.File{Path: write(t, filepath.Join(t.TempDir(), "init.csv"), "smiles,score\nCCO.Cl,1\nCCN,2\nCCC,3\n")}
	spec := experiment.RunSpec{Task: "molecules", Method: "gbga", Init: experiment.Init{File: file}, Options: task.Options{External: task.External{OracleCmd: "cat"}}}
	p := build(t, spec)
	if x := p.Problem.Init[0].X; x != "CCO" {
		t.Errorf("today a salt is read as %s", x)
	}
	record, err := json.Marshal(map[string]any{"spec": p.Spec, "files": map[string]any{"init": map[string]string{"path": file.Path}}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "old.db")
	f, err := sqlite.Create(t.Context(), path, sqlite.Meta{Specification: record, Program: "v0"})
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	open(t, path, experiment.Options{Run: true}, func(e *experiment.Experiment) {
		if x := e.Problem.Init[0].X; x != "CCO.Cl" {
			t.Errorf("then it was read as %s", x)
		}
	})
	write(t, file.Path, "smiles,score\nCCO,1\nCCN,2\n")
	if _, err := experiment.Open(t.Context(), path, experiment.Options{}); err == nil || !strings.Contains(err.Error(), "which has changed since it began; put the old one back") {
		t.Errorf("another file: %v", err)
	}
	if err := os.Remove(file.Path); err != nil {
		t.Fatal(err)
	}
	if _, err := experiment.Open(t.Context(), path, experiment.Options{}); err == nil || !strings.Contains(err.Error(), "put it back") {
		t.Errorf("no file: %v", err)
	}
}
