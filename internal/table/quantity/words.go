package quantity

import (
	"slices"
	"strings"
)

// Words of the names of columns that hold statistics of several measurements, folded.
var (
	StandardErrors = strings.Fields("se sem stderr stderror standarderror scorese scoresem scorestderr")
	Deviations     = strings.Fields("sd std stdev stddev standarddeviation gsd gstd")
	Means          = strings.Fields("mean avg average ave median geomean gmean geometricmean")
	Counts         = strings.Fields("n count nreps nrep nreplicates numreplicates numberofreplicates replicates nmeasurements samplesize")
	Replicates     = strings.Fields("rep replicate replicateno replicatenumber repeat run experiment assaydate")
)

// plainWords are words in brackets that say nothing of what is measured.
var plainWords = strings.Fields(`mean means avg average averages median geomean gmean mittelwert mittel moyenne media of sd sem se stdev
	first second third fourth 1st 2nd 3rd repeat repeated repeats rerun final new old updated update revised corrected qc passed ok batch run assay
	replicate replicates rep duplicate duplicates triplicate triplicates result results value values data human homo sapiens hs recombinant full length
	experiment exp week plate see note footnote`)

// modelWords are words of what no experiment told.
var modelWords = strings.Fields("predicted pred prediction calculated calc computed simulated simulation estimated qsar docking docked model")

// Words of names that say what a unit of one letter, or one that is a word, may be.
var (
	lengthWords = strings.Fields(`wavelength wavelengths lambda lambdamax lmax absorption absorbance abs emission em excitation ex stokes bathochromic redshift
		bandwidth fwhm size diameter radius length thickness thick roughness pore height depth width distance z papp permeability pampa caco mdck velocity speed`)
	timeWords = strings.Fields("half life halflife thalf t12 t1 time rt retention lifetime duration residence incubation t")
	heatWords = strings.Fields("tm temp temperature mp bp melting boiling tg t50 tagg dtm deltatm delta")
)

// endpoints are quantities of dose-response curves, which are concentrations. Before each may stand p or log.
var endpoints = strings.Fields("ic50 ec50 ac50 gi50 cc50 tc50 dc50 xc50 ed50 lc50 ic90 ec90 ki kd km kb mic")

// EndpointNames returns the endpoints and their logarithms: ic50, pic50, logic50, log10ic50.
func EndpointNames() []string {
	var names []string
	for _, e := range endpoints {
		names = append(names, e, "p"+e, "log"+e, "log10"+e)
	}
	return names
}

// Endpoint returns the quantity of a dose-response curve that a folded word is of, and p or log if that stands before
// it: ic50 and p of pic50; empty if it is of none.
func Endpoint(word string) (endpoint, log string) {
	for _, log := range []string{"", "p", "log10", "log"} {
		if rest, ok := strings.CutPrefix(word, log); ok && slices.Contains(endpoints, rest) {
			return rest, strings.TrimSuffix(log, "10")
		}
	}
	return "", ""
}
