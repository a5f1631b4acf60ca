package table_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/molecule"
)

// A racemate that is drawn as one of its enantiomers is another compound than that, if a column says so.
func TestStereoColumn(t *testing.T) {
	if molecule.Available() != nil {
		t.Skip("needs RDKit")
	}
	normalize, err := table.Molecules(table.Strip{})
	if err != nil {
		t.Fatal(err)
	}
	tab := read(t, "Name,SMILES,Stereochemistry,pIC50\na,C[C@H](N)c1ccccc1,racemic,5\nb,C[C@H](N)c1ccccc1,single enantiomer,7\n"+
		"f,C[C@H](N)c1cccnc1,rac-(R),5\ng,C[C@H](N)c1cccnc1,separated from racemate,6\nh,C[C@H](N)c1cccnc1,\"R,S\",6\ni,C[C@H]1CC[C@H](N)CC1,\"racemic, trans\",6\n"+
		"c,C[C@H](N)c1ccncc1,(±),5\nd,C[C@H](N)c1ccncc1,non-racemic,6\ne,CC[C@@H](C)N,1:1 mixture of enantiomers,6\n", table.Options{Normalize: normalize, Molecules: true})
	for i, configured := range []bool{false, true, false, true, false, true, false, true, false} {
		if r := tab.Records[i]; strings.Contains(r.Input, "@") != configured || r.State != table.Measured {
			t.Errorf("%s is read as %s; with a configuration: %t", r.ID, r.Input, configured)
		}
	}
}
