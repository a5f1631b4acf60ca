package molecule

import (
	_ "embed"
	"math"
	"slices"
	"strings"
)

// The parameters and queries are those of RDKit's QED.py, Copyright (c) 2009-2017 Novartis Institutes for BioMedical
// Research Inc. (BSD-3-Clause, see NOTICE), after Bickerton et al. 2012, supplement.

// qedAlertsText are SMARTS of structural alerts, groups that are undesirable in a drug, one per line.
//
//go:embed qedalerts.smarts
var qedAlertsText string

var (
	qedAlerts    = lazily(strings.Fields(qedAlertsText)...)
	qedAcceptors = lazily("[oH0;X2]", "[OH1;X2;v2]", "[OH0;X2;v2]", "[OH0;X1;v2]", "[O-;X1]", "[SH0;X2;v2]", "[SH0;X1;v2]", "[S-;X1]",
		"[nH0;X2]", "[NH0;X1;v3]", "[$([N;+0;X3;v3]);!$(N[C,S]=O)]")
	qedDonors    = lazily("[N&!H0&v3,N&!H0&+1&v4,O&H1&+0,S&H1&+0,n&H1&+0]")
	qedAliphatic = lazily("[$([A;R][!a])]") // an atom of an aliphatic ring
)

// QED returns the quantitative estimate of drug-likeness (Bickerton et al. 2012), in (0, 1), which measures how common
// the values of eight properties are among oral drugs: the geometric mean of their desirabilities dᵢ with the weights
// wᵢ that the paper calls QEDw,mo,
//
//	exp(Σ wᵢ log dᵢ / Σ wᵢ)
//
// as RDKit computes it: with Crippen's logP, and with the rings that are left without aliphatic ring atoms as aromatic
// rings.
func (m *Molecule) QED() float64 {
	var sum, weights float64
	for i, x := range m.qedProperties() {
		d := qedDesirabilities[i]
		sum += d.weight * math.Log(d.of(x))
		weights += d.weight
	}
	return math.Exp(sum / weights)
}

// qedProperties returns the eight properties in the order of qedDesirabilities.
func (m *Molecule) qedProperties() [8]float64 {
	count := func(patterns []*Pattern, matches func(*Pattern) int) float64 {
		n := 0
		for _, p := range patterns {
			n += matches(p)
		}
		return float64(n)
	}
	all := func(p *Pattern) int { return len(p.Matches(m, true)) }
	any := func(p *Pattern) int { return len(p.matches(m, true, 1)) }
	return [...]float64{
		m.Weight(),
		m.LogP(),
		count(qedAcceptors(), all),
		count(qedDonors(), all),
		m.TPSA(),
		float64(m.RotatableBonds()),
		float64(m.qedAromaticRings()),
		count(qedAlerts(), any),
	}
}

// qedAromaticRings returns the number of rings left once the aliphatic ring atoms are cut away, as RDKit's QED counts
// them. If there are none to cut away, RDKit returns the rings it has stored: the symmetrized set of Graph.Rings, in
// which bridged aromatic rings can be more than the independent ones. Otherwise it looks for a new set, of independent
// rings: bonds − atoms + components.
func (m *Molecule) qedAromaticRings() int {
	g := m.Graph()
	gone := m.matched(qedAliphatic()[0])
	if !slices.Contains(gone, true) {
		return m.Rings()
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

// desirability is an asymmetric double sigmoid, fitted to the distribution of a property among 771 drugs, and the
// property's weight.
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

// qedDesirabilities are the desirability functions of the eight properties with the weights QEDw,mo.
var qedDesirabilities = [...]desirability{
	{2.817065973, 392.5754953, 290.7489764, 2.419764353, 49.22325677, 65.37051707, 104.9805561, 0.66}, // molecular weight, g/mol
	{3.172690585, 137.8624751, 2.534937431, 4.581497897, 0.822739154, 0.576295591, 131.3186604, 0.46}, // logP
	{2.948620388, 160.4605972, 3.615294657, 4.435986202, 0.290141953, 1.300669958, 148.7763046, 0.05}, // hydrogen-bond acceptors
	{1.618662227, 1010.051101, 0.985094388, 1e-09, 0.713820843, 0.920922555, 258.1632616, 0.61},       // hydrogen-bond donors
	{1.876861559, 125.2232657, 62.90773554, 87.83366614, 12.01999824, 28.51324732, 104.5686167, 0.06}, // polar surface area, Å²
	{0.01, 272.4121427, 2.55837997, 1.565547684, 1.271567166, 2.758063707, 105.4420403, 0.65},         // rotatable bonds
	{3.21778897, 957.7374108, 2.274627939, 1e-09, 1.317690384, 0.375760881, 312.337261, 0.48},         // aromatic rings
	{0.01, 1199.094025, -0.09002883, 1e-09, 0.185904477, 0.875193782, 417.725314, 0.95},               // structural alerts
}
