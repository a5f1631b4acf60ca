package baseline

import "github.com/invbo/invbo/genetic"

// Hurry makes a search for the greatest acquisition that is short enough for tests.
func (t *Tanimoto) Hurry() *Tanimoto {
	t.inner = genetic.Options{Population: 20, Offspring: 20, Generations: 3, Patience: 3}
	return t
}
