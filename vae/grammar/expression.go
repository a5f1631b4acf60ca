package grammar

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
)

//go:generate go run ./weights

//go:embed weights/expression.safetensors
var expression []byte

// ExpressionFile returns the file that Expression reads.
func ExpressionFile() io.Reader { return bytes.NewReader(expression) }

// Expression returns the built-in model of arithmetic expressions over x, 1, 2 and 3 (cfg.Expression). Training
// describes its training, weights/README.md its quality.
func Expression() (*Model, error) {
	m, err := Load(ExpressionFile())
	if err != nil {
		return nil, fmt.Errorf("grammar: weights of the expression model: %w", err)
	}
	return m, nil
}
