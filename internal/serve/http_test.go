package serve

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/usage"
)

// listen serves an API on a port of this machine until stop is called, or the test ends. stop returns the error of Serve.
func listen(t *testing.T, a *API, certificates ...tls.Certificate) (base string, stop func() error) {
	t.Helper()
	l, err := Listen("127.0.0.1:0", "")
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
	a := NewAPI(inMemory(t, &counter{}, 9), secret, "test", DefaultLimits())
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
		if _, err := Listen(address, ""); !usage.Is(err) || !strings.Contains(err.Error(), "needs a token") {
			t.Errorf("%s without a token: %v", address, err)
		}
		l, err := Listen(address, secret)
		if err != nil {
			t.Fatalf("%s with a token: %v", address, err)
		}
		l.Close()
	}
	if _, err := Listen("nowhere:what", ""); !usage.Is(err) {
		t.Errorf("an address that is none: %v", err)
	}
}

func TestTokenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	if err := WriteToken(path); err != nil {
		t.Fatal(err)
	}
	first, err := ReadToken(path)
	if err != nil || len(first) < 2*shortestToken {
		t.Fatalf("%q, %v", first, err)
	}
	if err := WriteToken(path); !usage.Is(err) || !strings.Contains(err.Error(), "file exists") && runtime.GOOS != "windows" {
		t.Errorf("over another: %v", err)
	}
	if again, err := ReadToken(path); err != nil || again != first {
		t.Errorf("then it is %q, %v", again, err)
	}
	if runtime.GOOS != "windows" {
		for _, mode := range []os.FileMode{0o644, 0o640, 0o602, 0o610} {
			if err := os.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
			if _, err := ReadToken(path); !usage.Is(err) || !strings.HasSuffix(err.Error(), "run: chmod 600 "+path) {
				t.Errorf("mode %o: %v", mode, err)
			}
		}
		os.Chmod(path, 0o600)
	}
	for _, text := range []string{"", "short", strings.Repeat("x", longestToken+1), "two words in it is no token", "a token\nof several lines", "tökentökentökentöken"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadToken(path); !usage.Is(err) || strings.Contains(err.Error(), "short") && text == "short" {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	if _, err := ReadToken(path + "s"); !usage.Is(err) || !strings.Contains(err.Error(), "invbo serve token "+path+"s") {
		t.Errorf("of no file: %v", err)
	}
}

func TestRate(t *testing.T) {
	limits := DefaultLimits()
	limits.Rate = 1e-9
	a := NewAPI(inMemory(t, &counter{}, 9), secret, "test", limits)
	call(t, a, "GET", "/studies", "") // does not count: it has no token
	for i, want := range []int{200, 429, 429} {
		if status, text := call(t, a, "GET", "/studies", "", "Authorization", "Bearer "+secret); status != want {
			t.Errorf("request %d: %d %s, want %d", i+1, status, text, want)
		}
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
			id = ""
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
	path := create(t, "lab.db") // six measured strings, the best of which are the first and the last
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
	ask(t, s, 2, "")
	tell := func(answers ...Answer) {
		t.Helper()
		if _, err := do(t.Context(), s, "lab", "tell", (*entry).tell, TellRequest{Answers: answers, Correct: true}); err != nil {
			t.Fatal(err)
		}
	}
	tell(Answer{Trial: 7, Score: scored(1)})
	tell(Answer{Trial: 8, Score: scored(9)})
	tell(Answer{Trial: 8, Score: scored(0)}) // a correction
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
	limits.Streams, limits.Heartbeat, limits.Rate = 1, time.Millisecond, usage.Most
	base, _ := listen(t, NewAPI(inMemory(t, &counter{}, 9), "", "test", limits))
	first, response := follow(t, base, "")
	if _, response := follow(t, base, ""); response.StatusCode != 503 {
		t.Errorf("a second stream: %s", response.Status)
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

// A search that takes longer than the server waits is cut off; the study is closed as it is.
func TestShutdownCutsOff(t *testing.T) {
	begun := make(chan struct{})
	path := create(t, "lab.db")
	s := open(t, path, Options{})
	search(t, s, &counter{wait: func(ctx context.Context) { close(begun); <-ctx.Done() }}, 0)
	limits := DefaultLimits()
	limits.Shutdown = time.Millisecond
	base, stop := listen(t, NewAPI(s, "", "test", limits))
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
	a := NewAPI(inMemory(t, &counter{}, 9), secret, "test", limits)
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

// FuzzBodies sends any body to ask, tell and withdraw: the answer is JSON with a status that is described, and none of the server's own.
func FuzzBodies(f *testing.F) {
	for _, seed := range []string{
		`{"n": 2, "lease": "8h"}`, `{"answers": [{"trial": 3, "score": 1.5, "se": 0.1}, {"input": "AC", "name": "x", "score": -1e100}, {"trial": 4, "failed": "no"}], "correct": true}`,
		`{"answers": [{"name": "x", "score": 2}]}`, `{"trial": 3, "reason": "no codon"}`, `{"trial": 99999999999999999999}`, "", "null", "[]", `"\ud800"`, `{"n": 1e3}`, `{"lease": "1h1h"}`, "{\"lease\": \"\xff\"}",
	} {
		for verb := range byte(3) {
			f.Add(verb, []byte(seed))
		}
	}
	s := inMemory(f, &counter{}, 9)
	limits := DefaultLimits()
	limits.Rate = usage.Most
	a := NewAPI(s, "", "test", limits)
	f.Fuzz(func(t *testing.T, verb byte, body []byte) {
		s.studies["lab"] = inMemory(t, &counter{}, 9).studies["lab"]
		ask(t, s, 2, "")
		path := "/studies/lab/" + []string{"ask", "tell", "withdraw"}[verb%3]
		for range 2 { // the same again
			status, text := call(t, a, http.MethodPost, path, string(body), "Content-Type", "application/json")
			if status >= 500 || !json.Valid([]byte(text)) {
				t.Fatalf("%d %s", status, text)
			}
		}
	})
}
