// Package baseline holds searchers without a latent space, which a search in one has to beat: the graph genetic
// algorithm GBGA, the Gaussian process on fingerprints Tanimoto (Tripp & Hernández-Lobato 2023, "Genetic algorithms
// are strong baselines for molecule generation"), and Random.
//
// GBGA and Tanimoto search canonical SMILES and need RDKit: see package molecule.
package baseline

import "github.com/invbo/invbo/study"

// batches counts batches: one has ended when all its proposals are observed.
type batches struct {
	begun, ended int
	open         int // proposals that have not been observed
}

func (b *batches) observe(t study.Trial) {
	if t.Kind != study.Acquired || t.Revised {
		return
	}
	if b.open--; b.open == 0 {
		b.ended = b.begun
	}
}
