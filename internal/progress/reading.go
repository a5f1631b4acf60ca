package progress

import (
	"io"
	"os"

	"github.com/vbauerster/mpb/v8/cwriter"
)

// Reading returns a function that shows on a terminal how many rows of a large table were read, and one that ends the display.
func Reading() (show func(done, total int), stop func()) { return Rows("read ", nil) }

// Rows is Reading for rows that are written to out, which is no terminal: there the display would be among them.
func Rows(label string, out io.Writer) (show func(done, total int), stop func()) {
	const large = 5_000 // rows; fewer take no time
	var d *Display
	hidden := !IsTerminal(os.Stderr) || IsTerminal(out)
	show = func(done, total int) {
		if hidden || total < large {
			return
		}
		if d == nil {
			d = New(label, total, false)
		}
		d.Set(done)
	}
	return show, func() {
		if d != nil {
			d.Stop()
		}
	}
}

// IsTerminal reports whether what is written there is seen on a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && cwriter.IsTerminal(int(f.Fd()))
}
