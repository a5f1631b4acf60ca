package page

import "net/http"

type signInView struct {
	frame
	Next    string
	Problem string
}

// ShowSignIn shows the form by which visitors sign in, to go on to an address of this server.
func (p *Page) ShowSignIn(w http.ResponseWriter, r *http.Request, status int, next, problem string) {
	Guard(w.Header())
	v := signInView{frame: p.frame(r, "Sign in"), Next: next, Problem: problem}
	if err := p.views.show(w, r, status, "signin", v); err != nil {
		p.options.Logger.Error("a page failed", "path", r.URL.Path, "error", err)
	}
}
