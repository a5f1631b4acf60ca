package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

// bundled holds what make page makes of web, beside a file that says so.
//
//go:embed bundle
var bundled embed.FS

// script and style are the files of the bundle that pages name.
const (
	script = "page.js"
	style  = "page.css"
)

// Bundle returns the scripts and styles of this build; nil if it was built without them.
func Bundle() fs.FS {
	files, err := fs.Sub(bundled, "bundle")
	if err != nil {
		return nil
	}
	if _, err := fs.Stat(files, script); err != nil {
		return nil
	}
	return files
}

// assets serves the bundle. Addresses have the hash of the content, so that browsers may keep it.
type assets struct {
	content map[string][]byte
	version map[string]string
}

// newAssets reads a bundle, which is a part of the program; nil: there is nothing to serve.
func newAssets(bundle fs.FS) *assets {
	a := &assets{content: map[string][]byte{}, version: map[string]string{}}
	if bundle == nil {
		return a
	}
	names, err := fs.Glob(bundle, "*")
	if err != nil {
		panic("page: " + err.Error())
	}
	for _, name := range names {
		text, err := fs.ReadFile(bundle, name)
		if err != nil {
			panic("page: " + err.Error())
		}
		a.content[name], a.version[name] = text, fmt.Sprintf("%x", sha256.Sum256(text))[:12]
	}
	return a
}

// address returns the address of a file of the bundle.
func (a *assets) address(name string) string { return "/assets/" + name + "?v=" + a.version[name] }

// ServeHTTP implements http.Handler.
func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := path.Clean(r.URL.Path)
	text, ok := a.content[name]
	if !ok || strings.HasSuffix(name, ".md") {
		http.NotFound(w, r)
		return
	}
	if r.URL.Query().Get("v") == a.version[name] {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
}
