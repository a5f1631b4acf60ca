package report_test

import (
	"fmt"
	"io"
	"os"

	"github.com/invbo/invbo/report"
)

// The best score after each call of two runs of one method, and of one run of another. The numbers are means over the runs.
func ExampleCurves() {
	c := report.Curves{
		Title: "med2", X: report.Axis{Label: "oracle calls", Column: "call"}, Y: report.Axis{Label: "best score", Column: "best"},
		Methods: []report.Method{{Name: "evolve", Runs: [][]float64{{1, 3, 4}, {1, 1, 4}}}, {Name: "random", Runs: [][]float64{{1, 1, 2}}}},
	}
	if err := c.WriteSVG(io.Discard); err != nil { // the drawing
		fmt.Println(err)
		return
	}
	if err := c.WriteCSV(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// method,call,best,standard_error,runs
	// evolve,0,1,0,2
	// evolve,1,2,1,2
	// evolve,2,4,0,2
	// random,0,1,0,1
	// random,1,1,0,1
	// random,2,2,0,1
}
