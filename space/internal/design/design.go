// Package design selects initial designs.
package design

import (
	"context"
	"iter"

	"github.com/invbo/invbo/internal/parallel"
)

// Round makes N strings at random, each with what tells it from others and is good or not, such as the product of a
// route. Make is called from several goroutines; "" is no string.
type Round struct {
	N    int
	Make func(i int) (x, input string)
}

// Select returns n strings with different inputs, or all if the rounds make fewer. A round is begun as long as there
// are fewer good ones than n, which come first; an input for which good returns an error is not. good is called from
// several goroutines. The error is ctx's cause.
func Select(ctx context.Context, n int, rounds iter.Seq[Round], good func(input string) (bool, error)) ([]string, error) {
	var found, others []string
	seen := map[string]bool{}
	for r := range rounds {
		xs, inputs, ok := make([]string, r.N), make([]string, r.N), make([]bool, r.N)
		err := parallel.ForContext(ctx, r.N, 1, func(i, _ int) {
			if xs[i], inputs[i] = r.Make(i); xs[i] != "" {
				is, err := good(inputs[i])
				ok[i] = is && err == nil
			}
		})
		if err != nil {
			return nil, err
		}
		for i, x := range xs {
			switch {
			case x == "" || seen[inputs[i]]:
			case ok[i]:
				found = append(found, x)
			default:
				others = append(others, x)
			}
			seen[inputs[i]] = true
		}
		if len(found) >= n {
			return found[:n], nil
		}
	}
	all := append(found, others...)
	return all[:min(n, len(all))], nil
}
