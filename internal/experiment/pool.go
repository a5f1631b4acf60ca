package experiment

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/study"
)

// pool is what can be ordered: the strings that may be proposed, each once, with the further columns of their file.
type pool struct {
	xs, names []string
	columns   []string
	rows      map[string][]string // cells of the columns, by string

	naming sync.Once
	byName map[string]string // strings
}

// readRows reads a file of strings with all its columns, which an option names.
func (e *Plan) readRows(ctx context.Context, by string, f task.File) (*task.Strings, error) {
	n := e.parts.Notation
	if e.Spec.Measured && e.Molecules() { // the design has been stripped of salts
		n = task.Molecules(e.Spec.Strip)
	}
	read, err := n.Read(ctx, f, table.Options{Carry: true, Alike: e.spelling, Like: table.Columns{Input: e.Spec.Column}, WildType: e.Spec.WildType, Offset: e.Spec.Offset, BothStrands: e.Spec.BothStrands}, nil)
	if err != nil {
		return nil, option.Errorf("%s: %w", option.Name(by), err)
	}
	return read, nil
}

// manyMolecules is how many molecules of a pool take RDKit so long, a second, that a study holds them as they were read.
const manyMolecules = 5_000

// packed is the first cell of a packed pool: the version of the format, and the RDKit whose canonical SMILES it holds.
func packed() string { return "1 of RDKit " + molecule.Version() }

// pack writes the pool as a compressed table, for unpack.
func (p *pool) pack() ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	w := csv.NewWriter(z)
	_ = w.Write(append([]string{packed(), ""}, p.columns...)) // a Buffer takes all
	for i, x := range p.xs {
		_ = w.Write(append([]string{x, p.names[i]}, p.rows[x]...))
	}
	w.Flush()
	err = errors.Join(w.Error(), z.Close())
	return b.Bytes(), err
}

// unpack returns the pool that pack wrote; nil if another RDKit did, or something is wrong with it: then its file is read.
func unpack(data []byte) *pool {
	const most = 1 << 28 // bytes: a study may be made to fill the memory
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	limited := &io.LimitedReader{R: z, N: most}
	r := csv.NewReader(limited)
	r.FieldsPerRecord = -1
	first, err := r.Read()
	if err != nil || len(first) < 2 || first[0] != packed() {
		return nil
	}
	p := &pool{columns: first[2:], rows: map[string][]string{}}
	for {
		cells, err := r.Read()
		switch {
		case limited.N == 0: // the last row may be cut
			return nil
		case err == io.EOF && len(p.xs) > 0:
			return p
		case err != nil || len(cells) < 2:
			return nil
		}
		p.xs, p.names = append(p.xs, cells[0]), append(p.names, cells[1])
		p.rows[cells[0]] = cells[2:]
	}
}

// readPool reads the strings that may be proposed.
func (e *Plan) readPool(ctx context.Context) (*pool, error) {
	if p := unpack(e.Spec.asRead); p != nil {
		return p, nil
	}
	read, err := e.readRows(ctx, "pool", e.Spec.Pool)
	if err != nil {
		return nil, err
	}
	conflicts := read.SeparateNames()
	p := &pool{columns: read.Carried, rows: map[string][]string{}}
	var repeated []int // rows
	for i, r := range read.Records {
		x := read.X[i]
		if _, again := p.rows[x]; x == "" || again {
			if x != "" {
				repeated = append(repeated, i)
			}
			continue
		}
		p.rows[x] = r.Carried
		p.xs, p.names = append(p.xs, x), append(p.names, r.ID)
	}
	if len(p.xs) == 0 {
		return nil, option.Errorf("%s: %s has no string that can be read", option.Name("pool"), read.Source)
	}
	e.Notes.AddText(read.Note())
	if n := len(conflicts); n > 0 {
		c := conflicts[0]
		renamed := "so that no row has a name"
		if c.Named != nil {
			renamed = fmt.Sprintf("and is %s now", strings.Join(c.Named, " and "))
		}
		e.Notes.Add("%s: names that several strings share: %d; the first is %s, %s", read.Source, n, c.Name, renamed)
	}
	if n := len(repeated); n > 0 {
		e.Notes.Add("%s: rows that repeat a string, of which the first row counts: %d; the first is line %d", read.Source, n, read.Records[repeated[0]].Line)
	}
	return p, nil
}

// called returns the string of a name; "": there is none, or no pool.
func (p *pool) called(name string) string {
	if p == nil || name == "" {
		return ""
	}
	p.naming.Do(func() {
		p.byName = map[string]string{}
		for i, x := range p.xs {
			p.byName[p.names[i]] = x
		}
	})
	return p.byName[name]
}

// column returns the place of a column, whatever its case; −1: there is none.
func (p *pool) column(name string) int {
	return slices.IndexFunc(p.columns, func(column string) bool { return strings.EqualFold(column, name) })
}

// violating returns by which of some constraints each string is left out: columns of the pool may have what they bound,
// such as prices.
func (p *pool) violating(constraints []study.Constraint) map[string]study.Constraint {
	by := map[string]study.Constraint{}
	for _, c := range constraints {
		k := p.column(c.Outcome)
		if k < 0 {
			continue
		}
		cells := make([]string, len(p.xs))
		for i, x := range p.xs {
			cells[i] = p.rows[x][k]
		}
		for i, v := range (table.Format{}).Numbers(cells) {
			if !math.IsNaN(v) && !c.Holds(v) {
				by[p.xs[i]] = c
			}
		}
	}
	return by
}

// restrict has a space propose strings of the pool alone, without those whose columns violate a constraint, and without
// those that cannot be compared with the others.
func (p *pool) restrict(s *task.Space, constraints []study.Constraint) error {
	var names bool
	other, refused, violated := 0, map[option.Name]int{}, map[study.Constraint]int{}
	violating := p.violating(constraints)
	for i, x := range p.xs {
		if c, ok := violating[x]; ok {
			violated[c]++
			continue
		}
		by := option.Name("")
		if s.Refuses != nil {
			by = s.Refuses(x)
		}
		switch {
		case by != "":
			refused[by]++
		case s.Compares != nil && !s.Compares(x):
			other++
		default:
			s.Only, s.Names = append(s.Only, x), append(s.Names, p.names[i])
			names = names || p.names[i] != ""
		}
	}
	if !names {
		s.Names = nil
	}
	if other > 0 {
		s.Notes.Add("strings of the pool that have another length, and are not proposed: %d", other)
	}
	for _, by := range slices.Sorted(maps.Keys(refused)) {
		s.Notes.Add("strings of the pool that %s does not allow: %d", by, refused[by])
	}
	for _, c := range constraints {
		if n := violated[c]; n > 0 {
			s.Notes.Add("strings of the pool whose column %s violates %s, and that are not proposed: %d", p.columns[p.column(c.Outcome)], c, n)
		}
	}
	if len(s.Only) == 0 && len(violating) == len(p.xs) {
		return option.Errorf("%s: no string of it keeps %s; allow more", option.Name("pool"), option.Name("constraint"))
	}
	if len(s.Only) == 0 && len(refused) > 0 {
		return option.Errorf("%s: no string of it is allowed by %s; allow more", option.Name("pool"), slices.MaxFunc(slices.Sorted(maps.Keys(refused)), func(a, b option.Name) int { return cmp.Compare(refused[a], refused[b]) }))
	}
	if len(s.Only) == 0 {
		return option.Errorf("%s: no string of it can be compared with the data", option.Name("pool"))
	}
	return nil
}

// numbers are those of strings: features, each with mean 0 and of deviation 1 at most, and a prior.
type numbers struct {
	features map[string][]float64
	prior    map[string]float64
}

// mostNumbers is how many features are compared as they are. Of more, such as an embedding, those are their principal
// components.
const mostNumbers = 64

// readNumbers reads the features and the prior of strings.
func (e *Plan) readNumbers(ctx context.Context) (*numbers, error) {
	file, prior := e.Spec.Features, e.Spec.Prior
	read, err := e.readRows(ctx, "features", file)
	if err != nil {
		return nil, err
	}
	var xs []string
	var at []int // rows of xs
	first := map[string]int{}
	for i, x := range read.X {
		row, again := first[x]
		switch {
		case x == "":
		case !again:
			first[x] = i
			xs, at = append(xs, x), append(at, i)
		case !slices.Equal(read.Records[i].Carried, read.Records[row].Carried):
			return nil, option.Errorf("%s: line %d of %s has other numbers than line %d for the same string; leave one of them out", option.Name("features"), read.Records[i].Line, file.Path, read.Records[row].Line)
		}
	}
	out := &numbers{}
	var columns [][]float64
	for k, name := range read.Carried {
		values := stats.Pick(read.CarriedNumbers(k), at)
		lacking := len(slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !math.IsNaN(v) }))
		ok := lacking == 0
		if !ok && 2*lacking < len(at) && !strings.EqualFold(name, prior) {
			e.Notes.Add("the column %s of %s is left out, as %d of %d strings have no number in it", name, file.Path, lacking, len(at))
		}
		switch {
		case strings.EqualFold(name, prior) && !ok:
			return nil, option.Errorf("%s: column %s of %s does not hold a number for each string", option.Name("prior"), name, file.Path)
		case strings.EqualFold(name, prior):
			out.prior = map[string]float64{}
			for i, v := range standard(values) {
				out.prior[xs[i]] = v
			}
		case ok:
			columns = append(columns, standard(values))
		}
	}
	if prior != "" && out.prior == nil {
		return nil, option.Errorf("%s: %s has no column %s; it has %s", option.Name("prior"), file.Path, prior, usage.List(read.Carried))
	}
	if columns == nil && out.prior == nil {
		return nil, option.Errorf("%s: %s has no column with a number for each string", option.Name("features"), file.Path)
	}
	columns, err = components(columns)
	if err != nil {
		return nil, option.Errorf("%s: %s: %w", option.Name("features"), file.Path, err)
	}
	if columns != nil {
		out.features = map[string][]float64{}
		for i, x := range xs {
			row := make([]float64, len(columns))
			for k := range columns {
				row[k] = columns[k][i]
			}
			out.features[x] = row
		}
	}
	return out, nil
}

// standard returns values with mean 0 and deviation 1, or zeros where they do not vary.
func standard(values []float64) []float64 {
	mean, deviation := stat.MeanStdDev(values, nil)
	out := make([]float64, len(values))
	for i, v := range values {
		if deviation > 0 {
			out[i] = (v - mean) / deviation
		}
	}
	return out
}

// components returns columns or, of more than mostNumbers, as many principal components, scaled so that the first has
// deviation 1.
func components(columns [][]float64) ([][]float64, error) {
	const fitted = 2_000 // rows
	k := len(columns)
	if k <= mostNumbers {
		return columns, nil
	}
	n := len(columns[0])
	step := max(1, n/fitted)
	rows := (n + step - 1) / step
	m := mat.NewDense(rows, k, nil)
	for j, c := range columns {
		for i := range rows {
			m.Set(i, j, c[i*step])
		}
	}
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDThin) {
		return nil, fmt.Errorf("the %d columns of numbers have no principal components; give at most %d columns", k, mostNumbers)
	}
	var v mat.Dense
	svd.VTo(&v)
	out := make([][]float64, min(mostNumbers, len(svd.Values(nil))))
	first := 0.0
	for c := range out {
		out[c] = make([]float64, n)
		for j, column := range columns {
			for i, value := range column {
				out[c][i] += value * v.At(j, c)
			}
		}
		if c == 0 {
			first = stat.StdDev(out[0], nil)
		}
		if first > 0 {
			floats.Scale(1/first, out[c])
		}
	}
	return out, nil
}

// Features are compared by counts: of the distance from a lower and from an upper bound, in steps. What two strings
// have in common is then less by the sum of the absolute differences.
const (
	featureReach = 4  // deviations from the mean
	featureSteps = 16 // of a deviation
)

// add has a space compare strings by the numbers, too. The error says which of the strings that are known has none.
func (n *numbers) add(s *task.Space, design task.Design) error {
	lacks := func(x string) bool {
		_, hasPrior := n.prior[x]
		_, hasFeatures := n.features[x]
		return n.prior != nil && !hasPrior || n.features != nil && !hasFeatures
	}
	var missing []string
	for _, x := range slices.Concat(design.Strings(), s.Only) {
		if lacks(x) {
			missing = append(missing, x)
		}
	}
	switch {
	case s.Only == nil:
		return option.Errorf("%s are known of the strings of a file alone; give these with %s", option.Name("features"), option.Setting{Name: "pool", Value: "FILE"})
	case len(missing) > 0:
		return option.Errorf("%s: the file lacks %d strings; the first is %s", option.Name("features"), len(missing), usage.Shorten(missing[0], 60))
	}
	read, groups := s.Read, 0
	for _, t := range slices.Concat(s.Kernels, s.Further) {
		for _, g := range t.Groups {
			groups = max(groups, g+1)
		}
	}
	if n.features != nil {
		s.Kernels = append(slices.Clone(s.Kernels), gp.Term{Kernel: gp.Tanimoto, Groups: []int{groups}}, gp.Term{Kernel: gp.Overlap, Groups: []int{groups}})
	}
	s.Read = func(x string) (evolve.Description, error) {
		d, err := read(x)
		if err != nil {
			return d, err
		}
		if lacks(x) {
			return d, fmt.Errorf("the file of features has no %s", usage.Shorten(x, 60))
		}
		if n.features != nil {
			d.Groups = append(slices.Clone(d.Groups[:groups:groups]), counted(n.features[x]))
		}
		if n.prior != nil {
			d.Trend = append(slices.Clone(d.Trend), n.prior[x])
		}
		return d, nil
	}
	s.Check = nil // Read knows more
	if s.Reference != "" && lacks(s.Reference) {
		s.Reference = ""
	}
	return nil
}

// counted returns features as counts.
func counted(features []float64) (c gp.Counts) {
	for j, v := range features {
		at := math.Round((max(-featureReach, min(v, featureReach)) + featureReach) * featureSteps)
		for side, n := range []float64{at, 2*featureReach*featureSteps - at} {
			if n > 0 {
				c.IDs, c.N = append(c.IDs, uint64(2*j+side)), append(c.N, uint32(n))
			}
		}
	}
	return c
}
