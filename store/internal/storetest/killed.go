package storetest

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/invbo/invbo/study"
)

func event(i int) study.Event {
	p := study.Proposal{ID: i, X: strings.Repeat("C", i%100), Input: strconv.Itoa(i), Latent: make([]float64, 32)}
	return study.Event{Asked: i, Trials: []study.Trial{Trial(p, study.Scored, float64(i), study.Measurement{ID: i, Score: float64(i)})}}
}

// SaveUntilKilled saves events beside those of a store, and prints the number of each that is saved.
func SaveUntilKilled(ctx context.Context, s study.Store) error {
	events, err := s.Events(ctx)
	if err != nil {
		return err
	}
	for i := len(events) + 1; ; i++ {
		if err := s.Save(ctx, event(i)); err != nil {
			return err
		}
		fmt.Println(i)
	}
}

// Killed checks that what was saved is there after a kill, and that the next process opens the store at once. The test program,
// started with a variable of the environment, calls SaveUntilKilled; check opens the store after each kill, and calls holds with it.
func Killed(t *testing.T, kills int, variable, value string, check func(kill int, holds func(study.Store))) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	saved := 0
	for kill := range kills {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), variable+"="+value)
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines, left := bufio.NewScanner(out), 1+rng.IntN(30)
		for lines.Scan() { // what it printed after the kill, too
			if saved, err = strconv.Atoi(lines.Text()); err != nil {
				t.Fatal(err)
			}
			if left--; left == 0 {
				if err := child.Process.Kill(); err != nil { // it saves the next ones meanwhile
					t.Fatal(err)
				}
			}
		}
		if err := child.Wait(); err == nil || left > 0 {
			t.Fatalf("kill %d: the child ended by itself: %v", kill+1, err)
		}
		check(kill, func(s study.Store) {
			events, err := s.Events(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(events) < saved || len(events) > saved+1 {
				t.Fatalf("kill %d: %d events of which Save returned, and %d are there", kill+1, saved, len(events))
			}
			var want []study.Event
			for i := range events {
				want = append(want, event(i+1))
			}
			Holds(t, s, want)
		})
	}
	t.Logf("%d kills, %d events", kills, saved)
}
