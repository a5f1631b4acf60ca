//go:build !purego

package simd

import "os"

var isa, isaError = choose(os.Getenv("INVBO_SIMD"), supported())

// supported returns the sets that can be used, the best one last: all processors have NEON.
func supported() []set { return []set{portable, neon} }
