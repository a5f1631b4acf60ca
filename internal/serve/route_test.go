package serve

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/molecule"
)

// A proposal of a study with building blocks has its route, also after the study was opened anew; what was measured
// before has none.
func TestRoutes(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	blocks := filepath.Join(dir, "blocks.csv")
	const text = "id,SMILES,price\nB1,CC(=O)O,5.5\nB2,O=C(O)c1ccccc1,8\nB3,NCc1ccccc1,12\nB4,C1COCCN1,3\nB5,NCC1CC1,4\n"
	if err := os.WriteFile(blocks, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	spec := experiment.RunSpec{Task: task.OwnMolecules}
	spec.Implausible = true
	spec.Blocks = task.File{Path: blocks}
	rows := []table.Record{
		{Line: 2, ID: "M1", Input: "CC(=O)Nc1ccccc1", State: table.Measured, Score: 1},
		{Line: 3, ID: "M2", Input: "CC(=O)NCc1ccccc1", State: table.Measured, Score: 2},
	}
	p, err := spec.BuildMeasured(t.Context(), &table.Table{Records: rows})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "lab.db")
	e, err := experiment.Create(t.Context(), experiment.Place{File: path}, p, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(blocks); err != nil { // the study holds it
		t.Fatal(err)
	}
	a := api(open(t, path, Options{}))
	asked := askOne(t, a)
	route := asked.Route
	if route == nil || len(route.Steps) == 0 {
		t.Fatalf("no route: %+v", asked)
	}
	last := route.Steps[len(route.Steps)-1]
	if last.Product != asked.Input || !strings.Contains(route.Text, last.Reaction) || route.Price == nil {
		t.Errorf("route %+v of %s", *route, asked.Input)
	}
	if first := route.Steps[0].Reactants[0]; first.Block == "" || first.Price == nil || first.SMILES == "" {
		t.Errorf("reactant %+v, want a block with its name and price", first)
	}
	status, body := call(t, a, "GET", "/studies/lab/trials", "")
	var all TrialsResponse
	if err := json.Unmarshal([]byte(body), &all); status != 200 || err != nil || len(all.Trials) != 3 {
		t.Fatalf("%d %s", status, body)
	}
	if all.Trials[0].Route != nil || all.Trials[2].Route == nil || all.Trials[2].Route.Text != route.Text {
		t.Errorf("trials %s", body)
	}
}

// A proposal of a study with a core has its groups; what was measured and has not the core has none.
func TestGroups(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	spec := experiment.RunSpec{Task: task.OwnMolecules}
	spec.Core = "O=C(N[*:1])c1ccc([*:2])cc1"
	var rows []table.Record
	for i, smiles := range []string{"CNC(=O)c1ccc(C)cc1", "CCNC(=O)c1ccc(F)cc1", "CC(C)NC(=O)c1ccc(C)cc1", "CCCNC(=O)c1ccc(Cl)cc1", "CCO"} {
		rows = append(rows, table.Record{Line: i + 2, Input: smiles, State: table.Measured, Score: float64(i)})
	}
	p, err := spec.BuildMeasured(t.Context(), &table.Table{Records: rows})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "lab.db")
	e, err := experiment.Create(t.Context(), experiment.Place{File: path}, p, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	a := api(open(t, path, Options{}))
	asked := askOne(t, a)
	if groups := asked.Groups; !strings.Contains(groups["R1"], "[*:1]") || !strings.Contains(groups["R2"], "[*:2]") {
		t.Errorf("groups %v of %s", groups, asked.Input)
	}
	_, body := call(t, a, "GET", "/studies/lab/trials", "")
	var all TrialsResponse
	if err := json.Unmarshal([]byte(body), &all); err != nil || len(all.Trials) != 6 {
		t.Fatal(body)
	}
	if all.Trials[0].Groups["R2"] != "C[*:2]" || all.Trials[4].Groups != nil {
		t.Errorf("groups %v of toluamide, and %v of ethanol", all.Trials[0].Groups, all.Trials[4].Groups)
	}
}

// askOne returns a new proposal of the study lab.
func askOne(t *testing.T, a *API) Lent {
	t.Helper()
	status, body := call(t, a, "POST", "/studies/lab/ask", `{"n": 1}`)
	var asked AskResponse
	if err := json.Unmarshal([]byte(body), &asked); status != 200 || err != nil || len(asked.Proposals) != 1 {
		t.Fatalf("%d %s", status, body)
	}
	return asked.Proposals[0]
}
