// Command peptides searches for amphipathic peptides in the latent space of a model of them: the example of
// docs/own-problem.md. It reads variants.txt and peptides.safetensors, and runs score.py, in the current folder.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/oracle/command"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/vae/sequence"
)

// ungapped returns the peptide of a row of the alignment.
func ungapped(row string) (string, error) {
	peptide := strings.ReplaceAll(row, "-", "")
	if len(peptide) < 11 {
		return "", errors.New("shorter than three turns of a helix")
	}
	return peptide, nil
}

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	weights, err := os.Open("peptides.safetensors")
	if err != nil {
		return err
	}
	model, err := sequence.Load(weights)
	if err != nil {
		return err
	}
	rows, err := os.ReadFile("variants.txt")
	if err != nil {
		return err
	}
	problem := study.Problem{Oracle: command.Oracle{Command: "python3 score.py"}, Translate: ungapped}
	for _, x := range strings.Fields(string(rows))[:50] {
		problem.Init = append(problem.Init, study.Observation{X: x})
	}
	searcher, err := invbo.New(model, invbo.Options{})
	if err != nil {
		return err
	}
	s, err := study.New(ctx, problem, searcher, study.Options{Budget: 100, PerCall: 50}) // strings in one run of the command
	if err != nil {
		return err
	}
	if err := s.Run(ctx); err != nil {
		return err
	}
	best := s.Best()
	fmt.Printf("%s  %.3f\n", best.Input, best.Score)
	return nil
}
