package docking_test

import (
	"fmt"

	"github.com/invbo/invbo/oracle/docking"
)

// A search space of 15 Å in each direction.
func ExampleReadBox() {
	box, err := docking.ReadBox(`
center_x = 9
center_y = 22.5
center_z = 26
size_x = 15
size_y = 15
size_z = 15
`)
	fmt.Println(box["center_y"], box["size_y"], err)
	// Output: 22.5 15 <nil>
}
