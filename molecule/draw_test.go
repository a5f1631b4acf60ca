package molecule_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/invbo/invbo/molecule"
)

func TestDraw(t *testing.T) {
	needRDKit(t)
	aspirin := parse(t, "CC(=O)Oc1ccccc1C(=O)O")
	long := strings.Repeat("long ", 20)
	drawings := []molecule.Drawing{{aspirin, "aspirin <0.5> & more\n9.6 ± 1.1"}, {parse(t, "C[C@H](N)C(=O)O"), long}, {aspirin, ""}}
	svg, err := molecule.Draw(drawings, 2, 200)
	if err != nil {
		t.Fatal(err)
	}
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	classes := map[string]int{}
	var texts []string
	letters := map[string]float64{} // heights
	var root map[string]string
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		if start, ok := token.(xml.StartElement); ok {
			attributes := map[string]string{}
			for _, a := range start.Attr {
				attributes[a.Name.Local] = a.Value
			}
			if root == nil {
				root = attributes
				equal(t, "svg", "root", start.Name.Space+" "+start.Name.Local, "http://www.w3.org/2000/svg svg")
			}
			classes[attributes["class"]]++
			if start.Name.Local == "text" {
				var text string
				if err := decoder.DecodeElement(&text, &start); err != nil {
					t.Fatal(err)
				}
				texts = append(texts, text)
				letters[text], _ = strconv.ParseFloat(attributes["font-size"], 64)
			}
		}
	}
	equal(t, "svg", "width", root["width"], "400")
	equal(t, "svg", "height", root["height"], "490") // two rows with two lines each
	equal(t, "svg", "first bonds of aspirin", classes["bond-0 atom-0 atom-1"], 2)
	equal(t, "svg", "first bonds of alanine", min(1, classes["bond-0 atom-1 atom-0"]), 1) // the lines of a wedge
	equal(t, "svg", "lines of legends", strings.Join(texts, "|"), "aspirin <0.5> & more|9.6 ± 1.1|"+long)
	if width := letters[long] * 0.5 * float64(len(long)); !(width > 100 && width < 200) {
		t.Errorf("a legend of %d letters is about %.0f pixels wide, below a molecule of 200", len(long), width)
	}
	if aspirin.SMILES() != "CC(=O)Oc1ccccc1C(=O)O" {
		t.Errorf("SMILES = %s after Draw, which must not change the molecule", aspirin.SMILES())
	}
	again, err := molecule.Draw(drawings, 2, 200)
	if err != nil || !bytes.Equal(svg, again) {
		t.Errorf("drawn again, the picture differs, error %v", err)
	}
}

// Branches of crowded molecules are not drawn on each other, which RDKit marks.
func TestDrawCrowded(t *testing.T) {
	needRDKit(t)
	m := parse(t, "CCCn1c(=O)c(=O)[nH]c2ccc(OCC)c(N3CCN(C)CC3c3ccc4c(c3)OCO4)c21")
	svg, err := molecule.Draw([]molecule.Drawing{{Molecule: m}}, 1, 250)
	if err != nil {
		t.Fatal(err)
	}
	if marks := regexp.MustCompile(`class='atom-\d+'[^>]*fill:none`).FindAll(svg, -1); len(marks) > 0 {
		t.Errorf("atoms too close to others: %d", len(marks))
	}
}
