package evolve

import (
	"strconv"
	"sync/atomic"
	"testing"
)

// Strings of the pool are described once, however many children come between; so are strings that every batch asks for.
func TestReaderRemembers(t *testing.T) {
	var reads atomic.Int32
	r := &reader{read1: func(string) (Description, error) {
		reads.Add(1)
		return Description{}, nil
	}}
	names := func(kind string, n int) []string {
		xs := make([]string, n)
		for i := range xs {
			xs[i] = kind + strconv.Itoa(i)
		}
		return xs
	}
	library, known := names("library", pooled), names("known", 100)
	const batches = 30
	for b := range batches {
		r.read(known)
		r.readPool(library[:b*pooled/batches])
		r.read(names(strconv.Itoa(b)+"child", 1_000))
	}
	r.read(known)
	r.readPool(library)
	if want := int32(len(library) + len(known) + batches*1_000); reads.Load() != want {
		t.Errorf("%d strings were described, want each of %d once", reads.Load(), want)
	}
	if n := len(r.lately.recent) + len(r.lately.older); n > 3*latest {
		t.Errorf("%d strings that are not of the pool are remembered", n)
	}
}
