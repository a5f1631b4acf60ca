//go:build rdkit && cgo

package guacamol_test

import (
	"context"
	"fmt"
	"log"

	"github.com/invbo/invbo/oracle/guacamol"
)

func Example() {
	o, err := guacamol.New("med2")
	if err != nil {
		log.Fatal(err) // without RDKit
	}
	fmt.Println(o.Task.About)
	results, err := o.Score(context.Background(), []string{
		"CCCC1=NN(C2=C1N=C(NC2=O)C3=C(C=CC(=C3)S(=O)(=O)N4CCN(CC4)C)OCC)C", // sildenafil
		"CN(C)(C)(C)C",
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range results {
		if r.Reason != "" {
			fmt.Println("no score:", r.Reason)
			continue
		}
		fmt.Printf("%.4f\n", r.Score)
	}
	// Output:
	// like tadalafil and sildenafil at once
	// 0.3624
	// no score: Explicit valence for atom # 1 N, 5, is greater than permitted
}
