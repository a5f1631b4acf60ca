package docking_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/invbo/invbo/oracle/docking"
)

func TestReadBox(t *testing.T) {
	const rest = "\ncenter_y = 21.132\ncenter_z = 24.193\n\nsize_x = 30.000\nsize_y = 20\nsize_z = 1e1\n"
	drd3 := map[string]float64{"center_x": 8.97, "center_y": 21.132, "center_z": 24.193, "size_x": 30, "size_y": 20, "size_z": 10}
	tests := []struct {
		name, text string
		want       map[string]float64
		wantErr    string
	}{
		{name: "as dockstring writes it", text: "center_x = 8.970" + rest, want: drd3},
		{name: "without blanks, with comments, CRLF", text: "# DRD3\r\ncenter_x=8.97 # Å\r" + rest, want: drd3},
		{name: "another setting of Vina", text: "seed = 1\ncenter_x = 8.97" + rest, wantErr: `line 1: "seed"`},
		{name: "twice", text: "center_x = 8.97\ncenter_x = 9" + rest, wantErr: `line 2: "center_x"`},
		{name: "missing", text: rest, wantErr: "center_x is missing"},
		{name: "no number", text: "center_x = left" + rest, wantErr: `line 1: center_x is "left"`},
		{name: "no value", text: "center_x" + rest, wantErr: `line 1: center_x is ""`},
		{name: "not finite", text: "center_x = nan" + rest, wantErr: `"nan"`},
		{name: "flat", text: strings.Replace("center_x = 8.97"+rest, "1e1", "0", 1), wantErr: "not positive"},
		{name: "a line without end", text: strings.Repeat("x", 1<<20), wantErr: "is repeated, or not one of"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := docking.ReadBox(test.text)
			switch {
			case test.wantErr == "" && err != nil:
				t.Fatal(err)
			case test.wantErr != "" && (err == nil || !strings.Contains(err.Error(), test.wantErr)):
				t.Fatalf("error %v, want %q", err, test.wantErr)
			case !maps.Equal(got, test.want):
				t.Errorf("box %v, want %v", got, test.want)
			}
		})
	}
}
