package table

import (
	"context"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"
)

// priceNames are names of columns of prices, as headings have them.
var priceNames = []string{"cost", "listprice", "unitprice", "priceusd", "priceeur", "priceperg", "pricepergram", "pricepermg"}

// Offer is a molecule of a catalogue.
type Offer struct {
	Record
	Price float64 // NaN: not known
}

// ScanOffers is Scan of a catalogue, with the prices in its column of that name if there is one. A price may have the sign of its currency.
func ScanOffers(ctx context.Context, r io.Reader, o Options, take func(Offer) bool) error {
	rows, err := stringsOf(r, o)
	if err != nil {
		return err
	}
	g := rows.g
	price := g.one(func(i int) bool {
		return !slices.Contains(rows.c.taken(), i) && (slices.Contains(priceNames, g.heading(i).base) || g.heading(i).any([]string{"price"}))
	})
	var s style
	if price >= 0 {
		rows.carried, s = []int{price}, g.styleBy(splitPrice, price)
	}
	return rows.each(ctx, func(some []Record) bool {
		for _, r := range some {
			offer := Offer{Record: r, Price: math.NaN()}
			if len(r.Carried) > 0 {
				if n, ok := splitPrice(r.Carried[0]); ok {
					if v, reason := n.value(s); reason.Code == "" && v >= 0 {
						offer.Price = v
					}
				}
			}
			if !take(offer) {
				return false
			}
		}
		return true
	})
}

// splitPrice returns the number of a price without the sign or the code of its currency.
func splitPrice(cell string) (numeral, bool) {
	return analyze(clean(strings.TrimFunc(cell, func(r rune) bool { return unicode.Is(unicode.Sc, r) || unicode.IsLetter(r) || unicode.IsSpace(r) })))
}
