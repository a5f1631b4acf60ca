//go:build rdkit && cgo

package alerts_test

import (
	"fmt"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/alerts"
)

func ExampleSet() {
	set, err := alerts.Compile(alerts.Unstable())
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := molecule.Parse("CNC(C)O")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer m.Close()
	for _, r := range set.In(m) {
		fmt.Println(r.Name, r.Reason)
	}
	// Output:
	// hemiaminal loses an amine or water to give a carbonyl
	// n_o_acetal hydrolyses to an aldehyde, an amine and an alcohol
}
