// Package page shows studies to people in a browser: where they stand, their trials in charts and tables, and their
// proposals, with forms to ask and tell. It has no rule of its own: what it shows and does is what package experiment
// says and does, and internal/serve lends proposals and lets people in.
//
// Start reading at New. A study's results (results.go) are those of its trials that a Filter (filter.go) lets through,
// from a snapshot that is made once for each event (snapshot.go). Pages are HTML; htmx replaces parts of them, and
// charts (charts.go) are drawn by web/src/charts.js. The bundle of web is embedded if make page made it (bundle.go).
package page

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/usage"
)

// Study is a study that the page shows.
type Study struct {
	*experiment.Experiment
	Name string
	Desk Desk
}

// Desk orders what is done to a study at once, by the page or by programs. Its errors are sentences for people.
type Desk interface {
	// Ask proposes up to n more strings, and lends them for a time. It goes on if ctx ends.
	Ask(ctx context.Context, n int, lease time.Duration) (proposed int, err error)

	// Change calls what stores answers, one at a time, and counts what became of them.
	Change(ctx context.Context, change func(context.Context) ([]experiment.What, error)) error

	// Lent returns until when a proposal is lent; the zero time if it is not.
	Lent(trial int) time.Time
}

// Visitor is who looks at the page, and what they may do.
type Visitor struct {
	Name     string // of their token; empty if the server has none
	Tells    bool   // asks, tells and withdraws
	Corrects bool   // corrects and strikes, too
}

type visitorKey struct{}

// WithVisitor returns a context of a request by a visitor. Without one nobody may do more than look.
func WithVisitor(ctx context.Context, v Visitor) context.Context {
	return context.WithValue(ctx, visitorKey{}, v)
}

func visitor(r *http.Request) Visitor {
	v, _ := r.Context().Value(visitorKey{}).(Visitor)
	return v
}

// Options configure a Page.
type Options struct {
	Bundle  fs.FS  // scripts and styles: see Bundle
	Version string // of the program
	Logger  *slog.Logger
	Body    int64 // bytes of a request at most

	// Begin runs what outlasts a request, until its context ends, and is false if that has ended already. It must not
	// wait for it.
	Begin func(func(ctx context.Context)) bool

	Follow    func(*http.Request) (leave func(), err error) // counts a stream of events, or refuses it; nil counts none
	Closing   <-chan struct{}                               // closed when streams have to end; may be nil
	Heartbeat time.Duration                                 // between comments in a stream
}

// Page is the pages of some studies: an http.Handler.
type Page struct {
	mux      *http.ServeMux
	views    views
	boards   []*board // by name
	drawings *drawings
	options  Options
}

// New returns the pages of studies, in their order.
func New(studies []Study, o Options) *Page {
	assets := newAssets(o.Bundle)
	p := &Page{mux: http.NewServeMux(), views: parseViews(assets), drawings: newDrawings(), options: o}
	if o.Logger == nil {
		p.options.Logger = slog.New(slog.DiscardHandler)
	}
	for _, s := range studies {
		p.boards = append(p.boards, newBoard(s, o.Begin))
	}
	p.mux.Handle("GET /assets/", http.StripPrefix("/assets/", assets))
	for pattern, show := range map[string]func(http.ResponseWriter, *http.Request) error{
		"GET /{$}":          p.showStudies,
		"GET /compare":      p.showComparison,
		"GET /compare.json": p.chartComparison,
		"GET /live":         p.live,
		"GET /drawing":      p.draw,
	} {
		p.mux.HandleFunc(pattern, p.answer(show))
	}
	for pattern, show := range map[string]func(http.ResponseWriter, *http.Request, *board) error{
		"GET /study/{study}":                        p.showResults,
		"GET /study/{study}/charts.json":            p.chartResults,
		"GET /study/{study}/trials.csv":             p.download,
		"GET /study/{study}/trial/{trial}":          p.showTrial,
		"GET /study/{study}/figure/{figure}":        p.showFigure,
		"GET /study/{study}/proposals":              p.showProposals,
		"POST /study/{study}/ask":                   p.ask,
		"POST /study/{study}/tell":                  p.tell,
		"POST /study/{study}/withdraw":              p.withdraw,
		"POST /study/{study}/trial/{trial}/correct": p.correct,
		"POST /study/{study}/trial/{trial}/strike":  p.strike,
	} {
		p.mux.HandleFunc(pattern, p.answer(func(w http.ResponseWriter, r *http.Request) error {
			b, err := p.board(r.PathValue("study"))
			if err != nil {
				return err
			}
			return show(w, r, b)
		}))
	}
	return p
}

// ServeHTTP implements http.Handler.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	Guard(w.Header())
	p.mux.ServeHTTP(w, r)
}

// Guard sets the headers of all pages: scripts and styles come from this server alone, and no other site shows them in
// a frame.
func Guard(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer") // addresses hold filters
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "HX-Request, Cookie")
}

// failure is an error that a visitor caused, with an HTTP status.
type failure struct {
	status int
	text   string
}

func (f failure) Error() string { return f.text }

// answer turns an error into a page.
func (p *Page) answer(show func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Body != nil && p.options.Body > 0 {
			r.Body = http.MaxBytesReader(w, r.Body, p.options.Body)
		}
		err := show(w, r)
		if err == nil || r.Context().Err() != nil {
			return
		}
		known, ok := errors.AsType[failure](err)
		switch stated, says := errors.AsType[interface {
			error
			GetStatus() int
		}](err); {
		case ok:
		case says:
			known = failure{stated.GetStatus(), stated.Error()}
		case usage.Is(err):
			known = failure{http.StatusUnprocessableEntity, err.Error()}
		default:
			p.options.Logger.Error("a page failed", "path", usage.Visible(r.URL.Path), "error", err)
			known = failure{http.StatusInternalServerError, "the server could not show this page; its log says why"}
		}
		p.views.show(w, r, known.status, "problem", problemView{frame: p.frame(r, "Problem"), Problem: sentence(known.text)})
	}
}

type problemView struct {
	frame
	Problem string
}

// board returns the board of a study.
func (p *Page) board(name string) (*board, error) {
	var names []string
	for _, b := range p.boards {
		if b.Name == name {
			return b, nil
		}
		names = append(names, b.Name)
	}
	return nil, failure{http.StatusNotFound, fmt.Sprintf("there is no study %q%s", usage.Visible(name), usage.Suggest(name, names))}
}

// sentence begins a text with a capital letter and ends it with a full stop.
func sentence(text string) string {
	text = usage.Visible(strings.TrimSpace(text))
	if text == "" {
		return ""
	}
	if first := text[0]; first >= 'a' && first <= 'z' {
		text = string(first-'a'+'A') + text[1:]
	}
	if !strings.ContainsAny(text[len(text)-1:], ".?!") {
		text += "."
	}
	return text
}

// patient lets a request take longer than a server's usual time to read it.
func patient(w http.ResponseWriter) error {
	if err := http.NewResponseController(w).SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	return nil
}
