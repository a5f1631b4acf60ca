package grammar

import (
	"fmt"
	"sync"

	"github.com/invbo/invbo/vae/grammar/cfg"
)

// maxDerivations limits the cache to about 20 MB.
const maxDerivations = 1 << 16

// derivations caches parsed strings: inversion needs the same ones up to a thousand times.
type derivations struct {
	grammar  *cfg.Grammar
	maxRules int
	maxBytes int // of a string of maxRules rules

	mu    sync.Mutex
	cache map[string][]int32
}

// of returns the rules of x without padding.
func (d *derivations) of(x string) ([]int32, error) {
	d.mu.Lock()
	rules, ok := d.cache[x]
	d.mu.Unlock()
	if ok {
		return rules, nil
	}
	if len(x) > d.maxBytes { // Parse would need a kilobyte per byte
		return nil, fmt.Errorf("string of %d bytes, more than the model's maximum of %d: train a model with a larger MaxRules", len(x), d.maxBytes)
	}
	parsed, err := d.grammar.Parse(x)
	if err != nil {
		return nil, fmt.Errorf("%q is not of the grammar: %w", x, err)
	}
	if len(parsed) > d.maxRules {
		return nil, fmt.Errorf("%q takes %d rules, more than the model's maximum of %d: train a model with a larger MaxRules", x, len(parsed), d.maxRules)
	}
	rules = make([]int32, len(parsed))
	for i, rule := range parsed {
		rules[i] = int32(rule)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.cache) >= maxDerivations {
		clear(d.cache)
	}
	d.cache[x] = rules
	return rules, nil
}
