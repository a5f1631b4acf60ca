package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/invbo/invbo/internal/usage"
)

//go:embed templates
var templates embed.FS

// views are the parsed templates, each with the layout.
type views map[string]*template.Template

// frame is what all pages have around their content.
type frame struct {
	Title   string
	Study   string // of the page; empty: it is of several
	Tab     string // of a study
	Visitor Visitor
	Version string
	Fresh   bool   // a part that replaces another one, without the layout
	Live    string // address of the events that the page follows
}

func (p *Page) frame(r *http.Request, title string) frame {
	return frame{Title: title, Visitor: visitor(r), Version: p.options.Version, Fresh: r.Header.Get("HX-Request") == "true"}
}

// of returns the frame of a study's page.
func (f frame) of(b *board, tab string) frame {
	f.Study, f.Tab, f.Live = b.Name, tab, "/live?study="+url.QueryEscape(b.Name)
	return f
}

func parseViews(a *assets) views {
	all := views{}
	functions := template.FuncMap{
		"asset": a.address,
		"num":   short,
		"full":  full,
		"known": func(v float64) bool { return !math.IsNaN(v) },
		"ago":   ago,
		"share": func(part, all int) string { return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(max(1, all))) },
		"count": count,
		"next":  func(i int) int { return i + 1 },
		"seen":  usage.Visible,
		"brief": func(reason string) string { return usage.Shorten(reason, shortReason) },
	}
	for _, name := range []string{"studies", "comparison", "results", "trial", "proposals", "problem", "signin"} {
		all[name] = template.Must(template.New("layout.html").Funcs(functions).ParseFS(templates, "templates/layout.html", "templates/parts.html", "templates/"+name+".html"))
	}
	return all
}

// show writes a view. htmx gets its content without the layout.
func (v views) show(w http.ResponseWriter, r *http.Request, status int, name string, data any) error {
	entry := "layout.html"
	if r.Header.Get("HX-Request") == "true" {
		entry = "content"
		if name == "problem" { // beside what is there, which stays
			w.Header().Set("HX-Retarget", "#problem")
			w.Header().Set("HX-Reswap", "innerHTML")
		}
	}
	var page bytes.Buffer
	if err := v[name].ExecuteTemplate(&page, entry, data); err != nil {
		return fmt.Errorf("the view %s: %w", name, err)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, err := w.Write(page.Bytes())
	return err
}

// short writes a number for people; a dash for NaN.
func short(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// full writes all digits of a number.
func full(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// ago says how long ago something happened.
func ago(t time.Time) string {
	d := time.Since(t)
	switch {
	case t.IsZero():
		return "–"
	case d < time.Minute:
		return "just now"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}
