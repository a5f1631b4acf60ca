package table_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/bioseq"
)

// A table that is told may have a row for each measurement, and a column that says what was measured.
func TestKindsOfToldTables(t *testing.T) {
	wide := table.Options{Like: table.Columns{ID: "id", Score: "activity", OtherUnits: map[string]string{"Tm": "°C"}}, Others: []string{"Tm"}, Sequences: bioseq.Protein, Named: true}
	long := table.Options{Like: table.Columns{ID: "id", Score: "value", Type: "activity"}, Sequences: bioseq.Protein, Named: true}
	scale := table.Options{Like: table.Columns{ID: "id", Score: "pKi", From: []string{"Ki (nM)"}, Scale: "pKi", Unit: "nM"}, Named: true}
	fret := table.Options{Like: table.Columns{ID: "id", Score: "activity", Type: "FRET"}, Sequences: bioseq.Protein, Named: true}
	binding, assay := wide, scale
	binding.Type, assay.Type = "Binding", "assay 3"
	for _, test := range []struct {
		name, content string
		o             table.Options
		want          string // score, Tm and state of each row; or the error
	}{
		{"score and outcome", "id,readout,value\nV1,Tm,55.5\nV2,Activity,20.3\nV2,pH,7\n", wide, "NaN 55.5 missing, 20.3 0 measured, NaN 0 set aside"},
		{"units of rows", "id,assay,result,unit\nV1,Tm,300,K\nV2,activity,20.3,\n", wide, "NaN 26.85 missing, 20.3 0 measured"},
		{"a kind that is given", "id,readout,value\nV1,Tm,55.5\nV2,binding,20.3\n", binding, "NaN 55.5 missing, 20.3 0 measured"},
		{"a column of each", "id,readout,activity,Tm\nV1,first,2,50\n", wide, "2 50 measured"},
		{"another kind alone", "id,readout,value\nV1,pH,7\n", wide, "there is no such column"},
		{"a row of too many cells", "id,readout,value\nV1,Tm,55,5\n", wide, "NaN 0 invalid"},
		{"what the score is made of", "id,test,result (uM)\nV1,Ki,1\nV1,EC50,5\n", scale, "6 0 measured, NaN 0 set aside"},
		{"what it is made of by its kind", "id,test,value,unit\nV1,assay 3,1,uM\nV1,EC50,5,uM\n", assay, "6 0 measured, NaN 0 set aside"},
		{"a study of such tables", "id,readout,value\nV1,Tm,55.5\nV2,activity,20.3\n", long, "NaN 0 set aside, 20.3 0 measured"},
		{"under another heading", "id,test no.,value\nV1,Tm,55.5\nV2,activity,20.3\n", long, "NaN 0 set aside, 20.3 0 measured"},
		{"of another kind alone", "id,readout,value\nV1,Tm,55.5\n", long, "no row is of this kind"},
		{"another assay alone", "id,assay,activity\nV1,SPR,5\n", fret, "no row is of this kind"},
		{"the assay", "id,assay,activity\nV1,fret,5\nV2,SPR,6\n", fret, "5 0 measured, NaN 0 set aside"},
		{"a column of the kind", "id,activity\nV1,20.3\n", long, "20.3 0 measured"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.o.Known = &table.Known{Called: func(name string) string { return strings.Repeat("A", strings.Count("V1 V2", name)) }, Written: func(string) string { return "" }}
			got, err := table.Read(t.Context(), strings.NewReader(test.content), test.o)
			if err != nil {
				if !strings.Contains(err.Error(), test.want) {
					t.Fatalf("%v, want %q", err, test.want)
				}
				return
			}
			var rows []string
			for _, r := range got.Records {
				rows = append(rows, fmt.Sprintf("%.4g %.4g %s", r.Score, r.Others["Tm"], r.State))
			}
			if all := strings.Join(rows, ", "); all != test.want {
				t.Errorf("%s, want %s", all, test.want)
			}
		})
	}
}
