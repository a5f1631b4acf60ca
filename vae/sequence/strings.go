package sequence

import (
	"errors"
	"fmt"
	"iter"
)

// Strings is a tokenized data set: two bytes per token and eight per string.
type Strings struct {
	alphabet *Alphabet
	tokens   []uint16 // of all strings, each with its stop
	starts   []int    // of each string in tokens, then the end of the last
}

// NewStrings tokenizes x. The error names the first string that is not of the alphabet and the byte.
func NewStrings(a *Alphabet, x iter.Seq[string]) (*Strings, error) {
	s := &Strings{alphabet: a, starts: []int{0}}
	for x := range x {
		tokens, err := a.split(x)
		if err != nil {
			return nil, fmt.Errorf("sequence: string %d: %w", s.Len(), err)
		}
		for _, id := range tokens {
			s.tokens = append(s.tokens, uint16(id))
		}
		s.starts = append(s.starts, len(s.tokens))
	}
	if s.Len() == 0 {
		return nil, errors.New("sequence: no strings: give at least one")
	}
	return s, nil
}

// Len returns the number of strings.
func (s *Strings) Len() int { return len(s.starts) - 1 }

// length returns the number of tokens of string i, stop included.
func (s *Strings) length(i int) int { return s.starts[i+1] - s.starts[i] }

// all returns the index of every string.
func (s *Strings) all() []int32 {
	index := make([]int32, s.Len())
	for i := range index {
		index[i] = int32(i)
	}
	return index
}

// at returns the tokens of the strings with the given indices.
func (s *Strings) at(index []int32) [][]int32 {
	x := make([][]int32, len(index))
	for k, i := range index {
		for _, id := range s.tokens[s.starts[i]:s.starts[i+1]] {
			x[k] = append(x[k], int32(id))
		}
	}
	return x
}

// Longest returns the number of tokens of the longest string, stop included, for Config.MaxTokens.
func (s *Strings) Longest() int { return s.length(s.longest()) }

// longest returns the index of a longest string.
func (s *Strings) longest() int {
	longest := 0
	for i := range s.Len() {
		if s.length(i) > s.length(longest) {
			longest = i
		}
	}
	return longest
}
