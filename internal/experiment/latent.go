package experiment

import (
	"github.com/invbo/invbo"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/vae"
)

// Problem returns the problem that is searched, with its initial design.
func (p *Plan) Problem() study.Problem { return p.problem }

// Model returns the model whose latent space is searched; nil if the strings themselves are.
func (p *Plan) Model() vae.Model { return p.parts.Model }

// Options returns the options of the search in latent space.
func (p *Plan) Options() invbo.Options { return p.options }
