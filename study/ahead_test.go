package study_test

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// chain is a searcher whose proposals follow from all that it was asked and has observed.
type chain struct {
	Hash    uint64
	asked   []int
	skipped int
}

func (c *chain) add(of any) {
	h := fnv.New64a()
	fmt.Fprint(h, c.Hash, of)
	c.Hash = h.Sum64()
}

func (c *chain) Propose(_ context.Context, _ study.Ledger, n int) (all []study.Proposal, _ error) {
	c.asked = append(c.asked, n)
	for i := range n {
		c.add(i)
		all = append(all, study.Proposal{X: fmt.Sprintf("%x", c.Hash)})
	}
	return all, nil
}

func (c *chain) Observe(_ context.Context, trials ...study.Trial) error {
	for _, t := range trials {
		if t.State == study.Skipped {
			c.skipped++
		}
		c.add([]any{t.X, t.State, t.Score})
	}
	return nil
}

// durableChain is one whose state is kept.
type durableChain struct{ *chain }

func (c durableChain) Snapshot() ([]byte, error)  { return json.Marshal(c.chain) }
func (c durableChain) Restore(state []byte) error { return json.Unmarshal(state, c.chain) }

// link begins a study of a chain, or goes on with one.
func link(t *testing.T, store study.Store, durable bool, ahead int) (*study.Study, *chain) {
	t.Helper()
	c := &chain{}
	var searcher study.Searcher = c
	if durable {
		searcher = durableChain{c}
	}
	p := study.Problem{Init: []study.Observation{{X: "A", Measurements: study.Measured(1)}, {X: "B", Measurements: study.Measured(2)}}}
	s, err := study.New(t.Context(), p, searcher, study.Options{Store: store, Ahead: ahead, Budget: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

// askOne asks for a proposal.
func askOne(t *testing.T, s *study.Study) study.Proposal {
	t.Helper()
	p, err := s.Ask(t.Context(), 1)
	if err != nil || len(p) != 1 {
		t.Fatalf("%v, %v", p, err)
	}
	return p[0]
}

// tellOne tells a score of a proposal.
func tellOne(t *testing.T, s *study.Study, p study.Proposal) {
	t.Helper()
	if err := s.Tell(t.Context(), study.Answer{ID: p.ID, Result: oracle.Result{Score: float64(p.ID % 7)}}); err != nil {
		t.Fatal(err)
	}
}

// The searcher is asked for more while no score arrives, and for no more than Ask was where one client measures in turn.
func TestAhead(t *testing.T) {
	s, c := link(t, &study.Memory{}, false, 8)
	for range 18 {
		askOne(t, s)
	}
	if want := []int{1, 4, 8, 8}; !slices.Equal(c.asked, want) || c.skipped != 0 {
		t.Errorf("asked for %v, want %v; %d skipped", c.asked, want, c.skipped)
	}
	// A few scores change nothing; with more of them what is left is dropped.
	pending := s.Pending()
	for _, p := range pending[:4] { // of 14 that wait then
		tellOne(t, s, p)
	}
	askOne(t, s)
	if len(c.asked) != 4 || c.skipped != 0 {
		t.Errorf("after 4 of 18 scores it was asked for %v, and %d are skipped", c.asked, c.skipped)
	}
	for _, p := range pending[4:8] { // of 11 that wait then
		tellOne(t, s, p)
	}
	askOne(t, s)
	if want := []int{1, 4, 8, 8, 5}; !slices.Equal(c.asked, want) || c.skipped != 2 {
		t.Errorf("after 8 of 19 scores it was asked for %v, want %v; %d are skipped, want 2", c.asked, want, c.skipped)
	}

	s, c = link(t, &study.Memory{}, false, 8)
	for range 10 {
		tellOne(t, s, askOne(t, s))
	}
	if slices.Max(c.asked) != 1 || len(c.asked) != 10 || c.skipped != 0 {
		t.Errorf("in turn it was asked for %v, and %d were skipped", c.asked, c.skipped)
	}
}

// slow is a chain that ends its second call when it is let go.
type slow struct {
	*chain
	begun, end chan struct{}
}

func (s slow) Propose(ctx context.Context, known study.Ledger, n int) ([]study.Proposal, error) {
	if len(s.asked) == 1 {
		close(s.begun)
		<-s.end
	}
	return s.chain.Propose(ctx, known, n)
}

// Where scores arrive while many clients wait, the searcher is asked for as many proposals as they wait for.
func TestAheadOfThoseThatWait(t *testing.T) {
	const clients = 20
	c := slow{&chain{}, make(chan struct{}), make(chan struct{})}
	p := study.Problem{Init: []study.Observation{{X: "A", Measurements: study.Measured(1)}, {X: "B", Measurements: study.Measured(2)}}}
	s, err := study.New(t.Context(), p, c, study.Options{Ahead: 16, Budget: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	first := askOne(t, s)
	var waiting sync.WaitGroup
	ask := func() {
		if p, err := s.Ask(t.Context(), 1); err != nil || len(p) != 1 {
			t.Errorf("%v, %v", p, err)
		}
	}
	waiting.Go(ask)
	<-c.begun
	for range clients {
		waiting.Go(ask)
	}
	for study.Wanted(s) <= clients {
		runtime.Gosched()
	}
	tellOne(t, s, first)
	close(c.end)
	waiting.Wait()
	if sum := c.asked[0] + c.asked[1] + c.asked[2]; c.asked[2] != 16 || sum != 21 || len(c.asked) != 4 {
		t.Errorf("%d clients wait, and the searcher is asked for %v", clients, c.asked)
	}
}

// A study goes on after a crash at any moment as if there had been none, whatever was proposed ahead.
func TestAheadResumes(t *testing.T) {
	for seed := range uint64(12) {
		durable := seed%2 == 0
		steps := rand.New(rand.NewPCG(seed, 1))
		var asks []bool // each step asks, or tells
		for range 60 {
			asks = append(asks, steps.IntN(100) < 70)
		}
		play := func(crash int) (all []string) {
			rng := rand.New(rand.NewPCG(seed, 2))
			store := &study.Memory{}
			s, _ := link(t, store, durable, 8)
			for i, ask := range asks {
				if i == crash {
					s, _ = link(t, store, durable, 8)
				}
				pending := s.Pending()
				if ask || len(pending) == 0 {
					all = append(all, askOne(t, s).X)
					continue
				}
				tellOne(t, s, pending[rng.IntN(len(pending))])
			}
			return all
		}
		want := play(-1)
		for crash := range asks {
			if got := play(crash); !slices.Equal(got, want) {
				t.Fatalf("seed %d, durable %t: after a crash before step %d it proposes\n%v, without\n%v", seed, durable, crash, got, want)
			}
		}
	}
}
