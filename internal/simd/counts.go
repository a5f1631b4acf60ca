package simd

import "fmt"

// CountBlock is what the number of sums of AddMinima is a multiple of.
const CountBlock = 64

// AddMinima adds to each sum what a structure with counts most has in common with the one in its column of a table of
// counts:
//
//	sums[j] += Σ_k min(most[k], table[at[k]+j])
//
// at[k] is where a row of the table begins. len(sums) is a multiple of CountBlock; sums must not overflow.
func AddMinima(sums []uint32, table []uint8, at []int, most []uint8) {
	if len(sums)%CountBlock != 0 || len(at) != len(most) {
		panic(fmt.Sprintf("simd: AddMinima: %d sums of %d rows with %d counts", len(sums), len(at), len(most)))
	}
	for _, from := range at {
		_ = table[from : from+len(sums)]
	}
	for len(at) > 0 { // as many rows as bytes hold the sums of
		sum, k := 0, 0
		for k < len(at) && sum+int(most[k]) <= 255 {
			sum += int(most[k])
			k++
		}
		addMinima(sums, table, at[:k], most[:k])
		at, most = at[k:], most[k:]
	}
}

func addMinimaGo(sums []uint32, table []uint8, at []int, most []uint8) {
	for k, from := range at {
		row, limit := table[from:from+len(sums)], most[k]
		for j, n := range row {
			sums[j] += uint32(min(limit, n))
		}
	}
}

// AddCounts sets dst = x + y.
func AddCounts(dst, x, y []uint32) {
	mustMatch("AddCounts", len(dst), x, y)
	addCounts(dst, x, y)
}

func addCountsGo(dst, x, y []uint32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

// AddProducts sets dst = dst + alpha·x·y, with two or three roundings, the same for each element whatever its place.
// Counts are below 2³¹.
func AddProducts(dst []float64, alpha float64, x []uint32, y []float64) {
	n := len(dst)
	mustMatch("AddProducts", n, x)
	mustMatch("AddProducts", n, y)
	whole := n &^ 7
	addProducts(dst[:whole], alpha, x[:whole], y[:whole])
	if whole < n {
		var last, by [8]float64
		var counts [8]uint32
		copy(last[:], dst[whole:])
		copy(by[:], y[whole:])
		copy(counts[:], x[whole:])
		addProducts(last[:], alpha, counts[:], by[:])
		copy(dst[whole:], last[:])
	}
}

func addProductsGo(dst []float64, alpha float64, x []uint32, y []float64) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] += alpha * float64(x[i]) * y[i]
	}
}
