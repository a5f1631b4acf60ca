package molecule_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/invbo/invbo/molecule"
)

func TestConformerStopsWithItsContext(t *testing.T) {
	needRDKit(t)
	tests := []struct {
		name, smiles string
		after        time.Duration
	}{
		{"at the first of tries that take seconds and find nothing", "OC=1N(C(O)=C2C1C3=C4C(=C2CC3O)C=CC=C4)CC5=CC=CC=C5", 0},
		{"in a relaxation, which takes longer than one try", strings.Repeat("C(F)(F)", 20), 10 * time.Millisecond},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), test.after)
			defer cancel()
			_, err := molecule.Conformer(ctx, test.smiles, 1)
			if err == nil || err.Error() != "stopped" {
				t.Errorf("error %v, want stopped", err)
			}
		})
	}
}
