package serve

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// clock is a clock on a wall, which people set.
type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

func noon() *clock { return &clock{time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)} }

// Proposals are lent to one client at a time. Those whose lease ran out come first; an answer that is late counts.
func TestLeases(t *testing.T) {
	s := inMemory(t, &counter{}, 100)
	wall := noon()
	s.now = wall.now
	steps := []struct {
		after time.Duration
		n     int
		lease string
		want  string
	}{
		{0, 2, "10m", "[3 4]"},
		{0, 1, "", "[5]"}, // an hour
		{9 * time.Minute, 1, "10m", "[6]"},
		{time.Minute, 3, "30m", "[3 4 7]"},
		{0, 1, "1s", "[8]"},
		{30 * time.Minute, 3, "1h", "[3 4 6]"},
		{0, 2, "1h", "[7 8]"},
	}
	for i, step := range steps {
		wall.Time = wall.Add(step.after)
		if got := ask(t, s, step.n, step.lease); fmt.Sprint(got) != step.want {
			t.Errorf("step %d: %v, want %s", i, got, step.want)
		}
	}
	wall.Time = wall.Add(2 * time.Hour)
	if got, err := do(t.Context(), s, "lab", "say where it stands", (*entry).status, struct{}{}); err != nil || got.Pending != 6 || got.Leased != 0 {
		t.Errorf("hours later: %+v, %v", got, err)
	}
	if _, err := do(t.Context(), s, "lab", "tell", (*entry).tell, TellRequest{Answers: []Answer{{Trial: 3, Score: scored(1)}}}); err != nil {
		t.Errorf("an answer after the lease: %v", err)
	}
	if got := ask(t, s, 1, ""); got[0] != 4 {
		t.Errorf("then %v, want 4: 3 is measured", got)
	}
	if got, err := do(t.Context(), s, "lab", "say where it stands", (*entry).status, struct{}{}); err != nil || got.Pending != 5 || got.Leased != 1 {
		t.Errorf("then %+v, %v", got, err)
	}
}

// Leases outlast the server, and a proposal without one, as of invbo ask, is lent.
func TestLeasesOfAnEarlierServer(t *testing.T) {
	for _, test := range []struct {
		name string
		off  time.Duration // of the clock while the server is down
		then []time.Duration
		want []string // what is asked again after these times
	}{
		{"soon", 20 * time.Minute, []time.Duration{0, 39 * time.Minute, time.Minute}, []string{"[8]", "[]", "[7]"}},
		{"later", 2 * time.Hour, []time.Duration{0}, []string{"[7 8]"}},
		// The lease of an hour is then as long as was asked for, and no longer.
		{"after the clock went back", -48 * time.Hour, []time.Duration{0, 5 * time.Minute, 54 * time.Minute, time.Minute}, []string{"[]", "[8]", "[]", "[7]"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := create(t, "lab.db")
			wall := noon()
			s := open(t, path, Options{Now: wall.now})
			if hour, five := ask(t, s, 1, "1h"), ask(t, s, 1, "5m"); hour[0] != 7 || five[0] != 8 {
				t.Fatalf("asked %v and %v", hour, five)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			wall.Time = wall.Add(test.off)
			s = open(t, path, Options{Now: wall.now})
			search(t, s, &counter{}, 0)
			for i, after := range test.then {
				wall.Time = wall.Add(after)
				var again []int
				for _, p := range s.studies["lab"].Pending() {
					if !s.studies["lab"].lent(p.ID, wall.now()) {
						again = append(again, p.ID)
					}
				}
				if fmt.Sprint(again) != test.want[i] {
					t.Fatalf("step %d: %v are free, want %s", i, again, test.want[i])
				}
				if len(again) > 0 {
					if got := ask(t, s, len(again), "99h"); fmt.Sprint(got) != test.want[i] {
						t.Errorf("step %d: asked again %v, want %s", i, got, test.want[i])
					}
				}
			}
		})
	}
}

// While the server runs nobody can shorten a lease by setting the clock back, and new ones are as long as they say.
func TestClockGoesBack(t *testing.T) {
	s := inMemory(t, &counter{}, 100)
	wall := noon()
	s.now = wall.now
	ask(t, s, 1, "10m")
	wall.Time = wall.Add(-time.Hour)
	if got := ask(t, s, 1, "10m"); got[0] != 4 {
		t.Errorf("asked %v, want 4: 3 is lent", got)
	}
	wall.Time = wall.Add(9 * time.Minute)
	if got := ask(t, s, 1, "10m"); got[0] != 5 {
		t.Errorf("asked %v, want 5", got)
	}
	wall.Time = wall.Add(time.Minute)
	if got := ask(t, s, 1, "10m"); got[0] != 4 {
		t.Errorf("asked %v, want 4, whose ten minutes are over", got)
	}
}

// What was answered while the search went on is not lent again.
func TestAnsweredMeanwhile(t *testing.T) {
	c := &counter{}
	s := inMemory(t, c, 100)
	wall := noon()
	s.now = wall.now
	ask(t, s, 2, "1s")
	wall.Time = wall.Add(time.Minute)
	c.wait = func(ctx context.Context) {
		c.wait = nil
		if _, err := do(ctx, s, "lab", "tell", (*entry).tell, TellRequest{Answers: []Answer{{Trial: 3, Score: scored(1)}}}); err != nil {
			t.Error(err)
		}
	}
	if got := ask(t, s, 3, "1h"); !same(got, []int{4, 5, 6}) {
		t.Errorf("asked %v, want [4 5 6]: 3 is measured", got)
	}
	c.wait = func(ctx context.Context) {
		if _, err := do(ctx, s, "lab", "withdraw", (*entry).withdraw, WithdrawRequest{Trial: 5}); err != nil {
			t.Error(err)
		}
		s.end()
	}
	wall.Time = wall.Add(2 * time.Hour)
	if got := ask(t, s, 4, "1h"); !same(got, []int{4, 6}) {
		t.Errorf("asked %v, want [4 6]: 5 is withdrawn, and the search ended", got)
	}
}

// A study in a file is asked 1,000 times at once by clients of a real server; no string is lent twice.
func TestAskAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("it stores 1,000 proposals")
	}
	s := open(t, create(t, "lab.db"), Options{})
	search(t, s, &counter{}, 1000)
	base, _ := listen(t, api(s))
	var mu sync.Mutex
	trials, inputs := map[int]bool{}, map[string]bool{}
	var all sync.WaitGroup
	for range 1000 {
		all.Go(func() {
			r, err := post[AskResponse](base+"/studies/lab/ask", `{"n": 1}`)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			for _, p := range r.Proposals {
				trials[p.Trial.Trial], inputs[p.Input] = true, true
			}
		})
	}
	all.Wait()
	if len(trials) != 1000 || len(inputs) != 1000 {
		t.Errorf("%d trials and %d strings for 1,000 requests", len(trials), len(inputs))
	}
}

// A trial that was answered or withdrawn is not shown as reserved, although its lease goes on.
func TestAnsweredIsNotReserved(t *testing.T) {
	s := open(t, create(t, "lab.db"), Options{})
	b := &browser{t: t, api: withPage(s, nil)}
	reserved := func(trial int) bool {
		status, text := b.get(fmt.Sprintf("/study/lab/trial/%d", trial))
		has(t, "the trial", status, text, http.StatusOK)
		return strings.Contains(text, "Reserved until")
	}
	trials := ask(t, s, 3, "8h")
	for _, trial := range trials {
		if !reserved(trial) {
			t.Errorf("trial %d is not reserved", trial)
		}
	}
	b.post("/study/lab/tell", fmt.Sprintf("value.%d.0", trials[0]), "2.5", fmt.Sprintf("failed.%d", trials[1]), "does not fold")
	b.post("/study/lab/withdraw", "trial", fmt.Sprint(trials[2]))
	for _, trial := range trials {
		if reserved(trial) {
			t.Errorf("trial %d is reserved, and needs no measurement", trial)
		}
	}
}
