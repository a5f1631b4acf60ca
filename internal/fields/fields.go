// Package fields describes the differences of two structs for error messages.
package fields

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Differences returns the JSON fields that differ between two structs of the same type: "batch 32 (not 64), seed 1 (not 2)".
func Differences(was, is any) string {
	a, b := values(was), values(is)
	all := maps.Clone(a)
	maps.Copy(all, b)
	var different []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if string(a[name]) != string(b[name]) {
			different = append(different, fmt.Sprintf("%s %s (not %s)", name, cmp.Or(string(a[name]), "none"), cmp.Or(string(b[name]), "none")))
		}
	}
	return strings.Join(different, ", ")
}

// values returns the JSON fields of v, or none if v is not a struct that can be encoded.
func values(v any) map[string]json.RawMessage {
	m := map[string]json.RawMessage{}
	if text, err := json.Marshal(v); err == nil {
		json.Unmarshal(text, &m) // a value that is not a struct has no fields
	}
	return m
}
