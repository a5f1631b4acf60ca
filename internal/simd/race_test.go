//go:build race

package simd

// raceDetector says that pools drop some of what is put into them, at random.
const raceDetector = true
