package remote_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/oracletest"
	"github.com/invbo/invbo/oracle/remote"
)

// lengths answers with the length of each string, if it has no b, and with its number of c as another number.
func lengths(w http.ResponseWriter, r *http.Request) {
	var batch struct {
		ID int
		X  []string
	}
	if err := json.NewDecoder(r.Body).Decode(&batch); err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
		http.Error(w, "no batch", http.StatusBadRequest)
		return
	}
	scores, reasons, cs := make([]*float64, len(batch.X)), make([]*string, len(batch.X)), make([]float64, len(batch.X))
	for i, x := range batch.X {
		cs[i] = float64(strings.Count(x, "c"))
		if strings.Contains(x, "b") {
			reasons[i] = new("it has a b")
			continue
		}
		scores[i] = new(float64(len(x)))
	}
	json.NewEncoder(w).Encode(map[string]any{"id": batch.ID, "scores": scores, "reasons": reasons, "c": cs})
}

// says answers with a status and a body.
func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func open(t *testing.T, url string, opts remote.Options) *remote.Oracle {
	t.Helper()
	o, err := remote.New(url, opts)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestSuite(t *testing.T) {
	o := open(t, serve(t, lengths), remote.Options{})
	oracletest.Run(t, o, []string{"a", "aa", "c"}, []string{"b", "ab"})
	if r, err := oracle.One(t.Context(), o, "acc"); err != nil || r.Others["c"] != 2 {
		t.Errorf("%+v, %v, want two c", r, err)
	}
	o = open(t, serve(t, lengths), remote.Options{Property: "c"})
	if r, err := oracle.One(t.Context(), o, "acc"); err != nil || r.Score != 2 || r.Others["scores"] != 3 {
		t.Errorf("%+v, %v, want a score of 2 and another number 3", r, err)
	}
}

func TestNew(t *testing.T) {
	for _, test := range []struct{ url, token, want string }{
		{"https://lab.example/score", "s3cret", ""}, {"http://127.0.0.1:80", "s3cret", ""}, {"http://localhost/", "s3cret", ""}, {"http://[::1]:9/", "s3cret", ""}, {"http://lab.example", "", ""},
		{"lab.example/score", "", `"lab.example/score" is no URL of a service`}, {"ftp://lab.example", "", "is no URL of a service"}, {"https:///x", "", "is no URL"}, {"http://lab example", "", "invalid character"},
		{"https://ann:pw@lab.example", "", "the URL of lab.example holds a name or a password"},
		{"http://lab.example", "s3cret", "lab.example would get the token unencrypted"},
		{"https://lab.example", "s3\ncret", "the token has characters that a header cannot hold"},
	} {
		_, err := remote.New(test.url, remote.Options{Token: test.token})
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "pw") || strings.Contains(err.Error(), "cret")) {
			t.Errorf("%s: %v, want %q", test.url, err, test.want)
		}
	}
}

func TestToken(t *testing.T) {
	for _, token := range []string{"", "s3cret"} {
		var got string
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			got = r.Header.Get("Authorization")
			lengths(w, r)
		})
		if _, err := oracle.One(t.Context(), open(t, url, remote.Options{Token: token}), "a"); err != nil {
			t.Error(err)
		}
		if want := strings.TrimSuffix("Bearer "+token, "Bearer "); got != want {
			t.Errorf("Authorization %q, want %q", got, want)
		}
	}
}

// What is wrong with an answer, and whether the call is repeated.
func TestErrors(t *testing.T) {
	elsewhere := serve(t, lengths)
	for _, test := range []struct {
		name    string
		service http.HandlerFunc
		want    string
		calls   int32
	}{
		{"refused", says(401, "{\n\"detail\": \"unknown token\"}"), `/x: it answered 401 Unauthorized: { "detail": "unknown token"}`, 1},
		{"long body", says(422, strings.Repeat("no ", 1000)), "no no no n…", 1},
		{"no status 200", says(204, ""), "it answered 204 No Content", 1},
		{"too many requests", says(429, "slowly"), "it answered 429 Too Many Requests: slowly; tried 3 times", 3},
		{"broken", says(503, ""), "it answered 503 Service Unavailable; tried 3 times", 3},
		{"no JSON", says(200, "<html>Log in</html>"), `answered "<html>Log in</html>": it is no JSON`, 3},
		{"another batch", says(200, `{"id": 0, "scores": [1, 2]}`), "its id is 0, and that of the batch is 3", 3},
		{"too few", says(200, `{"id": 3, "scores": [1]}`), "it has 1 scores for 2 strings", 3},
		{"too many", says(200, `{"id": 3, "scores": [1, 2, null]}`), "it has 3 scores for 2 strings", 3},
		{"no scores", says(200, `{"id": 3, "error": "no GPU"}`), `it has no "scores"; it has error`, 3},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, `{"id": 1`)
		}, "its answer broke off: unexpected EOF", 3},
		{"hangs up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "/x: EOF; tried 3 times", 3},
		{"endless", func(w http.ResponseWriter, _ *http.Request) {
			for chunk := bytes.Repeat([]byte("1"), 1<<20); ; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		}, "its answer has more than 64 MB", 1},
		{"another host", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
		}, "it redirects to " + elsewhere, 1},
		{"another method", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/login", http.StatusFound) }, "it redirects to /login, which is not asked by POST", 1},
		{"in circles", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/x", http.StatusTemporaryRedirect)
		}, "it redirects again and again", 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel() // repetitions wait
			var calls atomic.Int32
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				calls.Add(1)
				test.service(w, r)
			})
			o := oracle.Retry(open(t, url+"/x?key=hidden", remote.Options{Token: "s3cret"}), 2, nil)
			results, err := o.Score(t.Context(), []string{"a", "b"})
			if results != nil || err == nil || !strings.Contains(err.Error(), test.want) || calls.Load() != test.calls {
				t.Errorf("%v, %v after %d calls, want %q after %d", results, err, calls.Load(), test.want, test.calls)
			}
			if said := fmt.Sprint(err); len(said) > 500 || strings.Contains(said, "hidden") || strings.Contains(said, "s3cret") {
				t.Errorf("it says too much: %s", said)
			}
		})
	}
}

// A redirect within the service is followed.
func TestRedirect(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.Redirect(w, r, "/new", http.StatusPermanentRedirect)
			return
		}
		lengths(w, r)
	})
	if r, err := oracle.One(t.Context(), open(t, url+"/old", remote.Options{}), "aaa"); err != nil || r.Score != 3 {
		t.Errorf("%+v, %v, want 3", r, err)
	}
}

// A certificate has to be verified, and no repetition of the call does that.
func TestTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(lengths))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshake that fails
	s.StartTLS()
	defer s.Close()
	trusting := open(t, s.URL, remote.Options{Token: "s3cret"})
	trusting.SetTransport(s.Client().Transport)
	if r, err := oracle.One(t.Context(), trusting, "aaa"); err != nil || r.Score != 3 {
		t.Errorf("%+v, %v, want 3", r, err)
	}
	o := oracle.Retry(open(t, s.URL, remote.Options{}), 3, nil)
	if _, err := oracle.One(t.Context(), o, "a"); err == nil || !strings.Contains(err.Error(), "failed to verify certificate") || strings.Contains(err.Error(), "tried") {
		t.Errorf("unknown certificate: %v", err)
	}
}

// The end of the context ends a call.
func TestCancel(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	release := make(chan struct{})
	url := serve(t, func(http.ResponseWriter, *http.Request) {
		cancel(why)
		<-release
	})
	if _, err := open(t, url, remote.Options{}).Score(ctx, []string{"a"}); !errors.Is(err, why) {
		t.Errorf("error %v, want %v", err, why)
	}
	close(release)
}

// transport is an http.RoundTripper.
type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// A service that asks for time gets it.
func TestRetryAfter(t *testing.T) {
	date := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(http.TimeFormat) }
	for name, test := range map[string]struct {
		header func() string
		want   time.Duration
	}{
		"seconds":         {func() string { return "90" }, 90 * time.Second},
		"a date":          {func() string { return date(2 * time.Minute) }, 2 * time.Minute},
		"a date gone by":  {func() string { return date(-time.Minute) }, time.Second},
		"nothing":         {func() string { return "" }, time.Second},
		"less than usual": {func() string { return "0" }, time.Second},
		"nonsense":        {func() string { return "-1" }, time.Second},
		"too long":        {func() string { return "99999999999999" }, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				busy := true
				o := open(t, "https://lab.example", remote.Options{})
				o.SetTransport(transport(func(r *http.Request) (*http.Response, error) {
					w := httptest.NewRecorder()
					if busy {
						w.Header().Set("Retry-After", test.header())
						w.WriteHeader(http.StatusServiceUnavailable)
					} else {
						lengths(w, r)
					}
					busy = false
					return w.Result(), nil
				}))
				began := time.Now()
				r, err := oracle.One(t.Context(), oracle.Retry(o, 1, nil), "aaa")
				if err != nil || r.Score != 3 || time.Since(began) != test.want {
					t.Errorf("%+v, %v after %v, want 3 after %v", r, err, time.Since(began), test.want)
				}
			})
		})
	}
}
