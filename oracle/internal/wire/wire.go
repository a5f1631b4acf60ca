// Package wire reads and writes batches as JSON, as persistent programs and services exchange them with an oracle:
//
//	{"id": 7, "x": ["ACDW", "MNPQ"]}
//	{"id": 7, "scores": [0.1, null], "reasons": [null, "does not fold"]}
//
// It also turns what programs answer about a string into an oracle.Result.
package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/oracle"
)

const reasonsKey = "reasons"

// MostAnswer bounds the bytes of an answer: more is no list of scores.
const MostAnswer = 64 << 20

// Request returns a batch with its number as a line of JSON.
func Request(id int64, x []string) []byte {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	e.Encode(struct { // strings can be encoded
		ID int64    `json:"id"`
		X  []string `json:"x"`
	}{id, x})
	return line.Bytes()
}

// Answer reads the answer to the batch id of n strings. The property is the key of the scores; said is a reason for
// strings that have neither score nor reason, and may be empty.
func Answer(text []byte, id int64, property string, n int, said string) ([]oracle.Result, error) {
	var lists map[string]json.RawMessage
	if err := Decode(text, &lists); err != nil {
		return nil, err
	}
	given, ok := lists["id"]
	if !ok {
		return nil, fmt.Errorf(`it has no "id", which says what it answers; that must be %d`, id)
	}
	var answered *int64
	if err := json.Unmarshal(given, &answered); err != nil || answered == nil {
		return nil, fmt.Errorf(`its "id" is %s, and must be that of the batch, the number %d`, usage.Shorten(string(given), 40), id)
	}
	if *answered != id {
		return nil, fmt.Errorf("its id is %d, and that of the batch is %d", *answered, id)
	}
	delete(lists, "id")
	return Results(lists, cmp.Or(property, "scores"), n, said)
}

// Decode reads JSON, in which NaN and Infinity may stand for null: Python writes them.
func Decode(text []byte, to any) error {
	if bytes.Contains(text, []byte("NaN")) || bytes.Contains(text, []byte("Infinity")) {
		text = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|NaN|-?Infinity`).ReplaceAllFunc(text, func(token []byte) []byte {
			if token[0] == '"' {
				return token
			}
			return []byte("null")
		})
	}
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("it is no JSON as it should be (%w)", err)
	}
	return nil
}

// Results returns the results of n strings, whose scores are in the list named property. Other lists of n numbers
// become Others.
func Results(lists map[string]json.RawMessage, property string, n int, said string) ([]oracle.Result, error) {
	if _, ok := lists[property]; !ok {
		return nil, fmt.Errorf("it has no %q; it has %s", property, strings.Join(slices.Sorted(maps.Keys(lists)), ", "))
	}
	var scores []*float64
	if err := json.Unmarshal(lists[property], &scores); err != nil {
		return nil, fmt.Errorf("its %q must be a list of numbers and null (%w)", property, err)
	}
	if len(scores) != n {
		return nil, fmt.Errorf("it has %d %s for %d strings", len(scores), property, n)
	}
	reasons := make([]*string, n)
	if text, ok := lists[reasonsKey]; ok {
		if err := json.Unmarshal(text, &reasons); err != nil {
			return nil, fmt.Errorf("its %q must be a list of strings and null (%w)", reasonsKey, err)
		}
		if reasons != nil && len(reasons) != n {
			return nil, fmt.Errorf("it has %d %s for %d strings", len(reasons), reasonsKey, n)
		}
	}
	results := make([]oracle.Result, n)
	for i, v := range scores {
		score, reason := math.NaN(), ""
		if v != nil {
			score = *v
		}
		if reasons != nil && reasons[i] != nil {
			reason = *reasons[i]
		}
		results[i] = Result(score, reason, said)
	}
	for name, text := range lists {
		var values []*float64
		if name == property || json.Unmarshal(text, &values) != nil || len(values) != n {
			continue
		}
		for i, v := range values {
			if v != nil {
				SetOther(&results[i], name, *v)
			}
		}
	}
	return results, nil
}

// Result returns the result of a score. One that is not usable gets the reason or, if that is empty, said; another one
// may have a reason, too, as further outcomes may be missing.
func Result(score float64, reason, said string) oracle.Result {
	short := func(text string) string { return usage.Shorten(strings.Join(strings.Fields(text), " "), 300) }
	r := (oracle.Result{Score: score}).Usable()
	switch {
	case !math.IsNaN(r.Score):
		r.Reason = short(reason)
	case math.IsNaN(score) || reason != "":
		r = oracle.Result{Score: math.NaN(), Reason: cmp.Or(short(cmp.Or(reason, said)), "the oracle gave no score")}
	}
	return r
}

// SetOther adds a further number to a result, if it is one.
func SetOther(r *oracle.Result, name string, v float64) {
	if math.IsNaN((oracle.Result{Score: v}).Usable().Score) {
		return
	}
	if r.Others == nil {
		r.Others = map[string]float64{}
	}
	r.Others[name] = v
}
