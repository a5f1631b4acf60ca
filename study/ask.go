package study

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Ask returns at most n new proposals (n < 1: as many as a batch has): the initial design first, then
// what the searcher proposes. They are pending until they are told; Ask may be called again before, and
// never returns a pending string again. It returns ErrDone once the budget is spent or pending, and
// ErrExhausted if the searcher finds nothing new. After another error, ctx's for one, Ask may be called again.
func (s *Study) Ask(ctx context.Context, n int) ([]Proposal, error) {
	if n < 1 {
		n = s.opts.Batch
	}
	return s.ask(ctx, n, n)
}

// ask asks the searcher for n proposals if none is queued, and hands out at most most.
func (s *Study) ask(ctx context.Context, n, most int) ([]Proposal, error) {
	s.wanted.Add(int64(n))
	defer s.wanted.Add(-int64(n))
	s.searching.Lock()
	defer s.searching.Unlock()
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := s.begin(ctx); err != nil {
			return nil, err
		}
		if err := s.observe(ctx); err != nil {
			return nil, err
		}
		if err := s.refresh(ctx); err != nil {
			return nil, err
		}
		if len(s.queue) == 0 && s.asked == 0 {
			many := s.many(min(n, max(s.Left(), s.opts.Batch))) // what is beyond the budget is not handed out
			if err := s.propose(ctx, many); err != nil {
				return nil, err
			}
			s.ahead = many > n
		}
		admitted, err := s.admit(ctx, most)
		if err != nil {
			return nil, err
		}
		if len(admitted) > 0 {
			s.empty = 0
			return admitted, nil
		}
	}
}

// Begin records what is known of the initial design, as Ask and Run do first.
func (s *Study) Begin(ctx context.Context) error {
	s.searching.Lock()
	defer s.searching.Unlock()
	return s.begin(ctx)
}

// begin records what is known of the initial design, in one event, and queues the rest, once.
func (s *Study) begin(ctx context.Context) error {
	if s.started {
		return nil
	}
	if err := s.resume(ctx); err != nil { // it sets the queue
		return fmt.Errorf("resume: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var design []Proposal
	var known []Trial
	xs, inputs, measured := map[string]bool{}, map[string]bool{}, s.measured
	for _, t := range s.initial {
		_, again := s.byX[t.X]
		if t.State != Invalid && !again {
			_, again = s.byInput[t.Input]
			again = again || inputs[t.Input]
		}
		if again || xs[t.X] {
			continue
		}
		switch {
		case t.State == Invalid:
		case len(t.Measurements) > 0 && !s.asksAgain(t.Measurements):
			for i := range t.Measurements {
				measured++
				t.Measurements[i].ID = measured
			}
			t.summarize(s.problem.Minimize)
		default:
			design = append(design, t.Proposal) // admit skips it if it is also given with a score
			continue
		}
		t.ID = len(s.trials) + len(known) + 1
		known = append(known, t)
		xs[t.X] = true
		if t.Input != "" {
			inputs[t.Input] = true
		}
	}
	if len(known) > 0 {
		if err := s.keep(ctx, known...); err != nil {
			return fmt.Errorf("record %d known strings: %w", len(known), err)
		}
		s.news = true
	}
	s.queue, s.started, s.initial = append(design, s.queue...), true, nil
	return nil
}

// asksAgain reports whether the oracle has to be asked about a string with a known score, since an outcome that
// constraints bound is not known.
func (s *Study) asksAgain(known []Measurement) bool {
	scored := slices.ContainsFunc(known, func(m Measurement) bool { return !math.IsNaN(m.Score) })
	return scored && s.problem.Oracle != nil && slices.ContainsFunc(s.problem.Constraints, func(c Constraint) bool {
		return !slices.ContainsFunc(known, func(m Measurement) bool {
			_, ok := m.Others[c.Outcome]
			return ok
		})
	})
}

// propose queues what the searcher proposes, invalid strings first.
func (s *Study) propose(ctx context.Context, n int) error {
	if s.Left() <= 0 {
		return ErrDone
	}
	s.renew()
	if s.empty >= patience {
		return fmt.Errorf("%d proposals in a row: %w", patience, ErrExhausted)
	}
	next, acquired := s.Batch(), 0
	s.known = s.observed
	proposed, err := s.searcher.Propose(ctx, s, n)
	s.takeReport()
	if err != nil {
		return err
	}
	s.empty++
	s.asked, s.stride = n, n
	var invalid, valid []Proposal
	for _, p := range proposed {
		if s.problem.Minimize {
			p.Mean = -p.Mean
		}
		p.Kind, p.Batch = cmp.Or(p.Kind, Acquired), next
		if p.Kind == Acquired {
			acquired++
		} else {
			p.Batch-- // what an alignment asks for belongs to the batch before
		}
		known := s.Lookup(p.X)
		p.Input = known.Input
		if known.State == Invalid {
			invalid = append(invalid, p)
		} else {
			valid = append(valid, p)
		}
	}
	s.queue = append(invalid, valid...)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case acquired > 0:
		s.batch, s.open[next] = next, acquired
	case len(proposed) == 0: // a batch, too
		s.batch, s.ended = next, s.ended+1
	}
	return nil
}

// renew forgets proposals without anything new if there is something new to search around.
func (s *Study) renew() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.news {
		s.empty = 0
	}
	s.news = false
}

// admit takes proposals from the queue. Up to n that are new, feasible and within the budget become pending, and are
// returned; invalid ones are recorded, and all others skipped. One event holds what became of them. On error, proposals
// that are not in the event stay queued.
func (s *Study) admit(ctx context.Context, n int) ([]Proposal, error) {
	trials, err := s.decide(n)
	if err != nil || len(trials) == 0 && s.asked == 0 {
		return nil, err
	}
	// A string that is skipped begins no trial. The searcher is told at once, so that its state is complete.
	rest := s.queue[len(trials):]
	var kept []Trial
	for i, t := range trials {
		if t.State != Skipped {
			kept = append(kept, t)
			continue
		}
		if err := s.skip(ctx, t); err != nil {
			s.queue = slices.Concat(proposals(kept), proposals(trials[i:]), rest)
			return nil, err
		}
	}
	s.queue = slices.Concat(proposals(kept), rest)

	e := Event{Asked: s.asked, Taken: s.taken, Observed: s.seen}
	for _, t := range kept {
		if t.Kind != Initial {
			e.Taken++
		}
	}
	if d, durable := s.searcher.(Durable); durable && e.proposed() && len(rest) == 0 {
		if e.State, err = d.Snapshot(); err != nil {
			return nil, fmt.Errorf("snapshot of the searcher: %w", err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var admitted []Proposal
	var told []Trial // in between
	next := len(s.trials) + 1
	for _, t := range kept {
		id, known := s.byInput[t.Input]
		known = known && t.State == Pending
		switch {
		case known && s.trials[id-1].State != Partial:
			t.State = Skipped
			told = append(told, t)
			continue
		case known:
			before := s.trials[id-1]
			t.ID, t.Name, t.Measurements = id, cmp.Or(before.Name, t.Name), before.Measurements
		default:
			t.ID, next = next, next+1
		}
		e.Trials = append(e.Trials, t)
		if t.State == Pending {
			admitted = append(admitted, t.Proposal)
		}
	}
	if err := s.opts.Store.Save(ctx, e); err != nil {
		return nil, fmt.Errorf("store %d proposals: %w", len(e.Trials), err)
	}
	s.saved++
	s.unseen = append(s.unseen, told...)
	s.queue, s.asked, s.taken = rest, 0, 0
	for _, t := range e.Trials {
		s.enter(t)
		if t.State == Invalid {
			s.unseen = append(s.unseen, t)
		}
	}
	return admitted, nil
}

// decide returns the proposals at the head of the queue as what they become: of those that are new, feasible and within
// the budget up to n Pending.
func (s *Study) decide(n int) ([]Trial, error) {
	var trials []Trial
	pending, left := 0, s.Left()
	begun, families := map[string]bool{}, map[string][]string{} // of what becomes pending
	for _, p := range s.queue {
		if pending == n {
			break
		}
		t := unscored(p, Skipped)
		switch known := s.Lookup(p.X); {
		case known.State == Invalid:
			t.Reason = known.Reason
			if known.ID == 0 && !begun[p.X] {
				t.State, begun[p.X] = Invalid, true
			}
		case !known.State.Open() || begun[p.Input]:
		case p.Kind == Initial:
			t.State = Pending
		case pending < left:
			feasible, err := s.Feasible(p.Input)
			if err != nil {
				return nil, err
			}
			if feasible && !s.problem.vaguer(p.Input, families[s.problem.family(p.Input)]) {
				t.State = Pending
			}
		}
		if t.State == Pending {
			begun[p.Input] = true
			pending++
			family := s.problem.family(p.Input)
			families[family] = append(families[family], p.Input)
		}
		trials = append(trials, t)
	}
	return trials, nil
}

// skip tells the searcher of a proposal that begins no trial. The initial design is not its own.
func (s *Study) skip(ctx context.Context, t Trial) error {
	if t.Kind == Initial {
		return nil
	}
	if err := s.searcher.Observe(ctx, s.shown(t)); err != nil {
		return fmt.Errorf("observe that %q is skipped: %w", t.X, err)
	}
	s.taken++
	if t.Kind == Acquired {
		s.answered(t.Batch)
	}
	return nil
}

func proposals(trials []Trial) []Proposal {
	p := make([]Proposal, len(trials))
	for i, t := range trials {
		p[i] = t.Proposal
	}
	return p
}
