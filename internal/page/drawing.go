package page

import (
	"net/http"
	"sync"

	"github.com/invbo/invbo/internal/experiment"
)

// drawings are the latest drawings of molecules, by SMILES: as a table is drawn again and again, and RDKit takes
// milliseconds.
type drawings struct {
	mu           sync.Mutex
	recent, past map[string][]byte // past is what recent was before it was full
}

// mostDrawings is how many drawings recent holds: of about 5 kB each.
const mostDrawings = 2000

func newDrawings() *drawings { return &drawings{recent: map[string][]byte{}} }

// of returns the drawing of a molecule as SVG.
func (d *drawings) of(smiles string) ([]byte, error) {
	d.mu.Lock()
	svg, ok := d.recent[smiles]
	if !ok {
		svg, ok = d.past[smiles]
	}
	d.mu.Unlock()
	if !ok {
		const size = 200 // pixels, at which bonds and letters can be read in a table, too
		var err error
		if svg, err = experiment.Picture(smiles, size); err != nil {
			return nil, err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.recent) >= mostDrawings {
		d.recent, d.past = map[string][]byte{}, d.recent
	}
	d.recent[smiles] = svg
	return svg, nil
}

// draw draws a molecule. Its address says all that it shows, so that browsers may keep it.
func (p *Page) draw(w http.ResponseWriter, r *http.Request) error {
	svg, err := p.drawings.of(r.URL.Query().Get("smiles"))
	if err != nil {
		return err
	}
	picture(w.Header())
	w.Header().Set("Cache-Control", "private, max-age=604800, immutable")
	_, err = w.Write(svg)
	return err
}

// picture sets the headers of a picture. Its own styles hold only where a page shows it as a picture, and scripts never run.
func picture(h http.Header) {
	h.Set("Content-Type", "image/svg+xml")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
}
