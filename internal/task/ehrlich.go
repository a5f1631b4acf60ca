package task

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle/synthetic"
	"github.com/invbo/invbo/vae/sequence"
)

// Ehrlich are the options of an Ehrlich function. Length is that of all random strings.
type Ehrlich struct {
	States      int    `json:"states,omitzero"`
	Length      int    `json:"length,omitzero"`
	Motifs      int    `json:"motifs,omitzero"`
	MotifLength int    `json:"motif_length,omitzero"`
	Instance    uint64 `json:"instance,omitzero"`
	Instances   File   `json:"instances,omitzero"` // Instance is the place of one of them, from 0; the others do not apply then
}

// Or returns e with the values of d for those that are zero.
func (e Ehrlich) Or(d Ehrlich) Ehrlich {
	if e.Instances.Given() {
		return Ehrlich{Instances: e.Instances, Instance: e.Instance}
	}
	return Ehrlich{
		States: cmp.Or(e.States, d.States), Length: cmp.Or(e.Length, d.Length), Motifs: cmp.Or(e.Motifs, d.Motifs),
		MotifLength: cmp.Or(e.MotifLength, d.MotifLength), Instance: cmp.Or(e.Instance, d.Instance),
	}
}

// defaultEhrlich returns the sizes of a function that is drawn.
func defaultEhrlich() Ehrlich { return Ehrlich{States: 20, Length: 32, Motifs: 4, MotifLength: 4} }

func buildEhrlich(_ context.Context, _ Task, o Options) (Parts, error) {
	var p Parts
	var e *synthetic.Ehrlich
	var err error
	if o.Instances.Given() {
		e, p.Generate, err = readEhrlich(o.Instances, o.Instance)
	} else if e, err = synthetic.NewEhrlich(o.States, o.Length, o.Motifs, o.MotifLength, o.Instance); err == nil {
		p.Generate = different(e.Sample)
	}
	if err != nil {
		return Parts{}, usage.Wrap(err)
	}
	p.Random = different(e.Sample) // not the design of a file, which is always the same
	a, err := sequence.NewAlphabet(strings.Split(e.Alphabet, ""))
	if err != nil {
		return Parts{}, err
	}
	p.Oracle = e
	p.Notation = Verbatim("x").checked(func(x string) error {
		_, err := alphabetOr(a, x)
		if err == nil && len(x) != e.Length {
			err = fmt.Errorf("%q has %d symbols, and strings of the function have %d", usage.Shorten(x, 60), len(x), e.Length)
		}
		return err
	})
	p.Space = func(d Design) (Space, error) { return spaceOf(a, d, nil) }
	return p, nil
}

// readEhrlich reads an instance of the reference implementation: a JSON file with alphabet and instances, each with the
// fields of synthetic.Ehrlich and the initial strings that design returns the first of.
func readEhrlich(f File, at uint64) (e *synthetic.Ehrlich, design func(context.Context, *rand.Rand, int) ([]string, error), _ error) {
	r, err := f.Open()
	if err != nil {
		return nil, nil, option.Errorf("%s: %w", option.Name("instances"), err)
	}
	defer r.Close()
	text, err := table.ReadText(r)
	if err != nil {
		return nil, nil, option.Errorf("%s: %w", option.Setting{Name: "instances", Value: f.Path}, err)
	}
	var set struct {
		Alphabet  string
		Instances []struct {
			synthetic.Ehrlich
			Initial []string
		}
	}
	err = json.NewDecoder(strings.NewReader(text)).Decode(&set)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // whose own words are of Go's types
		err = fmt.Errorf("%s at byte %d", wrong.Value, wrong.Offset)
	}
	if err != nil {
		return nil, nil, option.Errorf("%s: it is not JSON with alphabet and instances: %w", option.Setting{Name: "instances", Value: f.Path}, err)
	}
	if at >= uint64(len(set.Instances)) {
		return nil, nil, option.Errorf("%s: %s holds %d, numbered from 0", option.Setting{Name: "instance", Value: strconv.FormatUint(at, 10)}, f.Path, len(set.Instances))
	}
	in := set.Instances[at]
	e = &in.Ehrlich
	e.Alphabet = set.Alphabet
	if err := e.Check(); err != nil {
		return nil, nil, option.Errorf("%s, number %d: %w", option.Setting{Name: "instances", Value: f.Path}, at, err)
	}
	return e, func(_ context.Context, _ *rand.Rand, n int) ([]string, error) {
		if n > len(in.Initial) {
			return nil, fmt.Errorf("instance %d of %s has %d initial strings; take fewer", at, f.Path, len(in.Initial))
		}
		return slices.Clone(in.Initial[:n]), nil
	}, nil
}
