package serve

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

// bundle stands for the page's scripts and styles: handlers need none.
var bundle fs.FS = fstest.MapFS{"page.js": {Data: []byte("// script")}, "page.css": {Data: []byte("/* style */")}, "README.md": {Data: []byte("no asset")}}

// withPage returns the API of a service with its page.
func withPage(s *Service, tokens *Tokens) *API {
	return newAPI(s, tokens, "test", DefaultLimits(), bundle)
}

// browser is one without scripts.
type browser struct {
	t      testing.TB
	api    http.Handler
	cookie string
	htmx   bool
}

// get returns the status and the text of a page.
func (b *browser) get(path string) (int, string) { return b.request(http.MethodGet, path, nil) }

// post sends a form: field, value, and so on.
func (b *browser) post(path string, fields ...string) (int, string) {
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	return b.request(http.MethodPost, path, form)
}

func (b *browser) request(method, path string, form url.Values, headers ...string) (int, string) {
	b.t.Helper()
	w := b.answer(method, path, form, headers...)
	return w.Code, html.UnescapeString(w.Body.String())
}

func (b *browser) answer(method, path string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	r.Host = "127.0.0.1:8080"
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if b.cookie != "" {
		r.Header.Set("Cookie", b.cookie)
	}
	if b.htmx {
		r.Header.Set("HX-Request", "true")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	b.api.ServeHTTP(w, r)
	return w
}

// has fails the test unless a page has a status and all words.
func has(t testing.TB, what string, status int, text string, want int, words ...string) {
	t.Helper()
	if status != want {
		t.Errorf("%s: status %d, want %d", what, status, want)
	}
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%s: no %q in\n%.3000s", what, word, text)
		}
	}
}

// All pages of a study can be seen, with and without htmx, and have the headers that guard them.
func TestPages(t *testing.T) {
	a := withPage(open(t, create(t, "lab.db"), Options{}), nil)
	b := &browser{t: t, api: a}
	has2 := func(path string, words ...string) {
		t.Helper()
		for _, b.htmx = range []bool{true, false} {
			status, text := b.get(path)
			has(t, path, status, text, http.StatusOK, words...)
			if whole := strings.Contains(text, "<!doctype html>"); whole == b.htmx {
				t.Errorf("%s for htmx %t: a whole page %t", path, b.htmx, whole)
			}
		}
	}
	has2("/", `href="/study/lab"`, "ready", "strings")
	has2("/study/lab", "6 trials", "ACACDE", "Download CSV")
	if _, text := b.get("/study/lab"); strings.Contains(text, "<dt>Search</dt>") {
		t.Error("a search that goes on has nothing to say")
	}
	has2("/study/lab/proposals", "nothing waits for a measurement", "Ask for")
	has2("/study/lab/trial/6", "W-6", "ACACDE", "Nearest measured relatives", "History", "Correct", "Strike")
	has2("/compare?study=lab", "Best score, or hypervolume, against calls")
	for _, path := range []string{"/", "/study/lab", "/study/lab/charts.json", "/compare.json?study=lab", "/sign-in", "/assets/page.js", "/study/nothing"} {
		header := b.answer(http.MethodGet, path, nil).Header()
		if policy := header.Get("Content-Security-Policy"); path != "/sign-in" && (strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'")) {
			t.Errorf("%s: policy %q", path, policy)
		}
	}
	for path, want := range map[string]string{"/study/lbb": `no study "lbb"; did you mean "lab"?`, "/study/lab/trial/99": "there is no trial 99", "/study/lab/trial/x": "there is no trial x", "/study/lab/figure/curve.svg": "no figure"} {
		status, text := b.get(path)
		has(t, path, status, strings.ToLower(text), http.StatusNotFound, strings.ToLower(want))
	}
	if status, _ := b.get("/assets/README.md"); status != http.StatusNotFound {
		t.Errorf("a file that is no asset: %d", status)
	}
}

// A build without a bundle says that it serves the API alone.
func TestAPIAlone(t *testing.T) {
	b := &browser{t: t, api: newAPI(open(t, create(t, "lab.db"), Options{}), nil, "test", DefaultLimits(), nil)}
	status, text := b.get("/")
	has(t, "/", status, text, http.StatusOK, APIAlone)
	status, text = b.get("/study/lab")
	has(t, "/study/lab", status, text, http.StatusNotFound, APIAlone)
}

var number = regexp.MustCompile(`id="(best|hypervolume|calls|scored|failed|noise|(?:compared|error|within1|within2)(?:-\d)?)"[^>]*(?:>\s*<data)?[^>]*value="([^"]*)"`)

// numbers returns the numbers of a page by their IDs.
func numbers(t testing.TB, text string) map[string]float64 {
	t.Helper()
	all := map[string]float64{}
	for _, m := range number.FindAllStringSubmatch(text, -1) {
		v, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			t.Errorf("%s is %q", m[1], m[2])
		}
		all[m[1]] = v
	}
	return all
}

// Page, API and command line say the same of a study.
func TestSameNumbers(t *testing.T) {
	path := create(t, "lab.db")
	s := open(t, path, Options{})
	a := withPage(s, nil)
	b := &browser{t: t, api: a, htmx: true}
	ask(t, s, 3, "")
	status, text := b.post("/study/lab/tell", "value.7.0", "2.5", "value.8.0", "failed: does not fold", "value.9.0", "1.5")
	has(t, "tell", status, text, http.StatusOK, "Measured", "Failed")
	status, text = b.post("/study/lab/trial/7/correct", "another.0", "2.25")
	has(t, "another", status, text, http.StatusOK, "Another measurement")

	_, page := b.get("/study/lab")
	shown := numbers(t, page)
	_, body := call(t, a, "GET", "/studies/lab", "")
	var told Status
	if err := json.Unmarshal([]byte(body), &told); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{
		"best": *told.Best.Score, "calls": float64(told.Calls), "scored": float64(told.Scored), "failed": float64(told.Failed), "noise": *told.Noise,
		"compared": float64(told.Predictions.Compared), "error": *told.Predictions.Error, "within1": float64(told.Predictions.Within1), "within2": float64(told.Predictions.Within2),
	}
	if !same(shown, want) {
		t.Errorf("the page says %v, and the API %v", shown, want)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	e, err := experiment.Open(t.Context(), path, experiment.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	printed := e.Status().String() // what invbo status prints
	short := func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
	for _, line := range []string{
		fmt.Sprintf("strings with a score %g, measurements %d, failed %g", shown["scored"], told.Measurements, shown["failed"]),
		"Best        " + short(shown["best"]), short(shown["noise"]) + " is the standard deviation",
		fmt.Sprintf("proposals measured %g: error %s", shown["compared"], short(shown["error"])), fmt.Sprintf("%g within one predicted sd", shown["within1"]),
	} {
		if !strings.Contains(printed, line) {
			t.Errorf("no %q in\n%s", line, printed)
		}
	}
}

// API and page count failures as invbo status does: what was struck, or taken back and never measured, did not fail.
func TestFailuresAreCountedAlike(t *testing.T) {
	s := open(t, create(t, "lab.db"), Options{})
	a := withPage(s, nil)
	b := &browser{t: t, api: a}
	trials := ask(t, s, 4, "")
	b.post("/study/lab/tell", fmt.Sprintf("failed.%d", trials[0]), "melted", fmt.Sprintf("failed.%d", trials[1]), "melted")
	b.post(fmt.Sprintf("/study/lab/trial/%d/strike", trials[1]), "measurement", "1", "reason.1", "wrong well")
	if _, err := s.studies["lab"].WithdrawAll(t.Context(), "no time"); err != nil {
		t.Fatal(err)
	}
	_, text := call(t, a, "GET", "/studies/lab", "")
	var now Status
	if err := json.Unmarshal([]byte(text), &now); err != nil || now.Failed != 1 || now.Struck != 1 || now.Withdrawn != 2 || now.Unreadable != 0 {
		t.Errorf("the API says %s", text)
	}
	status, text := b.get("/study/lab")
	has(t, "the page", status, text, http.StatusOK, `id="failed"><data value="1">`, "and 1 struck", "and 2 withdrawn", `<span class="state struck">struck</span>`, `<span class="state withdrawn">withdrawn</span>`)
	for state, want := range map[string][]int{"failed": trials[:1], "struck": trials[1:2], "withdrawn": trials[2:], "unreadable": {}} {
		_, text := b.get("/study/lab?sort=trial&state=" + state)
		if rows := rowsOf(text); !same(rows, want) {
			t.Errorf("%s are %v, want %v", state, rows, want)
		}
	}
	var c struct{ Failed []int }
	if _, text := b.get("/study/lab/charts.json"); json.Unmarshal([]byte(text), &c) != nil || !same(c.Failed, trials[:1]) {
		t.Errorf("the chart marks %v as failed", c.Failed)
	}
}

// rowsOf returns the trials that a table of the page shows, in its order.
func rowsOf(text string) (rows []string) {
	for _, m := range regexp.MustCompile(`<td class="n">(\d+)</td>\s*<th scope="row">`).FindAllStringSubmatch(text, -1) {
		rows = append(rows, m[1])
	}
	return rows
}

// One filter narrows table, charts, counts and download alike; what is wrong with a field is said, and the others hold.
func TestFilter(t *testing.T) {
	s := open(t, create(t, "lab.db"), Options{})
	a := withPage(s, nil)
	b := &browser{t: t, api: a, htmx: true}
	for _, test := range []struct{ query, want, problem string }{
		{"", "", ""},
		{"min=1", "", ""},
		{"q=w-3", "[3]", ""},
		{"q=DDEE", "[2]", ""},
		{"from=2&to=4", "", ""},
		{"state=pending", "[]", ""},
		{"kind=initial&state=scored", "", ""},
		{"kind=nothing", "", ""},
		{"batch=1-9", "[]", ""},
		{"batch=x", "", "Give one batch"},
		{"min=many", "", `"many" is no number`},
		{"min=6,250", "", `"6,250" may be 6.250 or 6250`},
		{"min=3&max=1", "", "It is less than the least."},
		{"sim=2", "", "Give a similarity from 0 to 1."},
		{"like=ACDEAC&sim=0.99", "[1]", ""},
		{"like=BBBBBB&sim=0.99", "[]", ""},
		{"q=%1b%5b2J", "[]", ""},
	} {
		status, text := b.get("/study/lab?" + test.query)
		has(t, test.query, status, text, http.StatusOK, test.problem)
		rows := rowsOf(text)
		if test.query != "" && test.want != "" && fmt.Sprint(rows) != test.want {
			t.Errorf("%s: rows %v, want %s", test.query, rows, test.want)
		}
		_, download := b.get("/study/lab/trials.csv?" + test.query)
		lines, err := csv.NewReader(strings.NewReader(download)).ReadAll()
		if err != nil || len(lines)-1 != len(rows) {
			t.Errorf("%s: %d rows of the download, %v; the table has %d", test.query, len(lines)-1, err, len(rows))
		}
		for i, row := range rows {
			if lines[i+1][0] != row {
				t.Errorf("%s: the download has trial %s in row %d, and the table %s", test.query, lines[i+1][0], i+1, row)
			}
		}
		var c struct{ Progress struct{ Trial []int } }
		if _, text := b.get("/study/lab/charts.json?" + test.query); json.Unmarshal([]byte(text), &c) != nil || len(c.Progress.Trial) != len(rows) {
			t.Errorf("%s: the chart has %v", test.query, c.Progress.Trial)
		}
	}
	_, text := b.get("/study/lab?sort=trial&desc=1")
	if rows := rowsOf(text); fmt.Sprint(rows) != "[6 5 4 3 2 1]" || !strings.Contains(text, `aria-sort="descending"`) {
		t.Errorf("sorted by trial, the last first: %v", rows)
	}
}

// Trials that violate a constraint are marked in the charts, and can be filtered, as can the outcome that it bounds.
func TestPageOfConstraints(t *testing.T) {
	front := experiment.RunSpec{Options: task.Options{Objectives: []study.Objective{{Name: "yield"}, {Name: "toxicity", Minimize: true}}}}
	for name, spec := range map[string]experiment.RunSpec{"one objective": {}, "two objectives": front} {
		spec.Constraints = []study.Constraint{{Outcome: "toxicity", Op: "<", Bound: 0.25}} // kept by the first three of six
		b := &browser{t: t, api: withPage(open(t, createWith(t, "lab.db", spec), Options{}), nil)}
		for query, want := range map[string]string{
			"":                                          "[1 2 3 4 5 6]",
			"&max.toxicity=0.15":                        "[1 2]",
			"&constraints=violated":                     "[4 5 6]",
			"&constraints=kept":                         "[1 2 3]",
			"&constraints=kept&constraints=violated":    "[1 2 3 4 5 6]",
			"&constraints=violated&max.toxicity=0.4":    "[4 5]",
			"&constraints=violated&min.toxicity=nought": "[4 5 6]",
		} {
			status, text := b.get("/study/lab?sort=trial" + query)
			has(t, name+query, status, text, http.StatusOK, `name="max.toxicity"`, `name="constraints" value="violated"`)
			if rows := rowsOf(text); fmt.Sprint(rows) != want {
				t.Errorf("%s, %s: rows %v, want %s", name, query, rows, want)
			}
		}
		type plot struct{ Aside []string }
		var c struct {
			Progress plot
			Front    plot
			Several  []struct{ Progress plot }
		}
		if _, text := b.get("/study/lab/charts.json"); json.Unmarshal([]byte(text), &c) != nil {
			t.Fatal(text)
		}
		plots := []plot{c.Progress}
		if len(spec.Objectives) > 0 {
			plots = append(plots, c.Front, c.Several[0].Progress, c.Several[2].Progress)
		}
		for i, p := range plots {
			marked := 0
			for _, why := range p.Aside {
				if strings.HasPrefix(why, "violates a constraint: toxicity = ") {
					marked++
				}
			}
			if len(p.Aside) != 6 || marked != 3 {
				t.Errorf("%s: plot %d marks %q", name, i, p.Aside)
			}
		}
		if _, text := b.get("/study/lab/charts.json?constraints=kept"); strings.Contains(text, "Aside") {
			t.Errorf("%s: what keeps the constraints is marked in %s", name, text)
		}
	}
	b := &browser{t: t, api: withPage(open(t, create(t, "lab.db"), Options{}), nil)}
	if _, text := b.get("/study/lab"); strings.Contains(text, `name="constraints"`) {
		t.Error("a study without constraints has a filter of them")
	}
}

// A measurement that is a bound is in the charts as one, and beside what is compared it is counted.
func TestPageOfBounds(t *testing.T) {
	front := experiment.RunSpec{Options: task.Options{Objectives: []study.Objective{{Name: "yield"}, {Name: "toxicity", Minimize: true}}}}
	for name, test := range map[string]struct {
		spec experiment.RunSpec
		told [2]string
	}{
		"one objective":  {experiment.RunSpec{}, [2]string{`"score": 0.4, "bound": "<"`, `"score": 2`}},
		"two objectives": {front, [2]string{`"others": {"yield": 1, "toxicity": 0.4}, "other_bounds": {"toxicity": "<"}`, `"others": {"yield": 2, "toxicity": 0.2}`}},
	} {
		s := open(t, createWith(t, "lab.db", test.spec), Options{})
		a := withPage(s, nil)
		b := &browser{t: t, api: a, htmx: true}
		for i, trial := range ask(t, s, 2, "") {
			if status, text := call(t, a, "POST", "/studies/lab/tell", fmt.Sprintf(`{"answers": [{"trial": %d, %s}]}`, trial, test.told[i])); status != http.StatusOK {
				t.Fatal(text)
			}
		}
		for _, query := range []string{"", "?from=2"} {
			status, text := b.get("/study/lab" + query)
			has(t, name, status, text, http.StatusOK, "; 1 bound, 0 beyond two predicted sd</dd>")
		}
		type plot struct {
			Trial []int
			Y     []float64
			Bound []int
		}
		type plots struct{ Progress, Predictions plot }
		var c struct {
			plots
			Several []plots
			Front   struct {
				Trial  []int
				Bounds [][]int
			}
		}
		if _, text := b.get("/study/lab/charts.json"); json.Unmarshal([]byte(text), &c) != nil {
			t.Fatal(text)
		}
		shown := c.plots
		if len(test.spec.Objectives) > 0 {
			shown = c.Several[2]
			if got := c.Front.Bounds[1][slices.Index(c.Front.Trial, 7)]; got != -1 {
				t.Errorf("the front has the bound %d of trial 7", got)
			}
		}
		if p := shown.Predictions; !same(p.Trial, []int{7, 8}) || p.Y[0] != 0.4 || !same(p.Bound, []int{-1, 0}) {
			t.Errorf("%s: predictions against measurements: %+v", name, p)
		}
		if p := shown.Progress; !same(p.Bound, []int{0, 0, 0, 0, 0, 0, -1, 0}) {
			t.Errorf("%s: trials in their order: %+v", name, p)
		}
	}
}

// What people send that is wrong is answered in its place, and nothing of it is stored.
func TestBadForms(t *testing.T) {
	s := open(t, create(t, "lab.db"), Options{})
	a := withPage(s, nil)
	b := &browser{t: t, api: a}
	ask(t, s, 3, "")
	long := strings.Repeat("x", 2000)
	for _, test := range []struct {
		what, path string
		fields     []string
		status     int
		words      []string
	}{
		{"nothing", "/study/lab/tell", nil, 422, []string{"Nothing is filled in."}},
		{"empty fields", "/study/lab/tell", []string{"value.7.0", " ", "failed.7", ""}, 422, []string{"Nothing is filled in."}},
		{"text", "/study/lab/tell", []string{"value.7.0", "high", "value.8.0", ""}, 422, []string{`value="high"`, `id="value.7.0-problem"`, `aria-invalid="true"`}},
		{"a unit", "/study/lab/tell", []string{"value.7.0", "5 parsecs"}, 422, []string{`value="5 parsecs"`, `id="value.7.0-problem"`}},
		{"a word for nothing", "/study/lab/tell", []string{"value.7.0", "n/a"}, 422, []string{"Leave it empty while it waits."}},
		{"a NUL", "/study/lab/tell", []string{"value.7.0", "5\x00", "value.8.0", "5\xff"}, 422, []string{`"5\x00" is not a number.`, `"5\xff" is not a number.`}},
		{"two numbers", "/study/lab/tell", []string{"value.7.0", "6,500"}, 422, []string{`"6,500" may be 6.500 or 6500`}},
		{"no unit", "/study/lab/tell", []string{"value.7.0", "5 nM"}, 422, []string{"the column has none"}},
		{"units alone", "/study/lab/tell", []string{"value.7.0", "nM", "value.8.0", "n.d."}, 422, []string{`id="value.7.0-problem"`, `id="value.8.0-problem"`}},
		{"a long reason", "/study/lab/tell", []string{"failed.7", long}, 422, []string{"A reason has at most 1000 characters, and this one has 2000.", long, `id="failed.7-problem"`}},
		{"a long failure", "/study/lab/tell", []string{"value.7.0", "failed: " + long}, 422, []string{"A reason has at most 1000 characters", long, `id="value.7.0-problem"`}},
		{"withdraw at length", "/study/lab/withdraw", []string{"trial", "7", "failed.7", long}, 422, []string{"A reason has at most 1000 characters", long, `id="failed.7-problem"`}},
		{"strike at length", "/study/lab/trial/1/strike", []string{"measurement", "1", "reason.1", long}, 422, []string{"A reason has at most 1000 characters", long, `id="reason.1-problem"`}},
		{"correct at length", "/study/lab/trial/1/correct", []string{"measurement", "1", "value.1.0", "failed: " + long}, 422, []string{"A reason has at most 1000 characters", long}},
		{"tell another at length", "/study/lab/trial/1/correct", []string{"another.0", "failed: " + long}, 422, []string{"A reason has at most 1000 characters", long}},
		{"too large", "/study/lab/tell", []string{"value.7.0", "1e200"}, 422, []string{`id="value.7.0-problem"`}},
		{"a script", "/study/lab/tell", []string{"value.7.0", "<script>alert(1)</script>"}, 422, []string{`id="value.7.0-problem"`}},
		{"no trial", "/study/lab/tell", []string{"value.99.0", "5"}, 422, []string{"There is no such trial."}},
		{"many", "/study/lab/ask", []string{"n", "many"}, 422, []string{"Give how many to ask for, from 1 to 1000."}},
		{"none", "/study/lab/ask", []string{"n", "0"}, 422, []string{"from 1 to 1000"}},
		{"withdraw nothing", "/study/lab/withdraw", []string{"trial", "x"}, 422, []string{"There is no such trial."}},
		{"withdraw a scored one", "/study/lab/withdraw", []string{"trial", "1"}, 409, []string{"It was told meanwhile"}},
		{"correct by text", "/study/lab/trial/1/correct", []string{"measurement", "1", "value.1.0", "good"}, 422, []string{`value="good"`, `id="value.1.0-problem"`}},
		{"correct by nothing", "/study/lab/trial/1/correct", []string{"measurement", "1", "value.1.0", ""}, 422, []string{"Give a value"}},
		{"correct what is not there", "/study/lab/trial/1/correct", []string{"measurement", "7", "value.7.0", "1"}, 422, []string{"has no measurement 7"}},
		{"strike without reason", "/study/lab/trial/1/strike", []string{"measurement", "1", "reason.1", " "}, 422, []string{"Give a reason"}},
		{"a long form", "/study/lab/tell", []string{"value.7.0", strings.Repeat(long, 600)}, 400, []string{"The form cannot be read."}},
	} {
		status, text := b.post(test.path, test.fields...)
		has(t, test.what, status, text, test.status, test.words...)
		if strings.Contains(b.answer(http.MethodPost, test.path, valuesOf(test.fields)).Body.String(), "<script>alert") {
			t.Errorf("%s: a script is not escaped", test.what)
		}
	}
	if now := s.studies["lab"].Experiment.Status(); now.Measurements != 6 || now.Failed != 0 || len(now.Waiting) != 3 {
		t.Errorf("forms that were refused changed the study: %+v", now)
	}
	// A long reason is short in the table, and whole in its title and on the page of the trial.
	reason := strings.TrimSpace(strings.Repeat("no clone ", 100))
	if status, text := b.post("/study/lab/withdraw", "trial", "9", "failed.9", reason); status != 200 || strings.Contains(text, reason) {
		t.Errorf("withdrawn: %d %.500s", status, text)
	}
	_, text := b.get("/study/lab")
	if n := strings.Count(text, reason); n != 2 || strings.Count(text, `title="`+reason) != 2 {
		t.Errorf("the results have the whole reason %d times", n)
	}
	status, text := b.get("/study/lab/trial/9")
	has(t, "the trial", status, text, 200, "<dd>"+reason+"</dd>")
	ask(t, s, 1, "")
	// One bad row keeps nothing else back, and is not lost.
	status, text = b.post("/study/lab/tell", "value.7.0", "1.5", "value.8.0", "much", "failed.10", "no clone")
	has(t, "one bad row", status, text, 422, `value="much"`, "Measured.", "Failed.")
	if now := s.studies["lab"].Experiment.Status(); now.Measurements != 7 || now.Failed != 2 || len(now.Waiting) != 1 {
		t.Errorf("after one bad row: %+v", now)
	}
}

func valuesOf(fields []string) url.Values {
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	return form
}

// Of two people with the same form one is told what the other did; nothing is lost, and nothing is stored twice.
func TestStaleForms(t *testing.T) {
	s := open(t, create(t, "lab.db"), Options{})
	a := withPage(s, nil)
	ask(t, s, 2, "")
	var people sync.WaitGroup
	texts := make([]string, 8)
	for i := range texts {
		people.Go(func() {
			b := &browser{t: t, api: a, htmx: true}
			_, texts[i] = b.post("/study/lab/tell", "value.7.0", strconv.Itoa(i%2+1))
		})
	}
	people.Wait()
	e := s.studies["lab"]
	trial := e.Page(6, 1)[0]
	if len(trial.Measurements) != 1 {
		t.Fatalf("%d measurements of one form sent by eight people", len(trial.Measurements))
	}
	stored := trial.Measurements[0].Score
	first, known, refused := 0, 0, 0
	for i, text := range texts {
		switch {
		case strings.Contains(text, "is not stored"):
			refused++
			if float64(i%2+1) == stored {
				t.Errorf("who told the stored value is refused: %s", text)
			}
		case strings.Contains(text, "Known already."):
			known++
		case strings.Contains(text, "Measured."):
			first++
		}
	}
	if first != 1 || known != 3 || refused != 4 {
		t.Errorf("measured %d, known already %d, refused %d", first, known, refused)
	}

	b := &browser{t: t, api: a, htmx: true}
	page := func() string { _, text := b.get("/study/lab/trial/7"); return text }
	was := regexp.MustCompile(`name="was" value="([^"]*)"`).FindStringSubmatch(page())[1]
	status, text := b.post("/study/lab/trial/7/correct", "measurement", "1", "was", was, "value.1.0", "5.5")
	has(t, "the first correction", status, text, 200, "Corrected.")
	status, text = b.post("/study/lab/trial/7/correct", "measurement", "1", "was", was, "value.1.0", "6.5")
	has(t, "a correction of what was corrected", status, text, 422, "It was changed meanwhile, to 5.5", `value="6.5"`)
	status, text = b.post("/study/lab/trial/7/strike", "measurement", "1", "was", was, "reason.1", "wrong well")
	has(t, "striking what was corrected", status, text, 422, "It was changed meanwhile", `value="wrong well"`)
	if got := e.Page(6, 1)[0].Score; got != 5.5 {
		t.Errorf("the score is %g", got)
	}
	has(t, "the history", 200, page(), 200, full(stored), "5.5")
	for _, test := range []struct{ reason, said string }{{"wrong well", "Struck."}, {"wrong plate", "It was changed meanwhile, to struck: wrong well."}} {
		_, text = b.post("/study/lab/trial/7/strike", "measurement", "1", "was", "5.5", "reason.1", test.reason)
		has(t, "striking twice", 200, text, 200, test.said)
	}
}

func full(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// potency makes the file of a study whose scores are made of a column in nM.
func potency(t testing.TB) string {
	t.Helper()
	var rows []table.Record
	for i, x := range []string{"ACDEAC", "DDEEAA", "CCCCCC", "EDCADE", "AAAACC", "ACACDE"} {
		rows = append(rows, table.Record{Line: i + 2, ID: fmt.Sprintf("W-%d", i+1), Input: x, State: table.Measured, Score: 6 + float64(i)/2})
	}
	p, err := experiment.RunSpec{Task: "strings"}.BuildMeasured(t.Context(), &table.Table{Records: rows})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "lab.db")
	columns := table.Columns{Input: "word", ID: "name", Score: "pIC50", From: []string{"IC50 (nM)"}, Scale: "pIC50", Unit: "nM"}
	e, err := experiment.Create(t.Context(), experiment.Place{File: path}, p, experiment.Options{Columns: experiment.Columns{Columns: columns}})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// A field is in the unit that it names, whatever the scores are: what it shows and what is told, corrected or carried
// to another field.
func TestPageOfAScale(t *testing.T) {
	s := open(t, potency(t), Options{})
	b := &browser{t: t, api: withPage(s, nil), htmx: true}
	ask(t, s, 2, "")
	score := func(trial int) string {
		now := s.studies["lab"].Page(trial-1, 1)[0]
		return now.Bound.String() + full(now.Score)
	}
	_, text := b.get("/study/lab/trial/3")
	has(t, "a trial", 200, text, 200, `id="value.1.0" value="100" aria-label="IC50 (nM)"`)
	was := regexp.MustCompile(`name="was" value="([^"]*)"`).FindStringSubmatch(text)[1]
	for _, test := range []struct {
		text   string
		status int
		said   string
		score  string
	}{
		{"100", 200, "Known already.", "7"},
		{"6 uM", 200, "Corrected.", full(5.22184874962)},
		{"<1", 200, "Corrected.", ">9"},
		{"0", 422, "0 has no logarithm.", ">9"},
		{"6,250", 422, `"6,250" may be 6.250 or 6250`, ">9"},
		{"6 mg", 422, "It is in mg, not nM.", ">9"},
		{"20", 200, "Corrected.", full(7.69897000434)},
		{"20", 200, "Known already.", full(7.69897000434)},
	} {
		status, text := b.post("/study/lab/trial/3/correct", "measurement", "1", "value.1.0", test.text)
		has(t, "a correction to "+test.text, status, text, test.status, test.said)
		if got := score(3); got != test.score {
			t.Errorf("corrected to %s the score is %s, want %s", test.text, got, test.score)
		}
	}
	status, text := b.post("/study/lab/trial/3/correct", "measurement", "1", "was", was, "value.1.0", "30")
	has(t, "a correction of what was corrected", status, text, 422, "It was changed meanwhile, to pIC50 7.69897000434.", `value="30"`)
	status, text = b.post("/study/lab/trial/3/correct", "another.0", "0.2 uM")
	has(t, "another measurement", status, text, 200, "Another measurement.", `value="200"`)
	status, text = b.post("/study/lab/trial/3/correct", "another.0", "0.2 uM")
	has(t, "an equal one", status, text, 200, "Known already. An equal value counts as another measurement only in a table that is told, with a row for each measurement.")
	status, text = b.post("/study/lab/trial/3/correct", "another.0", "0.1 uM")
	has(t, "what was corrected", status, text, 200, "Known already (corrected or struck since). Its score is 7.699 now.")

	if status, text := b.post("/study/lab/tell", "value.7.0", "1234.5"); status != 200 {
		t.Fatal(text)
	}
	// A value says nothing of its standard error, which stays, and what is hardly meant is said.
	if _, err := s.studies["lab"].Correct(t.Context(), 1, 1, table.Record{State: table.Measured, Score: 7, SE: 0.25}); err != nil {
		t.Fatal(err)
	}
	status, text = b.post("/study/lab/trial/1/correct", "measurement", "1", "value.1.0", "20")
	has(t, "a correction of a value with an error", status, text, 200, "Corrected.", "± 0.25")
	status, text = b.post("/study/lab/trial/1/correct", "measurement", "1", "value.1.0", "1e-11")
	has(t, "a correction to no concentration", status, text, 200, "Corrected. A pIC50 of 20 is that of no concentration")
	status, text = b.post("/study/lab/tell", "value.8.0", "1e-11")
	has(t, "no concentration", status, text, 200, "Measured. A pIC50 of 20 is that of no concentration")
	for _, typed := range []string{"<1", "6 uM", "inf", "n.d.", "1/2", "5\x00", "failed: lost"} {
		status, text := b.post("/study/lab/tell", "value.7.0", typed)
		has(t, "a stale form with "+typed, status, text, 422, "It was told meanwhile (pIC50 5.90850890573). Yours ("+usage.Visible(typed)+") is not stored", "?another.0="+url.QueryEscape(typed))
		status, text = b.get("/study/lab/trial/7?another.0=" + url.QueryEscape(typed))
		has(t, "the trial", status, text, 200, `id="another.0" value="`+strings.ReplaceAll(typed, "\x00", "\uFFFD")+`"`)
	}
}

// A measurement keeps what a correction says nothing of: its bound, its standard error, and the digits that a field
// does not show.
func TestCorrectionOfAPart(t *testing.T) {
	spec := experiment.RunSpec{}
	spec.Constraints = []study.Constraint{{Outcome: "toxicity", Op: "<=", Bound: 1}}
	s := open(t, createWith(t, "lab.db", spec), Options{})
	e := s.studies["lab"]
	b := &browser{t: t, api: withPage(s, nil), htmx: true}
	row := table.Record{Input: "ACDEAC", State: table.Measured, Score: 2.5, Bound: 1, SE: 0.25, Others: map[string]float64{"toxicity": 0}}
	if _, err := e.Correct(t.Context(), 1, 1, row); err != nil {
		t.Fatal(err)
	}
	status, text := b.post("/study/lab/trial/1/correct", "measurement", "1", "value.1.0", ">2.5", "value.1.1", "0.5")
	has(t, "a correction of the toxicity", status, text, 200, "Corrected.")
	if m := e.Page(0, 1)[0].Measurements[0]; m.Score != 2.5 || m.Bound != 1 || m.SE != 0.25 || m.Others["toxicity"] != 0.5 {
		t.Errorf("now it is %+v", m)
	}
	status, text = b.get("/study/lab?sort=o.toxicity")
	has(t, "the table", status, text, 200, `aria-sort="ascending"`, ">toxicity</a>", `<data value="0.5">0.5</data>`)
	status, text = b.post("/study/lab/trial/1/correct", "measurement", "1", "value.1.0", "3", "value.1.1", ">1")
	has(t, "a bound of the toxicity", status, text, 200, "Corrected.", "<dt>toxicity</dt><dd>>1</dd>")
}

// Several objectives: fields for each, a front in the charts, parts that wait for the rest, and ranges of objectives in
// the filter.
func TestPageOfFront(t *testing.T) {
	spec := experiment.RunSpec{Options: task.Options{Objectives: []study.Objective{{Name: "yield"}, {Name: "toxicity", Minimize: true}}}}
	s := open(t, createWith(t, "lab.db", spec), Options{})
	e := s.studies["lab"]
	a := withPage(s, nil)
	b := &browser{t: t, api: a, htmx: true}
	ask(t, s, 2, "")
	status, text := b.get("/study/lab/proposals")
	has(t, "proposals", status, text, 200, `name="value.7.0"`, `name="value.7.1"`, "front chance")
	status, text = b.post("/study/lab/tell", "value.7.0", "2")
	has(t, "a part", status, text, 200, "Kept until the rest is told.", `placeholder="2"`)
	status, text = b.post("/study/lab/tell", "value.7.1", "0.1")
	has(t, "the rest", status, text, 200, "Measured.")
	status, text = b.post("/study/lab/tell", "value.7.0", "0", "value.7.1", ">1.50")
	has(t, "two outcomes of what was told", status, text, 422, "Yours (yield 0, toxicity >1.50) is not stored", "?another.0=0&another.1=%3E1.50")
	status, text = b.get("/study/lab/trial/7?another.0=0&another.1=%3E1.50")
	has(t, "the trial", status, text, 200, `id="another.0" value="0"`, `id="another.1" value=">1.50"`)
	status, text = b.get("/study/lab?max.toxicity=0.15")
	has(t, "the filter", status, text, 200, "3 of 8 match", "Hypervolume")
	status, text = b.get("/study/lab?sort=p.toxicity&desc=1")
	has(t, "predictions", status, text, 200, ">Predicted yield</a>", ">Predicted toxicity</a>", `aria-sort="descending"`)
	proposals := e.Page(6, 2)
	higher, lower := proposals[0], proposals[1]
	if higher.Forecast.Mean[1] < lower.Forecast.Mean[1] {
		higher, lower = lower, higher
	}
	if rows := rowsOf(text); rows[0] != strconv.Itoa(higher.ID) || rows[1] != strconv.Itoa(lower.ID) {
		t.Errorf("by predicted toxicity: trials %v, want %d and %d first", rows, higher.ID, lower.ID)
	}
	var c struct {
		Front struct {
			Trial  []int
			Member []bool
		}
		Several []struct {
			Score string
			Best  struct{ Y []float64 }

			Predictions struct{ X, Y, SD []float64 }
		}
	}
	if _, text := b.get("/study/lab/charts.json"); json.Unmarshal([]byte(text), &c) != nil || len(c.Front.Trial) != 7 {
		t.Errorf("the front is %+v", c.Front)
	}
	if all := c.Several; len(all) != 3 || all[0].Score != "hypervolume" || all[1].Score != "yield" || all[2].Score != "toxicity" {
		t.Fatalf("series %+v", all)
	}
	for j, last := range []float64{0, 2, 0} { // of the yield, and of the toxicity, the lower the better
		best := c.Several[j].Best.Y
		if sorted := slices.IsSorted(best); len(best) == 0 || sorted != (j < 2) && len(best) > 2 || j > 0 && best[len(best)-1] != last {
			t.Errorf("the best %s so far is %v, want %g at the end", c.Several[j].Score, best, last)
		}
		if n := len(c.Several[j].Predictions.SD); n != min(j, 1) {
			t.Errorf("of %s %d predictions are compared", c.Several[j].Score, n)
		}
	}
	_, body := call(t, a, "GET", "/studies/lab", "")
	var told Status
	if err := json.Unmarshal([]byte(body), &told); err != nil {
		t.Fatal(err)
	}
	_, text = b.get("/study/lab")
	status, whole := (&browser{t: t, api: a}).get("/study/lab")
	has(t, "the choices", status, whole, 200, `<option value="0">hypervolume</option><option value="1">yield</option><option value="2">toxicity</option>`, "Predicted yield")
	if best := c.Several[0].Best.Y; best[len(best)-1] != *told.Front.Hypervolume {
		t.Errorf("the curve ends at %g, and the API says %g", best[len(best)-1], *told.Front.Hypervolume)
	}
	_, compared := b.get("/compare?study=lab")
	if !strings.Contains(compared, "hypervolume of yield, toxicity <small>above yield ") || !strings.Contains(compared, fmt.Sprintf(`<data value="%v">`, *told.Front.Hypervolume)) {
		t.Errorf("the comparison has another hypervolume: %s", compared)
	}
	if shown := numbers(t, text)["hypervolume"]; shown != *told.Front.Hypervolume {
		t.Errorf("the page says a hypervolume of %g, and the API %g", shown, *told.Front.Hypervolume)
	}
	for j, p := range told.Front.Predictions {
		if shown := numbers(t, text)[fmt.Sprint("error-", j)]; p.Compared != 1 || shown != *p.Error {
			t.Errorf("of objective %d the page says an error of %g, and the API %+v", j, shown, p)
		}
	}
}

// Several objectives have no score: a trial shows each of them, with its prediction, and the API names the first one.
func TestPageOfSeveralHasNoScore(t *testing.T) {
	spec := experiment.RunSpec{Options: task.Options{Objectives: []study.Objective{{Name: "yield"}, {Name: "toxicity", Minimize: true}}}}
	spec.Constraints = []study.Constraint{{Outcome: "toxicity", Op: "<", Bound: 2}}
	a := withPage(open(t, createWith(t, "lab.db", spec), Options{}), nil)
	b := &browser{t: t, api: a}
	var asked AskResponse
	_, text := call(t, a, "POST", "/studies/lab/ask", "")
	if err := json.Unmarshal([]byte(text), &asked); err != nil || asked.Score != "yield" || asked.Proposals[0].Forecast == nil {
		t.Fatal(text)
	}
	b.post("/study/lab/tell", "value.7.0", ">2", "value.7.1", "0.1")
	f := asked.Proposals[0].Forecast
	within := func(j int) string {
		return strconv.FormatFloat(f.Mean[j], 'g', 4, 64) + " ± " + strconv.FormatFloat(f.SD[j], 'g', 4, 64)
	}
	status, text := b.get("/study/lab/trial/7")
	has(t, "the trial", status, text, http.StatusOK, "<dt>yield</dt><dd>>2</dd>", "<dt>toxicity</dt><dd>0.1</dd>",
		"<dt>Predicted yield</dt><dd>"+within(0)+"</dd>", "<dt>Predicted toxicity</dt><dd>"+within(1)+"</dd>", "<dt>Predicted chance of the constraints</dt>", "<dt>Predicted chance of the front</dt>",
		`<th scope="col" class="n">Number</th><th scope="col" class="n">yield</th><th scope="col" class="n">toxicity</th>`,
		`<th scope="col" class="n">Similarity</th><th scope="col" class="n">yield</th><th scope="col" class="n">toxicity</th>`,
		`<td class="stored">toxicity 0.1, yield >2</td>`)
	for _, path := range []string{"/study/lab/trial/7", "/study/lab", "/study/lab/proposals"} {
		_, text := b.get(path)
		if found := regexp.MustCompile(`(?i)>[^<>]*\b(score|made_score|activity)\b[^<>]*<`).FindString(text); found != "" {
			t.Errorf("%s has %q", path, found)
		}
	}
	status, text = b.post("/study/lab/tell", "value.7.0", "1", "value.7.1", "0.1")
	has(t, "a stale form", status, text, http.StatusUnprocessableEntity, "It was told meanwhile (yield >2, toxicity 0.1).")
}

// A bounded outcome has its prediction beside that of the score, which is named.
func TestTrialHasAllPredictions(t *testing.T) {
	spec := experiment.RunSpec{}
	spec.Constraints = []study.Constraint{{Outcome: "toxicity", Op: "<", Bound: 0.25}}
	s := open(t, createWith(t, "lab.db", spec), Options{})
	b := &browser{t: t, api: withPage(s, nil)}
	ask(t, s, 1, "")
	status, text := b.get("/study/lab/trial/7")
	has(t, "the trial", status, text, http.StatusOK, "<dt>Predicted activity</dt>", "<dt>Predicted toxicity</dt>", "<dt>Predicted chance of the constraints</dt>")
}

// Variants of a wild type have their sequence beside their mutations, wherever a table lists them.
func TestPageOfVariants(t *testing.T) {
	spec := experiment.RunSpec{Task: "strings"}
	spec.WildType = "MKTAYIAKQR"
	var rows []table.Record
	for i, x := range []string{"MKTAYIAKQR", "MRTAYIAKQR", "MKSAYIAKQR", "MKTVYIAKQR", "MKTAYLAKQR"} {
		rows = append(rows, table.Record{Line: i + 2, Input: x, State: table.Measured, Score: float64(i * i)})
	}
	p, err := spec.BuildMeasured(t.Context(), &table.Table{Records: rows})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "lab.db")
	e, err := experiment.Create(t.Context(), experiment.Place{File: path}, p, experiment.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, path, Options{})
	b := &browser{t: t, api: withPage(s, nil)}
	trial := s.studies["lab"].trial(ask(t, s, 1, "")[0])
	letters := fmt.Sprintf(`<code class="string" title="%s">%s</code>`, trial.Input, trial.Input)
	status, text := b.get("/study/lab/proposals")
	has(t, "proposals", status, text, http.StatusOK, `<td class="what">`+letters+`</td>`, `<td class="cell">`+trial.Mutant+`</td>`)
	status, text = b.get("/study/lab")
	has(t, "results", status, text, http.StatusOK, `<span class="mutant">`+trial.Mutant+`</span>`+letters, `<span class="mutant">K2R</span><code class="string" title="MRTAYIAKQR">`)
	status, text = b.get("/study/lab/trial/1")
	has(t, "relatives", status, text, http.StatusOK, `<span class="mutant">K2R</span><code class="string" title="MRTAYIAKQR">`)
}

// Of a string that is known in part, the page offers what is known to be corrected, and takes the rest.
func TestPageOfAPart(t *testing.T) {
	spec := experiment.RunSpec{Options: task.Options{Objectives: []study.Objective{{Name: "yield"}, {Name: "toxicity", Minimize: true}}}}
	s := open(t, createWith(t, "lab.db", spec), Options{})
	a := withPage(s, nil)
	b := &browser{t: t, api: a, htmx: true}
	for _, answer := range []string{`{"input": "CACACA", "others": {"toxicity": 0.5}}`, `{"input": "CACACE", "others": {"yield": 0.25}}`} {
		if status, text := call(t, a, "POST", "/studies/lab/tell", `{"answers": [`+answer+`]}`); status != http.StatusOK {
			t.Fatal(text)
		}
	}
	status, text := b.get("/study/lab?state=partial")
	has(t, "the filter", status, text, http.StatusOK, "1 of 8 match", `id="partial"><data value="1">`)
	status, text = b.get("/study/lab/trial/7")
	has(t, "the trial", status, text, http.StatusOK, "The rest:", `name="value.1.0" id="value.1.0" value=""`, `name="value.1.1" id="value.1.1" value="0.5"`)
	status, text = b.get("/study/lab/trial/8")
	has(t, "another trial", status, text, http.StatusOK, "Another measurement:", `name="value.1.0" id="value.1.0" value="0.25"`, `name="value.1.1" id="value.1.1" value=""`)
	status, text = b.post("/study/lab/trial/7/correct", "measurement", "1", "was", "a part, toxicity 0.5", "value.1.0", "", "value.1.1", "0.75")
	has(t, "a correction", status, text, http.StatusOK, "Corrected.", "a part, toxicity 0.75")
	status, text = b.post("/study/lab/trial/7/correct", "another.0", "2.5")
	has(t, "the rest", status, text, http.StatusOK, "Measured.", "scored")
	if got := s.studies["lab"].Page(6, 1)[0]; got.Score != 2.5 || got.Outcome("toxicity") != 0.75 || len(got.Measurements) != 1 {
		t.Errorf("trial %+v", got)
	}
}

// Names, reasons and strings are text, whatever is in them, on the page and in what is downloaded.
func TestPageEscapes(t *testing.T) {
	const evil = `=cmd|' /C calc'!A0<img src=x onerror=alert(1)>`
	s := open(t, create(t, "lab.db"), Options{})
	a := withPage(s, nil)
	b := &browser{t: t, api: a}
	ask(t, s, 1, "")
	b.post("/study/lab/tell", "failed.7", evil+"\x1b[2J")
	body, err := json.Marshal(map[string]any{"answers": []any{map[string]any{"input": "AACC", "name": evil, "score": 1}}})
	if err != nil {
		t.Fatal(err)
	}
	if status, text := call(t, a, "POST", "/studies/lab/tell", string(body)); status != 200 {
		t.Fatal(text)
	}
	for _, path := range []string{"/", "/study/lab", "/study/lab/trial/7", "/study/lab/trial/8", "/study/lab/proposals", "/study/lab?q=" + url.QueryEscape(evil), "/study/lab?min=" + url.QueryEscape(evil), "/study/" + url.PathEscape(evil)} {
		text := b.answer(http.MethodGet, path, nil).Body.String()
		if strings.Contains(text, "<img src=x") || strings.Contains(text, "\x1b") {
			t.Errorf("%s: not escaped:\n%s", path, text)
		}
	}
	_, text := b.get("/study/lab/trials.csv")
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		for _, cell := range line {
			if strings.HasPrefix(cell, "=") || strings.Contains(cell, "\x1b") {
				t.Errorf("a formula or an escape in the download: %q", cell)
			}
		}
	}
}

// People sign in with a token; what they may do is what its holder may, and ends with it.
func TestSignIn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	given := map[string]string{}
	for i, name := range []string{"ann", "bob", "eve"} {
		var err error
		if given[name], err = AddToken(path, name, Role(i+1)); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	tokens, err := OpenTokens(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, create(t, "lab.db"), Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	a := withPage(s, tokens)
	ask(t, s, 2, "")
	nobody := &browser{t: t, api: a}
	if w := nobody.answer(http.MethodGet, "/study/lab?q=x", nil); w.Code != 303 || w.Header().Get("Location") != "/sign-in?next=%2Fstudy%2Flab%3Fq%3Dx" {
		t.Errorf("a page without a token: %d, to %s", w.Code, w.Header().Get("Location"))
	}
	for _, path := range []string{"/live", "/drawing?smiles=C", "/compare.json", "/study/lab/charts.json", "/study/lab/trials.csv"} {
		if status, text := nobody.get(path); status != 303 || strings.Contains(text, "ACDEAC") {
			t.Errorf("%s without a token: %d", path, status)
		}
	}
	if status, text := nobody.post("/study/lab/tell", "value.7.0", "1"); status != 401 || !strings.Contains(text, "nothing was stored") {
		t.Errorf("a form without a token: %d %s", status, text)
	}
	nobody.htmx = true
	if w := nobody.answer(http.MethodGet, "/study/lab", nil); w.Code != 401 || w.Header().Get("HX-Redirect") != "/sign-in" {
		t.Errorf("htmx without a token: %d, %v", w.Code, w.Header())
	}
	nobody.htmx = false
	status, text := nobody.post("/sign-in", "token", "nothing", "next", "/study/lab")
	has(t, "a wrong token", status, text, 401, "This is no token of the server.", `value="/study/lab"`)

	people := map[string]*browser{}
	for name, token := range given {
		w := nobody.answer(http.MethodPost, "/sign-in", url.Values{"token": {token}, "next": {"/study/lab"}})
		cookie := w.Header().Get("Set-Cookie")
		if w.Code != 303 || w.Header().Get("Location") != "/study/lab" || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") || strings.Contains(cookie, "Secure") || strings.Contains(cookie, token) {
			t.Errorf("%s signs in: %d, %s", name, w.Code, cookie)
		}
		cookie, _, _ = strings.Cut(cookie, ";")
		people[name] = &browser{t: t, api: a, cookie: cookie}
	}
	for next, want := range map[string]string{"//evil.example.org": "/", "https://evil.example.org": "/", `/\evil.example.org`: "/", "study": "/", "/study/lab?q=1": "/study/lab?q=1"} {
		if w := nobody.answer(http.MethodPost, "/sign-in", url.Values{"token": {given["ann"]}, "next": {next}}); w.Header().Get("Location") != want {
			t.Errorf("next %s leads to %s", next, w.Header().Get("Location"))
		}
	}
	forms := []struct {
		path   string
		fields []string
		want   map[string]int
	}{
		{"/study/lab/ask", []string{"n", "1"}, map[string]int{"ann": 403, "bob": 303, "eve": 303}},
		{"/study/lab/trial/1/correct", []string{"measurement", "1", "value.1.0", "7"}, map[string]int{"ann": 403, "bob": 403, "eve": 303}},
		{"/study/lab/trial/1/strike", []string{"measurement", "1", "reason.1", "wrong"}, map[string]int{"ann": 403, "bob": 403, "eve": 303}},
		{"/study/lab/tell", []string{"value.7.0", "3"}, map[string]int{"ann": 403, "bob": 200, "eve": 200}},
		{"/study/lab/withdraw", []string{"trial", "8"}, map[string]int{"ann": 403, "bob": 200, "eve": 200}},
	}
	for _, name := range []string{"ann", "bob", "eve"} {
		for _, f := range forms {
			if status, text := people[name].post(f.path, f.fields...); status != f.want[name] {
				t.Errorf("%s, %s: %d, want %d: %.500s", name, f.path, status, f.want[name], text)
			}
		}
	}
	status, text = people["ann"].get("/study/lab/proposals")
	has(t, "ann", status, text, 200, "ann (read only)")
	_, trial := people["ann"].get("/study/lab/trial/1")
	if strings.Contains(text, `action="/study`) || strings.Contains(trial, `action="/study`) {
		t.Error("who may only look sees forms")
	}
	for _, header := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example.org"}} {
		if status, text := people["bob"].request(http.MethodPost, "/study/lab/ask", url.Values{"n": {"1"}}, header...); status != 403 || !strings.Contains(text, "another web site") {
			t.Errorf("from another site, %v: %d", header, status)
		}
	}
	status, text = nobody.request(http.MethodGet, "/study/lab", nil, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Dest", "document")
	has(t, "a link from another site", status, text, 200, `content="0;url=/study/lab"`)
	if err := RevokeToken(path, "bob"); err != nil {
		t.Fatal(err)
	}
	if status, _ := people["bob"].get("/study/lab"); status != 303 {
		t.Errorf("after his token was revoked bob gets %d", status)
	}
	people["eve"].post("/sign-out")
	if status, _ := people["eve"].get("/study/lab"); status != 303 {
		t.Errorf("signed out eve gets %d", status)
	}
	if status, _ := call(t, a, "GET", "/studies", "", "Cookie", people["ann"].cookie); status != 401 {
		t.Errorf("the API takes the page's cookie: %d", status)
	}
	for name, token := range given {
		if strings.Contains(log.String(), token) {
			t.Errorf("the log has the token of %s", name)
		}
	}
}

// Over TLS the cookie is never sent without it.
func TestSessionOverTLS(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "https://lab.example.org/sign-in", nil) // which sets TLS
	w := httptest.NewRecorder()
	if !newSessions(time.Now).begin(w, r, secret) || !strings.Contains(w.Header().Get("Set-Cookie"), "Secure") {
		t.Errorf("the cookie is %s", w.Header().Get("Set-Cookie"))
	}
}

// Studies that differ only by their seeds are one curve, with a standard error.
func TestComparison(t *testing.T) {
	var paths []string
	for seed, name := range []string{"a.db", "b.db", "c.db"} {
		spec := experiment.RunSpec{Seed: uint64(seed)}
		spec.Minimize = name == "c.db" // it differs otherwise, too
		paths = append(paths, createWith(t, name, spec))
	}
	s, _, err := Open(t.Context(), paths, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	b := &browser{t: t, api: withPage(s, nil)}
	status, text := b.get("/compare?study=a&study=b&study=c")
	has(t, "the comparison", status, text, 200, "a and 1 more", `href="/study/b"`, `href="/study/c"`, "These studies measure different scores")
	var c struct {
		Names       []string
		Mean, Error [][]*float64
	}
	if _, text := b.get("/compare.json?study=a&study=b&study=c"); json.Unmarshal([]byte(text), &c) != nil || len(c.Names) != 2 || c.Error[0][0] == nil || *c.Error[0][0] != 0 || c.Error[1][0] != nil || *c.Mean[0][0] != 2 {
		t.Errorf("curves %+v", c)
	}
	status, text = b.get("/")
	has(t, "the list", status, text, 200, `href="/study/a"`, `href="/study/b"`, `href="/study/c"`, "just now")
}

// A page that follows a study hears of what others do, and streams are counted with those of the API.
func TestPageFollows(t *testing.T) {
	s := open(t, create(t, "lab.db"), Options{})
	limits := DefaultLimits()
	limits.PerClient = 1
	a := newAPI(s, nil, "test", limits, bundle)
	base, stop := listen(t, a)
	response, err := http.Get(base + "/live?study=lab")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if kind := response.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("the stream is %s", kind)
	}
	events := make(chan string)
	go func() {
		defer close(events)
		part := make([]byte, 1000)
		for {
			n, err := response.Body.Read(part)
			if n > 0 {
				events <- string(part[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	next := func(want string) {
		t.Helper()
		select {
		case text := <-events:
			if !strings.Contains(text, want) {
				t.Errorf("the stream says %q, want %q", text, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("the stream does not say %q", want)
		}
	}
	next("event: hello")
	if second, err := http.Get(base + "/live"); err != nil || second.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a second stream: %v, %v", second.Status, err)
	} else {
		second.Body.Close()
	}
	if _, err := post[TellResponse](base+"/studies/lab/tell", `{"answers": [{"input": "AACC", "score": 2}]}`); err != nil {
		t.Fatal(err)
	}
	next("event: changed")
	if err := stop(); err != nil {
		t.Errorf("the server ends: %v", err)
	}
}
