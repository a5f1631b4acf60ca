//go:build !rdkit || !cgo

package docking

import (
	"context"

	"github.com/invbo/invbo/molecule"
)

// Without RDKit, New returns molecule.ErrNoRDKit, and these functions are never called.

func uncharge(string) (string, error)                    { return "", molecule.ErrNoRDKit }
func embed(context.Context, string, int) (string, error) { return "", molecule.ErrNoRDKit }
