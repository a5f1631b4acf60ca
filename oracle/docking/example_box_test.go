package docking_test

import (
	"fmt"
	"strings"

	"github.com/invbo/invbo/oracle/docking"
)

// A search space of 15 Å in each direction.
func ExampleReadBox() {
	box, err := docking.ReadBox(strings.NewReader(`
center_x = 9
center_y = 22.5
center_z = 26
size_x = 15
size_y = 15
size_z = 15
`))
	fmt.Println(box.Center, box.Size, err)
	// Output: [9 22.5 26] [15 15 15] <nil>
}
