package lists_test

import (
	"fmt"

	"github.com/invbo/invbo/space/lists"
)

func ExampleFormatOf() {
	f, ok := lists.FormatOf([]string{"lr=0.1,opt=adam", "lr=0.1,opt=sgd", "lr=0.3,opt=adam"}, nil, "")
	fmt.Printf("%t %q %q\n", ok, f.Separator, f.Split("lr=0.3,opt=sgd"))
	fmt.Println(f.Settings[0].Has("lr=1"), f.Settings[1].Has("lr=1"))
	// Output:
	// true "," ["lr=0.3" "opt=sgd"]
	// true false
}
