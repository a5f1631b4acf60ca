package study_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/gob"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// TestCrash kills a program that runs a study, at random moments: each time, every answer that the oracle had
// returned 50 ms before must be in the store, and the resumed study must not ask for it again. The oracle answers
// most strings in a few milliseconds and some in a second, several at a time.
//
// It kills as often as the environment variable INVBO_KILLS says. Without, it kills 10 times, and allows 200 ms: tests
// run on machines that are busy, too.
func TestCrash(t *testing.T) {
	const perStudy = 10 // kills, before another study begins
	kills, margin := 10, 200*time.Millisecond
	if s := os.Getenv("INVBO_KILLS"); s != "" {
		var err error
		if kills, err = strconv.Atoi(s); err != nil {
			t.Fatalf("INVBO_KILLS: %v", err)
		}
		margin = 50 * time.Millisecond
	}
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	var answers, due, lost, twice int
	var folder string
	before := map[string]bool{} // answers in the store
	read := 0                   // lines of the oracle's log that were checked
	for kill := range kills {
		if kill%perStudy == 0 {
			folder, before, read = t.TempDir(), map[string]bool{}, 0
		}
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), crashFolder+"="+folder)
		child.Stderr = os.Stderr
		begun, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := begun.Read(make([]byte, 1)); err != nil {
			t.Fatalf("the child does not begin: %v", err)
		}
		time.Sleep(margin + time.Duration(rng.IntN(350))*time.Millisecond) // a random moment
		killed := time.Now()
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := child.Wait(); err == nil || child.ProcessState.Exited() {
			t.Fatalf("the child ended by itself: %v", err)
		}

		after := map[string]bool{}
		store := openFile(t.Fatal, filepath.Join(folder, "events"))
		events, err := store.Events(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		store.file.Close()
		for _, e := range events {
			for _, t := range e.Trials {
				if t.State != study.Pending {
					after[t.Input] = true
				}
			}
		}
		log, err := os.ReadFile(filepath.Join(folder, "answers"))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		lines := bytes.Split(log, []byte("\n"))
		for _, line := range lines[read : len(lines)-1] {
			var at int64
			var input string
			if _, err := fmt.Sscan(string(line), &at, &input); err != nil {
				t.Fatalf("log of the oracle: %q: %v", line, err)
			}
			answers++
			if before[input] {
				twice++
				t.Errorf("kill %d: %q was asked for again", kill+1, input)
			}
			if time.Unix(0, at).Before(killed.Add(-margin)) {
				due++
				if !after[input] {
					lost++
					t.Errorf("kill %d: the answer for %q, %v before, is lost", kill+1, input, killed.Sub(time.Unix(0, at)))
				}
			}
		}
		before, read = after, len(lines)-1
	}
	t.Logf("%d kills, %d answers, %d of them at least %v before a kill: %d lost, %d asked for again", kills, answers, due, margin, lost, twice)
	if due < kills {
		t.Errorf("%d answers in %d kills; the test shows nothing", due, kills)
	}
}

// crashFolder is the environment variable that makes this program the child of TestCrash.
const crashFolder = "INVBO_CRASH_FOLDER"

func TestMain(m *testing.M) {
	folder := os.Getenv(crashFolder)
	if folder == "" {
		os.Exit(m.Run())
	}
	err := runUntilKilled(folder)
	fmt.Fprintln(os.Stderr, "child of TestCrash:", err)
	os.Exit(1)
}

// runUntilKilled runs the study in a folder. The oracle logs each answer before it returns it.
func runUntilKilled(folder string) error {
	log, err := os.OpenFile(filepath.Join(folder, "answers"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	store := openFile(func(args ...any) { panic(fmt.Sprint(args...)) }, filepath.Join(folder, "events"))
	slow := oracle.Each(1, func(_ context.Context, x string) (oracle.Result, error) {
		wait := time.Duration(rand.IntN(20)) * time.Millisecond
		if rand.IntN(40) == 0 {
			wait = time.Second
		}
		time.Sleep(wait)
		_, err := fmt.Fprintf(log, "%d %s\n", time.Now().UnixNano(), x)
		return oracle.Result{Score: float64(len(x))}, err
	})
	ctx := context.Background()
	s, err := study.New(ctx, study.Problem{Oracle: slow, Init: []study.Observation{{X: "n1"}, {X: "n2"}}}, &counter{}, study.Options{
		Budget: math.MaxInt, Batch: 40, Workers: 8, Store: store,
	})
	if err != nil {
		return err
	}
	fmt.Println("running")
	return s.Run(ctx)
}

// counter is a searcher that proposes n1, n2, n3, …
type counter struct{ n int }

func (c *counter) Propose(_ context.Context, _ study.Ledger, n int) ([]study.Proposal, error) {
	proposals := make([]study.Proposal, n)
	for i := range proposals {
		c.n++
		proposals[i].X = fmt.Sprint("n", c.n)
	}
	return proposals, nil
}

func (c *counter) Observe(_ context.Context, trials ...study.Trial) error {
	for _, t := range trials {
		n, err := strconv.Atoi(t.X[1:])
		if err != nil {
			return err
		}
		c.n = max(c.n, n)
	}
	return nil
}

// file is a store that appends a line to a file for each event.
type file struct {
	mu     sync.Mutex
	file   *os.File
	events []study.Event
}

// openFile opens a file, and drops its last line if that is not complete.
func openFile(fatal func(...any), path string) *file {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		fatal(err)
	}
	s := &file{file: f}
	whole := int64(0)
	for r := bufio.NewReader(f); ; {
		line, err := r.ReadBytes('\n')
		if err != nil {
			break
		}
		whole += int64(len(line))
		data, err := base64.StdEncoding.DecodeString(string(line[:len(line)-1]))
		if err != nil {
			fatal(err)
		}
		var e study.Event
		if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&e); err != nil {
			fatal(err)
		}
		s.events = append(s.events, e)
	}
	if err := f.Truncate(whole); err != nil {
		fatal(err)
	}
	if _, err := f.Seek(whole, 0); err != nil {
		fatal(err)
	}
	return s
}

func (s *file) Save(_ context.Context, e study.Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(e); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(s.file, base64.StdEncoding.EncodeToString(data.Bytes())); err != nil {
		return err
	}
	s.events = append(s.events, e)
	return nil
}

func (s *file) Events(context.Context) ([]study.Event, error) { return s.events, nil }
