package serve

import (
	"encoding/json"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/invbo/invbo/internal/usage"
)

// wrongRequest is the text of huma for a request with wrong values.
const wrongRequest = "validation failed"

const (
	longestMessage = 1000 // characters of an error's detail
	longestPlace   = 200  // likewise of where it is: keys may be long
	longestEcho    = 100  // bytes of a value that is sent back with it
)

// plain rewrites an error of huma for people: its detail says something by itself, and it repeats no long values.
func plain(m *huma.ErrorModel) {
	m.Errors = m.Errors[:min(most, len(m.Errors))]
	for _, d := range m.Errors {
		d.Message, d.Location = usage.Shorten(d.Message, longestMessage), usage.Shorten(d.Location, longestPlace)
		if text, err := json.Marshal(d.Value); err != nil || len(text) > longestEcho {
			d.Value = nil
		}
	}
	switch {
	case m.Detail == wrongRequest && len(m.Errors) == 1 && place(m.Errors[0]) == "":
		m.Detail, m.Errors = m.Errors[0].Message, nil
	case m.Detail == wrongRequest:
		var places []string
		for _, d := range m.Errors[:min(3, len(m.Errors))] {
			if at := place(d); at != "" {
				places = append(places, at)
			}
		}
		if m.Detail = "the request is wrong"; len(places) > 0 {
			m.Detail += " at " + strings.Join(places, ", ")
		}
	}
	m.Detail = usage.Shorten(m.Detail, longestMessage)
}

// place returns where in a request an error is; empty for all of it.
func place(d *huma.ErrorDetail) string {
	return strings.TrimPrefix(strings.TrimPrefix(d.Location, "body"), ".")
}
