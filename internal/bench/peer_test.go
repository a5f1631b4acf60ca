package bench

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/stats"
)

var python = flag.String("python", "/usr/bin/python3", "`FILE` of a Python with PyTorch, for BenchmarkPeer")

// BenchmarkPeer times kernels here and in PyTorch with as many threads: an iteration is one round of each, so that both
// meet the same machine. It reports medians: milliseconds here and there, the ratio, and our share of the bound.
func BenchmarkPeer(b *testing.B) {
	p := startPeer(b)
	m := measureMachine()
	fmt.Printf("ours: %s\ntheirs: %s\n", m, p.about)
	for _, k := range kernels() {
		for _, name := range k.peers {
			b.Run(name, func(b *testing.B) {
				var ours, theirs, ratios []float64
				for b.Loop() {
					here, there := fastest(b, k), p.time(b, name)
					ours, theirs, ratios = append(ours, here), append(theirs, there), append(ratios, there/here)
				}
				_, least := m.bound(k)
				b.ReportMetric(0, "ns/op") // of a round: not shown
				b.ReportMetric(1e3*stats.Median(ours), "ours-ms")
				b.ReportMetric(1e3*stats.Median(theirs), "theirs-ms")
				b.ReportMetric(stats.Median(ratios), "theirs/ours")
				b.ReportMetric(100*least/stats.Median(ours), "%-of-bound")
			})
		}
	}
}

// peer is bench/peer.py: it reads the name of a kernel from each line, and answers with seconds.
type peer struct {
	in     io.Writer
	out    *bufio.Scanner
	errors strings.Builder
	about  string // versions, in words
}

// startPeer starts the peer, or skips b where there is no PyTorch. The peer leaves when its input ends, with b.
func startPeer(b *testing.B) *peer {
	var p peer
	lengths := strings.Fields(strings.Trim(fmt.Sprint(moleculeTokens()), "[]"))
	command := exec.Command(*python, append([]string{"../../bench/peer.py"}, lengths...)...)
	command.Env = append(os.Environ(), fmt.Sprintf("OMP_NUM_THREADS=%d", runtime.GOMAXPROCS(0)))
	command.Stderr = &p.errors
	in, errIn := command.StdinPipe()
	out, errOut := command.StdoutPipe()
	if err := errors.Join(errIn, errOut, command.Start()); err != nil {
		b.Skipf("no PyTorch: %v", err)
	}
	b.Cleanup(func() {
		in.Close()
		command.Wait()
	})
	p.in, p.out = in, bufio.NewScanner(out)
	if !p.out.Scan() {
		command.Wait()
		b.Skipf("no PyTorch: %s", &p.errors)
	}
	p.about = p.out.Text()
	return &p
}

// time asks for the seconds that a kernel takes.
func (p *peer) time(b *testing.B, kernel string) float64 {
	_, err := fmt.Fprintln(p.in, kernel)
	check(b, err)
	if !p.out.Scan() {
		b.Fatalf("no answer: %s", &p.errors)
	}
	seconds, err := strconv.ParseFloat(p.out.Text(), 64)
	check(b, err)
	return seconds
}
