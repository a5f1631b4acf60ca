package postgres

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/pgtest"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

// A study gets along with a server that ends and comes back.
func TestServerEnds(t *testing.T) {
	own := &pgtest.Server{}
	t.Cleanup(own.Stop)
	for _, test := range []struct {
		name string
		f    func(*testing.T, *pgtest.Server, string, *Study)
	}{{"comes back", comesBack}, {"a commit is not confirmed", commitIsNotConfirmed}, {"another process takes over", takenOver}, {"stays away", staysAway}} {
		t.Run(test.name, func(t *testing.T) {
			address := own.Database(t)
			test.f(t, own, address, must(Create(t.Context(), address, "lab", meta()))(t))
		})
	}
}

// A study goes on when its database is back, and nothing is lost or stored twice.
func comesBack(t *testing.T, own *pgtest.Server, address string, s *Study) {
	told := make(chan error, 10)
	s.Wait(time.Minute, func(err error) { told <- err })
	var want []study.Event
	save := func() {
		t.Helper()
		e := study.Event{Asked: len(want) + 1}
		if err := s.Save(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		want = append(want, e)
	}
	save()
	for _, killed := range []bool{false, true} {
		own.Down(t, killed)
		own.Up(t)
		save() // on a connection that is lost
		own.Down(t, killed)
		var wg sync.WaitGroup
		wg.Go(save)
		wg.Go(func() {
			if err := s.SaveLeases(t.Context(), []Lease{{Trial: 1, Granted: time.Now(), For: time.Hour}}); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			if err := s.Patiently(t.Context(), func() error { return s.Pool().Ping(t.Context()) }); err != nil {
				t.Error(err)
			}
		})
		<-told // it waits
		own.Up(t)
		wg.Wait()
	}
	studytest.Holds(t, must(Open(t.Context(), address, "lab", Options{ReadOnly: true}))(t), want)
	if _, err := Open(t.Context(), address, "lab", Options{}); !usage.Is(err) || !strings.Contains(err.Error(), "another process is writing to it") {
		t.Errorf("the lock is not held again: %v", err)
	}
}

// An event whose commit was not confirmed is not stored twice.
func commitIsNotConfirmed(t *testing.T, own *pgtest.Server, address string, s *Study) {
	s.Wait(time.Minute, nil)
	events := []study.Event{{Asked: 1}, {Asked: 2}}
	studytest.Save(t, s, events[0])
	if err := s.log.Save(t.Context(), events[1]); err != nil { // s does not know of it
		t.Fatal(err)
	}
	own.Down(t, false)
	own.Up(t)
	if err := s.Save(t.Context(), events[1]); err != nil {
		t.Fatal(err)
	}
	studytest.Holds(t, must(Open(t.Context(), address, "lab", Options{ReadOnly: true}))(t), events)
}

// A process that took over while the connection was lost keeps the study.
func takenOver(t *testing.T, _ *pgtest.Server, address string, s *Study) {
	s.Wait(time.Second, nil)
	administrator, err := connect(t.Context(), address, "")
	if err != nil {
		t.Fatal(err)
	}
	defer administrator.Close()
	if _, err := administrator.pool.Exec(t.Context(), "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = $1", lockClass); err != nil {
		t.Fatal(err)
	}
	other := must(Open(t.Context(), address, "lab", Options{}))(t)
	if _, err := other.writer.ExecContext(t.Context(), "UPDATE studies SET writer = 'ann@elsewhere, process 4711'"); err != nil {
		t.Fatal(err)
	}
	studytest.Save(t, other, study.Event{Asked: 1})
	if err := s.Save(t.Context(), study.Event{Asked: 2}); err == nil {
		t.Error("two processes write to it")
	}
	other.Close()
	if err := s.Save(t.Context(), study.Event{Asked: 2}); !errors.Is(err, errTaken) {
		t.Errorf("%v; want that another process has gone on", err)
	}
	studytest.Holds(t, must(Open(t.Context(), address, "lab", Options{ReadOnly: true}))(t), []study.Event{{Asked: 1}})
}

// A database that stays away is no fault of the input, and is given up after a time.
func staysAway(t *testing.T, own *pgtest.Server, address string, s *Study) {
	own.Down(t, false)
	s.Wait(300*time.Millisecond, nil)
	if err := s.Save(t.Context(), study.Event{Asked: 1}); err == nil || usage.Is(err) || !strings.Contains(err.Error(), "it was away for 300ms") {
		t.Errorf("Save: %v", err)
	}
	if _, err := Open(t.Context(), address, "lab", Options{}); err == nil || usage.Is(err) || !strings.Contains(err.Error(), "check that the database runs") {
		t.Errorf("Open: %v", err)
	}
	own.Up(t)
	if err := s.Save(t.Context(), study.Event{Asked: 1}); err != nil {
		t.Errorf("when it is back: %v", err)
	}
}

// By PgBouncer in session mode a study works as without.
func TestPooler(t *testing.T) {
	direct := server.Database(t)
	address := server.Pooler(t, direct)
	s, err := Create(t.Context(), address, "lab", meta())
	if err != nil {
		t.Fatal(err)
	}
	var want []study.Event
	for i := range 3 {
		want = append(want, study.Event{Asked: i + 1})
		studytest.Save(t, s, want[i])
	}
	if _, err := Open(t.Context(), direct, "lab", Options{}); !usage.Is(err) || !strings.Contains(err.Error(), "another process is writing to it") {
		t.Errorf("the lock is not held: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	studytest.Holds(t, must(Open(t.Context(), address, "lab", Options{}))(t), want)
	if _, err := Open(t.Context(), address, "nothing", Options{}); fmt.Sprint(err) == "" || !usage.Is(err) {
		t.Errorf("a study that is not there: %v", err)
	}
}
