package table_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
)

// Rows of means, deviations and so on are no measurements beside those that they are of.
func TestStatisticsOfOtherRows(t *testing.T) {
	for _, test := range []struct{ name, content, want string }{
		{"replicates", "SMILES,Replicate,y\nCCO,1,4\nCCO,2,6\nCCO,Mean,5\nCCO,SD,1.4\nCCO,CV%,28\nCCO,n,2\nCCN,1,3\nCCN,Average,3\n", "4 6 - - - - 3 -"},
		{"types of rows", "SMILES,Row type,y\nCCO,single,4\nCCO,Std. Dev.,1\nCCN,single,3\nCCN,Mean (n=2),3.5\n", "4 - 3 -"},
		{"no single ones", "SMILES,Statistic,y\nCCO,Mean,4\nCCO,SD,1\nCCO,N,3\nCCN,Mean,5\nCCN,SD,2\nCCN,N,3\n", "4 - - 5 - -"},
		{"of some none", "SMILES,Replicate,y\nCCO,1,4\nCCO,2,6\nCCO,Median,5\nCCN,Mean,3\nCCN,Median,2\n", "4 6 - 3 -"},
		{"all means", "SMILES,Statistic,y\nCCO,Mean,4\nCCN,Mean,5\n", "4 5"},
		{"all geometric means", "SMILES,Type,y\nCCO,geomean,4\nCCN,GeoMean,5\n", "4 5"},
		{"names", "ID,SMILES,y\nA1,CCO,4\nA1,CCO,6\nA1 (mean),CCO,5\nA1-SD,CCO,1\nA2,CCN,3\n", "4 6 - - 3"},
		{"names alone", "ID,SMILES,y\nA1,CCO,4\nA1,CCO,6\nMean,,5\nSD,,1\nA2,CCN,3\n", "4 6 - - 3"},
		{"no statistics", "SMILES,Used,Site,y\nCCO,Y,SD,4\nCCO,N,SF,6\nCCN,Y,SD,5\n", "4 6 5"},
		{"names of compounds", "ID,SMILES,y\nMax,CCO,4\nMin,CCO,6\nA SD,CCN,5\n", "4 6 5"},
	} {
		tab := read(t, test.content, table.Options{Score: []string{"y"}, Molecules: true})
		var got []string
		for _, r := range tab.Records {
			score := fmt.Sprint(r.Score)
			if r.State == table.SetAside && r.Reason.Code == table.Statistic {
				score = "-"
			}
			got = append(got, score)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
