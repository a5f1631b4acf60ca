// throwaway
package main

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/library"
)

func fp(s string) (molecule.Counts, bool) {
	m, err := molecule.Parse(s)
	if err != nil {
		return molecule.Counts{}, false
	}
	defer m.Close()
	return m.ECFP(2), true
}

func read(path, col string) (xs []string) {
	f, _ := os.Open(path)
	r := csv.NewReader(bufio.NewReader(f))
	r.FieldsPerRecord = -1
	r.LazyQuotes = true
	rows, _ := r.ReadAll()
	at := slices.IndexFunc(rows[0], func(s string) bool { return strings.EqualFold(s, col) })
	if at < 0 {
		at = slices.IndexFunc(rows[0], func(s string) bool { return strings.Contains(strings.ToLower(s), "smiles") })
	}
	for _, row := range rows[1:] {
		xs = append(xs, strings.Fields(row[at])[0])
	}
	return
}

func quant(v []float64, qs ...float64) string {
	s := slices.Sorted(slices.Values(v))
	out := ""
	for _, q := range qs {
		out += fmt.Sprintf(" %.2f", s[min(len(s)-1, int(q*float64(len(s)-1)+.5))])
	}
	return out
}

func main() {
	var lib []molecule.Counts
	rng := rand.New(rand.NewPCG(0, 0))
	all := library.SMILES()
	for range 2000 {
		if c, ok := fp(all[rng.IntN(len(all))]); ok {
			lib = append(lib, c)
		}
	}
	for _, arg := range os.Args[1:] {
		path, rest, _ := strings.Cut(arg, "@")
		n, _ := strconv.Atoi(rest)
		xs := read(path, "smiles")
		if n > 0 && n < len(xs) {
			off := 0
			if i := strings.Index(rest, "+"); i >= 0 {
				n, _ = strconv.Atoi(rest[:i])
			}
			xs = xs[off : off+n]
		}
		if strings.Contains(rest, "r") {
			n, _ = strconv.Atoi(strings.Trim(rest, "r"))
			rng := rand.New(rand.NewPCG(1, 0))
			rng.Shuffle(len(xs), func(i, j int) { xs[i], xs[j] = xs[j], xs[i] })
			xs = xs[:min(n, len(xs))]
		}
		var c []molecule.Counts
		for _, x := range xs {
			if v, ok := fp(x); ok {
				c = append(c, v)
			}
		}
		var nn, pair, near []float64
		for i := range c {
			b := 0.0
			for j := range c {
				if i != j {
					t := molecule.Tanimoto(c[i], c[j])
					b = max(b, t)
					pair = append(pair, t)
				}
			}
			nn = append(nn, b)
		}
		for _, l := range lib {
			b := 0.0
			for j := range c {
				b = max(b, molecule.Tanimoto(l, c[j]))
			}
			near = append(near, b)
		}
		fmt.Printf("%-28s n %4d  LOO 0/5/10/20/25/50:%s  pair 10/25/50:%s  lib 50/90/95/99/100:%s\n", path[strings.LastIndex(path, "/")+1:]+"@"+rest, len(c), quant(nn, 0, .05, .1, .2, .25, .5), quant(pair, .1, .25, .5), quant(near, .5, .9, .95, .99, 1))
	}
}
