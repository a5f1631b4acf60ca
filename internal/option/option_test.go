package option_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/usage"
)

// A declaration is all that help, flags and refusals need.
func ExampleOption() {
	var budget int
	o := &option.Option{Name: "budget", Value: option.Count(&budget), Help: "oracle calls: `N`", Unset: "the task's", Tasks: []string{"strings"}}
	fmt.Println(o.Usage())
	fmt.Println(o.Set("0"))
	fmt.Println(o.Set("20"), budget, o.Given)
	// Output:
	// oracle calls: `N` (default: the task's)
	// give a number from 1 to 1000000
	// <nil> 20 true
}

func TestValues(t *testing.T) {
	var (
		n     int
		seed  uint64
		x     float64
		on    bool
		d     time.Duration
		words []string
	)
	word := func(text string) (string, error) { return text, nil }
	for _, test := range []struct {
		name  string
		value option.Value
		text  string
		want  string // text, or of the error
	}{
		{"a count", option.Count(&n), "3", "3"},
		{"no count", option.Count(&n), "0", "give a number from 1 to 1000000"},
		{"a fraction of a count", option.Count(&n), "1.5", "give a whole number"},
		{"a count above the most", option.UpTo(&n, 5), "6", "give a number from 1 to 5"},
		{"zero", option.FromZero(&n), "0", "0"},
		{"below zero", option.FromZero(&n), "-1", "give 0 or a number above it"},
		{"a seed", option.Seed(&seed), "18446744073709551615", "18446744073709551615"},
		{"a seed of 0", option.Seed(&seed), "0", "0"},
		{"no seed", option.Seed(&seed), "-1", "give a whole number"},
		{"a number", option.Number(&x, 1), "1e-3", "0.001"},
		{"a number above the most", option.Number(&x, 1), "2", "give a number above 0 and up to 1"},
		{"no number", option.Number(&x, 1), "NaN", "give a number above 0 and up to 1"},
		{"true", option.Switch(&on), "true", "true"},
		{"false", option.Switch(&on), "false", "false"},
		{"neither", option.Switch(&on), "maybe", "give true or false"},
		{"a time", option.Time(&d), "90s", "1m30s"},
		{"no time", option.Time(&d), "0s", "give a time above 0, such as 5m"},
		{"a time without a unit", option.Time(&d), "5", "give a time with its unit, such as 90s, 20m or 8h"},
		{"a list", option.List(&words, word), "a", "a"},
		{"a longer list", option.List(&words, word), "b", "a, b"},
		{"nothing", option.List(&words, word), "", "it is empty; give a value, or leave it out"},
	} {
		o := &option.Option{Name: "x", Value: test.value}
		got := ""
		if err := o.Set(test.text); err != nil {
			if got = err.Error(); !usage.Is(err) || o.Given {
				t.Errorf("%s: %v is no error in the input, or the option counts as given", test.name, err)
			}
		} else {
			got = o.String()
		}
		if got != test.want {
			t.Errorf("%s: %q is %q, want %q", test.name, test.text, got, test.want)
		}
	}
}

// Numbers that may not be zero are empty before they are set.
func TestUnset(t *testing.T) {
	var n int
	var x float64
	var d time.Duration
	var text string
	for _, v := range []option.Value{option.Count(&n), option.Number(&x, 1), option.Time(&d), option.Text(&text)} {
		if got := v.String(); got != "" {
			t.Errorf("%T is %q", v, got)
		}
	}
}

// A wait may be none, and is never negative.
func TestWait(t *testing.T) {
	d := time.Minute
	for _, test := range []struct {
		text string
		ok   bool
		want time.Duration
	}{{"-5s", false, time.Minute}, {"soon", false, time.Minute}, {"90s", true, 90 * time.Second}, {"0s", true, 0}} {
		if err := option.Wait(&d).Set(test.text); (err == nil) != test.ok || d != test.want {
			t.Errorf("%s: %v, %v; want %v", test.text, d, err, test.want)
		}
	}
}

// A command has the options that are declared for it, and the parameters of others as options of their own.
func TestFor(t *testing.T) {
	var method string
	groups := []option.Group{
		{Title: "A", Options: []*option.Option{
			{Name: "method", Commands: option.Run, Value: &option.Named{To: &method, Parameters: []*option.Option{{Name: "top", Commands: option.Run}, {Name: "similarity", Commands: option.Run | option.New}}}},
			{Name: "seed", Commands: option.Run | option.New, Value: option.Text(&method)},
		}},
		{Title: "B", Options: []*option.Option{{Name: "budget", Commands: option.Run, Value: option.Text(&method)}}},
	}
	names := func(groups []option.Group) string {
		var all []string
		for _, g := range groups {
			for _, o := range g.Options {
				all = append(all, g.Title+"/"+o.Name)
			}
		}
		return strings.Join(all, " ")
	}
	for c, want := range map[option.Command]string{option.Run: "A/method A/seed B/budget", option.New: "A/similarity A/seed", option.Fit: ""} {
		if got := names(option.For(c, groups)); got != want {
			t.Errorf("command %d has %s, want %s", c, got, want)
		}
	}
	if all := option.All(groups); len(all) != 5 || option.Find("similarity", all) == nil || option.Find("simple", all) != nil {
		t.Errorf("all are %d", len(all))
	}
}

// An error has the names of options as an interface writes them, however it is wrapped.
func TestSay(t *testing.T) {
	flag := func(n option.Name) string { return "--" + string(n) }
	pair := option.Errorf("%s and %s: give one of them", option.Name("cmd"), option.Name("url"))
	settings := []option.Setting{{Name: "forbid", Value: "a.smarts"}, {Value: "the test of plausible molecules"}}
	for _, test := range []struct {
		err        error
		plain, say string
	}{
		{pair, "cmd and url: give one of them", "--cmd and --url: give one of them"},
		{fmt.Errorf("task qed: %w; try again", pair), "task qed: cmd and url: give one of them; try again", "task qed: --cmd and --url: give one of them; try again"},
		{option.Errorf("%s: %w", option.Setting{Name: "init", Value: "a.csv"}, fs.ErrNotExist), "init a.csv: file does not exist", "--init a.csv: file does not exist"},
		{option.Errorf("none passes %s", settings), "none passes forbid a.smarts and the test of plausible molecules", "none passes --forbid a.smarts and the test of plausible molecules"},
		{option.Errorf("%s: %w", option.Name("task"), option.Errorf("%s %d", option.Name("dim"), 3)), "task: dim 3", "--task: --dim 3"},
		{option.Said(pair, "oracle.cmd (a.toml, line 3): give one"), "oracle.cmd (a.toml, line 3): give one", "oracle.cmd (a.toml, line 3): give one"},
		{errors.New("cmd"), "cmd", "cmd"},
	} {
		if got := option.Say(test.err, flag); got != test.say || test.err.Error() != test.plain {
			t.Errorf("%q is said as %q, want %q and %q", test.err, got, test.plain, test.say)
		}
	}
	if err := option.Errorf("%s: %w", option.Name("init"), fs.ErrNotExist); !usage.Is(err) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is no error in the input, or does not wrap its cause", err)
	}
}

// Notes name options as the interface does, and a text without options stays as it is.
func TestNotes(t *testing.T) {
	var n option.Notes
	n.AddText("")
	n.AddText("50 % of rows")
	n.Add("%s lets it change; so do %s", option.Setting{Name: "require", Value: "none"}, []option.Setting{{Name: "sa", Value: ":4"}, {Name: "weight", Value: ":500"}})
	if got, want := n.String(), "50 % of rows\nrequire none lets it change; so do sa :4 and weight :500"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := n.Say(func(n option.Name) string { return "--" + string(n) }), "50 % of rows\n--require none lets it change; so do --sa :4 and --weight :500"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
