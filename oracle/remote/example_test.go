package remote_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/remote"
)

func ExampleNew() {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { // its first answer
		fmt.Fprintln(w, `{"id": 1, "scores": [0.71, null], "reasons": [null, "it does not fold"]}`)
	}))
	defer service.Close()
	o, err := remote.New(service.URL, remote.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := oracle.Score(context.Background(), o, []string{"ACDW", "MNPQ"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(results[0].Score, results[1].Reason)
	// Output: 0.71 it does not fold
}
