package table

import (
	"slices"
	"strings"
)

// endpoints are quantities of dose-response curves, which are concentrations. Before each may stand p or log.
var endpoints = list("endpoint")

func endpointNames() []string {
	var names []string
	for _, e := range endpoints {
		names = append(names, e, "p"+e, "log"+e, "log10"+e)
	}
	return names
}

// endpoint returns the quantity that a word is of, and p or log if that stands before it; empty if it is none.
func endpoint(word string) (quantity, scale string) {
	for _, scale := range []string{"", "p", "log10", "log"} {
		if rest, ok := strings.CutPrefix(word, scale); ok && slices.Contains(endpoints, rest) {
			return rest, strings.TrimSuffix(scale, "10")
		}
	}
	return "", ""
}
