// Package baseline holds searchers without a latent space, which a search in one has to beat: the graph genetic
// algorithm GBGA, the Gaussian process on fingerprints Tanimoto (Tripp & Hernández-Lobato 2023, "Genetic algorithms
// are strong baselines for molecule generation"), and Random.
//
// GBGA and Tanimoto search canonical SMILES and need RDKit: see package molecule.
package baseline

import "github.com/invbo/invbo/study"

// batches numbers the batches of a search, on from those of an earlier run, and counts those that have ended: all
// their proposals are observed.
type batches struct {
	begun, ended int
	open         map[int]int // proposals that have not been observed, by batch
}

// next returns the number of the next batch.
func (b *batches) next(known study.Ledger) int {
	for _, p := range known.Pending() {
		b.begun = max(b.begun, p.Batch)
	}
	return b.begun + 1
}

// begin begins the next batch, which is of n proposals.
func (b *batches) begin(n int) {
	b.begun++
	if n == 0 {
		b.ended++
		return
	}
	if b.open == nil {
		b.open = map[int]int{}
	}
	b.open[b.begun] = n
}

// observe takes in a trial that ends a batch, or is from an earlier run.
func (b *batches) observe(t study.Trial) {
	if t.Kind != study.Acquired || t.Revised {
		return
	}
	if b.open[t.Batch] == 0 {
		b.begun = max(b.begun, t.Batch)
		return
	}
	if b.open[t.Batch]--; b.open[t.Batch] == 0 {
		delete(b.open, t.Batch)
		b.ended++
	}
}
