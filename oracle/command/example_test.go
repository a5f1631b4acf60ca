//go:build unix

package command_test

import (
	"context"
	"fmt"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/command"
)

// A program that reads strings and writes a score for each: here their length.
func ExampleOracle() {
	o := command.Oracle{Command: "awk '{ print length($0) }'"}
	results, err := oracle.Score(context.Background(), o, []string{"GATTACA", "ACGT"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(results[0].Score, results[1].Score)
	// Output: 7 4
}
