package serve

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// limits of each client. One that is idle for long enough to have its whole burst again is forgotten.
type clients struct {
	rate  rate.Limit
	burst int
	now   func() time.Time

	mu    sync.Mutex
	known map[who]*budget
	swept time.Time // when idle ones were forgotten last
}

type budget struct {
	*rate.Limiter
	streams int // that are open
}

// mostClients is how many clients are known before idle ones are forgotten; beyond twice as many nobody new is let in.
const mostClients = 10_000

func newClients(perSecond float64, now func() time.Time) *clients {
	return &clients{rate: rate.Limit(perSecond), burst: max(1, int(10*perSecond)), now: now, known: map[who]*budget{}}
}

// of returns what is left to a client; nil if there are too many. The caller holds mu.
func (c *clients) of(w who) *budget {
	b := c.known[w]
	if b != nil {
		return b
	}
	if now := c.now(); len(c.known) >= mostClients && now.Sub(c.swept) >= time.Second { // which takes milliseconds
		c.swept = now
		for w, b := range c.known {
			if b.streams == 0 && b.TokensAt(c.now()) >= float64(c.burst) {
				delete(c.known, w)
			}
		}
	}
	if len(c.known) >= 2*mostClients {
		return nil
	}
	b = &budget{Limiter: rate.NewLimiter(c.rate, c.burst)}
	c.known[w] = b
	return b
}

// allow reports whether a client may make a request now.
func (c *clients) allow(w who) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.of(w)
	return b != nil && b.AllowN(c.now(), 1)
}

// follow reports whether a client may open another stream, of so many, and counts it.
func (c *clients) follow(w who, most int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.of(w)
	if b == nil || b.streams >= most {
		return false
	}
	b.streams++
	return true
}

// leave counts a stream that has ended.
func (c *clients) leave(w who) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known[w].streams--
}

// address returns the address of the machine that a request is from: no header says another one.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	if ip := net.ParseIP(host); ip != nil && ip.To4() == nil { // who has one address of IPv6 has 2⁶⁴
		return ip.Mask(net.CIDRMask(64, 128)).String() + "/64"
	}
	return host
}

// limitRate refuses requests beyond the rate of a client.
func (a *API) limitRate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !a.clients.allow(who{client(r.Context()).Name, address(r)}) {
			a.tooMany(w)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// tooMany answers a request beyond the rate.
func (a *API) tooMany(w http.ResponseWriter) {
	a.service.metrics.refused.WithLabelValues("rate").Inc()
	w.Header().Set("Retry-After", "1")
	refuse(w, http.StatusTooManyRequests, fmt.Sprintf("more than %g requests a second; try again in a second", a.limits.Rate))
}
