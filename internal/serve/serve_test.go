package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
)

// create makes the file of a study with six measured strings; the score counts pairs of A and C.
func create(t testing.TB, name string) string { return createWith(t, name, experiment.RunSpec{}) }

// createWith makes one with further outcomes: the toxicity of the i-th string, from 0, is i/10, and its yield 1.
func createWith(t testing.TB, name string, spec experiment.RunSpec) string {
	t.Helper()
	spec.Task = "strings"
	path := filepath.Join(t.TempDir(), name)
	var rows []table.Record
	for i, x := range []string{"ACDEAC", "DDEEAA", "CCCCCC", "EDCADE", "AAAACC", "ACACDE"} {
		rows = append(rows, table.Record{Line: i + 2, ID: fmt.Sprintf("W-%d", i+1), Input: x, State: table.Measured, Score: float64(strings.Count(x, "AC")), Others: map[string]float64{"toxicity": float64(i) / 10, "yield": 1}})
	}
	read := &table.Table{Records: rows}
	objective, err := spec.Objective()
	if err != nil {
		t.Fatal(err)
	}
	if objective != nil {
		for i := range rows {
			rows[i].State = table.Missing
		}
		experiment.ScoreTable(read, objective)
	}
	p, err := spec.BuildMeasured(t.Context(), read)
	if err != nil {
		t.Fatal(err)
	}
	b, err := experiment.Create(t.Context(), experiment.Place{File: path}, p, experiment.Options{Columns: experiment.Columns{Columns: table.Columns{Input: "word", Score: "activity", ID: "name"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// become lists what became of answers.
func become(told TellResponse) string {
	var all []string
	for _, o := range told.Outcomes {
		all = append(all, fmt.Sprint(o.Trial, " ", o.What))
	}
	return strings.Join(all, ", ")
}

// open opens the file of a study, which is closed with the test.
func open(t testing.TB, path string, opts Options) *Service {
	t.Helper()
	s, _, err := Open(t.Context(), []string{path}, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// counter is a searcher that is cheap and never finds a string twice.
type counter struct {
	n     int
	wait  func(context.Context) // in each Propose; nil: none
	names map[string]string     // of strings that have one
}

func (c *counter) Propose(ctx context.Context, _ study.Ledger, n int) ([]study.Proposal, error) {
	if c.wait != nil {
		c.wait(ctx)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var batch []study.Proposal
	for range n {
		c.n++
		x := fmt.Sprintf("S%d", c.n)
		batch = append(batch, study.Proposal{X: x, Name: c.names[x], Mean: 1, SD: math.NaN()})
	}
	return batch, nil
}

func (c *counter) Observe(context.Context, ...study.Trial) error { return nil }

// Check refuses a string, as searchers do that cannot write all.
func (c *counter) Check(x string) error {
	if strings.Contains(x, "?") {
		return errors.New(`"?" is no letter`)
	}
	return nil
}

// search lets the study of a service be searched by c.
func search(t testing.TB, s *Service, c *counter, budget int) {
	t.Helper()
	e := s.studies["lab"]
	p := study.Problem{Init: []study.Observation{{X: "ACDEAC"}, {X: "DDEEAA"}}, Constraints: e.Spec.Constraints}
	if err := e.SearchBy(context.Background(), p, c, study.Options{Budget: budget}); err != nil {
		t.Fatal(err)
	}
}

// inMemory returns a service with a study of two trials that is in no file.
func inMemory(t testing.TB, c *counter, budget int) *Service {
	t.Helper()
	s, _, err := Open(t.Context(), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	init := []study.Observation{{X: "A", Measurements: study.Measured(1)}, {X: "B", Measurements: study.Measured(2)}}
	e, err := experiment.Custom(t.Context(), "lab.db", study.Problem{Name: "strings", Init: init}, c, study.Options{Budget: budget})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.add(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	return s
}

// api returns the API of a service without a token.
func api(s *Service) *API { return NewAPI(s, nil, "test", DefaultLimits()) }

// call makes a request. Its status must be one that the API's description names.
func call(t testing.TB, a *API, method, path, body string, headers ...string) (int, string) {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host = "127.0.0.1:8080"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	documented(t, a, method, path, w.Code)
	return w.Code, w.Body.String()
}

// documented checks that a status of a request is in the API's description.
func documented(t testing.TB, a *API, method, path string, status int) {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	if parts := strings.Split(path, "/"); len(parts) > 2 {
		parts[2] = "{study}"
		path = strings.Join(parts, "/")
	}
	item := a.OpenAPI.Paths[path]
	if item == nil {
		return
	}
	op := map[string]*huma.Operation{http.MethodGet: item.Get, http.MethodPost: item.Post}[method]
	if op != nil && op.Responses[strconv.Itoa(status)] == nil {
		t.Errorf("%s %s answers %d, which its description does not name", method, path, status)
	}
}

// ask asks for proposals and returns their trials.
func ask(t testing.TB, s *Service, n int, lease string) (trials []int) {
	t.Helper()
	r, err := do(t.Context(), s, "lab", "ask", (*entry).ask, &AskRequest{N: n, Lease: lease})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Proposals {
		trials = append(trials, p.Trial.Trial)
	}
	return trials
}

func scored(v float64) *float64 { return &v }

func same(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// A week of a script, by the verbs of HTTP, with the search that people get.
func TestWeek(t *testing.T) {
	a := api(open(t, create(t, "lab.db"), Options{}))
	request := func(method, path, body string, want int, into any) {
		t.Helper()
		status, text := call(t, a, method, path, body)
		if status != want {
			t.Fatalf("%s %s: %d %s, want %d", method, path, status, text, want)
		}
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	var asked AskResponse
	request("POST", "/studies/lab/ask", `{"n": 2, "lease": "8h"}`, 200, &asked)
	if p := asked.Proposals; len(p) != 2 || p[0].Trial.Trial != 7 || p[1].Trial.Trial != 8 || p[0].Input == "" || p[0].Predicted == nil || p[0].State != "pending" || time.Until(p[0].Until) < 7*time.Hour {
		t.Errorf("asked %+v", asked)
	}
	const answers = `{"answers": [{"trial": 7, "score": 3.5, "se": 0.5}, {"trial": 8, "failed": "does not fold"}, {"input": "ACACAC", "name": "mine", "score": 3}]}`
	for i, want := range []string{"7 measured, 8 failed, 9 measured", "7 known already, 8 known already, 9 known already"} {
		var told TellResponse
		request("POST", "/studies/lab/tell", answers, 200, &told)
		if become(told) != want || told.Best == nil || told.Best.Trial != 7 || told.Best.Measurements[0].SE != 0.5 {
			t.Errorf("told %d times: %+v", i+1, told)
		}
	}
	var told TellResponse
	request("POST", "/studies/lab/tell", `{"answers": [{"name": "mine", "score": 2}]}`, 200, &told)
	request("POST", "/studies/lab/tell", `{"answers": [{"trial": 7, "score": 1}], "correct": true}`, 200, &told)
	if become(told) != "7 corrected" || told.Best.Name != "mine" || *told.Best.Score != 2.5 || len(told.Best.Measurements) != 2 {
		t.Errorf("corrected: %+v, %+v", told, *told.Best)
	}
	var withdrawn Trial
	request("POST", "/studies/lab/ask", "", 200, &asked)
	for range 2 { // again changes nothing
		request("POST", "/studies/lab/withdraw", `{"trial": 10, "reason": "no codon"}`, 200, &withdrawn)
		if withdrawn.State != "failed" || withdrawn.Reason != "no codon" || len(withdrawn.Measurements) != 1 {
			t.Errorf("withdrawn: %+v", withdrawn)
		}
	}
	var status Status
	request("GET", "/studies/lab", "", 200, &status)
	if status.Study != "lab" || status.Direction != "maximize" || status.Calls != 3 || status.Pending != 0 || status.Scored != 8 || status.Failed != 2 || status.Measurements != 9 ||
		status.Noise == nil || len(status.Ranked) != 3 || status.Ranked[0].Name != "mine" || status.Predictions == nil || status.Predictions.Compared != 1 || status.Score != "activity" {
		t.Errorf("status %+v", status)
	}
	var all []Summary
	request("GET", "/studies", "", 200, &all)
	if len(all) != 1 || !same(all[0].Best, status.Best) && *all[0].Best.Score != *status.Best.Score {
		t.Errorf("studies: %+v", all)
	}
}

// Requests that are wrong say what is wrong, and where.
func TestRefusals(t *testing.T) {
	s := inMemory(t, &counter{}, 3)
	a := api(s)
	ask(t, s, 2, "")
	if r, err := do(t.Context(), s, "lab", "ask", (*entry).ask, &AskRequest{N: 5}); err != nil || len(r.Proposals) != 1 { // of the budget
		t.Errorf("the last of the budget: %v, %v", r, err)
	}
	long := strings.Repeat("C", 10001)
	for _, test := range []struct {
		method, path, body string
		status             int
		words              string
	}{
		{"GET", "/studies/lbb", "", 404, `there is no study \"lbb\"; did you mean \"lab\"?`},
		{"GET", "/studies/lab%2f..%2fx", "", 422, "path.study"},
		{"GET", "/studies/" + long[:65], "", 422, "path.study"},
		{"GET", "/studies/lab%00", "", 422, "path.study"},
		{"GET", "/studies?limit=3", "", 422, "query.limit"},
		{"POST", "/studies/lab/ask", "", 409, "budget"},
		{"POST", "/studies/lab/ask", `{"n": 1001}`, 422, "body.n"},
		{"POST", "/studies/lab/ask", `{"n": 0}`, 422, "body.n"},
		{"POST", "/studies/lab/ask", `{"n": "many"}`, 422, "body.n"},
		{"POST", "/studies/lab/ask", `{"lease": "soon"}`, 422, "a time with its unit"},
		{"POST", "/studies/lab/ask", `{"lease": "-1h"}`, 422, "from 1s to 2160h"},
		{"POST", "/studies/lab/ask", `{"lease": "2161h"}`, 422, "from 1s to 2160h"},
		{"POST", "/studies/lab/ask", `{"number": 2}`, 422, "body.number"},
		{"POST", "/studies/lab/ask", `{"n": 2`, 400, "unexpected end"},
		{"POST", "/studies/lab/tell", "", 400, "body is required"},
		{"POST", "/studies/lab/tell", `{"answers": []}`, 422, "body.answers"},
		{"POST", "/studies/lab/tell", `{"answers": null}`, 422, "body.answers"},
		{"POST", "/studies/lab/tell", `{"answers": [` + strings.Repeat(`{"trial": 1, "score": 1},`, 1000) + `{"trial": 1, "score": 1}]}`, 422, "body.answers"},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 99, "score": 1}]}`, 422, "there is no trial 99"},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 3}]}`, 422, "give either score or failed"},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 3, "score": 1, "failed": "x"}]}`, 422, "give either score or failed"},
		{"POST", "/studies/lab/tell", `{"answers": [{"score": 1}]}`, 422, "give trial, input or name"},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 3, "input": "A", "score": 1}]}`, 422, "give either trial or input"},
		{"POST", "/studies/lab/tell", `{"answers": [{"name": "nobody", "score": 1}]}`, 422, `nothing is called \"nobody\"`},
		{"POST", "/studies/lab/tell", `{"answers": [{"input": "A?", "score": 1}]}`, 422, "is no letter"},
		{"POST", "/studies/lab/tell", `{"answers": [{"input": "` + long + `", "score": 1}]}`, 422, "body.answers[0].input"},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 3, "score": 1e101}]}`, 422, "body.answers[0].score"},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 3, "score": NaN}]}`, 400, "invalid character"},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 3, "score": 1, "se": -1}]}`, 422, "body.answers[0].se"},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 3, "name": "a\u0000b", "score": 1}]}`, 422, "no control characters"},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": -3, "score": 1}]}`, 422, "body.answers[0].trial"},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 3, "score": 1e999}]}`, 400, "answers[0].score: 1e999 is too large for a number"},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 3e0, "score": 1}]}`, 422, "answers[0].trial: 3e0 is not a whole number in digits"},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 99999999999999999999, "score": 1}]}`, 422, "answers[0].trial: 99999999999999999999 is not a whole number in digits, or too large"},
		{"POST", "/studies/lab/ask", `{"n": 1001}`, 422, `"detail":"the request is wrong at n"`},
		{"POST", "/studies/lab/tell", `{"n": 3}`, 422, `"detail":"the request is wrong at n"`},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 99, "score": 1}]}`, 422, `"detail":"the answer is not taken"`},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 98, "score": 1}, {"trial": 99, "score": 1}]}`, 422, `"detail":"none of the 2 answers is taken"`},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 3, "bound": ">", "failed": "x"}]}`, 422, "bound is that of a score; give score, too"},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 3, "bound": ">=", "score": 1}]}`, 422, "body.answers[0].bound"},
		{"POST", "/studies/lab/tell", strings.Repeat("[", 200000), 400, "depth"},
		{"POST", "/studies/lab/tell", strings.Repeat(" ", 1<<20+1), 413, "the request has more than 1048576 bytes"},
		{"POST", "/studies/lab/withdraw", `{"trial": 1}`, 409, "its state is scored"},
		{"POST", "/studies/lab/withdraw", `{"trial": 99}`, 422, "there is no trial 99"},
		{"POST", "/studies/lab/withdraw", `{}`, 422, "trial"},
		{"GET", "/studies/lab/trials?cursor=x", "", 422, "the cursor is not one of this server"},
		{"GET", "/studies/lab/trials?limit=1001", "", 422, "query.limit"},
		{"GET", "/studies/lab/trials?page=2", "", 422, "query.page"},
		{"GET", "/studies/nothing/events", "", 404, "there is no study"},
		{"DELETE", "/studies/lab", "", 405, "Not Allowed"},
	} {
		if status, text := call(t, a, test.method, test.path, test.body); status != test.status || !strings.Contains(text, test.words) {
			t.Errorf("%s %s %.80s: %d %.300s; want %d with %s", test.method, test.path, test.body, status, text, test.status, test.words)
		}
	}
	for _, test := range []struct{ name, value, words string }{{"Content-Type", "text/plain", "unknown content type"}, {"Content-Type", "x/", "unknown content type"}} {
		if status, text := call(t, a, "POST", "/studies/lab/ask", `{}`, test.name, test.value); status != 415 || !strings.Contains(text, test.words) {
			t.Errorf("%v: %d %s", test, status, text)
		}
	}
	if status, _ := call(t, a, "GET", "/studies/lab/events", "", "Last-Event-ID", "x"); status != 422 {
		t.Errorf("events after x: %d", status)
	}
	if got := s.studies["lab"].Study.Status(); got.Calls != 0 || got.Pending != 3 {
		t.Errorf("what was refused changed the study: %+v", got)
	}
}

// A study may have further outcomes: with bounds on them, or to make its score of.
func TestOutcomes(t *testing.T) {
	limit := study.Constraint{Outcome: "toxicity", Op: "<", Bound: 0.3}
	s := open(t, createWith(t, "lab.db", experiment.RunSpec{Options: task.Options{Constraints: []study.Constraint{limit}}}), Options{})
	search(t, s, &counter{}, 0)
	a := api(s)
	ask(t, s, 2, "")
	for _, test := range []struct {
		answer string // and what follows the answers
		status int
		words  string
	}{
		{`{"trial": 7, "others": {"toxicity": 0.2}}`, 200, `"what":"kept until the rest is told"`},
		{`{"trial": 7}`, 422, "give either score or failed"},
		{`{"trial": 7, "score": 9}`, 200, `"what":"measured"`},
		{`{"trial": 7, "score": 9, "others": {"toxicity": 0.5}}], "correct": true`, 200, `"what":"corrected"`},
		{`{"trial": 8, "score": 5, "others": {"toxicity": 0.1}}`, 200, `"best":{"trial":8`},
		{`{"trial": 7, "measurement": 1, "others": {"toxicity": 0.4}, "other_bounds": {"toxicity": ">"}}`, 200, `"what":"corrected"`},
		{`{"trial": 7, "others": {"toxicity": 0.4}, "other_bounds": {"toxicity": ">"}}`, 200, `"what":"known already"`},
		{`{"trial": 8, "score": 5, "others": {"toxicity": 0.1}, "other_bounds": {"toxicity": "="}}`, 422, `the bound of toxicity is \"=\"; give \u003c or \u003e`},
		{`{"trial": 8, "score": 5, "other_bounds": {"toxicity": ">"}}`, 422, `other_bounds has \"toxicity\", and others has not`},
		{`{"trial": 8, "score": 5, "others": {"toxicty": 0.1}}`, 422, `did you mean \"toxicity\"?`},
	} {
		body := `{"answers": [` + test.answer
		if !strings.Contains(body, "]") {
			body += "]"
		}
		if status, text := call(t, a, "POST", "/studies/lab/tell", body+"}"); status != test.status || !strings.Contains(text, test.words) {
			t.Errorf("%s: %d %s, want %d with %s", test.answer, status, text, test.status, test.words)
		}
	}
	status, err := do(t.Context(), s, "", "say where it stands", (*entry).status, struct{}{})
	if err != nil || !same(status.Outcomes, "[toxicity]") || !same(status.Constraints, "[toxicity<0.3]") || status.Violating != 4 || status.Best.Trial != 8 {
		t.Errorf("%+v, %v", status, err)
	}
	page, err := do(t.Context(), s, "", "list trials", (*entry).trials, TrialsRequest{Cursor: "", Limit: 7})
	if err != nil || !strings.Contains(page.Trials[6].Violates, "toxicity") || page.Trials[6].Measurements[0].Others["toxicity"] != 0.4 || page.Trials[6].Measurements[0].OtherBounds["toxicity"] != ">" {
		t.Errorf("%+v, %v", page, err)
	}
	notes, _ := s.studies["lab"].Watch(0)
	best := 0
	for _, n := range notes {
		best = cmp.Or(n.Best, best)
	}
	if best != 8 {
		t.Errorf("of events the best is %d", best)
	}

	s = open(t, createWith(t, "made.db", experiment.RunSpec{Options: task.Options{Properties: []oracle.Property{{Name: "yield", Weight: 2}, {Name: "toxicity", Weight: -1}}}}), Options{})
	for _, test := range []struct{ answer, words string }{
		{`{"input": "AAAAAA", "score": 1}`, "the score is made of others; leave it out, and give these: yield, toxicity"},
		{`{"input": "AAAAAA"}`, "give either others or failed"},
		{`{"input": "AAAAAA", "others": {"yield": 1}}`, "kept until the rest is told"},
		{`{"input": "AAAAAA", "others": {"yield": 1, "toxicity": 0.5}}`, `"score":1.5`},
	} {
		if _, text := call(t, api(s), "POST", "/studies/made/tell", `{"answers": [`+test.answer+`]}`); !strings.Contains(text, test.words) {
			_, trials := call(t, api(s), "GET", "/studies/made/trials", "")
			if !strings.Contains(trials, test.words) {
				t.Errorf("%s: %s, want %s", test.answer, text, test.words)
			}
		}
	}

	// A part of the outcomes of a proposal is kept, which proposes and answers nothing.
	asked, err := do(t.Context(), s, "made", "ask", (*entry).ask, &AskRequest{N: 1})
	if err != nil {
		t.Fatal(err)
	}
	id := asked.Proposals[0].Trial.Trial
	made := s.studies["made"]
	for _, test := range []struct{ others, want string }{
		{`"yield": 1`, "{[] [] 0}"},
		{`"toxicity": 0.9`, fmt.Sprintf("{[] [%d] 0}", id)},
	} {
		if status, text := call(t, api(s), "POST", "/studies/made/tell", fmt.Sprintf(`{"answers": [{"trial": %d, "others": {%s}}]}`, id, test.others)); status != 200 {
			t.Fatalf("%d %s", status, text)
		}
		if notes, _ := made.Watch(made.Latest() - 1); !same(notes, "["+test.want+"]") {
			t.Errorf("after %s events end with %+v, want %s", test.others, notes, test.want)
		}
	}
}

// What can be taken of a request is stored although the rest is refused.
func TestTellSome(t *testing.T) {
	s := inMemory(t, &counter{}, 100)
	ask(t, s, 3, "")
	status, text := call(t, api(s), "POST", "/studies/lab/tell", `{"answers": [{"trial": 3, "score": 1}, {"trial": 77, "score": 1}, {"trial": 4, "failed": "x"}, {"trial": 5}]}`)
	for _, words := range []string{"2 of 4 answers are not taken; the others are stored", "body.answers[1]", "body.answers[3]"} {
		if status != 422 || !strings.Contains(text, words) {
			t.Errorf("%d %s, want %s", status, text, words)
		}
	}
	if got := s.studies["lab"].Study.Status(); got.Calls != 2 || got.Pending != 1 {
		t.Errorf("then %+v", got)
	}
}

// strict are bodies that say two things at once, or something by a key that there is not, and where that is.
var strict = []struct{ verb, body, words string }{
	{"tell", `{"answers": [{"trial": 3, "score": 1.25}], "answers": [{"trial": 4}]}`, `the key "answers" is given twice`},
	{"tell", `{"answers": [{"trial": 3, "score": 1, "sc\u006fre": 2}]}`, `answers[0]: the key "score" is given twice`},
	{"tell", `{"answers": [{"trial": 3, "score": 1, "score": 2}]}`, `answers[0]: the key "score" is given twice`},
	{"tell", `{"answers": [{"trial": 3, "score": 1}, {"trial": 4, "others": {"x": 1, "x": 2}}]}`, `answers[1].others: the key "x" is given twice`},
	{"tell", `{"answers": [{"trial": 3, "score": 1, "nothing": [{"x": 1, "x": 2}]}]}`, `answers[0].nothing[0]: the key "x" is given twice`},
	{"tell", `{"answers": [{"trial": 3, "Score": 1}]}`, `answers[0]: there is no key "Score"; did you mean "score"?`},
	{"tell", `{"answers": [{"trial": 3, "failed": "x", "Failed": "\u0000"}]}`, `Failed`},
	{"tell", `{"answers": [{"trial": 3, "score": 1}], "Correct": true}`, `Correct`},
	{"ask", `{"n": 3, "N": 1000000}`, `there is no key "N"; did you mean "n"?`},
	{"ask", `{"N": 3}`, `there is no key "N"; did you mean "n"?`},
	{"ask", `{"n": 3, "n": 1000000}`, `the key "n" is given twice`},
	{"withdraw", `{"trial": 3, "Trial": -4}`, `there is no key "Trial"; did you mean "trial"?`},
	{"strike", `{"trial": 1, "reason": "x", "Measurement": 1}`, `Measurement`},
	{"strike", `{"trial": 1, "reason": "x", "reason": "y"}`, `the key "reason" is given twice`},

	{"tell", "{\"answers\": [{\"trial\": 3, \"score\": 1, \"name\": \"M\xfcller\"}]}", "is not UTF-8: send the JSON in UTF-8"},
	{"tell", "{\"answers\": [{\"trial\": 3, \"failed\": \"zu z\xe4h\"}]}", "is not UTF-8"},
	{"tell", `{"answers": [{"trial": 3, "failed": "\ud800"}]}`, `\ud800 is half of a character`},
	{"tell", `{"answers": [{"trial": 3, "score": 1, "name": "a\\\udc00\ud800"}]}`, `\udc00 is half of a character`},
	{"withdraw", `{"trial": 3, "reason": "\ud83ex"}`, `\ud83e is half`},
	{"strike", "{\"trial\": 1, \"reason\": \"\xff\"}", "is not UTF-8"},
}

// Keys are those of the API's description, each of them once. Otherwise nothing is stored.
func TestStrictBodies(t *testing.T) {
	s := inMemory(t, &counter{}, 9)
	ask(t, s, 2, "")
	a := api(s)
	before := s.studies["lab"].Latest()
	for _, test := range strict {
		status, text := call(t, a, "POST", "/studies/lab/"+test.verb, test.body)
		var problem huma.ErrorModel
		if err := json.Unmarshal([]byte(text), &problem); err != nil || status != 400 && status != 422 || !strings.Contains(problem.Detail+fmt.Sprint(problem.Errors), test.words) && !strings.Contains(problem.Detail, test.words) {
			t.Errorf("%s %s: %d %s, want %s", test.verb, test.body, status, text, test.words)
		}
	}
	if now := s.studies["lab"].Latest(); now != before {
		t.Errorf("%d events are stored", now-before)
	}
}

// Characters beyond the first 65536 are two escapes in JSON, and a backslash before an escape is none.
func TestEscapedNames(t *testing.T) {
	s := inMemory(t, &counter{}, 9)
	ask(t, s, 2, "")
	a := api(s)
	for trial, name := range map[int]string{3: `\ud83e\uddea`, 4: `\\ud800`} {
		if status, text := call(t, a, "POST", "/studies/lab/tell", fmt.Sprintf(`{"answers": [{"trial": %d, "score": 1, "name": "%s"}]}`, trial, name)); status != 200 {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	if names := s.studies["lab"].Names(); !slices.Contains(names, "🧪") || !slices.Contains(names, `\ud800`) {
		t.Errorf("%q", names)
	}
}

// A proposal is withdrawn whose name is the number of another one that waits.
func TestWithdrawNumericName(t *testing.T) {
	s := inMemory(t, &counter{names: map[string]string{"S2": "3"}}, 9)
	ask(t, s, 2, "") // trials 3 and 4
	if status, text := call(t, api(s), "POST", "/studies/lab/withdraw", `{"trial": 4}`); status != 200 || !strings.Contains(text, `"input":"S2"`) || !strings.Contains(text, `"state":"failed"`) {
		t.Errorf("withdrawn: %d %s", status, text)
	}
	if pending := s.studies["lab"].Pending(); len(pending) != 1 || pending[0].ID != 3 {
		t.Errorf("waiting: %v", pending)
	}
}

// The verbs check numbers again that requests cannot have by the API's description.
func TestVerbsCheckNumbers(t *testing.T) {
	s := inMemory(t, &counter{}, 9)
	ask(t, s, 1, "")
	e, ctx := s.studies["lab"], t.Context()
	before := e.Latest()
	for _, n := range []int{-1, most + 1} {
		if _, err := e.ask(ctx, &AskRequest{N: n}); err == nil {
			t.Errorf("ask: n = %d is accepted", n)
		}
		if _, err := e.trials(ctx, TrialsRequest{Limit: n}); err == nil {
			t.Errorf("trials: limit = %d is accepted", n)
		}
	}
	for _, trial := range []int{-4, -1, 0, 99} {
		if _, err := e.withdraw(ctx, WithdrawRequest{Trial: trial}); err == nil {
			t.Errorf("withdraw: trial %d is accepted", trial)
		}
		if _, err := e.strike(ctx, StrikeRequest{Trial: trial, Reason: "x"}); err == nil {
			t.Errorf("strike: trial %d is accepted", trial)
		}
		if _, err := e.tell(ctx, TellRequest{Answers: []Answer{{Trial: trial, Score: scored(1)}}}); err == nil {
			t.Errorf("tell: trial %d is accepted", trial)
		}
	}
	if _, err := e.tell(ctx, TellRequest{Answers: []Answer{{Trial: 1, Number: -1, Score: scored(1)}}}); err == nil {
		t.Error("tell: measurement -1 is accepted")
	}
	if now := e.Latest(); now != before {
		t.Errorf("%d events are stored", now-before)
	}
}

// An answer with further outcomes alone says which score is kept beside them, whether they are told, corrected or known
// already.
func TestKeptScoreIsSaid(t *testing.T) {
	spec := experiment.RunSpec{}
	spec.Constraints = []study.Constraint{{Outcome: "toxicity", Op: "<", Bound: 3}}
	several := experiment.RunSpec{Options: task.Options{Objectives: []study.Objective{{Name: "yield"}, {Name: "toxicity", Minimize: true}}}}
	for _, test := range []struct {
		spec                  experiment.RunSpec
		request, what, scores string
	}{
		{spec, `{"answers": [{"trial": 1, "others": {"toxicity": 2}}], "correct": true}`, "corrected", "2"},
		{spec, `{"answers": [{"trial": 1, "others": {"toxicity": 2}, "other_bounds": {"toxicity": ">"}}], "correct": true}`, "corrected", "2"},
		{spec, `{"answers": [{"trial": 1, "measurement": 1, "others": {"toxicity": 2}}]}`, "corrected", "2"},
		{spec, `{"answers": [{"trial": 1, "others": {"toxicity": 0}}]}`, "known already", "2"},
		{spec, `{"answers": [{"trial": 1, "measurement": 1, "others": {"toxicity": 0}}]}`, "known already", "2"},
		{spec, `{"answers": [{"trial": 1, "measurement": 1, "score": 7}]}`, "corrected", "7"},
		{spec, `{"answers": [{"trial": 1, "measurement": 1, "failed": "melted"}]}`, "corrected", "none"},
		{spec, `{"answers": [{"input": "AAAAAA", "score": 5}, {"input": "AAAAAA", "others": {"toxicity": 1}}]}`, "measured, further outcomes added", "5, 5"},
		{spec, `{"answers": [{"input": "AAAAAA", "others": {"toxicity": 1}}]}`, "kept until the rest is told", "none"},
		{several, `{"answers": [{"trial": 1, "others": {"toxicity": 2}}], "correct": true}`, "corrected", "1"},
		{several, `{"answers": [{"trial": 1, "measurement": 1, "others": {"toxicity": 2}}]}`, "corrected", "1"},
		{several, `{"answers": [{"trial": 1, "measurement": 1, "others": {"yield": 3}}]}`, "corrected", "3"},
	} {
		status, text := call(t, api(open(t, createWith(t, "lab.db", test.spec), Options{})), "POST", "/studies/lab/tell", test.request)
		var told TellResponse
		if err := json.Unmarshal([]byte(text), &told); err != nil || status != http.StatusOK {
			t.Errorf("%s: %d %s", test.request, status, text)
			continue
		}
		var what, scores []string
		for _, o := range told.Outcomes {
			score := "none"
			if o.Score != nil {
				score = fmt.Sprint(*o.Score)
			}
			what, scores = append(what, o.What), append(scores, score)
		}
		if strings.Join(what, ", ") != test.what || strings.Join(scores, ", ") != test.scores {
			t.Errorf("%s: %s with %s, want %s with %s", test.request, what, scores, test.what, test.scores)
		}
	}
}

// A bound is told, shown and corrected as one, and never as an exact score.
func TestBounds(t *testing.T) {
	s := open(t, create(t, "lab.db"), Options{})
	search(t, s, &counter{}, 0)
	a := api(s)
	trial := ask(t, s, 1, "")[0]
	show := func(v Trial) (text string) {
		for _, m := range v.Measurements {
			text += fmt.Sprintf(" %s%g", m.Bound, *m.Score)
		}
		return fmt.Sprintf("%s%g:%s", v.Bound, *v.Score, text)
	}
	for _, test := range []struct{ answer, what, want string }{
		{`"score": 10000, "bound": ">"`, "measured", ">10000: >10000"},
		{`"score": 10000, "bound": ">"`, "known already", ">10000: >10000"},
		{`"score": 10000, "bound": "<", "measurement": 1`, "corrected", "<10000: <10000"},
		{`"score": 12000, "bound": "<"`, "another measurement", "<10000: <10000 <12000"},
		{`"score": 9000`, "another measurement", "9000: <10000 <12000 9000"},
		{`"score": 9000, "bound": "<", "measurement": 3`, "corrected", "<9000: <10000 <12000 <9000"},
	} {
		status, text := call(t, a, "POST", "/studies/lab/tell", fmt.Sprintf(`{"answers": [{"trial": %d, %s}]}`, trial, test.answer))
		var told TellResponse
		if err := json.Unmarshal([]byte(text), &told); err != nil || status != 200 || told.Outcomes[0].What != test.what {
			t.Errorf("%s: %d %s", test.answer, status, text)
		}
		_, text = call(t, a, "GET", "/studies/lab/trials", "")
		var page TrialsResponse
		if err := json.Unmarshal([]byte(text), &page); err != nil {
			t.Fatal(err)
		}
		if got := show(page.Trials[trial-1]); got != test.want {
			t.Errorf("after %s: %s, want %s", test.answer, got, test.want)
		}
		_, sent, _ := strings.Cut(string(s.studies["lab"].messages(1, experiment.Note{Answered: []int{trial}})), "data: ")
		var event Trial
		if err := json.Unmarshal([]byte(sent), &event); err != nil || show(event) != test.want {
			t.Errorf("after %s the event is %s, %v", test.answer, sent, err)
		}
	}
}

// To correct is not to measure: a wrong number of a trial changes nothing.
func TestCorrectsOnlyMeasured(t *testing.T) {
	s := open(t, create(t, "lab.db"), Options{})
	search(t, s, &counter{}, 0)
	trial := ask(t, s, 1, "")[0]
	before := s.studies["lab"].Latest()
	for _, test := range []struct{ answer, words string }{
		{fmt.Sprintf(`{"trial": %d, "score": 1}`, trial), `has no measurement`},
		{`{"input": "AAAAAA", "score": 1}`, `has no measurement`},
		{`{"trial": 99, "score": 1}`, "there is no trial 99"},
		{`{"name": "nobody", "score": 1}`, `nothing is called`},
	} {
		if status, text := call(t, api(s), "POST", "/studies/lab/tell", `{"answers": [`+test.answer+`], "correct": true}`); status != 422 || !strings.Contains(text, test.words) {
			t.Errorf("%s: %d %s", test.answer, status, text)
		}
	}
	if now := s.studies["lab"].Latest(); now != before {
		t.Errorf("%d events are stored", now-before)
	}
}

// Scores are on the scale of the study, which every answer states. Those with a unit are converted, with bounds and
// standard errors.
func TestUnits(t *testing.T) {
	s := open(t, create(t, "lab.db"), Options{})
	search(t, s, &counter{}, 9)
	e := s.studies["lab"]
	e.Columns.Columns = table.Columns{Input: "word", ID: "name", Score: "pKi", From: []string{"Ki"}, Unit: "nM", Scale: "pKi"}
	for _, place := range []string{"/studies", "/studies/lab", "/studies/lab/trials"} {
		if _, text := call(t, api(s), "GET", place, ""); !strings.Contains(text, `"score":"pKi","unit":"nM","scale":"pKi"`) {
			t.Errorf("%s: %s, want the scale", place, text)
		}
	}
	for _, test := range []struct {
		answer string
		status int
		words  []string
	}{
		{`"input": "AAAAAA", "score": 7`, 200, []string{`"score":"pKi","unit":"nM","scale":"pKi"`, `"what":"measured","score":7}`}},
		{`"input": "AAAAAC", "score": 100, "unit": "nM", "se": 10`, 200, []string{`"score":7}`}},
		{`"input": "AAAAAD", "score": 0.1, "unit": "uM", "bound": ">"`, 200, []string{`"score":7}`}},
		{`"input": "AAAAAE", "score": 12, "unit": "nM", "se": 5000`, 200, []string{`"what":"measured"`, `"note":"the standard error is 181 units of pKi`}},
		{`"input": "AAAACC", "score": 120`, 422, []string{"a pKi of 120 is that of no concentration"}},
		{`"input": "AAAACC", "score": 12`, 200, []string{`"what":"another measurement"`}},
		{`"input": "AAAACC", "score": 120, "unit": "nM", "measurement": 2`, 200, []string{`"what":"corrected","score":6.92081875395}`}},
		{`"input": "AAAACD", "score": 12, "unit": "mg/mL"`, 422, []string{"it is in mg/mL, not nM"}},
		{`"input": "AAAACD", "score": 12, "unit": "apples"`, 422, []string{"apples"}},
		{`"input": "AAAACD", "score": 0, "unit": "nM"`, 422, []string{"0 has no logarithm"}},
		{`"input": "AAAACD", "failed": "lost", "unit": "nM"`, 422, []string{"unit is that of a score"}},
	} {
		status, text := call(t, api(s), "POST", "/studies/lab/tell", `{"answers": [{`+test.answer+`}]}`)
		for _, words := range test.words {
			if status != test.status || !strings.Contains(text, words) {
				t.Errorf("%s: %d %s, want %d with %s", test.answer, status, text, test.status, words)
			}
		}
	}
	if m := e.Lookup("AAAAAC").Measurements[0]; math.Abs(m.SE-0.1/math.Ln10) > 1e-12 {
		t.Errorf("100 ± 10 nM is stored as %+v", m)
	}
	if m := e.Lookup("AAAAAD").Measurements[0]; m.Score != 7 || m.Bound != study.Below {
		t.Errorf("more than 0.1 µM is stored as %+v", m)
	}
	e.Columns.Columns = table.Columns{Input: "word", ID: "name", Score: "pIC50"} // in a table of its own, no column states a unit
	if status, text := call(t, api(s), "POST", "/studies/lab/tell", `{"answers": [{"input": "AAAACE", "score": 12, "unit": "nM"}]}`); status != 200 || !strings.Contains(text, `"score":7.92081875395`) {
		t.Errorf("12 nM as a pIC50: %d %s", status, text)
	}
	e.Columns.Columns = table.Columns{Input: "word", ID: "name", Score: "activity"}
	if status, text := call(t, api(s), "POST", "/studies/lab/tell", `{"answers": [{"input": "AAAACD", "score": 1, "unit": "nM"}]}`); status != 422 || !strings.Contains(text, "the study states no unit of activity; leave unit out") {
		t.Errorf("a unit of a study without: %d %s", status, text)
	}
}

// What the search learns nothing from is said of the answer, as invbo tell says it.
func TestApartIsSaid(t *testing.T) {
	read, err := table.Read(t.Context(), strings.NewReader("sequence,activity\nACDEFG,1\nACDEFA,2\nACDEFC,1.5\n"), table.Options{Sequences: table.Detect})
	if err != nil {
		t.Fatal(err)
	}
	p, err := experiment.RunSpec{Task: "strings"}.BuildMeasured(t.Context(), read)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "lab.db")
	b, err := experiment.Create(t.Context(), experiment.Place{File: path}, p, experiment.Options{Columns: experiment.Columns{Columns: read.Columns, Sequences: read.Sequences}})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, path, Options{})
	for input, note := range map[string]bool{"ACDEFGCC": true, "ACDEFF": false} {
		status, text := call(t, api(s), "POST", "/studies/lab/tell", `{"answers": [{"input": "`+input+`", "score": 1}]}`)
		if said := strings.Contains(text, `"note":"it is of another length than the sequences that are compared: the search learns nothing from it"`); status != 200 || said != note {
			t.Errorf("%s: %d %s", input, status, text)
		}
	}
}

// A name that comes with a score that is known already is stored.
func TestNameOfKnown(t *testing.T) {
	s := inMemory(t, &counter{}, 9)
	ask(t, s, 1, "")
	for _, test := range []struct{ answer, what, name string }{
		{`"name": "X1", "score": 1`, "known already", "X1"},
		{`"name": "X1", "score": 1`, "known already", "X1"},
		{`"name": "X3", "score": 1`, "known already\",\"score\":1,\"note\":\"it is called X1, and keeps that name: X3 is not used", "X1"},
		{`"name": "X2", "score": 3, "measurement": 1`, "corrected", "X2"},
	} {
		status, text := call(t, api(s), "POST", "/studies/lab/tell", `{"answers": [{"trial": 1, `+test.answer+`}]}`)
		if got := s.studies["lab"].Page(0, 1)[0]; status != 200 || !strings.Contains(text, `"what":"`+test.what) || got.Name != test.name || len(got.Measurements) != 1 {
			t.Errorf("%s: %d %s; trial 1 is %+v", test.answer, status, text, got)
		}
	}
	if status, text := call(t, api(s), "POST", "/studies/lab/tell", `{"answers": [{"trial": 2, "name": "X2", "score": 3, "measurement": 1}]}`); status != 422 || !strings.Contains(text, "X2 is trial 1") {
		t.Errorf("the name of another trial: %d %s", status, text)
	}
}

// A client is told that its answer cannot be stored, and what of.
func TestCannotBeWritten(t *testing.T) {
	s := inMemory(t, &counter{}, 9)
	for _, test := range []struct {
		err    error
		status int
		words  string
	}{
		{fmt.Errorf("save: %w", sqlite.ErrFull), 507, "the disk of the study is full"},
		{fmt.Errorf("save: %w", sqlite.ErrUnwritable), 503, "the file of the study cannot be written"},
	} {
		err := s.explain(s.studies["lab"], "tell", test.err)
		if status, ok := errors.AsType[huma.StatusError](err); !ok || status.GetStatus() != test.status || !strings.Contains(err.Error(), test.words) || !strings.Contains(err.Error(), "nothing more of this request is stored") {
			t.Errorf("%v: %v", test.err, err)
		}
	}
}

// No error repeats a long value.
func TestErrorsAreShort(t *testing.T) {
	a := api(inMemory(t, &counter{}, 9))
	long := strings.Repeat("C", 20000)
	for _, body := range []string{
		`{"answers": [{"input": "` + long + `", "score": 1}]}`, `{"answers": [{"trial": 1, "` + long + `": 1}]}`, `{"answers": "` + long + `"}`, `{"answers": [{"score": 1` + strings.Repeat("0", 20000) + `}]}`,
		`{"answers": [{"input": "` + long[:9999] + `?", "score": 1}]}`, `{"answers": [` + long,
	} {
		if status, text := call(t, a, "POST", "/studies/lab/tell", body); status < 400 || len(text) > 3000 {
			t.Errorf("%.60s…: %d, %d bytes: %.200s…", body, status, len(text), text)
		}
	}
}

// The bounds of scores in requests are those of the study.
func TestScoresAreUsable(t *testing.T) {
	if got := schemaOf[Answer]().document()["properties"].(map[string]any)["score"].(map[string]any); got["maximum"] != oracle.Largest || got["minimum"] != -oracle.Largest {
		t.Errorf("scores are %v, want ±%g", got, oracle.Largest)
	}
}

// Single measurements are corrected and struck, and errors name what a request has, not what a command line has.
func TestCorrectionsOfOne(t *testing.T) {
	s := open(t, create(t, "lab.db"), Options{})
	a := api(s)
	for _, test := range []struct {
		path, body string
		status     int
		words      string
	}{
		{"tell", `{"answers": [{"trial": 1, "score": 3}, {"trial": 1, "score": 4}]}`, 200, `"what":"another measurement"`},
		{"tell", `{"answers": [{"trial": 1, "score": 5}], "correct": true}`, 422, "it has 3 measurements, and any of them may be meant: include all, and leave correct ones unchanged; or give measurement, the number of"},
		{"tell", `{"answers": [{"trial": 1, "score": 5, "measurement": 2}]}`, 200, `"what":"corrected"`},
		{"tell", `{"answers": [{"trial": 1, "score": 5, "measurement": 2}]}`, 200, `"what":"known already"`},
		{"tell", `{"answers": [{"name": "W-1", "failed": "no yield", "measurement": 3}]}`, 200, `"what":"corrected"`},
		{"tell", `{"answers": [{"input": "ACDEAC", "score": 1.5, "se": 0.5, "measurement": 3}]}`, 200, `"what":"corrected"`},
		{"tell", `{"answers": [{"trial": 1, "score": 5, "measurement": 4}]}`, 422, "trial 1 has no measurement 4: it has 3"},
		{"tell", `{"answers": [{"trial": 99, "score": 5, "measurement": 1}]}`, 422, "there is no trial 99"},
		{"tell", `{"answers": [{"input": "AAAAAA", "score": 5, "measurement": 1}]}`, 422, "has no measurement"},
		{"strike", `{"trial": 1, "reason": "wrong well"}`, 422, "trial 1 has 3 measurements: say which: 1 is 2, 2 is 5, 3 is 1.5"},
		{"strike", `{"trial": 1, "measurement": 2, "reason": "wrong well"}`, 200, `"failed":"struck: wrong well"`},
		{"strike", `{"trial": 1, "measurement": 2, "reason": "wrong well"}`, 200, `"score":1.75`},
		{"strike", `{"trial": 1, "measurement": 2, "reason": "wrong plate"}`, 409, "measurement 2 of trial 1 was already struck for another reason, which is kept: struck: wrong well"},
		{"strike", `{"trial": 2, "reason": "never made"}`, 200, `"state":"failed"`},
		{"strike", `{"trial": 2}`, 422, "reason"},
		{"strike", `{"trial": 50, "reason": "x"}`, 422, "there is no trial 50"},
	} {
		status, text := call(t, a, "POST", "/studies/lab/"+test.path, test.body)
		if status != test.status || !strings.Contains(text, test.words) || strings.Contains(text, "--") {
			t.Errorf("%s %s: %d %s; want %d with %s", test.path, test.body, status, text, test.status, test.words)
		}
	}
	if got := s.studies["lab"].Page(0, 1)[0]; fmt.Sprint(got.Score) != "1.75" || len(got.Measurements) != 3 || got.Measurements[1].Reason != "struck: wrong well" {
		t.Errorf("then %+v", got)
	}
	// A proposal that was withdrawn, and measured after all, has one measurement.
	trial := ask(t, s, 1, "")[0]
	for _, test := range []struct{ path, body string }{
		{"withdraw", `{"trial": %d}`}, {"tell", `{"answers": [{"trial": %d, "score": 3}]}`}, {"tell", `{"answers": [{"trial": %d, "score": 4}], "correct": true}`},
	} {
		if status, text := call(t, a, "POST", "/studies/lab/"+test.path, fmt.Sprintf(test.body, trial)); status != 200 {
			t.Errorf("%s %s: %d %s", test.path, test.body, status, text)
		}
	}
	if got := s.studies["lab"].Page(trial-1, 1)[0]; got.Score != 4 || len(got.Measurements) != 2 {
		t.Errorf("corrected after a withdrawal: %+v", got)
	}
	if got := ask(t, s, 1, ""); len(got) != 1 { // the search goes on
		t.Error(got)
	}
}

// Absurd answers stop nothing, and are named.
func TestPoison(t *testing.T) {
	s := open(t, create(t, "lab.db"), Options{})
	a := api(s)
	trial := ask(t, s, 1, "")[0]
	for _, body := range []string{
		fmt.Sprintf(`{"answers": [{"trial": %d, "score": -1e99}, {"trial": %d, "score": 5}]}`, trial, trial),
		`{"answers": [{"trial": 1, "score": 1, "se": 1e55}]}`, `{"answers": [{"trial": 2, "score": -1000}]}`, `{"answers": [{"trial": 3, "score": 1e99}, {"trial": 3, "score": -1e100, "se": 1e-300}]}`,
	} {
		if status, text := call(t, a, "POST", "/studies/lab/tell", body); status != 200 {
			t.Errorf("%s: %d %s", body, status, text)
		}
		ask(t, s, 2, "")
		if status, text := call(t, a, "GET", "/studies/lab", ""); status != 200 || !strings.Contains(text, `"contradictory":[{`) {
			t.Errorf("after %s: %d %s", body, status, text)
		}
	}
	if state := s.studies["lab"].Status(); state.Noise[0].SD > 10 {
		t.Errorf("the noise is %g", state.Noise[0].SD)
	}
	if _, _, _, err := s.studies["lab"].BestExpected(t.Context()); err != nil {
		t.Error(err)
	}
}

// A hundred clients that ask for one proposal each get what one client gets that asks a hundred times, in the same order.
func TestManyAskAsOne(t *testing.T) {
	path := create(t, "lab.db")
	copied := filepath.Join(t.TempDir(), "lab.db")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied, data, 0o600); err != nil {
		t.Fatal(err)
	}
	const n = 100
	proposed := func(path string, clients int) (all []string) {
		s := open(t, path, Options{})
		var wg sync.WaitGroup
		for range clients {
			wg.Go(func() {
				for range n / clients {
					if _, err := do(t.Context(), s, "lab", "ask", (*entry).ask, &AskRequest{}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		for _, p := range s.studies["lab"].Pending() {
			all = append(all, p.Input)
		}
		return all
	}
	one, many := proposed(path, 1), proposed(copied, n)
	if len(one) != n || !slices.Equal(one, many) {
		t.Errorf("one client got %d, %v; many got %d, %v", len(one), one, len(many), many)
	}
}

// Two clients that ask again after an answer was lost, at once, tell one measurement.
func TestTellAtOnce(t *testing.T) {
	s := inMemory(t, &counter{}, 100)
	ask(t, s, 1, "")
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if _, err := do(t.Context(), s, "lab", "tell", (*entry).tell, TellRequest{Answers: []Answer{{Trial: 3, Score: scored(2)}}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := s.studies["lab"].Page(2, 1)[0]; len(got.Measurements) != 1 {
		t.Errorf("%d measurements", len(got.Measurements))
	}
}

func TestTrials(t *testing.T) {
	s := inMemory(t, &counter{}, 1000)
	a := api(s)
	ask(t, s, 8, "") // 3 to 10
	var seen []int
	cursor := ""
	for pages := 1; ; pages++ {
		_, text := call(t, a, "GET", "/studies/lab/trials?limit=4&cursor="+cursor, "")
		var page TrialsResponse
		if err := json.Unmarshal([]byte(text), &page); err != nil {
			t.Fatal(err)
		}
		for _, trial := range page.Trials {
			seen = append(seen, trial.Trial)
		}
		cursor = page.Next
		if !page.More {
			break
		}
		if pages == 1 { // meanwhile trials change, and there are new ones
			if _, err := do(t.Context(), s, "lab", "tell", (*entry).tell, TellRequest{Answers: []Answer{{Trial: 9, Score: scored(1)}, {Trial: 1, Score: scored(5)}}}); err != nil {
				t.Fatal(err)
			}
			ask(t, s, 1, "")
		}
	}
	if want := "[1 2 3 4 5 6 7 8 9 10 11]"; fmt.Sprint(seen) != want {
		t.Errorf("%v, want %s", seen, want)
	}
	for range 2 { // at the end, until there is more
		page, err := do(t.Context(), s, "", "list trials", (*entry).trials, TrialsRequest{Cursor: cursor})
		if err != nil || page.More || len(page.Trials) > 1 {
			t.Errorf("%+v, %v", page, err)
		}
		cursor = page.Next
		ask(t, s, 1, "")
	}
}

func TestOpenRefuses(t *testing.T) {
	path := create(t, "lab.db")
	for _, test := range []struct {
		paths []string
		words string
	}{
		{[]string{create(t, "my lab.db")}, "its name is a part of URLs"},
		{[]string{path, create(t, "lab")}, "are both called lab"},
		{[]string{filepath.Join(t.TempDir(), "no.db")}, "no such file"},
		{[]string{path, path}, "is given twice"},
		{[]string{path, filepath.Dir(path) + "/./lab.db"}, "is given twice"},
	} {
		s, _, err := Open(t.Context(), test.paths, Options{})
		if !usage.Is(err) || !strings.Contains(err.Error(), test.words) {
			t.Errorf("%v: %v, want %s", test.paths, err, test.words)
		}
		if len(s.Names()) > 0 { // what was open before is closed
			again, _, err := Open(t.Context(), test.paths[:1], Options{})
			if err != nil {
				t.Error(err)
			}
			again.Close()
		}
	}
	s := open(t, path, Options{})
	_, _, err := Open(t.Context(), []string{path}, Options{})
	if !usage.Is(err) || !strings.Contains(err.Error(), "another process is writing to it") {
		t.Errorf("a second server: %v", err)
	}
	if _, err := do(t.Context(), s, "", "say where it stands", (*entry).status, struct{}{}); err != nil {
		t.Errorf("the only study, without its name: %v", err)
	}
}

// BenchmarkClients is the time until 200 clients that ask at once for a proposal each have theirs, in a study in a file
// with the search that people get.
func BenchmarkClients(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		s := open(b, create(b, "lab.db"), Options{})
		b.StartTimer()
		var all sync.WaitGroup
		for range 200 {
			all.Go(func() {
				if _, err := do(b.Context(), s, "lab", "ask", (*entry).ask, &AskRequest{}); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
	}
	b.ReportMetric(200*float64(b.N)/b.Elapsed().Seconds(), "asks/s")
}
