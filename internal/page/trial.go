package page

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

type trialView struct {
	frame
	Row          row
	Input        string // what strings are called
	Description  string
	Route        string
	Lent         time.Time
	Outcomes     []field // without the score
	Predicted    []field
	Heads        []string // of columns with values: the score, or each of several objectives
	Measurements []measured
	History      []change
	Relatives    []relative
	Filled       []string
	Fields       []field // of another measurement
	Said         string
	Problem      string
	Molecules    bool
}

// measured is a measurement of a trial.
type measured struct {
	study.Measurement
	Number   int
	Values   []reading // of trialView.Heads
	Others   []field
	Fields   []field // of its correction
	Striking field   // why it is struck
	Was      string  // what the form was made for
	Struck   bool
}

// change is an entry of the history of measurements.
type change struct {
	At   time.Time
	N    int
	What string
}

type relative struct {
	row
	Similarity float64
}

// trialOf returns the trial of an address.
func trialOf(r *http.Request, b *board) (study.Trial, error) {
	id, err := strconv.Atoi(r.PathValue("trial"))
	if err == nil && id > 0 {
		if page := b.Page(id-1, 1); len(page) > 0 {
			return page[0], nil
		}
	}
	return study.Trial{}, failure{http.StatusNotFound, fmt.Sprintf("there is no trial %s", usage.Visible(usage.Shorten(r.PathValue("trial"), 20)))}
}

func (p *Page) showTrial(w http.ResponseWriter, r *http.Request, b *board) error {
	f := form{values: map[string][]string{}}
	for _, key := range b.keys(0) {
		f.values.Set(key, r.URL.Query().Get(key)) // what somebody typed who found that another one was told
	}
	return p.trialOf(w, r, b, http.StatusOK, f)
}

// trialOf shows a trial, with the form that a visitor sent.
func (p *Page) trialOf(w http.ResponseWriter, r *http.Request, b *board, status int, f form) error {
	const most = 6 // relatives
	t, err := trialOf(r, b)
	if err != nil {
		return err
	}
	s := b.snapshot()
	v := trialView{
		frame: p.frame(r, fmt.Sprintf("%s: trial %d", b.Name, t.ID)).of(b, "trial"), Row: b.row(s, t), Input: b.Columns.Input, Heads: b.heads(), Predicted: b.predictions(t.Proposal),
		Route: b.Route(t.Proposal).Text(), Lent: b.Desk.Lent(t.ID), Filled: b.Filled(), Problem: f.problem, Molecules: b.Molecules(),
	}
	if len(f.said) > 0 {
		v.Said = f.said[0].What
	}
	if t.Input != "" {
		if v.Description, err = b.Describe(t.Input); err != nil {
			return err
		}
		near, err := b.Relatives(t.Input, most)
		if err != nil {
			return err
		}
		for _, n := range near {
			v.Relatives = append(v.Relatives, relative{b.row(s, n.Trial), n.Similarity})
		}
	}
	history, err := b.History(r.Context(), t.ID)
	if err != nil {
		return err
	}
	for _, h := range history {
		v.History = append(v.History, change{h.At, h.Position, b.value(h.Measurement)})
	}
	for _, name := range b.Spec.Outcomes() {
		if o := b.reading(&t, name); !math.IsNaN(o.Value) {
			v.Outcomes = append(v.Outcomes, field{Label: name, Value: o.Bound.String() + short(o.Value)})
		}
	}
	for i, m := range t.Measurements {
		n := i + 1
		a := measured{Measurement: m, Number: n, Values: b.values(m), Was: b.value(m), Struck: m.Struck()}
		for _, name := range slices.Sorted(maps.Keys(m.Others)) {
			if slices.Contains(v.Heads, name) {
				continue
			}
			a.Others = append(a.Others, field{Label: name, Value: m.OtherBounds[name].String() + short(m.Others[name])})
		}
		shown := b.shown(m)
		for j, key := range b.keys(n) {
			a.Fields = append(a.Fields, field{Name: key, Label: v.Filled[j], Value: cmp.Or(f.values.Get(key), shown[j]), Problem: f.problems[key]})
		}
		key := fmt.Sprintf("reason.%d", n)
		a.Striking = field{Name: key, Value: f.values.Get(key), Problem: f.problems[key]}
		v.Measurements = append(v.Measurements, a)
	}
	for j, key := range b.keys(0) {
		v.Fields = append(v.Fields, field{Name: key, Label: v.Filled[j], Value: f.values.Get(key), Problem: f.problems[key]})
	}
	return p.views.show(w, r, status, "trial", v)
}

// heads returns the name of the score, or of each of several objectives, which have no score.
func (b *board) heads() []string {
	if len(b.Spec.Objectives) > 1 {
		return objectiveNames(b.Spec.Objectives)
	}
	return []string{b.Columns.Score}
}

// values returns what a measurement has of heads. The standard error is that of the score, or of the first objective.
func (b *board) values(m study.Measurement) []reading {
	if len(b.Spec.Objectives) < 2 {
		return []reading{{m.Score, m.Bound, m.SE}}
	}
	all := make([]reading, len(b.Spec.Objectives))
	for j, o := range b.Spec.Objectives {
		all[j].Value, all[j].Bound = m.Value(o.Name)
	}
	all[0].SE = m.SE
	return all
}

// predictions says what was predicted of a proposal: each outcome, and the chances of keeping the constraints and of
// being on the front.
func (b *board) predictions(p study.Proposal) (all []field) {
	for _, o := range b.PredictedOutcomes(p) {
		text := short(o.Mean)
		if o.SD > 0 { // the program does not compute it
			text += " ± " + short(o.SD)
		}
		all = append(all, field{Label: o.Of, Value: text})
	}
	f := p.Forecast
	if f == nil {
		return all
	}
	chance := func(of string, v float64) {
		all = append(all, field{Label: "chance of " + of, Value: fmt.Sprintf("%.2f", v)})
	}
	if len(b.Spec.Objectives) < 2 {
		chance("the constraints", f.Chance)
		return all
	}
	if f.Kept > 0 {
		chance("the constraints", f.Kept)
	}
	chance("the front", f.Chance)
	return all
}

// value says what a measurement says. Of several objectives there is no score.
func (b *board) value(m study.Measurement) string {
	if m.Struck() {
		return m.Reason
	}
	text := "failed: " + m.Reason
	number := func(r reading) string {
		text := r.Bound.String() + full(r.Value)
		if r.SE > 0 {
			text += " ± " + short(r.SE)
		}
		return text
	}
	several := len(b.Spec.Objectives) > 1
	switch {
	case m.Part():
		text = "a part"
	case math.IsNaN(m.Score):
	case several:
		text = ""
	default:
		text = number(reading{m.Score, m.Bound, m.SE})
	}
	for _, name := range slices.Sorted(maps.Keys(m.Others)) {
		r := reading{Value: m.Others[name], Bound: m.OtherBounds[name]}
		if several && name == b.Spec.Objectives[0].Name {
			r.SE = m.SE
		}
		text += ", " + name + " " + number(r)
	}
	if !math.IsNaN(m.Score) && m.Reason != "" { // of outcomes that are missing
		text += ", " + m.Reason
	}
	return strings.TrimPrefix(text, ", ")
}

// correct puts another value in the place of a measurement, or tells another measurement if it is for none.
func (p *Page) correct(w http.ResponseWriter, r *http.Request, b *board) error {
	f, err := posted(r, visitor(r).Tells)
	if err != nil {
		return err
	}
	t, err := trialOf(r, b)
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(r.PostForm.Get("measurement")) // 0: another one
	if n > 0 {
		if err := allow(r, visitor(r).Corrects); err != nil {
			return err
		}
	}
	keys := b.keys(n)
	if len(keys) == 0 {
		return failure{http.StatusUnprocessableEntity, "all outcomes are computed: there is nothing to tell"}
	}
	cells := make([]string, len(keys))
	for j, key := range keys {
		cells[j] = strings.TrimSpace(f.values.Get(key))
	}
	if strings.Join(cells, "") == "" {
		f.problems[keys[0]] = "Give a value, or failed: and the reason."
		return p.trialOf(w, r, b, http.StatusUnprocessableEntity, f)
	}
	if n > 0 && n <= len(t.Measurements) {
		for j, text := range b.shown(t.Measurements[n-1]) {
			if cells[j] == text {
				cells[j] = "" // it stays as it is stored, to all digits
			}
		}
	}
	rows, err := b.read(map[int][]string{t.ID: cells})
	if err != nil {
		f.problem = sentence(err.Error())
		return p.trialOf(w, r, b, http.StatusUnprocessableEntity, f)
	}
	row := rows[t.ID]
	for j, reason := range row.Problems {
		f.problems[keys[j]] = sentence(reason.Text)
	}
	if len(f.problems) > 0 {
		return p.trialOf(w, r, b, http.StatusUnprocessableEntity, f)
	}
	return p.change(w, r, b, t.ID, f, n, keys[0], func(ctx context.Context) (experiment.What, string, error) {
		if n > 0 && strings.Join(cells, "") == "" {
			return experiment.Known, "", nil
		}
		if n > 0 {
			what, err := b.Correct(ctx, t.ID, n, row.Record)
			return what, strings.Join(b.Doubts(row.Record), "; "), err
		}
		all, err := b.Tell(ctx, []table.Record{row.Record}, false)
		if err != nil || len(all) == 0 {
			return experiment.Refused, "", err
		}
		if all[0].What == experiment.Known && t.State == study.Scored {
			return experiment.Known, "an equal value counts as another measurement only in a table that is told, with a row for each measurement", nil
		}
		return all[0].What, cmp.Or(all[0].Why, strings.Join(all[0].Remarks(), "; ")), nil
	})
}

// strike takes a measurement out.
func (p *Page) strike(w http.ResponseWriter, r *http.Request, b *board) error {
	f, err := posted(r, visitor(r).Corrects)
	if err != nil {
		return err
	}
	t, err := trialOf(r, b)
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(r.PostForm.Get("measurement"))
	key := fmt.Sprintf("reason.%d", n)
	reason := usage.Visible(strings.TrimSpace(f.values.Get(key)))
	if reason == "" {
		f.problems[key] = "Give a reason, such as: wrong well."
	} else if problem := checkLength(reason); problem != "" {
		f.problems[key] = problem
	}
	if len(f.problems) > 0 {
		return p.trialOf(w, r, b, http.StatusUnprocessableEntity, f)
	}
	return p.change(w, r, b, t.ID, f, n, key, func(ctx context.Context) (experiment.What, string, error) {
		what, err := b.Strike(ctx, t.ID, n, reason)
		return what, "", err
	})
}

// change changes a trial unless its measurement is another one than the form was made for, and shows it with what
// became of that.
func (p *Page) change(w http.ResponseWriter, r *http.Request, b *board, id int, f form, n int, key string, change func(context.Context) (experiment.What, string, error)) error {
	said, problem := "", ""
	err := b.Desk.Change(r.Context(), func(ctx context.Context) ([]experiment.What, error) {
		t := b.Page(id-1, 1)[0]
		if was := f.values.Get("was"); n > 0 && n <= len(t.Measurements) && was != "" && was != b.value(t.Measurements[n-1]) {
			now := usage.Shorten(b.value(t.Measurements[n-1]), shortReason)
			if !math.IsNaN(t.Measurements[n-1].Score) {
				now = b.onScale(now)
			}
			problem = fmt.Sprintf("It was changed meanwhile, to %s. Look again before you change it.", now)
			return []experiment.What{experiment.Refused}, nil
		}
		what, why, err := change(ctx)
		switch {
		case usage.Is(err):
			problem, err = sentence(err.Error()), nil
		case err == nil && (what == experiment.Refused || what == experiment.Waiting || what == experiment.Stays):
			problem = sentence(cmp.Or(why, string(what)))
		default:
			if said = sentence(string(what)); why != "" {
				said += " " + sentence(why)
			}
		}
		return []experiment.What{what}, err
	})
	switch {
	case err != nil:
		f.problem = sentence(err.Error())
	case problem != "" && n > len(b.Page(id-1, 1)[0].Measurements):
		f.problem = problem
	case problem != "":
		f.problems[key] = problem
	default:
		f = form{said: f.note(said)}
		if r.Header.Get("HX-Request") != "true" {
			http.Redirect(w, r, r.URL.Path[:strings.LastIndex(r.URL.Path, "/")], http.StatusSeeOther)
			return nil
		}
		return p.trialOf(w, r, b, http.StatusOK, f)
	}
	return p.trialOf(w, r, b, http.StatusUnprocessableEntity, f)
}

func (form) note(what string) []said { return []said{{What: what}} }
