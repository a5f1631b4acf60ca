package nn_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/invbo/invbo/nn"
	"github.com/invbo/invbo/tensor"
)

// random returns a matrix of standard normal values.
func random(rows, cols int, seed uint64) *tensor.Var {
	v := newVar(rows, cols)
	nn.Normal(1)(rand.New(rand.NewPCG(seed, 0)), v)
	return v
}

// The names are those of PyTorch's TransformerEncoderLayer and TransformerDecoderLayer, except that
// multihead_attn.in_proj of the latter is split into q_proj and kv_proj.
func TestTransformerNames(t *testing.T) {
	p := bound(func(p *nn.Params) {
		nn.NewEncoderLayer(p, "e", 4, 2, 6)
		nn.NewDecoderLayer(p, "d", 4, 2, 6)
	})
	want := []string{
		"e.self_attn.in_proj_weight", "e.self_attn.in_proj_bias", "e.self_attn.out_proj.weight", "e.self_attn.out_proj.bias",
		"e.linear1.weight", "e.linear1.bias", "e.linear2.weight", "e.linear2.bias",
		"e.norm1.weight", "e.norm1.bias", "e.norm2.weight", "e.norm2.bias",
		"d.self_attn.in_proj_weight", "d.self_attn.in_proj_bias", "d.self_attn.out_proj.weight", "d.self_attn.out_proj.bias",
		"d.multihead_attn.q_proj_weight", "d.multihead_attn.q_proj_bias", "d.multihead_attn.kv_proj_weight", "d.multihead_attn.kv_proj_bias",
		"d.multihead_attn.out_proj.weight", "d.multihead_attn.out_proj.bias",
		"d.linear1.weight", "d.linear1.bias", "d.linear2.weight", "d.linear2.bias",
		"d.norm1.weight", "d.norm1.bias", "d.norm2.weight", "d.norm2.bias", "d.norm3.weight", "d.norm3.bias",
	}
	var got []string
	for name := range p.All() {
		got = append(got, name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
}

// Apply to the first rows gives the first rows of Apply, bit for bit.
func TestEncoderLayerFirst(t *testing.T) {
	const d, m = 4, 2
	var encoder nn.EncoderLayer
	bound(func(p *nn.Params) { encoder = nn.NewEncoderLayer(p, "e", d, 2, 6) })
	seq, x := tensor.NewSpans([]int{3, 2}), random(5, d, 1)
	var tape tensor.Tape
	got := encoder.Apply(&tape, x, seq, m, nn.Dropout{})
	want := tape.FirstRows(encoder.Apply(&tape, x, seq, 0, nn.Dropout{}), seq, m)
	if !slices.Equal(got.Data, want.Data) {
		t.Errorf("First = %g, want %g", got.Data, want.Data)
	}
}

// Rows of the encoder depend on all rows of their sequence, rows of the decoder on themselves, earlier rows and the
// memory of their sequence; neither depends on other sequences.
func TestTransformerDependencies(t *testing.T) {
	const d = 4
	var encoder nn.EncoderLayer
	var decoder nn.DecoderLayer
	bound(func(p *nn.Params) {
		encoder = nn.NewEncoderLayer(p, "e", d, 2, 6)
		decoder = nn.NewDecoderLayer(p, "d", d, 2, 6)
	})
	seq := tensor.NewSpans([]int{3, 2}) // rows 0 to 2, and 3 and 4
	x, memory := random(5, d, 1), random(4, d, 2)
	run := func() (e, d *tensor.Var) {
		var tape tensor.Tape
		return encoder.Apply(&tape, x, seq, 0, nn.Dropout{}), decoder.Apply(&tape, x, memory, seq, 2, nn.Dropout{})
	}
	tests := []struct {
		name             string
		changed          *tensor.Var
		row              int
		encoder, decoder []int // rows that change
	}{
		{"a middle row", x, 1, []int{0, 1, 2}, []int{1, 2}},
		{"the last row", x, 4, []int{3, 4}, []int{4}},
		{"a memory of the second sequence", memory, 2, nil, []int{3, 4}},
	}
	for _, tt := range tests {
		e, d := run()
		tt.changed.Row(tt.row)[0]++
		e2, d2 := run()
		if got := changedRows(e, e2); !slices.Equal(got, tt.encoder) {
			t.Errorf("%s: rows %v of the encoder change, want %v", tt.name, got, tt.encoder)
		}
		if got := changedRows(d, d2); !slices.Equal(got, tt.decoder) {
			t.Errorf("%s: rows %v of the decoder change, want %v", tt.name, got, tt.decoder)
		}
	}
}

// changedRows returns the rows in which a and b differ.
func changedRows(a, b *tensor.Var) (rows []int) {
	for i := range a.Rows {
		if !slices.Equal(a.Row(i), b.Row(i)) {
			rows = append(rows, i)
		}
	}
	return rows
}

func TestDropout(t *testing.T) {
	x := random(50, 40, 1)
	var tape tensor.Tape
	if y := (nn.Dropout{}).Apply(&tape, x); y != x {
		t.Error("the zero Dropout returns a copy of x")
	}
	drop := nn.Dropout{P: 0.25, Rand: newRand()}
	first, second := drop.Apply(&tape, x), drop.Apply(&tape, x)
	if slices.Equal(first.Data, second.Data) {
		t.Error("two calls drop the same values")
	}
	if again := (nn.Dropout{P: 0.25, Rand: newRand()}).Apply(&tape, x); !slices.Equal(again.Data, first.Data) {
		t.Error("the same seed drops other values")
	}
}
