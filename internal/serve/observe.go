package serve

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/invbo/invbo/internal/usage"
)

// observe logs and counts each request, and says which version answers it.
func (a *API) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		o := &observed{ResponseWriter: w, status: http.StatusOK}
		w.Header().Set("Invbo-Version", a.version)
		var by Client
		next.ServeHTTP(o, r.WithContext(context.WithValue(r.Context(), identified{}, &by)))
		took := time.Since(began)
		verb := verbOf(r)
		a.service.metrics.request(verb, strconv.Itoa(o.status), took, verb == "events" || verb == "live")
		a.service.log.Info("request", "method", usage.Visible(r.Method), "path", usage.Visible(r.URL.Path), "status", o.status, "bytes", o.bytes,
			"seconds", took.Seconds(), "client", address(r), "token", by.Name)
	})
}

// identified is the key of what authorize finds out for the log.
type identified struct{}

// verbs are the last parts of the paths that are counted each.
var verbs = map[string]bool{"studies": true, "ask": true, "tell": true, "withdraw": true, "strike": true, "trials": true, "events": true, "metrics": true, "healthz": true, "readyz": true, "openapi.json": true}

// pages are the first parts of the paths of the page.
var pages = map[string]bool{"": true, "study": true, "compare": true, "compare.json": true, "drawing": true, "assets": true, "sign-in": true, "sign-out": true}

// verbOf returns what a request is counted as: of few words, whatever path a client invents.
func verbOf(r *http.Request) string {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	last := parts[len(parts)-1]
	switch {
	case r.URL.Path == "/live":
		return "live"
	case pages[parts[0]]:
		return "page"
	case len(parts) == 2 && parts[0] == "studies":
		return "status"
	case verbs[last] && (len(parts) == 1 || len(parts) == 3 && parts[0] == "studies"):
		return last
	}
	return "other"
}

// observed remembers what was answered.
type observed struct {
	http.ResponseWriter
	status, bytes int
	begun         bool
}

// Unwrap is for http.ResponseController.
func (o *observed) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// WriteHeader sends the first status: huma sends another one when a client is gone before the answer.
func (o *observed) WriteHeader(status int) {
	if o.begun {
		return
	}
	o.status, o.begun = status, true
	o.ResponseWriter.WriteHeader(status)
}

func (o *observed) Write(p []byte) (int, error) {
	o.begun = true
	n, err := o.ResponseWriter.Write(p)
	o.bytes += n
	return n, err
}
