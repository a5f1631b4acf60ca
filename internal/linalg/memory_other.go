//go:build !linux

package linalg

func advise([]float64) {}
