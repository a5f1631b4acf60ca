package guacamol

import (
	"fmt"

	"github.com/invbo/invbo/molecule"
)

// measure computes a number for a molecule.
type measure func(*molecule.Molecule) float64

// term makes a measure. Expensive work, such as the fingerprint of a target, is done once here.
type term func() (measure, error)

func logP() (measure, error)  { return (*molecule.Molecule).LogP, nil }
func tpsa() (measure, error)  { return (*molecule.Molecule).TPSA, nil }
func bertz() (measure, error) { return (*molecule.Molecule).Bertz, nil }

func rings() (measure, error) {
	return func(m *molecule.Molecule) float64 { return float64(m.Rings()) }, nil
}

func aromaticRings() (measure, error) {
	return func(m *molecule.Molecule) float64 { return float64(m.AromaticRings()) }, nil
}

func fluorines() (measure, error) {
	return func(m *molecule.Molecule) float64 { return float64(count(elements(m.Formula()), "F")) }, nil
}

func qed() (measure, error) {
	q, err := molecule.NewQED()
	if err != nil {
		return nil, err
	}
	return q.Of, nil
}

// fingerprint computes a fingerprint for similarities.
type fingerprint func(*molecule.Molecule) molecule.Counts

func ecfp4(m *molecule.Molecule) molecule.Counts     { return m.ECFP(2) }
func ecfp6(m *molecule.Molecule) molecule.Counts     { return m.ECFP(3) }
func fcfp4(m *molecule.Molecule) molecule.Counts     { return m.FCFP(2) }
func atomPairs(m *molecule.Molecule) molecule.Counts { return m.AtomPairs() }

// similarity is the Tanimoto similarity to a target.
func similarity(target string, of fingerprint) term { return median(of, target) }

// median is the geometric mean of the similarities to targets.
func median(of fingerprint, targets ...string) term {
	return func() (measure, error) {
		wanted := make([]molecule.Counts, len(targets))
		for i, target := range targets {
			t, err := molecule.Parse(target)
			if err != nil {
				return nil, fmt.Errorf("target %s: %w", target, err)
			}
			wanted[i] = of(t)
			t.Close()
		}
		return func(m *molecule.Molecule) float64 {
			found := of(m)
			x := make([]float64, len(wanted))
			for i := range wanted {
				x[i] = molecule.Tanimoto(found, wanted[i])
			}
			return geometricMean(x)
		}, nil
	}
}

// pharmacophore is the similarity to a target in the 2-D pharmacophore fingerprint.
func pharmacophore(target string) term {
	return func() (measure, error) {
		p, err := molecule.NewPharmacophore()
		if err != nil {
			return nil, err
		}
		return similarity(target, p.Fingerprint)()
	}
}

// has is 1 if the molecule matches a SMARTS query and 0 otherwise; lacks is the opposite.
func has(smarts string) term   { return matches(smarts, 1, 0) }
func lacks(smarts string) term { return matches(smarts, 0, 1) }

func matches(smarts string, yes, no float64) term {
	return func() (measure, error) {
		p, err := molecule.CompilePattern(smarts)
		if err != nil {
			return nil, err
		}
		return func(m *molecule.Molecule) float64 {
			if p.In(m) {
				return yes
			}
			return no
		}, nil
	}
}
