package experiment

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/usage"
)

// A file in a study that was made to fill the memory is refused when it is unpacked, after as much as a study may hold.
func TestStudyIsNoBomb(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	packed := func(size int) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		for zeros := make([]byte, 1<<20); size > 0; size -= len(zeros) {
			w.Write(zeros[:min(size, len(zeros))])
		}
		w.Close()
		return b.Bytes()
	}
	for _, test := range []struct {
		size int
		want string
	}{{1 << 20, ""}, {mostSaved, ""}, {mostSaved + 1, "more than 32 MiB, unpacked"}, {100 << 20, "more than 32 MiB, unpacked"}} {
		s := saved{Files: map[string]savedFile{"pool": {Path: "pool.csv", Data: packed(test.size)}}}
		s.Spec.Pool.Path = "pool.csv"
		spec, err := s.spec()
		if test.want == "" && (err != nil || spec.Pool.Path != "pool.csv") || test.want != "" && (!usage.Is(err) || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%d bytes: %v, want %q", test.size, err, test.want)
		}
	}
}
