package table

import (
	"cmp"
	"context"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/invbo/invbo/internal/table/numeral"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/table/whitespace"
)

// Offer is a molecule of a catalogue.
type Offer struct {
	Record
	Price    float64 // as it is written or, if the cell or one of pack sizes states an amount, of 1 g, 1 mL or 1 mmol; NaN: not known
	Currency string  // of the price: USD, as the cell, a column of currencies or the heading says; "": not known
	Written  string  // the cell of the price
}

// OfferColumns are the columns of a catalogue; "" for what is not there.
type OfferColumns struct{ Input, ID, Price, Pack string }

// String names the columns, for people.
func (c OfferColumns) String() string {
	return joined(", ", "column "+c.Input, cmp.Or(after("id ", c.ID), "no names"), cmp.Or(after("price ", c.Price), "no prices"), after("pack size ", c.Pack))
}

// ScanOffers is Scan of a catalogue, with prices if it has a column of these. It prefers names that an offer can be
// ordered by.
func ScanOffers(ctx context.Context, r io.Reader, o Options, take func(Offer) bool) (OfferColumns, error) {
	rows, err := stringsOf(r, o)
	if err != nil {
		return OfferColumns{}, err
	}
	g := rows.g
	if id := g.offerNames(rows.c); o.ID == "" && id >= 0 {
		rows.c.id = id
	}
	column := g.prices(rows.c.taken())
	currency := g.one(func(i int) bool { return i != column && strings.Contains(g.heading(i).Base, "currency") })
	pack := g.packs(column)
	rows.carried = []int{column, currency, pack}
	s := g.styleBy(func(cell string) (numeral.Numeral, bool) { p, ok := splitPrice(cell); return p.Numeral, ok }, column)
	columns := OfferColumns{g.name(rows.c.input), g.name(rows.c.id), g.name(column), g.name(pack)}
	return columns, rows.each(ctx, func(some []Record) bool {
		for _, r := range some {
			offer := Offer{Record: r, Price: math.NaN(), Written: r.Carried[0]}
			if p, ok := splitPrice(offer.Written); ok {
				if of, ok := splitPack(r.Carried[2]); ok && !p.unit.IsSet() {
					p.amount, p.unit = of.amount, of.unit
				}
				if offer.Price = p.value(s); offer.Price == 0 { // which says that there is none
					offer.Price = math.NaN()
				}
				offer.Currency = cmp.Or(p.currency, currencyIn(r.Carried[1]), currencyIn(columns.Price))
			}
			if !take(offer) {
				return false
			}
		}
		return true
	})
}

// catalogueIDs are names of columns by which offers are ordered; catalogueNames name what is offered, and registryNames
// say what molecule it is.
var catalogueIDs, catalogueNames, registryNames = list("catalogue"), list("catalogue name"), list("registry")

// offerNames returns the column of names of a catalogue: numbers that are ordered by, then names, then registry
// numbers; -1 if there is none.
func (g *grid) offerNames(c columns) int {
	taken := append(c.taken(), c.used...)
	free := func(i int) bool { return i == c.id || !slices.Contains(taken, i) }
	ranks := [][]string{catalogueIDs, without(idNames[0], registryNames), slices.Concat(idNames[1], catalogueNames)}
	for _, names := range ranks {
		if i := g.one(func(i int) bool { return free(i) && g.filled(i) && slices.Contains(names, g.heading(i).Base) }); i >= 0 {
			return i
		}
	}
	if i := g.one(func(i int) bool { return free(i) && g.namesOffers(i) }); i >= 0 {
		return i
	}
	if c.id >= 0 {
		return c.id
	}
	return g.one(func(i int) bool { return free(i) && g.filled(i) && slices.Contains(registryNames, g.heading(i).Base) })
}

// namesOffers reports whether a column that is not known may name offers: its heading ends as one of numbers or names,
// or has the word name, and most of its cells differ, as those of Vendor name do not.
func (g *grid) namesOffers(column int) bool {
	h := g.heading(column)
	if len(h.Words) == 0 || slices.Contains(registryNames, h.Base) || slices.Contains(placeNames, h.Base) || h.HasAny([]string{"vendor", "supplier", "company"}) && h.HasAny([]string{"name"}) {
		return false
	}
	called := slices.Contains([]string{"id", "no", "nr", "number", "code"}, h.Words[len(h.Words)-1]) || h.HasAny([]string{"name"})
	cells := g.cells(column, sampled)
	different := map[string]bool{}
	for _, cell := range cells {
		different[cell] = true
	}
	return called && 2*len(different) > len(cells)
}

// prices returns the column of prices; -1 if there is none. One that is called so is preferred, with cells that can be read.
func (g *grid) prices(taken []int) int {
	const unread = priceKinds
	column, least := -1, 2*priceKinds
	for i := range g.header {
		kind := priceKind(g.header[i])
		if kind == noPrice || slices.Contains(taken, i) || !g.filled(i) {
			continue
		}
		readable := g.share(i, func(cell string) bool { p, ok := splitPrice(cell); return ok && p.Text[0] != '-' })
		switch {
		case kind > costs && readable <= 0.5: // it may be something else
			continue
		case readable == 0:
			kind += unread
		}
		if kind < least {
			column, least = i, kind
		}
	}
	return column
}

// packWords are words of the headings of pack sizes.
var packWords = list("pack word")

// packs returns the column of the amounts that a column of prices is for; -1 if there is none, or if the heading of the
// prices states one.
func (g *grid) packs(prices int) int {
	if prices < 0 || strings.Contains(g.name(prices), "/") || g.heading(prices).HasAny([]string{"per"}) {
		return -1
	}
	const nearlyAll = 0.9
	return g.one(func(i int) bool {
		return i != prices && g.heading(i).HasAny(packWords) && g.filled(i) && g.share(i, func(cell string) bool { _, ok := splitPack(cell); return ok }) >= nearlyAll
	})
}

// splitPack takes a pack size apart, as the amount of a price; ok is false if it is none.
func splitPack(cell string) (p price, ok bool) {
	p, ok = splitPrice("1/" + cell)
	return p, ok && p.unit.IsSet() && p.amount.Text != ""
}

// What says that a column holds prices, in the order of preference.
const (
	prices     = iota // its name
	costs             // its name
	inCurrency        // USD, €/g
	ofAmounts         // 1 g
	priceKinds        // how many there are
	noPrice    = -1
)

// priceWords are words of the headings of prices, and costWords of those of costs.
var priceWords, costWords = list("price word"), list("cost word")

// priceKind returns what in a heading says that it is of prices; noPrice if nothing does.
func priceKind(header string) int {
	words := quantity.Words(header)
	has := func(known []string) bool {
		return slices.ContainsFunc(words, func(w string) bool {
			return slices.ContainsFunc(known, func(k string) bool {
				return w == k || len(k) > 3 && (strings.HasPrefix(w, k+"per") || strings.HasSuffix(w, k))
			}) ||
				w != "price" && strings.HasPrefix(w, "price") && currencyIn(w[len("price"):]) != ""
		})
	}
	switch {
	case has(priceWords):
		return prices
	case has(costWords):
		return costs
	}
	currencies, units, numbers := 0, 0, 0
	for _, token := range priceTokens.FindAllString(header, -1) {
		_, unit := amountUnit(token)
		switch {
		case currencyIn(token) != "":
			currencies++
		case unit:
			units++
		case numeral.IsDigits(token[:1]):
			numbers++
		case !slices.Contains([]string{"per", "pro", "in", "for"}, strings.ToLower(token)):
			return noPrice
		}
	}
	switch {
	case currencies == 1:
		return inCurrency
	case currencies == 0 && units == 1 && numbers == 1:
		return ofAmounts
	}
	return noPrice
}

// price is a cell of prices, taken apart.
type price struct {
	numeral.Numeral
	currency string          // "": the cell names none
	amount   numeral.Numeral // that is paid for; without text: 1
	unit     quantity.Unit   // of the amount
	thousand bool            // it is in thousands
}

var (
	// priceTokens matches a sign of a currency, a word or a number.
	priceTokens = regexp.MustCompile(`\p{L}{0,3}\p{Sc}|\p{L}+|\d+(?:[.,]\d+)?`)

	// amounts matches a price with the amount that is paid for: $1.20/g, 1.20 $ / 5 g, 12 USD per 100 mg, 15 € (25 mL).
	amounts = regexp.MustCompile(`(?i)^(.*?)\s*(?:/|\(|\bper\b|\bpro\b|\bfor\b)\s*(\d[\d.,]*)?\s*(\p{L}+)\.?\s*\)?$`)

	// thousands matches a price in thousands: $1.2k, 1.2 k€.
	thousands = regexp.MustCompile(`(?i)\d\s*k(?:\P{L}|$)`)

	// wholePrice matches how German and Swiss lists end whole prices: 12,- and 12.–.
	wholePrice = regexp.MustCompile(`[.,]\s*[-–—]+$`)
)

// splitPrice takes a price apart; ok is false if it is none, or of an amount that is not known.
func splitPrice(cell string) (p price, ok bool) {
	text := whitespace.Trim(cell)
	m := amounts.FindStringSubmatch(text)
	switch {
	case m == nil:
	case m[2] == "" && currencyIn(m[3]) != "": // 1.20 (USD)
		p.currency, text = currencyIn(m[3]), whitespace.Trim(m[1])
	default:
		if p.unit, ok = amountUnit(m[3]); !ok && !slices.Contains(pieces, strings.ToLower(m[3])) {
			return p, false
		}
		if m[2] != "" {
			if p.amount, ok = numeral.ParseNumber(m[2]); !ok {
				return p, false
			}
		}
		text = whitespace.Trim(m[1])
	}
	p.thousand = thousands.MatchString(text)
	bare := strings.TrimFunc(text, func(r rune) bool { return unicode.Is(unicode.Sc, r) || unicode.IsLetter(r) || unicode.IsSpace(r) })
	before, after, _ := strings.Cut(text, bare)
	p.currency = cmp.Or(p.currency, currencyIn(before), currencyIn(after))
	p.Numeral, ok = numeral.ParseNumber(whitespace.Trim(wholePrice.ReplaceAllString(bare, "")))
	return p, ok
}

// pieces are words for one pack.
var pieces = list("piece")

// amountUnit reads a unit of mass, volume or amount of substance.
func amountUnit(text string) (u quantity.Unit, ok bool) {
	if u, ok = quantity.ParseUnit(text); !ok {
		u, ok = quantity.ParseUnit(strings.ToLower(text))
	}
	return u, ok && slices.ContainsFunc(paidFor, u.ConvertsTo)
}

// paidFor are the units that prices are compared by.
var paidFor = func() (all []quantity.Unit) {
	for _, name := range []string{"g", "mL", "mmol"} {
		u, _ := quantity.ParseUnit(name)
		all = append(all, u)
	}
	return all
}()

// value returns the price; NaN if it is negative or may be two numbers.
func (p price) value(s numeral.Style) float64 {
	v, err := p.Numeral.Value(s)
	amount := 1.0
	if p.amount.Text != "" && err == nil {
		amount, err = p.amount.Value(s)
	}
	for _, u := range paidFor {
		if p.unit.IsSet() && p.unit.ConvertsTo(u) {
			amount = p.unit.To(u, amount)
		}
	}
	if err != nil || v < 0 || amount <= 0 {
		return math.NaN()
	}
	if p.thousand {
		v *= 1000
	}
	if amount == 1 {
		return v
	}
	return quantity.Round(v / amount)
}

// currencies are the codes of currencies by their other names.
var currencies = func() map[string]string {
	all := map[string]string{}
	for _, of := range lists("currency") {
		for _, name := range of {
			all[name] = strings.ToUpper(of[0])
		}
	}
	return all
}()

// currencyIn returns the code of the first currency that a text names; "" if it names none.
func currencyIn(text string) string {
	for _, token := range priceTokens.FindAllString(text, -1) {
		sign := strings.TrimLeftFunc(token, unicode.IsLetter) // of another currency than those with its letters
		if code := cmp.Or(currencies[strings.ToLower(token)], currencies[sign], sign); code != "" && !numeral.IsDigits(code[:1]) {
			return code
		}
	}
	return ""
}
