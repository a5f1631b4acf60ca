// Package remote scores strings by a service: a URL that answers batches of strings.
package remote

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/internal/wire"
)

// Oracle scores each batch by one POST to a URL, whose body and answer are JSON:
//
//	{"id": 7, "x": ["ACDW", "MNPQ"]}
//	{"id": 7, "scores": [0.71, null], "reasons": [null, "it does not fold"]}
//
// null is no score, "reasons" may be left out, and other lists of numbers are kept as oracle.Result.Others. The status
// has to be
// 200. An error is oracle.Permanent if the request is refused (a status from 400 to 499 other than 408 and 429, a redirect
// elsewhere, a certificate that cannot be verified). A Retry-After of the service is respected by oracle.Retry.
type Oracle struct {
	url    *url.URL
	opts   Options
	client http.Client
	calls  atomic.Int64
}

// Options configure an Oracle. A zero field takes the value in the comment.
type Options struct {
	Property string // key of the scores; "scores"
	Token    string // sent as "Authorization: Bearer TOKEN"; none is sent
}

// New returns an Oracle for an http or https URL. A token is not sent to another machine without TLS.
func New(address string, opts Options) (*Oracle, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, err // names the URL
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("%q is no URL of a service; give one such as https://lab.example/score", address)
	case u.User != nil:
		return nil, fmt.Errorf("the URL of %s holds a name or a password; give a token instead", u.Host)
	case opts.Token != "" && u.Scheme == "http" && u.Hostname() != "localhost" && !net.ParseIP(u.Hostname()).IsLoopback():
		return nil, fmt.Errorf("%s would get the token unencrypted; give a URL with https", u.Host)
	case strings.ContainsFunc(opts.Token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, errors.New("the token has characters that a header cannot hold")
	}
	o := &Oracle{url: u, opts: opts}
	o.client.CheckRedirect = o.redirect
	return o, nil
}

// redirect refuses to send the request, with its token, elsewhere, or without its body.
func (o *Oracle) redirect(r *http.Request, via []*http.Request) error {
	switch {
	case r.URL.Host != o.url.Host || r.URL.Scheme != o.url.Scheme:
		return oracle.Permanent(fmt.Errorf("it redirects to %s://%s; give that URL if it is the right one", r.URL.Scheme, r.URL.Host))
	case r.Method != http.MethodPost:
		return oracle.Permanent(fmt.Errorf("it redirects to %s, which is not asked by POST; give that URL if it is the right one", r.URL.Path))
	case len(via) >= 10:
		return oracle.Permanent(errors.New("it redirects again and again"))
	}
	return nil
}

// String names the service in errors, without the query, which may be secret.
func (o *Oracle) String() string { return "the oracle at " + o.url.Host + o.url.Path }

// Score implements oracle.Oracle. The error wraps ctx's cause, or says what is wrong with the service or its answer.
func (o *Oracle) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if len(x) == 0 {
		return nil, nil
	}
	id := o.calls.Add(1)
	body, err := o.post(ctx, wire.Request(id, x))
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, fmt.Errorf("%v: %w", o, err)
	}
	results, err := wire.Answer(body, id, o.opts.Property, len(x), "")
	if err != nil {
		return nil, fmt.Errorf("%v answered %q: %w", o, shorten(body), err)
	}
	return results, nil
}

// post returns the body of the answer to a request.
func (o *Oracle) post(ctx context.Context, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, o.url.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	if o.opts.Token != "" {
		r.Header.Set("Authorization", "Bearer "+o.opts.Token)
	}
	answer, err := o.client.Do(r)
	if err != nil {
		if of, ok := errors.AsType[*url.Error](err); ok {
			err = of.Err // without the URL
		}
		if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
			err = oracle.Permanent(err)
		}
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, wire.MostAnswer+1))
	if answer.StatusCode != http.StatusOK {
		return nil, refusal(answer, text)
	}
	if err != nil {
		return nil, fmt.Errorf("its answer broke off: %w", err)
	}
	if len(text) > wire.MostAnswer {
		return nil, oracle.Permanent(fmt.Errorf("its answer has more than %d MB", wire.MostAnswer>>20))
	}
	return text, nil
}

// refusal returns the error of an answer with another status than 200.
func refusal(answer *http.Response, body []byte) error {
	err := fmt.Errorf("it answered %s", answer.Status)
	if said := shorten(body); said != "" {
		err = fmt.Errorf("%w: %s", err, said)
	}
	switch code := answer.StatusCode; {
	case code >= 500, code == http.StatusTooManyRequests, code == http.StatusRequestTimeout:
		return oracle.After(err, retryAfter(answer.Header.Get("Retry-After"), time.Now()))
	}
	return oracle.Permanent(err)
}

// retryAfter returns the time that a header Retry-After asks for, in seconds or as a date: an hour at most. It is 0 if
// it asks for none.
func retryAfter(header string, now time.Time) time.Duration {
	const most = time.Hour
	if seconds, err := strconv.ParseUint(header, 10, 64); err == nil {
		return time.Duration(min(seconds, uint64(most/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return min(max(0, at.Sub(now)), most)
	}
	return 0
}

// shorten returns as much of an answer as an error shows, on one line.
func shorten(body []byte) string {
	return usage.Shorten(strings.Join(strings.Fields(strings.ToValidUTF8(string(body[:min(len(body), 1000)]), "")), " "), 200)
}
