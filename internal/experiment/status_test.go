package experiment_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// Status compares predictions with scores: root mean square error, and how many scores are within one and two standard
// deviations.
func TestPredictionsAreCompared(t *testing.T) {
	b, _ := create(t, words())
	asked, err := b.Ask(t.Context(), 4)
	if err != nil || len(asked) != 4 {
		t.Fatal(asked, err)
	}
	var squares float64
	for i, off := range []float64{0.5, -1.5, 3} { // in predicted standard deviations
		d := off * asked[i].SD
		squares += d * d
		tell(t, b, false, table.Record{ID: b.Name(asked[i]), Score: asked[i].Mean + d})
		if s := b.Status(); math.IsNaN(s.Ranking) != (i < 2) {
			t.Errorf("rank correlation of %d: %g", i+1, s.Ranking)
		}
	}
	tell(t, b, false, table.Record{ID: b.Name(asked[3]), Score: asked[3].Mean, Bound: 1}) // no prediction is of a bound
	s := b.Status()
	if text := s.String(); !strings.Contains(text, "; bounds 1, beyond two predicted sd 0") {
		t.Errorf("bounds are not said:\n%s", text)
	}
	if want := math.Sqrt(squares / 3); math.Abs(s.Error-want) > 1e-9*want {
		t.Errorf("error %g, want %g", s.Error, want)
	}
	if s.Compared != 3 || s.Within1 != 1 || s.Within2 != 2 || s.Bounded != 1 || s.Bounds != 1 || s.Beyond != 0 || math.IsNaN(s.Ranking) {
		t.Errorf("%+v", s)
	}
	text := s.String()
	for i, place := range []string{"Best ", "2. ", "3. "} {
		if !strings.Contains(text, "\n"+place) || strings.Count(text, fmt.Sprint(s.Best[i].Input)) != 1 {
			t.Errorf("place %s is not once in\n%s", place, text)
		}
	}
	if want := "1 within one predicted sd (two thirds expected), 2 within two"; !strings.Contains(text, want) {
		t.Errorf("%q is not in\n%s", want, text)
	}
}

// Of a string that was measured several times the mean is shown, and said to be one. A table of proposals names the
// measured string that each is most like.
func TestMeansAndNeighbours(t *testing.T) {
	b, _ := create(t, append(words(), table.Record{ID: "W-1", Input: "ACDEAC", State: table.Measured, Score: 5}))
	text := b.Status().String()
	for _, what := range []string{"Bounds", "Constraints", "Expected", "Waiting", "Predictions"} {
		if strings.Contains(text, what) {
			t.Errorf("%s is said, and there are none:\n%s", what, text)
		}
	}
	if want := "Noise       2.121 is the standard deviation of a measurement (strings measured more than once: 1, too few for predictions to go by it)\n"; !strings.Contains(text, want) {
		t.Errorf("%q is not in\n%s", want, text)
	}
	copied := b.Status()
	copied.Noise = append(copied.Noise, experiment.Noise{Outcome: "Tm", Repeated: 6})
	if want := "Noise       not known for Tm, whose measurements of the same string are equal, as copies of one are (strings: 6)\n"; !strings.Contains(copied.String(), want) {
		t.Errorf("%q is not in\n%s", want, copied)
	}
	once, _ := create(t, words())
	if want := "Noise       not known"; !strings.Contains(once.Status().String(), want) {
		t.Errorf("%q is not in\n%s", want, once.Status())
	}
	if !strings.Contains(text, "Best        3.5 (mean of 2)  W-1  ACDEAC\n2.          2  W-6  ACACDE\n") {
		t.Error(text)
	}
	asked, err := b.Ask(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := b.Sheet(asked)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := sheet.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n")[1:] {
		if cells := strings.Split(line, ","); !strings.HasPrefix(cells[4], "W-") || cells[5] <= "0" || cells[5] > "1" {
			t.Errorf("nearest %s, similarity %s", cells[4], cells[5])
		}
	}
}

// Strings that violate a constraint are counted.
func TestViolationsAreCounted(t *testing.T) {
	var rows []table.Record
	for i, r := range words() {
		rows = append(rows, with(r, float64(i)/10))
	}
	limit, err := study.ParseConstraint("toxicity<0.3")
	if err != nil {
		t.Fatal(err)
	}
	b, _ := create(t, rows, limit)
	if s := b.Status(); s.Violating != 3 || !strings.Contains(s.String(), "Constraints strings with a score that violate one, or lack an outcome: 3\n") {
		t.Errorf("%d violate a constraint, want 3:\n%s", s.Violating, s)
	}
}

// Who follows an experiment is told of each event, and of the best when it is another one or its score changes.
func TestWatchTellsOfTheBest(t *testing.T) {
	b, _ := create(t, words())
	for i, test := range []struct {
		id    string
		score float64
		best  bool
	}{{"worse", 0, false}, {"better", 9, true}, {"better", 11, true}, {"equal", 10, false}, {"worst", -1, false}} {
		before := b.Latest()
		_, more := b.Watch(before)
		told := table.Record{ID: test.id, Score: test.score}
		if test.id != "better" || i == 1 {
			told.Input = fmt.Sprintf("ACD%s", strings.Repeat("A", i+1))
		}
		tell(t, b, false, told)
		select {
		case <-more:
		default:
			t.Errorf("%s: nobody is told", test.id)
		}
		notes, _ := b.Watch(before)
		if len(notes) != 1 || len(notes[0].Answered) != 1 || notes[0].Best > 0 != test.best {
			t.Errorf("%s = %g: notes %+v, a new best: want %t", test.id, test.score, notes, test.best)
		}
		if test.best && notes[0].Best != notes[0].Answered[0] {
			t.Errorf("%s: the best is %d of %v", test.id, notes[0].Best, notes[0].Answered)
		}
	}
}

// Numbers keep all digits in JSON, and those that are not known are null.
func TestNumbersInJSON(t *testing.T) {
	for text, v := range map[string]float64{"0.3333333333333333": 1.0 / 3, "12": 12, "-1e-09": -1e-9, "null": nan} {
		got, err := json.Marshal(experiment.Number(v))
		if err != nil || string(got) != text {
			t.Errorf("%g: %s, %v", v, got, err)
		}
		var again experiment.Number
		if err := json.Unmarshal(got, &again); err != nil || float64(again) != v && !math.IsNaN(v) {
			t.Errorf("%s: %g, %v", got, float64(again), err)
		}
	}
}

// Who follows is told of a proposal once, not again when a part of its outcomes is told.
func TestWatchTellsOfAProposalOnce(t *testing.T) {
	var rows []table.Record
	for _, r := range words() {
		rows = append(rows, with(r, 0.1))
	}
	b, _ := create(t, rows, study.Constraint{Outcome: "toxicity", Op: "<", Bound: 0.3})
	first := b.Latest()
	asked, err := b.Ask(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	tell(t, b, false, with(table.Record{ID: b.Name(asked[1]), Score: math.NaN()}, 0.2))
	notes, _ := b.Watch(first)
	if len(notes) != 2 || len(notes[0].Proposed) != 2 || len(notes[1].Proposed)+len(notes[1].Answered) != 0 {
		t.Errorf("notes %+v", notes)
	}
	if more, _ := b.Watch(99); len(more) != 0 {
		t.Errorf("notes after the latest: %+v", more)
	}
	if again, err := b.Ask(t.Context(), 3); err != nil || len(again) != 3 || again[0].ID != asked[0].ID {
		t.Errorf("three are to wait, and two did: %v, %v", again, err)
	}
}

// Of many proposals that wait the first are named.
func TestManyThatWait(t *testing.T) {
	b, _ := create(t, words())
	if _, err := b.Ask(t.Context(), 23); err != nil {
		t.Fatal(err)
	}
	if text := b.Status().String(); !strings.Contains(text, "23 for a measurement: 7, 8, ") || !strings.Contains(text, ", 26 and 3 more\n") {
		t.Errorf("status:\n%s", text)
	}
}

// A name or string with a line break stays on its line.
func TestLineBreaks(t *testing.T) {
	rows := words()
	for i := range rows {
		rows[i].ID = fmt.Sprintf("W\n%d", i)
	}
	b, _ := create(t, rows)
	if text := b.Status().String(); !strings.Contains(text, `W\n`) || slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool { return line != "" && line[0] >= '0' && line[0] <= '9' && line[1] != '.' }) {
		t.Errorf("status:\n%s", text)
	}
}

// Rows with a part of what the score is made of are kept, and this is said.
func TestRowsWithAPart(t *testing.T) {
	rows := words()
	for _, line := range []int{9, 11} {
		rows = append(rows, table.Record{Line: line, Input: "CACA", State: table.Missing, Score: math.NaN(), Others: map[string]float64{"yield": 1}})
	}
	rows = append(rows, table.Record{Line: 8, Input: "ACAA", State: table.Missing, Score: math.NaN()})
	p, err := experiment.RunSpec{Task: "strings", Options: task.Options{Properties: []oracle.Property{{Name: "yield"}, {Name: "purity"}}}}.BuildMeasured(t.Context(), &table.Table{Records: rows})
	if want := "rows with a part of yield and purity, which is kept: 2; the first is line 9"; err != nil || p.Notes.String() != want || len(p.Problem.Init) != 7 {
		t.Errorf("note %q, %v, want %q", p.Notes.String(), err, want)
	}
	if p, err = (experiment.RunSpec{Task: "strings"}).BuildMeasured(t.Context(), &table.Table{Records: words()}); err != nil || p.Notes.String() != "" {
		t.Errorf("note %q, %v", p.Notes.String(), err)
	}
}

// Rows that lack objectives are kept, whichever they lack. The first one has to be known of two: if it is not, another
// one that is may come first.
func TestRowsWithoutTheFirstObjective(t *testing.T) {
	var rows []table.Record
	for i, r := range words() {
		r.State, r.Score, r.Others = table.Missing, math.NaN(), map[string]float64{"purity": float64(i)}
		if i < 3 {
			r.Others["yield"] = 1 + float64(i)
		}
		rows = append(rows, r)
	}
	spec := experiment.RunSpec{Task: "strings", Options: task.Options{Objectives: []study.Objective{{Name: "yield"}, {Name: "purity"}}}}
	for _, scored := range []int{3, 6} {
		p, err := spec.BuildMeasured(t.Context(), &table.Table{Records: slices.Clone(rows)})
		if err != nil {
			t.Fatal(err)
		}
		got, parts := 0, 0
		for _, o := range p.Problem.Init {
			if o.Measurements[0].Part() {
				parts++
			} else {
				got++
			}
		}
		if got != scored || parts != 6-scored {
			t.Errorf("%s comes first: %d strings with a score and %d in part, want %d and %d", spec.Objectives[0], got, parts, scored, 6-scored)
		}
		slices.Reverse(spec.Objectives)
	}
	_, err := spec.BuildMeasured(t.Context(), &table.Table{Records: rows[3:]})
	if want := "give a table with more of them, or purity as the first objective, which 3 rows have"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q in it", err, want)
	}
}

// An export says of each string whether it has a score, failed or waits, and why.
func TestStatesInAnExport(t *testing.T) {
	var rows []table.Record
	for _, r := range words() {
		rows = append(rows, with(r, 0.1))
	}
	rows = append(rows, table.Record{ID: "bad", Input: "ACAA", State: table.Failed, Score: math.NaN(), Reason: table.Reason{Text: "lost"}})
	rows = append(rows, with(table.Record{ID: "toxic", Input: "AAAC", State: table.Measured, Score: 7, Bound: -1}, 0.5))
	b, _ := create(t, rows, study.Constraint{Outcome: "toxicity", Op: "<", Bound: 0.3})
	asked, err := b.Ask(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	tell(t, b, false, with(table.Record{ID: b.Name(asked[1]), Score: math.NaN()}, 0.2))
	for _, bestFirst := range []bool{false, true} {
		var text strings.Builder
		if err := b.Export(bestFirst).WriteCSV(&text); err != nil {
			t.Fatal(err)
		}
		all, err := csv.NewReader(strings.NewReader(text.String())).ReadAll()
		if err != nil || strings.Join(all[0], " ") != "trial name word activity toxicity measurement se state batch predicted predicted_sd reason predicted_toxicity predicted_toxicity_sd constraints_chance" || len(all) != 11 {
			t.Fatalf("%v\n%s", err, &text)
		}
		got := map[string]string{}
		for _, row := range all[1:] {
			got[row[1]] = fmt.Sprintf("%s %s %s %s %s", row[3], row[4], row[5], row[7], row[11])
		}
		for name, want := range map[string]string{
			"W-1": "2 0.1 1 measured ", "bad": "  1 failed lost", "toxic": "<7 0.5 1 measured toxicity = 0.5 is not < 0.3",
			b.Name(asked[0]): "   waiting ", b.Name(asked[1]): " 0.2 1 waiting ",
		} {
			if got[name] != want {
				t.Errorf("%s: %q, want %q", name, got[name], want)
			}
		}
		if second := all[2][1]; second != map[bool]string{false: "W-2", true: "W-6"}[bestFirst] {
			t.Errorf("best first %t: the second is %s", bestFirst, second)
		}
	}
}

// An export tells what failed from what was struck, taken back or unreadable, and status counts each in the same way.
// Told again it changes nothing, and an unreadable value that was filled in is told.
func TestFailuresInAnExport(t *testing.T) {
	rows := append(words(), table.Record{ID: "unread", Input: "ACAA", State: table.Invalid, Score: math.NaN(), Reason: table.Reason{Text: "inactive"}},
		table.Record{ID: "bad", Input: "AAAC", State: table.Failed, Score: math.NaN(), Reason: table.Reason{Text: "lost"}})
	b, _ := create(t, rows)
	asked, err := b.Ask(t.Context(), 4)
	if err != nil {
		t.Fatal(err)
	}
	failed := table.Record{State: table.Failed, Score: math.NaN(), Reason: table.Reason{Text: "melted"}}
	for _, p := range asked[:3] {
		row := failed
		row.ID = b.Name(p)
		tell(t, b, false, row)
	}
	if _, err := b.Strike(t.Context(), asked[0].ID, 1, "wrong well"); err != nil {
		t.Fatal(err)
	}
	tell(t, b, false, table.Record{ID: b.Name(asked[1]), Score: 2}) // it has a score beside the struck one
	if _, err := b.Strike(t.Context(), asked[1].ID, 1, "wrong plate"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.WithdrawAll(t.Context(), "no time"); err != nil {
		t.Fatal(err)
	}
	if s := b.Status(); s.Failed != 2 || s.Struck != 1 || s.Unreadable != 1 || s.Withdrawn != 1 {
		t.Errorf("failed %d, struck %d, unreadable %d, withdrawn %d", s.Failed, s.Struck, s.Unreadable, s.Withdrawn)
	}
	var text strings.Builder
	if err := b.Export(false).WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		",unread,ACAA,,1,,unreadable,0,,,unreadable: inactive\n", ",bad,AAAC,,1,,failed,0,,,lost\n", ",,1,,struck,1,", ",struck: wrong well\n", ",struck: wrong plate\n", ",,1,,withdrawn,1,", ",struck: no time\n", ",melted\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
	if n := strings.Count(text.String(), ",struck,1,"); n != 2 {
		t.Errorf("%d measurements are struck, want 2:\n%s", n, &text)
	}
	read := func(text string) []table.Record {
		o, err := b.TableOptions()
		if err != nil {
			t.Fatal(err)
		}
		again, err := table.Read(t.Context(), strings.NewReader(text), o)
		if err != nil {
			t.Fatal(err)
		}
		return again.Records
	}
	before := b.Latest()
	if what := tell(t, b, false, read(text.String())...); b.Latest() != before || strings.Count(what, "known already") != len(strings.Split(text.String(), "\n"))-2 {
		t.Errorf("told again: %s", what)
	}
	filled := strings.Replace(text.String(), ",unread,ACAA,,", ",unread,ACAA,1.5,", 1)
	tell(t, b, false, read(filled)...)
	if s := b.Status(); s.Unreadable != 0 || s.Strings != 8 {
		t.Errorf("filled in: %d are unreadable, and %d have a score", s.Unreadable, s.Strings)
	}
}

// The column of scores in an export has their unit, but not if the scores are made of a column in it.
func TestUnitsInAnExport(t *testing.T) {
	for want, columns := range map[string]table.Columns{
		"IC50 (nM)": {Score: "IC50", Unit: "nM"}, "pIC50": {Score: "pIC50", From: []string{"IC50"}, Scale: "pIC50", Unit: "nM"},
	} {
		p, err := experiment.RunSpec{Task: "strings"}.BuildMeasured(t.Context(), &table.Table{Records: words()})
		if err != nil {
			t.Fatal(err)
		}
		e, err := experiment.Create(t.Context(), experiment.Place{}, p, experiment.Options{Columns: experiment.Columns{Columns: columns}})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		var text strings.Builder
		if err := e.Export(false).WriteCSV(&text); err != nil || !strings.HasPrefix(text.String(), "trial,id,sequence,"+want+",") {
			t.Errorf("%v, want the column %s:\n%s", err, want, &text)
		}
	}
}

// A hypervolume beyond the largest number is null: JSON has no infinities.
func TestTooLargeForJSON(t *testing.T) {
	for v, want := range map[float64]string{math.Inf(1): "null", math.NaN(): "null", 2.5: "2.5"} {
		if got, err := json.Marshal(experiment.Number(v)); err != nil || string(got) != want {
			t.Errorf("%g is written as %s, %v; want %s", v, got, err, want)
		}
	}
}

// A single best score that is far from all others may be a slip, and status says so; a replicate settles it.
func TestBestApart(t *testing.T) {
	rows := []table.Record{}
	for i, x := range []string{"ACDEAC", "DDEEAA", "CCCCCC", "EDCADE", "AAAACC", "ACACDE", "CADECA", "EEDDCC", "ACCEDA", "DACEAC"} {
		rows = append(rows, table.Record{Line: i + 2, Input: x, State: table.Measured, Score: float64(i % 4)})
	}
	if b, _ := create(t, rows); strings.Contains(b.Status().String(), "Apart") {
		t.Error("one of several best scores stands apart")
	}
	rows[3].Score = 45
	b, _ := create(t, rows)
	if !strings.Contains(b.Status().String(), "\nApart ") {
		t.Errorf("nothing stands apart:\n%s", b.Status())
	}
	if w := b.Warnings(); len(w) != 1 || !strings.Contains(w[0], "the best score, 45 of ") || !strings.Contains(w[0], "invbo correct ") {
		t.Errorf("warnings %q", w)
	}
	tell(t, b, false, table.Record{Line: 2, Input: "EDCADE", Score: 44})
	if strings.Contains(b.Status().String(), "\nApart ") {
		t.Errorf("what was measured twice stands apart:\n%s", b.Status())
	}
}

// Each of several objectives may have a value that stands apart.
func TestObjectiveApart(t *testing.T) {
	var rows []table.Record
	for i, x := range []string{"ACDEAC", "DDEEAA", "CCCCCC", "EDCADE", "AAAACC", "ACACDE", "CADECA", "EEDDCC", "ACCEDA", "DACEAC"} {
		r := table.Record{Line: i + 2, ID: fmt.Sprint("s", i), Input: x, State: table.Measured, Score: float64(i % 4), Others: map[string]float64{"purity": float64(50 - i%3), "yield": float64(i % 4)}}
		if i == 7 {
			r.Others["purity"] = 0.5
		}
		rows = append(rows, r)
	}
	for sense, want := range map[bool]int{true: 1, false: 0} { // of the smallest purity
		spec := experiment.RunSpec{Task: "strings", Options: task.Options{Objectives: []study.Objective{{Name: "yield"}, {Name: "purity", Minimize: sense}}}}
		b, err := begin(t, filepath.Join(t.TempDir(), "lab.db"), spec, rows)
		if err != nil {
			t.Fatal(err)
		}
		w := b.Warnings()
		if len(w) != want || want > 0 && !strings.Contains(w[0], "the best purity, 0.5 of s7, is far from all others") {
			t.Errorf("minimize %t: warnings %q, want %d", sense, w, want)
		}
		if got := strings.Count(b.Status().String(), "\nApart "); got != want {
			t.Errorf("minimize %t: %d lines of status, want %d:\n%s", sense, got, want, b.Status())
		}
	}
}

// Many failures among the latest proposals are pointed out, those apart that say nothing of their strings.
func TestFailing(t *testing.T) {
	b, _ := create(t, words())
	asked, err := b.Ask(t.Context(), 10)
	if err != nil || len(asked) != 10 {
		t.Fatal(asked, err)
	}
	answer := func(i int, state table.State) {
		r := table.Record{ID: b.Name(asked[i]), State: state, Score: math.NaN()}
		if state == table.Measured {
			r.Score = 1
		} else {
			r.Reason.Text = "insoluble"
		}
		tell(t, b, false, r)
	}
	const line = "\nFailing     "
	answer(0, table.Measured)
	for i := range 5 {
		answer(1+i, table.Failed)
	}
	if s := b.Status().String(); strings.Contains(s, line) || b.Warnings() != nil {
		t.Errorf("5 of 6 failed:\n%s", s)
	}
	answer(6, table.Failed)
	if s := b.Status().String(); !strings.Contains(s, line+"6 of the last 7 proposals failed; ") || len(b.Warnings()) != 1 {
		t.Errorf("6 of 7 failed:\n%s", s)
	}
	for i := range 2 {
		answer(7+i, table.Measured)
	}
	if s := b.Status().String(); !strings.Contains(s, line+"6 of the last 8 proposals failed; ") {
		t.Errorf("6 of the last 8 failed:\n%s", s)
	}
	answer(9, table.Measured)
	if s := b.Status().String(); strings.Contains(s, line) {
		t.Errorf("5 of the last 8 failed:\n%s", s)
	}
}

// A proposal that was taken back and never measured is not called struck, and a measurement that was struck is.
func TestWithdrawnAreNotStruck(t *testing.T) {
	b, _ := create(t, words())
	asked, err := b.Ask(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	tell(t, b, false, table.Record{ID: b.Name(asked[0]), Score: 1})
	if _, err := b.Strike(t.Context(), asked[0].ID, 1, "wrong well"); err != nil {
		t.Fatal(err)
	}
	if n, err := b.WithdrawAll(t.Context(), "withdrawn"); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	if s := b.Status(); s.Struck != 1 || s.Withdrawn != 2 || s.Failed != 0 {
		t.Errorf("struck %d, withdrawn %d, failed %d; want 1, 2 and 0", s.Struck, s.Withdrawn, s.Failed)
	}
}
