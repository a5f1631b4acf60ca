package reaction_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule/reaction"
)

func builtIn(t testing.TB) *reaction.Set {
	t.Helper()
	needRDKit(t)
	set, err := reaction.BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestRouteText(t *testing.T) {
	set := builtIn(t)
	const text = "CC(=O)Nc1cccc(-c2ccncc2)c1 CC(=O)O Nc1cccc(Br)c1 >amide_coupling OB(O)c1ccncc1 >Suzuki_coupling"
	r, err := set.Route(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.String(); got != text {
		t.Errorf("text %q, want %q", got, text)
	}
	if got, want := r.Blocks(), []string{"CC(=O)O", "Nc1cccc(Br)c1", "OB(O)c1ccncc1"}; r.Steps() != 2 || !slices.Equal(got, want) {
		t.Errorf("%d steps of %q, want 2 of %q", r.Steps(), got, want)
	}
	list := []reaction.Block{{SMILES: "CC(=O)O", Name: "A1", Price: 12.5}, {SMILES: "Nc1cccc(Br)c1", Price: 3}, {SMILES: "OB(O)c1ccncc1", Name: "A3", Price: math.NaN()}}
	blocks, err := set.Index(t.Context(), list, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	steps, price := blocks.Describe(r)
	const want = "1. amide coupling: A1 CC(=O)O (12.5) + Nc1cccc(Br)c1 (3) → CC(=O)Nc1cccc(Br)c1; 2. Suzuki coupling: product of 1 + A3 OB(O)c1ccncc1 → CC(=O)Nc1cccc(-c2ccncc2)c1"
	if got := reaction.Text(steps); got != want {
		t.Errorf("text\n%s, want\n%s", got, want)
	}
	if !math.IsNaN(price) {
		t.Errorf("price %g, though one is not known", price)
	}
	svg, err := reaction.Draw([]reaction.Scheme{{Title: "A & B", Steps: steps}})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"A &amp; B", "1. amide coupling", "2. Suzuki coupling", "product of 1", "12.5"} {
		if !strings.Contains(string(svg), part) {
			t.Errorf("the picture lacks %q", part)
		}
	}
}

func TestRouteErrors(t *testing.T) {
	set := builtIn(t)
	for text, want := range map[string]string{
		"":                                      "empty",
		"CCO CCO CC(=O)O":                       "2 molecules",
		"CCO CC(=O)O >amide_coupling":           "needs 2 reactants",
		"CCO CC(=O)O CN >magic":                 "unknown reaction",
		"CCO CC(=O)O CN >amide_coupling":        "ends with CNC(C)=O",
		"CCO CC(=O)O CCO >amide_coupling":       "no single product",
		"CC NCCNC CC(=O)O >amide_coupling":      "no single product", // in the wrong order
		"CC CC(=O)O CNCCN >amide_coupling":      "no single product", // of two amines
		"CC NCC(=O)O NCCC(=O)O >amide_coupling": "no single product", // both would react with themselves
		"CC CC(=O)O C1 >amide_coupling":         "C1",
		"Oc1ccccc1 BrCc1ccccc1 Oc1ccccc1 >Williamson_ether_synthesis >debenzylation_of_an_ether": "occurs earlier",
	} {
		if _, err := set.Route(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

// A block is used where it can only react as it should.
func TestIndex(t *testing.T) {
	set := builtIn(t)
	tests := []struct {
		name, block, reaction string
		position              int
		want                  bool
	}{
		{"an acid", "CC(=O)O", "amide coupling", 0, true},
		{"an amine", "CN", "amide coupling", 1, true},
		{"an amino acid", "NCC(=O)O", "amide coupling", 1, false},
		{"two different amines", "CNCCN", "amide coupling", 1, false},
		{"two equal amines", "NCCN", "amide coupling", 1, false},
		{"two equal amines, where an excess is routine", "C1CNCCN1", "SNAr with an amine", 1, true},
		{"an amide is no amine", "CC(N)=O", "amide coupling", 1, false},
		{"an acid beside an acyl chloride", "O=C(O)CC(=O)Cl", "amide coupling", 0, false},
		{"an acyl chloride", "CC(=O)Cl", "acylation with an acyl chloride", 0, true},
		{"an unactivated chloride", "Clc1ccccc1", "SNAr with an amine", 0, false},
		{"a chloropyrimidine", "Clc1ncccn1", "SNAr with an amine", 0, true},
		{"a boronic ester", "CC1(C)OB(c2ccccc2)OC1(C)C", "Suzuki coupling", 1, true},
		{"a benzoxaborole", "OB1OCc2ccccc21", "Suzuki coupling", 1, false},
		{"a lactone", "O=C1CCCO1", "aminolysis of an ester", 0, false},
		{"an alcohol", "OC1CCCC1", "esterification", 1, true},
		{"an amino alcohol", "NCCO", "esterification", 1, false},
		{"an amino alcohol as an amine", "NCCO", "amide coupling", 1, true},
		{"a carboxamide is no ketone", "NC(=O)c1ccsc1N", "Friedlander quinoline synthesis", 1, false},
	}
	for _, test := range tests {
		places, err := set.Places(test.block)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(places, func(p reaction.Place) bool { return p.Name == test.reaction && p.Position == test.position })
		if got != test.want {
			t.Errorf("%s, %s, as reactant %d of %s: %v, want %v", test.name, test.block, test.position+1, test.reaction, got, test.want)
		}
	}
}

func TestIndexCounts(t *testing.T) {
	set := builtIn(t)
	var list []reaction.Block
	for _, smiles := range []string{"OC(C)=O", "CC(=O)O", "nonsense", "NC", "CCC", strings.Repeat("C", 41) + "N"} {
		list = append(list, reaction.Block{SMILES: smiles})
	}
	done := 0
	blocks, err := set.Index(t.Context(), list, nil, func(n int) { done = n })
	if err != nil {
		t.Fatal(err)
	}
	if blocks.Len() != 6 || blocks.Used != 2 || blocks.Bad != 2 || !strings.Contains(blocks.WhyBad, "nonsense") || done != 6 {
		t.Errorf("%d blocks, %d used, %d bad (%s), progress %d; want 6, 2, 2 (nonsense), 6", blocks.Len(), blocks.Used, blocks.Bad, blocks.WhyBad, done)
	}
	if b, ok := blocks.Find("CC(=O)O"); !ok || b.SMILES != "CC(=O)O" {
		t.Errorf("found %v, %v", b, ok)
	}
	if blocks.Repeated != 1 || blocks.Different != 3 {
		t.Errorf("%d blocks, %d of them repeated, want 3 and 1", blocks.Different, blocks.Repeated)
	}
	offers := []reaction.Block{
		{SMILES: "OC(C)=O", Name: "no price", Price: math.NaN()}, {SMILES: "CC(=O)O", Name: "dear", Price: 9},
		{SMILES: "CC(O)=O", Name: "cheap", Price: 2}, {SMILES: "CC(=O)O", Name: "as cheap", Price: 2}, {SMILES: "NC", Name: "amine", Price: 1},
	}
	if blocks, err = set.Index(t.Context(), offers, nil, nil); err != nil {
		t.Fatal(err)
	}
	if b, _ := blocks.Find("CC(=O)O"); b.Name != "cheap" || b.Price != 2 || blocks.Repeated != 3 || blocks.Used != 2 {
		t.Errorf("%v counts, of %d repeated and %d used; want the first of the cheapest, 3 and 2", b, blocks.Repeated, blocks.Used)
	}
	for _, smiles := range []string{"CCC", "CC(=O)OC(C)=O"} {
		if _, err := set.Index(t.Context(), []reaction.Block{{SMILES: smiles}}, nil, nil); !errors.Is(err, reaction.ErrUnused) {
			t.Errorf("%s: error %v, want ErrUnused", smiles, err)
		}
	}
	if _, err := set.Index(t.Context(), []reaction.Block{{SMILES: "C1"}}, nil, nil); err == nil || errors.Is(err, reaction.ErrUnused) {
		t.Errorf("error %v, want one that says that there is no molecule", err)
	}
}

func TestSetErrors(t *testing.T) {
	needRDKit(t)
	if _, err := reaction.NewSet(nil); err == nil {
		t.Error("no error for no reaction")
	}
	one, err := reaction.New("a; b: c", "[C:1]=[O:2]>>[C:1][O:2]")
	if err != nil || one.Name != "a b c" {
		t.Fatalf("%v, %v, want it to be called a b c", one, err)
	}
	reduce, err := reaction.New("my_step", "[C:1]=[O:2]>>[C:1][O:2]")
	if err != nil {
		t.Fatal(err)
	}
	set, err := reaction.NewSet([]*reaction.Reaction{reduce})
	if err != nil {
		t.Fatal(err)
	}
	made, err := reduce.Run(&reaction.Route{Product: "CC(C)=O"})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := set.Route(made.String()); err != nil || again.String() != made.String() {
		t.Errorf("%s is read back as %v, %v", made, again, err)
	}
	if _, err := reaction.NewSet([]*reaction.Reaction{one, one}); err == nil {
		t.Error("no error for two reactions of one name")
	}
	for _, smarts := range []string{"C(=O)O.N>>C(=O)N", "[C:1](=O)O.N>>CN", "C>>C"} {
		if _, err := reaction.New("", smarts); err == nil || !strings.Contains(err.Error(), "no atom of a reactant") {
			t.Errorf("%s: error %v, want one that asks for numbers of atoms", smarts, err)
		}
	}
	if _, err := reaction.New("", "[C:1].[C:2].[C:3].[C:4]>>[C:1][C:2][C:3][C:4]"); err == nil {
		t.Error("no error for four reactants")
	}
}

// A step after which nothing of a block is left is none, unless a protecting group or boron leaves.
func TestNoBlockIsWasted(t *testing.T) {
	set := builtIn(t)
	for _, text := range []string{
		"OCc1ccccc1 O=C(O)c1ccccc1 OCC1CC1 >esterification >reduction_of_an_ester",
		"OCc1ccccc1 O=C(O)c1ccccc1 OCc1ccncc1 >esterification >reduction_of_an_ester",
		"OCc1cccc(-c2ccncc2)c1 O=C(O)c1cccc(Br)c1 OCC1CC1 >esterification OB(O)c1ccncc1 >Suzuki_coupling >reduction_of_an_ester",
		"OCc1ccccc1 BrCC1CC1 O=C(O)c1ccccc1 >alkylation_of_an_acid >reduction_of_an_ester",
	} {
		if r, err := set.Route(text); !errors.Is(err, reaction.ErrNoProduct) || !strings.Contains(err.Error(), "is left") {
			t.Errorf("%s: %v, %v, want it refused, as nothing of a block is left", text, r, err)
		}
	}
	for _, text := range []string{
		"NCC(=O)N1CCOCC1 O=C(Cl)OCc1ccccc1 NCC(=O)O >carbamate_from_a_chloroformate C1COCCN1 >amide_coupling >Cbz_deprotection",
		"OCCC1CCNCC1 COC(=O)CC1CCN(C(=O)OC(C)(C)C)CC1 >reduction_of_an_ester >Boc_deprotection",
		"OCc1cccc(-c2ccncc2)c1 COC(=O)c1cccc(Br)c1 OB(O)c1ccncc1 >Suzuki_coupling >reduction_of_an_ester",
	} {
		if _, err := set.Route(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A block that is used twice is bought once.
func TestPriceOfRepeatedBlock(t *testing.T) {
	set := builtIn(t)
	blocks, err := set.Index(t.Context(), []reaction.Block{{SMILES: "NCc1ccc(C(=O)O)cc1", Price: 7}, {SMILES: "OC(=O)c1ccccc1", Price: 5}, {SMILES: "NCCNC(=O)OC(C)(C)C", Price: 4}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	const text = "O=C(NCCNC(=O)c1ccccc1)c1ccccc1 O=C(O)c1ccccc1 O=C(O)c1ccccc1 CC(C)(C)OC(=O)NCCN >amide_coupling >Boc_deprotection >amide_coupling"
	r, err := set.Route(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, price := blocks.Describe(r); price != 9 {
		t.Errorf("price %g, want 9", price)
	}
	if got := blocks.Cheapest(r).String(); got != text {
		t.Errorf("cheapest is %s", got)
	}
}

// A route is shown in as few steps as its blocks allow.
func TestShortest(t *testing.T) {
	set := builtIn(t)
	for _, test := range []struct {
		text string
		want int // steps
	}{
		{"c1ccc(Cn2cc(C3CC3)nn2)cc1 BrCc1ccccc1 >azide_from_a_halide C#CC1CC1 >click_triazole_synthesis", 1},
		{"O=C(CCc1cn(Cc2ccccc2)nn1)N1CCOCC1 BrCc1ccccc1 >azide_from_a_halide C#CCCC(=O)O C1COCCN1 >amide_coupling >click_triazole_synthesis", 2},
		{"CC(=O)Nc1cccc(-c2ccncc2)c1 CC(=O)O Nc1cccc(Br)c1 >amide_coupling OB(O)c1ccncc1 >Suzuki_coupling", 2},
		{"CC(=O)NCC1CC1 CC(=O)O NCC1CC1 >amide_coupling", 1},
	} {
		r, err := set.Route(test.text)
		if err != nil {
			t.Fatal(err)
		}
		short := set.Shortest(r)
		if short.Product != r.Product || short.Steps() != test.want {
			t.Errorf("%s: %d steps, %s, want %d", test.text, short.Steps(), short, test.want)
		}
		if again, err := set.Route(short.String()); err != nil || again.String() != short.String() {
			t.Errorf("%s: cannot be carried out again: %v", short, err)
		}
	}
}

// Of the routes to a product that share a reactant, that in fewer steps is taken, and then that of cheaper blocks.
func TestCheapest(t *testing.T) {
	set := builtIn(t)
	list := []reaction.Block{
		{SMILES: "Brc1cccc(Cl)c1", Price: 54}, {SMILES: "O=C(O)c1cccc(Cl)c1", Price: 5}, {SMILES: "NCc1ccc(Cl)cc1", Price: 54}, {SMILES: "O=C(Cl)c1cccc(Cl)c1", Price: 30},
		{SMILES: "N#Cc1ccc(Cl)cc1", Price: 1}, {SMILES: "C1COCCN1", Price: math.NaN()},
	}
	blocks, err := set.Index(t.Context(), list, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ text, want string }{
		{"O=C(NCc1ccc(Cl)cc1)c1cccc(Cl)c1 Brc1cccc(Cl)c1 NCc1ccc(Cl)cc1 >aminocarbonylation", "O=C(NCc1ccc(Cl)cc1)c1cccc(Cl)c1 O=C(O)c1cccc(Cl)c1 NCc1ccc(Cl)cc1 >amide_coupling"},
		{"O=C(c1cccc(Cl)c1)N1CCOCC1 O=C(O)c1cccc(Cl)c1 C1COCCN1 >amide_coupling", "O=C(c1cccc(Cl)c1)N1CCOCC1 O=C(O)c1cccc(Cl)c1 C1COCCN1 >amide_coupling"},
		{"O=C(NCc1ccc(Cl)cc1)c1cccc(Cl)c1 O=C(Cl)c1cccc(Cl)c1 N#Cc1ccc(Cl)cc1 >reduction_of_a_nitrile >acylation_with_an_acyl_chloride", "O=C(NCc1ccc(Cl)cc1)c1cccc(Cl)c1 O=C(O)c1cccc(Cl)c1 NCc1ccc(Cl)cc1 >amide_coupling"},
	} {
		r, err := set.Route(test.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := blocks.Cheapest(r).String(); got != test.want {
			t.Errorf("%s: %s, want %s", test.text, got, test.want)
		}
	}
}
