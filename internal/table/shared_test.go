package table_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
)

// Files may be joined by the one column whose cells they share.
func TestShared(t *testing.T) {
	for _, test := range []struct {
		name  string
		files []string
		want  []string // nil: none, or not only one
	}{
		{"wells", []string{"well,value\nA1,2\nA2,3\n", "well,sequence\nA2,MKT\nA1,MKV\nA3,MKA\n"}, []string{"well", "well"}},
		{"another heading", []string{">V1\nMKT\n>V2\nMKV\n", "clone,score\nV1,2\nV2,3\n"}, []string{"id", "clone"}},
		{"three files", []string{"well,value\nA1,2\nA2,3\n", "pos,sequence\nA2,MKT\nA1,MKV\n", "w,yield\nA1,2\nA2,2\n"}, []string{"well", "pos", "w"}},
		{"numbers", []string{"no,value\n1,2\n2,3\n", "x,sequence\n1,MKT\n2,MKV\n"}, nil},
		{"few in common", []string{"well,value\nA1,2\nA2,3\nA3,3\n", "well,sequence\nA3,MKT\nB1,MKV\nB2,MKA\n"}, nil},
		{"two columns in common", []string{"well,name,value\nA1,V1,2\nA2,V2,3\n", "well,name,sequence\nA1,V1,MKT\nA2,V2,MKV\n"}, nil},
	} {
		var files []*table.Rows
		for _, content := range test.files {
			rows, err := table.Open(strings.NewReader(content), table.Options{})
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, rows)
		}
		if got, ok := table.Shared(files...); !slices.Equal(got, test.want) || ok != (test.want != nil) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
