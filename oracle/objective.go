package oracle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Objective makes one score of several properties of a string.
type Objective struct {
	Properties []Property
	Product    bool // the weighted geometric mean of desirabilities; otherwise the weighted sum
	First      bool // the first property as it is, while the others have to be known, too: each is an objective of its own

	// Compute returns properties of a string that need no oracle; nil: there are none. An error says that the string
	// has none.
	Compute func(x string) (map[string]float64, error)
}

// Property is a number that an oracle reports, with its part in an Objective. It counts as it is or, if Zero and One
// differ, by its desirability: 0 at Zero, 1 at One, linear between and constant beyond. With Zero above One smaller
// values are better.
type Property struct {
	Name      string
	Weight    float64 // 0: 1
	Zero, One float64
}

// Check returns an error if an objective cannot be used.
func (o Objective) Check() error {
	if len(o.Properties) == 0 {
		return errors.New("an objective needs a property")
	}
	for _, p := range o.Properties {
		for _, v := range []float64{p.Weight, p.Zero, p.One} {
			if !(math.Abs(v) <= Largest) {
				return fmt.Errorf("property %s: %g is not a finite number", p.Name, v)
			}
		}
		switch {
		case p.Name == "":
			return errors.New("a property has no name; give that of a column or key of the oracle's answer")
		case o.Product && (p.Zero == p.One || p.Weight < 0):
			return fmt.Errorf("property %s: a product is of desirabilities; give different values for zero and one, and a weight above 0", p.Name)
		}
	}
	return nil
}

// Complete is Score of a string with these values and what Compute says of it, which all holds, too, if no other
// property is missing.
func (o Objective) Complete(x string, values map[string]float64) (score float64, all map[string]float64, missing string) {
	if o.Compute == nil {
		score, missing = o.Score(values)
		return score, values, missing
	}
	computed, err := o.Compute(x)
	if err != nil {
		return math.NaN(), values, err.Error()
	}
	all = map[string]float64{}
	maps.Copy(all, computed)
	maps.Copy(all, values)
	if score, missing = o.Score(all); missing != "" {
		return score, values, missing
	}
	return score, all, ""
}

// Score returns the score of a string with these properties. If some are not known it is NaN, and missing names them.
func (o Objective) Score(values map[string]float64) (score float64, missing string) {
	var lacks []string
	var sum, weights float64
	for _, p := range o.Properties {
		v, ok := values[p.Name]
		if !ok || math.IsNaN(v) {
			lacks = append(lacks, p.Name)
			continue
		}
		if p.Zero != p.One {
			v = min(max((v-p.Zero)/(p.One-p.Zero), 0), 1)
		}
		w := cmp.Or(p.Weight, 1)
		if o.Product {
			v = math.Log(v) // −Inf for 0: exp makes 0 of the sum
		}
		sum += w * v
		weights += w
	}
	switch {
	case lacks != nil:
		return math.NaN(), strings.Join(lacks, ", ")
	case o.First:
		return values[o.Properties[0].Name], ""
	case o.Product:
		return math.Exp(sum / weights), ""
	}
	return sum, ""
}

// Side returns where the true score lies if properties are bounds: above Score (1), below it (−1), or at it (0). sides
// says where the true value of a property lies, as a number of the same kind; those without one are exact. known is
// false if the score may lie on either side.
func (o Objective) Side(values map[string]float64, sides map[string]int) (side int, known bool) {
	if len(o.Properties) > 0 && o.First {
		return sides[o.Properties[0].Name], true
	}
	known = true
	for _, p := range o.Properties {
		v, s := values[p.Name], sides[p.Name]
		if p.Zero != p.One {
			low, high := min(p.Zero, p.One), max(p.Zero, p.One)
			if s > 0 && v >= high || s < 0 && v <= low { // the desirability is the same beyond
				s = 0
			}
			if o.Product && s == 0 && (v-p.Zero)*(p.One-p.Zero) <= 0 { // and makes the product 0
				return 0, true
			}
			if p.One < p.Zero {
				s = -s
			}
		}
		if p.Weight < 0 {
			s = -s
		}
		if s != 0 && side == -s {
			known = false
		}
		if s != 0 {
			side = s
		}
	}
	if !known {
		side = 0
	}
	return side, known
}

// Combine returns o with the objective's score in place of its own, which becomes one of Result.Others under a name.
func Combine(o Oracle, name string, objective Objective) Oracle {
	return batches(func(ctx context.Context, x []string) ([]Result, error) {
		results, err := o.Score(ctx, x)
		if err != nil {
			return nil, err
		}
		all := make([]Result, len(results))
		for i, r := range results {
			r = r.Usable()
			if all[i] = r; math.IsNaN(r.Score) {
				continue
			}
			others := map[string]float64{}
			maps.Copy(others, r.Others)
			others[name] = r.Score
			score, others, missing := objective.Complete(x[i], others)
			all[i] = Result{Score: score, Others: others}
			if missing != "" {
				if all[i].Reason = "the oracle reported no " + missing; r.Reason != "" {
					all[i].Reason += ": " + r.Reason
				}
			}
		}
		return all, nil
	})
}

// ParseProperty reads a property such as "pIC50", "logP weight=-0.5" or "logS weight=2 zero=-6 one=-2".
func ParseProperty(s string) (Property, error) {
	var p Property
	words := strings.Fields(s)
	n := len(words)
	fields, given := map[string]*float64{"weight": &p.Weight, "zero": &p.Zero, "one": &p.One}, map[string]bool{}
	for ; n > 0; n-- {
		key, text, ok := strings.Cut(words[n-1], "=")
		if !ok || strings.ContainsFunc(key, func(r rune) bool { return !unicode.IsLetter(r) }) { // a part of the name, such as (T=310K)
			break
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return p, fmt.Errorf("property %q: %s=%s is no number", s, key, text)
		}
		field, ok := fields[key]
		if !ok {
			return p, fmt.Errorf("property %q: there is no %s; give weight, zero and one", s, key)
		}
		*field, given[key] = v, true
	}
	switch {
	case given["weight"] && p.Weight == 0:
		return p, fmt.Errorf("property %q: a weight of 0 has no effect; leave the property out, or give another weight", s)
	case given["zero"] != given["one"]:
		return p, fmt.Errorf("property %q: a desirability needs zero and one; give both", s)
	case given["zero"] && p.Zero == p.One:
		return p, fmt.Errorf("property %q: zero and one are the same value; give two different ones", s)
	}
	if p.Name = strings.Join(words[:n], " "); p.Name == "" {
		return p, fmt.Errorf("property %q: a name comes first, as in logP weight=-0.5", s)
	}
	return p, nil
}

// String returns the property as ParseProperty reads it.
func (p Property) String() string {
	s := p.Name
	if p.Weight != 0 {
		s += fmt.Sprintf(" weight=%g", p.Weight)
	}
	if p.Zero != p.One {
		s += fmt.Sprintf(" zero=%g one=%g", p.Zero, p.One)
	}
	return s
}

// MarshalText and UnmarshalText let JSON and flags hold a Property.
func (p Property) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

func (p *Property) UnmarshalText(text []byte) (err error) {
	*p, err = ParseProperty(string(text))
	return err
}
