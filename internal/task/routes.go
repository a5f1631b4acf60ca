package task

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/progress"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule/reaction"
	"github.com/invbo/invbo/space/routes"
)

// RouteOptions say of what molecules are made, and how.
type RouteOptions struct {
	Blocks    File `json:"blocks,omitzero"`    // building blocks
	Reactions File `json:"reactions,omitzero"` // SMARTS; not given: the built-in ones
}

// declare declares the options.
func (r *RouteOptions) declare() []*option.Option {
	all := []*option.Option{
		{Name: "blocks", Value: &r.Blocks, Help: "propose only what building blocks in `FILE` give in three steps at most, with the route: SMILES, or a table with names and prices"},
		{Name: "reactions", Value: &r.Reactions, Help: "make it by the reaction SMARTS in `FILE`, one per line, each followed by a name; invbo reactions prints such a file", Unset: "over 100 built-in reactions of medicinal chemistry"},
	}
	for _, o := range all {
		o.Tasks, o.Methods, o.Table, o.Commands = []string{KindMolecules}, []string{"evolve"}, "molecules", option.Run|option.Grid|option.New
	}
	return all
}

// read returns the blocks, with their index, and a note on those that cannot be used, for people.
func (r RouteOptions) read(ctx context.Context) (_ *reaction.Blocks, note string, _ error) {
	set, err := readReactions(ctx, r.Reactions)
	if err != nil {
		return nil, "", err
	}
	name := option.Setting{Name: "blocks", Value: r.Blocks.Source()}
	list, err := r.readBlocks(ctx)
	if err != nil && ctx.Err() != nil {
		return nil, "", err
	}
	if err != nil {
		return nil, "", option.Errorf("%s: %w", name, err)
	}
	cache := ""
	if dir, err := os.UserCacheDir(); err == nil && len(list.blocks) >= manyBlocks {
		cache = filepath.Join(dir, "invbo")
	}
	blocks, err := indexed(ctx, set, list.blocks, list.normalize, cache)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, "", err
	case errors.Is(err, reaction.ErrUnused) && r.Reactions.Given():
		return nil, "", option.Errorf("%s: no reaction in %s has all of its reactants among the %d blocks; give other blocks or reactions", name, r.Reactions.Source(), len(list.blocks))
	case errors.Is(err, reaction.ErrUnused):
		return nil, "", option.Errorf("%s: no built-in reaction has all of its reactants among the %d blocks; give others, or your own reactions with %s",
			name, len(list.blocks), option.Setting{Name: "reactions", Value: "FILE"})
	case err != nil:
		return nil, "", option.Errorf("%s: %w", name, err)
	}
	note = fmt.Sprintf("%s: building blocks %d, and reactions take %d of them", r.Blocks.Source(), blocks.Different, blocks.Used)
	if blocks.Repeated > 0 {
		note += fmt.Sprintf("; rows that offer one of them again, of which the cheapest counts: %d", blocks.Repeated)
	}
	note += list.unpriced()
	if r.Reactions.Given() {
		if unfed := unfed(blocks); len(unfed) > 0 {
			note += fmt.Sprintf("; reactions with a reactant that no block can be: %s", few(unfed))
		}
		if idle := idle(blocks); len(idle) > 0 {
			note += fmt.Sprintf("; reactions that gave no single product with the blocks that were tried: %s", few(idle))
		}
	}
	if blocks.Bad+list.bad > 0 {
		note += fmt.Sprintf("; rows that are no building block: %d", blocks.Bad+list.bad)
		if blocks.WhyBad != "" {
			note += fmt.Sprintf(", such as %s", usage.Shorten(blocks.WhyBad, 100))
		}
	}
	return blocks, note + "; " + list.columns.String(), nil
}

// few counts names, and gives the first of them.
func few(names []string) string {
	const shown, long = 5, 60
	some := slices.Clone(names[:min(shown, len(names))])
	for i := range some {
		some[i] = usage.Shorten(some[i], long)
	}
	if len(names) > shown {
		some = append(some, "…")
	}
	return fmt.Sprintf("%d (%s)", len(names), strings.Join(some, ", "))
}

// unfed returns the names of reactions that lack blocks for a reactant. If that is a product of other reactions, they
// may be later steps.
func unfed(blocks *reaction.Blocks) (names []string) {
	fed := blocks.Fed()
	for _, r := range blocks.Set.Reactions {
		if !slices.Contains(fed, r) {
			names = append(names, r.Name)
		}
	}
	return names
}

// idle returns the names of reactions that give no product with some blocks that they take, drawn at random.
func idle(blocks *reaction.Blocks) (names []string) {
	const tries = 20
	rng := rand.New(rand.NewPCG(0, 0))
	for _, r := range blocks.Fed() {
		gives := false
		for try := 0; try < tries && !gives; try++ {
			parts := make([]*reaction.Route, r.Arity())
			for i := range parts {
				all := blocks.For(reaction.Place{Reaction: r, Position: i})
				parts[i] = &reaction.Route{Product: blocks.Block(all[rng.IntN(len(all))]).SMILES}
			}
			_, err := r.Run(parts...)
			gives = err == nil
		}
		if !gives {
			names = append(names, r.Name)
		}
	}
	return names
}

const (
	manyBlocks  = 20_000    // take several seconds to index
	indexPrefix = "blocks-" // of files in the cache
)

// indexed returns blocks with their index. It is read from the folder cache if it is there, and kept there otherwise;
// "" stands for no folder.
func indexed(ctx context.Context, set *reaction.Set, list []reaction.Block, normalize func(string) (string, error), cache string) (*reaction.Blocks, error) {
	name := ""
	if cache != "" {
		name = filepath.Join(cache, indexPrefix+set.ID(list))
		if f, err := os.Open(name); err == nil {
			blocks, err := set.Load(bufio.NewReader(f))
			f.Close()
			if err == nil {
				now := time.Now()
				os.Chtimes(name, now, now) // so that it is not removed as unused; if that fails, it is made again
				return blocks, nil
			}
		}
	}
	show, stop := progress.Rows("blocks ", nil)
	blocks, err := set.Index(ctx, list, normalize, func(done int) { show(done, len(list)) })
	stop()
	if err != nil || name == "" {
		return blocks, err
	}
	if err := keepIndex(name, blocks); err != nil { // then the next call takes as long as this one
		slog.Debug("the index of building blocks is not kept", "error", err)
	}
	return blocks, nil
}

// keepIndex writes an index, and removes those beside it that were not used for longest.
func keepIndex(name string, blocks *reaction.Blocks) error {
	const most = 8 // files
	folder := filepath.Dir(name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if err := files.WriteWhole(name, blocks.Save); err != nil {
		return err
	}
	all, err := filepath.Glob(filepath.Join(folder, indexPrefix+"*"))
	used := map[string]time.Time{}
	for _, file := range all {
		if info, err := os.Stat(file); err == nil {
			used[file] = info.ModTime()
		}
	}
	slices.SortFunc(all, func(a, b string) int { return used[b].Compare(used[a]) })
	for _, file := range all[min(most, len(all)):] {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// blockList is a file of blocks as it is written.
type blockList struct {
	blocks    []reaction.Block
	columns   table.OfferColumns
	normalize func(smiles string) (string, error) // makes a SMILES canonical
	bad       int                                 // rows without a molecule

	unread   string         // the first price that cannot be read; "": there is none
	currency string         // of the prices; "": not known
	foreign  map[string]int // rows with prices in other currencies, which are not used
}

// readBlocks reads the file of blocks. Prices in other currencies than that of most are left out: they cannot be added up.
func (r RouteOptions) readBlocks(ctx context.Context) (list blockList, _ error) {
	const most = 2_000_000
	var o table.Options
	if err := Molecules(table.Strip{}).set(&o, nil); err != nil {
		return list, err
	}
	canonical := o.Normalize
	list.normalize = func(smiles string) (string, error) {
		smiles, _, err := canonical(smiles)
		return smiles, err
	}
	f, err := r.Blocks.Open()
	if err != nil {
		return list, err
	}
	defer f.Close()
	var currencies []string // of the blocks
	rows := map[string]int{}
	list.columns, err = table.ScanOffers(ctx, f, o, func(row table.Offer) bool {
		if row.State == table.Invalid {
			list.bad++
			return true
		}
		if math.IsNaN(row.Price) && list.unread == "" {
			list.unread = strings.Clone(row.Written)
		}
		list.blocks = append(list.blocks, reaction.Block{SMILES: strings.Clone(row.Input), Name: strings.Clone(row.ID), Price: row.Price}) // clones keep no row in memory
		currencies = append(currencies, row.Currency)
		rows[row.Currency]++
		return len(list.blocks) <= most
	})
	switch {
	case err != nil:
		return list, err
	case len(list.blocks) == 0:
		return list, errors.New("it contains no molecules")
	case len(list.blocks) > most:
		return list, fmt.Errorf("it contains more than %d molecules", most)
	}
	delete(rows, "")
	for code, n := range rows {
		if n > rows[list.currency] || n == rows[list.currency] && code < list.currency {
			list.currency = code
		}
	}
	list.foreign = rows
	delete(list.foreign, list.currency)
	for i, code := range currencies {
		if list.foreign[code] > 0 {
			list.blocks[i].Price = math.NaN()
		}
	}
	return list, nil
}

// unpriced says which rows have no price, for people; "" if all have, or if there is no column of prices.
func (l blockList) unpriced() (note string) {
	if l.columns.Price == "" {
		return ""
	}
	n := 0
	for _, b := range l.blocks {
		if math.IsNaN(b.Price) {
			n++
		}
	}
	foreign := 0
	for _, rows := range l.foreign {
		foreign += rows
	}
	such := ""
	if l.unread != "" {
		such = fmt.Sprintf(", such as %s", usage.Shorten(l.unread, 40))
	}
	switch n -= foreign; {
	case n == len(l.blocks):
		note = fmt.Sprintf("; no price in column %s can be read%s", l.columns.Price, such)
	case n > 0:
		note = fmt.Sprintf("; rows without a price that can be read: %d%s", n, such)
	}
	if foreign > 0 {
		note += fmt.Sprintf("; prices are in %s, and rows whose price is in another currency count as without one: %d (%s)", l.currency, foreign, strings.Join(slices.Sorted(maps.Keys(l.foreign)), ", "))
	}
	return note
}

// readReactions reads reactions: one per line, as reaction.Parse has it. # begins a comment. It returns the built-in
// ones if the file is not given.
func readReactions(ctx context.Context, f File) (*reaction.Set, error) {
	if !f.Given() {
		set, err := reaction.BuiltIn()
		return set, usage.Wrap(err)
	}
	name := option.Setting{Name: "reactions", Value: f.Source()}
	r, err := f.Open()
	if err != nil {
		return nil, option.Errorf("%s: %w", option.Name("reactions"), err)
	}
	defer r.Close()
	text, err := table.ReadText(r)
	if err != nil {
		return nil, option.Errorf("%s: %w", name, err)
	}
	var all []*reaction.Reaction
	lines := map[string]int{}
	at := 0
	for line := range strings.Lines(text) {
		at++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		one, err := reaction.Parse(line)
		if err != nil {
			return nil, option.Errorf("%s, line %d: %w", name, at, err)
		}
		if first, again := lines[one.Name]; again {
			return nil, option.Errorf("%s, line %d: %q is the reaction of line %d, too; give it another name", name, at, one.Name, first)
		}
		lines[one.Name] = at
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, option.Errorf("%s: it contains no reaction SMARTS", name)
	}
	set, err := reaction.NewSet(all)
	if err != nil {
		return nil, option.Errorf("%s: %w", name, err)
	}
	return set, nil
}

// routed is the notation of searches of routes: their strings are routes, which stand for their product.
func (n Notation) routed() Notation {
	n.Columns = append([]string{n.Columns[0]}, "route")
	n.Translate = func(x string) (string, error) { return reaction.Product(x), nil }
	return n
}

// makeRoutes has the parts of a task of molecules search routes from blocks.
func (p *Parts) makeRoutes(ctx context.Context, o RouteOptions, screen *screen) error {
	blocks, note, err := o.read(ctx)
	if err != nil {
		return err
	}
	p.Blocks = blocks
	p.Notes.AddText(note)
	p.Notation, p.Direct = p.Notation.routed(), p.Direct.routed()
	finish := func(known []string) { // what is proposed has only such protecting groups as the data have
		if screen.options.FromData {
			screen.limits.Finished = blocks.Set.NewFinish(known).Reached
		}
	}
	finish(nil)
	p.Generate = func(ctx context.Context, rng *rand.Rand, n int) ([]string, error) {
		xs, err := routes.Design(ctx, blocks, n, rng, screen.feasible)
		if err != nil {
			return nil, err
		}
		if len(xs) < n {
			return nil, option.Errorf("%s: reactions make only %d different molecules of these blocks, and %d are wanted; take fewer, or give more blocks",
				option.Setting{Name: "blocks", Value: o.Blocks.Source()}, len(xs), n)
		}
		return xs, nil
	}
	p.Hopeless = nil // known molecules are no parents of routes, and neither is the library
	p.Space = func(d Design) (Space, error) {
		if d.Pool != nil {
			return Space{}, option.Errorf("%s and %s: give one of them", option.Name("pool"), option.Name("blocks"))
		}
		products := Design{Init: slices.Clone(d.Init)}
		for i := range products.Init {
			products.Init[i].X = reaction.Product(products.Init[i].X)
		}
		finish(products.Strings())
		hopeless := func(Space) error {
			const tried = 50
			made, err := routes.Design(ctx, blocks, tried, rand.New(rand.NewPCG(0, 0)), screen.feasible)
			if err != nil {
				return err
			}
			for i, x := range made {
				made[i] = reaction.Product(x)
			}
			if len(made) == 0 {
				return option.Errorf("%s: the reactions give no product with these blocks; check what their SMARTS make, such as atoms with too many bonds", option.Setting{Name: "blocks", Value: o.Blocks.Source()})
			}
			by := screen.refused(nil, made)
			if by == nil {
				return nil
			}
			return option.Errorf("%s: none of %d random products passes; they are refused by %s; relax the limits, or give other blocks",
				option.Setting{Name: "blocks", Value: o.Blocks.Source()}, len(made), by)
		}
		space, why, err := screen.space(ctx, products, products, func() (Space, error) { return screen.molecules(products) }, hopeless)
		if err = cmp.Or(err, why); err != nil {
			return Space{}, err
		}
		space.Space = routes.New(space.Space, blocks)
		return space, nil
	}
	return nil
}
