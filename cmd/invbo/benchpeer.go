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
	"time"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/simd"
)

func benchPeerCommand() *cobra.Command {
	var (
		python, script string
		rounds         int
	)
	c := &cobra.Command{
		Use:   "peer [KERNEL...]",
		Short: "Time the kernels side by side with PyTorch",
		Long: `peer times the kernels of invbo bench kernels here and in PyTorch, by turns in
several rounds so that both meet the same machine, and prints the median of each
and of the rounds' ratios, and the share of the processors' peak that we reach on
the arithmetic that is needed. Both use the same number of threads. Then it times
ours on one processor. It needs PyTorch (on Debian: apt-get install python3-torch
libopenblas0-openmp) and runs bench/peer.py of the source tree.`,
		Example: `  invbo bench peer
  invbo bench peer inversion "greedy decoding"
  GOMAXPROCS=1 invbo bench peer --rounds 9`,
		RunE: func(c *cobra.Command, args []string) error {
			if rounds < 1 {
				return usagef("--rounds %d: give a number above 0", rounds)
			}
			chosen, err := chosenKernels(args)
			if err != nil {
				return err
			}
			p, err := startPeer(c.Context(), python, script)
			if err != nil {
				return err
			}
			err = errors.Join(compare(c.Context(), c.OutOrStdout(), p, chosen, rounds), p.stop())
			if err == nil && runtime.GOMAXPROCS(0) > 1 {
				err = scale(c.Context(), c.OutOrStdout(), chosen, rounds)
			}
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
func compare(ctx context.Context, out io.Writer, p *peer, kernels []kernel, rounds int) error {
	peak32, peak64 := simd.PeakFlops(400 * time.Millisecond)
	fmt.Fprintf(out, "ours: %s kernels, %d processors; theirs: %s\n\n", simd.ISA(), runtime.GOMAXPROCS(0), p.about)
	fmt.Fprintf(out, "%-30s %10s %10s %12s %13s\n", "KERNEL", "OURS ms", "THEIRS ms", "THEIRS/OURS", "OURS OF PEAK")
	for _, k := range kernels {
		peak := peak32
		if k.wide {
			peak = peak64
		}
		peers := k.peers
		if peers == nil {
			peers = []string{k.name}
		}
		for _, name := range peers {
			c, err := contest(ctx, k, p, name, rounds)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			fmt.Fprintf(out, "%-30s %10.3f %10.3f %12.2f %13s\n", name, 1e3*c.ours, 1e3*c.theirs, c.ratio, k.share(c.ours, peak))
		}
	}
	return nil
}

// contestResult is the medians of a contest.
type contestResult struct{ ours, theirs, ratio float64 }

// contest times a kernel on both sides by turns.
func contest(ctx context.Context, k kernel, p *peer, name string, rounds int) (contestResult, error) {
	var ours, theirs, ratios []float64
	for range rounds {
		our, err := k.time(ctx)
		if err != nil {
			return contestResult{}, err
		}
		their, err := p.time(name)
		if err != nil {
			return contestResult{}, err
		}
		ours, theirs, ratios = append(ours, our), append(theirs, their), append(ratios, their/our)
	}
	return contestResult{median(ours), median(theirs), median(ratios)}, nil
}

// scale prints a table of our times on one processor and on all, taken by turns.
func scale(ctx context.Context, out io.Writer, kernels []kernel, rounds int) error {
	all := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(all)
	fmt.Fprintf(out, "\n%-30s %10s %10s %12s\n", "PROCESSORS", "1, ms", fmt.Sprintf("%d, ms", all), "SPEEDUP")
	for _, k := range kernels {
		var alone, together, ratios []float64
		for range rounds {
			runtime.GOMAXPROCS(1)
			one, err := k.time(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			runtime.GOMAXPROCS(all)
			many, err := k.time(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			alone, together, ratios = append(alone, one), append(together, many), append(ratios, one/many)
		}
		fmt.Fprintf(out, "%-30s %10.3f %10.3f %12.2f\n", k.name, 1e3*median(alone), 1e3*median(together), median(ratios))
	}
	return nil
}

// median returns the median of v, the upper one of an even number, and sorts v.
func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}
