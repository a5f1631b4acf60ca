package page

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

// settle is how long a stream waits after it has said that something changed: of a run with many answers a second,
// pages show some.
const settle = 500 * time.Millisecond

// live says when one of some studies changes, as server-sent events; the page then gets anew what it shows. A client
// that was cut off gets an event when it is back.
func (p *Page) live(w http.ResponseWriter, r *http.Request) error {
	names := r.URL.Query()["study"]
	var followed []*board
	for _, b := range p.boards {
		if len(names) == 0 || slices.Contains(names, b.Name) {
			followed = append(followed, b)
		}
	}
	if p.options.Follow != nil {
		leave, err := p.options.Follow(r)
		if err != nil {
			return err
		}
		defer leave()
	}
	if err := patient(w); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	changed := make(chan struct{}, 1)
	var watchers sync.WaitGroup
	defer watchers.Wait()
	defer cancel()
	for _, b := range followed {
		n := b.Latest() // before the client hears anything: it misses no change after that
		watchers.Go(func() { b.watch(ctx, n, changed) })
	}
	heartbeat := time.NewTicker(cmp.Or(p.options.Heartbeat, 15*time.Second))
	defer heartbeat.Stop()
	control := http.NewResponseController(w)
	send := func(text string) error {
		if _, err := fmt.Fprint(w, text); err != nil {
			return err
		}
		return control.Flush()
	}
	err := send("retry: 1000\nevent: hello\ndata: hello\n\n")
	for err == nil {
		select {
		case <-changed:
			if err = send("event: changed\ndata: changed\n\n"); err == nil {
				err = pause(ctx, p.options.Closing, settle)
			}
		case <-heartbeat.C:
			err = send(": still here\n\n")
		case <-p.options.Closing:
			return nil
		case <-ctx.Done():
			return nil
		}
	}
	return nil // that of a client that left
}

// watch tells changed when the study has notes after the first n, until ctx ends.
func (b *board) watch(ctx context.Context, n int, changed chan<- struct{}) {
	for {
		notes, more := b.Watch(n)
		if n += len(notes); len(notes) > 0 {
			select {
			case changed <- struct{}{}:
			default: // it knows already
			}
			continue
		}
		select {
		case <-more:
		case <-ctx.Done():
			return
		}
	}
}

// pause waits; the error is that the stream ends.
func pause(ctx context.Context, closing <-chan struct{}, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-closing:
		return context.Canceled
	case <-ctx.Done():
		return ctx.Err()
	}
}
