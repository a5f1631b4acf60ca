//go:build !(amd64 || arm64) || purego

package simd

import "os"

const isa = portable

var _, isaError = choose(os.Getenv("INVBO_SIMD"), []set{portable})
