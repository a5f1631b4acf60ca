package docking

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
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

// runVina runs Vina for a ligand (PDBQT), which it writes to dir.
func (o *Oracle) runVina(ctx context.Context, dir, ligand string, args ...string) error {
	in := filepath.Join(dir, "ligand.pdbqt")
	if err := os.WriteFile(in, []byte(ligand), 0o600); err != nil {
		return err
	}
	args = append(args, "--receptor", o.opts.Receptor, "--ligand", in, "--cpu", "1") // parallelism is over ligands
	for i, axis := range axes {
		args = append(args,
			"--center_"+axis, strconv.FormatFloat(o.box.Center[i], 'f', -1, 64),
			"--size_"+axis, strconv.FormatFloat(o.box.Size[i], 'f', -1, 64))
	}
	if _, err := run(ctx, "", o.opts.Vina, args...); err != nil {
		return fmt.Errorf("vina: %w", err)
	}
	return nil
}

// affinity returns the affinity of the first of Vina's poses, which is the best one.
func affinity(poses string) (float64, error) {
	for line := range strings.Lines(poses) {
		rest, ok := strings.CutPrefix(line, "REMARK VINA RESULT:")
		if !ok {
			continue
		}
		fields := strings.Fields(rest) // affinity, and two distances to the best pose
		if len(fields) == 0 {
			return 0, errors.New("vina: a pose without an affinity")
		}
		y, err := strconv.ParseFloat(fields[0], 64)
		if err != nil || math.IsNaN(y) || math.IsInf(y, 0) {
			return 0, fmt.Errorf("vina: the affinity %.20q is not a number", fields[0])
		}
		return y, nil
	}
	return 0, errors.New("vina found no pose")
}

// probe has Vina score a carbon atom in the middle of the box.
func (o *Oracle) probe(ctx context.Context) error {
	receptor, err := os.ReadFile(o.opts.Receptor)
	if err != nil {
		return err
	}
	if text := "\n" + string(receptor); !strings.Contains(text, "\nATOM") && !strings.Contains(text, "\nHETATM") {
		return errors.New("no atoms: it must be PDBQT, which obabel -xr makes of PDB") // Vina would accept it
	}
	dir, remove, err := makeFolder()
	if err != nil {
		return err
	}
	defer remove()
	c := o.box.Center
	atom := fmt.Sprintf("ROOT\nATOM      1  C   LIG     1    %8.3f%8.3f%8.3f  0.00  0.00     0.000 C \nENDROOT\nTORSDOF 0\n", c[0], c[1], c[2])
	return o.runVina(ctx, dir, atom, "--score_only")
}

// Box is the search space of the docked ligand, in Å.
type Box struct {
	Center, Size [3]float64 // x, y, z
}

var axes = [3]string{"x", "y", "z"}

// ReadBox reads a Box in the format of Vina and dockstring: the keys center_x to size_z, one line each (center_x = 8.97), in any
// order, with blank lines and comments after #. Missing, repeated and unknown keys are errors, because Vina would take some of
// the latter as settings.
func ReadBox(r io.Reader) (Box, error) {
	var b Box
	places := map[string]*float64{}
	for i, axis := range axes {
		places["center_"+axis], places["size_"+axis] = &b.Center[i], &b.Size[i]
	}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		key, value, _ := strings.Cut(line, "=")
		key = strings.TrimSpace(key)
		place := places[key]
		if place == nil {
			return Box{}, fmt.Errorf("line %d: %q is repeated, or not one of center_x to size_z", n, key)
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return Box{}, fmt.Errorf("line %d: %s is %q, not a number of Å", n, key, strings.TrimSpace(value))
		}
		*place = x
		delete(places, key)
	}
	if err := lines.Err(); err != nil {
		return Box{}, err
	}
	for _, kind := range []string{"center_", "size_"} {
		for _, axis := range axes {
			if places[kind+axis] != nil {
				return Box{}, fmt.Errorf("%s is missing", kind+axis)
			}
		}
	}
	if min(b.Size[0], b.Size[1], b.Size[2]) <= 0 {
		return Box{}, fmt.Errorf("size %v Å is not positive", b.Size)
	}
	return b, nil
}
