package page

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

// pageSize is how many trials a table has at a time.
const pageSize = 50

// results is what is shown of the trials of a study that a filter lets through.
type results struct {
	*board
	*snapshot
	query    url.Values // without empty fields
	filter   Filter
	problems map[string]string // of the query, by field
	order    order
	kept     []int // indices of trials, in their order
	unseen   int   // trials whose structures are yet to be looked at
}

// patience is how long a view waits for structures to be looked at. It shows what is known then, and the rest later.
const patience = 200 * time.Millisecond

// results reads what a request wants to see. Patience 0 waits for all.
func (p *Page) results(r *http.Request, b *board, patience time.Duration) (*results, error) {
	q := r.URL.Query()
	for field, values := range q {
		if values = slices.DeleteFunc(values, func(v string) bool { return strings.TrimSpace(v) == "" }); len(values) == 0 {
			delete(q, field)
		} else {
			q[field] = values
		}
	}
	x := &results{board: b, snapshot: b.snapshot(), query: q, order: b.order(q)}
	x.filter, x.problems = parseFilter(q, b.outcomes())
	var err error
	patient := r.Context()
	if patience > 0 {
		var cancel context.CancelFunc
		patient, cancel = context.WithTimeout(patient, patience)
		defer cancel()
	}
	if x.kept, x.unseen, err = x.filter.apply(patient, b, x.snapshot, x.problems); err == nil {
		err = context.Cause(r.Context())
	}
	return x, err
}

// matching goes through the trials that the filter lets through, in their order.
func (x *results) matching() iter.Seq[*study.Trial] { return x.of(x.kept) }

// address returns the address of a view of the same trials, with some fields of the query changed: field, value, and so on.
func (x *results) address(view string, changes ...string) string {
	q := url.Values{}
	for field, values := range x.query {
		q[field] = values
	}
	for i := 0; i < len(changes); i += 2 {
		q.Del(changes[i])
		if changes[i+1] != "" {
			q.Set(changes[i], changes[i+1])
		}
	}
	address := "/study/" + url.PathEscape(x.Name) + view
	if len(q) > 0 {
		address += "?" + q.Encode()
	}
	return address
}

type resultsView struct {
	frame
	Summary   summary
	Query     url.Values
	Problems  map[string]string
	Fields    filterFields
	Filtered  bool
	Matching  int
	Unseen    int // yet to be looked at
	All       int
	Columns   []column
	Rows      []row
	Molecules bool
	Pager     pager
	Charts    string // address of their data
	Download  string
	Compared  []compared
	Objective []string // of several
	Predicted []predictedOf
	Operators []experiment.Operator
	Failures  []tally
	Figures   []figure
}

// predictedOf is an objective with predictions, and its place in charts.Several.
type predictedOf struct {
	At   int
	Name string
}

func objectiveNames(objectives []study.Objective) (names []string) {
	for _, o := range objectives {
		names = append(names, o.Name)
	}
	return names
}

// compared is how predictions of the score, or of one of several objectives, compare with what was measured.
type compared struct {
	experiment.Predictions
	Of string // an objective; empty: the score
	At string // end of the IDs of elements
}

// compared returns what all trials tell, or those that match a filter.
func (b *board) compared(x *results, filtered bool) (all []compared) {
	if len(b.Spec.Objectives) < 2 {
		c := compared{Predictions: x.status.Predictions}
		if filtered {
			c.Predictions = experiment.Compare(x.matching(), nil, 0)
		}
		return []compared{c}
	}
	for j, o := range b.Spec.Objectives {
		c := compared{Of: o.Name, At: "-" + strconv.Itoa(j)}
		if c.Predictions = x.status.ByObjective[j]; filtered {
			c.Predictions = experiment.Compare(x.matching(), b.Spec.Objectives, j)
		}
		if !slices.Contains(b.Spec.Computed, o.Name) {
			all = append(all, c)
		}
	}
	return all
}

// filterFields are the parts of the form that depend on the study.
type filterFields struct {
	Kinds, States []choice
	Outcomes      []string // see board.outcomes
	Constraints   []choice // none: the study has none
	Structures    bool
	Sequences     bool // with a wild type
}

type choice struct {
	Name    string
	Checked bool
}

// column is a heading by which the table can be sorted.
type column struct {
	Title, Address string
	Sorted         string // ascending or descending; empty: by another one
	Number         bool
}

// row is a trial in a table.
type row struct {
	study.Trial
	Called     string // name
	Mutant     string
	Status     string
	Violates   string
	Front      bool
	Of         int // measurements that the score is the mean of
	Objectives []reading
	Bounded    []reading // outcomes: see board.bounded
	Predicted  []reading // outcomes: see experiment.Predicted
	Drawing    string    // address
	Address    string
}

// reading is what is known of an outcome; the value is NaN if nothing is.
type reading struct {
	Value float64
	Bound study.Bound
	SE    float64 // standard error of a measurement, or standard deviation of a prediction; 0: not known
}

// reading returns what is known of an outcome of a trial: of an objective, what counts for it.
func (b *board) reading(t *study.Trial, outcome string) (r reading) {
	if i := slices.Index(objectiveNames(b.Spec.Objectives), outcome); i >= 0 {
		r.Value, r.Bound = b.Spec.Objectives[i].Measured(t)
	} else {
		r.Value, r.Bound = t.Outcome(outcome), t.OutcomeBound(outcome)
	}
	return r
}

// summary is where a study stands, whatever the filter.
type summary struct {
	State        string
	Best         *row // nil: none
	Calls        int
	Budget       int  // of a run; 0: there is none
	Resume       bool // its oracle has not answered for what waits
	Status       experiment.Status
	Minimize     bool
	Score        string
	Constrained  bool
	Hypervolume  float64
	Reference    string
	Contradicted []row
	Ended        string
}

func (b *board) row(s *snapshot, t study.Trial) row {
	r := row{Trial: t, Called: s.name(t.Proposal), Mutant: b.Mutant(t.Input), Status: stateName(&t), Front: s.onFront[t.ID], Address: fmt.Sprintf("/study/%s/trial/%d", b.Name, t.ID)}
	if r.Input == "" {
		r.Input = t.X
	}
	if t.State == study.Scored {
		r.Violates = t.Violates(b.Spec.Constraints)
	}
	for _, m := range t.Measurements {
		if !math.IsNaN(m.Score) && m.Bound == study.Exact {
			r.Of++
		}
	}
	for _, o := range b.Spec.Objectives {
		r.Objectives = append(r.Objectives, b.reading(&t, o.Name))
	}
	for _, name := range b.bounded() {
		r.Bounded = append(r.Bounded, b.reading(&t, name))
	}
	for _, name := range b.Predicted() {
		r.Predicted = append(r.Predicted, b.prediction(t.Proposal, name))
	}
	if b.Molecules() && t.Input != "" {
		r.Drawing = "/drawing?smiles=" + url.QueryEscape(t.Input)
	}
	return r
}

// prediction returns what was predicted of an outcome of a proposal.
func (b *board) prediction(p study.Proposal, outcome string) reading {
	for _, o := range b.PredictedOutcomes(p) {
		if o.Of == outcome {
			return reading{Value: o.Mean, SE: o.SD}
		}
	}
	return reading{Value: math.NaN()}
}

// outcomes returns the objectives, and then what bounded does.
func (b *board) outcomes() []string { return append(objectiveNames(b.Spec.Objectives), b.bounded()...) }

// bounded returns the outcomes that constraints bound, without the score and the objectives.
func (b *board) bounded() []string {
	return slices.DeleteFunc(study.Outcomes(b.Spec.Constraints), func(name string) bool {
		return name == b.Columns.Score || slices.ContainsFunc(b.Spec.Objectives, func(o study.Objective) bool { return o.Name == name })
	})
}

func (b *board) summary(s *snapshot) summary {
	v := summary{State: b.state(s), Calls: s.calls, Status: s.status, Minimize: b.Task.Minimize, Score: b.Columns.Score, Constrained: len(b.Spec.Constraints) > 0, Hypervolume: math.NaN()}
	if b.HasOracle() {
		v.Budget = b.Spec.Budget
	}
	v.Resume = b.HasOracle() && len(s.status.Waiting) > 0
	if len(s.status.Best) > 0 {
		best := b.row(s, s.status.Best[0])
		v.Best = &best
	}
	if f := s.status.Front; f != nil {
		v.Hypervolume = f.Hypervolume
		for i, o := range experiment.Owns(f.Reference, b.Spec.Objectives) {
			v.Reference = strings.TrimPrefix(v.Reference+", ", ", ") + b.Spec.Objectives[i].Name + " " + short(o)
		}
	}
	for _, c := range s.status.Contradictory {
		v.Contradicted = append(v.Contradicted, b.row(s, c.Trial))
	}
	b.mu.Lock()
	v.Ended = sentence(b.ended)
	b.mu.Unlock()
	return v
}

// tally counts trials with something in common.
type tally struct {
	What string
	N    int
}

type figure struct{ Title, Address string }

func (p *Page) showResults(w http.ResponseWriter, r *http.Request, b *board) error {
	x, err := p.results(r, b, patience)
	if err != nil {
		return err
	}
	v := resultsView{
		frame: p.frame(r, b.Name).of(b, "results"), Summary: b.summary(x.snapshot), Query: x.query, Problems: x.problems,
		Matching: len(x.kept), Unseen: x.unseen, All: len(x.trials), Molecules: b.Molecules(), Charts: x.address("/charts.json", "page", "", "sort", "", "desc", ""),
		Download: x.address("/trials.csv", "page", ""),
	}
	v.Objective = objectiveNames(b.Spec.Objectives)
	for i, name := range v.Objective {
		if !slices.Contains(b.Spec.Computed, name) {
			v.Predicted = append(v.Predicted, predictedOf{i + 1, name})
		}
	}
	v.Filtered = v.Matching < v.All
	v.Compared = b.compared(x, v.Filtered)
	v.Fields = filterFields{Structures: b.Molecules(), Outcomes: b.outcomes()}
	if len(b.Spec.Constraints) > 0 {
		for _, name := range constraintStates {
			v.Fields.Constraints = append(v.Fields.Constraints, choice{name, slices.Contains(x.filter.Constraints, name)})
		}
	}
	wildType, _ := b.WildType()
	v.Fields.Sequences = wildType != ""
	for _, name := range stateNames {
		v.Fields.States = append(v.Fields.States, choice{name, slices.Contains(x.filter.States, name)})
	}
	for _, k := range kinds {
		v.Fields.Kinds = append(v.Fields.Kinds, choice{string(k), slices.Contains(x.filter.Kinds, string(k))})
	}
	v.Failures = failures(x)
	v.Operators = earned(x.earned)
	for _, name := range b.Figures() {
		v.Figures = append(v.Figures, figure{strings.TrimSuffix(name, ".svg"), "/study/" + b.Name + "/figure/" + name})
	}
	v.Columns = x.columns()
	v.Pager = newPager(x)
	for _, at := range x.order.sort(x.snapshot, x.kept)[v.Pager.first:v.Pager.Last] {
		v.Rows = append(v.Rows, b.row(x.snapshot, x.trials[at]))
	}
	return p.views.show(w, r, http.StatusOK, "results", v)
}

// failures counts the trials without a score by the reason, the most frequent first.
func failures(x *results) (all []tally) {
	const most = 10
	n := map[string]int{}
	for _, i := range x.kept {
		if t := &x.trials[i]; t.State == study.Failed || t.State == study.Invalid {
			n[t.Reason]++
		}
	}
	for reason, count := range n {
		all = append(all, tally{reason, count})
	}
	slices.SortFunc(all, func(a, b tally) int {
		if a.N != b.N {
			return b.N - a.N
		}
		return strings.Compare(a.What, b.What)
	})
	return all[:min(most, len(all))]
}

// earned returns what operators contributed, without those that made nothing, the most often chosen first.
func earned(operators []experiment.Operator) []experiment.Operator {
	all := slices.DeleteFunc(slices.Clone(operators), func(o experiment.Operator) bool { return o.Made == 0 })
	slices.SortStableFunc(all, func(a, b experiment.Operator) int { return cmp.Compare(b.Chosen, a.Chosen) })
	return all
}

// columns returns the headings of the table.
func (x *results) columns() (all []column) {
	add := func(key, title string, number bool) {
		c := column{Title: title, Number: number}
		desc := ""
		if x.order.Column == key {
			c.Sorted = "ascending"
			if x.order.Reverse {
				c.Sorted = "descending"
			} else {
				desc = "1"
			}
		}
		c.Address = x.address("", "sort", key, "desc", desc, "page", "")
		all = append(all, c)
	}
	add("trial", "Trial", true)
	add("name", "Name", false)
	if len(x.Spec.Objectives) == 0 {
		add("score", x.Columns.Score, true)
	}
	for _, name := range x.outcomes() {
		add("o."+name, name, true)
	}
	predicted := x.Predicted()
	for _, name := range predicted {
		title := "Predicted"
		if len(predicted) > 1 {
			title += " " + name
		}
		add("p."+name, title, true)
	}
	add("string", x.Columns.Input, false)
	add("state", "State", false)
	add("kind", "Kind", false)
	add("batch", "Batch", true)
	add("reason", "Remark", false)
	return all
}

// pager leads through the pages of a table.
type pager struct {
	Number, Of                   int    // of pages, from 1
	From, Last                   int    // of rows, from 1
	first                        int    // index of the first row
	First, Previous, Next, Final string // addresses; empty where there is none
}

func newPager(x *results) pager {
	n := len(x.kept)
	g := pager{Number: 1, Of: max(1, (n+pageSize-1)/pageSize)}
	if number, err := strconv.Atoi(x.query.Get("page")); err == nil {
		g.Number = min(max(1, number), g.Of)
	}
	g.first = (g.Number - 1) * pageSize
	g.From, g.Last = min(g.first+1, n), min(g.first+pageSize, n)
	to := func(number int) string { return x.address("", "page", strconv.Itoa(number)) }
	if g.Number > 1 {
		g.First, g.Previous = to(1), to(g.Number-1)
	}
	if g.Number < g.Of {
		g.Next, g.Final = to(g.Number+1), to(g.Of)
	}
	return g
}

// download writes the trials that are shown, on all pages, as invbo export does.
func (p *Page) download(w http.ResponseWriter, r *http.Request, b *board) error {
	x, err := p.results(r, b, 0)
	if err != nil {
		return err
	}
	var trials []study.Trial
	for t := range x.of(x.order.sort(x.snapshot, x.kept)) {
		trials = append(trials, *t)
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s.csv"`, b.Name)) // a name of letters, digits, dots and hyphens
	return b.ExportOf(trials).WriteCSV(w)
}

func (p *Page) showFigure(w http.ResponseWriter, r *http.Request, b *board) error {
	name := r.PathValue("figure")
	if !slices.Contains(b.Figures(), name) {
		return failure{http.StatusNotFound, fmt.Sprintf("the run has no figure %q", usage.Visible(name))}
	}
	picture(w.Header())
	return b.WriteFigure(w, name)
}
