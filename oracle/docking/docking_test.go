//go:build rdkit && cgo

package docking_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/docking"
	"github.com/invbo/invbo/oracle/oracletest"
)

// cage returns options for a tiny receptor, with sufficient exhaustiveness.
func cage() docking.Options {
	return docking.Options{
		Receptor:       filepath.Join("testdata", "cage.pdbqt"),
		Box:            filepath.Join("testdata", "box.txt"),
		Exhaustiveness: 1,
	}
}

// newReal returns an Oracle with the installed programs. The test fails if it leaves files in TMPDIR.
func newReal(t *testing.T, opts docking.Options) *docking.Oracle {
	t.Helper()
	for _, program := range []string{"vina", "obabel"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%v: apt-get install autodock-vina openbabel", err)
		}
	}
	return newOracle(t, opts)
}

// standIns returns opts with the programs of testdata, whose behaviour is chosen by the variable FAKE.
func standIns(t *testing.T, opts docking.Options) docking.Options {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-ins for Vina and Open Babel are shell scripts")
	}
	opts.Vina, opts.OpenBabel = filepath.Join("testdata", "vina"), filepath.Join("testdata", "obabel")
	return opts
}

// newFake returns an Oracle with the stand-ins, which work during New and then behave as fake says.
func newFake(t *testing.T, fake string, opts docking.Options) *docking.Oracle {
	t.Helper()
	o := newOracle(t, standIns(t, opts))
	t.Setenv("FAKE", fake)
	return o
}

func newOracle(t *testing.T, opts docking.Options) *docking.Oracle {
	t.Helper()
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Cleanup(func() {
		left, err := os.ReadDir(tmp)
		if err != nil || len(left) != 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	})
	o, err := docking.New(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// Methane, to Vina one hydrophobic atom, must find the middle of a cage of six. There the surfaces of all pairs touch,
// and each pair contributes, with Vina's weights (Trott & Olson 2010, Table 1), at the distance d = 0 between surfaces,
//
//	−0.0356 exp(−(d/0.5)²) − 0.00516 exp(−((d−3)/2)²) − 0.0351 [d ≤ 0.5]
func TestAffinityIsVinasFormula(t *testing.T) {
	o := newReal(t, cage())
	want := 6 * (-0.035579 - 0.005156*math.Exp(-2.25) - 0.035069)
	r, err := oracle.One(t.Context(), o, "C")
	if err != nil {
		t.Fatal(err)
	}
	if !(math.Abs(r.Score-want) <= 0.001) { // written with three decimals, and read off a grid
		t.Errorf("affinity %g (%s), want %g", r.Score, r.Reason, want)
	}
}

func TestOracle(t *testing.T) {
	oracletest.Run(t, newReal(t, cage()), []string{"CCO", "C"}, []string{"not_a_molecule", "CCO.Cl"})
}

func TestOracleWithStandIns(t *testing.T) {
	oracletest.Run(t, newFake(t, "", cage()), []string{"CCO", "C"}, []string{"not_a_molecule", "CCO.Cl"})
}

// Ligands are those of dockstring's steps in Python: testdata/ligands.py.
func TestLigandIsDockstrings(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "ligands.json"))
	if err != nil {
		t.Fatal(err)
	}
	var ligands []struct{ SMILES, Field, PDBQT string }
	if err := json.Unmarshal(text, &ligands); err != nil {
		t.Fatal(err)
	}
	o := newReal(t, cage())
	for _, ligand := range ligands {
		got, err := docking.Prepare(o, t.Context(), ligand.SMILES)
		if err != nil {
			t.Errorf("%s, %s: %v", ligand.SMILES, ligand.Field, err)
			continue
		}
		compare(t, ligand.SMILES, got, ligand.PDBQT)
	}
}

var decimal = regexp.MustCompile(`[-+]?\d+\.\d+`)

// compare compares PDBQT files: coordinates and charges to 0.01 Å and e, since rounding depends on the processor, and
// all else exactly.
func compare(t *testing.T, name, got, want string) {
	t.Helper()
	if g, w := decimal.ReplaceAllString(got, "0"), decimal.ReplaceAllString(want, "0"); strings.Join(strings.Fields(g), " ") != strings.Join(strings.Fields(w), " ") {
		t.Errorf("%s: PDBQT\n%swant\n%s", name, got, want)
		return
	}
	numbers := decimal.FindAllString(got, -1)
	for i, w := range decimal.FindAllString(want, -1) {
		g, _ := strconv.ParseFloat(numbers[i], 64) // the expression matches numbers only
		w, _ := strconv.ParseFloat(w, 64)
		if !(math.Abs(g-w) <= 0.01) {
			t.Errorf("%s: number %d of the PDBQT is %g, want %g", name, i, g, w)
		}
	}
}

func TestRefusals(t *testing.T) {
	tests := []struct{ name, smiles, want string }{
		{"no SMILES", "not_a_molecule", "SMILES Parse Error"},
		{"nothing", "", "no atoms"},
		{"five bonds", "CN(C)(C)(C)C", "valence"},
		{"a salt", "CCO.Cl", "2 molecules"},
		{"a metal", "C[Zn]C", "element 30"},
		{"boron", "OB(O)c1ccccc1", "element 5"},
		{"any atom", "C*", "element 0"},
		{"a radical", "C[CH]C", "radical"},
		{"flat rings", "C1=C2C=C1C2", "conformer: its atoms find no place"},
		{"hypervalent", "S(O)(O)(N=C(C(N1CCN(CC1)C)C=2SC=CC2)C)=CC", "no force field"},
		{"a chain", strings.Repeat("C", 36), "33 torsions; the limit is 32"},
	}
	o := newReal(t, cage())
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := oracle.One(t.Context(), o, test.smiles)
			if err != nil {
				t.Fatal(err)
			}
			checkRefused(t, r, test.want)
		})
	}
}

// checkRefused fails unless r has no score, for a reason on one line that contains want.
func checkRefused(t *testing.T, r oracle.Result, want string) {
	t.Helper()
	if !math.IsNaN(r.Score) || !strings.Contains(r.Reason, want) || strings.ContainsAny(r.Reason, "\n\r") {
		t.Errorf("score %g, reason %q, want %q", r.Score, r.Reason, want)
	}
}

func TestFailingPrograms(t *testing.T) {
	tests := []struct{ fake, want string }{
		{"crash", "vina: signal: segmentation fault"},
		{"refuse", "vina: exit status 1: PDBQT parsing error: no such type"},
		{"hang", "not docked within 200ms"},
		{"silent", "vina found no pose"},
		{"empty", "vina found no pose"},
		{"nan", `the affinity "nan" is not a number`},
		{"cut", "a pose without an affinity"},
		{"garbage", `the affinity "soon" is not a number`},
		{"babel-crash", "protonation: obabel: signal: segmentation fault"},
		{"babel-silent", "protonation: obabel: no output"},
		{"babel-garbage", "conformer: RDKit does not read the SMILES <html>"},
		{"babel-cut", "PDBQT: no ligand"},
	}
	for _, test := range tests {
		t.Run(test.fake, func(t *testing.T) {
			opts := cage()
			if test.fake == "hang" {
				opts.Timeout = 200 * time.Millisecond
			}
			r, err := oracle.One(t.Context(), newFake(t, test.fake, opts), "CCO")
			if err != nil {
				t.Fatal(err)
			}
			checkRefused(t, r, test.want)
		})
	}
}

func TestScoreOfABrokenMachine(t *testing.T) {
	tests := []struct {
		name    string
		program func(*docking.Options) *string
		mode    os.FileMode // of the program after New; 0 removes it
		want    error
	}{
		{"Vina is gone", func(o *docking.Options) *string { return &o.Vina }, 0, fs.ErrNotExist},
		{"Open Babel is gone", func(o *docking.Options) *string { return &o.OpenBabel }, 0, fs.ErrNotExist},
		{"Vina may not be run any more", func(o *docking.Options) *string { return &o.Vina }, 0o600, fs.ErrPermission},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			opts := standIns(t, cage())
			program := test.program(&opts)
			text, err := os.ReadFile(*program)
			if err != nil {
				t.Fatal(err)
			}
			*program = filepath.Join(t.TempDir(), "program")
			if err := os.WriteFile(*program, text, 0o700); err != nil {
				t.Fatal(err)
			}
			o := newOracle(t, opts)
			if test.mode == 0 {
				err = os.Remove(*program)
			} else {
				err = os.Chmod(*program, test.mode)
			}
			if err != nil {
				t.Fatal(err)
			}
			if r, err := oracle.One(t.Context(), o, "CCO"); !errors.Is(err, test.want) {
				t.Errorf("Score = %v, %v, want the error %v", r, err, test.want)
			}
		})
	}
}

func TestScoreIsTheBestPose(t *testing.T) {
	r, err := oracle.One(t.Context(), newFake(t, "", cage()), "CCO")
	if want := -7.512; r.Score != want || r.Reason != "" || err != nil {
		t.Errorf("Score = %v, %v, want %v", r, err, want)
	}
}

// Vina docks to the receptor that New read, whatever becomes of its file.
func TestReceptorIsReadOnce(t *testing.T) {
	opts := cage()
	opts.Receptor = filepath.Join(t.TempDir(), "receptor.pdbqt")
	if err := os.WriteFile(opts.Receptor, []byte("ATOM\nATOM\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := newFake(t, "atoms", opts)
	if err := os.Remove(opts.Receptor); err != nil {
		t.Fatal(err)
	}
	if r, err := oracle.One(t.Context(), o, "CCO"); r.Score != -2 || err != nil {
		t.Errorf("Score = %v, %v, want -2, the atoms of the receptor", r, err)
	}
}

func TestJobsWaitForEachOther(t *testing.T) {
	t.Setenv("LOCK", filepath.Join(t.TempDir(), "lock"))
	opts := cage()
	opts.Jobs = 1
	o := newFake(t, "alone", opts)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if r, err := oracle.One(t.Context(), o, "CCO"); r.Score != -7.5 || err != nil {
				t.Errorf("Score = %v, %v", r, err)
			}
		})
	}
	wg.Wait()
}

func TestScoreStopsWithItsContext(t *testing.T) {
	cause := errors.New("enough")
	opts := cage()
	opts.Jobs = 1
	o := newFake(t, "hang", opts)
	ctx, cancel := context.WithCancelCause(t.Context())
	var wg sync.WaitGroup
	for range 3 { // one is docked, the others wait for their turn
		wg.Go(func() {
			if _, err := oracle.One(ctx, o, "CCO"); err != cause {
				t.Errorf("error %v, want %v", err, cause)
			}
		})
	}
	time.AfterFunc(100*time.Millisecond, func() { cancel(cause) })
	wg.Wait()
}

func TestNew(t *testing.T) {
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	newReal(t, cage()) // or skip
	tests := []struct {
		name   string
		change func(*docking.Options)
		want   string
	}{
		{"no Vina", func(o *docking.Options) { o.Vina = "no-such-vina" }, "apt-get install autodock-vina"},
		{"no Vina at a path", func(o *docking.Options) { o.Vina = "/no/such/vina" }, "apt-get install autodock-vina"},
		{"no Open Babel", func(o *docking.Options) { o.OpenBabel = "no-such-obabel" }, "apt-get install openbabel"},
		{"no receptor", func(o *docking.Options) { o.Receptor = "no-such-receptor" }, "no such file"},
		{"a receptor without atoms", func(o *docking.Options) { o.Receptor = write("REMARK nothing\n") }, "no atoms"},
		{"a ligand as receptor", func(o *docking.Options) { o.Receptor = write("ROOT\nATOM\nENDROOT\n") }, "vina: exit status 1: PDBQT parsing error"},
		{"no box", func(o *docking.Options) { o.Box = "no-such-box" }, "no such file"},
		{"half a box", func(o *docking.Options) { o.Box = write("center_x = 1\n") }, "center_y is missing"},
		{"negative", func(o *docking.Options) { o.Jobs = -1 }, "negative"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			opts := cage()
			test.change(&opts)
			if _, err := docking.New(t.Context(), opts); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

func TestNewTriesOpenBabel(t *testing.T) {
	opts := standIns(t, cage())
	t.Setenv("FAKE", "babel-crash")
	if _, err := docking.New(t.Context(), opts); err == nil || !strings.Contains(err.Error(), "obabel: signal: segmentation fault") {
		t.Errorf("error %v, want that Open Babel crashed", err)
	}
}
