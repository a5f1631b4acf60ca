package series_test

import (
	"context"
	"errors"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/space/internal/series"
)

func TestParse(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	all, err := series.Parse(t.Context(), []string{"CCO", "x", "CCN", "C1CC", "CO"})
	if err != nil || len(all) != 3 || all[1].SMILES() != "CCN" {
		t.Fatalf("%d molecules, %v, want those that are", len(all), err)
	}
	defer series.CloseAll(all)
	alcohol := molecule.MustCompilePattern("[OH]")
	if with := series.Having(alcohol, all); len(with) != 2 || with[1] != all[2] {
		t.Errorf("%d alcohols, want 2", len(with))
	}
	if series.Rare(alcohol, all, 15) || !series.Rare(alcohol, all, 20) {
		t.Error("two of three molecules have it: 15 may all have it by chance, and 20 do not")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := errors.New("ended")
	cancel(ended)
	if all, err := series.Parse(ctx, []string{"CCO"}); !errors.Is(err, ended) || all != nil {
		t.Errorf("%v, %v, want %v", all, err, ended)
	}
}
