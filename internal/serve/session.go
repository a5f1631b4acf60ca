package serve

import (
	"crypto/rand"
	"crypto/sha256"
	"net/http"
	"sync"
	"time"
)

// sessions are those who signed in to the page with a token. A cookie holds a random secret, and not the token; the
// token is looked up again at each request, so that a session ends with it. They end with the process, too.
type sessions struct {
	now func() time.Time

	mu   sync.Mutex
	open map[[sha256.Size]byte]session // by the hash of the secret
}

type session struct {
	token [sha256.Size]byte // its hash
	until time.Time
}

const (
	sessionCookie = "invbo_session"
	sessionLength = 7 * 24 * time.Hour // after its latest request
	mostSessions  = 10_000             // before those that ended are forgotten; beyond twice as many nobody signs in
)

func newSessions(now func() time.Time) *sessions {
	return &sessions{now: now, open: map[[sha256.Size]byte]session{}}
}

// begin opens a session of a token, and sets its cookie. It returns false if there are too many.
func (s *sessions) begin(w http.ResponseWriter, r *http.Request, token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) >= mostSessions {
		for secret, known := range s.open {
			if s.now().After(known.until) {
				delete(s.open, secret)
			}
		}
	}
	if len(s.open) >= 2*mostSessions {
		return false
	}
	secret := rand.Text() + rand.Text()
	s.open[sha256.Sum256([]byte(secret))] = session{sha256.Sum256([]byte(token)), s.now().Add(sessionLength)}
	setSession(w, r, secret, int(sessionLength.Seconds()))
	return true
}

// end closes the session of a request.
func (s *sessions) end(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, err := r.Cookie(sessionCookie); err == nil {
		delete(s.open, sha256.Sum256([]byte(c.Value)))
	}
	setSession(w, r, "", -1)
}

func setSession(w http.ResponseWriter, r *http.Request, secret string, seconds int) {
	http.SetCookie(w, &http.Cookie{
		Name: sessionCookie, Value: secret, Path: "/", MaxAge: seconds, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil,
	})
}

// client returns who signed in, if the token is still one of the server.
func (s *sessions) client(r *http.Request, tokens *Tokens) (Client, bool) {
	c, err := r.Cookie(sessionCookie)
	if err != nil {
		return Client{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	secret := sha256.Sum256([]byte(c.Value))
	known, ok := s.open[secret]
	if !ok || s.now().After(known.until) {
		delete(s.open, secret)
		return Client{}, false
	}
	known.until = s.now().Add(sessionLength)
	s.open[secret] = known
	return tokens.holder(known.token)
}
