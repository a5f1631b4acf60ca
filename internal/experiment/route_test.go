package experiment

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/reaction"
	"github.com/invbo/invbo/study"
)

// A proposal that the search found by a detour is shown by the shorter route, with the prices of its blocks.
func TestRouteIsShortest(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	set, err := reaction.BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := set.Index(t.Context(), []reaction.Block{{SMILES: "BrCc1ccccc1", Name: "bromide", Price: 1}, {SMILES: "C#CC1CC1", Name: "alkyne", Price: 2}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &Plan{parts: task.Parts{Blocks: blocks}}
	r := p.Route(study.Proposal{X: "c1ccc(Cn2cc(C3CC3)nn2)cc1 BrCc1ccccc1 >azide_from_a_halide C#CC1CC1 >click_triazole_synthesis"})
	const want = "1. click triazole synthesis from a halide: bromide BrCc1ccccc1 (1) + alkyne C#CC1CC1 (2) → "
	if !strings.HasPrefix(r.Text(), want) || r.Price != 3 {
		t.Errorf("%s, %g, want %s, 3", r.Text(), r.Price, want)
	}
}
