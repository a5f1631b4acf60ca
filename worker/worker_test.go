package worker_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/pgtest"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/oracletest"
	"github.com/invbo/invbo/store/postgres"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/worker"
)

var server pgtest.Server // of all tests

func TestMain(m *testing.M) {
	if address := os.Getenv(childURL); address != "" {
		fmt.Fprintln(os.Stderr, "child:", child(address))
		os.Exit(1)
	}
	code := m.Run()
	server.Stop()
	os.Exit(code)
}

func create(t testing.TB, address string) *postgres.Study {
	t.Helper()
	s, err := postgres.Create(t.Context(), address, "lab", postgres.Meta{})
	return closed(t, s, err)
}

func open(t testing.TB, address string, readOnly bool) *postgres.Study {
	t.Helper()
	s, err := postgres.Open(t.Context(), address, "lab", postgres.Options{ReadOnly: readOnly})
	return closed(t, s, err)
}

func closed(t testing.TB, s *postgres.Study, err error) *postgres.Study {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func newOracle(t testing.TB, s *postgres.Study) *worker.Oracle {
	t.Helper()
	o, err := worker.NewOracle(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// work works until the end of the test, or until stop is called.
func work(t testing.TB, address string, o oracle.Oracle, opts worker.Options) (stop func()) {
	t.Helper()
	s := open(t, address, true)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- worker.Work(ctx, s, o, opts) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Work: %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// one returns a number of the database.
func one(t testing.TB, s *postgres.Study, query string) (n int) {
	t.Helper()
	if err := s.Pool().QueryRow(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

const (
	unfinished = "SELECT count(*) FROM river_job WHERE state != 'completed'"
	inBooks    = "SELECT count(*) FROM results"
)

// length scores a string by its length, unless it is empty.
func length(_ context.Context, x string) (oracle.Result, error) {
	if x == "" {
		return oracle.Result{Score: math.NaN(), Reason: "empty"}, nil
	}
	return oracle.Result{Score: float64(len(x))}, nil
}

func TestOracle(t *testing.T) {
	address := server.Database(t)
	s := create(t, address)
	o := newOracle(t, s)
	work(t, address, oracle.Each(1, length), worker.Options{Jobs: 4})
	oracletest.Run(t, o, []string{"a", "bcd", `\x31`}, []string{"", "\xff", "\x00"})
	if got, want := one(t, s, inBooks), 5; got != want { // the suite repeats one string
		t.Errorf("%d answers, want %d", got, want)
	}
}

// All of a result arrives, and long inputs.
func TestResults(t *testing.T) {
	address := server.Database(t)
	o := newOracle(t, create(t, address))
	want := map[string]oracle.Result{
		"a":                        {Score: math.Copysign(0, -1)},
		"b":                        {Score: 1.0 / 3, Others: map[string]float64{"logP": 1e-300, "zero": math.Copysign(0, -1)}},
		"c":                        {Score: math.NaN(), Reason: "did not \ndock"},
		"d":                        {Score: 1, Others: map[string]float64{}},
		strings.Repeat("C", 50000): {Score: 2},
	}
	var inputs []string
	for x := range want {
		inputs = append(inputs, x)
	}
	work(t, address, oracle.Each(1, func(_ context.Context, x string) (oracle.Result, error) {
		r := want[x]
		if r.Others != nil { // what is not finite is left out
			r.Others = maps.Clone(r.Others)
			r.Others["hERG"], r.Others["mass"] = math.NaN(), math.Inf(-1)
		}
		return r, nil
	}), worker.Options{})
	got, err := o.Score(t.Context(), inputs)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range inputs {
		if got, want := fmt.Sprintf("%#v", got[i]), fmt.Sprintf("%#v", want[x]); got != want {
			t.Errorf("%.10s: %s, want %s", x, got, want)
		}
	}
}

// failing fails as often as its number says, and then answers.
type failing struct {
	left  atomic.Int64
	calls atomic.Int64
	err   error
}

func (f *failing) Score(context.Context, []string) ([]oracle.Result, error) {
	f.calls.Add(1)
	if f.left.Add(-1) >= 0 {
		return nil, f.err
	}
	return []oracle.Result{{Score: 7}}, nil
}

func TestRetries(t *testing.T) {
	address := server.Database(t)
	s := create(t, address)
	o := newOracle(t, s)
	f := &failing{err: errors.New("license server is down")}
	work(t, address, f, worker.Options{Wait: time.Millisecond})

	f.left.Store(2)
	if got, err := oracle.One(t.Context(), o, "a"); err != nil || got.Score != 7 || f.calls.Load() != 3 {
		t.Errorf("after two failures: %v, %v, %d calls", got, err, f.calls.Load())
	}
	f.left.Store(5)
	if _, err := oracle.One(t.Context(), o, "b"); err == nil || !strings.Contains(err.Error(), "all 5 attempts of workers failed") || !strings.Contains(err.Error(), "license server is down") {
		t.Errorf("after five failures: %v", err)
	}
	if got, err := oracle.One(t.Context(), o, "b"); err != nil || got.Score != 7 { // the study was resumed
		t.Errorf("asked again: %v, %v", got, err)
	}
	f.left.Store(1)
	f.calls.Store(0)
	f.err = oracle.Permanent(errors.New("no such program"))
	if _, err := oracle.One(t.Context(), o, "c"); err == nil || !strings.Contains(err.Error(), "no such program") || f.calls.Load() != 1 {
		t.Errorf("after a permanent failure: %v, %d calls", err, f.calls.Load())
	}
}

// A call is one of its study and its attempt: what was measured before is asked for anew.
func TestCalls(t *testing.T) {
	address := server.Database(t)
	s := create(t, address)
	other, err := postgres.Create(t.Context(), address, "other", postgres.Meta{})
	o, second := newOracle(t, s), newOracle(t, closed(t, other, err))
	var calls atomic.Int64
	work(t, address, oracle.Each(1, func(context.Context, string) (oracle.Result, error) {
		return oracle.Result{Score: float64(calls.Add(1))}, nil
	}), worker.Options{})
	ask := func(want string, x ...string) {
		t.Helper()
		results, err := o.Score(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, r := range results {
			got += fmt.Sprint(r.Score, " ")
		}
		if got != want {
			t.Errorf("%q: %s, want %s", x, got, want)
		}
	}
	ask("1 ", "a")
	ask("1 2 ", "a", "a")
	if err := s.Save(t.Context(), study.Event{Trials: []study.Trial{{
		Proposal: study.Proposal{ID: 1, X: "x", Input: "a"}, State: study.Scored, Called: true, Measurements: []study.Measurement{{ID: 1, Score: 1}},
	}}}); err != nil {
		t.Fatal(err)
	}
	ask("2 ", "a")
	ask("2 3 ", "a", "a")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := second.Score(ctx, []string{"a"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a study without workers: %v", err)
	}
}

// blocking is an oracle whose calls are seen and answered by the test.
type blocking struct {
	begun   chan string
	answers chan float64
}

func newBlocking() blocking { return blocking{make(chan string, 10), make(chan float64)} }

func (b blocking) Score(ctx context.Context, x []string) ([]oracle.Result, error) {
	b.begun <- x[0]
	select {
	case score := <-b.answers:
		return []oracle.Result{{Score: score}}, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// A worker that was silent and answers late is ignored. While it has its lease, nobody takes over.
func TestLateAnswer(t *testing.T) {
	address := server.Database(t)
	s := create(t, address)
	o := newOracle(t, s)
	slow, fast := newBlocking(), newBlocking()
	scores := make(chan string)
	go func() {
		r, err := oracle.One(t.Context(), o, "a")
		scores <- fmt.Sprint(r.Score, err)
	}()
	stop := work(t, address, slow, worker.Options{Lease: time.Hour})
	<-slow.begun
	work(t, address, fast, worker.Options{Lease: 30 * time.Millisecond})
	select {
	case <-fast.begun:
		t.Fatal("it took over the job of a worker that has its lease")
	case <-time.After(200 * time.Millisecond): // several leases of its own
	}
	if _, err := s.Pool().Exec(t.Context(), "UPDATE workers SET lease = now() WHERE lease > now() + interval '1 minute'"); err != nil {
		t.Fatal(err)
	}
	<-fast.begun
	fast.answers <- 2
	if got := <-scores; got != "2 <nil>" {
		t.Errorf("Score: %s, want 2", got)
	}
	slow.answers <- 1
	stop() // after its answer
	if got, err := oracle.One(t.Context(), o, "a"); err != nil || got.Score != 2 {
		t.Errorf("after the late answer: %v, %v; want 2", got, err)
	}
	if n := one(t, s, inBooks); n != 1 {
		t.Errorf("%d answers, want 1", n)
	}
}

// A worker that is told to stop gives its job back, which costs no attempt.
func TestStop(t *testing.T) {
	address := server.Database(t)
	s := create(t, address)
	o := newOracle(t, s)
	b := newBlocking()
	scores := make(chan string)
	go func() {
		r, err := oracle.One(t.Context(), o, "a")
		scores <- fmt.Sprint(r.Score, err)
	}()
	for range 6 { // more than attempts
		stop := work(t, address, b, worker.Options{})
		<-b.begun
		stop()
	}
	if n := one(t, s, "SELECT count(*) FROM workers"); n != 0 {
		t.Errorf("%d workers are left", n)
	}
	work(t, address, b, worker.Options{})
	b.answers <- 3
	if got := <-scores; got != "3 <nil>" {
		t.Errorf("Score: %s, want 3", got)
	}
}

// Children of the tests of kills are this program with these environment variables.
const (
	childURL  = "INVBO_WORKER_URL"
	childRole = "INVBO_WORKER_ROLE" // study or worker
	childLog  = "INVBO_WORKER_LOG"  // of the oracle's calls: a line before each
)

func start(t *testing.T, address, role, log string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childURL+"="+address, childRole+"="+role, childLog+"="+log)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	if !bufio.NewScanner(out).Scan() {
		t.Fatalf("the %s does not begin", role)
	}
	return c
}

func child(address string) error {
	ctx := context.Background()
	if os.Getenv(childRole) == "study" {
		return runStudy(ctx, address)
	}
	log, err := os.OpenFile(os.Getenv(childLog), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	s, err := postgres.Open(ctx, address, "lab", postgres.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	fmt.Println("working")
	return worker.Work(ctx, s, oracle.Each(1, func(_ context.Context, x string) (oracle.Result, error) {
		if _, err := fmt.Fprintln(log, x); err != nil {
			return oracle.Result{}, err
		}
		time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
		return oracle.Result{Score: float64(len(x))}, nil
	}), worker.Options{Jobs: 2, Lease: 2 * time.Second})
}

// calls returns how often the oracle was asked about each string.
func calls(t *testing.T, log string) map[string]int {
	t.Helper()
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for line := range bytes.Lines(data) {
		n[string(bytes.TrimSpace(line))]++
	}
	return n
}

// Of four workers two are killed at random moments; each of 500 jobs is in the books once.
func TestWorkersKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	const jobs = 500
	address, log := server.Database(t), filepath.Join(t.TempDir(), "calls")
	s := create(t, address)
	o := newOracle(t, s)
	var inputs []string
	for i := range jobs {
		inputs = append(inputs, strings.Repeat("C", i+1))
	}
	var workers []*exec.Cmd
	for range 4 {
		workers = append(workers, start(t, address, "worker", log))
	}
	type reply struct {
		results []oracle.Result
		err     error
	}
	done := make(chan reply)
	go func() {
		results, err := o.Score(t.Context(), inputs)
		done <- reply{results, err}
	}()
	for i := range 2 {
		for at := jobs/5*(2*i+1) - rand.IntN(jobs/10); one(t, s, inBooks) < at; { // a random moment before the end
			time.Sleep(time.Duration(rand.IntN(5)) * time.Millisecond)
		}
		if err := workers[i].Process.Kill(); err != nil {
			t.Fatal(err)
		}
		workers[i].Wait()
	}
	all := <-done
	if all.err != nil {
		t.Fatal(all.err)
	}
	for i, r := range all.results {
		if r.Score != float64(i+1) {
			t.Errorf("result %d is %+v", i, r)
		}
	}
	if n := one(t, s, inBooks); n != jobs {
		t.Errorf("%d answers in the books, want %d", n, jobs)
	}
	for end := time.Now().Add(20 * time.Second); one(t, s, unfinished) > 0; { // a job that was asked again is completed soon after its answer
		if time.Now().After(end) {
			t.Fatalf("%d jobs are not completed", one(t, s, unfinished))
		}
		time.Sleep(10 * time.Millisecond)
	}
	again, asked := 0, calls(t, log)
	for _, n := range asked {
		again += n - 1
	}
	if len(asked) != jobs || again > 4 { // two dead workers with two jobs each
		t.Errorf("%d strings were asked for, and %d of them again", len(asked), again)
	}
	t.Logf("%d jobs, 2 of 4 workers killed, %d calls of the oracle repeated", jobs, again)
}

const budget = 60

// runStudy runs the study to its end.
func runStudy(ctx context.Context, address string) error {
	s, err := postgres.Open(ctx, address, "lab", postgres.Options{})
	if err != nil {
		return err
	}
	o, err := worker.NewOracle(ctx, s)
	if err != nil {
		return err
	}
	st, err := study.New(ctx, study.Problem{Oracle: o, Init: []study.Observation{{X: "C"}, {X: "CC"}}}, &longer{length: 2}, study.Options{Budget: budget, Store: s})
	if err != nil {
		return err
	}
	fmt.Println("running")
	if err := st.Run(ctx); err != nil {
		return err
	}
	os.Exit(0)
	return nil
}

// longer is a searcher that proposes longer and longer strings.
type longer struct{ length int }

func (l *longer) Propose(_ context.Context, _ study.Ledger, n int) ([]study.Proposal, error) {
	proposals := make([]study.Proposal, n)
	for i := range proposals {
		l.length++
		proposals[i].X = strings.Repeat("C", l.length)
	}
	return proposals, nil
}

func (l *longer) Observe(context.Context, ...study.Trial) error { return nil }

// The study's process is killed again and again. No string is scored twice, and no answer is lost.
func TestStudyKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	address, log := server.Database(t), filepath.Join(t.TempDir(), "calls")
	create(t, address).Close()
	reader := open(t, address, true)
	newStudy := start(t, address, "study", log)
	start(t, address, "worker", log)
	kills := 0
	for {
		n := one(t, reader, inBooks)
		if n > 12*kills && n < budget {
			if err := newStudy.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			kills++
			newStudy.Wait()
			newStudy = start(t, address, "study", log)
		}
		if n >= budget {
			break
		}
		time.Sleep(time.Duration(rand.IntN(5)) * time.Millisecond)
	}
	if err := newStudy.Wait(); err != nil {
		t.Fatal(err)
	}
	events, err := reader.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	scored := map[string]float64{}
	for _, e := range events {
		for _, trial := range e.Trials {
			if trial.State == study.Scored {
				scored[trial.Input] = trial.Score
			}
		}
	}
	for x, score := range scored {
		if score != float64(len(x)) {
			t.Errorf("%q has score %g", x, score)
		}
	}
	asked := calls(t, log)
	for x, n := range asked {
		if n != 1 {
			t.Errorf("%q was scored %d times", x, n)
		}
	}
	if len(scored) != budget+2 || len(asked) != budget+2 || kills < 3 {
		t.Errorf("%d trials scored and %d strings asked for, want %d; %d kills", len(scored), len(asked), budget+2, kills)
	}
	t.Logf("%d kills, %d calls", kills, len(asked))
}

// BenchmarkJobs gives workers jobs for an oracle that takes no time, on a server whose commits wait for the disk.
//
//	go test ./worker -run '^$' -bench Jobs -benchtime 1x
func BenchmarkJobs(b *testing.B) {
	durable := pgtest.Server{Durable: true}
	b.Cleanup(durable.Stop)
	address := durable.Database(b)
	s := create(b, address)
	o := newOracle(b, s)
	work(b, address, oracle.Each(1, length), worker.Options{Jobs: 32})
	const jobs = 10_000
	n := 0
	for b.Loop() {
		inputs := make([]string, jobs)
		for i := range inputs {
			n++
			inputs[i] = fmt.Sprint("C", n)
		}
		if _, err := o.Score(b.Context(), inputs); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Minutes(), "jobs/min")
}

// A worker whose database is gone can be stopped.
func TestDatabaseGone(t *testing.T) {
	var own pgtest.Server
	address := own.Database(t)
	o := newOracle(t, create(t, address))
	stop := work(t, address, oracle.Each(1, length), worker.Options{Lease: time.Second})
	if _, err := oracle.One(t.Context(), o, "a"); err != nil {
		t.Fatal(err)
	}
	own.Stop()
	if _, err := oracle.One(t.Context(), o, "b"); err == nil {
		t.Error("Score without a database is no error")
	}
	stop()
}
