// Package serve offers studies to programs in other languages: over HTTP (http.go), and as tools of assistants over MCP
// (mcp.go). The verbs (verbs.go) are those of Optuna, ask, tell and trials, and do what internal/experiment does.
package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
)

// Service is a set of open studies. Its methods may be called from several goroutines at once.
type Service struct {
	studies map[string]*entry
	now     func() time.Time
	log     *slog.Logger
	metrics *metrics

	life context.Context // of proposals, which outlast the client that asked for them
	end  context.CancelFunc

	beginning sync.Mutex     // so that nothing begins once life has ended
	begun     sync.WaitGroup // what ends with life
}

// entry is an open study.
type entry struct {
	*experiment.Experiment
	of        *Service
	name      string
	normalize func(text string) (input, note string, err error) // nil: strings are left as they are

	asking  chan struct{}     // full while somebody asks: one at a time, so that no two are lent the same
	lending sync.Mutex        // the field below
	until   map[int]time.Time // end of the lease, by trial. Times are compared by the monotonic clock, which nobody sets
	telling sync.Mutex        // so that of two equal answers at once one is known already
}

// Options configure a Service. A zero field takes the value in the comment.
type Options struct {
	Now    func() time.Time // time.Now
	Logger *slog.Logger     // discards

	Patience time.Duration // how long to go on trying to reach a database that is away; 0: not at all
}

// ahead is how many proposals a search is asked for at a time where many clients ask for few: see study.Options.Ahead.
const ahead = 256

// names are those that studies may have: they are a part of URLs.
var names = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// Open opens studies and names each after its place: see experiment.Place.Name. The notes say what has changed since a
// study began.
func Open(ctx context.Context, places []string, opts Options) (s *Service, notes []string, err error) {
	s = &Service{studies: map[string]*entry{}, now: opts.Now, log: opts.Logger}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.metrics = newMetrics(s)
	s.life, s.end = context.WithCancel(context.Background())
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if at, ok := repeated(places); ok {
		return s, nil, usage.Errorf("%s is given twice; give each study once", at)
	}
	for _, at := range places {
		e, err := experiment.Open(ctx, at, experiment.Options{Logger: s.log, Ahead: ahead, Patience: opts.Patience, Away: func(err error) {
			s.log.Warn("a database is away, and is waited for", "error", err, "wait", opts.Patience)
		}})
		if err != nil {
			return s, nil, err
		}
		if err := s.add(ctx, e); err != nil {
			return s, nil, errors.Join(err, e.Close())
		}
		for _, note := range e.Notes {
			notes = append(notes, e.Place().Name()+": "+note)
		}
	}
	return s, notes, nil
}

// repeated returns a place that is given twice, if there is one.
func repeated(places []string) (at string, _ bool) {
	var seen []string
	for _, at := range places {
		place, err := experiment.ParsePlace(at)
		if err != nil {
			continue // to open it says why
		}
		path := place.String()
		if slices.ContainsFunc(seen, func(other string) bool { return path == other || sameFile(path, other) }) {
			return at, true
		}
		seen = append(seen, path)
	}
	return "", false
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// add adds an open experiment.
func (s *Service) add(ctx context.Context, x *experiment.Experiment) (err error) {
	name := x.Place().Name()
	if !names.MatchString(name) {
		return usage.Errorf("%s: its name is a part of URLs; rename it to one of letters, digits, dots, hyphens and underscores, up to 64", x.Place())
	}
	if other := s.studies[name]; other != nil {
		return usage.Errorf("%s and %s are both called %s; rename one", other.Place(), x.Place(), name)
	}
	e := &entry{Experiment: x, of: s, name: name, asking: make(chan struct{}, 1), until: map[int]time.Time{}}
	if e.normalize, err = x.Normalize(); err != nil {
		return err
	}
	leases, err := x.Leases(ctx) // of an earlier process
	if err != nil {
		return err
	}
	now := s.now()
	for _, l := range leases {
		// If the clock went back since, one may have been granted in the future: it then begins now, so that it is as
		// long as was asked for.
		e.until[l.Trial] = now.Add(l.For - max(0, now.Sub(l.Granted)))
	}
	s.studies[name] = e
	return nil
}

// Names returns the names of the studies, sorted.
func (s *Service) Names() []string { return slices.Sorted(maps.Keys(s.studies)) }

// unready says why answers cannot be stored; empty if they can.
func (s *Service) unready(ctx context.Context) string {
	for _, name := range s.Names() {
		if err := s.studies[name].Reachable(ctx); err != nil {
			s.log.Error("answers cannot be stored", "study", name, "error", err)
			if errors.Is(err, sqlite.ErrFull) {
				return fmt.Sprintf("the disk of the study %s is full", name)
			}
			return fmt.Sprintf("answers of the study %s cannot be stored; the server's log says why", name)
		}
	}
	return ""
}

// begin runs what outlasts the request that begins it. It is false, and runs nothing, once the service is closed.
func (s *Service) begin(work func(ctx context.Context)) bool {
	s.beginning.Lock()
	defer s.beginning.Unlock()
	if s.life.Err() != nil {
		return false
	}
	s.begun.Go(func() { work(s.life) })
	return true
}

// Close ends searches that go on, and closes the studies. Closed again it does nothing.
func (s *Service) Close() error {
	if s.life.Err() != nil {
		return nil
	}
	s.beginning.Lock()
	s.end()
	s.beginning.Unlock()
	s.begun.Wait()
	var errs []error
	for _, name := range s.Names() {
		e := s.studies[name]
		e.asking <- struct{}{} // nobody asks any more
		e.telling.Lock()
		errs = append(errs, e.Experiment.Close())
	}
	return errors.Join(errs...)
}

// study returns the study of a name; that of no name is the only one.
func (s *Service) study(name string) (*entry, error) {
	if name == "" && len(s.studies) == 1 {
		name = s.Names()[0]
	}
	if e := s.studies[name]; e != nil {
		return e, nil
	}
	if name == "" {
		return nil, huma.Error422UnprocessableEntity("say which study: " + strings.Join(s.Names(), ", "))
	}
	return nil, huma.Error404NotFound(fmt.Sprintf("there is no study %q%s", name, usage.Suggest(name, s.Names())))
}

// do does what a client wants of a study. The error is that of explain.
func do[In, Out any](ctx context.Context, s *Service, name, what string, verb func(*entry, context.Context, In) (*Out, error), in In) (*Out, error) {
	e, err := s.study(name)
	if err != nil {
		return nil, err
	}
	out, err := verb(e, ctx, in)
	if err != nil {
		return nil, s.explain(e, what, err)
	}
	return out, nil
}

// notStored ends an error of a study that cannot be written now. Of several answers some may have been stored before.
const notStored = ": nothing more of this request is stored. Repeat it when the operator of the server has mended that; what is stored already counts once"

// explain returns an error of a verb as one of huma, with an HTTP status; nil of nil. What clients can do nothing about
// is logged.
func (s *Service) explain(e *entry, what string, err error) error {
	var known huma.StatusError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case errors.Is(err, study.ErrDone):
		return huma.Error409Conflict("the budget of the study is spent or waits for answers: there is nothing more to ask")
	case errors.Is(err, sqlite.ErrAstray):
		s.metrics.failures.WithLabelValues(e.name, what).Inc()
		s.log.Error("nothing is stored", "study", e.name, "error", err)
		return huma.Error503ServiceUnavailable("the file of the study was moved, removed or replaced while the server uses it: nothing was stored, and nothing is until its operator has put that right")
	case errors.Is(err, sqlite.ErrFull), errors.Is(err, sqlite.ErrUnwritable):
		s.metrics.failures.WithLabelValues(e.name, what).Inc()
		s.log.Error("the study cannot be written", "study", e.name, "verb", what, "error", err)
		if errors.Is(err, sqlite.ErrFull) {
			return huma.NewError(http.StatusInsufficientStorage, "the disk of the study is full"+notStored)
		}
		return huma.Error503ServiceUnavailable("the file of the study cannot be written" + notStored)
	case errors.Is(err, study.ErrExhausted):
		return huma.Error409Conflict(study.ErrExhausted.Error())
	case s.life.Err() != nil:
		return huma.Error503ServiceUnavailable("the server is shutting down; ask again when it is back")
	}
	s.metrics.failures.WithLabelValues(e.name, what).Inc()
	s.log.Error("a request failed", "study", e.name, "verb", what, "error", err)
	return huma.Error500InternalServerError("the server could not " + what + "; its log says why")
}
