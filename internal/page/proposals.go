package page

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/sheet"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

type proposalsView struct {
	frame
	Summary   summary
	Columns   []string // of what is known of proposals, beside name and string
	Input     string   // what strings are called
	Filled    []string // what people fill in
	Rows      []proposal
	Molecules bool
	N         string
	Leases    []lease
	Said      []said
	Problem   string // of a form as a whole
	Searching bool
}

// proposal is a string that waits for a measurement.
type proposal struct {
	row
	Cells  []sheet.Cell // of Columns
	Fields []field      // of Filled
	Failed field        // why there is no result
	Lent   time.Time
}

// field is an input of a form, with what its visitor typed and what is wrong with it.
type field struct {
	Name, Label, Value, Problem string
	Kept                        string // value that is known already
}

// said is what became of an answer.
type said struct {
	Name, What, Address string
	Refused             bool
}

// lease is for how long proposals may be lent.
type lease struct {
	For    time.Duration
	Title  string
	Chosen bool
}

var leases = []lease{{For: 8 * time.Hour, Title: "8 hours"}, {For: 7 * 24 * time.Hour, Title: "a week", Chosen: true}, {For: 28 * 24 * time.Hour, Title: "four weeks"}}

// form is what a visitor sent, and what is said of it.
type form struct {
	values   url.Values
	problems map[string]string // by field
	said     []said
	problem  string
}

func (p *Page) showProposals(w http.ResponseWriter, r *http.Request, b *board) error {
	return p.proposalsOf(w, r, b, http.StatusOK, form{})
}

// proposalsOf shows the proposals, with the form that a visitor sent.
func (p *Page) proposalsOf(w http.ResponseWriter, r *http.Request, b *board, status int, f form) error {
	s := b.snapshot()
	v := proposalsView{
		frame: p.frame(r, b.Name+": proposals").of(b, "proposals"), Summary: b.summary(s), Input: b.Columns.Input, Filled: b.Filled(),
		Molecules: b.Molecules(), N: cmp.Or(f.values.Get("n"), "5"), Said: f.said, Problem: f.problem, Searching: b.asking.Load() > 0,
	}
	for _, l := range leases {
		if chosen := f.values.Get("lease"); chosen != "" {
			l.Chosen = chosen == l.For.String()
		}
		v.Leases = append(v.Leases, l)
	}
	listed, err := b.proposals(r.Context(), s)
	if err != nil {
		return err
	}
	first, last := 2, len(listed.Columns)-len(v.Filled) // name and string come before, and what is filled in behind
	for _, c := range listed.Columns[first:last] {
		v.Columns = append(v.Columns, strings.ReplaceAll(c.Name, "_", " "))
	}
	for i, waiting := range s.status.Waiting {
		cells := slices.Concat(listed.Rows[i], make([]sheet.Cell, len(listed.Columns)-len(listed.Rows[i])))
		q := proposal{row: b.row(s, s.trials[waiting.ID-1]), Cells: cells[first:last], Lent: b.Desk.Lent(waiting.ID)}
		for j, name := range v.Filled {
			key := fmt.Sprintf("value.%d.%d", waiting.ID, j)
			q.Fields = append(q.Fields, field{Name: key, Label: name, Value: f.values.Get(key), Problem: f.problems[key], Kept: cells[last+j].String()})
		}
		key := fmt.Sprintf("failed.%d", waiting.ID)
		q.Failed = field{Name: key, Value: f.values.Get(key), Problem: f.problems[key]}
		v.Rows = append(v.Rows, q)
	}
	return p.views.show(w, r, status, "proposals", v)
}

// allow returns an error unless a visitor may do something.
func allow(r *http.Request, may bool) error {
	if may {
		return nil
	}
	name := visitor(r).Name
	if name != "" {
		name = " " + name
	}
	return failure{http.StatusForbidden, fmt.Sprintf("the token%s may not do that", name)}
}

// posted reads the form that a visitor sent who may do what it asks for.
func posted(r *http.Request, may bool) (form, error) {
	if err := allow(r, may); err != nil {
		return form{}, err
	}
	if err := r.ParseForm(); err != nil {
		return form{}, failure{http.StatusBadRequest, "the form cannot be read"}
	}
	return form{values: r.PostForm, problems: map[string]string{}}, nil
}

// ask proposes more strings.
func (p *Page) ask(w http.ResponseWriter, r *http.Request, b *board) error {
	f, err := posted(r, visitor(r).Tells)
	if err != nil {
		return err
	}
	if err := patient(w); err != nil {
		return err
	}
	const most = 1000 // as of the API
	n, err := strconv.Atoi(strings.TrimSpace(r.PostForm.Get("n")))
	if err != nil || n < 1 || n > most {
		f.problems["n"] = ""
		f.problem = fmt.Sprintf("Give how many to ask for, from 1 to %d.", most)
		return p.proposalsOf(w, r, b, http.StatusUnprocessableEntity, f)
	}
	at := slices.IndexFunc(leases, func(l lease) bool { return l.For.String() == r.PostForm.Get("lease") })
	b.asking.Add(1)
	got, err := b.Desk.Ask(r.Context(), n, leases[max(0, at)].For)
	b.asking.Add(-1)
	b.mu.Lock()
	b.ended = ""
	if err != nil {
		b.ended = err.Error()
	}
	b.mu.Unlock()
	switch {
	case err != nil:
		f.problem = sentence(err.Error())
		return p.proposalsOf(w, r, b, http.StatusUnprocessableEntity, f)
	case got < n:
		f.problem = fmt.Sprintf("The search found %d of %d.", got, n)
	}
	f.values = nil
	return p.done(w, r, b, f)
}

// done answers a form that was taken: htmx gets the proposals as they are now, and other browsers are sent to them.
func (p *Page) done(w http.ResponseWriter, r *http.Request, b *board, f form) error {
	if r.Header.Get("HX-Request") == "true" || len(f.said) > 0 || f.problem != "" {
		return p.proposalsOf(w, r, b, http.StatusOK, f)
	}
	http.Redirect(w, r, "/study/"+b.Name+"/proposals", http.StatusSeeOther)
	return nil
}

// tell stores what a visitor filled in. Rows that cannot be taken stay in the form, each with a sentence; the others
// are stored.
func (p *Page) tell(w http.ResponseWriter, r *http.Request, b *board) error {
	f, err := posted(r, visitor(r).Tells)
	if err != nil {
		return err
	}
	filled := b.filledIn(f)
	if len(filled) == 0 {
		f.problem = "Nothing is filled in."
		return p.proposalsOf(w, r, b, http.StatusUnprocessableEntity, f)
	}
	rows, err := b.read(filled)
	if err != nil {
		f.problem = sentence(err.Error())
		return p.proposalsOf(w, r, b, http.StatusUnprocessableEntity, f)
	}
	err = b.Desk.Change(r.Context(), func(ctx context.Context) (all []experiment.What, _ error) {
		for _, id := range slices.Sorted(maps.Keys(filled)) {
			what, err := p.tellOne(ctx, b, id, rows[id], &f)
			if err != nil {
				return all, err
			}
			all = append(all, what)
		}
		return all, nil
	})
	if err != nil {
		f.problem = sentence(err.Error())
	}
	status := http.StatusOK
	if len(f.problems) > 0 || f.problem != "" {
		status = http.StatusUnprocessableEntity
	}
	if status == http.StatusOK {
		return p.done(w, r, b, f)
	}
	return p.proposalsOf(w, r, b, status, f)
}

// tellOne stores a measurement of a proposal that waits for one. What was told meanwhile is not told again: the visitor
// is told so.
func (p *Page) tellOne(ctx context.Context, b *board, id int, a answer, f *form) (experiment.What, error) {
	page := b.Page(id-1, 1)
	if len(page) == 0 {
		f.said = append(f.said, said{Name: strconv.Itoa(id), What: "There is no such trial.", Refused: true})
		f.problem = "Not all is stored."
		return experiment.Refused, nil
	}
	t := page[0]
	s := said{Name: b.Experiment.Name(t.Proposal), Address: fmt.Sprintf("/study/%s/trial/%d", b.Name, id)}
	switch {
	case t.State != study.Pending && (len(a.Problems) > 0 || !experiment.Repeats(t, a.Record)):
		s.What = fmt.Sprintf("It was told meanwhile (%s). Yours (%s) is not stored: tell it as another measurement, if it is one.", b.told(t), b.listed(a.typed))
		s.Refused = true
		another := url.Values{}
		for j, key := range b.keys(0) {
			if a.typed[j] != "" {
				another.Set(key, a.typed[j])
			}
		}
		s.Address += "?" + another.Encode()
		f.said = append(f.said, s)
		f.problem = "Not all is stored."
		return experiment.Refused, nil
	case len(a.Problems) > 0:
		for j, reason := range a.Problems {
			problem := sentence(reason.Text)
			if reason.Code == table.NoValue {
				problem += " Leave it empty while it waits."
			}
			f.problems[f.keyOf(id, j)] = problem
		}
		return experiment.Refused, nil
	}
	all, err := b.Tell(ctx, []table.Record{a.Record}, false)
	if err != nil {
		return "", err
	}
	if len(all) == 0 {
		return experiment.Refused, nil
	}
	what := all[0].What
	s.What = sentence(all[0].String())
	if what == experiment.Refused || what == experiment.Waiting || what == experiment.Stays {
		first := slices.IndexFunc(a.typed, func(text string) bool { return text != "" })
		f.problems[f.keyOf(id, first)] = s.What
		return experiment.Refused, nil
	}
	for _, remark := range all[0].Remarks() {
		s.What += " " + sentence(remark)
	}
	f.said = append(f.said, s)
	f.forget(id)
	return what, nil
}

// told says what is known of a trial.
func (b *board) told(t study.Trial) string {
	switch {
	case t.State == study.Scored && len(b.Spec.Objectives) > 1:
		var all []string
		for _, name := range b.heads() {
			if r := b.reading(&t, name); !math.IsNaN(r.Value) {
				all = append(all, name+" "+r.Bound.String()+full(r.Value))
			}
		}
		return strings.Join(all, ", ")
	case t.State == study.Scored:
		return b.onScale(t.Bound.String() + full(t.Score))
	}
	return "failed: " + usage.Shorten(t.Reason, shortReason)
}

// listed says what was typed, by column: the names of several come before their texts.
func (b *board) listed(typed []string) string {
	filled := b.Filled()
	var all []string
	for j, text := range typed {
		text = usage.Visible(usage.Shorten(text, shortReason))
		switch {
		case text == "":
		case len(filled) == 1:
			all = append(all, text)
		default:
			all = append(all, filled[j]+" "+text)
		}
	}
	return strings.Join(all, ", ")
}

// keyOf returns the field of a trial that a column was filled in by.
func (f form) keyOf(id, column int) string {
	key := fmt.Sprintf("failed.%d", id)
	if column == 0 && strings.TrimSpace(f.values.Get(key)) != "" {
		return key
	}
	return fmt.Sprintf("value.%d.%d", id, column)
}

// forget empties the fields of a trial.
func (f form) forget(id int) {
	for key := range f.values {
		if parts := strings.Split(key, "."); len(parts) > 1 && parts[1] == strconv.Itoa(id) {
			delete(f.values, key)
		}
	}
}

// withdraw takes back a proposal that nobody will measure.
func (p *Page) withdraw(w http.ResponseWriter, r *http.Request, b *board) error {
	f, err := posted(r, visitor(r).Tells)
	if err != nil {
		return err
	}
	id, err := strconv.Atoi(r.PostForm.Get("trial"))
	page := b.Page(id-1, 1)
	if err != nil || id < 1 || len(page) == 0 {
		f.problem = "There is no such trial."
		return p.proposalsOf(w, r, b, http.StatusUnprocessableEntity, f)
	}
	key := fmt.Sprintf("failed.%d", id)
	reason := cmp.Or(usage.Visible(strings.TrimSpace(r.PostForm.Get(key))), "withdrawn")
	if problem := checkLength(reason); problem != "" {
		f.problems[key] = problem
		return p.proposalsOf(w, r, b, http.StatusUnprocessableEntity, f)
	}
	s := said{Name: b.Experiment.Name(page[0].Proposal), What: "Withdrawn: " + usage.Shorten(reason, shortReason) + ".", Address: fmt.Sprintf("/study/%s/trial/%d", b.Name, id)}
	err = b.Desk.Change(r.Context(), func(ctx context.Context) ([]experiment.What, error) {
		t := b.Page(id-1, 1)[0]
		switch {
		case t.State == study.Failed && t.Reason == reason: // it was withdrawn already
			return []experiment.What{experiment.Known}, nil
		case t.State != study.Pending:
			s.What, s.Refused = fmt.Sprintf("It was told meanwhile (%s), and is not withdrawn.", b.told(t)), true
			return []experiment.What{experiment.Refused}, nil
		}
		_, err := b.Withdraw(ctx, []int{id}, reason)
		return []experiment.What{experiment.Failed}, err
	})
	if err != nil {
		f.problem = sentence(err.Error())
		return p.proposalsOf(w, r, b, http.StatusUnprocessableEntity, f)
	}
	f.said = []said{s}
	if s.Refused {
		return p.proposalsOf(w, r, b, http.StatusConflict, f)
	}
	f.forget(id)
	return p.done(w, r, b, f)
}
