// Package fields says for people how two values of a struct differ.
package fields

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Differences names the JSON fields of two structs of a type that differ: "batch 32 and not 64, seed 1 and not 2".
func Differences(was, is any) string {
	a, b := values(was), values(is)
	all := map[string]bool{}
	for _, m := range []map[string]json.RawMessage{a, b} {
		for name := range m {
			all[name] = true
		}
	}
	var different []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if string(a[name]) != string(b[name]) {
			different = append(different, fmt.Sprintf("%s %s and not %s", name, orNone(a[name]), orNone(b[name])))
		}
	}
	return strings.Join(different, ", ")
}

// values returns the fields of v; none if it is no struct that JSON can hold.
func values(v any) map[string]json.RawMessage {
	m := map[string]json.RawMessage{}
	if text, err := json.Marshal(v); err == nil {
		json.Unmarshal(text, &m) // of another kind of value there are no fields
	}
	return m
}

// orNone is for fields that JSON leaves out.
func orNone(v json.RawMessage) string {
	if v == nil {
		return "none"
	}
	return string(v)
}
