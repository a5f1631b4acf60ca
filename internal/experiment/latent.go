package experiment

import (
	"github.com/invbo/invbo"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/vae"
)

// Problem returns the problem that the experiment searches, with its initial design.
func (e *Experiment) Problem() study.Problem { return e.problem }

// Model returns the model whose latent space the experiment searches; nil if it searches the strings themselves.
func (e *Experiment) Model() vae.Model { return e.parts.Model }

// Options returns the options of the search in latent space.
func (e *Experiment) Options() invbo.Options { return e.options }
