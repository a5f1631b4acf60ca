//go:build !amd64 || purego

package simd

import "os"

const isa = portable

var _, isaError = choose(os.Getenv("INVBO_SIMD"), portable)
