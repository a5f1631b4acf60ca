package invbo

import (
	"errors"
	"fmt"
	"math"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/vae"
)

// Problem is what to search, and for what.
type Problem struct {
	Name     string // for logs
	Model    vae.Model
	Oracle   oracle.Oracle // used by Run; Ask and Tell need none
	Minimize bool          // lower scores are better
	Init     []Observation // at least two strings to start from

	// Translate turns a string of the model into what the oracle reads, where these differ: SELFIES into
	// SMILES. Strings with one translation are one thing, and it is scored once. An error says why x
	// stands for nothing: it is recorded as a trial without a score, which costs no call. Nil: the oracle
	// reads x itself.
	Translate func(x string) (string, error)

	// Feasible says of what the oracle reads whether it may be asked for: what nobody could make, or would test, is
	// passed over, which costs no call. Initial data are scored whatever it says. An error ends the run. Nil: anything.
	Feasible func(input string) (bool, error)

	// Features are what a surrogate on structure sees of a string of the model, such as the fingerprint of
	// a molecule. Nil: the runs of one to four of its tokens.
	Features func(x string) (gp.Counts, error)
}

// Observation is a string to start from.
type Observation struct {
	X      string
	Y      float64 // its score
	Scored bool    // Y is known and costs nothing; otherwise the oracle is asked
}

// translate is Translate, or its default.
func (p *Problem) translate(x string) (string, error) {
	if p.Translate == nil {
		return x, nil
	}
	return p.Translate(x)
}

// feasible is Feasible, or its default.
func (p *Problem) feasible(input string) (bool, error) {
	if p.Feasible == nil {
		return true, nil
	}
	ok, err := p.Feasible(input)
	if err != nil {
		return false, fmt.Errorf("is %q feasible: %w", input, err)
	}
	return ok, nil
}

func (p *Problem) check() error {
	if p.Model == nil {
		return errors.New("invbo: a Problem needs a Model")
	}
	seen := map[string]bool{}
	for i, o := range p.Init {
		if err := p.Model.Check(o.X); err != nil {
			return fmt.Errorf("invbo: initial string %d, %q: %w", i+1, o.X, err)
		}
		if o.Scored && !(math.Abs(o.Y) <= oracle.Largest) { // so put, NaN is none, either
			return fmt.Errorf("invbo: initial string %d, %q: score %g; leave it unscored or out", i+1, o.X, o.Y)
		}
		seen[o.X] = true
	}
	if n := p.different(seen); n < 2 {
		return fmt.Errorf("invbo: %d different initial strings; a surrogate needs at least 2", n)
	}
	return nil
}

// different counts the things that strings stand for, up to two. What stands for nothing may yet be one of them: it is
// refused in the run, with the reason.
func (p *Problem) different(x map[string]bool) int {
	things := map[string]bool{}
	for s := range x {
		if input, err := p.translate(s); err == nil {
			s = input
		}
		if things[s] = true; len(things) == 2 {
			break
		}
	}
	return len(things)
}

// Kind says what a string was scored for.
type Kind string

const (
	Initial    Kind = "initial"  // to start from
	Acquired   Kind = "acquired" // chosen by the acquisition
	Recentered Kind = "recentered"
	Told       Kind = "told" // by the user, unasked
)

// Proposal is a string whose score the optimizer asks for.
type Proposal struct {
	X     string
	Input string // what the oracle reads: X, or its translation
	Kind  Kind
}

// Answer is a score for a string.
type Answer struct {
	X string
	oracle.Result
}

// Trial is a scored string, as it is recorded.
type Trial struct {
	N         int // from 1, in the order of answers
	Batch     int // of acquisition, from 1; 0 for the initial data
	Kind      Kind
	X         string
	Input     string  // what the oracle reads: X, or its translation; empty if it has none
	Score     float64 // in the problem's own unit and sense; NaN if there is none
	Reason    string  // why Score is NaN: the string was refused, or its oracle failed
	Called    bool    // the oracle was asked
	Predicted float64 // the surrogate's mean beforehand, in its own units, larger is better; NaN if none
}
