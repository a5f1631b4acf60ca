package grammar

import (
	"cmp"
	"fmt"
)

// Config holds the sizes of the network. A zero field takes the value of Kusner et al. 2017 for expressions.
type Config struct {
	MaxRules int    `json:"max_rules"` // maximum length of a derivation; 15
	Latent   int    `json:"latent"`    // d, latent dimensions; 25
	Filters  [3]int `json:"filters"`   // of the encoder's convolutions; 2, 3, 4
	Kernels  [3]int `json:"kernels"`   // of the convolutions, in rules, with Σ(kernel − 1) < MaxRules; 2, 3, 4
	Dense    int    `json:"dense"`     // units of the encoder's dense layer; 100
	Hidden   int    `json:"hidden"`    // units of each of the decoder's three GRU layers; 100
}

func (c Config) withDefaults() Config {
	c.MaxRules = cmp.Or(c.MaxRules, 15)
	c.Latent = cmp.Or(c.Latent, 25)
	c.Dense = cmp.Or(c.Dense, 100)
	c.Hidden = cmp.Or(c.Hidden, 100)
	for i := range 3 {
		c.Filters[i] = cmp.Or(c.Filters[i], 2+i)
		c.Kernels[i] = cmp.Or(c.Kernels[i], 2+i)
	}
	return c
}

func (c Config) check() error {
	least := min(c.MaxRules, c.Latent, c.Dense, c.Hidden)
	for i := range 3 {
		least = min(least, c.Filters[i], c.Kernels[i])
	}
	if least < 1 {
		return fmt.Errorf("sizes %+v: all must be at least 1", c)
	}
	if c.positions() < 1 {
		return fmt.Errorf("kernels %v are too wide for %d rules: use smaller kernels or a larger MaxRules", c.Kernels, c.MaxRules)
	}
	return nil
}

// positions returns the number of positions after the convolutions.
func (c Config) positions() int {
	n := c.MaxRules
	for _, k := range c.Kernels {
		n -= k - 1
	}
	return n
}
