package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// checkMinima compares AddMinima with its definition. The table has a row more than is asked for on each side, whose
// counts would show.
func checkMinima(t *testing.T, before []uint32, rows [][]uint8, most []uint8) {
	t.Helper()
	n := len(before)
	table := slices.Repeat([]uint8{255}, n)
	var at []int
	want := slices.Clone(before)
	for k, row := range rows {
		at = append(at, len(table))
		table = append(table, row...)
		for j, c := range row {
			want[j] += uint32(min(c, most[k]))
		}
	}
	table = append(table, slices.Repeat([]uint8{255}, n)...)
	eachISA(t, func(name string) {
		const fence = 64
		all := slices.Repeat([]uint32{7}, n+2*fence)
		sums := all[fence : fence+n : fence+n]
		copy(sums, before)
		AddMinima(sums, table, at, most)
		if !slices.Equal(sums, want) {
			t.Errorf("%s: %d rows of %d counts: %v, want %v", name, len(rows), n, sums, want)
		}
		for i, v := range all {
			if (i < fence || i >= fence+n) && v != 7 {
				t.Errorf("%s: %d rows of %d counts: wrote element %d", name, len(rows), n, i-fence)
			}
		}
	})
}

func TestAddMinima(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 64, 128, 192, 640} {
		for _, rows := range []int{0, 1, 2, 3, 40} {
			before := make([]uint32, n)
			for j := range before {
				before[j] = rng.Uint32N(1000)
			}
			counts, most := make([][]uint8, rows), make([]uint8, rows)
			for k := range counts {
				counts[k] = make([]uint8, n)
				for j := range counts[k] {
					counts[k][j] = uint8(rng.UintN(256)) >> rng.UintN(8)
				}
				most[k] = uint8(rng.UintN(256)) >> rng.UintN(8)
			}
			checkMinima(t, before, counts, most)
		}
	}
}

func FuzzAddMinima(f *testing.F) {
	f.Add([]byte{255, 1, 0, 254, 3, 255, 255, 2})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 || len(b) > 100 {
			return
		}
		const n = 128
		counts, most := make([][]uint8, len(b)), slices.Clone(b)
		for k := range counts {
			counts[k] = make([]uint8, n)
			for j := range counts[k] {
				counts[k][j] = b[(k+j)%len(b)]
			}
		}
		checkMinima(t, make([]uint32, n), counts, most)
	})
}

// Sums of counts are exact; sums of products have three roundings of 2⁻⁵³, relative to the parts.
func TestCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := range 100 {
		x, z := make([]uint32, n), make([]uint32, n)
		for i := range x {
			x[i], z[i] = rng.Uint32()>>(1+rng.UintN(31)), rng.Uint32()>>(1+rng.UintN(31))
		}
		y, before, alpha := normals[float64](rng, n), normals[float64](rng, n), rng.NormFloat64()
		eachISA(t, func(name string) {
			dst := fenced(before)
			AddProducts(dst.x, alpha, x, fenced(y).x)
			dst.check(t, name)
			for i, got := range dst.x {
				product := alpha * float64(x[i]) * y[i]
				if want := before[i] + product; !(math.Abs(got-want) <= 0x1p-51*(math.Abs(before[i])+math.Abs(product))) {
					t.Errorf("%s, n=%d: element %d = %g, want %g", name, n, i, got, want)
				}
			}
			const fence = 64
			all := slices.Repeat([]uint32{7}, n+2*fence)
			sums := all[fence : fence+n : fence+n]
			AddCounts(sums, x, z)
			for i, v := range all {
				want := uint32(7)
				if i >= fence && i < fence+n {
					want = x[i-fence] + z[i-fence]
				}
				if v != want {
					t.Errorf("%s, n=%d: element %d of the sums = %d, want %d", name, n, i-fence, v, want)
				}
			}
		})
	}
}
