package table_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/table/rawfile"
	"github.com/invbo/invbo/internal/usage"
)

// Text is read in the encoding that an option gives; a user can fix that it is not known.
func TestEncodings(t *testing.T) {
	const content = "id,SMILES,\xbb\xee\xd0\xd4\n\xbb\xaf\xba\xcf\xce\xef,CCO,1\n" // of GBK
	if _, err := table.Read(t.Context(), strings.NewReader(content), table.Options{}); !errors.Is(err, rawfile.ErrEncoding) || !usage.Is(err) {
		t.Errorf("%v, want ErrEncoding", err)
	}
	if _, err := table.Read(t.Context(), strings.NewReader(content), table.Options{Encoding: "gkb"}); err == nil || !usage.Is(err) {
		t.Errorf("an unknown encoding: %v", err)
	}
	tab := read(t, content, table.Options{Score: []string{"活性"}, Encoding: "gbk"})
	if tab.Columns.Score != "活性" || tab.Records[0].ID != "化合物" || tab.Format.Encoding != "gbk" {
		t.Errorf("score %q of %q in %s, want 活性 of 化合物 in gbk", tab.Columns.Score, tab.Records[0].ID, tab.Format.Encoding)
	}
}
