package option_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/usage"
)

// problem is what the option below sets: the tasks dock, which has files, and sphere, which has dimensions.
type problem struct {
	task          string
	receptor, box string
	dim           int
}

func (p *problem) option() *option.Option {
	parameters := []*option.Option{
		{Name: "receptor", Value: option.Text(&p.receptor), Help: "a `FILE`", Tasks: []string{"dock"}},
		{Name: "search_box", Value: option.Text(&p.box), Help: "a `FILE`", Tasks: []string{"dock"}},
		{Name: "dim", Value: option.UpTo(&p.dim, 10), Help: "`N` dimensions", Tasks: []string{"sphere"}},
	}
	return &option.Option{Name: "task", Help: "`NAME` of a task", Value: &option.Named{Kind: "task", To: &p.task, Parameters: parameters, Accepts: func(name string) (func(*option.Option) bool, error) {
		if name != "dock" && name != "sphere" && name != "plain" {
			return nil, usage.Errorf("there is no task %q", name)
		}
		return func(o *option.Option) bool { return o.Tasks[0] == name }, nil
	}}}
}

func TestNamed(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       problem
	}{
		{"a name alone", "sphere", problem{task: "sphere"}},
		{"a name that there is not is found out later", "cube", problem{task: "cube"}},
		{"one parameter", "sphere:dim=3", problem{task: "sphere", dim: 3}},
		{"several, in any order", "dock:search_box=b,receptor=a", problem{task: "dock", receptor: "a", box: "b"}},
		{"a hyphen for an underscore", "dock:search-box=b", problem{task: "dock", box: "b"}},
		{"blanks after commas", "dock: receptor = a , search_box=b ", problem{task: "dock", receptor: "a", box: "b"}},
		{"a value with = and :", "dock:receptor=C:\\x=1", problem{task: "dock", receptor: `C:\x=1`}},
		{"a value with quotation marks inside", "dock:receptor=the'file", problem{task: "dock", receptor: "the'file"}},
		{"a comma in quotation marks", `dock:receptor='a,search_box=b.pdbqt',search_box="c,d"`, problem{task: "dock", receptor: "a,search_box=b.pdbqt", box: "c,d"}},
		{"two quotation marks for one", `dock:receptor='it''s',search_box="5"""`, problem{task: "dock", receptor: "it's", box: `5"`}},
		{"blanks in quotation marks", "dock:receptor=' a '", problem{task: "dock", receptor: " a "}},
		{"parts of a name", "a+b-c:dim=2", problem{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var p problem
			err := p.option().Set(test.text)
			if test.want.task == "" {
				if err == nil || !strings.Contains(err.Error(), `there is no task "a+b-c"`) {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil || p != test.want {
				t.Errorf("%q sets %+v (%v), want %+v", test.text, p, err, test.want)
			}
		})
	}
}

func TestNamedRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "it is empty",
		"sphere:":                      "after sphere: give NAME=VALUE",
		"sphere:dim":                   "after sphere: give NAME=VALUE",
		"sphere:dim=":                  "dim : it is empty; give a value, or leave it out",
		"sphere:dim=11":                "dim 11: give a number from 1 to 10",
		"sphere:dim=x":                 "dim x: give a whole number",
		"sphere:dim=1,dim=2":           "dim is given twice",
		"sphere:receptor=a":            "receptor does not apply to the task sphere",
		"sphere:dimm=1":                `the task sphere has no parameter "dimm"; did you mean "dim"?`,
		"plain:x=1":                    "the task plain has no parameters",
		"cube:dim=1":                   `there is no task "cube"`,
		"dim=1":                        "dim=1 is a parameter: write it after a name and a colon, as in NAME:dim=1",
		"sphere,dim=1":                 "dim=1 is a parameter",
		"sphere:dim=1,dock":            "give one task",
		"dock:receptor=a,b.pdbqt":      "a value with a comma is put in quotation marks",
		"sphere:dim=1,":                `has an empty name in it`,
		":dim=1":                       `has an empty name in it`,
		"dock:receptor='a":             "the quotation mark ' is not closed",
		"dock:receptor='a'b":           "give a comma after the closing quotation mark",
		"dock:receptor=a,search-box='": "the quotation mark ' is not closed",
	} {
		var p problem
		if err := p.option().Set(text); err == nil || !usage.Is(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

// Several tasks set the parameters of one problem, and each call keeps its text where that is asked for.
func TestSeveral(t *testing.T) {
	var p problem
	o := p.option()
	o.Value.(*option.Named).Several = true
	if err := o.Set("sphere:dim=3,dock:receptor='a,b',search_box=c,plain"); err != nil || p != (problem{"sphere,dock,plain", "a,b", "c", 3}) {
		t.Errorf("%+v, %v", p, err)
	}
	if err := o.Set("sphere:dim=3,sphere:dim=4"); err == nil || !strings.Contains(err.Error(), "the task sphere is given twice") {
		t.Errorf("error %v", err)
	}
	calls := []string{"plain"}
	o = p.option()
	o.Value.(*option.Named).Several, o.Value.(*option.Named).Calls = true, &calls
	for _, text := range []string{"sphere:dim=3, sphere:dim=4", "plain"} {
		if err := o.Set(text); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprintf("%q", calls); got != `["sphere:dim=3" "sphere:dim=4" "plain"]` {
		t.Errorf("calls %s", got)
	}
}

// In a file, paths among the parameters are relative to its folder.
func TestNamedIn(t *testing.T) {
	var p problem
	if err := p.option().SetIn("/lab", "dock:receptor=a,search_box=/b"); err != nil || p != (problem{task: "dock", receptor: "/lab/a", box: "/b"}) {
		t.Errorf("%+v, %v", p, err)
	}
}

func FuzzParseCalls(f *testing.F) {
	for _, text := range []string{"a:b=c,d='e,f''g'", "a,b:c=d", `a:b="`, ",=:'"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		calls, err := option.ParseCalls(text)
		if err != nil && !usage.Is(err) {
			t.Errorf("%q: %v, which is no error in the input", text, err)
		}
		for _, c := range calls { // the text of a call is the same call
			again, err := option.ParseCalls(c.Text)
			if err != nil || len(again) != 1 || fmt.Sprint(again[0].Parameters) != fmt.Sprint(c.Parameters) || again[0].Name != c.Name {
				t.Errorf("%q: %q becomes %q, %v", text, c, again, err)
			}
		}
	})
}
