package molecules

import (
	"compress/gzip"
	"encoding/csv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/stats"
	"github.com/invbo/invbo/molecule"
)

// How well the surrogate ranks molecules of measured tables by 150 others, without and with its further kernels: the
// mean rank correlation of 10 draws.
func BenchmarkTables(b *testing.B) {
	if err := molecule.Available(); err != nil {
		b.Skip(err)
	}
	const draws, points, predicted = 10, 150, 400
	for _, table := range []struct{ name, file, smiles, score string }{
		{"PXR", "assays/PXR_chembl_EC50.csv.gz", "OPENADMET_CANONICAL_SMILES", "PXR_pEC50"},
		{"JAK2", "assays/jak2.csv.gz", "SMILES", "pIC50"},
		{"carbonic_anhydrase", "assays/carbonic.csv.gz", "SMILES", "pIC50"},
		{"solubility", "assays/biogen_logS.csv.gz", "SMILES", "logS"},
		{"logD", "lipophilicity.csv.gz", "smiles", "exp"},
		{"docking", "enamine10k_docking.csv.gz", "smiles", "score"},
	} {
		b.Run(table.name, func(b *testing.B) {
			smiles, scores := measured(b, filepath.Join("../../../shared/data", table.file), table.smiles, table.score)
			for _, kernels := range []struct {
				name  string
				terms []gp.Term
			}{{"usual", comparisons()}, {"all", append(comparisons(), further()...)}} {
				b.Run(kernels.name, func(b *testing.B) {
					for b.Loop() {
						sum := 0.0
						for draw := range draws {
							sum += ranking(b, kernels.terms, smiles, scores, points, predicted, rand.New(rand.NewPCG(uint64(draw), 1)))
						}
						b.ReportMetric(sum/draws, "rho")
					}
				})
			}
		})
	}
}

// measured returns the rows of a table with a number.
func measured(b *testing.B, path, smiles, score string) (xs []string, ys []float64) {
	b.Helper()
	file, err := os.Open(path)
	if err != nil {
		b.Skip(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		b.Fatal(err)
	}
	rows, err := csv.NewReader(unzipped).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	x, y := slices.Index(rows[0], smiles), slices.Index(rows[0], score)
	for _, row := range rows[1:] {
		if v, err := strconv.ParseFloat(row[y], 64); err == nil {
			xs, ys = append(xs, row[x]), append(ys, v)
		}
	}
	return xs, ys
}

// ranking returns the rank correlation of predictions from some molecules for others.
func ranking(b *testing.B, terms []gp.Term, smiles []string, scores []float64, points, predicted int, rng *rand.Rand) float64 {
	b.Helper()
	var x [][]gp.Counts
	var y []float64
	for _, i := range rng.Perm(len(smiles)) {
		if len(x) == points+predicted {
			break
		}
		_ = molecule.Look(smiles[i], func(m *molecule.Molecule) { // what cannot be read does not count
			groups, _ := features(m)
			x, y = append(x, groups), append(y, scores[i])
		})
	}
	fitted, err := gp.FitMixture(b.Context(), terms, x[:points], gp.Standardise.Apply(y[:points]), make([]float64, points))
	if err != nil {
		b.Fatal(err)
	}
	mean, _ := fitted.Predict(x[points:])
	return stats.Spearman(mean, y[points:])
}
