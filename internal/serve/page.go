package serve

import (
	"context"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/page"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

// APIAlone says that a build lacks the page.
const APIAlone = "This build serves the API alone: it was built without the page, which make build adds where npm is."

// desk is a study for the page: people and programs ask and tell in turn.
type desk struct{ *entry }

// Ask implements page.Desk: it lends new proposals, whatever waits already.
func (d desk) Ask(ctx context.Context, n int, lease time.Duration) (int, error) {
	before := -1
	lent, err := d.lend(ctx, n, lease, func(n int) (fresh []study.Proposal) {
		if before < 0 {
			before = len(d.All())
		}
		for _, p := range d.free(usage.Most) {
			if p.ID > before && len(fresh) < n {
				fresh = append(fresh, p)
			}
		}
		return fresh
	})
	return len(lent), d.of.explain(d.entry, "ask", err)
}

// Change implements page.Desk.
func (d desk) Change(ctx context.Context, change func(context.Context) ([]experiment.What, error)) error {
	d.telling.Lock()
	defer d.telling.Unlock()
	all, err := change(ctx)
	for _, what := range all {
		d.of.metrics.told.WithLabelValues(d.name, string(what)).Inc()
	}
	if usage.Is(err) {
		return huma.Error422UnprocessableEntity(err.Error())
	}
	return d.of.explain(d.entry, "tell", err)
}

// Lent implements page.Desk. What was answered or withdrawn is lent no more, however long its lease is.
func (d desk) Lent(trial int) time.Time {
	until := d.lentUntil(trial)
	if t, err := d.find(trial); err != nil || t.State != study.Pending || !d.of.now().Before(until) {
		return time.Time{}
	}
	return until
}

// mountPage adds the page to open, which needs no token: the page asks people to sign in. Without a bundle its
// addresses say that there is none.
func (a *API) mountPage(open *http.ServeMux, tokens *Tokens, bundle fs.FS) {
	paths := []string{"/{$}", "/study/", "/compare", "/compare.json", "/live", "/drawing"}
	if bundle == nil {
		for _, path := range paths {
			open.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/plain; charset=utf-8")
				if r.URL.Path != "/" {
					w.WriteHeader(http.StatusNotFound)
				}
				fmt.Fprintln(w, APIAlone, "Its description is at /openapi.json.")
			})
		}
		return
	}
	var studies []page.Study
	for _, name := range a.service.Names() {
		e := a.service.studies[name]
		studies = append(studies, page.Study{Experiment: e.Experiment, Name: name, Desk: desk{e}})
	}
	p := page.New(studies, page.Options{
		Bundle: bundle, Version: a.version, Logger: a.service.log, Body: a.limits.Body, Heartbeat: a.limits.Heartbeat, Closing: a.closing, Begin: a.service.begin,
		Follow: func(r *http.Request) (func(), error) {
			by, _ := r.Context().Value(whoKey{}).(who)
			return a.beginStream(by)
		},
	})
	s := newSessions(a.service.now)
	visited := a.visit(a.limitRate(p), p, tokens, s)
	for _, path := range paths {
		open.Handle(path, visited)
	}
	open.Handle("/assets/", p)
	if tokens != nil {
		guarded := a.sameOrigin(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.sign(w, r, p, tokens, s) }))
		open.Handle("/sign-in", guarded)
		open.Handle("POST /sign-out", guarded)
	}
}

// visit lets those see the page who signed in or, where there are no tokens, who are at this machine.
func (a *API) visit(next http.Handler, p *page.Page, tokens *Tokens, s *sessions) http.Handler {
	as := func(c Client) http.Handler {
		return a.as(c, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			v := page.Visitor{Name: c.Name, Tells: c.Role >= Tell, Corrects: c.Role >= Admin}
			next.ServeHTTP(w, r.WithContext(page.WithVisitor(r.Context(), v)))
		}))
	}
	if tokens == nil {
		return a.local(as(everybody))
	}
	return a.sameOrigin(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, ok := s.client(r, tokens)
		to := "/sign-in?" + url.Values{"next": {r.URL.RequestURI()}}.Encode()
		switch {
		case ok:
			as(c).ServeHTTP(w, r)
		case r.Header.Get("HX-Request") == "true":
			w.Header().Set("HX-Redirect", "/sign-in")
			w.WriteHeader(http.StatusUnauthorized)
		case r.Method != http.MethodGet:
			p.ShowSignIn(w, r, http.StatusUnauthorized, "/", "You are not signed in any more: nothing was stored.")
		case r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Dest") == "document":
			// A link of another site brings no cookie. The browser comes again by itself, and brings it.
			page.Guard(w.Header())
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<!doctype html><meta http-equiv="refresh" content="0;url=%s"><title>InvBO</title>`, html.EscapeString(r.URL.RequestURI()))
		default:
			http.Redirect(w, r, to, http.StatusSeeOther)
		}
	}))
}

// sign shows the form to sign in, takes it, and signs out.
func (a *API) sign(w http.ResponseWriter, r *http.Request, p *page.Page, tokens *Tokens, s *sessions) {
	r.Body = http.MaxBytesReader(w, r.Body, a.limits.Body)
	next := r.FormValue("next")
	// One slash alone: others lead to other servers.
	if u, err := url.Parse(next); err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.Contains(next, `\`) {
		next = "/"
	}
	switch {
	case r.URL.Path == "/sign-out":
		s.end(w, r)
		http.Redirect(w, r, "/sign-in", http.StatusSeeOther)
	case r.Method == http.MethodGet:
		p.ShowSignIn(w, r, http.StatusOK, next, "")
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", "GET, POST")
		w.WriteHeader(http.StatusMethodNotAllowed)
	default:
		token := strings.TrimSpace(r.PostFormValue("token"))
		_, ok := tokens.find(token)
		switch {
		case !ok && !a.strange.allow(who{address: address(r)}): // who tries tokens
			p.ShowSignIn(w, r, http.StatusTooManyRequests, next, "Too many tries; wait a second.")
		case !ok:
			a.service.metrics.refused.WithLabelValues("token").Inc()
			p.ShowSignIn(w, r, http.StatusUnauthorized, next, "This is no token of the server.")
		case !s.begin(w, r, token):
			p.ShowSignIn(w, r, http.StatusServiceUnavailable, next, "Too many people are signed in; try again later.")
		default:
			http.Redirect(w, r, next, http.StatusSeeOther)
		}
	}
}
