package remote

import "net/http"

// SetTransport has o ask by t in place of http.DefaultTransport.
func (o *Oracle) SetTransport(t http.RoundTripper) { o.client.Transport = t }
