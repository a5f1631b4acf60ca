package task

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/study"
)

// portfolio is the best molecules of different scaffolds, and a picture of them.
type portfolio struct {
	members []member
	svg     []byte
}

type member struct {
	study.Trial
	scaffold   string  // empty: it has no ring
	similarity float64 // greatest, of ECFP4, to a molecule of the initial design
}

// drawMolecules draws the portfolio of scored molecules, given best first.
func drawMolecules(_ Options, scored []study.Trial) (Picture, error) {
	const (
		most    = 12
		columns = 4
		size    = 250
	)
	members, parsed, err := choosePortfolio(scored, most)
	if err != nil {
		return Picture{}, err
	}
	drawings := make([]molecule.Drawing, len(members))
	for i, m := range members {
		defer parsed[i].Close()
		legend := fmt.Sprintf("%.4f, trial %d, sim %.2f", m.Score, m.ID, m.similarity) // RDKit's font has no middle dot
		if m.Kind == study.Initial {
			legend = fmt.Sprintf("%.4f, trial %d, initial", m.Score, m.ID)
		}
		drawings[i] = molecule.Drawing{Molecule: parsed[i], Legend: legend}
	}
	svg, err := molecule.Draw(drawings, columns, size)
	if err != nil {
		return Picture{}, fmt.Errorf("draw molecules: %w", err)
	}
	return Picture{"molecules", "portfolio", portfolio{members, svg}}, nil
}

const (
	printRadius = 2   // ECFP4
	alike       = 0.6 // similarity above which two molecules are one series, though a linker is longer
)

// choosePortfolio returns the best of scored molecules, given best first, that have different scaffolds and are not alike. A
// molecule without rings is its own scaffold.
func choosePortfolio(scored []study.Trial, most int) (members []member, parsed []*molecule.Molecule, _ error) {
	var prints []molecule.Counts
	seen := map[string]bool{}
	for _, t := range scored {
		if len(members) == most {
			break
		}
		m, err := molecule.Parse(t.Input)
		if err != nil {
			return nil, nil, fmt.Errorf("portfolio: %s: %w", t.Input, err)
		}
		scaffold, err := m.Scaffold()
		kind := scaffold
		if err != nil || scaffold == "" {
			kind = t.Input
		}
		print := m.ECFP(printRadius)
		if seen[kind] || slices.ContainsFunc(prints, func(p molecule.Counts) bool { return molecule.Tanimoto(p, print) > alike }) {
			m.Close()
			continue
		}
		seen[kind] = true
		members, parsed, prints = append(members, member{Trial: t, scaffold: scaffold}), append(parsed, m), append(prints, print)
	}
	for _, t := range scored {
		if t.Kind != study.Initial {
			continue
		}
		m, err := molecule.Parse(t.Input)
		if err != nil {
			return nil, nil, fmt.Errorf("portfolio: %s: %w", t.Input, err)
		}
		print := m.ECFP(printRadius)
		m.Close()
		for i := range members {
			members[i].similarity = max(members[i].similarity, molecule.Tanimoto(prints[i], print))
		}
	}
	return members, parsed, nil
}

// WriteSVG writes the picture.
func (p portfolio) WriteSVG(w io.Writer) error {
	_, err := w.Write(p.svg)
	return err
}

// WriteCSV writes the list.
func (p portfolio) WriteCSV(w io.Writer) error {
	rows := [][]string{{"smiles", "score", "trial", "kind", "scaffold", "initial_similarity"}}
	for _, m := range p.members {
		rows = append(rows, []string{m.Input, Float(m.Score), strconv.Itoa(m.ID), string(m.Kind), m.scaffold, strconv.FormatFloat(m.similarity, 'f', 3, 64)})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
