package simd

func adamAVX2(w, g, m, v []float32, c *adamFactors)         { panic("simd: no assembly in this build") }
func adamAVX512(w, g, m, v []float32, c *adamFactors)       { panic("simd: no assembly in this build") }
func addAVX2(dst, x, y []float32)                           { panic("simd: no assembly in this build") }
func addAVX512(dst, x, y []float32)                         { panic("simd: no assembly in this build") }
func axpyAVX2(alpha float32, x, y []float32)                { panic("simd: no assembly in this build") }
func axpyAVX512(alpha float32, x, y []float32)              { panic("simd: no assembly in this build") }
func centeredSquaresAVX2(x []float32, mean float32) float32 { panic("simd: no assembly in this build") }
func centeredSquaresAVX512(x []float32, mean float32) float32 {
	panic("simd: no assembly in this build")
}
func dotAVX2(x, y []float32) float32                   { panic("simd: no assembly in this build") }
func dotAVX512(x, y []float32) float32                 { panic("simd: no assembly in this build") }
func expAVX2(dst, x []float32)                         { panic("simd: no assembly in this build") }
func expAVX512(dst, x []float32)                       { panic("simd: no assembly in this build") }
func expSumAVX2(dst, x []float32, m float32) float32   { panic("simd: no assembly in this build") }
func expSumAVX512(dst, x []float32, m float32) float32 { panic("simd: no assembly in this build") }
func hardSigmoidAVX2(dst, x []float32)                 { panic("simd: no assembly in this build") }
func hardSigmoidAVX512(dst, x []float32)               { panic("simd: no assembly in this build") }
func hardSigmoidGradAVX2(dx, dy, y []float32)          { panic("simd: no assembly in this build") }
func hardSigmoidGradAVX512(dx, dy, y []float32)        { panic("simd: no assembly in this build") }
func layerNormGradAVX2(dx, dgamma, dbeta, dy, x, gamma []float32, mean, rstd, g, gx float32) {
	panic("simd: no assembly in this build")
}
func layerNormGradAVX512(dx, dgamma, dbeta, dy, x, gamma []float32, mean, rstd, g, gx float32) {
	panic("simd: no assembly in this build")
}
func layerNormSumsAVX2(dy, x, gamma []float32, mean, rstd float32) (g, gx float32) {
	panic("simd: no assembly in this build")
}
func layerNormSumsAVX512(dy, x, gamma []float32, mean, rstd float32) (g, gx float32) {
	panic("simd: no assembly in this build")
}
func maxAVX2(x []float32) float32      { panic("simd: no assembly in this build") }
func maxAVX512(x []float32) float32    { panic("simd: no assembly in this build") }
func mulAVX2(dst, x, y []float32)      { panic("simd: no assembly in this build") }
func mulAVX512(dst, x, y []float32)    { panic("simd: no assembly in this build") }
func mulAddAVX2(dst, x, y []float32)   { panic("simd: no assembly in this build") }
func mulAddAVX512(dst, x, y []float32) { panic("simd: no assembly in this build") }
func normalizeAVX2(dst, x, gamma, beta []float32, mean, rstd float32) {
	panic("simd: no assembly in this build")
}
func normalizeAVX512(dst, x, gamma, beta []float32, mean, rstd float32) {
	panic("simd: no assembly in this build")
}
func reluAVX2(dst, x []float32)              { panic("simd: no assembly in this build") }
func reluAVX512(dst, x []float32)            { panic("simd: no assembly in this build") }
func reluGradAVX2(dx, dy, y []float32)       { panic("simd: no assembly in this build") }
func reluGradAVX512(dx, dy, y []float32)     { panic("simd: no assembly in this build") }
func scaleAVX2(alpha float32, x []float32)   { panic("simd: no assembly in this build") }
func scaleAVX512(alpha float32, x []float32) { panic("simd: no assembly in this build") }
func sigmoidAVX2(dst, x []float32)           { panic("simd: no assembly in this build") }
func sigmoidAVX512(dst, x []float32)         { panic("simd: no assembly in this build") }
func sigmoidGradAVX2(dx, dy, y []float32)    { panic("simd: no assembly in this build") }
func sigmoidGradAVX512(dx, dy, y []float32)  { panic("simd: no assembly in this build") }
func sumAVX2(x []float32) float32            { panic("simd: no assembly in this build") }
func sumAVX512(x []float32) float32          { panic("simd: no assembly in this build") }
func sumSquaresAVX2(x []float32) float64     { panic("simd: no assembly in this build") }
func sumSquaresAVX512(x []float32) float64   { panic("simd: no assembly in this build") }
func tanhAVX2(dst, x []float32)              { panic("simd: no assembly in this build") }
func tanhAVX512(dst, x []float32)            { panic("simd: no assembly in this build") }
func tanhGradAVX2(dx, dy, y []float32)       { panic("simd: no assembly in this build") }
func tanhGradAVX512(dx, dy, y []float32)     { panic("simd: no assembly in this build") }
func peak32AVX2(n int) int                   { panic("simd: no assembly in this build") }
func peak64AVX2(n int) int                   { panic("simd: no assembly in this build") }
func peak32AVX512(n int) int                 { panic("simd: no assembly in this build") }
func peak64AVX512(n int) int                 { panic("simd: no assembly in this build") }
