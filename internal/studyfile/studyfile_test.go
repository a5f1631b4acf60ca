package studyfile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/studyfile"
	"github.com/invbo/invbo/internal/usage"
)

// fields are what the options of search and begin set.
type fields struct {
	task, library, wild, cmd, receptor, data string
	budget, top                              int
	rate                                     float64
	plausible                                bool
	time, dock                               time.Duration
	constraints, measured                    []string
}

// search is a command with an option of each type; begin has others, too.
func search() ([]*option.Option, studyfile.Options) {
	var f fields
	accepts := func(string) (func(*option.Option) bool, error) { return func(*option.Option) bool { return true }, nil }
	all := []*option.Option{
		{Name: "task", Value: &option.Named{Kind: "task", To: &f.task, Accepts: accepts, Parameters: []*option.Option{
			{Name: "receptor", Value: option.Text(&f.receptor), Help: "`FILE` of a protein", Table: "docking"},
			{Name: "timeout", Value: option.Time(&f.dock), Help: "`TIME` of a molecule, not of --oracle-cmd", Table: "docking"},
		}}, Help: "`NAME` of what to search"},
		{Name: "budget", Value: option.Count(&f.budget), Help: "`N` calls", Default: "500"},
		{Name: "rate", Value: option.Number(&f.rate, 10), Help: "a `RATE`", Default: "0.5"},
		{Name: "max_top", Value: option.Count(&f.top), Help: "`N` of the best"},
		{Name: "plausible", Value: option.Switch(&f.plausible), Help: "propose what is plausible", Table: "molecules"},
		{Name: "time", Value: option.Time(&f.time), Help: "end after `TIME`", Default: "1h0m0s"},
		{Name: "library", Value: option.Text(&f.library), Help: "`FILE` of molecules", Table: "molecules"},
		{Name: "wild-type", Value: option.Text(&f.wild), Help: "`SEQUENCE|FILE` that mutants change"},
		{Name: "quick", Value: option.Dropped("it is always quick")},
		{Name: "constraint", Value: option.List(&f.constraints, func(text string) (string, error) { return text, nil }), Help: "keep to the `BOUND`"},
		{Name: "measured", Value: option.List(&f.measured, func(text string) (string, error) { return text, nil }), Help: "`FILE` of what is known"},
		{Name: "oracle-cmd", Value: option.Text(&f.cmd), Help: "`COMMAND` of the shell", Table: "oracle", Key: "cmd"},
	}
	all = option.All([]option.Group{{Options: all}})
	other := []*option.Option{
		{Name: "task", Value: option.Text(&f.task), Help: "`NAME` of what to begin"},
		{Name: "data", Value: option.Text(&f.data), Help: "`FILE` of data"},
	}
	tables := []string{"", "oracle", "docking", "molecules"}
	return all, studyfile.New("search", tables, studyfile.Command{Name: "search", Options: all}, studyfile.Command{Name: "begin", Options: other})
}

func write(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "study.toml")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestRead(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       string // options, and their values
	}{
		{"nothing", "# a comment\n", ""},
		{"a byte-order mark", "\ufefftask = 'qed'\r\nbudget = 3\r\n", "task=qed budget=3"},
		{"each type", "task = 'qed'\nbudget = 1_000\nrate = 1\ntime = '5m'\n[molecules]\nplausible = true", "task=qed budget=1000 rate=1 plausible=true time=5m0s"},
		{"a list", "constraint = ['logP<=3.5', 'hERG<0.3']", "constraint=logP<=3.5, hERG<0.3"},
		{"a list of one", "constraint = 'logP<=3.5'", "constraint=logP<=3.5"},
		{"an inline table", "oracle = { cmd = 'cat' }", "oracle-cmd=cat"},
		{"a dotted key", "docking.timeout = '1h'", "timeout=1h0m0s"},
		{"either spelling of a parameter", "max-top = 2", "max_top=2"},
		{"a task with parameters", "task = \"docking:receptor='/a,b.pdbqt',timeout=1m\"", "task=docking receptor=/a,b.pdbqt timeout=1m0s"},
		{"parameters in a table", "task = 'docking'\n[docking]\nreceptor = '/a,b.pdbqt'", "task=docking receptor=/a,b.pdbqt"},
		{"what may be a path and is none", "wild-type = 'MKT'", "wild-type=MKT"},
		{"an absolute path", "molecules.library = '/a.smi'", "library=/a.smi"},
		{"standard input", "molecules.library = '-'", "library=-"},
		{"Windows' line breaks", "budget = 3\r\n[oracle]\r\ncmd = 'cat'\r\n", "budget=3 oracle-cmd=cat"},
	} {
		t.Run(test.name, func(t *testing.T) {
			all, o := search()
			if _, err := o.Read(write(t, test.text)); err != nil {
				t.Fatal(err)
			}
			if got := set(all); got != test.want {
				t.Errorf("set %s, want %s", got, test.want)
			}
		})
	}
}

// set lists the options that were given.
func set(options []*option.Option) string {
	var all []string
	for _, o := range option.GivenOf(options) {
		all = append(all, o.Name+"="+o.String())
	}
	return strings.Join(all, " ")
}

func TestReadRefuses(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"unknown key", "task = 'qed'\n\nbudgte = 3", `line 3: there is no option "budgte"; did you mean "budget"?`},
		{"unknown key in a table", "[oracle]\nscript = 'cat'", `line 2: there is no option "script" in [oracle]; there are cmd`},
		{"key of another table", "plausible = true", `line 1: there is no option "plausible"; did you mean "molecules.plausible"?`},
		{"name of a flag", "[oracle]\noracle-cmd = 'cat'", `line 2: there is no option "oracle.oracle-cmd"; did you mean "oracle.cmd"?`},
		{"unknown table", "[orcale]\ncmd = 'cat'", `line 1: there is no table [orcale]; did you mean "oracle"?`},
		{"unknown inline table", "budget = 3\norcale = { cmd = 'cat' }", `line 2: there is no table [orcale]; did you mean "oracle"?`},
		{"unknown key of a dotted table", "oracle.cmd.x = 1", `line 1: there is no table [oracle.cmd]`},
		{"table as a value", "oracle = 'cat'", `line 1: oracle is a table; write [oracle]`},
		{"list of tables", "[[oracle]]\ncmd = 'cat'", `line 1: there are no lists of tables; write [oracle]`},
		{"option of another command", "data = 'a.csv'", `line 1: data is an option of invbo begin only; leave it out`},
		{"text for a number", "budget = '3'", `line 1: budget = "3": give a whole number`},
		{"fraction for a whole number", "budget = 3.5", `line 1: budget = 3.5: give a whole number`},
		{"number for text", "task = 3", `line 1: task = 3: give text in quotes`},
		{"text for true", "molecules.plausible = 'yes'", `line 1: molecules.plausible = "yes": give true or false`},
		{"number for a time", "time = 5", `line 1: time = 5: give a time with its unit`},
		{"time without a unit", "time = '5'", `line 1: time = "5": give a time with its unit`},
		{"list for a number", "budget = [3]", `line 1: budget = [3]: give a whole number`},
		{"list of numbers", "constraint = [3]", `line 1: constraint = [3]: give a list of texts in quotes`},
		{"list for text", "task = ['a', 'b']", `line 1: task = [a b]: give text in quotes`},
		{"date", "task = 2026-01-01", `line 1: task = 2026-01-01: give text in quotes`},
		{"empty", "task = ''", `line 1: task = "": give a value, or leave it out`},
		{"empty list", "constraint = []", `line 1: constraint = []: give a value, or leave it out`},
		{"twice", "task = 'a'\ntask = 'b'", `line 2: key task is already defined`},
		{"dropped", "quick = true", `line 1: quick = true: it is always quick; leave it out`},
		{"twice, as a parameter and in a table", "task = 'docking:receptor=a'\n[docking]\nreceptor = 'a'", `line 3: docking.receptor = "a": line 1 gives it, too; leave one out`},
		{"a wrong parameter", "task = 'docking:timeout=5'", `line 1: task = "docking:timeout=5": timeout 5: give a time with its unit`},
		{"no TOML", "task = 'a'\nbudget = N", `line 2: unexpected character`},
		{"number that is too large", "budget = 99999999999999999999", `line 1: `},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, o := search()
			name := write(t, test.text)
			_, err := o.Read(name)
			if err == nil || !usage.Is(err) || !strings.HasPrefix(err.Error(), name+", "+test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %s, %s", err, name, test.want)
			}
		})
	}
	_, o := search()
	if _, err := o.Read("nowhere.toml"); !usage.Is(err) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of a file that is not there: %v", err)
	}
}

// Flags override the file, whose values are checked all the same.
func TestFlagsOverride(t *testing.T) {
	all, o := search()
	option.Find("budget", all).Set("7")
	option.Find("receptor", all).Set("mine")
	f, err := o.Read(write(t, "budget = 3\nrate = 2\ndocking.receptor = 'a'"))
	if err != nil {
		t.Fatal(err)
	}
	if got := set(all); got != "receptor=mine budget=7 rate=2" || f.Has("budget") || !f.Has("rate") {
		t.Errorf("set %s; of the file budget %t, rate %t", got, f.Has("budget"), f.Has("rate"))
	}
	if _, err := o.Read(write(t, "budget = 'many'")); !usage.Is(err) {
		t.Errorf("of a wrong value that is overridden: %v", err)
	}
}

// Errors of a run name the lines of the file that they are about, and what else they are about as flags.
func TestExplain(t *testing.T) {
	_, o := search()
	name := write(t, "task = 'qedd:receptor=p'\n[molecules]\nlibrary = 'a.smi'\nplausible = true")
	f, err := o.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	flag := func(n option.Name) string { return "--" + string(n) }
	library := filepath.Join(filepath.Dir(name), "a.smi")
	plausible := option.Errorf("%s does not apply to %s", option.Name("plausible"), option.Name("budget"))
	for _, test := range []struct {
		err  error
		want string
	}{
		{plausible, "molecules.plausible (" + name + ", line 4) does not apply to --budget"},
		{fmt.Errorf("a run: %w", plausible), "a run: molecules.plausible (" + name + ", line 4) does not apply to --budget"},
		{option.Errorf("%s: no such file", option.Setting{Name: "receptor", Value: "p"}), "docking.receptor (" + name + ", line 1) p: no such file"},
		{option.Errorf("give %s", option.Name("budget")), name + ": give --budget"},
		{usage.Errorf("--plausible does not apply to --budget"), "molecules.plausible (" + name + ", line 4) does not apply to --budget"},
		{usage.Errorf("there is no task %q", "qedd:receptor=p"), name + `, line 1: task: there is no task "qedd:receptor=p"`},
		{usage.Errorf("%s: it is empty", library), name + ", line 3: molecules.library: " + library + ": it is empty"},
		{usage.Errorf("give a method"), name + ": give a method"},
		{errors.New("--plausible was lost"), "--plausible was lost"}, // no error in the input
	} {
		got := f.Explain(test.err, flag)
		if got.Error() != test.want || !errors.Is(got, test.err) || option.Say(got, flag) != test.want {
			t.Errorf("%v becomes %v, want %s", test.err, got, test.want)
		}
	}
	if err := f.Explain(nil, flag); err != nil {
		t.Errorf("no error becomes %v", err)
	}
}

// What is written of flags sets the same flags, wherever the file is; what was not given is a comment with its default.
func TestWrite(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, path := range []string{"study.toml", "below/study.toml", "../study.toml"} {
		all, o := search()
		for _, given := range [][2]string{{"task", `a 'b' "c" \d`}, {"rate", "1e-05"}, {"library", "lib/a.smi"}, {"constraint", "a<1"}, {"constraint", "b,c"}, {"measured", "a.csv"}, {"measured", "/b.csv"}, {"timeout", "90s"}} {
			if err := option.Find(given[0], all).Set(given[1]); err != nil {
				t.Fatal(err)
			}
		}
		var text strings.Builder
		if err := o.Write(&text, path, "About."); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(text.String(), "quick") {
			t.Error("an option that was dropped is written")
		}
		lines := strings.Split(text.String(), "\n")
		for _, want := range []string{"# About.", "# search: NAME of what to search", "# begin: NAME of what to begin", "#budget = 500", "#plausible = false", "#time = '1h0m0s'", "#max_top = N", "#data = 'FILE'", "#cmd = 'COMMAND'", "#receptor = 'FILE'", "# search: TIME of a molecule, not of oracle.cmd"} {
			if !slices.Contains(lines, want) {
				t.Errorf("no line is %s:\n%s", want, text.String())
			}
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		again, o := search()
		if _, err := o.Read(path); err != nil {
			t.Fatal(err)
		}
		if got, want := set(again), set(all); path == "study.toml" && got != want {
			t.Errorf("%s sets %s, want %s", path, got, want)
		}
		library, err := filepath.Abs(option.Find("library", again).String())
		if want, _ := filepath.Abs("lib/a.smi"); err != nil || library != want {
			t.Errorf("%s names the library %s, want %s", path, library, want)
		}
		measured := option.Find("measured", again).Texts()
		for i, want := range []string{"a.csv", "/b.csv"} {
			got, _ := filepath.Abs(measured[i])
			if want, _ := filepath.Abs(want); got != want {
				t.Errorf("%s names %s, want %s", path, got, want)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("task = 'a'\n[oracle]\ncmd = 'b'\n")
	f.Add("oracle = { cmd = 'b', x.y = [1] }\nconstraint = ['a']")
	f.Fuzz(func(t *testing.T, text string) {
		_, o := search()
		if _, err := o.Read(write(t, text)); err != nil && !usage.Is(err) {
			t.Errorf("%q: %v, which is no error in the input", text, err)
		}
	})
}
