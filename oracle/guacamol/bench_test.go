package guacamol_test

import (
	"testing"

	"github.com/invbo/invbo/oracle"
)

// BenchmarkScore scores one of the initial molecules, including the parsing of its SMILES.
func BenchmarkScore(b *testing.B) {
	needRDKit(b)
	const imatinib = "Cc1ccc(cc1Nc2nccc(n2)c3cccnc3)NC(=O)c4ccc(cc4)CN5CCN(CC5)C"
	for _, name := range []string{"med2", "zale", "siga", "valt", "dhop", "shop", "qed", "logp"} {
		o := newOracle(b, name)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if r, err := oracle.One(b.Context(), o, imatinib); err != nil || r.Reason != "" {
					b.Fatal(r, err)
				}
			}
		})
	}
}
