package evolve

import (
	"errors"
	"reflect"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/invbo/invbo/gp"
)

// A description that is remembered is the one that was given, and a string that is not of the space remains none.
func TestRemembered(t *testing.T) {
	given := map[string]Description{
		"nothing": {Groups: []gp.Counts{}},
		"much": {Groups: []gp.Counts{{IDs: []uint64{}, N: []uint32{}}, {IDs: []uint64{3, 9}, N: []uint32{1, 4}}, {IDs: []uint64{1}, N: []uint32{2}}},
			Risks: []uint64{7}, Infeasible: true},
	}
	r := newReader(func(x string) (Description, error) {
		if d, ok := given[x]; ok {
			return d, nil
		}
		return Description{}, errors.New("none")
	})
	for range 2 {
		got := r.read([]string{"nothing", "much", "none"})
		if !reflect.DeepEqual(*got[0], given["nothing"]) || !reflect.DeepEqual(*got[1], given["much"]) || got[2] != nil {
			t.Errorf("%v, %v, %v; want %v and nil", got[0], got[1], got[2], given)
		}
	}
}

// Strings of the pool are described once, however many children come between; so are strings that every batch asks for.
func TestReaderRemembers(t *testing.T) {
	var reads atomic.Int32
	r := newReader(func(string) (Description, error) {
		reads.Add(1)
		return Description{}, nil
	})
	names := func(kind string, n int) []string {
		xs := make([]string, n)
		for i := range xs {
			xs[i] = kind + strconv.Itoa(i)
		}
		return xs
	}
	children := func(xs []string) []Child {
		all := make([]Child, len(xs))
		for i, x := range xs {
			all[i].X = x
		}
		return all
	}
	library, known := names("library", pooled), names("known", 100)
	const batches = 30
	for b := range batches {
		r.read(known)
		r.describe(children(library[:b*pooled/batches]), &r.pool)
		r.read(names(strconv.Itoa(b)+"child", 1_000))
	}
	r.read(known)
	r.describe(children(library), &r.pool)
	if want := int32(len(library) + len(known) + batches*1_000); reads.Load() != want {
		t.Errorf("%d strings were described, want each of %d once", reads.Load(), want)
	}
	if n := len(r.lately.recent) + len(r.lately.older); n > 3*latest {
		t.Errorf("%d strings that are not of the pool are remembered", n)
	}
}

// Of long strings fewer are remembered, but always those that every batch asks for.
func TestReaderOfLongStrings(t *testing.T) {
	reads := 0
	d := Description{Groups: []gp.Counts{{IDs: make([]uint64, 10*usual), N: make([]uint32, 10*usual)}}}
	r := newReader(func(string) (Description, error) {
		reads++
		return d, nil
	})
	const batches = 20
	for b := range batches {
		r.read([]string{"known"})
		for i := range latest / 50 {
			r.read([]string{strconv.Itoa(b) + "child" + strconv.Itoa(i)})
		}
	}
	if want := 1 + batches*latest/50; reads != want {
		t.Errorf("%d strings were described, want each of %d once", reads, want)
	}
	if n := len(r.lately.recent) + len(r.lately.older); n > 3*latest/10 {
		t.Errorf("%d strings with ten times as many features as usual are remembered", n)
	}
}
