package experiment

import (
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/reaction"
	"github.com/invbo/invbo/study"
)

// routeFile is where a run draws the routes of its best molecules.
const routeFile = "route.svg"

// Route is how a proposal is made; without steps if that is not known.
type Route struct {
	Steps []reaction.Step
	Price float64 // of the blocks; NaN unless all are known
}

// Text writes the route in one line; "" if it is not known.
func (r Route) Text() string { return reaction.Text(r.Steps) }

// cells are those of a table: the number of steps, the price and the text.
func (r Route) cells() []sheet.Cell {
	if len(r.Steps) == 0 {
		return []sheet.Cell{{}, {}, {}}
	}
	return []sheet.Cell{sheet.Number(float64(len(r.Steps)), 0), sheet.Number(r.Price, digits), sheet.Text(r.Text())}
}

// Groups returns the groups of a molecule (SMILES) at the points of the core, by R1, R2 and so on; nil if the molecule
// or the study has no core.
func (p *Plan) Groups(smiles string) map[string]string {
	if p.space.Core == nil {
		return nil
	}
	groups, ok := p.space.Groups(smiles)
	if !ok {
		return nil
	}
	named := map[string]string{}
	for i, point := range p.space.Core.Points {
		named[groupName(point)] = groups[i]
	}
	return named
}

// groupName names the group of an attachment point.
func groupName(p molecule.Point) string { return fmt.Sprintf("R%d", p.Label) }

// recipes holds routes that were carried out, by proposal.
type recipes struct {
	mu    sync.Mutex
	known map[string]Route
}

// Routes reports whether proposals have routes.
func (p *Plan) Routes() bool { return p.parts.Blocks != nil }

// Route returns the route of a proposal: X names its blocks and reactions, and the reactions are carried out again. If
// the blocks give the product in fewer steps, or cheaper blocks do in as many, Route returns that route. What was not
// proposed has no steps. Steps by reactions of another version have no products. They are left out if that version had
// reactions that this one lacks.
func (p *Plan) Route(of study.Proposal) Route {
	if !p.Routes() || !reaction.HasRoute(of.X) {
		return Route{Price: math.NaN()}
	}
	p.recipes.mu.Lock()
	defer p.recipes.mu.Unlock()
	if r, ok := p.recipes.known[of.X]; ok {
		return r
	}
	blocks := p.parts.Blocks
	route, err := blocks.Set.Route(of.X)
	if err == nil {
		route = blocks.Cheapest(route)
	} else {
		route, err = blocks.Set.Recall(of.X)
	}
	r := Route{Price: math.NaN()}
	if err == nil {
		r.Steps, r.Price = blocks.Describe(route)
	}
	if p.recipes.known == nil {
		p.recipes.known = map[string]Route{}
	}
	p.recipes.known[of.X] = r
	return r
}

// DrawRoutes draws the routes of proposals as SVG.
func (e *Experiment) DrawRoutes(w io.Writer, proposals []study.Proposal) error {
	var schemes []reaction.Scheme
	prefix := e.prefix()
	for _, p := range proposals {
		r := e.Route(p)
		title := name(p, prefix)
		if !math.IsNaN(p.Mean) {
			title += ": " + within(p.Mean, p.SD)
		}
		if !math.IsNaN(r.Price) {
			title += ", blocks " + short(r.Price)
		}
		schemes = append(schemes, reaction.Scheme{Title: title, Steps: r.Steps})
	}
	svg, err := reaction.Draw(schemes)
	if err == nil {
		_, err = w.Write(svg)
	}
	return err
}

// drawBestRoutes draws the routes of the best molecules that have one.
func (e *Experiment) drawBestRoutes(w io.Writer) error {
	const most = 5
	var schemes []reaction.Scheme
	for _, t := range e.Ranked() {
		r := e.Route(t.Proposal)
		if len(r.Steps) > 0 && len(schemes) < most {
			schemes = append(schemes, reaction.Scheme{Title: fmt.Sprintf("trial %d: %s%s", t.ID, t.Bound, short(t.Score)), Steps: r.Steps})
		}
	}
	svg, err := reaction.Draw(schemes)
	if err == nil {
		_, err = w.Write(svg)
	}
	return err
}
