package tokens

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func letters(x string) []string { return strings.Split(x, "") }

// score returns that of an alignment, as between scores it.
func score(p, q []string, columns []column) (sum int) {
	gap := func(c column) int { return slices.Index(c[:], -1) }
	for k, c := range columns {
		switch g := gap(c); {
		case g < 0 && p[c[0]] == q[c[1]]:
			sum += match
		case g < 0:
			sum += mismatch
		case k > 0 && gap(columns[k-1]) == g:
			sum += gapMore
		default:
			sum += gapOpen
		}
	}
	return sum
}

// best returns the greatest score of all alignments of what is left of two strings, after a column that lacks a token
// of last; −1: of none.
func best(p, q []string, last int) int {
	if len(p) == 0 && len(q) == 0 {
		return 0
	}
	most := -1 << 30
	cost := func(side int) int {
		if last == side {
			return gapMore
		}
		return gapOpen
	}
	if len(p) > 0 && len(q) > 0 {
		s := mismatch
		if p[0] == q[0] {
			s = match
		}
		most = s + best(p[1:], q[1:], -1)
	}
	if len(p) > 0 {
		most = max(most, cost(1)+best(p[1:], q, 1))
	}
	if len(q) > 0 {
		most = max(most, cost(0)+best(p, q[1:], 0))
	}
	return most
}

// An alignment has all tokens of both strings in their order, and between shared ends no alignment is better.
func TestAlign(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	random := func(n int) (x []string) {
		for range rng.IntN(n) {
			x = append(x, string("abc"[rng.IntN(3)]))
		}
		return x
	}
	for range 500 {
		p, q := random(8), random(8)
		next := [2]int{}
		for _, c := range align(p, q) {
			for side := range c {
				if c[side] >= 0 {
					if c[side] != next[side] {
						t.Fatalf("%v and %v: %v", p, q, align(p, q))
					}
					next[side]++
				}
			}
		}
		if next != [2]int{len(p), len(q)} {
			t.Fatalf("%v and %v: %v", p, q, align(p, q))
		}
		if got, want := score(p, q, between(p, q)), best(p, q, -1); len(p) > 0 && len(q) > 0 && got != want {
			t.Errorf("%v and %v: score %d, want %d: %v", p, q, got, want, between(p, q))
		}
	}
	if got := identity(letters("abcdefgh"), letters("abcXefgh")); got != 7.0/8 {
		t.Errorf("identity %g, want 7/8", got)
	}
	if got := identity(nil, nil); got != 0 {
		t.Errorf("identity %g of nothing", got)
	}
}

// Children of variants have, in each part, what one of the parents has: no other length of an insertion, and nothing
// where all agree.
func TestHomologous(t *testing.T) {
	p, q := letters("MKTAYIAKQRQISFVKSHFS"), letters("MKTAYIGGGGSAKQRQLSFVKSHFS")
	rng := rand.New(rand.NewPCG(1, 1))
	e := Edits{Alphabet: letters("ACDEFGHIKLMNPQRSTVWY"), Homologous: true}
	seen := map[string]bool{}
	for range 300 {
		for _, pair := range [][2][]string{{p, q}, {q, p}} {
			child := strings.Join(homologous(slices.Clone(pair[0]), slices.Clone(pair[1]), rng), "")
			seen[child] = true
			rest, ok := strings.CutPrefix(child, "MKTAYI")
			rest, _ = strings.CutPrefix(rest, "GGGGS")
			if !ok || rest != "AKQRQISFVKSHFS" && rest != "AKQRQLSFVKSHFS" {
				t.Fatalf("child %s", child)
			}
			if c := e.substitute(slices.Clone(pair[0]), slices.Clone(pair[1]), rng); len(c) != len(pair[0]) || different(c, pair[0]) > 1 || slices.Index(c, "M") != 0 {
				t.Fatalf("%v from %v", c, pair[0])
			}
		}
	}
	if len(seen) != 2 { // the other two combinations are the parents
		t.Errorf("%d different children, want 2", len(seen))
	}
	if child := homologous(letters("MKTAY"), letters("MKSAY"), rng); child != nil {
		t.Errorf("%v of strings with one difference", child)
	}
	if c := e.substitute(slices.Clone(p), p, rng); c != nil {
		t.Errorf("%v of equal strings", c)
	}
	long := strings.Repeat("ACGT", 500)
	if got := len(align(letters("A"+long), letters("C"+long+"TT"))); got < len(long) {
		t.Errorf("%d columns of long strings", got)
	}
}

// different returns at how many places two strings of one length differ.
func different(p, q []string) (n int) {
	for i := range p {
		if p[i] != q[i] {
			n++
		}
	}
	return n
}

// Sequences are homologous though half of their residues differ, and unrelated ones are not.
func TestAreHomologous(t *testing.T) {
	const (
		residues = "ACDEFGHIKLMNPQRSTVWY"
		ancestor = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKV"
	)
	rng := rand.New(rand.NewPCG(5, 5))
	random := func(n int) string {
		x := make([]byte, n)
		for i := range x {
			x[i] = residues[rng.IntN(len(residues))]
		}
		return string(x)
	}
	var related, unrelated [][]string
	for range 12 {
		x := []byte(ancestor)
		for i := range x {
			if rng.IntN(3) == 0 {
				x[i] = residues[rng.IntN(len(residues))]
			}
		}
		gap := rng.IntN(40)
		related = append(related, strings.Split(string(x[:gap])+string(x[gap+rng.IntN(4):]), ""))
		unrelated = append(unrelated, strings.Split(random(55+rng.IntN(5)), ""))
	}
	for _, test := range []struct {
		name      string
		sequences [][]string
		want      bool
	}{{"homologs", related, true}, {"unrelated sequences", unrelated, false}, {"few", related[:3], false}, {"one length", [][]string{related[0], related[0], related[0], related[0]}, false}} {
		if got := AreHomologous(test.sequences); got != test.want {
			t.Errorf("%s are homologous: %t", test.name, got)
		}
	}
}

// Circular permutants and proteins with a tag at various places are shifted; variants and unrelated sequences are not.
func TestAreShifted(t *testing.T) {
	const (
		residues = "ACDEFGHIKLMNPQRSTVWY"
		ancestor = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKV"
	)
	rng := rand.New(rand.NewPCG(7, 7))
	var permuted, tagged, variants, unrelated [][]string
	for i := range 12 {
		at := 4 + 4*i
		permuted = append(permuted, letters(ancestor[at:]+ancestor[:at]))
		tagged = append(tagged, letters(ancestor[:at]+"GGSHHHHHHGS"+ancestor[at:]))
		x, y := []byte(ancestor), []byte(ancestor)
		for k := range x {
			y[k] = residues[rng.IntN(len(residues))]
			if rng.IntN(2) == 0 {
				x[k] = y[k]
			}
		}
		variants, unrelated = append(variants, letters(string(x))), append(unrelated, letters(string(y)))
	}
	for _, test := range []struct {
		name      string
		sequences [][]string
		want      bool
	}{{"circular permutants", permuted, true}, {"tagged proteins", tagged, true}, {"variants", variants, false}, {"unrelated sequences", unrelated, false}, {"few", permuted[:3], false}} {
		if got := AreShifted(test.sequences); got != test.want {
			t.Errorf("%s are shifted: %t", test.name, got)
		}
	}
}

// Long strings are aligned at the words that they share, as they are pair by pair.
func TestAlignLongStrings(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	random := func(n int) (x []string) {
		for range n {
			x = append(x, string("ACGT"[rng.IntN(4)]))
		}
		return x
	}
	for range 20 {
		p := random(600)
		q := slices.Clone(p)
		for range 15 {
			q[rng.IntN(len(q))] = "A"
		}
		q = slices.Concat(random(3), q[:200], q[230:400], random(12), q[400:590])
		columns := align(p, q)
		if got, want := score(p, q, columns), score(p, q, aligned(p, q)); got < want-6 {
			t.Errorf("score %d, pair by pair %d", got, want)
		}
	}
	one, other := random(3_000), random(3_000)
	if got := identity(slices.Concat(one, other), slices.Concat(random(5), one, other[40:])); got < 0.99 {
		t.Errorf("identity %g of strings of 6,000 letters", got)
	}
}

// A child of proteins with different tags has one of them whole, though a few residues of the tags are the same.
func TestTagsStayWhole(t *testing.T) {
	const protein, other = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEV", "MKTAYIAKQRQLSFVKSHFSRQLEWRLGLIEV"
	tags := []string{"", "EQKLISEEDL", "DYKDDDDK", "GSHHHHHH"}
	rng := rand.New(rand.NewPCG(4, 4))
	mixed := 0
	for range 300 {
		p, q := protein+tags[rng.IntN(len(tags))], other+tags[rng.IntN(len(tags))]
		child := strings.Join(homologous(letters(p), letters(q), rng), "")
		tag := child[len(protein):]
		if !slices.Contains(tags, tag) {
			t.Fatalf("%s and %s: %s", p, q, child)
		}
		if child[:len(protein)] != protein && child[:len(protein)] != other {
			mixed++
		}
	}
	if mixed == 0 {
		t.Error("no substitutions were recombined")
	}
}
