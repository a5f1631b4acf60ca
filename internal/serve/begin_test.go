package serve

import (
	"context"
	"testing"
)

// What a request began ends before the studies are closed, and nothing begins afterwards.
func TestBegun(t *testing.T) {
	s, _, err := Open(t.Context(), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ended := false
	if !s.begin(func(ctx context.Context) {
		<-ctx.Done()
		ended = true
	}) {
		t.Error("nothing begins in an open service")
	}
	if err := s.Close(); err != nil || !ended {
		t.Errorf("closed: %v, ended: %t", err, ended)
	}
	if s.begin(func(context.Context) { t.Error("it is run in a closed service") }) {
		t.Error("it begins in a closed service")
	}
}
