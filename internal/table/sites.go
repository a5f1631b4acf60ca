package table

import (
	"regexp"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/internal/table/bioseq"
	"github.com/invbo/invbo/internal/table/notation"
	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/rawfile"
)

// siteName matches the name of a column of the residues at one position: V39, Val39, 39, pos39, site 1.
var siteName = regexp.MustCompile(`(?i)^(?:[ACDEFGHIKLMNPQRSTVWY]|[a-z]{3}|pos|position|site|aa|res|residue)?[ _-]?\d{1,5}$`)

// joinSites has residues that a table spreads over columns, one for each position, read as sequences in a further
// column. Tables with sequences or mutants are read as they are.
func (g *grid) joinSites(o Options) {
	if !g.format.Header || g.matrixRead || g.joined != nil || o.Normalize != nil || o.Molecules {
		return
	}
	sites := g.where(func(i int) bool {
		return siteName.MatchString(g.header[i]) && g.filled(i) && g.share(i, numeral.IsDigits) == 0 && g.share(i, isSite) > 0.9
	})
	isSequence := func(i int) bool {
		return !slices.Contains(sites, i) && g.filled(i) && (g.rank(inputNames, i) >= 0 || g.holdsSequences(i) || bioseq.Detect(g.cells(i, sampled), bioseq.NoHint) != bioseq.None)
	}
	if len(sites) < 2 || !g.areResidues(sites) || len(g.where(isSequence)) > 0 {
		return
	}
	n := len(g.header)
	name := "sequence " + strings.Join(stats.Map(sites, func(i int) string { return g.header[i] }), "/")
	g.heading(n - 1)
	g.header, g.headings = append(slices.Clone(g.header), name), append(g.headings, quantity.ParseHeading("sequence"))
	g.sites = sites
	g.joined = append(slices.Clone(sites), n)
	g.rewrite(func(r rawfile.Row) rawfile.Row {
		if r.Cut && len(r.Cells) < n {
			return r
		}
		cells := slices.Concat(r.Cells, make([]string, max(0, n-len(r.Cells))))
		cells = slices.Insert(cells, n, "")
		var letters strings.Builder
		for _, i := range sites {
			if numeral.IsMissing(cells[i]) || !isResidueName(cells[i]) {
				letters.Reset() // a mistake has no letter, and the row no sequence
				break
			}
			letters.WriteByte(notation.AminoAcid(cells[i]))
		}
		cells[n] = letters.String()
		r.Cells = cells
		return r
	})
}

// isSite reports whether a cell is what a position has: a residue, a stop or nothing.
func isSite(cell string) bool { return isResidueName(cell) || numeral.IsMissing(cell) }

// areResidues reports whether letters of columns are residues, and not those of elements or of a few levels.
func (g *grid) areResidues(columns []int) bool {
	const fewest, telling = 4, 2
	var used []string
	for _, i := range columns {
		used = append(used, g.cells(i, sampled)...)
	}
	used = slices.DeleteFunc(distinct(used), func(cell string) bool { return !isResidueName(cell) })
	return len(used) >= fewest && stats.Count(used, func(cell string) bool { return len(cell) > 1 || !strings.Contains("HFICNOSP*", cell) }) >= telling
}
