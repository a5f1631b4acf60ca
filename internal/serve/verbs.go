package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
)

// The tags of these types state the limits of requests, for both transports. What could harm the server or the study
// beyond them the verbs check again.

// most is how many strings are proposed, and how many trials are listed, at a time.
const most = 1000

// known returns a number for JSON, which has no NaN.
func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// states are the names of study.State that trials have.
var states = map[study.State]string{study.Pending: "pending", study.Scored: "scored", study.Partial: "partial", study.Failed: "failed", study.Invalid: "invalid"}

func (e *entry) view(t study.Trial) Trial {
	v := Trial{
		Trial: t.ID, Name: t.Name, Input: cmp.Or(t.Input, t.X), Mutant: e.Mutant(t.Input), State: states[t.State], Kind: string(t.Kind),
		Predicted: known(t.Mean), SD: known(t.SD), Score: known(t.Score), Bound: t.Bound.String(), Reason: t.Reason, Forecast: t.Forecast,
	}
	if t.State == study.Scored {
		v.Violates = t.Violates(e.Spec.Constraints)
	}
	v.Groups = e.Groups(t.Input)
	if route := e.Route(t.Proposal); len(route.Steps) > 0 {
		v.Route = &Route{Text: route.Text(), Price: known(route.Price)}
		for _, s := range route.Steps {
			step := Step{Reaction: s.Reaction, Product: s.Product}
			for _, r := range s.Reactants {
				step.Reactants = append(step.Reactants, Reactant{SMILES: r.SMILES, Step: r.Step, Block: r.Name, Price: known(r.Price)})
			}
			v.Route.Steps = append(v.Route.Steps, step)
		}
	}
	for i, m := range t.Measurements {
		shown := Measurement{Number: i + 1, Score: known(m.Score), Bound: m.Bound.String(), SE: m.SE, Others: m.Others}
		if math.IsNaN(m.Score) {
			shown.Failed = m.Reason
		}
		for name, b := range m.OtherBounds {
			if shown.OtherBounds == nil {
				shown.OtherBounds = map[string]string{}
			}
			shown.OtherBounds[name] = b.String()
		}
		v.Measurements = append(v.Measurements, shown)
	}
	return v
}

// trial returns the trial of an ID, which there is.
func (e *entry) trial(id int) Trial { return e.view(e.Page(id-1, 1)[0]) }

// find returns the trial of an ID, if there is one.
func (e *entry) find(id int) (study.Trial, error) {
	if id >= 1 {
		if page := e.Page(id-1, 1); len(page) > 0 {
			return page[0], nil
		}
	}
	return study.Trial{}, fmt.Errorf("there is no trial %d", id)
}

// measure says what scores are. Those of several objectives are the first one's.
func (e *entry) measure() Measure {
	if len(e.Spec.Objectives) > 1 {
		first := e.Spec.Objectives[0].Name
		return Measure{Score: first, Unit: e.Columns.OtherUnits[first]}
	}
	return Measure{Score: e.Columns.Score, Unit: e.Columns.Unit, Scale: string(e.Columns.Scale)}
}

func (e *entry) summary() Summary {
	now := e.Study.Status()
	s := Summary{Measure: e.measure(), Study: e.name, Direction: "maximize", Calls: now.Calls, Pending: now.Pending}
	switch {
	case e.HasOracle():
		s.Budget, s.Left = e.Spec.Budget, new(max(0, e.Spec.Budget-now.Calls-now.Pending))
	case now.Budget < usage.Most:
		s.Budget, s.Left = now.Budget, new(max(0, e.Left()))
	}
	if e.Task.Minimize {
		s.Direction = "minimize"
	}
	if now.Best.ID > 0 {
		s.Best = new(e.view(now.Best))
	}
	return s
}

// summaries says where all studies stand, by name.
func (s *Service) summaries() []Summary {
	all := []Summary{}
	for _, name := range s.Names() {
		all = append(all, s.studies[name].summary())
	}
	return all
}

// status says where a study stands.
func (e *entry) status(context.Context, struct{}) (*Status, error) {
	state := e.Experiment.Status()
	s := &Status{
		Summary: e.summary(), Task: e.Task.Name, Units: e.Columns.OtherUnits,
		Scored: state.Strings, Measurements: state.Measurements, Partial: state.Partial, Failed: state.Failed, Unreadable: state.Unreadable, Struck: state.Struck, Withdrawn: state.Withdrawn,
		Ranked: []Trial{}, Outcomes: e.Spec.Asked(), Violating: state.Violating,
	}
	for _, n := range state.Noise {
		switch {
		case n.SD == 0:
		case n.Outcome == "" || len(e.Spec.Objectives) > 0 && n.Outcome == e.Spec.Objectives[0].Name:
			s.Noise = &n.SD
		default:
			if s.Noises == nil {
				s.Noises = map[string]float64{}
			}
			s.Noises[n.Outcome] = n.SD
		}
	}
	for _, c := range e.Spec.Constraints {
		s.Constraints = append(s.Constraints, c.String())
	}
	for _, t := range state.Best {
		s.Ranked = append(s.Ranked, e.view(t))
	}
	if f := state.Front; f != nil {
		s.Front = &Front{Objectives: []string{}, Trials: []Trial{}, Values: [][]float64{}, Hypervolume: known(f.Hypervolume), Reference: []float64{}}
		for _, o := range e.Spec.Objectives {
			s.Front.Objectives = append(s.Front.Objectives, o.String())
		}
		for i, m := range experiment.FrontMembers(f, e.Spec.Objectives) {
			s.Front.Trials, s.Front.Values = append(s.Front.Trials, e.view(f.Trials[i])), append(s.Front.Values, m.Values)
		}
		for _, p := range state.ByObjective {
			s.Front.Predictions = append(s.Front.Predictions, *predictions(p))
		}
		if f.Reference != nil {
			s.Front.Reference = experiment.Owns(f.Reference, e.Spec.Objectives)
		}
	}
	for _, t := range state.Contradictory[:min(10, len(state.Contradictory))] {
		s.Contradicts = append(s.Contradicts, e.view(t.Trial))
	}
	if state.Compared > 0 {
		s.Predictions = predictions(state.Predictions)
	}
	for _, p := range state.Waiting {
		if e.lent(p.ID, e.of.now()) {
			s.Leased++
		}
	}
	return s, nil
}

// ask lends proposals: those whose lease ran out, then new ones. The search goes on if the client leaves: what it finds
// is for the next one.
func (e *entry) ask(ctx context.Context, r *AskRequest) (*AskResponse, error) {
	if r == nil { // a request without a body
		r = &AskRequest{}
	}
	n := cmp.Or(r.N, 1)
	if n < 1 || n > most {
		return nil, huma.Error422UnprocessableEntity(fmt.Sprintf("n is %d; give a number from 1 to %d", n, most))
	}
	d, err := r.lease()
	if err != nil {
		return nil, err
	}
	lent, err := e.lend(ctx, n, d, e.free)
	if err != nil {
		return nil, err
	}
	response := &AskResponse{Measure: e.measure()}
	for _, p := range lent {
		response.Proposals = append(response.Proposals, Lent{Trial: e.trial(p.ID), Until: e.lentUntil(p.ID).UTC().Truncate(time.Millisecond)})
	}
	return response, nil
}

// lend lends up to n proposals for a time: those that free returns. If they are fewer, the search makes more. The
// search goes on if the client leaves.
func (e *entry) lend(ctx context.Context, n int, d time.Duration, free func(n int) []study.Proposal) ([]study.Proposal, error) {
	gone := huma.Error503ServiceUnavailable("the client is gone")
	select {
	case e.asking <- struct{}{}:
		defer func() { <-e.asking }()
	case <-ctx.Done():
		return nil, gone
	case <-e.of.life.Done():
		return nil, e.of.life.Err()
	}
	var err error
	lent := free(n)
	for len(lent) < n && err == nil {
		_, err = e.Study.Ask(e.of.life, n-len(lent))
		lent = free(n) // some may have been answered meanwhile
	}
	switch {
	case len(lent) == 0:
		return nil, err
	case ctx.Err() != nil:
		return nil, gone
	}
	now := e.of.now()
	var leases []sqlite.Lease
	for _, p := range lent {
		leases = append(leases, sqlite.Lease{Trial: p.ID, Granted: now, For: d})
	}
	if err := e.SaveLeases(context.WithoutCancel(ctx), leases); err != nil {
		return nil, err
	}
	e.lending.Lock()
	defer e.lending.Unlock()
	for _, p := range lent {
		e.until[p.ID] = now.Add(d)
	}
	e.of.metrics.asked.WithLabelValues(e.name).Add(float64(len(lent)))
	return lent, nil
}

// lent reports whether a proposal is lent.
func (e *entry) lent(trial int, now time.Time) bool { return now.Before(e.lentUntil(trial)) }

// lentUntil returns the end of the latest lease of a proposal; the zero time if it has had none.
func (e *entry) lentUntil(trial int) time.Time {
	e.lending.Lock()
	defer e.lending.Unlock()
	return e.until[trial]
}

// free returns the first n proposals that wait for an answer and are not lent.
func (e *entry) free(n int) []study.Proposal {
	var free []study.Proposal
	now := e.of.now()
	for _, p := range e.Pending() {
		if len(free) < n && !e.lent(p.ID, now) {
			free = append(free, p)
		}
	}
	return free
}

// tell stores all answers that can be taken, as invbo tell does, so that they may be told again. The error names the others.
func (e *entry) tell(ctx context.Context, r TellRequest) (*TellResponse, error) {
	for _, a := range r.Answers {
		if c := client(ctx); (r.Correct || a.Number != 0) && c.Role < Admin {
			e.of.metrics.refused.WithLabelValues("role").Inc()
			return nil, huma.Error403Forbidden(fmt.Sprintf("the token %s has the role %s; to correct what was told needs the role %s", c.Name, c.Role, Admin))
		}
	}
	e.telling.Lock()
	defer e.telling.Unlock()
	refused := make([]string, len(r.Answers)) // why
	outcomes := make([]Outcome, len(r.Answers))
	var rows []table.Record
	for i, a := range r.Answers {
		row, err := e.row(a)
		if err == nil && a.Number != 0 {
			outcomes[i], err = e.correct(ctx, a, row)
			if err != nil && !usage.Is(err) { // the store's
				return nil, err
			}
			if err == nil {
				continue
			}
		}
		if err != nil {
			refused[i] = err.Error()
			continue
		}
		row.Line = i // its place in the request
		rows = append(rows, row)
	}
	told, err := e.Experiment.Tell(ctx, rows, r.Correct)
	if err != nil {
		return nil, err
	}
	response := &TellResponse{Measure: e.measure(), Best: e.summary().Best}
	for _, o := range told {
		switch o.What {
		case experiment.Refused:
			refused[o.Line] = o.Why
			if o.Which && r.Answers[o.Line].Number == 0 {
				refused[o.Line] += "; or give measurement, the number of the one that is meant"
			}
		case experiment.Waiting, experiment.Stays: // an outcome that its score is made of is missing
			refused[o.Line] = o.String()
		}
		outcomes[o.Line] = Outcome{Trial: o.Trial, What: o.String(), Score: e.kept(o.Trial, 0, o.Record), Note: strings.Join(o.Remarks(), "; ")}
	}
	for i, o := range outcomes {
		if refused[i] != "" {
			e.of.metrics.told.WithLabelValues(e.name, string(experiment.Refused)).Inc()
			continue
		}
		e.of.metrics.told.WithLabelValues(e.name, o.What).Inc()
		response.Outcomes = append(response.Outcomes, o)
	}
	var details []error
	for i, why := range refused {
		if why != "" {
			details = append(details, &huma.ErrorDetail{Message: why, Location: fmt.Sprintf("body.answers[%d]", i)})
		}
	}
	if len(details) > 0 {
		return nil, huma.Error422UnprocessableEntity(notTaken(len(details), len(r.Answers)), details...)
	}
	return response, nil
}

// notTaken says how many of some answers are refused.
func notTaken(n, of int) string {
	switch {
	case of == 1:
		return "the answer is not taken"
	case n == of:
		return fmt.Sprintf("none of the %d answers is taken", of)
	}
	return fmt.Sprintf("%d of %d answers are not taken; the others are stored, and all may be told again", n, of)
}

// corrected returns the number of the trial that a correction is about.
func (e *entry) corrected(a Answer, row table.Record) (trial int, err error) {
	switch {
	case a.Trial != 0:
		return a.Trial, nil
	case row.Input == "":
		return e.Numbered(row.ID)
	}
	if trial = e.Lookup(row.Input).ID; trial == 0 {
		return 0, usage.Errorf("%q has no measurement", usage.Shorten(row.Input, 60))
	}
	return trial, nil
}

// correct puts an answer in the place of one measurement.
func (e *entry) correct(ctx context.Context, a Answer, row table.Record) (Outcome, error) {
	trial, err := e.corrected(a, row)
	if err != nil {
		return Outcome{}, err
	}
	what, err := e.Correct(ctx, trial, a.Number, row)
	if err != nil {
		return Outcome{}, err
	}
	return Outcome{Trial: trial, What: string(what), Score: e.kept(trial, a.Number, row), Note: strings.Join(e.Doubts(row), "; ")}, nil
}

// kept returns the score that is kept of a row about a trial: that of the row or, if it has further outcomes alone, of
// the n-th measurement, which has them now. If n is 0, the outcomes tell which one that is.
func (e *entry) kept(trial, n int, row table.Record) *float64 {
	t, err := e.find(trial)
	if err != nil || row.State == table.Failed || !math.IsNaN(row.Score) {
		return known(row.Score)
	}
	for i, m := range t.Measurements {
		if i+1 == n || n == 0 && len(row.Others) > 0 && experiment.Holds(m, row) {
			return known(m.Score)
		}
	}
	return nil
}

// strike takes out a measurement. It is known already if it is told again.
func (e *entry) strike(ctx context.Context, r StrikeRequest) (*Trial, error) {
	e.telling.Lock()
	defer e.telling.Unlock()
	what, err := e.Strike(ctx, r.Trial, r.Number, r.Reason)
	switch {
	case errors.Is(err, experiment.ErrStruck):
		return nil, huma.Error409Conflict(err.Error())
	case usage.Is(err):
		return nil, huma.Error422UnprocessableEntity(err.Error())
	case err != nil:
		return nil, err
	}
	e.of.metrics.told.WithLabelValues(e.name, string(what)).Inc()
	return new(e.trial(r.Trial)), nil
}

// row returns an answer as a row of a table.
func (e *entry) row(a Answer) (row table.Record, err error) {
	row = table.Record{ID: usage.Visible(a.Name), Input: a.Input, Score: math.NaN(), SE: a.SE, Others: a.Others}
	if a.Failed != "" {
		row.State, row.Reason.Text = table.Failed, a.Failed
	}
	outcomes := e.Spec.Asked()
	for _, name := range slices.Sorted(maps.Keys(a.Others)) {
		if len(outcomes) == 0 {
			return row, fmt.Errorf("the study has no further outcomes; leave others out")
		}
		if !slices.Contains(outcomes, name) {
			return row, fmt.Errorf("the study has no outcome %q%s", name, usage.Suggest(name, outcomes))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.OtherBounds)) {
		text := a.OtherBounds[name]
		side := int(bounds[text])
		if _, ok := a.Others[name]; !ok {
			return row, fmt.Errorf("other_bounds has %q, and others has not; give its number there", name)
		}
		if side == 0 {
			return row, fmt.Errorf("the bound of %s is %q; give < or >", name, usage.Shorten(text, 20))
		}
		if row.OtherBounds == nil {
			row.OtherBounds = map[string]int{}
		}
		row.OtherBounds[name] = side
	}
	switch {
	case e.Objective != nil && a.Score != nil:
		return row, fmt.Errorf("the score is made of others; leave it out, and give these: %s", strings.Join(outcomes, ", "))
	case e.Objective != nil && (a.Others == nil) == (a.Failed == ""):
		return row, fmt.Errorf("give either others or failed")
	case e.Objective == nil && a.Score != nil && a.Failed != "", a.Score == nil && a.Failed == "" && a.Others == nil:
		return row, fmt.Errorf("give either score or failed")
	case a.Bound != "" && a.Score == nil:
		return row, fmt.Errorf("bound is that of a score; give score, too")
	}
	switch {
	case a.Unit != "" && a.Score == nil:
		return row, fmt.Errorf("unit is that of a score; give score, too")
	case a.Unit != "":
		if err := e.convert(a, &row); err != nil {
			return row, err
		}
	case a.Score != nil:
		row.Score, row.Bound = *a.Score, int(bounds[a.Bound])
	}
	if wrong := e.Columns.NoConcentrations(row); len(wrong) > 0 {
		return row, fmt.Errorf("%s", strings.Join(wrong, "; "))
	}
	switch {
	case a.Trial != 0 && a.Input != "":
		return row, fmt.Errorf("give either trial or input")
	case a.Trial != 0:
		t, err := e.find(a.Trial)
		row.Input = cmp.Or(t.Input, t.X)
		return row, err
	case a.Input != "" && e.normalize != nil:
		row.Input, _, err = e.normalize(a.Input)
	case a.Input == "" && a.Name == "":
		err = fmt.Errorf("give trial, input or name")
	}
	return row, err
}

var bounds = map[string]study.Bound{"": study.Exact, study.Below.String(): study.Below, study.Above.String(): study.Above}

// convert sets the score of a row to that of an answer in a unit of its own, which is read as a cell of a table.
func (e *entry) convert(a Answer, row *table.Record) error {
	o, err := e.TableOptions()
	if err != nil {
		return err
	}
	if e.Columns.Unit == "" && !quantity.IsMolarLog(e.Columns.Score, "") && !slices.Contains(o.Known.Fractions, "") {
		return fmt.Errorf("the study states no unit of %s; leave unit out", e.Columns.Score)
	}
	o.Others = nil
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	cells := []string{a.Bound + number(*a.Score) + " " + a.Unit, ""}
	if a.SE > 0 {
		cells[1] = number(a.SE)
	}
	read, err := table.ReadForm([]string{e.Columns.Filled()}, [][]string{cells}, o)
	if err != nil {
		return err
	}
	for _, reason := range read[0].Problems {
		return errors.New(reason.Text)
	}
	row.Score, row.Bound, row.SE = read[0].Score, read[0].Bound, read[0].SE
	return nil
}

// withdraw takes back a proposal that nobody will measure. It is known already if it is told again.
func (e *entry) withdraw(ctx context.Context, r WithdrawRequest) (*Trial, error) {
	e.telling.Lock()
	defer e.telling.Unlock()
	reason := cmp.Or(r.Reason, "withdrawn")
	t, err := e.find(r.Trial)
	switch {
	case err != nil:
		return nil, huma.Error422UnprocessableEntity(err.Error())
	case t.State == study.Failed && t.Reason == reason:
	case t.State != study.Pending:
		return nil, huma.Error409Conflict(fmt.Sprintf("trial %d waits for no measurement: its state is %s", t.ID, states[t.State]))
	default:
		if _, err := e.Withdraw(ctx, []int{t.ID}, reason); err != nil {
			return nil, err
		}
	}
	return new(e.trial(t.ID)), nil
}

// trials returns a page of the trials. The cursor is the number of the last one before it.
func (e *entry) trials(_ context.Context, r TrialsRequest) (*TrialsResponse, error) {
	after, err := strconv.Atoi(cmp.Or(r.Cursor, "0"))
	if err != nil || after < 0 {
		return nil, huma.Error422UnprocessableEntity("the cursor is not one of this server; leave it out to begin with the first trial")
	}
	limit := cmp.Or(r.Limit, 100)
	if limit < 1 || limit > most {
		return nil, huma.Error422UnprocessableEntity(fmt.Sprintf("limit is %d; give a number from 1 to %d", limit, most))
	}
	page := e.Page(after, limit+1)
	response := &TrialsResponse{Measure: e.measure(), Trials: []Trial{}, More: len(page) > limit}
	for _, t := range page[:min(limit, len(page))] {
		response.Trials = append(response.Trials, e.view(t))
		after = t.ID
	}
	response.Next = strconv.Itoa(after)
	return response, nil
}
