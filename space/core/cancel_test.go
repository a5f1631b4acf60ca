package core_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/core"
)

// A context that has ended ends what looks at molecules with its cause.
func TestContextEnds(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	c, err := molecule.ParseCore("c1ccc(O[*:1])cc1")
	if err != nil {
		t.Fatal(err)
	}
	known := []string{"COc1ccccc1", "CCOc1ccccc1"}
	arrangement := arranged(t, c, nil, nil, known)
	ended := errors.New("ended")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(ended)
	if _, err := core.Arrange(ctx, c, nil, nil, known); !errors.Is(err, ended) {
		t.Errorf("Arrange: %v", err)
	}
	if _, err := arrangement.Common(ctx, known, func(int, *rand.Rand) []string { return nil }); !errors.Is(err, ended) {
		t.Errorf("Common: %v", err)
	}
	if _, err := core.New(ctx, evolve.Space{}, c, known, core.Options{Arrangement: arrangement}); !errors.Is(err, ended) {
		t.Errorf("New: %v", err)
	}
}
