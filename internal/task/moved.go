package task

import (
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/space/observed"
	"github.com/invbo/invbo/space/tokens"
)

// windows returns the windows of a target between those of a design; are says that its sequences are such windows.
// Sequences of the same few modules begin as others end, too, but their blocks have their places.
func (d Design) windows(kind bioseq.Kind) (between []string, are bool) {
	xs := d.Strings()
	if kind == bioseq.None || ofOneLength(xs) && observed.Blocks(xs) != nil {
		return nil, false
	}
	return observed.Windows(xs)
}

func ofOneLength(xs []string) bool {
	return !slices.ContainsFunc(xs, func(x string) bool { return len(x) != len(xs[0]) })
}

// shifted reports whether the sequences of a length are alike where parts of them are moved, and not place by place.
// Sequences with the same few variants of each of their blocks may be, too, but their blocks have their places.
func (d Design) shifted(length int) bool {
	if length == 0 || d.Pool != nil || d.wildType(length) != "" {
		return false
	}
	xs := ofLength(d.Strings(), length)
	return tokens.AreShifted(lettersOf(xs)) && observed.Blocks(xs) == nil
}

// severalLengths reports whether more is known of all sequences than of the positions of those with the usual length: of
// some variants, so many have another one, or most of the best do.
func (d Design) severalLengths(length, others int, minimize bool) bool {
	const share, fewest = 0.2, 3
	if length == 0 {
		return false
	}
	xs := d.Strings()
	many := d.wildType(length) == "" && float64(others) >= max(fewest, share*float64(len(xs)))
	return d.bestElsewhere(length, minimize) || many && tokens.AreHomologous(lettersOf(xs))
}

// ofLength returns the strings of a length.
func ofLength(xs []string, length int) []string {
	return slices.DeleteFunc(slices.Clone(xs), func(x string) bool { return len(x) != length })
}

func lettersOf(xs []string) (all [][]string) {
	for _, x := range xs {
		all = append(all, strings.Split(x, ""))
	}
	return all
}

// mostReplaced is how many letters a proposal of shifted sequences has that are other ones than in one of these.
const mostReplaced = 5

// farFrom reports whether a sequence differs from each of some in more letters than a proposal may.
func farFrom(xs []string, x string) bool {
	return !slices.ContainsFunc(xs, func(of string) bool {
		differ := 0
		for i := range min(len(x), len(of)) {
			if x[i] != of[i] {
				differ++
			}
		}
		return len(x) == len(of) && differ <= mostReplaced
	})
}

// windowsSpace returns the space of windows of a target, and those between them are all that is proposed, unless a pool
// says what may be.
func windowsSpace(o Options, d Design, kind bioseq.Kind, between []string) (out Space, err error) {
	xs := d.Strings()
	if out.Space, err = tokens.New(xs, tokens.Options{Shifted: true}); err != nil {
		return Space{}, err
	}
	if o.BothStrands {
		out.Space.Read = bothStrands(out.Space.Read, kind)
	}
	if d.Pool == nil {
		out.Only = between
		out.Notes.Add("the sequences are windows of a target, and proposals are the %d windows between them; %s makes others, which no longer match it",
			len(between), option.Setting{Name: "length", Value: strconv.Itoa(len(xs[0]))})
	}
	out.Refuses = o.refuses(nil, kind.Letters(), kind)
	o.noteMotifs(&out, kind.Letters())
	o.know(&out)
	return out.proposing(o.forbids(kind), nil), nil
}
