package page

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/invbo/invbo/internal/parallel"
	"github.com/invbo/invbo/internal/usage"
)

// structures remembers what was found out of the structures of trials, which takes long where there are many: for each of the latest questions,
// the answer for each trial. A trial's string never changes.
type structures struct {
	mu        sync.Mutex
	questions []*question // the latest first
}

// question is a substructure, or a string that others are like.
type question struct {
	text    string
	mu      sync.Mutex
	answers []float64 // by ID − 1; 1 or 0 of a substructure, or a similarity
}

// mostQuestions is how many questions are remembered for a study.
const mostQuestions = 8

// ask returns the question of a text.
func (s *structures) question(text string) *question {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range s.questions {
		if q.text == text {
			return q
		}
	}
	q := &question{text: text}
	s.questions = append([]*question{q}, s.questions[:min(len(s.questions), mostQuestions-1)]...)
	return q
}

// unanswered is the answer for a trial that nobody asked about.
const unanswered = -1

// of returns the answers for some trials, by index. ctx interrupts it; what was found until then is remembered.
func (q *question) of(ctx context.Context, s *snapshot, kept []int, answer func(input string) (float64, error)) ([]float64, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.answers) < len(s.trials) {
		q.answers = append(q.answers, unanswered)
	}
	var failed atomic.Pointer[error]
	parallel.For(len(kept), 64, func(lo, hi int) {
		for _, i := range kept[lo:hi] {
			if q.answers[i] != unanswered || ctx.Err() != nil || failed.Load() != nil {
				continue
			}
			v, err := answer(s.trials[i].Input)
			if err != nil {
				failed.CompareAndSwap(nil, &err)
				return
			}
			q.answers[i] = v
		}
	})
	if err := failed.Load(); err != nil {
		return nil, *err
	}
	return q.answers, ctx.Err()
}

// structures keeps the trials whose structures the filter lets through.
func (f Filter) structures(ctx context.Context, b *board, s *snapshot, kept []int, problems map[string]string) ([]int, error) {
	narrow := func(field, text string, least float64, answer func(string) (float64, error), err error) error {
		if err != nil {
			if !usage.Is(err) {
				return err
			}
			problems[field] = sentence(err.Error())
			return nil
		}
		answers, err := b.question(field+" "+text).of(ctx, s, kept, answer)
		if err != nil {
			return err
		}
		var fits []int
		for _, i := range kept {
			if answers[i] >= least {
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
			return nil, err
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
			return nil, err
		}
	}
	return kept, nil
}
