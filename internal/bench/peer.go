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

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/usage"
)

// Peer times the kernels of these names, or all, here and in PyTorch by turns, and prints the medians. python runs the script,
// bench/peer.py.
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
	p := &peer{command: exec.CommandContext(ctx, python, append([]string{script}, strings.Fields(strings.Trim(fmt.Sprint(moleculeTokens()), "[]"))...)...)}
	p.command.Env = append(os.Environ(), fmt.Sprintf("OMP_NUM_THREADS=%d", runtime.GOMAXPROCS(0)))
	p.command.Stderr = &p.errors
	in, errIn := p.command.StdinPipe()
	out, errOut := p.command.StdoutPipe()
	if err := errors.Join(errIn, errOut, p.command.Start()); err != nil {
		return nil, usage.Errorf("start PyTorch: %w", err)
	}
	p.in, p.out = in, bufio.NewScanner(out)
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
	m := measureMachine()
	fmt.Fprintf(out, "ours: %s\ntheirs: %s\n\n", m, p.about)
	fmt.Fprintf(out, "%-30s %10s %10s %12s %13s\n", "KERNEL", "OURS ms", "THEIRS ms", "THEIRS/OURS", "OURS OF BOUND")
	for _, k := range kernels {
		for _, name := range k.peers {
			ours, theirs, ratio, err := byTurns(ctx, rounds, k, p, name)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			_, least := m.bound(k)
			fmt.Fprintf(out, "%-30s %10.3f %10.3f %12.2f %11.0f %%\n", name, 1e3*ours, 1e3*theirs, ratio, 100*least/ours)
		}
	}
	return nil
}

// byTurns times a kernel here and under a name there by turns in several rounds, and returns the medians of both and of theirs/ours.
func byTurns(ctx context.Context, rounds int, k kernel, p *peer, name string) (ours, theirs, ratio float64, err error) {
	var all, others, ratios []float64
	for range rounds {
		took, err := k.time(ctx)
		if err != nil {
			return 0, 0, 0, err
		}
		other, err := p.time(name)
		if err != nil {
			return 0, 0, 0, err
		}
		all, others, ratios = append(all, took), append(others, other), append(ratios, other/took)
	}
	return stats.Median(all), stats.Median(others), stats.Median(ratios), nil
}
