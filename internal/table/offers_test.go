package table

import (
	"math"
	"strings"
	"testing"
)

// Prices are numbers as the list writes them, with the sign or the code of a currency before or behind.
func TestPrices(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []float64 // NaN: not known
	}{
		{"plain", "smiles,price\nC,5.50\nCC,1200\n", []float64{5.5, 1200}},
		{"dollars", "smiles,price\nC,$5.50\nCC,\"$1,200\"\nCCC,on request\n", []float64{5.5, 1200, math.NaN()}},
		{"euros", "smiles;Price\nC;5,50 €\nCC;1.200,25 €\nCCC;\n", []float64{5.5, 1200.25, math.NaN()}},
		{"1.2 or 1200", "smiles;Price\nC;5,50 €\nCC;1.200 €\n", []float64{5.5, math.NaN()}},
		{"a code", "smiles,Price (USD)\nC,USD 12\nCC,-1\n", []float64{12, math.NaN()}},
		{"no prices", "smiles,name\nC,a\n", []float64{math.NaN()}},
	} {
		var got []float64
		err := ScanOffers(t.Context(), strings.NewReader(test.text), Options{}, func(o Offer) bool {
			got = append(got, o.Price)
			return true
		})
		same := err == nil && len(got) == len(test.want)
		for i := range test.want {
			same = same && (got[i] == test.want[i] || math.IsNaN(got[i]) && math.IsNaN(test.want[i]))
		}
		if !same {
			t.Errorf("%s: prices %v, %v, want %v", test.name, got, err, test.want)
		}
	}
}
