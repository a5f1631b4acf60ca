package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
)

// A table that every command reads.
type anyTable struct {
	name, content string // of a file; without a content it is there
	score         string // its column, if that has to be said; table.NoScores if there is none
	wildType      string
	failed        []string // strings whose measurement has failed, cannot be read or is of another kind: an initial design leaves them out
}

var ownTables = []anyTable{
	{"semicolons, decimal commas, salts and a broken row.txt", "Compound;Structure;pIC50\nA 1;CCO.Cl;5,5\nA 2;c1ccccc1;6,25\nA 3;C1CC;7\nA 4;OCC;5,75\nA 5;[Na+].CC(=O)[O-];\nA 6;NCC;4,5\n", "", "", nil},
	{"lines with a title, comments and names.smi", "SMILES name score\n# measured in May\nCCO ethanol 5.5\nc1ccccc1 benzene 6.25\nNCC ethylamine 4\n", "", "", nil},
	{"names first.tsv", "ethanol\tCCO\t5.5\nbenzene\tc1ccccc1\t6.25\nethylamine\tNCC\t4.5\n", "", "", nil},
	{"blanks and tabs before names.smi", "CCO ethanol\nc1ccccc1\tbenzene, pure\nNCC\n", "none", "", nil},
	{"SELFIES alone.csv", "selfies,score\n[O][C][C],5.5\n[C][=C][C][=C][C][=C][Ring1][=Branch1],6.25\n[N][C][C],4\n", "", "", nil},
	{"SELFIES beside SMILES.csv", "smiles,selfies,score\nOCC,[C][C][O],5.5\nC1=CC=CC=C1,[C][=C][C][=C][C][=C][Ring1][=Branch1],6.25\nNCC,[N][C][C],4\n", "", "", nil},
	{"what failed, is missing or is a bound.csv", "smiles,score\nCCO,5.5\nCCN,\nCCC,failed: lost\nCCS,>7\nc1ccccc1,n.d.\nCCF,6.5\n", "", "", []string{"CCC"}},
	{"a last line that is cut.csv", "smiles,score,kind\nCCO,5.5,initial\nCCN,6.5,initial\nCCC,7.2", "", "", nil},
	{"sequences.csv", "sequence,activity\nMKTAYV,1.5\nmktayl,2.5\nMKTAYX,3\nMKT AYF*,0.5\n", "", "", nil},
	{"sequences.fasta", ">wt\nMKTAYV\n>a\nMKTAYL\n>b\nMKTAYI\n", "none", "", nil},
	{"mutants.csv", "mutant,score\nK2R,1\nT3S:A4G,2\np.Tyr5Phe,3\nWT,0.5\n", "", "MKTAYIAKQRQI", nil},
	{"strings of digits.csv", "string;score\n0110;1,5\n1010;2,5\n0011;0,5\n", "", "", nil},
	{"../../internal/table/testdata/table.csv", "", "", "", []string{"Cn1c(=O)c2c(ncn2C)n(C)c1=O", "[2H]C([2H])([2H])NC"}},
	{"../../internal/table/testdata/compounds.smi", "", "none", "", nil},
	{"../../internal/table/testdata/compounds.sdf", "", "", "", nil},
	{"../../internal/table/testdata/table.xlsx", "", "", "", nil},
	{"../../internal/table/testdata/latin1.csv", "", "", "", nil},
	{"../../internal/table/testdata/utf16.txt", "", "", "", nil},
	{"../../internal/table/testdata/bom.csv.gz", "", "", "", nil},
	{"../../internal/table/testdata/variants.fasta", "", "none", "", nil},
}

// sharedTables are those of ../shared/cases, which a checkout may lack.
func sharedTables(t *testing.T) (all []anyTable) {
	scores := map[string]string{
		"identifier.csv": "NSC", "integers.csv": "foo", "replicates.csv": "rep1", "wells.csv": "IC50_mean", "repeated-rows.csv": "IC50", "library.sdf": "none", "relation.csv": "standard_value",
		"told-by-mutant.csv": "none",
	}
	setAside := map[string][]string{"chembl-export.csv": {"CCCCc1ccccc1"}} // measured otherwise
	wildTypes := []string{"scramble.csv", "hgvs.csv", "contradiction.csv", "told-by-mutant.csv"}
	for _, folder := range []string{"tables", "molecules", "proteins"} {
		files, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "cases", folder, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name := filepath.Base(file)
			c := anyTable{name: file, score: scores[name], failed: setAside[name]}
			if slices.Contains(wildTypes, name) {
				c.wildType = "MKTAYIAKQRQI"
			}
			all = append(all, c)
		}
	}
	return all
}

// TestOneTable reads the same file as a study, as an initial design, to score it and as a library: these must be the
// same strings, in the same order, with the same scores.
func TestOneTable(t *testing.T) {
	all := ownTables
	if !testing.Short() {
		all = append(slices.Clone(all), sharedTables(t)...)
	}
	for _, c := range all {
		t.Run(filepath.Base(c.name), func(t *testing.T) {
			t.Parallel()
			c.check(t)
		})
	}
}

func (c anyTable) check(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "run")
	file, err := filepath.Abs(c.name)
	if err != nil {
		t.Fatal(err)
	}
	if c.content != "" {
		file = filepath.Join(dir, c.name)
		if err := os.WriteFile(file, []byte(c.content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var columns, mutants []string
	if c.score != "" {
		columns = []string{"--score", c.score}
	}
	if c.wildType != "" {
		mutants = []string{"--wild-type", c.wildType}
	}
	guess, err := task.Guess(task.File{Path: file}, tableOptions(c.wildType))
	if err != nil {
		guess = task.OwnStrings
	}
	if guess == task.OwnStrings && molecule.Available() != nil && c.wildType == "" && !strings.Contains(c.name, "sequences") {
		t.Skip("without RDKit molecules are not told from other strings")
	}
	const oracle = "sed s/.*/-1e6/"
	scored, scoredErr := program(t, slices.Concat([]string{"score", "--oracle-cmd", oracle}, mutants, []string{file})...)
	method := map[string]string{task.OwnMolecules: "gbga", task.OwnStrings: "ga"}[guess]
	_, runErr := program(t, slices.Concat([]string{"run", "--task", guess, "--method", method, "--oracle-cmd", oracle, "--budget", "1", "--init", file, "--out", out}, columns, mutants)...)
	if scoredErr != nil && runErr == nil {
		t.Fatalf("run reads what score refuses: %v", scoredErr)
	}
	if runErr != nil {
		if _, err := program(t, slices.Concat([]string{"new", filepath.Join(dir, "new.db"), "--data", file, "--maximize"}, columns, mutants)...); err == nil {
			t.Errorf("new reads what run and score refuse: %v", runErr)
		}
		t.Log(runErr)
		return
	}
	text, err := os.ReadFile(filepath.Join(out, "trials.csv"))
	if err != nil {
		t.Fatal(err)
	}
	run := initial(string(text))
	strings := distinct(column(scored, "x"))
	if want := ordered(strings, run, c.failed); !slices.Equal(column(run, "x", "smiles"), want) {
		t.Errorf("score has %q, and run %q", want, column(run, "x", "smiles"))
	}
	if c.score != "none" {
		c.compareStudy(t, filepath.Join(dir, "new.db"), file, run, slices.Concat(columns, mutants))
	}
	if guess == task.OwnMolecules {
		out := filepath.Join(dir, "library")
		_, err := program(t, "run", "--task", "qed", "--method", "evolve:implausible=true", "--budget", "1", "--library", file, "--init", strconv.Itoa(len(strings)), "--out", out)
		text, readErr := os.ReadFile(filepath.Join(out, "trials.csv"))
		if err = errors.Join(err, readErr); err != nil {
			t.Fatal(err)
		}
		drawn := column(initial(string(text)), "smiles")
		if slices.Sort(drawn); !slices.Equal(drawn, slices.Sorted(slices.Values(strings))) {
			t.Errorf("score has %q, and the library %q", strings, drawn)
		}
	}
}

// compareStudy compares the scores that an initial design begins with to those of a study.
func (c anyTable) compareStudy(t *testing.T, study, file string, run [][]string, flags []string) {
	if _, err := program(t, slices.Concat([]string{"new", study, "--data", file, "--maximize"}, flags)...); err != nil {
		t.Log(err) // too few scores, or a question
		return
	}
	if _, err := program(t, "export", study, study+".csv"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(study + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	records := parse(string(text))
	var order []string
	measured := map[string][]float64{}
	state := slices.Index(records[0], "state")
	for _, r := range records[1:] {
		if v, err := strconv.ParseFloat(strings.TrimLeft(r[3], "<>"), 64); err == nil && r[state] == "measured" {
			if measured[r[2]] == nil {
				order = append(order, r[2])
			}
			measured[r[2]] = append(measured[r[2]], v)
		}
	}
	xs, scores, called := column(run, "x", "smiles"), column(run, "score"), column(run, "called")
	var known []string
	for i, x := range xs {
		if called[i] == "true" {
			continue
		}
		known = append(known, x)
		v, err := strconv.ParseFloat(strings.TrimLeft(scores[i], "<>"), 64)
		if mean := mean(measured[x]); err != nil || !(math.Abs(v-mean) <= 1e-3*(1+math.Abs(mean))) {
			t.Errorf("%s has the score %s in run, and %v in new", x, scores[i], measured[x])
		}
	}
	if !slices.Equal(known, order) {
		t.Errorf("new has scores of %q, and run of %q", order, known)
	}
}

// ordered returns strings as trials have them: those with a known score first. Those of failed are left out.
func ordered(all []string, run [][]string, failed []string) (order []string) {
	called := map[string]string{}
	for i, x := range column(run, "x", "smiles") {
		called[x] = column(run, "called")[i]
	}
	for _, now := range []string{"false", "true"} {
		for _, x := range all {
			if !slices.Contains(failed, x) && cmp.Or(called[x], "true") == now {
				order = append(order, x)
			}
		}
	}
	return order
}

// program runs a command in this process, which spares a start of invbo for each of hundreds, and returns the records
// that it prints and the error in what the user gave.
func program(t *testing.T, args ...string) ([][]string, error) {
	t.Helper()
	c := root()
	var out bytes.Buffer
	c.SetOut(&out)
	c.SetArgs(args)
	err := c.ExecuteContext(t.Context())
	if err != nil && !usage.Is(err) {
		t.Fatalf("invbo %s: %v", strings.Join(args, " "), err)
	}
	return parse(out.String()), err
}

func parse(text string) [][]string {
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return nil
	}
	return records
}

// initial returns the initial design of trials.csv, with its header.
func initial(text string) [][]string {
	all := parse(text)
	return slices.DeleteFunc(all, func(r []string) bool { return r[2] != "kind" && r[2] != "initial" })
}

// column returns the cells of the first column that has one of these names.
func column(records [][]string, names ...string) (cells []string) {
	for _, name := range names {
		if len(records) == 0 || !slices.Contains(records[0], name) {
			continue
		}
		at := slices.Index(records[0], name)
		for _, r := range records[1:] {
			cells = append(cells, r[at])
		}
		break
	}
	return cells
}

// distinct returns strings, each once.
func distinct(all []string) (once []string) {
	for _, s := range all {
		if !slices.Contains(once, s) {
			once = append(once, s)
		}
	}
	return once
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func tableOptions(wildType string) table.Options { return table.Options{WildType: wildType} }
