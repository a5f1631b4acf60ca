package selfies_test

import (
	"testing"

	"github.com/invbo/invbo/selfies"
)

func BenchmarkEncode(b *testing.B) {
	benchmark(b, selfies.Encode, column(golden(b, "selfies_encode.tsv.gz"), 0))
}

func BenchmarkDecode(b *testing.B) {
	benchmark(b, selfies.Decode, column(golden(b, "selfies_decode.tsv.gz"), 0))
}

func benchmark(b *testing.B, translate func(string) (string, error), strings []string) {
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		_, _ = translate(strings[i%len(strings)]) // some are meant to be errors
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "molecules/s")
}

func column(rows [][2]string, i int) []string {
	var cells []string
	for _, row := range rows {
		cells = append(cells, row[i])
	}
	return cells
}
