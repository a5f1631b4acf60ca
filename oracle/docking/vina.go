package docking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// vina returns the affinity, in kcal/mol, of the best pose of a ligand (PDBQT).
func (o *Oracle) vina(ctx context.Context, dir, ligand string) (float64, error) {
	out := filepath.Join(dir, "docked.pdbqt")
	err := o.runVina(ctx, dir, ligand, "--out", out, "--seed", strconv.Itoa(o.opts.Seed), "--exhaustiveness", strconv.Itoa(o.opts.Exhaustiveness),
		"--num_modes", "9") // the default of Vina and dockstring
	if err != nil {
		return 0, err
	}
	poses, err := os.ReadFile(out)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, err
	}
	return affinity(string(poses))
}

// runVina runs Vina for a ligand (PDBQT), which it writes to dir, as it does the receptor: the receptor's file may be
// gone, or have changed.
func (o *Oracle) runVina(ctx context.Context, dir, ligand string, args ...string) error {
	receptor, in := filepath.Join(dir, "receptor.pdbqt"), filepath.Join(dir, "ligand.pdbqt")
	if err := cmp.Or(os.WriteFile(receptor, o.receptor, 0o600), os.WriteFile(in, []byte(ligand), 0o600)); err != nil {
		return err
	}
	args = append(args, "--receptor", receptor, "--ligand", in, "--cpu", "1") // parallelism is over ligands
	for _, key := range boxKeys {
		args = append(args, "--"+key, strconv.FormatFloat(o.box[key], 'f', -1, 64))
	}
	if _, err := run(ctx, "", o.opts.Vina, args...); err != nil {
		return fmt.Errorf("vina: %w", err)
	}
	return nil
}

// pose is what Vina writes of a pose, in kcal/mol. Version 1.1 writes the affinity only.
type pose struct {
	affinity              float64
	total, inter, unbound float64 // energies: of the pose, of ligand and protein in it, and what counts for the ligand on its own
	terms                 int     // of these that were read
}

// affinity returns the affinity of the first of Vina's poses, which is the best one: the energy of ligand and protein,
// shrunk by torsions (Trott & Olson 2010, J. Comput. Chem. 31, 455),
//
//	inter / (1 + w·torsions)
//
// Versions 1.2 write (total − unbound) / (1 + w·torsions), where unbound should be the ligand's own energy in the best
// pose, total − inter, and may be that of a pose that clashes with itself: then −9 becomes −20. What torsions shrink by
// follows from the pose that tells most digits of it.
func affinity(text string) (float64, error) {
	poses, err := readPoses(text)
	if err != nil {
		return 0, err
	}
	const terms, least = 3, 0.1 // kcal/mol: of less, three decimals tell too little
	best, shrunk := poses[0], 0.0
	for _, p := range poses {
		if p.terms == terms && math.Abs(p.affinity) > max(least, math.Abs(shrunk)) {
			shrunk, best.affinity = p.affinity, best.inter*p.affinity/(p.total-p.unbound)
		}
	}
	if best.terms < terms || shrunk == 0 {
		return poses[0].affinity, nil
	}
	if math.IsNaN(best.affinity) || math.IsInf(best.affinity, 0) {
		return 0, errors.New("vina: energies that do not add up")
	}
	return math.Round(1000*best.affinity) / 1000, nil
}

// readPoses reads the remarks of at least one pose.
func readPoses(text string) (poses []pose, _ error) {
	for line := range strings.Lines(text) {
		key, rest, ok := strings.Cut(strings.TrimPrefix(line, "REMARK "), ":")
		fields := strings.Fields(rest) // an affinity is followed by two distances to the best pose
		first := ok && key == "VINA RESULT"
		if first {
			poses = append(poses, pose{})
		}
		if len(poses) == 0 {
			continue
		}
		p := &poses[len(poses)-1]
		to, known := map[string]*float64{"VINA RESULT": &p.affinity, "INTER + INTRA": &p.total, "INTER": &p.inter, "UNBOUND": &p.unbound}[key]
		if !ok || !known {
			continue
		}
		name := "affinity"
		if !first {
			name = "energy"
		}
		if len(fields) == 0 {
			return nil, fmt.Errorf("vina: a pose without an %s", name)
		}
		y, err := strconv.ParseFloat(fields[0], 64)
		if err != nil || math.IsNaN(y) || math.IsInf(y, 0) {
			return nil, fmt.Errorf("vina: the %s %.20q is not a number", name, fields[0])
		}
		if *to = y; !first {
			p.terms++
		}
	}
	if len(poses) == 0 {
		return nil, errors.New("vina found no pose")
	}
	return poses, nil
}

// probe has Vina score a carbon atom in the middle of the box.
func (o *Oracle) probe(ctx context.Context) error {
	if text := "\n" + string(o.receptor); !strings.Contains(text, "\nATOM") && !strings.Contains(text, "\nHETATM") {
		return errors.New("no atoms: it must be PDBQT, which obabel -xr makes of PDB") // Vina would accept it
	}
	dir, remove, err := makeFolder()
	if err != nil {
		return err
	}
	defer remove()
	atom := fmt.Sprintf("ROOT\nATOM      1  C   LIG     1    %8.3f%8.3f%8.3f  0.00  0.00     0.000 C \nENDROOT\nTORSDOF 0\n",
		o.box["center_x"], o.box["center_y"], o.box["center_z"])
	return o.runVina(ctx, dir, atom, "--score_only")
}

// boxKeys are Vina's settings for the search space of the ligand, a box, in Å.
var boxKeys = []string{"center_x", "center_y", "center_z", "size_x", "size_y", "size_z"}

// ReadBox reads a search space in the format of Vina and dockstring: the keys center_x to size_z, in Å, one per line
// (center_x = 8.97), in any order, with blank lines and comments after #. Missing, repeated and unknown keys are
// errors, because Vina would take some of the latter as settings.
func ReadBox(text string) (map[string]float64, error) {
	box := map[string]float64{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if _, again := box[key]; again || !slices.Contains(boxKeys, key) {
			return nil, fmt.Errorf("line %d: %.100q is repeated, or not one of center_x to size_z", n, key)
		}
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("line %d: %s is %q, not a number of Å", n, key, value)
		}
		box[key] = x
	}
	for _, key := range boxKeys {
		if _, ok := box[key]; !ok {
			return nil, fmt.Errorf("%s is missing", key)
		}
	}
	if size := []float64{box["size_x"], box["size_y"], box["size_z"]}; slices.Min(size) <= 0 {
		return nil, fmt.Errorf("size %v Å is not positive", size)
	}
	return box, nil
}
