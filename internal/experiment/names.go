package experiment

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// Name returns what people call a trial: its name or, if it has none, its number. Where compounds of the user have
// numbers as names, a P comes before the number of a trial, so that no two strings are called the same.
func (e *Experiment) Name(p study.Proposal) string { return name(p, e.prefix()) }

// name is Name with a known prefix.
func name(p study.Proposal, prefix string) string { return cmp.Or(p.Name, prefix+strconv.Itoa(p.ID)) }

// prefix returns what comes before the numbers of trials without a name: the shortest of nothing, P, PP and so on for
// which no name of the user looks like that.
func (e *Experiment) prefix() string {
	prefix, all := "", e.Names()
	taken := func(name string) bool {
		number, ok := strings.CutPrefix(name, prefix)
		_, err := strconv.Atoi(number)
		return ok && err == nil
	}
	for slices.ContainsFunc(all, taken) {
		prefix += "P"
	}
	return prefix
}

// names is how trials without a name are called: by their numbers after a prefix. Bare numbers are no names while there
// is a prefix, but a table from before may have them.
type names struct {
	prefix string
	last   int // the latest trial when Tell began: a table does not know the numbers of those that it begins
}

func (e *Experiment) names() names { return names{e.prefix(), e.Len()} }

// byNumber returns the trial without a name of the user's whose number follows a prefix or, with that of the names, a
// proposal that got one since; with ID 0 if there is none.
func (e *Experiment) byNumber(name, prefix string, names names) study.Trial {
	digits, ok := strings.CutPrefix(name, prefix)
	id, err := strconv.Atoi(digits)
	if !ok || err != nil || id < 1 || id > names.last || strconv.Itoa(id) != digits {
		return study.Trial{}
	}
	if t := e.Page(id-1, 1)[0]; t.Name == "" || t.Kind == study.Acquired && prefix == names.prefix {
		return t
	}
	return study.Trial{}
}

// called returns the trial with a name, or with a number after the prefix; with ID 0 if there is none.
func (e *Experiment) called(name string, names names) study.Trial {
	if t := e.Called(name); t.ID != 0 {
		return t
	}
	return e.byNumber(name, names.prefix, names)
}

// fits returns the trials that a name may mean: none, one or two. Of two, the first has the name and the second has it
// as its number. A string beside the name tells which is meant. Without a string it is the first, unless the second was
// called so before.
func (e *Experiment) fits(name string, names names) (all []study.Trial) {
	if t := e.called(name, names); t.ID != 0 {
		all = append(all, t)
	}
	if t := e.byNumber(name, "", names); t.ID != 0 && (len(all) == 0 || all[0].ID != t.ID) {
		all = append(all, t)
	}
	return all
}

// numbered returns, by name, the names that were probably made of it by table.SeparateNames: it with a number, and not many.
func (e *Experiment) numbered() map[string][]string {
	const most = 5
	names := e.Names()
	if e.pool != nil {
		names = slices.Concat(names, e.pool.names)
	}
	all := map[string][]string{}
	for _, name := range names {
		at := strings.LastIndexByte(name, '-')
		if at <= 0 {
			continue
		}
		if _, err := strconv.Atoi(strings.TrimRight(name[at+1:], "'")); err == nil && !slices.Contains(all[name[:at]], name) && len(all[name[:at]]) <= most {
			all[name[:at]] = append(all[name[:at]], name)
		}
	}
	maps.DeleteFunc(all, func(_ string, made []string) bool { return len(made) > most }) // a series
	return all
}

// uncalled says that nothing has a name, and which names were made of it, if any.
func (e *Experiment) uncalled(name string) string {
	text := fmt.Sprintf("nothing is called %q", name)
	all, are := e.numbered()[name], "are"
	switch len(all) {
	case 0:
		return text
	case 1:
		are = "is"
	}
	slices.Sort(all)
	return fmt.Sprintf("%s, but %s %s: names that several strings share are numbered", text, usage.List(all), are)
}

// whole returns table.WholeName of a name that nothing has, if something is called that.
func (e *Experiment) whole(name string, names names) string {
	if whole := table.WholeName(name); whole != name && e.Called(name).ID == 0 && len(e.fits(whole, names)) > 0 {
		return whole
	}
	return name
}

// named returns what a trial is called from now on, if a row says it.
func (e *Experiment) named(r table.Record, t study.Trial, prefix string) string {
	if r.Unnamed && t.ID != 0 {
		return ""
	}
	if _, err := strconv.Atoi(r.ID); t.ID == 0 || err != nil && r.ID != name(t.Proposal, prefix) {
		return r.ID // that of a number is the program's
	}
	return ""
}

// addName stores the name of a row that says nothing else, if its trial has none. One that has keeps it: a table may
// call the measurements of a string differently, and to tell it again changes nothing.
func (e *Experiment) addName(ctx context.Context, r table.Record, t study.Trial, prefix string) error {
	name := e.named(r, t, prefix)
	if name == "" || t.Name != "" || len(t.Measurements) == 0 {
		return nil
	}
	m := t.Measurements[0]
	return e.Study.Tell(ctx, study.Answer{
		ID: t.ID, Name: name, Measurement: m.ID, Result: oracle.Result{Score: m.Score, Reason: m.Reason, Others: m.Others},
		SE: m.SE, Bound: m.Bound, OtherBounds: m.OtherBounds, Partial: m.Part(),
	})
}
