package molecule_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"testing"

	"github.com/invbo/invbo/molecule"
)

func TestDraw(t *testing.T) {
	needRDKit(t)
	aspirin := parse(t, "CC(=O)Oc1ccccc1C(=O)O")
	drawings := []molecule.Drawing{{aspirin, "aspirin <0.5> & more"}, {parse(t, "C[C@H](N)C(=O)O"), "legend"}, {aspirin, "again"}}
	svg, err := molecule.Draw(drawings, 2, 200)
	if err != nil {
		t.Fatal(err)
	}
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // RDKit declares ISO 8859-1, and writes ASCII
	classes := map[string]int{}
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
		}
	}
	equal(t, "svg", "width", root["width"], "400px")
	equal(t, "svg", "height", root["height"], "400px") // two rows
	equal(t, "svg", "first bonds of aspirin", classes["bond-0 atom-0 atom-1"], 2)
	equal(t, "svg", "first bonds of alanine", min(1, classes["bond-0 atom-1 atom-0"]), 1) // the lines of a wedge
	equal(t, "svg", "letters of legends", classes["legend"], len("aspirin <0.5> & more")+len("legend")+len("again"))
	if aspirin.SMILES() != "CC(=O)Oc1ccccc1C(=O)O" {
		t.Errorf("SMILES = %s after Draw, which must not change the molecule", aspirin.SMILES())
	}
	again, err := molecule.Draw(drawings, 2, 200)
	if err != nil || !bytes.Equal(svg, again) {
		t.Errorf("drawn again, the picture differs, error %v", err)
	}
}
