// Command weights trains the expression model that package grammar embeds, and writes it to
// weights/expression.safetensors: go generate ./vae/grammar
//
// The file is a function of this program and, in the last bits, of the instruction set (INVBO_SIMD).
package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/signal"

	"github.com/invbo/invbo/vae/grammar"
	"github.com/invbo/invbo/vae/grammar/cfg"
)

const (
	path    = "weights/expression.safetensors"
	strings = 40_000
	seed    = 1
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "weights:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	x, err := cfg.RandomExpressions(rand.New(rand.NewPCG(seed, seed)), strings)
	if err != nil {
		return err
	}
	m, err := grammar.Train(ctx, cfg.Expression(), grammar.Config{
		Filters: [3]int{32, 64, 64}, // wider than published, see README.md
	}, x, grammar.TrainOptions{
		Training: grammar.Training{Epochs: 20, Beta: 0.02, Seed: seed, Source: fmt.Sprintf("cfg.RandomExpressions(PCG(%d, %d), %d)", seed, seed, strings)},
		Checkpoint: func(c *grammar.Checkpoint) error {
			slog.Info("epoch", "epoch", c.Epoch(), "held_out", c.Model.Training().HeldOut)
			return nil
		},
	})
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := m.Save(&file); err != nil {
		return err
	}
	return os.WriteFile(path, file.Bytes(), 0o666)
}
