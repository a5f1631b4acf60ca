package lab_test

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/lab"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

var nan = math.NaN()

// words are measured strings; the score counts pairs of A and C.
func words() []lab.Row {
	var rows []lab.Row
	for i, x := range []string{"ACDEAC", "DDEEAA", "CCCCCC", "EDCADE", "AAAACC", "ACACDE"} {
		rows = append(rows, lab.Row{Line: i + 2, ID: fmt.Sprintf("W-%d", i+1), Input: x, Score: float64(strings.Count(x, "AC"))})
	}
	return rows
}

func create(t *testing.T, rows []lab.Row, constraints ...study.Constraint) (*lab.Book, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lab.db")
	spec := experiment.RunSpec{Task: "strings"}
	spec.Constraints = constraints
	b, err := lab.Create(t.Context(), path, spec, lab.Columns{Input: "word", Score: "activity", ID: "name"}, rows)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b, path
}

func reopen(t *testing.T, b *lab.Book, path string) *lab.Book {
	t.Helper()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := lab.Open(t.Context(), path, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func tell(t *testing.T, b *lab.Book, correct bool, rows ...lab.Row) string {
	t.Helper()
	outcomes, err := b.TellRows(t.Context(), rows, correct)
	if err != nil {
		t.Fatal(err)
	}
	var what []string
	for _, o := range outcomes {
		what = append(what, fmt.Sprintf("%d %s", o.Trial, o.What))
	}
	return strings.Join(what, "; ")
}

// Weeks of a laboratory: each begins with the file of the one before.
func TestWeeks(t *testing.T) {
	b, path := create(t, append(words(), lab.Row{Line: 8, ID: "W-1", Input: "ACDEAC", Score: 2.5}, lab.Row{Line: 9, ID: "W-7", Input: "DEDEDE", Score: nan}))
	if s := b.State(); s.Strings != 6 || s.Measurements != 7 || s.Repeated != 1 || s.Failed != 0 || math.Abs(s.Noise-math.Sqrt(0.125)) > 1e-12 {
		t.Errorf("at first %+v", s)
	}
	b = reopen(t, b, path)
	asked, err := b.Propose(t.Context(), 3)
	if err != nil || len(asked) != 3 {
		t.Fatalf("%v, %v", asked, err)
	}
	b = reopen(t, b, path)
	again, err := b.Propose(t.Context(), 2)
	if err != nil || fmt.Sprint(again) != fmt.Sprint(asked) {
		t.Errorf("asked again: %v, %v, want those that wait: %v", again, err, asked)
	}
	week := []lab.Row{
		{Line: 2, ID: b.Name(asked[0]), Input: asked[0].Input, Score: 2},
		{Line: 3, ID: b.Name(asked[1]), Score: nan, Reason: "would not fold"},
		{Line: 4, ID: b.Name(asked[2]), Score: nan},
		{Line: 5, ID: "mine", Input: "ACACAC", Score: 3},
	}
	if got := tell(t, b, false, week...); got != fmt.Sprintf("%d measured; %d failed; %d no score yet; %d measured", asked[0].ID, asked[1].ID, asked[2].ID, asked[2].ID+1) {
		t.Error(got)
	}
	b = reopen(t, b, path)
	if got := tell(t, b, false, week...); strings.Count(got, "known already") != 3 {
		t.Errorf("told again: %s", got)
	}
	if got := tell(t, b, false, lab.Row{Line: 2, ID: "mine", Score: 3.5}); !strings.Contains(got, "another measurement") {
		t.Errorf("another score: %s", got)
	}
	if got := tell(t, b, true, lab.Row{Line: 2, ID: b.Name(asked[0]), Score: 1.5}); !strings.Contains(got, "corrected") {
		t.Errorf("a correction: %s", got)
	}
	for _, test := range []struct {
		rows []float64
		want string // of "mine", which has 3 and 3.5
	}{
		{[]float64{3.2}, "not taken: it has 2 measurements, and this may correct any: give a row for each, with those that are right as they are"},
		{[]float64{3}, "known already"},
		{[]float64{3.25, 3.5}, "corrected, known already"},
		{[]float64{3, 2.5}, "corrected, corrected"},
		{[]float64{3, 2.5, 3.5}, "known already, known already, another measurement"},
		{[]float64{3.5, 2.75, 2.5}, "known already, corrected, known already"}, // 2.75 for 3
		{[]float64{3.5, 3, nan}, "known already, corrected, corrected"},
		{[]float64{3, nan, 3.5}, "known already, known already, known already"},
	} {
		var rows []lab.Row
		for i, score := range test.rows {
			r := lab.Row{Line: i + 2, ID: "mine", Score: score}
			if math.IsNaN(score) {
				r.Reason = "no yield"
			}
			rows = append(rows, r)
		}
		var got []string
		for _, line := range strings.Split(tell(t, b, true, rows...), "; ") {
			_, what, _ := strings.Cut(line, " ")
			got = append(got, what)
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("corrections %v: %q, want %s", test.rows, got, test.want)
		}
	}
	withdrawn, err := b.Withdraw(t.Context(), []string{b.Name(asked[2]), b.Name(asked[2])}, "too expensive")
	if err != nil || len(withdrawn) != 1 || withdrawn[0].Input != asked[2].Input {
		t.Errorf("withdrawn %v, %v", withdrawn, err)
	}
	b = reopen(t, b, path)
	s := b.State()
	if s.Best[0].Name != "mine" || s.Best[0].Score != 3.25 || s.Strings != 8 || s.Failed != 2 || s.Compared != 1 || len(s.Waiting) != 0 {
		t.Errorf("in the end %+v", s)
	}
	next, err := b.Propose(t.Context(), 4)
	if err != nil || len(next) != 4 {
		t.Fatalf("%v, %v", next, err)
	}
	for _, p := range next {
		for _, old := range asked {
			if p.Input == old.Input {
				t.Errorf("%s is proposed again", p.Input)
			}
		}
	}
	sheet, err := b.Sheet(next)
	if err != nil {
		t.Fatal(err)
	}
	var table, all bytes.Buffer
	if err := sheet.WriteCSV(&table); err != nil || !strings.HasPrefix(table.String(), "name,word,predicted,sd,nearest,similarity,activity\n") || strings.Count(table.String(), ",\n") != 4 {
		t.Errorf("%v:\n%s", err, &table)
	}
	if err := b.WriteAll(&all); err != nil || !strings.Contains(all.String(), ",mine,ACACAC,3.25,2,0.3536,measured,0,,,\n") || !strings.Contains(all.String(), "would not fold") {
		t.Errorf("%v:\n%s", err, &all)
	}
}

// A row that contradicts what is known is refused, and the others are taken.
func TestRefusedRows(t *testing.T) {
	b, _ := create(t, words())
	got := tell(t, b, false,
		lab.Row{Line: 2, ID: "W-1", Input: "CCCCCC", Score: 1}, lab.Row{Line: 3, ID: "nobody", Score: 1},
		lab.Row{Line: 4, Input: "AC?", Score: 1}, lab.Row{Line: 5, Input: "AACC", Score: 1})
	for _, want := range []string{"W-1 is ACDEAC, and this row has CCCCCC", `nothing is called "nobody"`, "no symbol of the alphabet", "; 7 measured"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s; want %q in it", got, want)
		}
	}
	if _, err := b.Withdraw(t.Context(), []string{"W-1"}, ""); err == nil {
		t.Error("a measured string was withdrawn")
	}
	path := filepath.Join(t.TempDir(), "few.db")
	if _, err := lab.Create(t.Context(), path, experiment.RunSpec{Task: "strings"}, lab.Columns{}, words()[:1]); err == nil || !strings.Contains(err.Error(), "strings with a score: 1,") {
		t.Errorf("one string: %v", err)
	}
}

// Where the user's own names are numbers, proposals are called otherwise, and a number that may be either is not guessed.
func TestNumericNames(t *testing.T) {
	rows := words()
	for i := range rows {
		rows[i].ID = []string{"1", "2", "P3", "x", "8", "9"}[i]
	}
	b, path := create(t, rows)
	asked, err := b.Propose(t.Context(), 4) // trials 7 to 10
	if err != nil {
		t.Fatal(err)
	}
	b = reopen(t, b, path)
	sheet, err := b.Sheet(asked)
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := sheet.WriteCSV(&table); err != nil || !strings.Contains(table.String(), "\nPP9,"+asked[2].Input+",") {
		t.Errorf("%v:\n%s", err, &table)
	}
	if got := b.State().String(); !strings.Contains(got, "4 for a measurement: PP7, PP8, PP9, PP10\n") {
		t.Errorf("the state has other names:\n%s", got)
	}
	in := func(i int) string { return asked[i-7].Input }
	for _, test := range []struct {
		name string
		row  lab.Row
		want string
	}{
		{"as ask calls it", lab.Row{ID: "PP7", Score: 1}, "7 measured"},
		{"as ask called it before, with its string", lab.Row{ID: "9", Input: in(9), Score: 2}, "9 measured"},
		{"as ask called it before, and no compound is called so", lab.Row{ID: "10", Score: 3}, "10 measured"},
		{"a number that may be either", lab.Row{ID: "8", Score: 4}, "8 is AAAACC, and trial 8 is " + in(8) + "; give the string, too"},
		{"a compound of the user", lab.Row{ID: "8", Input: "AAAACC", Score: 5}, "5 another measurement"},
		{"a new one with the number of a trial", lab.Row{ID: "7", Input: "ACACAC", Score: 6}, "11 measured"},
		{"which is now called so", lab.Row{ID: "7", Input: "ACACAC", Score: 6}, "11 known already"},
		{"or the proposal is meant", lab.Row{ID: "7", Score: 6}, "7 is ACACAC, and trial 7 is " + in(7)},
		{"the string of another compound", lab.Row{ID: "1", Input: "AAAACC", Score: 7}, "1 is ACDEAC, and this row has AAAACC"},
	} {
		if got := tell(t, b, false, test.row); !strings.Contains(got, test.want) {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	if p := b.Lookup(in(7)).Proposal; p.Name != "" {
		t.Errorf("the name that ask gave is stored as the user's: %q", p.Name)
	}
	if _, err := b.Withdraw(t.Context(), []string{"9"}, ""); err == nil || !strings.Contains(err.Error(), `"9" waits for no measurement; give one of these that do: PP8`) {
		t.Errorf("withdrawn: %v", err)
	}
	if w, err := b.Withdraw(t.Context(), []string{"8"}, "cannot be made"); err != nil || w[0].Input != in(8) {
		t.Errorf("withdrawn: %v, %v", w, err)
	}
}

// A table may have further outcomes, and constraints on them. The best is the best that keeps them.
func TestConstraints(t *testing.T) {
	with := func(r lab.Row, toxicity float64) lab.Row {
		r.Others = map[string]float64{"toxicity": toxicity}
		return r
	}
	rows := words()
	for i := range rows {
		rows[i] = with(rows[i], float64(i)/10)
	}
	limit := study.Constraint{Outcome: "toxicity", Op: "<", Bound: 0.3}
	b, path := create(t, rows, limit)
	b = reopen(t, b, path)
	if s := b.State(); s.Strings != 6 || s.Violating != 3 || s.Best[0].Violates([]study.Constraint{limit}) != "" || !strings.Contains(s.String(), "Constraints") {
		t.Errorf("of six strings three keep the constraint: %+v", s)
	}
	asked, err := b.Propose(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := b.Sheet(asked)
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := sheet.WriteCSV(&table); err != nil || !strings.HasPrefix(table.String(), "name,word,predicted,sd,nearest,similarity,activity,toxicity\n") {
		t.Errorf("%v:\n%s", err, &table)
	}
	// The score first, the outcome a week later, and then both again.
	row := lab.Row{Line: 2, ID: b.Name(asked[0]), Input: asked[0].Input, Score: 9}
	for _, c := range []struct {
		row  lab.Row
		want string
		best bool
	}{
		{row, "measured", false}, {with(row, 0.1), "further outcomes added", true}, {row, "known already", true}, {with(row, 0.1), "known already", true},
		{with(row, 0.4), "further outcomes added", false},
	} {
		if got := tell(t, b, false, c.row); !strings.HasSuffix(got, c.want) {
			t.Errorf("%+v is %q, want %q", c.row, got, c.want)
		}
		if best := b.State().Best[0].ID == asked[0].ID; best != c.best {
			t.Errorf("after %+v it is the best: %t, want %t", c.row, best, c.best)
		}
	}
	if n := len(b.Lookup(asked[0].Input).Measurements); n != 1 {
		t.Errorf("%d measurements, want 1", n)
	}
	var all bytes.Buffer
	if err := b.WriteAll(&all); err != nil || !strings.Contains(all.String(), ",activity,toxicity,measurements,") || !strings.Contains(all.String(), "toxicity = 0.4 is not < 0.3") {
		t.Errorf("%v:\n%s", err, &all)
	}
}

// Outcomes that arrive in several tables, over several weeks.
func TestParts(t *testing.T) {
	others := func(kv ...any) map[string]float64 {
		m := map[string]float64{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1].(float64)
		}
		return m
	}
	type step struct {
		name   string
		row    lab.Row
		want   string
		scores string // of the trial's measurements afterwards
	}
	for _, test := range []struct {
		name    string
		options task.Options
		filled  string
		steps   []step
	}{
		{"a score of properties", task.Options{Properties: []oracle.Property{{Name: "yield", Weight: 1}, {Name: "purity", Weight: 2}}}, "[purity yield]", []step{
			{"a part", lab.Row{Score: nan, Others: others("yield", 1.0)}, "7 kept until the rest is told", "[NaN]"},
			{"again", lab.Row{Score: nan, Others: others("yield", 1.0)}, "7 known already", "[NaN]"},
			{"put right", lab.Row{Score: nan, Others: others("yield", 1.5)}, "7 kept until the rest is told", "[NaN]"},
			{"nothing", lab.Row{Score: nan}, "7 no score yet", "[NaN]"},
			{"the rest", lab.Row{Score: nan, Others: others("purity", 2.0)}, "7 measured", "[5.5]"},
			{"the rest again", lab.Row{Score: nan, Others: others("purity", 2.0)}, "7 known already", "[5.5]"},
			{"both again", lab.Row{Score: nan, Others: others("purity", 2.0, "yield", 1.5)}, "7 known already", "[5.5]"},
			{"a part of another measurement", lab.Row{Score: nan, Others: others("purity", 3.0)}, "7 no score yet: yield is missing; nothing of this row is stored, tell purity and yield together", "[5.5]"},
			{"another measurement", lab.Row{Score: nan, Others: others("purity", 3.0, "yield", 1.0)}, "7 another measurement", "[5.5 7]"},
			{"a part of a string of one's own", lab.Row{Input: "CACACA", Score: nan, Others: others("yield", 1.0)}, "0 no score yet: purity is missing; nothing", "[]"},
		}},
		{"a constraint", task.Options{Constraints: []study.Constraint{{Outcome: "toxicity", Op: "<", Bound: 0.3}}}, "[activity toxicity]", []step{
			{"the outcome alone", lab.Row{Score: nan, Others: others("toxicity", 0.1)}, "7 kept until the rest is told", "[NaN]"},
			{"the score alone", lab.Row{Score: 4}, "7 measured", "[4]"},
			{"the score again", lab.Row{Score: 4}, "7 known already", "[4]"},
			{"another score alone", lab.Row{Score: 5}, "7 another measurement", "[4 5]"},
			{"its outcome", lab.Row{Score: nan, Others: others("toxicity", 0.2)}, "7 further outcomes added", "[4 5]"},
			{"that outcome again", lab.Row{Score: nan, Others: others("toxicity", 0.2)}, "7 known already", "[4 5]"},
			{"a third one", lab.Row{Score: nan, Others: others("toxicity", 0.4)}, "7 no score yet: activity is missing; nothing", "[4 5]"},
		}},
		{"that failed in the end", task.Options{Constraints: []study.Constraint{{Outcome: "toxicity", Op: "<", Bound: 0.3}}}, "[activity toxicity]", []step{
			{"the outcome alone", lab.Row{Score: nan, Others: others("toxicity", 0.1)}, "7 kept until the rest is told", "[NaN]"},
			{"a failure", lab.Row{Score: nan, Reason: "insoluble"}, "7 failed", "[NaN]"},
			{"again", lab.Row{Score: nan, Reason: "insoluble"}, "7 known already", "[NaN]"},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows := words()
			for i := range rows {
				rows[i].Others = others("yield", float64(i), "purity", 1.0, "toxicity", 0.1)
			}
			path := filepath.Join(t.TempDir(), "lab.db")
			b, err := lab.Create(t.Context(), path, experiment.RunSpec{Task: "strings", Options: test.options}, lab.Columns{Input: "word", Score: "activity", ID: "name"}, rows)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { b.Close() })
			if got := fmt.Sprint(b.Filled()); got != test.filled {
				t.Errorf("columns to fill in: %s, want %s", got, test.filled)
			}
			asked, err := b.Propose(t.Context(), 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range test.steps {
				b = reopen(t, b, path)
				s.row.Input = cmp.Or(s.row.Input, asked[0].Input)
				if got := tell(t, b, false, s.row); got != s.want && !(strings.HasSuffix(s.want, "nothing") && strings.HasPrefix(got, s.want)) {
					t.Errorf("%s: %s, want %s", s.name, got, s.want)
				}
				scores := []float64{}
				for _, m := range b.Lookup(s.row.Input).Measurements {
					scores = append(scores, m.Score)
				}
				if got := fmt.Sprint(scores); got != s.scores {
					t.Errorf("%s: measurements %s, want %s", s.name, got, s.scores)
				}
			}
			if next, err := b.Propose(t.Context(), 1); err != nil || next[0].ID == asked[0].ID { // the search goes on
				t.Errorf("%v, %v", next, err)
			}
		})
	}
}

// Where compounds were measured several times, the best is also named by its expected score.
func TestExpect(t *testing.T) {
	b, _ := create(t, words())
	if e, err := b.Expect(t.Context()); err != nil || e.ID != 0 {
		t.Errorf("without noise %+v, %v", e, err)
	}
	tell(t, b, false, lab.Row{Line: 2, ID: "W-1", Score: 5}, lab.Row{Line: 3, ID: "W-1", Score: 5.4})
	s := b.State()
	e, err := b.Expect(t.Context())
	if err != nil || e.ID == 0 || !(e.SD > 0) {
		t.Errorf("with noise %+v, %v", e, err)
	}
	s.Expected = e
	if !strings.Contains(s.String(), "greatest expected score") {
		t.Errorf("the state does not name it:\n%s", s)
	}
}
