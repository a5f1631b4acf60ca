//go:build rdkit && cgo

package docking_test

import (
	"context"
	"fmt"
	"log"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/docking"
)

// There is no output to compare with: the example needs the files of dockstring and takes minutes.
func ExampleNew() {
	ctx := context.Background()
	o, err := docking.New(ctx, docking.Options{Receptor: "DRD3_target.pdbqt", Box: "DRD3_conf.txt"})
	if err != nil {
		log.Fatal(err) // what is missing, and how to install it
	}
	r, err := oracle.One(ctx, o, "CC1=C(C(=O)N2CCCCC2=N1)CCN3CCC(CC3)C4=NOC5=C4C=CC(=C5)F") // risperidone
	if err != nil {
		log.Fatal(err)
	}
	if r.Reason != "" {
		fmt.Println("not docked:", r.Reason)
		return
	}
	fmt.Printf("%.1f kcal/mol\n", r.Score)
}
