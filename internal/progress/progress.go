// Package progress shows on standard error how far something is.
package progress

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/invbo/invbo/internal/usage"
)

// Display shows how far something is: a bar with a few lines below it on a terminal, a plain line now and then elsewhere.
type Display struct {
	bars *mpb.Progress // nil: plain lines
	bar  *mpb.Bar

	mu      sync.Mutex // mpb draws in a goroutine of its own
	total   int
	done    int
	before  int // units of an earlier run, which do not count for the pace; −1 before the first Set
	began   time.Time
	details []string
	ended   bool
	printed int // tenths of total that have had their plain line
}

// New starts a display of total units on stderr, in plain lines if told to or if stderr is no terminal.
func New(label string, total int, lines bool) *Display {
	p := &Display{total: total, before: -1, began: time.Now()}
	if lines || !IsTerminal(os.Stderr) {
		return p
	}
	p.bars = mpb.New(mpb.WithOutput(os.Stderr), mpb.WithWidth(40), mpb.WithRefreshRate(200*time.Millisecond))
	p.bar = p.bars.AddBar(0, // no total: mpb would end the bar when it is full, before the last details are in
		mpb.PrependDecorators(decor.Name(label), decor.CountersNoUnit("%d/%d", decor.WC{W: 9})),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return p.left() })),
		mpb.BarExtender(mpb.BarFillerFunc(p.below), false))
	p.bar.SetTotal(int64(total), false)
	return p
}

// Set shows the number of units done, and details: one line each on a terminal.
func (p *Display) Set(done int, details ...string) {
	p.mu.Lock()
	p.done, p.details = done, details
	if p.before < 0 {
		p.before = max(0, done-1)
	}
	p.mu.Unlock()
	if p.bar != nil {
		p.bar.SetCurrent(int64(done))
		return
	}
	if tenth := done * 10 / max(1, p.total); tenth > p.printed {
		p.printed = tenth
		fmt.Fprintf(os.Stderr, "%d/%d  %s  %s\n", done, p.total, strings.Join(details, "  "), p.left())
	}
}

// Say writes a line above the display.
func (p *Display) Say(line string) {
	var to io.Writer = os.Stderr
	if p.bars != nil {
		to = p.bars
	}
	fmt.Fprintln(to, line)
}

// Stop ends the display and leaves its last state on the screen.
func (p *Display) Stop() {
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	if p.bars == nil {
		return
	}
	if p.done == p.total {
		p.bar.SetTotal(int64(p.total), true)
	} else {
		p.bar.Abort(false)
	}
	p.bars.Wait()
}

// left returns the remaining time at the pace so far.
func (p *Display) left() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.done == p.total:
		return "done"
	case p.ended:
		return "stopped"
	case p.before < 0, p.done == p.before:
		return ""
	}
	pace := time.Since(p.began) / time.Duration(p.done-p.before)
	return (pace * time.Duration(p.total-p.done)).Round(time.Second).String() + " left"
}

func (p *Display) below(w io.Writer, s decor.Statistics) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range p.details {
		if _, err := fmt.Fprintln(w, usage.Shorten(line, s.AvailableWidth)); err != nil {
			return err
		}
	}
	return nil
}

// Rows returns a function that shows on a terminal how many rows of a large table were read, or written to out, unless
// that is a terminal: there the display would be among them. The other one ends the display.
func Rows(label string, out io.Writer) (show func(done, total int), stop func()) {
	const large = 5_000 // rows; fewer take no time
	var d *Display
	hidden := !IsTerminal(os.Stderr) || IsTerminal(out)
	show = func(done, total int) {
		if hidden || total < large {
			return
		}
		if d == nil {
			d = New(label, total, false)
		}
		d.Set(done)
	}
	return show, func() {
		if d != nil {
			d.Stop()
		}
	}
}

// IsTerminal reports whether what is written there is seen on a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && cwriter.IsTerminal(int(f.Fd()))
}
