package serve

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/page"
	"github.com/invbo/invbo/internal/usage"
)

// Limits bound what clients may do.
type Limits struct {
	Rate      float64       // requests a second of each client, which is a token at an address; ten times as many at once
	Body      int64         // bytes of a request
	Streams   int           // of events, at a time
	PerClient int           // of these, of each client
	Read      time.Duration // of a request, and of its body after the header
	Write     time.Duration // of a piece of a response
	Idle      time.Duration // of a connection between requests
	Heartbeat time.Duration // between comments in a stream of events
	Shutdown  time.Duration // for requests to end
}

// DefaultLimits returns the usual limits.
func DefaultLimits() Limits {
	return Limits{
		Rate: 100, Body: 1 << 20, Streams: 100, PerClient: 10,
		Read: 15 * time.Second, Write: 30 * time.Second, Idle: 2 * time.Minute, Heartbeat: 15 * time.Second, Shutdown: 30 * time.Second,
	}
}

// API is the HTTP API of a service: an http.Handler.
type API struct {
	http.Handler
	OpenAPI *huma.OpenAPI

	service *Service
	tokens  *Tokens // nil: none are needed
	version string
	limits  Limits
	clients *clients
	strange *clients      // that have no token
	streams chan struct{} // one for each that is open
	closing chan struct{} // closed when streams have to end

	checking sync.Mutex // the fields below
	checked  time.Time
	unready  string // why, as found then
}

// NewAPI returns the API of a service, and its page if this build has it. Without tokens only requests to this machine
// by a loopback name are answered.
func NewAPI(s *Service, tokens *Tokens, version string, limits Limits) *API {
	return newAPI(s, tokens, version, limits, page.Bundle())
}

// newAPI is NewAPI with the scripts and styles of the page; nil: there is no page.
func newAPI(s *Service, tokens *Tokens, version string, limits Limits, bundle fs.FS) *API {
	mux := http.NewServeMux()
	config := huma.DefaultConfig("InvBO", version)
	config.Info.Description = "Studies that propose which strings to measure next. Ask for proposals, measure them, tell the scores."
	config.DocsPath = "" // its page needs other hosts
	config.SchemasPath, config.CreateHooks = "", nil
	config.RejectUnknownQueryParameters = true
	format := huma.Format{Marshal: writeJSON, Unmarshal: decode}
	config.Formats = map[string]huma.Format{"application/json": format, "json": format}
	config.Transformers = []huma.Transformer{func(_ huma.Context, _ string, v any) (any, error) {
		if m, ok := v.(*huma.ErrorModel); ok {
			if m.Status == http.StatusRequestEntityTooLarge {
				m.Detail = fmt.Sprintf("the request has more than %d bytes; split it", limits.Body)
			}
			plain(m)
		}
		return v, nil
	}}
	if tokens != nil {
		config.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"token": {Type: "http", Scheme: "bearer"}}
		config.Security = []map[string][]string{{"token": {}}}
	}
	api := humago.New(mux, config)
	a := &API{
		OpenAPI: api.OpenAPI(), service: s, tokens: tokens, version: version, limits: limits, clients: newClients(limits.Rate, s.now), strange: newClients(limits.Rate, s.now),
		streams: make(chan struct{}, limits.Streams), closing: make(chan struct{}),
	}
	a.register(api)
	s.metrics.version(version)
	mux.Handle("GET /metrics", s.metrics.handler())

	open := http.NewServeMux() // what needs no token
	open.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	open.HandleFunc("GET /readyz", a.ready)
	open.Handle("/", a.authorize(a.limitRate(answered(mux)), tokens))
	a.mountPage(open, tokens, bundle)
	a.Handler = a.observe(a.limitTimes(open))
	return a
}

// answered answers requests that a mux has no handler for as all others that are refused.
func answered(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := mux.Handler(r); pattern != "" {
			mux.ServeHTTP(w, r)
			return
		}
		found := &head{header: http.Header{}}
		mux.ServeHTTP(found, r)
		switch allowed := found.header.Get("Allow"); {
		case found.status == http.StatusMethodNotAllowed:
			w.Header().Set("Allow", allowed)
			refuse(w, found.status, fmt.Sprintf("%s takes %s, not %s; the API is described at /openapi.json", r.URL.Path, allowed, r.Method))
		default:
			refuse(w, http.StatusNotFound, fmt.Sprintf("there is nothing at %s; the API is described at /openapi.json", usage.Shorten(r.URL.Path, 100)))
		}
	})
}

// head is a response that drops its body: only its head counts.
type head struct {
	header http.Header
	status int
}

func (h *head) Header() http.Header         { return h.header }
func (h *head) Write(p []byte) (int, error) { return len(p), nil }
func (h *head) WriteHeader(status int)      { h.status = status }

// ready answers whether answers could be stored now. It looks at most once a second, for all who ask: an end of the
// first one's request says nothing of the store.
func (a *API) ready(w http.ResponseWriter, r *http.Request) {
	a.checking.Lock()
	defer a.checking.Unlock()
	if now := time.Now(); now.Sub(a.checked) >= time.Second {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), 5*time.Second)
		defer cancel()
		a.checked, a.unready = now, a.service.unready(ctx)
	}
	select {
	case <-a.closing:
		refuse(w, http.StatusServiceUnavailable, "the server is shutting down")
	default:
		if a.unready != "" {
			refuse(w, http.StatusServiceUnavailable, a.unready)
			return
		}
		fmt.Fprintln(w, "ready")
	}
}

// writeJSON writes JSON in which no text has characters that change what a terminal shows.
func writeJSON(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err == nil {
		_, err = w.Write(append(usage.VisibleJSON(text), '\n'))
	}
	return err
}

// InStudy is the part that requests about a study have in common. It is exported because huma looks into no other.
type InStudy struct {
	Study string `path:"study" maxLength:"64" pattern:"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" doc:"Name of the study: that of its file without .db."`
}

// Resolve ends the time for the body, which has been read: the answer may take longer.
func (InStudy) Resolve(ctx huma.Context) []error {
	if err := ctx.SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return []error{err}
	}
	return nil
}

// body is a response.
type body[T any] struct{ Body T }

// registerPost registers a verb that has a body.
func registerPost[In, Out any](api huma.API, s *Service, op huma.Operation, verb func(*entry, context.Context, In) (*Out, error)) {
	huma.Register(api, op, func(ctx context.Context, in *struct {
		InStudy
		Body In
	}) (*body[*Out], error) {
		out, err := do(ctx, s, in.Study, op.OperationID, verb, in.Body)
		return &body[*Out]{out}, err
	})
}

func (a *API) register(api huma.API) {
	operation := func(method, path, id, summary, description string, statuses ...int) huma.Operation {
		statuses = append(statuses, http.StatusUnauthorized, http.StatusForbidden, http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusInternalServerError)
		if strings.Contains(path, "{study}") {
			statuses = append(statuses, http.StatusNotFound)
		}
		if method == http.MethodPost {
			statuses = append(statuses, http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType,
				http.StatusServiceUnavailable, http.StatusInsufficientStorage)
		}
		return huma.Operation{
			OperationID: id, Method: method, Path: path, Summary: summary, Description: description, Errors: statuses,
			MaxBodyBytes: a.limits.Body + 1, BodyReadTimeout: a.limits.Read,
		}
	}
	s := a.service
	huma.Register(api, operation(http.MethodGet, "/studies", "studies", "List the studies", ""),
		func(context.Context, *struct{}) (*body[[]Summary], error) {
			return &body[[]Summary]{s.summaries()}, nil
		})
	huma.Register(api, operation(http.MethodGet, "/studies/{study}", "status", "Say where a study stands", ""),
		func(ctx context.Context, in *InStudy) (*body[*Status], error) {
			out, err := do(ctx, s, in.Study, "say where it stands", (*entry).status, struct{}{})
			return &body[*Status]{out}, err
		})
	huma.Register(api, operation(http.MethodGet, "/studies/{study}/trials", "trials", "List the trials", trialsAbout),
		func(ctx context.Context, in *struct {
			InStudy
			TrialsRequest
		}) (*body[*TrialsResponse], error) {
			out, err := do(ctx, s, in.Study, "list trials", (*entry).trials, in.TrialsRequest)
			return &body[*TrialsResponse]{out}, err
		})
	registerPost(api, s, operation(http.MethodPost, "/studies/{study}/ask", "ask", "Propose what to measure next", askAbout, http.StatusConflict), (*entry).ask)
	registerPost(api, s, operation(http.MethodPost, "/studies/{study}/tell", "tell", "Tell what was measured", tellAbout), (*entry).tell)
	registerPost(api, s, operation(http.MethodPost, "/studies/{study}/strike", "strike", "Strike a measurement", strikeAbout, http.StatusConflict), (*entry).strike)
	registerPost(api, s, operation(http.MethodPost, "/studies/{study}/withdraw", "withdraw", "Take back a proposal", withdrawAbout, http.StatusConflict), (*entry).withdraw)
	events := operation(http.MethodGet, "/studies/{study}/events", "events", "Follow a study", eventsAbout, http.StatusServiceUnavailable)
	events.Responses = map[string]*huma.Response{"200": {
		Description: "A stream of server-sent events",
		Content:     map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
	huma.Register(api, events, func(ctx context.Context, in *struct {
		InStudy
		After string `header:"Last-Event-ID" maxLength:"18" pattern:"^[0-9]+$" doc:"The id of the latest event that was received; 0 for all. Without it the stream begins now."`
	}) (*huma.StreamResponse, error) {
		return a.follow(ctx, in.Study, in.After)
	})
}

// What the verbs do, for clients of both transports.
const (
	askAbout = "Returns strings to measure. They are reserved for you until the lease ends: nobody else is asked for them. " +
		"Proposals whose lease ended without an answer come first, to be handed out again. It may take as long as the search thinks."
	tellAbout = "Stores measurements, on the scale and in the unit that status states, or in the unit of the answer. Telling the same again changes nothing, so that a request may be repeated after a failure of the network. " +
		"Another score of the same string is another measurement, and the search uses the mean; with correct it takes the place of the only one, and with " +
		"measurement that of one of several. Strings that were not proposed may be told, too. Equal scores of two measurements of one string count twice only within one request."
	strikeAbout = "Takes out a measurement that was never one of that string, as of a wrong sample: it stays in the study, with the reason, and counts no more. " +
		"To put another score in its place, tell that with correct, or with measurement."
	withdrawAbout = "For a proposal that nobody will measure, because it cannot be made, for one. The search learns from it as from a failed measurement."
	trialsAbout   = "Trials in the order in which they were begun, page by page. New ones come at the end: no page changes its place."
	eventsAbout   = "Server-sent events: proposals (new ones; data is a list of trials), answer (a trial that was measured, corrected, withdrawn) and " +
		"best (a trial, when it or its score is a new best). Data are trials as they are when they are sent. The stream begins with the id of the latest event before it, and ends when the server does; connect again with Last-Event-ID."
)

// follow streams the events of a study.
func (a *API) follow(ctx context.Context, name, after string) (*huma.StreamResponse, error) {
	e, err := a.service.study(name)
	if err != nil {
		return nil, err
	}
	n := e.Latest()
	if after != "" {
		given, _ := strconv.Atoi(after) // it is digits
		n = min(n, given)
	}
	by, _ := ctx.Value(whoKey{}).(who)
	leave, err := a.beginStream(by)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		defer leave()
		ctx.SetHeader("Content-Type", "text/event-stream")
		ctx.SetHeader("Cache-Control", "no-store")
		_, w := humago.Unwrap(ctx)
		// Its errors are those of a client that left.
		a.stream(ctx.Context(), e, n, w)
	}}, nil
}

// beginStream counts a stream of events of a client, or refuses it.
func (a *API) beginStream(by who) (leave func(), _ error) {
	if !a.clients.follow(by, a.limits.PerClient) {
		a.service.metrics.refused.WithLabelValues("streams").Inc()
		return nil, huma.Error429TooManyRequests(fmt.Sprintf("%d streams of events are open from here; close one", a.limits.PerClient))
	}
	select {
	case a.streams <- struct{}{}:
	default:
		a.clients.leave(by)
		a.service.metrics.refused.WithLabelValues("streams").Inc()
		return nil, huma.Error503ServiceUnavailable(fmt.Sprintf("%d streams of events are open; close one, or try later", cap(a.streams)))
	}
	a.service.metrics.streams.Inc()
	return func() {
		<-a.streams
		a.clients.leave(by)
		a.service.metrics.streams.Dec()
	}, nil
}

// stream sends the events after the n-th until the client leaves or the server ends. A message has an id if no other
// about its event follows it: a client that was cut off before gets all of them again.
func (a *API) stream(ctx context.Context, e *entry, n int, w http.ResponseWriter) error {
	control := http.NewResponseController(w)
	heartbeat := time.NewTicker(a.limits.Heartbeat)
	defer heartbeat.Stop()
	if _, err := fmt.Fprintf(w, ": follows\nid: %d\n\n", n); err != nil { // a client that is cut off before the first event misses none
		return err
	}
	for {
		notes, more := e.Watch(n)
		for _, note := range notes {
			n++
			if _, err := w.Write(e.messages(n, note)); err != nil {
				return err
			}
		}
		if err := control.Flush(); err != nil {
			return err
		}
		select {
		case <-more:
		case <-heartbeat.C:
			if _, err := fmt.Fprint(w, ": still here\n\n"); err != nil {
				return err
			}
		case <-a.closing:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// messages returns what is sent about the n-th event.
func (e *entry) messages(n int, about experiment.Note) []byte {
	type message struct {
		event string
		data  any
	}
	var all []message
	if len(about.Proposed) > 0 {
		var proposed []Trial
		for _, id := range about.Proposed {
			proposed = append(proposed, e.trial(id))
		}
		all = append(all, message{"proposals", proposed})
	}
	for _, id := range about.Answered {
		all = append(all, message{"answer", e.trial(id)})
	}
	if about.Best > 0 {
		all = append(all, message{"best", e.trial(about.Best)})
	}
	var text []byte
	for i, m := range all {
		data, err := json.Marshal(m.data)
		if err != nil {
			panic(err) // strings and finite numbers
		}
		if i == len(all)-1 {
			text = fmt.Appendf(text, "id: %d\n", n)
		}
		text = fmt.Appendf(text, "event: %s\ndata: %s\n\n", m.event, usage.VisibleJSON(data))
	}
	return text
}

// refuse answers a request with an error.
func refuse(w http.ResponseWriter, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	writeJSON(w, huma.NewError(status, detail)) // its error is that of a client that left
}

// whoKey is the key of who makes a request, for limits.
type whoKey struct{}

// needs returns the role that a request needs. What a telling changes is looked at when it is read.
func needs(r *http.Request) Role {
	switch {
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		return Read
	case verbOf(r) == "strike":
		return Admin
	}
	return Tell
}

// authorize refuses requests without a token, or beyond what its role may do. Where there are no tokens it refuses
// those that a web page could make in the browser of somebody on this machine: by a name that leads here (DNS
// rebinding), or from another site.
func (a *API) authorize(next http.Handler, tokens *Tokens) http.Handler {
	refused := a.service.metrics.refused
	if tokens == nil {
		return a.local(a.as(everybody, next))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		c, ok := tokens.find(given)
		if !ok || !strings.EqualFold(scheme, "Bearer") {
			if !a.strange.allow(who{address: address(r)}) { // who tries tokens
				a.tooMany(w)
				return
			}
			refused.WithLabelValues("token").Inc()
			w.Header().Set("WWW-Authenticate", `Bearer realm="invbo"`)
			refuse(w, http.StatusUnauthorized, "give a token of the server, as in the header Authorization: Bearer TOKEN")
			return
		}
		if role := needs(r); c.Role < role {
			refused.WithLabelValues("role").Inc()
			refuse(w, http.StatusForbidden, fmt.Sprintf("the token %s has the role %s; this needs the role %s", c.Name, c.Role, role))
			return
		}
		a.as(c, next).ServeHTTP(w, r)
	})
}

// as answers requests as those of a client.
func (a *API) as(c Client, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if by, ok := r.Context().Value(identified{}).(*Client); ok {
			*by = c
		}
		if verb := verbOf(r); a.tokens != nil && (verb == "events" || verb == "live") {
			w = &accepted{w, a.tokens, c}
		}
		ctx := context.WithValue(r.Context(), clientKey{}, c)
		next.ServeHTTP(w, r.WithContext(context.WithValue(ctx, whoKey{}, who{c.Name, address(r)})))
	})
}

// accepted writes a stream while the server accepts the token of the client. Each event and each heartbeat is a write.
type accepted struct {
	http.ResponseWriter
	tokens *Tokens
	client Client
}

// Unwrap is for http.ResponseController.
func (w *accepted) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// errRevoked ends a stream.
var errRevoked = errors.New("the token of the stream was revoked")

func (w *accepted) Write(p []byte) (int, error) {
	if _, ok := w.tokens.holder(w.client.token); !ok {
		return 0, errRevoked
	}
	return w.ResponseWriter.Write(p)
}

// local answers only requests to this machine by a loopback name, and none that a page of another site makes.
func (a *API) local(next http.Handler) http.Handler {
	same := a.sameOrigin(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !loopbackName(r.Host) {
			a.service.metrics.refused.WithLabelValues("host").Inc()
			refuse(w, http.StatusForbidden, "a server without tokens answers only as localhost or 127.0.0.1")
			return
		}
		same.ServeHTTP(w, r)
	})
}

// sameOrigin refuses requests that change something and are from pages of other sites.
func (a *API) sameOrigin(next http.Handler) http.Handler {
	crossOrigin := http.NewCrossOriginProtection()
	crossOrigin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		a.service.metrics.refused.WithLabelValues("host").Inc()
		refuse(w, http.StatusForbidden, "the request is from another web site")
	}))
	return crossOrigin.Handler(next)
}

// loopbackName reports whether a Host header names this machine itself.
func loopbackName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// limitTimes gives each piece of a response its time, however long the answer takes as a whole.
func (a *API) limitTimes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&timedWriter{w, a.limits.Write}, r)
		// What was not read of the request has its time, too. Where that cannot be set, in tests, nothing waits for it.
		http.NewResponseController(w).SetReadDeadline(time.Now().Add(a.limits.Read))
	})
}

type timedWriter struct {
	http.ResponseWriter
	limit time.Duration
}

// Unwrap is for http.ResponseController.
func (w *timedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Write begins the time anew.
func (w *timedWriter) Write(p []byte) (int, error) {
	err := http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.limit))
	if err != nil && !errors.Is(err, http.ErrNotSupported) { // as in tests
		return 0, err
	}
	return w.ResponseWriter.Write(p)
}

// Serve answers requests until ctx ends, encrypted if there is a certificate. Then streams end, and other requests get
// the time to.
func (a *API) Serve(ctx context.Context, l net.Listener, certificates ...tls.Certificate) error {
	server := &http.Server{
		Handler: a, TLSConfig: &tls.Config{Certificates: certificates, MinVersion: tls.VersionTLS12},
		ReadTimeout: a.limits.Read, IdleTimeout: a.limits.Idle, MaxHeaderBytes: 16 << 10,
		ErrorLog: slog.NewLogLogger(a.service.log.Handler(), slog.LevelWarn),
	}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		close(a.closing)
		ctx, cancel := context.WithTimeout(context.Background(), a.limits.Shutdown)
		defer cancel()
		err := server.Shutdown(ctx)
		if errors.Is(err, context.DeadlineExceeded) {
			err = errors.Join(fmt.Errorf("requests were cut off: they did not end within %s", a.limits.Shutdown), server.Close())
		}
		stopped <- err
	})
	serve := server.Serve
	if len(certificates) > 0 {
		serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
	}
	err := serve(l)
	if !stop() && errors.Is(err, http.ErrServerClosed) {
		return <-stopped
	}
	return err
}
