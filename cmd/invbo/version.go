package main

import (
	"cmp"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/molecule"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print version, Go, platform, RDKit and the CPU instructions in use",
		Long: `version prints what is running, for bug reports: the version, the Go compiler,
the platform, RDKit's version, and the CPU instructions that the numeric kernels
use. The environment variable INVBO_SIMD (avx512, avx2, neon or go) selects others.`,
		Example: `  invbo version
  INVBO_SIMD=avx2 invbo version`,
		Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			w := c.OutOrStdout()
			fmt.Fprintf(w, "invbo      %s\n", experiment.Version())
			fmt.Fprintf(w, "go         %s\n", runtime.Version())
			fmt.Fprintf(w, "platform   %s/%s, %d processors\n", runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0))
			fmt.Fprintf(w, "kernels    %s\n", simd.ISA())
			fmt.Fprintf(w, "rdkit      %s\n", cmp.Or(molecule.Version(), "none"))
			return nil
		},
	}
}
