package task

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/access"
	"github.com/invbo/invbo/study"
)

// portfolio is the best molecules of different scaffolds, and a picture of them.
type portfolio struct {
	members    []member
	objectives []string // names of several
	svg        []byte
}

type member struct {
	study.Trial
	molecule   *molecule.Molecule
	print      molecule.Counts // ECFP4
	scaffold   string          // empty: it has no ring
	similarity float64         // greatest, of prints, to a molecule of the initial design
}

// drawMolecules draws the portfolio of scored molecules, given best first; of several objectives, that of the front.
func drawMolecules(o Options, scored []study.Trial) (Picture, error) {
	const (
		most    = 12
		columns = 4
		size    = 250
	)
	var objectives []string
	on := map[int]bool{}
	if len(o.Objectives) > 1 {
		front := study.FrontOf(scored, o.Objectives, o.Constraints).Trials
		for _, t := range front {
			on[t.ID] = true
		}
		scored = append(front, slices.DeleteFunc(slices.Clone(scored), func(t study.Trial) bool { return on[t.ID] })...)
		for _, objective := range o.Objectives {
			objectives = append(objectives, objective.Name)
		}
	}
	members, err := choosePortfolio(scored, most)
	if err != nil {
		return Picture{}, fmt.Errorf("portfolio: %w", err)
	}
	if objectives != nil {
		members = slices.DeleteFunc(members, func(m member) bool {
			if !on[m.ID] {
				m.molecule.Close()
			}
			return !on[m.ID]
		})
	}
	drawings := make([]molecule.Drawing, len(members))
	for i, m := range members {
		defer m.molecule.Close()
		legend := fmt.Sprintf("%.4f, trial %d, sim %.2f", m.Score, m.ID, m.similarity)
		if m.Kind == study.Initial {
			legend = fmt.Sprintf("%.4f, trial %d, initial", m.Score, m.ID)
		}
		if objectives != nil {
			_, place, _ := strings.Cut(legend, ", ")
			var values []string
			for _, name := range objectives {
				values = append(values, fmt.Sprintf("%s %.3g", name, m.Outcome(name)))
			}
			legend = strings.Join(values, ", ") + "\n" + place
		}
		legend += fmt.Sprintf("\n%.0f g/mol, SA %.1f", m.molecule.Weight(), access.Score(m.molecule))
		drawings[i] = molecule.Drawing{Molecule: m.molecule, Legend: legend}
	}
	svg, err := molecule.Draw(drawings, columns, size)
	if err != nil {
		return Picture{}, fmt.Errorf("draw molecules: %w", err)
	}
	return Picture{"molecules", "portfolio", portfolio{members, objectives, svg}}, nil
}

const alike = 0.6 // similarity above which two molecules are one series, though a linker is longer

// choosePortfolio returns the best of scored molecules, given best first, that have different scaffolds and are not alike. A
// molecule without rings is its own scaffold.
func choosePortfolio(scored []study.Trial, most int) (members []member, _ error) {
	seen := map[string]bool{}
	for _, t := range scored {
		if len(members) == most {
			break
		}
		m, err := newMember(t)
		if err != nil {
			return nil, err
		}
		scaffold, err := m.molecule.Scaffold()
		kind := scaffold
		if err != nil || scaffold == "" {
			kind = t.Input
		}
		if seen[kind] || slices.ContainsFunc(members, func(other member) bool { return molecule.Tanimoto(other.print, m.print) > alike }) {
			m.molecule.Close()
			continue
		}
		seen[kind], m.scaffold = true, scaffold
		members = append(members, m)
	}
	for _, t := range scored {
		if t.Kind != study.Initial {
			continue
		}
		initial, err := newMember(t)
		if err != nil {
			return nil, err
		}
		initial.molecule.Close()
		for i, m := range members {
			members[i].similarity = max(m.similarity, molecule.Tanimoto(m.print, initial.print))
		}
	}
	return members, nil
}

// newMember returns the molecule of a trial, which the caller closes.
func newMember(t study.Trial) (member, error) {
	m, err := molecule.Parse(t.Input)
	if err != nil {
		return member{}, fmt.Errorf("%s: %w", t.Input, err)
	}
	return member{Trial: t, molecule: m, print: m.ECFP(2)}, nil
}

// WriteSVG writes the picture.
func (p portfolio) WriteSVG(w io.Writer) error {
	_, err := w.Write(p.svg)
	return err
}

// WriteCSV writes the list.
func (p portfolio) WriteCSV(w io.Writer) error {
	rows := [][]string{append([]string{"smiles", "score", "trial", "kind", "scaffold", "initial_similarity"}, p.objectives...)}
	for _, m := range p.members {
		row := []string{m.Input, Float(m.Score), strconv.Itoa(m.ID), string(m.Kind), m.scaffold, strconv.FormatFloat(m.similarity, 'f', 3, 64)}
		for _, name := range p.objectives {
			row = append(row, Float(m.Outcome(name)))
		}
		rows = append(rows, sheet.Guarded(row))
	}
	return csv.NewWriter(w).WriteAll(rows)
}
