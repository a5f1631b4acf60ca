package serve

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/invbo/invbo/internal/usage"
)

// listen serves an API on a port of this machine until stop is called, or the test ends. stop returns the error of Serve.
func listen(t *testing.T, a *API, certificates ...tls.Certificate) (base string, stop func() error) {
	t.Helper()
	l, err := Listen("127.0.0.1:0", nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- a.Serve(ctx, l, certificates...)
		close(ended)
	}()
	stop = func() error {
		cancel()
		return <-ended
	}
	t.Cleanup(func() { stop() })
	return "http://" + l.Addr().String(), stop
}

// post makes a request whose status must be 200.
func post[T any](url, body string) (r T, err error) {
	response, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		return r, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, text)
	}
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(text, &r)
}

const secret = "a-token-of-twenty-signs"

func TestToken(t *testing.T) {
	a := NewAPI(inMemory(t, &counter{}, 9), oneToken(secret), "test", DefaultLimits())
	for _, path := range []string{"/studies", "/studies/lab", "/studies/lab/events", "/openapi.json", "/nothing"} {
		for _, header := range []string{"", secret, "Bearer", "Bearer ", "Bearer " + secret[1:], "Bearer " + secret + "x", "Basic " + secret, "bearer  " + secret} {
			if status, text := call(t, a, "GET", path, "", "Authorization", header); status != 401 || strings.Contains(text, secret) {
				t.Errorf("%s with %q: %d %s", path, header, status, text)
			}
		}
	}
	for _, scheme := range []string{"Bearer ", "bearer "} { // from any host
		if status, text := call(t, a, "GET", "/studies/lab", "", "Authorization", scheme+secret, "Host", "lab.example.org"); status != 200 {
			t.Errorf("with the token: %d %s", status, text)
		}
	}
}

// Without a token a web page in a browser of this machine gets nothing.
func TestLoopbackOnly(t *testing.T) {
	s := inMemory(t, &counter{}, 9)
	a := api(s)
	for host, want := range map[string]int{
		"localhost": 200, "LOCALHOST:8080": 200, "127.0.0.1:8080": 200, "127.1.2.3": 200, "[::1]:8080": 200, "[::1]": 200,
		"evil.example.org": 403, "evil.example.org:8080": 403, "localhost.evil.example.org": 403, "192.168.1.2": 403, "127.0.0.1.evil.org": 403, "": 403, "::": 403, "[": 403,
	} {
		if status, _ := call(t, a, "GET", "/studies", "", "Host", host); status != want {
			t.Errorf("as %q: %d, want %d", host, status, want)
		}
	}
	for _, header := range [][]string{{"Origin", "https://evil.example.org"}, {"Sec-Fetch-Site", "cross-site"}} {
		if status, text := call(t, a, "POST", "/studies/lab/ask", "{}", header...); status != 403 || !strings.Contains(text, "another web site") {
			t.Errorf("%v: %d %s", header, status, text)
		}
	}
	if got := s.studies["lab"].Study.Status(); got.Pending > 0 {
		t.Errorf("%d proposals were made", got.Pending)
	}
	for _, address := range []string{"0.0.0.0:0", ":0"} {
		if _, err := Listen(address, nil); !usage.Is(err) || !strings.Contains(err.Error(), "needs a token") {
			t.Errorf("%s without a token: %v", address, err)
		}
		l, err := Listen(address, oneToken(secret))
		if err != nil {
			t.Fatalf("%s with a token: %v", address, err)
		}
		l.Close()
	}
	if _, err := Listen("nowhere:what", nil); !usage.Is(err) {
		t.Errorf("an address that is none: %v", err)
	}
}

func TestTokenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	if err := WriteToken(path); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(path)
	if err != nil || len(first) < 2*shortestToken {
		t.Fatalf("%q, %v", first, err)
	}
	tokens, err := OpenTokens(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := tokens.find(strings.TrimSpace(string(first))); !ok || c.Name != "default" || c.Role != Admin {
		t.Errorf("its token is that of %+v, %t", c, ok)
	}
	if err := WriteToken(path); !usage.Is(err) || !strings.Contains(err.Error(), "file exists") && runtime.GOOS != "windows" {
		t.Errorf("over another: %v", err)
	}
	if again, err := os.ReadFile(path); err != nil || string(again) != string(first) {
		t.Errorf("then it is %q, %v", again, err)
	}
	if runtime.GOOS != "windows" {
		for _, mode := range []os.FileMode{0o644, 0o640, 0o602, 0o610} {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
			if _, err := OpenTokens(path, nil); !usage.Is(err) || !strings.HasSuffix(err.Error(), "run: chmod 600 "+path) {
				t.Errorf("mode %o: %v", mode, err)
			}
		}
		os.Chmod(path, 0o600)
	}
	for _, text := range []string{"", "# none\n", "short", strings.Repeat("x", longestToken+1), "two words in it is no token", "a token\nof several lines", "tökentökentökentöken",
		"ann tell sha256:abc", "ann boss " + secret, "ann tell", "an/n tell " + secret, "ann tell " + secret + "\nann read " + secret + "x", strings.Repeat("# \n", longestFile/2)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenTokens(path, nil); !usage.Is(err) || strings.Contains(err.Error(), secret) || len(text) > 4 && len(text) < 40 && strings.Contains(err.Error(), text) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	if _, err := OpenTokens(path+"s", nil); !usage.Is(err) || !strings.Contains(err.Error(), "invbo serve token "+path+"s") {
		t.Errorf("of no file: %v", err)
	}
}

// Tokens have names and roles, and are added and revoked while the server runs.
func TestTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	given := map[string]string{}
	for i, name := range []string{"ann", "bob", "eve"} {
		token, err := AddToken(path, name, Role(i+1))
		if err != nil {
			t.Fatal(err)
		}
		given[name] = token
	}
	if text, err := os.ReadFile(path); err != nil || strings.Contains(string(text), given["ann"]) || strings.Count(string(text), "\n") != 3 {
		t.Errorf("the file holds %q, %v", text, err)
	}
	if _, err := AddToken(path, "ann", Read); !usage.Is(err) || !strings.Contains(err.Error(), "revoke it first") {
		t.Errorf("a second ann: %v", err)
	}
	if _, err := AddToken(path, "an n", Read); !usage.Is(err) {
		t.Errorf("a name of two words: %v", err)
	}
	tokens, err := OpenTokens(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := inMemory(t, &counter{}, 99)
	a := NewAPI(s, tokens, "test", DefaultLimits())
	ask(t, s, 2, "")
	as := func(name, method, path, body string) int {
		t.Helper()
		status, _ := call(t, a, method, path, body, "Authorization", "Bearer "+given[name], "Content-Type", "application/json")
		return status
	}
	for _, test := range []struct {
		method, path, body string
		want               [3]int // of ann, bob and eve
	}{
		{"GET", "/studies", "", [3]int{200, 200, 200}},
		{"GET", "/studies/lab/trials", "", [3]int{200, 200, 200}},
		{"GET", "/metrics", "", [3]int{200, 200, 200}},
		{"POST", "/studies/lab/ask", "{}", [3]int{403, 200, 200}},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 3, "score": 1}]}`, [3]int{403, 200, 200}},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 3, "score": 2}], "correct": true}`, [3]int{403, 403, 200}},
		{"POST", "/studies/lab/tell", `{"answers": [{"trial": 3, "score": 3, "measurement": 1}]}`, [3]int{403, 403, 200}},
		{"POST", "/studies/lab/strike", `{"trial": 3, "reason": "wrong well"}`, [3]int{403, 403, 200}},
		{"POST", "/studies/lab/withdraw", `{"trial": 4}`, [3]int{403, 200, 200}},
	} {
		if got := [3]int{as("ann", test.method, test.path, test.body), as("bob", test.method, test.path, test.body), as("eve", test.method, test.path, test.body)}; got != test.want {
			t.Errorf("%s %s %s: %v, want %v", test.method, test.path, test.body, got, test.want)
		}
	}
	if err := RevokeToken(path, "bob"); err != nil {
		t.Fatal(err)
	}
	if err := RevokeToken(path, "bob"); !usage.Is(err) {
		t.Errorf("revoked again: %v", err)
	}
	if bob, eve := as("bob", "GET", "/studies", ""), as("eve", "GET", "/studies", ""); bob != 401 || eve != 200 {
		t.Errorf("bob is revoked: he gets %d, and eve %d", bob, eve)
	}
	if given["bob"], err = AddToken(path, "bob", Read); err != nil {
		t.Fatal(err)
	}
	if got := as("bob", "GET", "/studies", ""); got != 200 {
		t.Errorf("with a new token bob gets %d", got)
	}
	if runtime.GOOS != "windows" {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("its mode is %v, %v", info.Mode(), err)
		}
	}
	if err := os.Remove(path); err != nil { // without a file nobody is let in
		t.Fatal(err)
	}
	if got := as("eve", "GET", "/studies", ""); got != 401 {
		t.Errorf("without the file eve gets %d", got)
	}
}

// A stream ends with its token: what happens after that is sent to nobody.
func TestStreamEndsWithItsToken(t *testing.T) {
	for _, test := range []struct {
		name      string
		heartbeat time.Duration
	}{{"before an event", time.Hour}, {"at a heartbeat", 10 * time.Millisecond}} {
		path := filepath.Join(t.TempDir(), "tokens")
		token, err := AddToken(path, "ann", Read)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := AddToken(path, "eve", Read); err != nil {
			t.Fatal(err)
		}
		tokens, err := OpenTokens(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		limits := DefaultLimits()
		limits.Heartbeat = test.heartbeat
		s := inMemory(t, &counter{}, 9)
		base, _ := listen(t, newAPI(s, tokens, "test", limits, fstest.MapFS{}))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // of a test that hangs
		defer cancel()
		client := &http.Client{}
		if client.Jar, err = cookiejar.New(nil); err != nil {
			t.Fatal(err)
		}
		if _, err := client.PostForm(base+"/sign-in", url.Values{"token": {token}, "next": {"/healthz"}}); err != nil {
			t.Fatal(err)
		}
		streams := map[string]*bufio.Reader{}
		for _, at := range []string{"/studies/lab/events", "/live"} {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+at, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", "Bearer "+token)
			response, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			streams[at] = bufio.NewReader(response.Body)
			if line, err := streams[at].ReadString('\n'); err != nil || response.StatusCode != 200 || response.Header.Get("Content-Type") != "text/event-stream" {
				t.Fatalf("%s begins with %s, %q, %v", at, response.Status, line, err)
			}
		}
		if err := RevokeToken(path, "ann"); err != nil {
			t.Fatal(err)
		}
		if test.heartbeat == time.Hour {
			ask(t, s, 1, "")
		}
		for at, stream := range streams {
			if rest, err := io.ReadAll(stream); err != nil || strings.Contains(string(rest), "proposals") || strings.Contains(string(rest), "changed") {
				t.Errorf("%s, %s: it goes on with %q, %v", at, test.name, rest, err)
			}
		}
	}
}

// A probe that has gone makes the server unready for nobody.
func TestReadyWithoutProbe(t *testing.T) {
	a := api(open(t, create(t, "lab.db"), Options{}))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := httptest.NewRequestWithContext(ctx, "GET", "/readyz", nil)
	r.Host = "127.0.0.1:8080"
	a.ServeHTTP(httptest.NewRecorder(), r)
	if status, text := call(t, a, "GET", "/readyz", ""); status != 200 {
		t.Errorf("the next probe: %d %s", status, text)
	}
}

// What monitors a server needs no token, and learns nothing of its studies.
func TestHealth(t *testing.T) {
	path := create(t, "lab.db")
	s := open(t, path, Options{})
	a := NewAPI(s, oneToken(secret), "v1.2.3", DefaultLimits())
	get := func(path string) (int, string, http.Header) {
		r := httptest.NewRequest("GET", path, nil)
		r.Host = "10.0.0.7:8080"
		w := httptest.NewRecorder()
		a.ServeHTTP(w, r)
		return w.Code, w.Body.String(), w.Header()
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if status, _, header := get(path); status != 200 || header.Get("Invbo-Version") != "v1.2.3" {
			t.Errorf("%s: %d, %v", path, status, header)
		}
	}
	if status, _, _ := get("/metrics"); status != 401 {
		t.Errorf("/metrics without a token: %d", status)
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	a.checked = time.Time{}
	if status, text, _ := get("/readyz"); status != 503 || strings.Contains(text, path) {
		t.Errorf("without its file /readyz: %d %s", status, text)
	}
	if status, _, _ := get("/healthz"); status != 200 {
		t.Errorf("without its file /healthz: %d", status)
	}
	_, err := do(t.Context(), s, "lab", "tell", (*entry).tell, TellRequest{Answers: []Answer{{Trial: 1, Score: scored(3)}}})
	if status, ok := errors.AsType[huma.StatusError](err); !ok || status.GetStatus() != 503 || !strings.Contains(err.Error(), "moved, removed or replaced") || strings.Contains(err.Error(), path) {
		t.Errorf("a score for a file that is gone: %v", err)
	}
}

// An operator sees what clients do.
func TestMetricsAndLog(t *testing.T) {
	var log bytes.Buffer
	s := inMemory(t, &counter{}, 99)
	s.log = slog.New(slog.NewJSONHandler(&log, nil))
	a := NewAPI(s, oneToken(secret), "v1.2.3", DefaultLimits())
	bearer := []string{"Authorization", "Bearer " + secret, "Content-Type", "application/json"}
	call(t, a, "POST", "/studies/lab/ask", `{"n": 3}`, bearer...)
	call(t, a, "POST", "/studies/lab/tell", `{"answers": [{"trial": 3, "score": 1}, {"trial": 99, "score": 1}]}`, bearer...)
	call(t, a, "GET", "/studies/lab", "", "Authorization", "Bearer nobody")
	call(t, a, "GET", "/\u009b2J/x", "", bearer...)
	_, text := call(t, a, "GET", "/metrics", "", bearer...)
	for _, line := range []string{
		`invbo_proposals_total{study="lab"} 3`, `invbo_answers_total{study="lab",what="measured"} 1`, `invbo_answers_total{study="lab",what="not taken"} 1`,
		`invbo_pending{study="lab"} 2`, `invbo_leases{study="lab"} 2`, `invbo_trials{study="lab"} 3`, `invbo_requests_total{status="200",verb="ask"} 1`, `invbo_requests_total{status="422",verb="tell"} 1`,
		`invbo_requests_total{status="401",verb="status"} 1`, `invbo_requests_total{status="404",verb="other"} 1`, `invbo_refused_total{reason="token"} 1`,
		`invbo_request_seconds_count{verb="ask"} 1`, `invbo_build_info{version="v1.2.3"} 1`, "go_goroutines ",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	var first struct {
		Msg, Method, Path, Token, Client string
		Status                           int
	}
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil || first.Msg != "request" || first.Method != "POST" || first.Path != "/studies/lab/ask" || first.Status != 200 || first.Token != "default" || first.Client == "" {
		t.Errorf("%+v, %v", first, err)
	}
	if len(lines) != 5 || strings.Contains(log.String(), secret) || strings.Contains(log.String(), "\u009b") {
		t.Errorf("the log is\n%s", log.String())
	}
}

func TestRate(t *testing.T) {
	limits := DefaultLimits()
	limits.Rate = 1e-9
	a := NewAPI(inMemory(t, &counter{}, 9), oneToken(secret), "test", limits)
	call(t, a, "GET", "/studies", "") // does not count: it has no token
	for i, want := range []int{200, 429, 429} {
		if status, text := call(t, a, "GET", "/studies", "", "Authorization", "Bearer "+secret); status != want {
			t.Errorf("request %d: %d %s, want %d", i+1, status, text, want)
		}
	}
	for i, from := range []string{"192.0.2.7:1", "192.0.2.7:2", "[2001:db8::1]:1", "[2001:db8::2]:1"} { // who uses up the rate takes nothing from others
		r := httptest.NewRequest("GET", "/studies", nil)
		r.RemoteAddr = from
		r.Header.Set("Authorization", "Bearer "+secret)
		w := httptest.NewRecorder()
		if a.ServeHTTP(w, r); w.Code != []int{200, 429}[i%2] {
			t.Errorf("from %s: %d", from, w.Code)
		}
	}
	for i, want := range []int{401, 429} { // nor does who guesses tokens
		r := httptest.NewRequest("GET", "/studies", nil)
		r.RemoteAddr = "192.0.2.9:1"
		w := httptest.NewRecorder()
		if a.ServeHTTP(w, r); w.Code != want {
			t.Errorf("guess %d: %d, want %d", i+1, w.Code, want)
		}
	}
}

// Clients that are idle are forgotten, and no number of them takes more than some memory.
func TestManyClients(t *testing.T) {
	now := time.Now()
	c := newClients(1, func() time.Time { return now })
	for i := range 2 * mostClients {
		if !c.allow(who{address: strconv.Itoa(i)}) {
			t.Fatalf("client %d is refused", i)
		}
	}
	if c.allow(who{address: "another"}) || !c.allow(who{address: "0"}) {
		t.Error("beyond the most that are known one is let in, or a known one refused")
	}
	now = now.Add(time.Minute)
	if !c.allow(who{address: "another"}) || len(c.known) > mostClients {
		t.Errorf("%d clients are known a minute later", len(c.known))
	}
}

// The description is OpenAPI 3.1 and can be had without the network.
func TestOpenAPI(t *testing.T) {
	a := api(inMemory(t, &counter{}, 9))
	_, text := call(t, a, "GET", "/openapi.json", "")
	var document map[string]any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	if version, _ := document["openapi"].(string); !strings.HasPrefix(version, "3.1.") {
		t.Errorf("it is OpenAPI %q, want 3.1", version)
	}
	references := 0
	resolve(t, document, document, &references)
	if references == 0 {
		t.Error("it refers to no schema")
	}
	for path, item := range document["paths"].(map[string]any) {
		for method, op := range item.(map[string]any) {
			responses := op.(map[string]any)["responses"].(map[string]any)
			for _, status := range []int{200, 401, 403, 422, 429, 500} {
				if responses[strconv.Itoa(status)] == nil {
					t.Errorf("%s %s does not name %d", method, path, status)
				}
			}
		}
	}
	for _, host := range []string{"unpkg", "jsdelivr", "http://", "https://example.com"} {
		if strings.Contains(strings.ReplaceAll(text, "https://example.com/errors/example", ""), host) && host != "https://example.com" {
			t.Errorf("it names %s", host)
		}
	}
	if status, _ := call(t, a, "GET", "/docs", ""); status != 404 {
		t.Errorf("a page of docs that needs other hosts: %d", status)
	}
}

// resolve checks that all references in a part of a document are to something in it, and counts them.
func resolve(t *testing.T, document, part any, references *int) {
	t.Helper()
	switch part := part.(type) {
	case []any:
		for _, v := range part {
			resolve(t, document, v, references)
		}
	case map[string]any:
		for key, v := range part {
			path, isText := v.(string)
			if key != "$ref" || !isText {
				resolve(t, document, v, references)
				continue
			}
			*references++
			at := document
			for _, name := range strings.Split(strings.TrimPrefix(path, "#/"), "/") {
				object, _ := at.(map[string]any)
				at = object[name]
			}
			if at == nil {
				t.Errorf("%s refers to nothing", path)
			}
		}
	}
}

// events reads messages of a stream: the name and the id of each, up to n.
func events(t *testing.T, body *bufio.Reader, n int) (all []string) {
	t.Helper()
	id, name := "", ""
	for len(all) < n {
		line, err := body.ReadString('\n')
		if err != nil {
			t.Fatalf("after %v: %v", all, err)
		}
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch field {
		case "": // the end of a message, or a comment
			id = ""
		case "id":
			id = value
		case "event":
			name = value
		case "data":
			var data []Trial
			if !strings.HasPrefix(value, "[") {
				value = "[" + value + "]"
			}
			if err := json.Unmarshal([]byte(value), &data); err != nil {
				t.Fatalf("%s: %v", value, err)
			}
			var trials []int
			for _, trial := range data {
				trials = append(trials, trial.Trial)
			}
			all = append(all, fmt.Sprintf("%s %s%v", id, name, trials))
		}
	}
	return all
}

// follow opens a stream of events.
func follow(t *testing.T, base, after string) (*bufio.Reader, *http.Response) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // of a test that hangs
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/studies/lab/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	if after != "" {
		r.Header.Set("Last-Event-ID", after)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return bufio.NewReader(response.Body), response
}

// Clients follow a study, and go on where they were when they or the server were away.
func TestEvents(t *testing.T) {
	path := create(t, "lab.db") // six measured strings; the first and the last are the best
	s := open(t, path, Options{})
	search(t, s, &counter{}, 0)
	base, stop := listen(t, api(s))
	live, response := follow(t, base, "")
	if response.StatusCode != 200 || response.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%s, %v", response.Status, response.Header)
	}
	if line, err := live.ReadString('\n'); err != nil || !strings.HasPrefix(line, ":") { // it has begun
		t.Fatalf("%q, %v", line, err)
	}
	if line, err := live.ReadString('\n'); err != nil || line != "id: 1\n" { // for a client that is cut off now
		t.Fatalf("%q, %v; want the id of the initial data", line, err)
	}
	ask(t, s, 2, "")
	tell := func(a Answer, correct bool) {
		t.Helper()
		if _, err := do(t.Context(), s, "lab", "tell", (*entry).tell, TellRequest{Answers: []Answer{a}, Correct: correct}); err != nil {
			t.Fatal(err)
		}
	}
	tell(Answer{Trial: 7, Score: scored(1)}, false)
	tell(Answer{Trial: 8, Score: scored(9)}, false)
	tell(Answer{Trial: 8, Score: scored(0)}, true)
	want := []string{"2 proposals[7 8]", "3 answer[7]", " answer[8]", "4 best[8]", " answer[8]", "5 best[1]"}
	if got := events(t, live, 6); !same(got, want) {
		t.Errorf("live %q, want %q", got, want)
	}
	again, _ := follow(t, base, "3")
	if got := events(t, again, 4); !same(got, want[2:]) {
		t.Errorf("after 3: %q, want %q", got, want[2:])
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	for _, stream := range []*bufio.Reader{live, again} {
		if rest, err := io.ReadAll(stream); err != nil || len(bytes.TrimSpace(rest)) > 0 {
			t.Errorf("at the end of the server: %q, %v", rest, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, path, Options{})
	search(t, s, &counter{}, 0)
	base, _ = listen(t, api(s))
	later, _ := follow(t, base, "4")
	if got := events(t, later, 2); !same(got, want[4:]) {
		t.Errorf("after a restart: %q, want %q", got, want[4:])
	}
	all, _ := follow(t, base, "0")
	if got := events(t, all, 13); !same(got[7:], want) || got[0] != " answer[1]" || got[5] != " answer[6]" || got[6] != "1 best[1]" {
		t.Errorf("all: %q", got)
	}
	beyond, _ := follow(t, base, "1000") // of another file
	ask(t, s, 1, "")
	if got := events(t, beyond, 1); got[0] != "6 proposals[9]" {
		t.Errorf("after an event that never was: %q", got)
	}
}

func TestStreamsAreFew(t *testing.T) {
	limits := DefaultLimits()
	limits.Streams, limits.PerClient, limits.Heartbeat, limits.Rate = 1, 2, time.Millisecond, usage.Most
	base, _ := listen(t, NewAPI(inMemory(t, &counter{}, 9), nil, "test", limits))
	first, response := follow(t, base, "")
	if _, response := follow(t, base, ""); response.StatusCode != 503 {
		t.Errorf("a second stream: %s", response.Status)
	}
	for _, want := range []string{": follows\n", "id: 0\n", "\n"} {
		if line, err := first.ReadString('\n'); err != nil || line != want {
			t.Errorf("%q, %v; want %q", line, err, want)
		}
	}
	for range 3 { // comments keep it open
		for _, want := range []string{":", "\n"} {
			if line, err := first.ReadString('\n'); err != nil || !strings.HasPrefix(line, want) {
				t.Errorf("%q, %v", line, err)
			}
		}
	}
	response.Body.Close()
	for { // its place is free once the server has noticed
		if _, response := follow(t, base, ""); response.StatusCode == 200 {
			break
		}
	}
}

// One client cannot take all streams.
func TestStreamsOfAClient(t *testing.T) {
	limits := DefaultLimits()
	limits.Streams, limits.PerClient, limits.Rate = 3, 2, usage.Most
	base, _ := listen(t, NewAPI(inMemory(t, &counter{}, 9), nil, "test", limits))
	_, first := follow(t, base, "")
	follow(t, base, "")
	if _, response := follow(t, base, ""); response.StatusCode != 429 {
		t.Errorf("a third stream: %s", response.Status)
	}
	first.Body.Close()
	for { // its place is free once the server has noticed
		if _, response := follow(t, base, ""); response.StatusCode == 200 {
			break
		}
	}
}

// At the end of the server a request that goes on is answered, and streams end.
func TestShutdown(t *testing.T) {
	begun, proceed := make(chan struct{}), make(chan struct{})
	path := create(t, "lab.db")
	s := open(t, path, Options{})
	search(t, s, &counter{wait: func(context.Context) { close(begun); <-proceed }}, 0)
	base, stop := listen(t, api(s))
	stream, _ := follow(t, base, "")
	type answer struct {
		AskResponse
		err error
	}
	asked, stopped := make(chan answer, 1), make(chan error, 1)
	go func() {
		r, err := post[AskResponse](base+"/studies/lab/ask", `{}`)
		asked <- answer{r, err}
	}()
	<-begun
	go func() { stopped <- stop() }()
	if _, err := io.ReadAll(stream); err != nil {
		t.Errorf("the stream ends with %v", err)
	}
	select {
	case <-stopped:
		t.Error("the server ended before its request")
	default:
	}
	close(proceed)
	if got := <-asked; got.err != nil || len(got.Proposals) != 1 {
		t.Errorf("the request that went on: %+v", got)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if got := open(t, path, Options{}).studies["lab"].Experiment.Pending(); len(got) != 1 { // and nothing holds the file
		t.Errorf("%d proposals are in it", len(got))
	}
	if _, err := http.Get(base + "/studies"); err == nil {
		t.Error("it answers still")
	}
}

// statuses counts those that a handler sends.
type statuses struct {
	*httptest.ResponseRecorder
	n int
}

func (s *statuses) WriteHeader(status int) {
	s.n++
	s.ResponseRecorder.WriteHeader(status)
}

// An answer has one status: net/http complains of a second one in the log.
func TestOneStatus(t *testing.T) {
	w := &statuses{ResponseRecorder: httptest.NewRecorder()}
	o := &observed{ResponseWriter: w, status: http.StatusOK}
	o.WriteHeader(http.StatusServiceUnavailable)
	o.WriteHeader(http.StatusInternalServerError)
	if w.n != 1 || w.Code != http.StatusServiceUnavailable || o.status != http.StatusServiceUnavailable {
		t.Errorf("%d statuses; sent %d, logged %d", w.n, w.Code, o.status)
	}
}

// A search that takes longer than the server waits is cut off; the study is closed as it is.
func TestShutdownCutsOff(t *testing.T) {
	begun := make(chan struct{})
	path := create(t, "lab.db")
	s := open(t, path, Options{})
	search(t, s, &counter{wait: func(ctx context.Context) { close(begun); <-ctx.Done() }}, 0)
	limits := DefaultLimits()
	limits.Shutdown = time.Millisecond
	base, stop := listen(t, NewAPI(s, nil, "test", limits))
	failed := make(chan error, 1)
	go func() {
		_, err := post[AskResponse](base+"/studies/lab/ask", `{}`)
		failed <- err
	}()
	<-begun
	if err := stop(); err == nil || !strings.Contains(err.Error(), "requests were cut off") {
		t.Errorf("%v", err)
	}
	if err := <-failed; err == nil {
		t.Error("the request was answered")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	open(t, path, Options{})
}

// What a search finds for a client that has left is for the next one.
func TestClientLeaves(t *testing.T) {
	begun, proceed := make(chan struct{}), make(chan struct{})
	c := &counter{wait: func(context.Context) { close(begun); <-proceed }}
	s := inMemory(t, c, 9)
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := do(ctx, s, "lab", "ask", (*entry).ask, &AskRequest{})
		left <- err
	}()
	<-begun
	waiting, stop := context.WithCancel(t.Context())
	stop()
	if _, err := do(waiting, s, "lab", "ask", (*entry).ask, &AskRequest{}); err == nil {
		t.Error("a client that left while it waited for its turn is answered")
	}
	leave()
	close(proceed)
	if err := <-left; err == nil {
		t.Error("a client that left is lent a proposal")
	}
	c.wait = nil
	if got := ask(t, s, 1, ""); got[0] != 3 || c.n != 1 {
		t.Errorf("the next gets %v of %d proposals", got, c.n)
	}
}

func TestTLS(t *testing.T) {
	example := httptest.NewTLSServer(nil)
	defer example.Close()
	base, _ := listen(t, api(inMemory(t, &counter{}, 9)), example.TLS.Certificates...)
	response, err := example.Client().Get(strings.Replace(base, "http:", "https:", 1) + "/studies")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 200 || response.TLS == nil {
		t.Errorf("%s", response.Status)
	}
}

// A client that does not send what it announced does not keep its connection, be it let in or not.
func TestSlowBody(t *testing.T) {
	limits := DefaultLimits()
	limits.Read = 300 * time.Millisecond
	a := NewAPI(inMemory(t, &counter{}, 9), oneToken(secret), "test", limits)
	base, _ := listen(t, a)
	for _, test := range []struct {
		line, token string
		status      int
	}{
		{"POST /studies/lab/tell", secret, 408},
		{"POST /studies/lab/tell", "", 401},
		{"GET /studies/lab", secret, 200},
	} {
		c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.SetDeadline(time.Now().Add(time.Minute)) // of a test that hangs
		fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", test.line, test.token)
		response, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatalf("%s: %v", test.line, err)
		}
		method, path, _ := strings.Cut(test.line, " ")
		documented(t, a, method, path, response.StatusCode)
		if response.StatusCode != test.status {
			t.Errorf("%s with %q: %s, want %d", test.line, test.token, response.Status, test.status)
		}
		if _, err := io.Copy(io.Discard, c); err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("%s: the connection stays: %v", test.line, err)
		}
	}
}

// deadlines records what a handler sets.
type deadlines struct {
	*httptest.ResponseRecorder
	set int
}

func (d *deadlines) SetWriteDeadline(time.Time) error {
	d.set++
	return nil
}

func TestWritesHaveTime(t *testing.T) {
	a := api(inMemory(t, &counter{}, 9))
	w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
	r := httptest.NewRequest(http.MethodGet, "/studies", nil)
	r.Host = "localhost"
	if a.ServeHTTP(w, r); w.Code != 200 || w.set == 0 {
		t.Errorf("%d, %d deadlines", w.Code, w.set)
	}
}

// FuzzBodies sends any body to ask, tell, withdraw and strike: the answer is JSON with a status that is described, and
// none of the server's own.
func FuzzBodies(f *testing.F) {
	for _, seed := range []string{
		`{"n": 2, "lease": "8h"}`, `{"answers": [{"trial": 3, "score": 1.5, "se": 0.1}, {"input": "AC", "name": "x", "score": -1e100}, {"trial": 4, "failed": "no"}], "correct": true}`,
		`{"answers": [{"name": "x", "score": 2}]}`, `{"trial": 3, "reason": "no codon"}`, `{"trial": 1, "measurement": 1, "reason": "wrong well"}`, `{"answers": [{"trial": 1, "measurement": 1, "score": -1e99, "se": 1e55}]}`, `{"trial": 99999999999999999999}`, "", "null", "[]", `"\ud800"`, `{"n": 1e3}`, `{"lease": "1h1h"}`, "{\"lease\": \"\xff\"}",
	} {
		for verb := range byte(4) {
			f.Add(verb, []byte(seed))
		}
	}
	s := inMemory(f, &counter{}, 9)
	limits := DefaultLimits()
	limits.Rate = usage.Most
	a := NewAPI(s, nil, "test", limits)
	f.Fuzz(func(t *testing.T, verb byte, body []byte) {
		s.studies["lab"] = inMemory(t, &counter{}, 9).studies["lab"]
		ask(t, s, 2, "")
		path := "/studies/lab/" + []string{"ask", "tell", "withdraw", "strike"}[verb%4]
		for range 2 { // the same again
			status, text := call(t, a, http.MethodPost, path, string(body), "Content-Type", "application/json")
			if status >= 500 || !json.Valid([]byte(text)) {
				t.Fatalf("%d %s", status, text)
			}
		}
	})
}

// A wrong path or method is refused as all else: in JSON, with what is right.
func TestWrongPlaces(t *testing.T) {
	s := open(t, create(t, "lab.db"), Options{})
	for _, test := range []struct {
		method, path string
		status       int
		words        string
	}{
		{"GET", "/nothing", 404, "there is nothing at /nothing; the API is described at /openapi.json"},
		{"POST", "/studies/lab/aks", 404, "there is nothing at /studies/lab/aks"},
		{"GET", "/studies/lab/ask", 405, "/studies/lab/ask takes POST, not GET"},
		{"DELETE", "/studies/lab", 405, "/studies/lab takes GET, HEAD, not DELETE"},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(test.method, test.path, nil)
		r.Host = "localhost"
		api(s).ServeHTTP(w, r)
		var problem huma.ErrorModel
		if err := json.Unmarshal(w.Body.Bytes(), &problem); err != nil || w.Code != test.status || problem.Status != test.status || !strings.Contains(problem.Detail, test.words) ||
			(w.Header().Get("Allow") != "") != (test.status == 405) {
			t.Errorf("%s %s: %d %s, %v", test.method, test.path, w.Code, w.Body, w.Header())
		}
	}
}

// oneToken returns Tokens of a single one, that of an admin.
func oneToken(token string) *Tokens {
	return &Tokens{known: map[[sha256.Size]byte]Client{sha256.Sum256([]byte(token)): {Name: "default", Role: Admin}}}
}
