package table

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
)

func newOutcome(column int) outcome {
	return outcome{column: column, units: -1, relations: -1, molar: -1}
}

// made returns the columns that a negative logarithm of that name can be made of, as pIC50 of IC50 (nM), and on what scale.
func (g *grid) made(name string) (columns []int, scale quantity.Scale) {
	words := quantity.ParseHeading(name).Words
	for k, word := range words {
		endpoint, p := quantity.Endpoint(word)
		if p != "p" {
			continue
		}
		of := slices.Clone(words)
		of[k] = endpoint
		if found := g.where(func(i int) bool { return g.heading(i).Log == "" && slices.Equal(g.heading(i).Words, of) }); len(found) > 0 {
			return found, quantity.Scale("p" + endpoint)
		}
	}
	return nil, ""
}

// noteUnread notes columns of numbers without a use whose names have the words of an outcome that the table lacks, or
// some of them.
func (g *grid) noteUnread(o Options, c *columns) {
	for k, out := range c.others {
		if out.column >= 0 {
			continue
		}
		words := quantity.ParseHeading(o.Others[k]).Words
		like := g.where(func(i int) bool {
			of := g.heading(i).Words
			return !slices.Contains(c.taken(), i) && len(of) > 0 && (subset(of, words) || subset(words, of)) && g.share(i, numeral.IsValue) > 0.5
		})
		if len(like) > 0 {
			c.notes = append(c.notes, fmt.Sprintf("not read as %s: %s; give one of them this name if it is that", o.Others[k], g.list(like)))
		}
	}
}

// chooseOthers sets the columns of further outcomes: those of their names or, of negative logarithms, what they are made of.
func (g *grid) chooseOthers(o Options, c *columns) error {
	for _, name := range o.Others {
		out, several, err := g.other(o, c, name)
		if err != nil && (several || !o.Named && !o.Elsewhere) {
			return err
		}
		c.others = append(c.others, out)
	}
	if o.Named {
		g.noteUnread(o, c)
	}
	return nil
}

// other returns the column of a further outcome. The error is that there is none, or several.
func (g *grid) other(o Options, c *columns, name string) (out outcome, several bool, err error) {
	i, err := g.named(RoleOther, name, "")
	if i >= 0 && (i == c.input || i == c.mutant) {
		i, err = -1, &ColumnError{Role: RoleOther, Name: name, Problem: "that column holds the strings"}
	}
	out, several = newOutcome(i), len(g.lookup(name)) > 1
	if err == nil || several {
		return out, several, err
	}
	of, scale := g.made(name)
	if from := o.Like.OtherFrom[name]; from.Column != "" {
		if i := g.find(from.Column); i >= 0 {
			of, scale = []int{i}, from.Scale
		}
	}
	switch {
	case len(of) == 1:
		out.column, out.scale = of[0], scale
		c.notes = append(c.notes, fmt.Sprintf("%s is made of column %s", name, g.name(of[0])))
		return out, false, nil
	case len(of) > 1:
		return out, true, &ColumnError{Role: RoleOther, Name: name, Problem: fmt.Sprintf("there is no such column, and it could be made of %s; leave out all but one", g.list(of))}
	}
	return out, false, err
}

// chooseScores sets the columns of scores and those of further outcomes. Several columns of scores are replicates.
func (g *grid) chooseScores(o Options, c *columns, q *Question) error {
	if g.joined != nil && c.input == g.joined[len(g.joined)-1] {
		c.joined = g.joined
		if g.sites != nil {
			c.notes = append(c.notes, "each sequence is the residues of columns "+g.list(g.sites))
		} else {
			c.notes = append(c.notes, "mutants are read from columns "+g.list(g.joined))
		}
	}
	if err := g.chooseOthers(o, c); err != nil {
		return err
	}
	add := func(i int) { c.scores = append(c.scores, newOutcome(i)) }
	partly := slices.ContainsFunc(c.others, func(other outcome) bool { return other.column >= 0 })
	switch {
	case o.noScores():
		if (o.Named || o.Elsewhere) && len(o.Others) > 0 && !partly {
			return &ColumnError{Role: RoleOther, Name: strings.Join(o.Others, " or "), Problem: "there is no such column" + suggest(o.Others[0], g.header), Absent: true}
		}
		return nil
	case len(o.Score) > 0:
		for _, name := range o.Score {
			i, err := g.named(RoleScore, name, "")
			if err != nil {
				return err
			}
			if i >= 0 && i == c.input {
				return &ColumnError{Role: RoleScore, Name: g.name(i), Problem: "it cannot hold both the strings and the scores"}
			}
			if i >= 0 { // an empty name
				add(i)
			}
		}
		return nil
	case o.Like.Score != "":
		for _, name := range o.Like.From {
			if i := g.find(name); i >= 0 {
				add(i)
			}
		}
		if len(c.scores) > 0 {
			return nil
		}
		i, err := g.find(o.Like.Filled()), error(nil)
		if i < 0 {
			i, err = g.named(RoleScore, o.Like.Score, "")
		}
		if kind := g.find(o.Like.Type); err != nil && kind >= 0 { // the study's tables have their values in one column
			i, err = kind, nil
		}
		switch {
		case err == nil:
			add(i)
		case !partly || len(g.lookup(o.Like.Score)) > 1 || len(g.others(o.Like.Score)) > 0: // of the outcomes
			return g.convertible(o.Like.Score, err)
		}
		if err == nil {
			g.noteOtherwise(i, o.Like.Score, c)
		}
		return nil
	}
	candidates := g.withNameless(g.scoreCandidates(c))
	if len(candidates) == 1 {
		if like := g.replicatesOf(candidates[0], c.taken()); len(like) > 0 {
			all := append(candidates[:1:1], like...)
			described := g.candidates(all...)
			for _, another := range described[1:] {
				described[0].join(another)
			}
			q.ask(RoleScore, fmt.Sprintf("columns %s may all hold the score", g.list(all)), append(described[:1], g.candidates(candidates[0])...))
			return nil
		}
	}
	if len(candidates) > 1 {
		q.ask(RoleScore, fmt.Sprintf("columns %s may all hold the score", g.list(candidates)), g.replicates(candidates))
		return nil
	}
	if len(candidates) == 0 { // a constraint may bound the score itself
		candidates = slices.DeleteFunc([]int{g.first(scoreNames)}, func(i int) bool { return i < 0 || !slices.Contains(c.numbers(), i) })
	}
	if len(candidates) > 0 {
		add(candidates[0])
	} else if o.Scored {
		others := g.where(func(i int) bool { return !slices.Contains(c.taken(), i) && g.share(i, numeral.IsValue) > 0.5 })
		if len(others) == 1 && g.use(others[0]) == flag { // active or not, where nothing else was measured
			add(others[0])
			return nil
		}
		described := g.candidates(others...)
		for k, i := range others {
			described[k].Note = cmp.Or(g.use(i), computed)
		}
		q.ask(RoleScore, "no column is known to hold the scores", described)
	}
	return nil
}

// noteOtherwise notes that a column is taken for the scores of a study, if its name or theirs says more of what is measured.
func (g *grid) noteOtherwise(column int, score string, c *columns) {
	if h, like := g.heading(column), quantity.ParseHeading(score); (len(h.About) == 0) != (len(like.About) == 0) {
		c.notes = append(c.notes, fmt.Sprintf("column %s is taken to hold %s", g.name(column), score))
	}
}

// noScores reports whether the scores of a table are not to be read.
func (o Options) noScores() bool { return len(o.Score) == 1 && o.Score[0] == NoScores }

// convertible adds to the error of a missing column of scores which column they could be made of, or that one has their
// logarithms.
func (g *grid) convertible(score string, err error) error {
	e, ok := errors.AsType[*ColumnError](err)
	h := quantity.ParseHeading(score)
	for i := range g.header {
		if of := g.heading(i); ok && h.Log == "" && of.Log == "log" && len(h.Words) > 0 && slices.Equal(of.WithoutLog(), h.Words) {
			e.Absent, e.Problem = false, fmt.Sprintf("there is no such column, and column %s holds logarithms; convert them first", g.name(i))
		}
		if of, scale := quantity.Endpoint(g.heading(i).Base); ok && h.Log == "" && scale != "" && h.Base == of {
			e.Absent, e.Problem = false, fmt.Sprintf("there is no such column, and column %s holds logarithms; convert them first", g.name(i))
		}
		if endpoint, _ := quantity.Endpoint(g.heading(i).Base); ok && h.Log == "p" && endpoint != "" && h.Base == "p"+endpoint && g.heading(i).Log == "" {
			e.Absent, e.Problem, e.Source = false, fmt.Sprintf("there is no such column, but it can be made of column %s", g.name(i)), g.name(i)
		}
	}
	return err
}

// scoreCandidates returns the columns that may hold the scores: those whose name is certainly that of a score, or else
// all measurements, or else those that are called as scores and wait for their numbers.
func (g *grid) scoreCandidates(c *columns) []int {
	taken := c.taken()
	free := g.where(func(i int) bool { return !slices.Contains(taken, i) && g.use(i) == measured })
	called := func(known func(i int) bool, filled bool) []int {
		return slices.DeleteFunc(slices.Clone(free), func(i int) bool {
			return !known(i) || g.filled(i) != filled || g.share(i, numeral.IsValue) == 0 && g.share(i, isWord) > 0
		})
	}
	for _, names := range [][]string{without(scoreNames[0], enzymeNames), {"y"}} {
		certain := func(i int) bool { return slices.Contains(names, g.heading(i).Base) }
		for _, filled := range []bool{true, false} { // empty ones wait for their numbers
			if all := called(certain, filled); len(all) > 0 {
				return all
			}
		}
	}
	likely := func(i int) bool { return g.rank(scoreNames, i) >= 0 || g.heading(i).HasEndpoint() }
	known := called(likely, true)
	if waiting := called(likely, false); len(known) == 0 && len(waiting) > 0 {
		return waiting
	}
	id := g.first(idNames, taken...)
	numbers := slices.DeleteFunc(free, func(i int) bool {
		numbers := g.share(i, numeral.IsValue) > 0 && g.share(i, isWord) <= 0.5 && (g.format.Header || g.share(i, numeral.IsDigits) < 1)
		return !slices.Contains(known, i) && (i == id || !numbers || g.derived(c.input, i))
	})
	isSigma := func(i int) bool { return g.heading(i).HasAny(sigmaNames) }
	if scores := slices.DeleteFunc(slices.Clone(numbers), isSigma); len(scores) > 0 { // beside a score it is an error, and alone it may be one
		return scores
	}
	return numbers
}

// chooseErrors sets the columns of standard errors or deviations, and of the numbers of measurements that deviations
// are of: without these only an option makes a column deviations. Errors beside several columns of scores are those of
// the mean, unless an option names them.
func (g *grid) chooseErrors(o Options, c *columns) {
	if len(c.scores) > 1 && c.se < 0 && c.sd < 0 {
		return
	}
	taken, scale := c.taken(), quantity.Fold(string(cmp.Or(o.Scale, o.Like.Scale)))
	var others []string // notes on errors of other columns
	by := func(words []string) int {
		i, notes := g.findError(c.scores[0].column, words, scale, taken)
		others = append(others, notes...)
		return i
	}
	like := func(name string, words []string) int { // as in a table of the same study, or else by its name
		if i := g.find(name); i >= 0 && !slices.Contains(taken, i) {
			return i
		}
		return by(words)
	}
	defer func() {
		if c.se < 0 && c.sd < 0 {
			c.notes = append(c.notes, slices.Compact(slices.Sorted(slices.Values(others)))...)
		}
	}()
	if c.se < 0 && c.sd < 0 && o.SE != NoColumn {
		c.se = like(o.Like.SE, quantity.StandardErrors)
		if c.se < 0 {
			c.se = by(sigmaNames)
		}
	}
	if c.se >= 0 || o.SD == NoColumn {
		return
	}
	n := by(quantity.Counts)
	if n >= 0 && g.share(n, numeral.IsValue) < 0.5 {
		n = -1
	}
	if g.heading(c.scores[0].column).Deviations {
		c.n = n
	}
	if c.sd < 0 {
		c.sd = like(o.Like.SD, quantity.Deviations)
	}
	switch {
	case n >= 0 && c.sd >= 0:
		c.n = n
	case c.sd >= 0 && o.SD == "":
		if g.share(c.sd, numeral.IsValue) > 0.5 {
			c.notes = append(c.notes, fmt.Sprintf("column %s is not used: standard deviations count beside a column n of how many measurements each is of; if they are of single measurements, give it as sd", g.name(c.sd)))
		}
		c.sd = -1
	case c.sd < 0:
		if i := by(errorWords); i >= 0 && g.share(i, numeral.IsValue) > 0.5 {
			c.notes = append(c.notes, fmt.Sprintf("column %s is not used: give it as se if it holds standard errors, or as sd if it holds standard deviations", g.name(i)))
		}
	}
}

// findError returns the column of a score's errors, or of what else some words name: by the name of the score, by that
// of a scale that the score is on, or by the words alone. The notes are on columns that would do, and are those of
// other numbers.
func (g *grid) findError(score int, words []string, scale string, taken []int) (column int, notes []string) {
	ofScale := func(i int) bool { // log SE, or pKi SE of scores that are made of Ki
		h := g.heading(i)
		of := strings.Join(without(h.Words, words), " ")
		return h.HasAny(words) && of != "" && slices.Contains([]string{"log", "log10", scale}, of)
	}
	named := func(i int) bool { return g.isErrorOf(i, score, words) }
	bare := func(i int) bool { return slices.Contains(words, g.heading(i).Base) }
	for _, fits := range []func(i int) bool{named, ofScale, bare} {
		all := g.where(func(i int) bool { return !slices.Contains(taken, i) && fits(i) })
		behind := slices.IndexFunc(all, func(i int) bool { return i > score })
		for _, i := range slices.Concat(all[max(behind, 0):], all[:max(behind, 0)]) { // of several SE, that behind the score
			of := g.ownerOf(i, score, words)
			if of < 0 || ofScale(i) {
				return i, nil
			}
			if !g.heading(i).HasAny(quantity.Counts) {
				notes = append(notes, fmt.Sprintf("column %s is not used: it is the error of column %s, and not of %s", g.name(i), g.name(of), g.name(score)))
			}
		}
	}
	return -1, notes
}

// errorOf returns the column called as a score with one of some words: pIC50_SEM, or IC50_SD of IC50_mean; -1 if there
// is none.
func (g *grid) errorOf(score int, words []string) int {
	return g.one(func(i int) bool { return g.isErrorOf(i, score, words) && g.ownerOf(i, score, words) < 0 })
}

// isErrorOf reports whether a column is called as a score, or in part so, with one of some words.
func (g *grid) isErrorOf(column, score int, words []string) bool {
	h, s := g.heading(column), g.heading(score)
	rest, ok := strings.CutPrefix(h.Base, s.Base)
	stem := without(h.Words, slices.Concat(words, geometricWords))
	return ok && slices.Contains(words, rest) || h.HasAny(words) && len(stem) > 0 && subset(stem, s.Words) && g.share(column, isWord) == 0
}

// ownerOf returns another column of numbers than the score whose whole name a column has beside one of some words: Tm
// of Tm_se, if the score is Tm (rel); -1 if there is none.
func (g *grid) ownerOf(column, score int, words []string) int {
	stem := without(g.nameWords(column), slices.Concat(words, geometricWords, []string{"of", "the", "in"}))
	named := func(i int) bool {
		return i != column && slices.Equal(g.nameWords(i), stem) && g.share(i, numeral.IsValue) > 0.5
	}
	if len(stem) == 0 || named(score) {
		return -1
	}
	return g.one(named)
}

// nameWords returns the words of a column's name, those in brackets too but for a unit.
func (g *grid) nameWords(column int) []string {
	return g.heading(column).AllWords(g.header[column])
}
