package oracle_test

import (
	"cmp"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/invbo/invbo/oracle"
)

func TestObjective(t *testing.T) {
	potent := oracle.Property{Name: "pIC50", Weight: 2, Zero: 5, One: 9}
	soluble := oracle.Property{Name: "logS", Zero: -6, One: -2}
	fatty := oracle.Property{Name: "logP", Zero: 5, One: 3} // smaller is better
	values := func(pIC50, logS, logP float64) map[string]float64 {
		return map[string]float64{"pIC50": pIC50, "logS": logS, "logP": logP, "more": 1}
	}
	for _, c := range []struct {
		name      string
		objective oracle.Objective
		values    map[string]float64
		want      float64
		missing   string
	}{
		{"sum of desirabilities", oracle.Objective{Properties: []oracle.Property{potent, soluble, fatty}}, values(7, -3, 4), 2*0.5 + 0.75 + 0.5, ""},
		{"beyond both ends", oracle.Objective{Properties: []oracle.Property{potent, soluble, fatty}}, values(12, -9, 1), 2 + 0 + 1, ""},
		{"geometric mean", oracle.Objective{Product: true, Properties: []oracle.Property{potent, soluble}}, values(6, -2, 0), math.Pow(0.25*0.25*1, 1./3), ""},
		{"one that is 0", oracle.Objective{Product: true, Properties: []oracle.Property{potent, fatty}}, values(9, 0, 5), 0, ""},
		{"values as they are", oracle.Objective{Properties: []oracle.Property{{Name: "pIC50"}, {Name: "logP", Weight: -0.5}}}, values(7, 0, 4), 5, ""},
		{"unknown", oracle.Objective{Properties: []oracle.Property{potent, {Name: "hERG"}, {Name: "logS"}}}, values(7, math.NaN(), 0), math.NaN(), "hERG, logS"},
	} {
		if err := c.objective.Check(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		got, missing := c.objective.Score(c.values)
		if !(math.Abs(got-c.want) < 1e-12 || math.IsNaN(got) && math.IsNaN(c.want)) || missing != c.missing {
			t.Errorf("%s: %g, missing %q; want %g, %q", c.name, got, missing, c.want, c.missing)
		}
	}
	for name, bad := range map[string]oracle.Objective{
		"nothing":             {},
		"no name":             {Properties: []oracle.Property{{Weight: 1}}},
		"a product of values": {Product: true, Properties: []oracle.Property{{Name: "a"}}},
		"a negative exponent": {Product: true, Properties: []oracle.Property{{Name: "a", Weight: -1, One: 1}}},
		"no number":           {Properties: []oracle.Property{{Name: "a", Zero: math.NaN()}}},
	} {
		if bad.Check() == nil {
			t.Errorf("%s is no error", name)
		}
	}
}

func TestCombine(t *testing.T) {
	answers := map[string]oracle.Result{
		"all":   {Score: 6, Others: map[string]float64{"logP": 2}},
		"one":   {Score: 6},
		"fails": {Score: math.NaN(), Reason: "no assay"},
		"part":  {Score: 6, Reason: "tip clogged"},
	}
	o := oracle.Combine(oracle.Func(func(x string) oracle.Result { return answers[x] }), "pIC50",
		oracle.Objective{Properties: []oracle.Property{{Name: "pIC50"}, {Name: "logP", Weight: -1}}})
	got, err := oracle.Score(t.Context(), o, []string{"all", "one", "fails", "part"})
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Score != 4 || got[0].Others["pIC50"] != 6 || got[0].Others["logP"] != 2 {
		t.Errorf("all: %+v", got[0])
	}
	if !math.IsNaN(got[1].Score) || got[1].Reason != "the oracle reported no logP" || got[1].Others["pIC50"] != 6 {
		t.Errorf("one: %+v", got[1])
	}
	if !math.IsNaN(got[2].Score) || got[2].Reason != "no assay" {
		t.Errorf("fails: %+v", got[2])
	}
	if !math.IsNaN(got[3].Score) || got[3].Reason != "the oracle reported no logP: tip clogged" {
		t.Errorf("part: %+v", got[3])
	}
	if len(answers["all"].Others) != 1 {
		t.Error("the oracle's own answer is changed")
	}
}

func TestParseProperty(t *testing.T) {
	for text, want := range map[string]oracle.Property{
		"pIC50": {Name: "pIC50"}, " logP  weight=-0.5": {Name: "logP", Weight: -0.5}, "log S zero=-6 one=-2 weight=2": {Name: "log S", Weight: 2, Zero: -6, One: -2},
		"Kd (T=310K) weight=2": {Name: "Kd (T=310K)", Weight: 2},
	} {
		got, err := oracle.ParseProperty(text)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		if again, err := oracle.ParseProperty(got.String()); err != nil || again != want {
			t.Errorf("%q, written as %q: %+v, %v", text, got, again, err)
		}
	}
	for text, want := range map[string]string{
		"":               `property "": a name comes first, as in logP weight=-0.5`,
		"weight=2":       `property "weight=2": a name comes first, as in logP weight=-0.5`,
		"logP weigth=2":  `property "logP weigth=2": there is no weigth; give weight, zero and one`,
		"logP weight=x":  `property "logP weight=x": weight=x is no number`,
		"logP weight=0":  `property "logP weight=0": a weight of 0 has no effect; leave the property out, or give another weight`,
		"logP weight=-0": `property "logP weight=-0": a weight of 0 has no effect; leave the property out, or give another weight`,
		"S zero=5 one=5": `property "S zero=5 one=5": zero and one are the same value; give two different ones`,
		"S zero=0 one=0": `property "S zero=0 one=0": zero and one are the same value; give two different ones`,
		"logP one=1":     `property "logP one=1": a desirability needs zero and one; give both`,
		"logP zero=+Inf": `property "logP zero=+Inf": zero=+Inf is no number`,
	} {
		if _, err := oracle.ParseProperty(text); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

// Wherever the true values of bounds lie, the true score lies on the side that Side says.
func TestSide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float64Range(-10, 10)
		o := oracle.Objective{Product: rapid.Bool().Draw(t, "product")}
		values, truths, sides := map[string]float64{}, map[string]float64{}, map[string]int{}
		for _, name := range []string{"a", "b", "c"}[:rapid.IntRange(1, 3).Draw(t, "properties")] {
			p := oracle.Property{Name: name, Weight: rapid.Float64Range(0.1, 2).Draw(t, "weight")}
			if o.Product || rapid.Bool().Draw(t, "desirability") {
				p.Zero = number.Draw(t, "zero")
				p.One = p.Zero + rapid.SampledFrom([]float64{-3, -0.5, 0.5, 3}).Draw(t, "range")
			}
			if !o.Product && rapid.Bool().Draw(t, "negative") {
				p.Weight = -p.Weight
			}
			o.Properties = append(o.Properties, p)
			values[name] = number.Draw(t, "value")
			truths[name] = values[name]
			if s := rapid.IntRange(-1, 1).Draw(t, "side"); s != 0 {
				sides[name] = s
				truths[name] += float64(s) * rapid.Float64Range(0, 20).Draw(t, "beyond")
			}
		}
		score, _ := o.Score(values)
		truth, _ := o.Score(truths)
		side, known := o.Side(values, sides)
		const rounding = 1e-9
		switch {
		case !known && side != 0:
			t.Errorf("side %d, which is not known", side)
		case !known && len(sides) < 2:
			t.Error("one bound leaves the side of the score open")
		case known && (side == 0 && math.Abs(truth-score) > rounding || side*cmp.Compare(truth, score) < 0 && math.Abs(truth-score) > rounding):
			t.Errorf("the score %g is %g with the true values, and side %d", score, truth, side)
		}
	})
	for _, test := range []struct {
		objective oracle.Objective
		values    map[string]float64
		sides     map[string]int
		side      int
		known     bool
		name      string
	}{
		{oracle.Objective{Properties: []oracle.Property{{Name: "a"}, {Name: "b"}}}, map[string]float64{"a": 1, "b": 2}, map[string]int{"a": 1, "b": -1}, 0, false, "a sum of bounds on opposite sides"},
		{oracle.Objective{First: true, Properties: []oracle.Property{{Name: "a"}, {Name: "b"}}}, map[string]float64{"a": 1, "b": 2}, map[string]int{"a": 1, "b": -1}, 1, true, "the first of two objectives"},
		{oracle.Objective{Product: true, Properties: []oracle.Property{{Name: "a", Zero: 4, One: 8}, {Name: "b", Zero: 30, One: 10}}}, map[string]float64{"a": 9, "b": 5}, map[string]int{"a": 1, "b": -1}, 0, true, "bounds beyond which desirabilities are 1"},
		{oracle.Objective{Product: true, Properties: []oracle.Property{{Name: "a", Zero: 4, One: 8}, {Name: "b", Zero: 30, One: 10}}}, map[string]float64{"a": 5, "b": 30}, map[string]int{"a": 1, "b": 1}, 0, true, "a product that another property makes 0"},
	} {
		if side, known := test.objective.Side(test.values, test.sides); side != test.side || known != test.known {
			t.Errorf("%s: side %d, known %t", test.name, side, known)
		}
	}
}
