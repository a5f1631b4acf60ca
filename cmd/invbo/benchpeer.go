package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/simd"
)

func benchPeerCommand() *cobra.Command {
	var (
		python, script string
		rounds         int
	)
	c := &cobra.Command{
		Use:   "peer",
		Short: "Time the kernels side by side with PyTorch",
		Long: `peer times the kernels of invbo bench kernels here and in PyTorch, by turns in
several rounds so that both meet the same machine, and prints the median of each
and of the rounds' ratios. Both use the same number of threads. It needs PyTorch
(on Debian: apt-get install python3-torch libopenblas0-openmp) and runs
bench/peer.py of the source tree.`,
		Example: `  invbo bench peer
  GOMAXPROCS=1 invbo bench peer --rounds 9`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if rounds < 1 {
				return usagef("--rounds %d: give a number above 0", rounds)
			}
			p, err := startPeer(c.Context(), python, script)
			if err != nil {
				return err
			}
			err = errors.Join(compare(c.Context(), c.OutOrStdout(), p, rounds), p.stop())
			if c.Context().Err() != nil {
				return context.Cause(c.Context()) // which ended the peer, too
			}
			return err
		},
	}
	c.Flags().SortFlags = false
	c.Flags().IntVar(&rounds, "rounds", 5, "time each `N` times")
	c.Flags().StringVar(&python, "python", "/usr/bin/python3", "`FILE` of a Python with PyTorch")
	c.Flags().StringVar(&script, "script", "bench/peer.py", "`FILE` of the peer's side")
	return c
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
	if !exists(script) {
		return nil, usagef("there is no %s; run this in the source tree, or say where it is with --script", script)
	}
	p := &peer{command: exec.CommandContext(ctx, python, script)}
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
		return nil, usagef("%w; name a Python with --python", err)
	}
	if !p.out.Scan() {
		p.command.Wait()
		return nil, usagef("%s %s: %s", python, script, strings.TrimSpace(p.errors.String()))
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
func compare(ctx context.Context, out io.Writer, p *peer, rounds int) error {
	fmt.Fprintf(out, "ours: %s kernels, %d processors; theirs: %s\n\n", simd.ISA(), runtime.GOMAXPROCS(0), p.about)
	fmt.Fprintf(out, "%-30s %10s %10s %12s\n", "KERNEL", "OURS ms", "THEIRS ms", "THEIRS/OURS")
	for _, k := range kernels() {
		peers := k.peers
		if peers == nil {
			peers = []string{k.name}
		}
		for _, name := range peers {
			if err := contest(ctx, out, k, p, name, rounds); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// contest times a kernel on both sides by turns, and writes a line of the table.
func contest(ctx context.Context, w io.Writer, k kernel, p *peer, name string, rounds int) error {
	var ours, theirs, ratios []float64
	for range rounds {
		our, err := k.time(ctx)
		if err != nil {
			return err
		}
		their, err := p.time(name)
		if err != nil {
			return err
		}
		ours, theirs, ratios = append(ours, our), append(theirs, their), append(ratios, their/our)
	}
	_, err := fmt.Fprintf(w, "%-30s %10.3f %10.3f %12.2f\n", name, 1e3*median(ours), 1e3*median(theirs), median(ratios))
	return err
}

// median returns the median of v, the upper one of an even number, and sorts v.
func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
