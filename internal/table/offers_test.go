package table

import (
	"fmt"
	"math"
	"slices"
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
		{"of a gram", "smiles,price\nC,$1.20/g\nCC,1.20 USD/g\nCCC,1.20/g\nCCCC,1.20 USD per gram\n", []float64{1.2, 1.2, 1.2, 1.2}},
		{"of an amount", "smiles,price\nC,1.20 $ / 5 g\nCC,$12/100mg\nCCC,$5 (25 mL)\nCCCC,2 per pack\nCO,3/0 g\nCN,4/dozen\n", []float64{0.24, 120, 0.2, 2, math.NaN(), math.NaN()}},
		{"of a gram in euros", "smiles;Preis\nC;1,20 €/g\nCC;1.200,25 € / 5 g\n", []float64{1.2, 240.05}},
		{"whole", "smiles;Preis\nC;12,-\nCC;3.– CHF\nCCC;1.20 (USD)\n", []float64{12, 3, 1.2}},
		{"thousands", "smiles,price\nC,$1.2k\nCC,1.2K USD\nCCC,2 k€\nCCCC,12 kr\n", []float64{1200, 1200, 2000, 12}},
		{"pack sizes", "smiles,price,Pack size\nC,30,1 g\nCC,25,100 mg\nCCC,$3/g,5 g\nCCCC,12,5g\n", []float64{30, 250, 3, 2.4}},
		{"pack sizes beside prices of a gram", "smiles,USD/g,Pack\nC,30,1 g\nCC,25,100 mg\n", []float64{30, 25}},
		{"sizes of another kind", "smiles,price,Pack\nC,30,small\nCC,25,large\n", []float64{30, 25}},
		{"negative", "smiles,price\nC,-1\nCC,-$1.20\nCCC,$-1.20/g\nCCCC,(1.20)\nCO,2\n", []float64{math.NaN(), math.NaN(), math.NaN(), math.NaN(), 2}},
		{"the readable of two columns", "smiles,Price,Cost\nC,POA,1\n", []float64{1}},
	} {
		var got []float64
		_, err := ScanOffers(t.Context(), strings.NewReader(test.text), Options{}, func(o Offer) bool {
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

// The currency of a price is that of its cell, of its row or of its column.
func TestCurrencies(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"cells", "smiles,Price (USD)\nC,$5\nCC,5 EUR\nCCC,C$5\nCCCC,5\nCO,POA\n", []string{"USD", "EUR", "CAD", "USD", ""}},
		{"a column", "smiles,price,Currency\nC,5,USD\nCC,5,Euro\nCCC,£5,EUR\n", []string{"USD", "EUR", "GBP"}},
		{"none", "smiles,price\nC,from 5\nCC,5/g\n", []string{"", ""}},
	} {
		var got []string
		_, err := ScanOffers(t.Context(), strings.NewReader(test.text), Options{}, func(o Offer) bool {
			got = append(got, o.Currency)
			return true
		})
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, %v, want %q", test.name, got, err, test.want)
		}
	}
}

// The columns of a catalogue are found by the headings that vendors use: numbers to order by before names, and these
// before registry numbers.
func TestOfferColumns(t *testing.T) {
	for _, header := range []string{
		"Price", "Price (USD)", "price_usd", "Cost", "Cost/g", "USD", "EUR", "EUR/g", "$/g", "1g", "1 g", "Preis", "Price per gram", "Unit price", "List price", "listprice",
		"Best price", "PriceUSD", "Price_1G_USD", "PRICE", "Cost per mg", "100mg ($)",
	} {
		columns, err := ScanOffers(t.Context(), strings.NewReader("SMILES;Name;"+header+"\nC;a;5\nCC;b;6\n"), Options{}, func(o Offer) bool { return o.Price == 5 })
		if err != nil || columns.Price != header {
			t.Errorf("%s: %s, %v, want it to be the prices", header, columns, err)
		}
	}
	for _, header := range []string{"Purity", "MW", "Costar", "Stock g", "mg", "Density g/mL", "IC50 (nM)", "CAS"} {
		if columns, _ := ScanOffers(t.Context(), strings.NewReader("SMILES;Name;"+header+"\nC;a;5\nCC;b;6\n"), Options{}, func(Offer) bool { return false }); columns.Price != "" {
			t.Errorf("%s is taken for prices", header)
		}
	}
	for _, test := range [][2]string{ // columns, and that of names
		{"Product Name", "Product Name"}, {"Catalog Number", "Catalog Number"}, {"Cat. No.", "Cat. No."}, {"Cat#", "Cat#"}, {"Item No.", "Item No."},
		{"SKU", "SKU"}, {"Supplier ID", "Supplier ID"}, {"Part Number", "Part Number"}, {"Article", "Article"}, {"MFCD", "MFCD"}, {"IUPAC Name", "IUPAC Name"},
		{"Chemical name", "Chemical name"}, {"idnumber", "idnumber"}, {"EN ID", "EN ID"}, {"Name, common", "Name, common"}, {"CAS", "CAS"}, {"Title", "Title"},
		{"CAS;Product Name", "Product Name"}, {"CAS;Product Name;Catalog No.", "Catalog No."}, {"MFCD;Vendor code", "Vendor code"}, {"CAS No.;Molecule code", "Molecule code"},
		{"Name;CAS", "Name"}, {"CAS;Purity", "CAS"}, {"Purity", ""},
	} {
		n := strings.Count(test[0], ";") + 1
		text := "SMILES;" + test[0] + "\nC" + strings.Repeat(";a-1", n) + "\nCC" + strings.Repeat(";b-2", n) + "\n"
		if columns, err := ScanOffers(t.Context(), strings.NewReader(text), Options{}, func(Offer) bool { return false }); err != nil || columns.ID != test[1] {
			t.Errorf("%s: %s, %v, want id %s", test[0], columns, err, test[1])
		}
	}
}

// A first column that sorts the molecules, such as their vendors or series, names none of them, whatever it is called.
func TestFirstColumnSorts(t *testing.T) {
	for _, test := range []struct{ header, first, want string }{
		{"Vendor;Catalog ID;SMILES", "ChemX;A-%d;", "Catalog ID"},
		{"Internal ID;Vendor ID;SMILES", "I-%d;V-%[1]d;", "Internal ID"},
		{"Zulieferer;SMILES", "ChemX;", ""},
		{"Compound series;SMILES", "amides;", ""},
		{"Vial;SMILES", "v-%d;", "Vial"},
	} {
		text := test.header + ";pIC50\n"
		for i, smiles := range []string{"CCO", "CCN", "CCC", "CCCl", "CCBr"} {
			first := test.first
			if strings.Contains(first, "%d") {
				first = fmt.Sprintf(first, i)
			}
			text += fmt.Sprintf("%s%s;%d.5\n", first, smiles, i+4)
		}
		if got, err := Read(t.Context(), strings.NewReader(text), Options{Molecules: true}); err != nil || got.Columns.ID != test.want {
			t.Errorf("%s: names of %q, %v, want %q", test.header, got.Columns.ID, err, test.want)
		}
	}
}
