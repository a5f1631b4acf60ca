package page

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/usage"
)

// structures remembers what was found out of the structures of trials, which takes long where there are many: for each
// of the latest questions, the answer for each trial. A trial's string never changes.
type structures struct {
	begin begin

	mu        sync.Mutex
	questions []*question // the latest first
	turn      sync.Mutex  // of the question that looks at structures
}

// begin runs a search that outlasts the request that began it, until its context ends. It reports whether the search
// began: no search does once the server shuts down.
type begin = func(search func(ctx context.Context)) bool

// question is a substructure, or a string that others are like.
type question struct {
	text  string
	begin begin
	turn  *sync.Mutex // of all questions, which take turns

	mu      sync.Mutex // the fields below
	answers []float64  // by ID − 1; 1 or 0 of a substructure, or a similarity
	err     error
	asked   time.Time     // for the last time
	done    chan struct{} // closed once the search that goes on has ended; nil: none does
}

// mostQuestions is how many questions are remembered for a study.
const mostQuestions = 8

// question returns the question of a text.
func (s *structures) question(text string) *question {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range s.questions {
		if q.text == text {
			return q
		}
	}
	q := &question{text: text, begin: s.begin, turn: &s.turn}
	s.questions = append([]*question{q}, s.questions[:min(len(s.questions), mostQuestions-1)]...)
	return q
}

const (
	unanswered = -1              // the answer for a trial that was not looked at
	atOnce     = 512             // trials that are looked at in a turn
	forgotten  = 2 * time.Second // after which a search ends that nobody asks for: a page that waits asks twice a second
)

// of returns the answers for some trials, by index. It waits for them as long as the context patient lasts: then some
// are unanswered, and the search for them goes on.
func (q *question) of(patient context.Context, s *snapshot, kept []int, answer func(input string) (float64, error)) ([]float64, error) {
	for {
		answers, done, err := q.look(s, kept, answer)
		if err != nil || done == nil {
			return answers, err
		}
		select {
		case <-done:
		case <-patient.Done():
			answers, _, err = q.look(s, kept, answer)
			return answers, err
		}
	}
}

// look returns what is known of some trials, and begins to look at the others, unless a search goes on. done is closed
// when that has ended, and nil if all are known.
func (q *question) look(s *snapshot, kept []int, answer func(input string) (float64, error)) (answers []float64, done <-chan struct{}, _ error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.asked = time.Now()
	for len(q.answers) < len(s.trials) {
		q.answers = append(q.answers, unanswered)
	}
	answers = slices.Clone(q.answers)
	missing := slices.DeleteFunc(slices.Clone(kept), func(i int) bool { return answers[i] != unanswered })
	switch {
	case q.err != nil:
		err := q.err
		q.err = nil // who asks again may have more luck
		return nil, nil, err
	case len(missing) == 0:
		return answers, nil, nil
	case q.done == nil:
		if !q.begin(func(ctx context.Context) { q.search(ctx, s, missing, answer) }) {
			return nil, nil, failure{http.StatusServiceUnavailable, "the server is shutting down; ask again when it is back"}
		}
		q.done = make(chan struct{})
	}
	return answers, q.done, nil
}

// search looks at trials, some at a time, until an answer fails, the question is forgotten or the context ends.
func (q *question) search(ctx context.Context, s *snapshot, missing []int, answer func(input string) (float64, error)) {
	for some := range slices.Chunk(missing, atOnce) {
		found, errs := make([]float64, len(some)), make([]error, len(some))
		q.turn.Lock()
		err := parallel.ForContext(ctx, len(some), 16, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				found[i], errs[i] = answer(s.trials[some[i]].Input)
			}
		})
		q.turn.Unlock()
		if err != nil || q.found(some, found, errs) {
			break
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	close(q.done)
	q.done = nil
}

// found keeps answers for some trials, and reports whether the search is to end.
func (q *question) found(some []int, answers []float64, errs []error) (end bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for k, i := range some {
		if errs[k] != nil {
			q.err = errs[k]
			return true
		}
		q.answers[i] = answers[k]
	}
	return time.Since(q.asked) > forgotten
}

// structures keeps the trials whose structures the filter lets through. It also returns how many have not been looked
// at when the context patient ends.
func (f Filter) structures(patient context.Context, b *board, s *snapshot, kept []int, problems map[string]string) (_ []int, unseen int, _ error) {
	narrow := func(field, text string, least float64, answer func(string) (float64, error), err error) error {
		if err != nil {
			if !usage.Is(err) {
				return err
			}
			problems[field] = sentence(err.Error())
			return nil
		}
		answers, err := b.question(field+" "+text).of(patient, s, kept, answer)
		if err != nil {
			return err
		}
		fits := []int{} // not nil, which would be all
		for _, i := range kept {
			switch {
			case answers[i] == unanswered:
				unseen++
			case answers[i] >= least:
				fits = append(fits, i)
			}
		}
		kept = fits
		return nil
	}
	if f.Substructure != "" && b.Molecules() {
		contains, err := b.Contains(f.Substructure)
		answer := func(input string) (float64, error) {
			if input == "" { // it was invalid
				return 0, nil
			}
			has, err := contains(input)
			return float64(boolean(has)), err
		}
		if err := narrow("sub", f.Substructure, 1, answer, err); err != nil {
			return nil, 0, err
		}
	}
	if f.Like != "" {
		text := f.Like
		like, err := b.Like(text)
		answer := func(input string) (float64, error) {
			if input == "" {
				return 0, nil
			}
			return like(input)
		}
		if err := narrow("like", text, f.Similarity, answer, err); err != nil {
			return nil, 0, err
		}
	}
	return kept, unseen, nil
}
