package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/usage"
)

// Peer times the kernels of these names, or all, here and in PyTorch by turns, and prints the medians. python runs the script,
// bench/peer.py. Then it times ours on one processor.
func Peer(ctx context.Context, names []string, python, script string, rounds int, out io.Writer) error {
	chosen, err := chosenKernels(names)
	if err != nil {
		return err
	}
	p, err := startPeer(ctx, python, script)
	if err != nil {
		return err
	}
	err = errors.Join(compare(ctx, out, p, chosen, rounds), p.stop())
	if err == nil && runtime.GOMAXPROCS(0) > 1 {
		err = scale(ctx, out, chosen, rounds)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx) // which ended the peer, too
	}
	return err
}

// peer is bench/peer.py: it reads the name of a kernel from each line, and answers with seconds.
type peer struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	errors  strings.Builder
	about   string // versions, in words
}

func startPeer(ctx context.Context, python, script string) (*peer, error) {
	if !files.Exists(script) {
		return nil, usage.Errorf("there is no %s; run this in the source tree, or say where it is with --script", script)
	}
	p := &peer{command: exec.CommandContext(ctx, python, append([]string{script}, arguments(moleculeTokens())...)...)}
	p.command.Env = append(os.Environ(), fmt.Sprintf("OMP_NUM_THREADS=%d", runtime.GOMAXPROCS(0)))
	p.command.Stderr = &p.errors
	in, err := p.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewScanner(out)
	if err := p.command.Start(); err != nil {
		return nil, usage.Errorf("%w; name a Python with --python", err)
	}
	if !p.out.Scan() {
		p.command.Wait()
		return nil, usage.Errorf("%s %s: %s", python, script, strings.TrimSpace(p.errors.String()))
	}
	p.about = p.out.Text()
	return p, nil
}

// time asks for the seconds that a kernel takes.
func (p *peer) time(kernel string) (float64, error) {
	if _, err := fmt.Fprintln(p.in, kernel); err != nil {
		return 0, fmt.Errorf("peer: %w", err)
	}
	if !p.out.Scan() {
		return 0, fmt.Errorf("peer: no answer: %s", strings.TrimSpace(p.errors.String()))
	}
	seconds, err := strconv.ParseFloat(p.out.Text(), 64)
	if err != nil {
		return 0, fmt.Errorf("peer: %w", err)
	}
	return seconds, nil
}

// stop ends the peer, which leaves when its input does.
func (p *peer) stop() error {
	p.in.Close()
	if err := p.command.Wait(); err != nil {
		return fmt.Errorf("peer: %w: %s", err, strings.TrimSpace(p.errors.String()))
	}
	return nil
}

// compare prints a table of both sides' times.
func compare(ctx context.Context, out io.Writer, p *peer, kernels []kernel, rounds int) error {
	peak32, peak64 := simd.PeakFlops(400 * time.Millisecond)
	fmt.Fprintf(out, "ours: %s kernels, %d processors; theirs: %s\n\n", simd.ISA(), runtime.GOMAXPROCS(0), p.about)
	fmt.Fprintf(out, "%-30s %10s %10s %12s %13s\n", "KERNEL", "OURS ms", "THEIRS ms", "THEIRS/OURS", "OURS OF PEAK")
	for _, k := range kernels {
		peers := k.peers
		if peers == nil {
			peers = []string{k.name}
		}
		for _, name := range peers {
			ours, theirs, ratio, err := byTurns(rounds, func() (float64, error) { return k.time(ctx) }, func() (float64, error) { return p.time(name) })
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			fmt.Fprintf(out, "%-30s %10.3f %10.3f %12.2f %13s\n", name, 1e3*ours, 1e3*theirs, ratio, k.share(ours, peak32, peak64))
		}
	}
	return nil
}

// scale prints a table of our times on one processor and on all, taken by turns.
func scale(ctx context.Context, out io.Writer, kernels []kernel, rounds int) error {
	all := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(all)
	fmt.Fprintf(out, "\n%-30s %10s %10s %12s\n", "PROCESSORS", "1, ms", fmt.Sprintf("%d, ms", all), "SPEEDUP")
	for _, k := range kernels {
		on := func(processors int) func() (float64, error) {
			return func() (float64, error) {
				runtime.GOMAXPROCS(processors)
				return k.time(ctx)
			}
		}
		together, alone, ratio, err := byTurns(rounds, on(all), on(1))
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		fmt.Fprintf(out, "%-30s %10.3f %10.3f %12.2f\n", k.name, 1e3*alone, 1e3*together, ratio)
	}
	return nil
}

// byTurns times a and b by turns in several rounds, and returns the medians of both and of b/a.
func byTurns(rounds int, a, b func() (float64, error)) (ofA, ofB, ratio float64, err error) {
	var as, bs, ratios []float64
	for range rounds {
		tookA, err := a()
		if err != nil {
			return 0, 0, 0, err
		}
		tookB, err := b()
		if err != nil {
			return 0, 0, 0, err
		}
		as, bs, ratios = append(as, tookA), append(bs, tookB), append(ratios, tookB/tookA)
	}
	return stats.Median(as), stats.Median(bs), stats.Median(ratios), nil
}
