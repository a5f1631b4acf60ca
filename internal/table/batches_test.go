package table_test

import (
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/table"
)

// Scores that differ far more between plates or dates than within them are noted.
func TestNoteBatches(t *testing.T) {
	const apart, alike = "ACD,24.2,1\nACD,24.4,1\nACD,29.3,2\nACD,29.2,2\nACD,19.1,3\nACE,20,1\nACF,26,2\n", "ACD,24.2,1\nACD,24.4,1\nACD,24.3,2\nACD,24.2,2\nACD,24.1,3\nACE,20,1\nACF,26,2\n"
	for _, test := range []struct {
		name, content string
		want          string // in the notes; "": none
	}{
		{"plates apart", "sequence,activity,plate\n" + apart, "column plate: means of one string differ by 5.08 between its values, and scores by 0.112 within one"},
		{"runs apart", "sequence,activity,run\n" + apart, "column run: means of one string differ by 5.08"},
		{"plates alike", "sequence,activity,plate\n" + alike, ""},
		{"no string in several", "sequence,activity,plate\nACD,24.2,1\nACD,24.4,1\nACE,29.3,2\nACE,29.2,2\nACF,3,3\n", ""},
		{"another column", "sequence,activity,well\n" + apart, ""},
	} {
		notes := strings.Join(read(t, test.content, table.Options{Sequences: table.Detect}).Notes, "\n")
		if !strings.Contains(notes, test.want) || test.want == "" && strings.Contains(notes, "differ by") {
			t.Errorf("%s: notes %q, want %q", test.name, notes, test.want)
		}
	}
}
