package molecule

import (
	"fmt"
	"math"
)

// QED computes the quantitative estimate of drug-likeness (Bickerton et al. 2012), which measures how common the values of
// eight properties of a molecule are among oral drugs.
type QED struct {
	acceptors, alerts []*Pattern
	donor             *Pattern
	aliphatic         *Pattern // an atom of an aliphatic ring
}

// NewQED returns a QED, which is safe for concurrent use. The error is ErrNoRDKit.
func NewQED() (*QED, error) {
	var err error
	compile := func(smarts ...string) []*Pattern {
		patterns := make([]*Pattern, len(smarts))
		for i := 0; i < len(smarts) && err == nil; i++ {
			patterns[i], err = CompilePattern(smarts[i])
		}
		return patterns
	}
	q := &QED{
		acceptors: compile(qedAcceptors()...),
		alerts:    compile(qedAlerts()...),
		donor:     compile("[N&!H0&v3,N&!H0&+1&v4,O&H1&+0,S&H1&+0,n&H1&+0]")[0],
		aliphatic: compile("[$([A;R][!a])]")[0],
	}
	if err != nil {
		return nil, fmt.Errorf("QED: %w", err)
	}
	return q, nil
}

// Of returns the QED of m, in (0, 1): the geometric mean of the desirabilities dᵢ of eight properties with the weights
// wᵢ that the paper calls QEDw,mo,
//
//	exp(Σ wᵢ log dᵢ / Σ wᵢ)
//
// as RDKit computes it: with Crippen's logP, and with the rings that are left without aliphatic ring atoms as aromatic rings.
func (q *QED) Of(m *Molecule) float64 {
	var sum, weights float64
	properties := q.properties(m)
	for i, d := range qedDesirabilities() {
		sum += d.weight * math.Log(d.of(properties[i]))
		weights += d.weight
	}
	return math.Exp(sum / weights)
}

// properties returns the eight properties of m, in the order of qedDesirabilities.
func (q *QED) properties(m *Molecule) [8]float64 {
	acceptors := 0
	for _, p := range q.acceptors {
		acceptors += len(p.Matches(m, true))
	}
	alerts := 0
	for _, p := range q.alerts {
		if p.In(m) {
			alerts++
		}
	}
	return [...]float64{
		m.Weight(),
		m.LogP(),
		float64(acceptors),
		float64(len(q.donor.Matches(m, true))),
		m.TPSA(),
		float64(m.RotatableBonds()),
		float64(q.aromaticRings(m)),
		float64(alerts),
	}
}

// aromaticRings returns the number of rings left once the aliphatic ring atoms are cut away, as RDKit's QED counts them. If there
// are none to cut away, RDKit returns the rings it has stored: the symmetrized set of Graph.Rings, in which bridged aromatic rings
// can be more than the independent ones. Otherwise it looks for a new set, of independent rings: bonds − atoms + components.
func (q *QED) aromaticRings(m *Molecule) int {
	aliphatic := q.aliphatic.Matches(m, true)
	if len(aliphatic) == 0 {
		return m.Rings()
	}
	g := m.Graph()
	gone := make([]bool, len(g.Atoms))
	for _, match := range aliphatic {
		gone[match[0]] = true
	}
	// Components by union-find; a bond within a component closes a ring.
	parent := make([]int, len(g.Atoms))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			i = parent[i]
		}
		return i
	}
	rings := 0
	for _, b := range g.Bonds {
		if gone[b.Begin] || gone[b.End] {
			continue
		}
		one, other := root(b.Begin), root(b.End)
		if one == other {
			rings++
		}
		parent[one] = other
	}
	return rings
}

// desirability is an asymmetric double sigmoid, fitted to the distribution of a property among 771 drugs, and the property's weight.
type desirability struct {
	a, b, c, d, e, f, highest, weight float64
}

// of returns the desirability of a property's value x; it is 1 at the most frequent value:
//
//	(a + b / (1 + exp(−(x − c + d/2)/e)) · (1 − 1/(1 + exp(−(x − c − d/2)/f)))) / highest
func (d desirability) of(x float64) float64 {
	rise := 1 + math.Exp(-(x-d.c+d.d/2)/d.e)
	fall := 1 + math.Exp(-(x-d.c-d.d/2)/d.f)
	return (d.a + d.b/rise*(1-1/fall)) / d.highest
}
