package observed_test

import (
	"fmt"
	"slices"

	"github.com/invbo/invbo/space/observed"
)

// A library has two residues at each of two positions; 20 variants would show more if any could stand there.
func ExampleLetters() {
	library := slices.Repeat([]string{"MVIK", "MVLK", "MAIK", "MALK"}, 5)
	fmt.Printf("%q\n", observed.Letters(library, 20, false, 3)) // of the four combinations three are known
	// Output: ["M" "AV" "IL" "K"]
}
