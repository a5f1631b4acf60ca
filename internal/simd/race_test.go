//go:build race

package simd

// raceDetector is true if the race detector, which makes pools drop items at random, is on.
const raceDetector = true
