package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/serve"
	"github.com/invbo/invbo/internal/table"
)

// A client in Go: it asks for a string, measures it, and tells the score.
func Example() {
	base, stop := start() // otherwise: invbo serve lab.db
	defer stop()

	var asked struct {
		Proposals []struct {
			Trial int
			Input string
		}
	}
	call(base+"/studies/lab/ask", map[string]any{"n": 1, "lease": "8h"}, &asked)
	for _, p := range asked.Proposals {
		answer := map[string]any{"trial": p.Trial, "score": strings.Count(p.Input, "A")}
		var told struct{ Outcomes []struct{ What string } }
		call(base+"/studies/lab/tell", map[string]any{"answers": []any{answer}}, &told)
		fmt.Println("trial", p.Trial, told.Outcomes[0].What)
	}
	// Output: trial 3 measured
}

// call posts a request as JSON and reads the answer.
func call(url string, request, answer any) {
	body, err := json.Marshal(request)
	if err != nil {
		log.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+os.Getenv("INVBO_TOKEN")) // of a server that was given one
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		log.Fatal(response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		log.Fatal(err)
	}
}

// start serves a study of two strings.
func start() (base string, stop func()) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "lab.db")
	rows := []table.Record{{Input: "ACDE", State: table.Measured, Score: 1}, {Input: "AAEE", State: table.Measured, Score: 2}}
	p, err := experiment.RunSpec{Task: "strings"}.BuildMeasured(context.Background(), &table.Table{Records: rows})
	if err != nil {
		log.Fatal(err)
	}
	b, err := experiment.Create(context.Background(), experiment.Place{File: path}, p, experiment.Options{})
	if err != nil {
		log.Fatal(err)
	}
	b.Close()
	s, _, err := serve.Open(context.Background(), []string{path}, serve.Options{})
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(serve.NewAPI(s, nil, "", serve.DefaultLimits()))
	return server.URL, func() {
		server.Close()
		s.Close()
		os.RemoveAll(dir)
	}
}
