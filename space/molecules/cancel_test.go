package molecules_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/alerts"
	"github.com/invbo/invbo/space/molecules"
)

// A fuse is a context that ends itself when it is asked for the n-th time whether it has ended.
type fuse struct {
	context.Context
	cancel context.CancelCauseFunc
	left   atomic.Int64
}

var errBurnt = errors.New("the fuse has burnt")

func newFuse(t *testing.T, n int64) *fuse {
	ctx, cancel := context.WithCancelCause(t.Context())
	f := &fuse{Context: ctx, cancel: cancel}
	f.left.Store(n)
	t.Cleanup(func() { cancel(nil) })
	return f
}

func (f *fuse) Err() error {
	if f.left.Add(-1) <= 0 {
		f.cancel(errBurnt)
	}
	return f.Context.Err()
}

// A context that ends, at whatever stage, ends what looks at molecules with its cause.
func TestContextEnds(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	var smiles []string
	for i, head := range []string{"C=CC(=O)NCCc1ccc(O)cc1", "CC(=O)Nc1ccc(C)cc1", "N(CC1CCCO1)C(=O)c1ccncc1"} {
		for k, tail := range []string{"C", "CC", "CCC", "CO", "CN", "FC(F)(F)C", "N#CC", "FCC"} {
			smiles = append(smiles, fmt.Sprintf("%s.%s[C@H](F)OCC%s", []string{"Cl", "CC(=O)O"}[(i+k)%2], tail, head))
		}
	}
	known := knowns(smiles...)
	rules, err := alerts.Compile(alerts.Unstable())
	if err != nil {
		t.Fatal(err)
	}
	for name, look := range map[string]func(ctx context.Context) error{
		"Bulk": func(ctx context.Context) error {
			_, _, err := molecules.Bulk(ctx, known, rules)
			return err
		},
		"SaltsOf": func(ctx context.Context) error {
			_, err := molecules.SaltsOf(ctx, known)
			return err
		},
		"UsualOf": func(ctx context.Context) error {
			_, err := molecules.UsualOf(ctx, known)
			return err
		},
		"Series": func(ctx context.Context) error {
			_, err := molecules.Series(ctx, known, molecules.Fixed{})
			return err
		},
		"Kinds": func(ctx context.Context) error {
			_, err := molecules.Kinds(ctx, smiles)
			return err
		},
		"Prints": func(ctx context.Context) error {
			_, err := molecules.Prints(ctx, smiles)
			return err
		},
		"Pool.Design": func(ctx context.Context) error {
			_, err := molecules.NewPool(smiles, nil).Design(ctx, 20, rand.New(rand.NewPCG(0, 0)), func(string) (bool, error) { return true, nil })
			return err
		},
	} {
		for n := int64(1); ; n *= 2 {
			f := newFuse(t, n)
			err := look(f)
			if f.left.Load() > 0 {
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				break
			}
			if !errors.Is(err, errBurnt) {
				t.Errorf("%s: %v with a context that ends at look %d, want %v", name, err, n, errBurnt)
			}
		}
	}
}
