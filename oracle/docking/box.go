package docking

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

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
