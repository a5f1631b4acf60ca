package task

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/study"
)

// A portfolio has the best molecule of each scaffold, and says how far it is from where the search began.
func TestPortfolio(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	trial := func(id int, kind study.Kind, smiles string, score float64) study.Trial {
		return study.Trial{Proposal: study.Proposal{ID: id, Kind: kind, Input: smiles}, Score: score}
	}
	p, err := drawMolecules(Options{}, []study.Trial{
		trial(4, study.Acquired, "Cc1ccccc1", 0.9),
		trial(1, study.Initial, "CCc1ccccc1", 0.8), // the scaffold of the first
		trial(2, study.Initial, "CCO", 0.7),
		trial(5, study.Acquired, "CCN", 0.6), // another molecule without rings
		trial(6, study.Acquired, "C1CCCCC1", 0.5),
		trial(7, study.Acquired, "O=S(=O)(c1ccc2c(c1)OCO2)N1CCN(CCCc2ccccc2)CC1", 0.4),
		trial(8, study.Acquired, "O=S(=O)(c1ccc2c(c1)OCO2)N1CCN(CCCCc2ccccc2)CC1", 0.3), // another scaffold by its linker only
	})
	if err != nil {
		t.Fatal(err)
	}
	var csv, svg strings.Builder
	if err := p.WriteCSV(&csv); err != nil {
		t.Fatal(err)
	}
	// Similarities are those of RDKit: AllChem.GetMorganFingerprint of radius 2, DataStructs.TanimotoSimilarity.
	const want = "smiles,score,trial,kind,scaffold,initial_similarity\n" +
		"Cc1ccccc1,0.9,4,acquired,c1ccccc1,0.536\n" +
		"CCO,0.7,2,initial,,1.000\n" +
		"CCN,0.6,5,acquired,,0.333\n" +
		"C1CCCCC1,0.5,6,acquired,C1CCCCC1,0.000\n" +
		"O=S(=O)(c1ccc2c(c1)OCO2)N1CCN(CCCc2ccccc2)CC1,0.4,7,acquired,O=S(=O)(c1ccc2c(c1)OCO2)N1CCN(CCCc2ccccc2)CC1,0.214\n"
	if csv.String() != want {
		t.Errorf("portfolio\n%swant\n%s", csv.String(), want)
	}
	if err := p.WriteSVG(&svg); err != nil || !strings.Contains(svg.String(), "</svg>") {
		t.Errorf("%v; %q is no picture", err, svg.String())
	}
}

// With several objectives it has molecules of the front alone, and their values.
func TestPortfolioOfFront(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	trial := func(id int, smiles string, a, b float64) study.Trial {
		return study.Trial{Proposal: study.Proposal{ID: id, Kind: study.Acquired, Input: smiles}, State: study.Scored, Score: a, Value: a,
			Measurements: []study.Measurement{{ID: id, Score: a, Others: map[string]float64{"a": a, "b": b}}}}
	}
	o := Options{Objectives: []study.Objective{{Name: "a"}, {Name: "b", Minimize: true}}}
	p, err := drawMolecules(o, []study.Trial{trial(1, "Cc1ccccc1", 0.9, 5), trial(2, "CCO", 0.8, 6), trial(3, "C1CCCCC1", 0.1, 1)})
	if err != nil {
		t.Fatal(err)
	}
	var csv strings.Builder
	if err := p.WriteCSV(&csv); err != nil {
		t.Fatal(err)
	}
	const want = "smiles,score,trial,kind,scaffold,initial_similarity,a,b\nCc1ccccc1,0.9,1,acquired,c1ccccc1,0.000,0.9,5\nC1CCCCC1,0.1,3,acquired,C1CCCCC1,0.000,0.1,1\n"
	if csv.String() != want {
		t.Errorf("portfolio\n%swant\n%s", csv.String(), want)
	}
}
