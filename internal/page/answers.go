package page

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/study"
)

// filledIn returns what a form says about proposals: a text for each column that people fill in, by trial. Proposals
// without any text are left out.
func (b *board) filledIn(f form) map[int][]string {
	all := map[int][]string{}
	columns := len(b.Filled())
	for _, key := range slices.Sorted(maps.Keys(f.values)) {
		parts := strings.Split(key, ".")
		text := strings.TrimSpace(f.values.Get(key))
		if len(parts) < 2 || text == "" {
			continue
		}
		id, err := strconv.Atoi(parts[1])
		if err != nil || id < 1 {
			continue
		}
		j := 0
		switch {
		case parts[0] == "failed" && len(parts) == 2:
			text = "failed: " + text
		case parts[0] == "value" && len(parts) == 3:
			if j, err = strconv.Atoi(parts[2]); err != nil || j < 0 || j >= columns {
				continue
			}
		default:
			continue
		}
		if all[id] == nil {
			all[id] = make([]string, columns)
		}
		if !strings.HasPrefix(all[id][j], "failed: ") {
			all[id][j] = text
		}
	}
	return all
}

// Characters of reasons.
const (
	longest     = 1000 // at most, as in the API
	shortReason = 100  // in sentences and tables
)

// checkLength says what is wrong with a reason that is too long; empty if it is not.
func checkLength(reason string) string {
	if n := utf8.RuneCountInString(reason); n > longest {
		return fmt.Sprintf("A reason has at most %d characters, and this one has %d.", longest, n)
	}
	return ""
}

// answer is what is filled in for a trial.
type answer struct {
	table.Entry
	typed []string // by column, as in filledIn
}

// read reads what is filled in, as in a table that is told. Trials that there are not are left out.
func (b *board) read(filled map[int][]string) (map[int]answer, error) {
	var trials []study.Trial
	var rows [][]string
	for _, id := range slices.Sorted(maps.Keys(filled)) {
		if page := b.Page(id-1, 1); len(page) > 0 {
			trials, rows = append(trials, page[0]), append(rows, filled[id])
		}
	}
	entries, err := b.ReadForm(trials, rows)
	if err != nil {
		return nil, err
	}
	all := map[int]answer{}
	for i, e := range entries {
		if problem := checkLength(e.Reason.Text); problem != "" && e.State == table.Failed {
			at := slices.IndexFunc(rows[i], func(text string) bool { return text != "" })
			e.Problems[at] = table.Reason{Text: problem}
		}
		all[trials[i].ID] = answer{e, rows[i]}
	}
	return all, nil
}

// shown returns what the fields of a measurement show: what is known of it, as people fill it in.
func (b *board) shown(m study.Measurement) []string {
	var texts []string
	if b.Objective == nil {
		texts = append(texts, b.Columns.Entered(m.Score, int(m.Bound)).String())
	}
	for _, name := range b.FilledOthers() {
		text := ""
		if v, ok := m.Others[name]; ok && (m.Part() || !math.IsNaN(m.Score)) {
			text = b.Columns.EnteredOther(name, v, int(m.OtherBounds[name])).String()
		}
		texts = append(texts, text)
	}
	return texts
}

// onScale names the scale of a score before it where people fill in something else: pIC50 7 of 100 nM.
func (b *board) onScale(score string) string {
	if b.Columns.Scale == "" {
		return score
	}
	return b.Columns.Score + " " + score
}

// keys returns the names of the fields of the n-th measurement of a trial; 0: of another one.
func (b *board) keys(n int) (keys []string) {
	for j := range b.Filled() {
		if n == 0 {
			keys = append(keys, fmt.Sprintf("another.%d", j))
		} else {
			keys = append(keys, fmt.Sprintf("value.%d.%d", n, j))
		}
	}
	return keys
}
