package table_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/quantity"
	"github.com/invbo/invbo/internal/usage"
)

func quote(cell string) string { return `"` + cell + `"` }

// A table in another unit is converted to that of the study where both measure the same, and refused otherwise.
func TestUnitsAreConverted(t *testing.T) {
	for _, test := range []struct{ name, study, header, cell, want string }{
		{"nM to µM", "IC50 (uM)", "IC50 (nM)", "300", "0.3"},
		{"underscore", "IC50 (uM)", "IC50_nM", "70", "0.07"},
		{"slash", "IC50 (uM)", "IC50/nM", "1200", "1.2"},
		{"brackets", "IC50 (uM)", "IC50 [nM]", "0.5", "0.0005"},
		{"mM to nM, without a trace of binary numbers", "IC50 (nM)", "IC50 (mM)", "0.07", "70000"},
		{"other letters for the same", "IC50 (uM)", "IC50 (µmol/L)", "3", "3"},
		{"the same though it is spelled otherwise", "Ki (nM)", "Ki, nmol/l", "3.5", "3.5"},
		{"masses per volume", "MIC (ug/mL)", "MIC (ng/mL)", "250", "0.25"},
		{"mg/L is µg/mL", "MIC (ug/mL)", "MIC_mg/L", "8", "8"},
		{"energies per mole", "dG (kcal/mol)", "dG (kJ/mol)", "-4.184", "-1"},
		{"times", "half-life (h)", "half-life (min)", "90", "1.5"},
		{"temperatures", "Tm (°C)", "Tm (K)", "310.15", "37"},
		{"per cent and fractions", "yield (%)", "yield (fraction)", "0.42", "42"},
		{"rates", "koff (s-1)", "koff (1/min)", "6", "0.1"},
		{"a bound", "IC50 (uM)", "IC50 (nM)", ">10000", ">10"},
		{"a unit in the cell", "IC50 (uM)", "IC50", "300 nM", "0.3"},
		{"per cent and a concentration", "IC50 (uM)", "IC50 (%)", "50", "column IC50 (%) is in %, which cannot be converted to µM, the unit of the scores"},
		{"a mass and an amount", "IC50 (uM)", "IC50 (ug/mL)", "50", "column IC50 (ug/mL) is in µg/mL, which cannot be converted to µM"},
		{"a temperature and a time", "Tm (°C)", "Tm (min)", "50", "column Tm (min) is in min, which cannot be converted to °C"},
		{"logarithms", "log IC50 (nM)", "log IC50 (uM)", "2", "column log IC50 (uM) is in log µM, which cannot be converted to log nM"},
	} {
		study := read(t, "SMILES,"+quote(test.study)+"\nCCO,1\nCCN,2\n", table.Options{})
		tab, err := table.Read(t.Context(), strings.NewReader("SMILES,"+quote(test.header)+"\nCCC,"+test.cell+"\nCCF,"+test.cell+"\n"), table.Options{Like: study.Columns})
		got := fmt.Sprint(err)
		if err == nil {
			got = score(tab.Records[0])
		}
		if got != test.want && !(err != nil && strings.HasPrefix(got, test.want) && usage.Is(err)) {
			t.Errorf("%s: %s of %q is %s, want %s", test.name, test.cell, test.header, got, test.want)
		}
		if from := tab; err == nil && from.Columns.Unit != study.Columns.Unit {
			t.Errorf("%s: the scores are in %q, want %q", test.name, from.Columns.Unit, study.Columns.Unit)
		}
	}
}

// What a later table says in brackets tells whether it holds what the study's scores are: another assay, species, scale
// or sign does not, nor does a unit that is not known.
func TestAnotherMeasurement(t *testing.T) {
	for _, test := range []struct {
		study, header string
		same          bool
	}{
		{"pIC50 (JAK2)", "pIC50 (JAK1)", false},
		{"pIC50 (JAK2)", "pIC50", true},
		{"pIC50", "pIC50 (JAK2)", true},
		{"pIC50 (JAK2)", "pIC50 (JAK2, human)", true},
		{"pIC50 (JAK2)", "pIC50 (JAK2 V617F)", false},
		{"pIC50 (JAK2)", "pIC50 (JAK2, mouse)", false},
		{"pIC50 (JAK2)", "pIC50 (JAK2, pH 6)", false},
		{"pIC50 (JAK2)", "pIC50 (JAK2/JAK1)", false},
		{"pIC50", "pIC50 (predicted)", false},
		{"pIC50 (JAK2)", "pIC50 (JAK2) (geomean)", true},
		{"activity (mean of 3)", "activity (Mittelwert, n=2)", true},
		{"activity (first batch)", "activity (second batch)", true},
		{"activity (AB)", "activity (A.B.)", true},
		{"activity (24 h)", "activity (48 h)", false},
		{"pIC50 (JAK2, run 1)", "pIC50 (JAK2, run 2)", true},
		{"IC50 (nM, n=2)", "IC50 (µM, n = 3)", true},
		{"yield (2026-11-30)", "yield (7 Dec 2026)", true},
		{"EC50 (nM) [hTRPV1]", "EC50 (nM) [rTRPV1]", false},
		{"activity (pH 5)", "activity (pH 9)", false},
		{"response (treated)", "response (control)", false},
		{"ddG (kcal/mol)", "-ddG (kcal/mol)", false},
		{"Binding (−log M)", "Binding (M)", false},
		{"Kd (nM)", "Kd (pKd)", false},
		{"activity (fold over WT)", "activity (log2 fold over WT)", false},
		{"activity (kat)", "activity (U)", false},
		{"IC50 (마이크로몰)", "IC50 (나노몰)", false},
		{"IC50 (?M)", "IC50 (nM)", false},
		{"IC50 (nM)", "IC50 (u M)", false},
		{"CLint (µL/min/mg)", "CLint (mL/min/kg)", false},
		{"CL (mL/min/kg)", "CL (L/h/kg)", true},
		{"IC50 (мкмоль/л)", "IC50 (нМ)", true},
		{"half-life (мин)", "half-life (h)", true},
		{"IC50 (Âµm)", "IC50 (nanoM)", true},
		{"kon (1/Ms)", "kon (nM-1 s-1)", true},
	} {
		study := read(t, "SMILES,"+quote(test.study)+"\nCCO,1\nCCN,2\n", table.Options{Score: []string{test.study}})
		_, err := table.Read(t.Context(), strings.NewReader("SMILES,"+quote(test.header)+"\nCCC,1\nCCF,2\n"), table.Options{Like: study.Columns})
		if (err == nil) != test.same {
			t.Errorf("a study of %s and a table of %s: %v; the same: %t", test.study, test.header, err, test.same)
		}
	}
}

// score writes the score of a record with its bound.
func score(r table.Record) string {
	return map[int]string{1: ">", -1: "<"}[r.Bound] + fmt.Sprintf("%.12g", r.Score)
}

// scores writes what became of all rows: their scores, or their states with the code.
func scores(tab *table.Table) string {
	var all []string
	for _, r := range tab.Records {
		text := score(r)
		if r.State != table.Measured {
			text = fmt.Sprintf("%s (%s)", r.State, r.Reason.Code)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// A unit that only one of a study and a table states is assumed, and that is said.
func TestUnitsThatAreNotStated(t *testing.T) {
	with, without := "SMILES,IC50 (nM)\nCCO,1\nCCN,2\n", "SMILES,IC50\nCCO,1\nCCN,2\n"
	for _, test := range []struct {
		name, first, second string
		unit                string
		want, note          string
	}{
		{"the table states none", with, without, "", "1, 2", "column IC50 states no unit; its numbers are taken to be in nM"},
		{"the study states none", without, with, "", "1, 2", "the study states no unit; the numbers of column IC50 (nM), in nM, are taken as they are"},
		{"it is given", with, without, "µM", "1000, 2000", ""},
		{"it is given, and the table says otherwise", with, with, "µM", "unit µM: column IC50 (nM) is in nM", ""},
		{"it is no unit", with, without, "lots", "unit lots: it is not known; units are written as nM, µg/mL, kcal/mol or %", ""},
	} {
		study := read(t, test.first, table.Options{})
		tab, err := table.Read(t.Context(), strings.NewReader(test.second), table.Options{Like: study.Columns, Unit: test.unit})
		got, note := fmt.Sprint(err), ""
		if err == nil {
			got, note = scores(tab), strings.Join(tab.Notes, "; ")
		}
		if got != test.want || note != test.note {
			t.Errorf("%s: %s (%s), want %s (%s)", test.name, got, note, test.want, test.note)
		}
	}
}

// A column is found by its name with its unit, in another writing, with another one and without; --score says in which
// the scores are to be.
func TestScoreNamedWithItsUnit(t *testing.T) {
	const one, two = "SMILES,IC50 (nM)\nCCO,300\nCCN,20\n", "SMILES,IC50 (nM),IC50 (uM)\nCCO,300,0.3\nCCN,20,0.02\n"
	for _, test := range []struct{ content, score, want string }{
		{one, "IC50 (nM)", "300, 20 nM"},
		{one, "IC50", "300, 20 nM"},
		{one, "ic50_nM", "300, 20 nM"},
		{one, "IC50 (uM)", "0.3, 0.02 µM"},
		{one, "IC50 (%)", "column IC50 (nM) is in nM, which cannot be converted to %, the unit of the scores"},
		{two, "IC50 (uM)", "0.3, 0.02 µM"},
		{two, "IC50 (µM)", "0.3, 0.02 µM"},
		{two, "IC50", "column IC50: 2 columns have this name: give the number of one, 2 or 3"},
	} {
		tab, err := table.Read(t.Context(), strings.NewReader(test.content), table.Options{Score: []string{test.score}})
		got := fmt.Sprint(err)
		if err == nil {
			got = scores(tab) + " " + tab.Columns.Unit
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.score, got, test.want)
		}
	}
}

// Rows may state their own units: in a column, in the cells, or in a row below the header.
func TestUnitsOfRows(t *testing.T) {
	for _, test := range []struct{ name, content, want, unit string }{
		{"a column of units", "SMILES,value,units\nCCO,120,nM\nCCN,55,uM\nCCC,3,nM\nCCF,10,%\nCCS,1,\n",
			"120, 55000, 3, set aside (other unit), set aside (no unit)", "nM"},
		{"ChEMBL's names", "Smiles;Standard Value;Standard Units\nCCO;120;nM\nCCN;5;nM\n", "120, 5", "nM"},
		{"with underscores", "canonical_smiles,standard_value,standard_units\nCCO,1.5,ug.mL-1\nCCN,500,ng/mL\nCCC,2,ug.mL-1\n", "1.5, 0.5, 2", "µg/mL"},
		{"a unit of another column", "SMILES,IC50,conc,conc_unit\nCCO,120,3,nM\nCCN,5,4,nM\n", "120, 5", ""},
		{"a logarithm beside it", "SMILES,pIC50,conc,standard_units\nCCO,7,100,nM\nCCN,5,1e4,nM\n", "7, 5", ""},
		{"cells", "SMILES,IC50\nCCO,12 nM\nCCN,1.5 µM\nCCC,> 10 µM\nCCF,3nM\nCCS,4\n", "12, 1500, >10000, 3, set aside (no unit)", "nM"},
		{"few cells", "SMILES,IC50\nCCO,12\nCCN,1.5 µM\nCCC,10\n", "12, invalid (unknown unit), 10", ""},
		{"a cell against the name", "SMILES,IC50 (nM)\nCCO,12\nCCN,1.5 µM\nCCC,10\n", "12, 1500, 10", "nM"},
		{"decimal commas", "SMILES;IC50\nCCO;12,5 nM\nCCN;1,5 µM\nCCC;3,25 nM\n", "12.5, 1500, 3.25", "nM"},
		{"a row of units", "SMILES,name,IC50,MW\n,,nM,g/mol\nCCO,a,12,46\nCCN,b,7,45\n", "12, 7", "nM"},
		{"a row of units in brackets", "name,SMILES,IC50\n,,[µM]\na,CCO,12\nb,CCN,7\n", "12, 7", "µM"},
		{"a row of types and one of units", "name,SMILES,IC50\nstring,string,float\n-,-,nM\na,CCO,12\nb,CCN,7\n", "12, 7", "nM"},
		{"units that are mostly none", "SMILES;Value;Unit\nCCO;250;nM\nCCN;6.9;pIC50\nCCC;-5.8;log M\nCCF;20;nM\n", "250, set aside (other unit), set aside (other unit), 20", "nM"},
		{"per cent at 1 µM", "SMILES,% inhibition 1 µM\nCCO,95\nCCN,20\n", "95, 20", "%"},
		{"no concentrations", "SMILES,IC50 (nM)\nCCO,-999\nCCN,0\nCCC,40\n", "invalid (not positive), invalid (not positive), 40", "nM"},
		{"per cent at the EC50", "SMILES,% max at EC50\nCCO,-3\nCCN,40\n", "-3, 40", "%"},
		{"counts behind numbers", "SMILES,Ki (nM)\nCCO,150 (n=3)\nCCN,>20 ( N = 2 )\n", "150, >20", "nM"},
		{"powers of ten", "SMILES,Ki (nM)\nCCO,5×10^3\nCCN,2.5 x 10^2\nCCC,1.5·10³\nCCF,2*10⁻² nM\nCCS,4x10-1\n", "5000, 250, 1500, 0.02, 0.4", "nM"},
		{"no powers of ten", "SMILES,Ki (nM)\nCCO,5×103\nCCN,2 x 100\nCCC,3\n", "set aside (other unit), invalid (not a number), 3", "nM"},
		{"text of Excel", "SMILES,Ki (nM)\nCCO,\"=\"\"7.1\"\"\"\nCCN,3\n", "7.1, 3", "nM"},
		{"logarithms of no concentrations", "SMILES,pIC50\nCCO,650\nCCN,-9\nCCC,7\nCCF,1e-7\nCCCl,0\n", "invalid (no concentration), invalid (no concentration), 7, invalid (no concentration), 0", ""},
		{"concentrations among their logarithms", "SMILES,pIC50\nCCO,650 nM\nCCC,7\n", "6.18708664336, 7", ""},
		{"another logarithm", "SMILES,pKa\nCCO,43\nCCC,7\n", "43, 7", ""},
		{"thousands beside whole numbers, between semicolons", "SMILES;Ki (nM)\nCCO;2.500\nCCN;11.000\nCCC;70\n", "invalid (ambiguous), invalid (ambiguous), 70", "nM"},
		{"three decimals alone, between semicolons", "SMILES;Ki (nM)\nCCO;2.500\nCCN;11.125\nCCC;7.123\n", "2.5, 11.125, 7.123", "nM"},
		{"rows with another unit than the name", "SMILES,IC50 (nM),Unit\nCCO,30,uM\nCCN,300,nM\nCCC,50,uM\n", "30000, 300, 50000", "nM"},
		{"three decimals that all end in 0, between semicolons", "SMILES;Ki (nM)\nCCO;2.500\nCCN;11.250\nCCC;70.000\n", "invalid (ambiguous), invalid (ambiguous), invalid (ambiguous)", "nM"},
		{"decimals by another column", "SMILES;Ki (nM);TPSA\nCCO;2.500;12,5\nCCN;11.000;19,1\nCCC;70;8,3\n", "invalid (ambiguous), invalid (ambiguous), 70", "nM"},
		{"wavelengths in cells", "SMILES,λmax (E)\nCCO,467 nm\nCCN,0.5 µm\nCCC,380 nm\n", "467, 500, 380", "nm"},
		{"wavelengths by a column of units", "SMILES,emission,unit\nCCO,467,nm\nCCN,500,nm\n", "467, 500", "nm"},
		{"a wavelength by the name", "SMILES,λem / nm\nCCO,467\nCCN,500\n", "467, 500", "nm"},
		{"an absolute IC50", "SMILES,abs IC50\nCCO,467 nm\nCCN,500 nm\n", "467, 500", "nM"},
		{"no row of units", "name,SMILES,code,IC50\na,CCO,nM,12\nb,CCN,x,7\n", "12, 7", ""},
	} {
		tab := read(t, test.content, table.Options{})
		if got := scores(tab); got != test.want || tab.Columns.Unit != test.unit {
			t.Errorf("%s: %s in %q, want %s in %q", test.name, got, tab.Columns.Unit, test.want, test.unit)
		}
	}
}

// A column that states its unit does not take that of a column of nearly its name.
func TestUnitsOfNearlyTheSameName(t *testing.T) {
	tab := read(t, "SMILES,PubChem IC50 Value,IC50 Value,IC50 Units\n,uM,,\nCCO,0.12,120,nM\nCCN,10,10000,nM\n", table.Options{Score: []string{"PubChem IC50 Value"}})
	if got, want := scores(tab), "0.12, 10"; got != want || tab.Columns.Unit != "µM" {
		t.Errorf("%s in %q, want %s in µM", got, tab.Columns.Unit, want)
	}
}

// Lengths stay lengths when their study is told more of them.
func TestLengthsOfAStudy(t *testing.T) {
	study := read(t, "SMILES,λmax\nCCO,467 nm\nCCN,500 nm\n", table.Options{})
	for content, want := range map[string]string{"SMILES,λmax (nm)\nCCO,467\n": "467", "SMILES,λmax\nCCO,0.467 µm\n": "467", "SMILES,λmax,unit\nCCO,467,nm\n": "467"} {
		if got := scores(read(t, content, table.Options{Like: study.Columns})); got != want {
			t.Errorf("%q: %s, want %s", content, got, want)
		}
	}
	if tab := read(t, "SMILES,λmax\nCCO,467\nCCN,500\n", table.Options{Unit: "nm"}); tab.Columns.Unit != "nm" {
		t.Errorf("nm that was given is %s", tab.Columns.Unit)
	}
	if tab := read(t, "SMILES,IC50\nCCO,467\nCCN,500\n", table.Options{Unit: "nm"}); tab.Columns.Unit != "nM" {
		t.Errorf("nm that was given of an IC50 is %s", tab.Columns.Unit)
	}
}

// Errors and further outcomes are converted with their columns.
func TestUnitsOfErrorsAndOutcomes(t *testing.T) {
	study := read(t, "SMILES,IC50 (uM),hERG (uM)\nCCO,1,2\nCCN,2,3\n", table.Options{Score: []string{"IC50"}, Others: []string{"hERG"}})
	tab := read(t, "SMILES,IC50 (nM),IC50_SEM,hERG_nM\nCCO,1000,50,300\nCCN,2000,,700\n", table.Options{Like: study.Columns, Others: []string{"hERG"}})
	if r := tab.Records[0]; r.Score != 1 || r.SE != 0.05 || r.Others["hERG"] != 0.3 {
		t.Errorf("%+v, want 1 ± 0.05 µM and an hERG of 0.3 µM", r)
	}
	tab = read(t, "SMILES,IC50 (nM),IC50 SEM (uM)\nCCO,1000,0.05\nCCN,2000,0.1\n", table.Options{})
	if r := tab.Records[0]; r.Score != 1000 || r.SE != 50 {
		t.Errorf("%+v, want 1000 ± 50 nM", r)
	}
	tab = read(t, "SMILES,Tm (°C),Tm_SE (K)\nCCO,37,2\nCCN,40,1\n", table.Options{})
	if r := tab.Records[0]; r.SE != 2 {
		t.Errorf("the standard error of a temperature is %g, want 2 as a difference", r.SE)
	}
	_, err := table.Read(t.Context(), strings.NewReader("SMILES,IC50 (nM),hERG (%)\nCCO,1000,5\nCCN,1,5\n"), table.Options{Like: study.Columns, Others: []string{"hERG"}})
	if e, ok := errors.AsType[*table.UnitError](err); !ok || e.Column != "hERG (%)" || e.Want != "µM" {
		t.Errorf("a further outcome in per cent: %v, want an error that names hERG (%%) and µM", err)
	}
}

func TestScales(t *testing.T) {
	const content = "SMILES,IC50 (nM),SEM\nCCO,100,10\nCCN,>10000,\nCCC,<0.1,\nCCF,0,\nCCS,1 µM,\n"
	for _, test := range []struct {
		scale quantity.Scale
		want  string
		name  string
	}{
		{quantity.Log10, "2, >4, <-1, invalid (not positive), 3", "log10 IC50 (nM)"},
		{"pIC50", "7, <5, >10, invalid (not positive), 6", "pIC50"},
	} {
		tab := read(t, content, table.Options{Scale: test.scale})
		if got := scores(tab); got != test.want || tab.Columns.Score != test.name || tab.Columns.Unit != "nM" {
			t.Errorf("%s: %q of %s: %s, want %q: %s", test.scale, tab.Columns.Score, tab.Columns.Unit, got, test.name, test.want)
		}
		if se := fmt.Sprintf("%.4f", tab.Records[0].SE); se != "0.0434" { // 10 / (100 ln 10)
			t.Errorf("%s: a standard error of 10 of 100 is %s, want 0.0434", test.scale, se)
		}
		// Later tables are brought to the scale, in any unit; one that is on it already is taken as it is.
		for _, later := range []string{"SMILES,IC50_uM\nCCBr,0.1\nCCCl,1\n", "SMILES," + test.name + "\nCCBr,%s\nCCCl,%s\n", "SMILES,IC50\nCCBr,100\nCCCl,1000\n"} {
			values := strings.Split(test.want, ", ")
			if strings.Contains(later, "%s") {
				later = fmt.Sprintf(later, values[0], values[4])
			}
			tab := read(t, later, table.Options{Like: tab.Columns})
			if got := scores(tab); got != values[0]+", "+values[4] {
				t.Errorf("%s: then %q: %s, want %s, %s", test.scale, later, got, values[0], values[4])
			}
		}
	}
	for _, test := range []struct{ content, scale, want string }{
		{"SMILES,IC50\nCCO,1\nCCN,2\n", "pIC50", "scale pIC50: the unit of column IC50 is not known"},
		{"SMILES,IC50 (%)\nCCO,1\nCCN,2\n", "pIC50", "scale pIC50: column IC50 (%) is in %, which is no molar concentration"},
		{"SMILES,Ki (nM)\nCCO,1\nCCN,2\n", "pIC50", "scale pIC50: column Ki (nM) is another quantity, whose scale is pKi"},
		{"SMILES,pIC50\nCCO,1\nCCN,2\n", "log10", "scale log10: column pIC50 holds logarithms"},
		{"SMILES,IC50 (nM)\nCCO,1\nCCN,2\n", "pX", "scale pX: there is no such scale; pIC50, pKi, pEC50, pKd and so on are −log10 of concentrations"},
	} {
		_, err := table.Read(t.Context(), strings.NewReader(test.content), table.Options{Scale: quantity.Scale(test.scale)})
		if fmt.Sprint(err) != test.want || !usage.Is(err) {
			t.Errorf("%s of %q: %v, want %s", test.scale, test.content, err, test.want)
		}
	}
	tab := read(t, "SMILES,IC50\nCCO,100\nCCN,1000\n", table.Options{Scale: "pIC50", Unit: "nM"})
	if got := scores(tab); got != "7, 6" {
		t.Errorf("pIC50 with a unit that is given: %s, want 7, 6", got)
	}
}

// A study of pIC50 that is told IC50 says what it could be made of.
func TestLogarithmOfAnotherColumn(t *testing.T) {
	study := read(t, "SMILES,pIC50\nCCO,7\nCCN,6\n", table.Options{})
	const told = "SMILES,IC50 (nM)\nCCC,100\nCCF,1000\n"
	_, err := table.Read(t.Context(), strings.NewReader(told), table.Options{Like: study.Columns})
	if e, ok := errors.AsType[*table.ColumnError](err); !ok || e.Source != "IC50 (nM)" || !strings.Contains(err.Error(), "it can be made of column IC50 (nM)") {
		t.Errorf("%v, want an error that names IC50 (nM) as the source", err)
	}
	tab := read(t, told, table.Options{Like: study.Columns, Score: []string{"IC50 (nM)"}, Scale: "pIC50"})
	if got := scores(tab); got != "7, 6" || len(tab.Notes) > 0 {
		t.Errorf("%s, %q; want 7, 6 and nothing to be said", got, tab.Notes)
	}
}

func TestDecades(t *testing.T) {
	for _, test := range []struct {
		content string
		decades string
		scale   quantity.Scale
	}{
		{"SMILES,IC50 (nM)\nCCO,0.1\nCCN,10000\n", "5.0", "pIC50"},
		{"SMILES,Ki_uM\nCCO,1\nCCN,1000\n", "3.0", "pKi"},
		{"SMILES,Standard Value,Standard Units,Standard Type\nCCO,1,nM,EC50\nCCN,1000,nM,EC50\n", "3.0", "pEC50"},
		{"SMILES,IC50\nCCO,1\nCCN,1000\n", "3.0", ""},
		{"SMILES,counts\nCCO,1.5\nCCN,0\n", "0.0", ""},
		{"SMILES,pIC50\nCCO,0.001\nCCN,10\n", "0.0", ""},
	} {
		tab := read(t, test.content, table.Options{})
		if got := fmt.Sprintf("%.1f", tab.Decades()); got != test.decades || tab.PScale() != test.scale {
			t.Errorf("%q: %s decades, scale %q; want %s, %q", test.content, got, tab.PScale(), test.decades, test.scale)
		}
	}
}

// A standard error has the unit of its cell or of its column, or else that of the score. It may be that of the
// logarithm which the score is. One that fits neither is not used, which a note says.
func TestUnitsOfStandardErrors(t *testing.T) {
	tenth := 0.1 / math.Ln10 // of a relative error of 10 %
	for _, test := range []struct {
		name, columns, row string
		scale              quantity.Scale
		se                 float64
		note               string
	}{
		{"no unit", "Ki (nM),SEM", "300,30", "pKi", tenth, ""},
		{"the cell's, of the score", "Ki,SEM", "0.3 uM,0.03", "pKi", tenth, ""},
		{"the cell's own", "Ki (nM),SEM", "300,0.03 uM", "pKi", tenth, ""},
		{"the column's", "Ki (nM),SEM (uM)", "300,0.03", "pKi", tenth, ""},
		{"the cell's against the column's", "Ki (nM),SEM (uM)", "300,30 nM", "", 30, ""},
		{"per cent", "Ki (nM),SEM (%)", "300,10", "pKi", 0, `standard error SEM (%) "10" is not used: it is in %, and the score in nM`},
		{"per cent in the cell", "Ki (nM),SEM", "300,10%", "", 0, `standard error SEM "10%" is not used: it is in %, and the score in nM`},
		{"per cent of a score in per cent", "inhibition (%),SEM (%)", "30,10", "", 10, ""},
		{"of the logarithm", "Ki (nM),SE (log units)", "300,0.2", "pKi", 0.2, ""},
		{"of the scale", "Ki (nM),pKi SE", "300,0.2", "pKi", 0.2, ""},
		{"of the scale in brackets", "Ki (nM),SEM (pKi)", "300,0.2", "pKi", 0.2, ""},
		{"of the decimal logarithm", "Ki (nM),log SE", "300,0.2", quantity.Log10, 0.2, ""},
		{"of a logarithm, and the score is none", "Ki (nM),log SE", "300,0.2", "", 0, `standard error log SE "0.2" is not used: it is that of a logarithm, and the score is none`},
		{"of a score that is a logarithm", "pKi,SE", "7,0.2", "", 0.2, ""},
		{"a concentration, and the score is a logarithm", "pKi,SE (nM)", "7,20", "", 0, `standard error SE (nM) "20" is not used: it is in nM, and the score is a logarithm`},
	} {
		tab := read(t, "SMILES,"+test.columns+"\nCCO,"+test.row+"\n", table.Options{Score: []string{strings.Split(test.columns, ",")[0]}, Scale: test.scale})
		if r := tab.Records[0]; math.Abs(r.SE-test.se) > 1e-12 || r.Note != strings.TrimSpace(test.note) && !strings.HasPrefix(r.Note, "converted") {
			t.Errorf("%s: %g (%s), want %g (%s)", test.name, r.SE, r.Note, test.se, test.note)
		}
	}
}

// Standard deviations count beside numbers of measurements, or where an option names them. Otherwise a note says that
// they do not.
func TestStandardDeviationsThatAreNotUsed(t *testing.T) {
	const without, with = "SMILES,Ki (nM),SD (nM)\nCCO,300,30\nCCN,20,2\n", "SMILES,Ki (nM),SD (nM),n\nCCO,300,30,4\nCCN,20,2,4\n"
	for _, test := range []struct {
		content, sd string
		se          float64
		note        bool
	}{{without, "", 0, true}, {without, "SD", 30, false}, {without, table.NoColumn, 0, false}, {with, "", 15, false}} {
		tab := read(t, test.content, table.Options{SD: test.sd})
		if se, note := tab.Records[0].SE, strings.Contains(strings.Join(tab.Notes, ""), "column SD (nM) is not used"); se != test.se || note != test.note {
			t.Errorf("SD %q: %g, noted %t; want %g, %t", test.sd, se, note, test.se, test.note)
		}
	}
}

// Logarithms are not told to a study of concentrations, nor the reverse, whatever a column is chosen by.
func TestScaleOfAStudy(t *testing.T) {
	for _, test := range []struct{ study, column, score, want string }{
		{"Ki (nM)", "pKi", "", "column Ki (nM): there is no such column, and column pKi holds logarithms; convert them first"},
		{"Ki (nM)", "pKi", "pKi", "column pKi: it holds logarithms, and Ki (nM), the score of the study, is none; convert them first"},
		{"Ki", "log Ki", "log Ki", "column log Ki: it holds logarithms, and Ki, the score of the study, is none; convert them first"},
		{"pIC50", "IC50 (nM)", "IC50 (nM)", "scale pIC50: column IC50 (nM) holds no logarithms"},
		{"pIC50", "conc (uM)", "conc", "column conc (uM): it holds no logarithms, and pIC50, the score of the study, is one; convert its numbers first"},
		{"pIC50", "log IC50", "log IC50", "column log IC50: its logarithms are not those of pIC50, the scores of the study"},
		{"pIC50", "pChEMBL value", "pChEMBL value", "7"},
		{"pIC50", "value", "value", "7"},
		{"activity", "pIC50", "pIC50", "7"},
		{"Ki (nM)", "Ki (uM)", "", "7000"},
	} {
		study := read(t, "SMILES,"+test.study+"\nCCO,5\nCCN,6\n", table.Options{Score: []string{test.study}})
		o := table.Options{Like: study.Columns}
		if test.score != "" {
			o.Score = []string{test.score}
		}
		tab, err := table.Read(t.Context(), strings.NewReader("SMILES,"+test.column+"\nCCC,7\n"), o)
		got := fmt.Sprint(err)
		if err == nil {
			got = scores(tab)
		}
		if got != test.want {
			t.Errorf("%s for %s: %s, want %s", test.column, test.study, got, test.want)
		}
	}
}

// Numbers that are hardly meant are said: negative logarithms of no concentration, and errors beside which the score
// says nothing.
func TestDoubts(t *testing.T) {
	for _, test := range []struct {
		columns, row string
		scale        quantity.Scale
		want         string
	}{
		{"pKi,SE", "12,0.3", "", ""},
		{"pKa,SE", "43,0.3", "", ""},
		{"pKi,SE", "7,20", "", "the standard error is 20 units of pKi"},
		{"Ki (nM),SE", "12,5000", "pKi", "the standard error is 181 units of pKi"},
		{"Ki (nM),SE", "12,5000", quantity.Log10, "the standard error is 181 units of log10 Ki (nM)"},
		{"Ki (nM),SE", "12,5000", "", "the standard error is 5e+03, beside which the score of 12 says nothing"},
		{"Ki (nM),SE", "12,7", "", ""},
		{"Ki (nM),SE", ">12,5000", "", ""},
	} {
		tab := read(t, "SMILES,"+test.columns+"\nCCO,"+test.row+"\nCCN,6,\nCCC,14,\n", table.Options{Score: []string{strings.Split(test.columns, ",")[0]}, Scale: test.scale})
		got := tab.Doubtful()
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s of %s: %q, want %q", test.row, test.columns, got, test.want)
		}
	}
}

// Ratios to the wild type and numbers in per cent of it are converted, and logarithms of ratios are none.
func TestRatios(t *testing.T) {
	o := table.Options{Sequences: table.Detect, WildType: wildType, Named: true}
	begin := func(name, rows string) table.Columns { return read(t, "mutant,"+name+"\n"+rows, o).Columns }
	const small, large = "WT,1\nT3S,1.5\n", "WT,100\nT3S,150\n"
	nothing := func(string) string { return "" }
	for _, test := range []struct{ study, values, told, cell, want string }{
		{"Fitness (fold WT)", small, "Fitness (% of WT)", "140", "1.4"},
		{"Fitness (fold WT)", small, "Fitness (fold WT)", "140%", "1.4"},
		{"Fitness (fold WT)", small, "Fitness (relative to WT)", "1.4", "1.4"},
		{"Fitness (fold change)", small, "Fitness (%)", "140", "1.4"},
		{"Fitness (relative to WT)", small, "Fitness (% WT)", "140", "1.4"},
		{"Fitness (ratio)", small, "Fitness (percent of WT)", "140", "1.4"},
		{"Fitness (WT = 1)", small, "Fitness (WT = 100)", "140", "1.4"},
		{"Fitness (normalized to wild type)", small, "Fitness % of WT", "140", "1.4"},
		{"Fitness (fraction)", small, "Fitness (%)", "140", "1.4"},
		{"Fitness (% of WT)", large, "Fitness (fold WT)", "1.4", "140"},
		{"Fitness (% of WT)", large, "Fitness (x WT)", "1.4", "140"},
		{"Fitness (% of WT)", large, "Fitness fold over WT", "1.4", "140"},
		{"Fitness (relative to WT)", large, "Fitness (relative to WT)", "140", "140"},
		{"Fitness (relative to WT)", large, "Fitness (% of WT)", "140", "140"},
		{"Fitness (fold WT)", small, "log2 Fitness (fold WT)", "-1.4", "holds logarithms; convert them first"},
		{"Fitness (fold WT)", small, "Fitness (log2 fold WT)", "-1.4", "is on another scale: convert its numbers first"},
		{"Fitness", small, "log2 Fitness", "-1.4", "holds logarithms; convert them first"},
		{"Fitness", small, "ln Fitness", "-1.4", "holds logarithms; convert them first"},
		{"log10 Fitness", small, "log2 Fitness", "-1.4", "there is no such column; there are"},
		{"log2 Fitness (fold WT)", small, "ln Fitness (fold WT)", "-1.4", "there is no such column; there are"},
		{"Fitness", small, "Fitness (% of WT)", "140", "give fraction as unit if they are, or % if they are in per cent"},
		{"Activity after 1 h at 50 °C", small, "Activity after 2 h at 60 °C", "1.4", "there is no such column; there are"},
		{"Activity after 1 h", small, "Activty after 1 h", "1.4", "did you mean"},
	} {
		of := o
		of.Like = begin(test.study, test.values)
		of.Known = &table.Known{Called: nothing, Written: nothing}
		if test.values == small {
			of.Known.Ratios = []string{""}
		}
		tab, err := table.Read(t.Context(), strings.NewReader("mutant,"+test.told+"\nK2R,"+test.cell+"\n"), of)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(tab.Records[0].Score)
		}
		if err == nil && got != test.want || !strings.Contains(got, test.want) {
			t.Errorf("%s told to %s: %s, want %s", test.told, test.study, got, test.want)
		}
	}
	for unit, want := range map[string]float64{"fraction": 1.4, "%": 140} {
		of := o
		of.Like, of.Unit = begin("Fitness", small), unit
		of.Known = &table.Known{Called: nothing, Written: nothing, Ratios: []string{""}}
		if got := read(t, "mutant,Fitness\nK2R,140%\n", of).Records[0].Score; got != want {
			t.Errorf("140%% with the unit %s: %g, want %g", unit, got, want)
		}
	}
}

// If some cells of a column state per cent, or are formatted so, a small number without the sign may be a fraction: its
// row is refused.
func TestPerCentBesidePlainNumbers(t *testing.T) {
	for _, test := range []struct{ name, content, want string }{
		{"0.93 beside 95 %", "smiles,Inhibition (%)\nCCO,95%\nCCN,0.93\nCCC,91 %\nCCF,88\n", "95 invalid 91 88"},
		{"a bound", "smiles,Inhibition (%)\nCCO,95%\nCCN,<0.5\nCCF,88\n", "95 invalid 88"},
		{"0", "smiles,Inhibition (%)\nCCO,95%\nCCN,0\nCCF,88\n", "95 0 88"},
		{"no name states the unit", "smiles,Inhibition\nCCO,95%\nCCN,37%\nCCC,12%\nCCO,1%\nCCS,2%\nCCP,3%\nCCF,45\nCCI,0\nCCBr,0.5\nCCCl,1.1\n", "95 37 12 1 2 3 45 0 invalid invalid"},
		{"all plain", "smiles,Inhibition (%)\nCCO,95\nCCN,0.93\nCCF,88\n", "95 0.93 88"},
		{"all with the sign", "smiles,Inhibition (%)\nCCO,95%\nCCN,0.93 %\nCCF,88%\n", "95 0.93 88"},
		{"a column of fractions", "smiles,Inhibition (fraction)\nCCO,0.95\nCCN,93%\nCCF,0.88\n", "0.95 0.93 0.88"},
		{"a column of units", "smiles,Inhibition,unit\nCCO,95%,%\nCCN,0.93,%\nCCF,88,%\n", "95 0.93 88"},
	} {
		tab := read(t, test.content, table.Options{Score: []string{"2"}})
		var got []string
		for _, r := range tab.Records {
			if r.State != table.Measured {
				got = append(got, string(r.State))
				if !strings.Contains(r.Reason.Text, "as other cells of the column state per cent") {
					t.Errorf("%s: %s", test.name, r.Reason.Text)
				}
				continue
			}
			got = append(got, fmt.Sprint(r.Score))
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%s: %s, want %s", test.name, text, test.want)
		}
	}
	format := "0%"
	tab, err := table.Read(t.Context(), book(t, func(f *excelize.File) error {
		style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
		return cmp.Or(err, f.SetCellStyle("Data", "B2", "B2", style))
	}, map[string][][]any{"Data": {{"smiles", "Inhibition (%)"}, {"CCO", 0.95}, {"CCN", 0.93}, {"CCF", 88}}}, "Data"), table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := tab.Records; r[0].Score != 95 || r[1].State != table.Invalid || r[1].Reason.Text != `"0.93" may be 0.93 % or 93 %, as other cells of the column state per cent: write the sign behind it` || r[2].Score != 88 {
		t.Errorf("%+v", r)
	}
}

// A pIC50 has no unit: one beside it makes numbers doubtful that are hardly pIC50s, unless it is that of another column.
func TestUnitsBesideLogarithms(t *testing.T) {
	for _, test := range []struct {
		name, content string
		want, note    string
	}{
		{"concentrations", "name,SMILES,pIC50,unit\na,CCO,12,nM\nb,CCN,3,uM\n", "invalid (no concentration), invalid (no concentration)", ""},
		{"some rows without", "name,SMILES,pIC50,unit\na,CCO,12,nM\nb,CCN,7.1,\n", "invalid (no concentration), 7.1", ""},
		{"plausible", "name,SMILES,pIC50,unit\na,CCO,8.1,nM\nb,CCN,3,uM\n", "8.1, 3", "the numbers of column pIC50 are taken as they are, and column unit is not used"},
		{"of the concentrations", "name,SMILES,Standard Value,Standard Units,pIC50\na,CCO,0.0001,nM,13\nb,CCN,1000,nM,6\n", "13, 6", ""},
		{"with the number", "name,SMILES,pIC50,unit\na,CCO,12 nM,nM\nb,CCN,3 uM,uM\n", "7.92081875395, 5.52287874528", ""},
	} {
		for _, o := range []table.Options{{Score: []string{"pIC50"}}, {Like: table.Columns{ID: "name", Input: "SMILES", Score: "pIC50"}}} {
			tab := read(t, test.content, o)
			if got, notes := scores(tab), strings.Join(tab.Notes, "\n"); got != test.want || !strings.Contains(notes, test.note) || test.note == "" && notes != "" {
				t.Errorf("%s: %s, %q; want %s, %q", test.name, got, notes, test.want, test.note)
			}
		}
	}
}
