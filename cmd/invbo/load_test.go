//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/study"
)

// The load is not a part of the tests: go test ./cmd/invbo -run '^TestLoad$' -load 10m -timeout 1h
var (
	load        = flag.Duration("load", 0, "let clients ask and tell for this long")
	loadClients = flag.Int("load-clients", 200, "so many clients")
	loadKill    = flag.Duration("load-kill", 30*time.Second, "kill the server and start it again this often")
)

// served is a server that is killed and started again.
type served struct {
	path, log string
	mu        sync.Mutex
	base      string
	cmd       *exec.Cmd
	cpu       time.Duration // of all that were killed
}

func (s *served) start(t *testing.T) {
	t.Helper()
	log, err := os.Create(s.log)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	s.cmd = exec.Command("invbo", "serve", s.path, "--addr", "127.0.0.1:0", "--rate", "100000")
	s.cmd.Stdout, s.cmd.Stderr = log, log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	for range 6000 {
		text, _ := os.ReadFile(s.log)
		if base := found.Find(text); base != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.base = string(base)
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the server does not start")
}

func (s *served) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
	s.cpu += s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime()
}

// memory returns the resident memory of the server in MB.
func (s *served) memory() int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	kB, _ := strconv.Atoi(strings.Fields(rest + " 0")[0])
	return kB >> 10
}

func (s *served) post(path string, body, into any) error {
	s.mu.Lock()
	base := s.base
	s.mu.Unlock()
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.Post(base+path, "application/json", bytes.NewReader(text))
	if err != nil {
		return err
	}
	defer r.Body.Close()
	answer, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", r.Status, answer)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, into)
}

// Clients ask for one proposal each, measure for a while and tell, while the server is killed again and again and its
// file is copied. No answer that was acknowledged is lost, no proposal is lent twice, and every copy opens.
func TestLoad(t *testing.T) {
	if *load == 0 {
		t.Skip("is a load for -load 10m")
	}
	folder := t.TempDir()
	data := filepath.Join(folder, "words.csv")
	if err := os.WriteFile(data, []byte("sequence,activity\nACDEFA,0.5\nCCDEAG,1.5\nACDDFG,0.25\nAADEFG,0.75\nCCDEFGHIKL,1\nACACACAC,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &served{path: filepath.Join(folder, "lab.db"), log: filepath.Join(folder, "log")}
	if out, err := exec.Command("invbo", "new", s.path, "--task", "strings", "--data", data, "--score", "activity", "--maximize", "--length", "6:10").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s.start(t)
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = *loadClients

	type asked struct {
		Proposals []struct {
			Trial int
			Input string
		}
	}
	var mu sync.Mutex
	lent, told := map[int]int{}, map[int]float64{}
	var times []time.Duration
	var asks, twice atomic.Int64
	end := time.Now().Add(*load)
	var clients sync.WaitGroup
	for i := range *loadClients {
		clients.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			for time.Now().Before(end) {
				var a asked
				began := time.Now()
				if err := s.post("/studies/lab/ask", map[string]any{"n": 1, "lease": "2h"}, &a); err != nil {
					time.Sleep(100 * time.Millisecond) // it is being started
					continue
				}
				took := time.Since(began)
				asks.Add(1)
				p := a.Proposals[0]
				mu.Lock()
				times = append(times, took)
				if lent[p.Trial]++; lent[p.Trial] > 1 {
					twice.Add(1)
				}
				mu.Unlock()
				time.Sleep(time.Duration(rng.IntN(2000)) * time.Millisecond) // it is measured
				score := float64(strings.Count(p.Input, "AC")) + rng.Float64()/10
				for time.Now().Before(end) {
					var into struct{}
					err := s.post("/studies/lab/tell", map[string]any{"answers": []any{map[string]any{"trial": p.Trial, "score": score}}}, &into)
					if err == nil {
						mu.Lock()
						told[p.Trial] = score
						mu.Unlock()
						break
					}
					time.Sleep(100 * time.Millisecond)
				}
			}
		})
	}
	var memory []int
	copies := 0
	for next := time.Now().Add(*loadKill); time.Now().Before(end); time.Sleep(time.Second) {
		if copies*10 < int((*load - time.Until(end)).Seconds()) { // every ten seconds, while it is written to
			copies++
			copied := filepath.Join(folder, fmt.Sprintf("copy%d.db", copies))
			for _, ending := range []string{"", "-wal"} {
				if content, err := os.ReadFile(s.path + ending); err == nil {
					if err := os.WriteFile(copied+ending, content, 0o600); err != nil {
						t.Error(err)
					}
				}
			}
		}
		if time.Now().After(next) {
			memory = append(memory, s.memory())
			s.kill()
			s.start(t)
			next = time.Now().Add(*loadKill)
		}
	}
	clients.Wait()
	memory = append(memory, s.memory())
	s.kill()

	e, err := experiment.Open(t.Context(), s.path, experiment.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for id, score := range told {
		if got := e.Page(id-1, 1); len(got) != 1 || got[0].State != study.Scored || got[0].Measurements[0].Score != score {
			lost++
		}
	}
	inputs := map[string]bool{}
	for _, trial := range e.All() {
		if inputs[trial.Input] {
			t.Errorf("%s was proposed twice", trial.Input)
		}
		inputs[trial.Input] = true
	}
	e.Close()
	for i := 1; i <= copies; i++ {
		copied := filepath.Join(folder, fmt.Sprintf("copy%d.db", i))
		out, err := exec.Command("invbo", "status", copied).CombinedOutput()
		if err != nil {
			t.Errorf("copy %d does not open: %v: %s", i, err, out)
		}
		if i == copies {
			if out, err := exec.Command("invbo", "ask", copied).CombinedOutput(); err != nil {
				t.Errorf("the last copy does not go on: %v: %s", err, out)
			}
		}
	}
	slices.Sort(times)
	rate := float64(asks.Load()) / load.Seconds()
	fmt.Printf("%d clients, %v, %d starts: %d asks (%.1f a second), p50 %v, p95 %v, p99 %v; %d answers acknowledged, %d lost; %d lent twice; %d copies; the servers took %.1f s of processors; memory before each end, MB: %v\n",
		*loadClients, *load, len(memory), asks.Load(), rate, times[len(times)/2], times[len(times)*95/100], times[len(times)*99/100], len(told), lost, twice.Load(), copies, s.cpu.Seconds(), memory)
	if lost > 0 || twice.Load() > 0 {
		t.Errorf("%d acknowledged answers are lost, %d proposals were lent twice", lost, twice.Load())
	}
}
