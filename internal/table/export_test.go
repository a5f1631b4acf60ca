package table

import "slices"

// ExportHeader is the header of a table that earlier versions of invbo export write.
func ExportHeader(columns ...string) []string {
	return slices.Concat([]string{exportBegins}, columns, oldEnds)
}
