package serve

import (
	"cmp"
	"fmt"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/study"
)

// AskRequest asks for proposals.
type AskRequest struct {
	N     int    `json:"n,omitempty" minimum:"1" maximum:"1000" default:"1" doc:"How many strings to propose."`
	Lease string `json:"lease,omitempty" maxLength:"20" default:"1h" example:"90m" doc:"How long the proposals are reserved for you, from 1s to 2160h (90 days). After that they are handed out again. Ask for as long as a measurement may take."`
}

// lease returns how long proposals are lent.
func (r AskRequest) lease() (time.Duration, error) {
	d, err := time.ParseDuration(cmp.Or(r.Lease, "1h"))
	if err != nil || d < time.Second || d > 2160*time.Hour {
		return 0, huma.Error422UnprocessableEntity(fmt.Sprintf("lease %q: give a time with its unit from 1s to 2160h, such as 90m", r.Lease))
	}
	return d, nil
}

// Measure says what the scores of a study are.
type Measure struct {
	Score string `json:"score" doc:"What the score is called. Several objectives have no score of their own: score, predicted, direction and best are then those of the first one, whose name this is."`
	Unit  string `json:"unit,omitempty" doc:"Unit of what is measured, if the study states one. It is that of the scores unless there is a scale."`
	Scale string `json:"scale,omitempty" doc:"Scale of the scores, standard errors and predictions, if they are not what is measured: pIC50, pKi and so on are -log10 of mol/L, and log10 is that of a number in unit. An answer that states a unit is converted."`
}

// AskResponse holds proposals.
type AskResponse struct {
	Measure
	Proposals []Lent `json:"proposals" nullable:"false" doc:"Fewer than asked for if the budget or the search ends."`
}

// Lent is a proposal with its lease.
type Lent struct {
	Trial
	Until time.Time `json:"until" doc:"End of the lease. An answer after it counts as well."`
}

// TellRequest holds answers.
type TellRequest struct {
	Answers []Answer `json:"answers" minItems:"1" maxItems:"1000" nullable:"false"`
	Correct bool     `json:"correct,omitempty" doc:"Another score of a string takes the place of the one that there is. Otherwise it is another measurement, and the search uses the mean."`
}

// Answer is a measurement.
type Answer struct {
	Trial       int                `json:"trial,omitempty" minimum:"1" doc:"The trial that was measured, from ask. Or give input, or name."`
	Number      int                `json:"measurement,omitempty" minimum:"1" doc:"Which measurement of the trial this answer takes the place of, by its number in trials: a correction of one of several."`
	Input       string             `json:"input,omitempty" maxLength:"10000" doc:"The string that was measured, which need not have been proposed."`
	Name        string             `json:"name,omitempty" maxLength:"200" pattern:"^[^\\x00-\\x1f]*$" patternDescription:"no control characters" doc:"What people call it. With trial or input it becomes the name of a string that has none, and in a correction of one measurement of any; alone it says which string was measured."`
	Score       *float64           `json:"score,omitempty" minimum:"-1e100" maximum:"1e100" doc:"The score, on the scale and in the unit that status states. Or give failed."`
	Unit        string             `json:"unit,omitempty" maxLength:"60" example:"nM" doc:"Unit of score, bound and se, if it is not that: they are converted to the unit and the scale of the study."`
	Bound       string             `json:"bound,omitempty" enum:"<,>" doc:"If only a bound of the score is known, as beyond the range of an assay: the true score is less (<) or greater (>) than score."`
	SE          float64            `json:"se,omitempty" minimum:"0" maximum:"1e100" doc:"Standard error of the score, if it is known. A correction without it keeps the old one."`
	Others      map[string]float64 `json:"others,omitempty" maxProperties:"100" doc:"Further outcomes by name: those of status. Where the score is made of them they take its place. Those of a proposal may be told in parts."`
	OtherBounds map[string]string  `json:"other_bounds,omitempty" maxProperties:"100" doc:"By name, < or > for those of others that are only bounds, as bound is for the score."`
	Failed      string             `json:"failed,omitempty" maxLength:"1000" pattern:"^[^\\x00-\\x1f]*$" patternDescription:"no control characters" doc:"Why there is no score: the measurement failed."`
}

// TellResponse says what became of answers.
type TellResponse struct {
	Measure
	Outcomes []Outcome `json:"outcomes" nullable:"false" doc:"One for each answer, in their order."`
	Best     *Trial    `json:"best,omitempty" doc:"The best trial now."`
}

// Outcome is what became of an answer.
type Outcome struct {
	Trial int      `json:"trial"`
	What  string   `json:"what" enum:"measured,another measurement,corrected,struck,further outcomes added,standard error added,kept until the rest is told,known already,known already (corrected or struck since),failed"`
	Score *float64 `json:"score,omitempty" doc:"The score that the study keeps of the measurement, on its scale and in its unit, also where the answer has others alone."`
	Note  string   `json:"note,omitempty" doc:"What to look at, although the answer is stored: the search learns nothing from the string, its name is another one than that of the answer, or the score or its standard error is hardly meant."`
}

// WithdrawRequest names a proposal that nobody will measure.
type WithdrawRequest struct {
	Trial  int    `json:"trial" minimum:"1"`
	Reason string `json:"reason,omitempty" maxLength:"1000" pattern:"^[^\\x00-\\x1f]*$" patternDescription:"no control characters" default:"withdrawn" doc:"Why, such as: cannot be made."`
}

// StrikeRequest names a measurement that is taken out.
type StrikeRequest struct {
	Trial  int    `json:"trial" minimum:"1"`
	Number int    `json:"measurement,omitempty" minimum:"1" doc:"Its number in trials; it may be left out if the trial has only one."`
	Reason string `json:"reason" minLength:"1" maxLength:"1000" pattern:"^[^\\x00-\\x1f]*$" patternDescription:"no control characters" doc:"Why, such as: wrong well."`
}

// TrialsRequest asks for a page of trials.
type TrialsRequest struct {
	Limit  int    `json:"limit,omitempty" query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many trials at most."`
	Cursor string `json:"cursor,omitempty" query:"cursor" maxLength:"40" doc:"The next of an earlier page; nothing for the first."`
}

// TrialsResponse is a page of trials.
type TrialsResponse struct {
	Measure
	Trials []Trial `json:"trials" nullable:"false" doc:"In the order in which they were begun; new ones come at the end."`
	Next   string  `json:"next" doc:"Cursor of what comes after this page, now or later."`
	More   bool    `json:"more" doc:"Whether there is more now."`
}

// Trial is a string with what is known of it.
type Trial struct {
	Trial        int               `json:"trial" doc:"Number of the trial, from 1."`
	Name         string            `json:"name,omitempty" doc:"What people call it."`
	Input        string            `json:"input" doc:"The string to measure: SMILES of a molecule, or a sequence."`
	Mutant       string            `json:"mutant,omitempty" doc:"The substitutions that make it of the wild type, such as K2R:T3S; WT for none."`
	State        string            `json:"state" enum:"pending,scored,partial,failed,invalid" doc:"Partial: further outcomes were measured, and the score was not."`
	Kind         string            `json:"kind" enum:"initial,acquired,recentered,external" doc:"Why it is there: initial data, chosen by the search, or told without having been proposed."`
	Predicted    *float64          `json:"predicted,omitempty" doc:"Score that was predicted when it was proposed."`
	SD           *float64          `json:"sd,omitempty" doc:"Standard deviation of the prediction."`
	Forecast     *study.Forecast   `json:"forecast,omitempty" doc:"Of several objectives, or of the outcomes that constraints bound, when it was proposed."`
	Score        *float64          `json:"score,omitempty" doc:"Mean of its measurements, without those that are bounds; of bounds alone, one of them."`
	Bound        string            `json:"bound,omitempty" enum:"<,>" doc:"The true score is less (<) or greater (>) than score: no measurement is exact. Absent if score is exact."`
	Reason       string            `json:"reason,omitempty" doc:"Why there is no score."`
	Violates     string            `json:"violates,omitempty" doc:"Which constraints it does not keep: then it is not the best."`
	Measurements []Measurement     `json:"measurements,omitempty"`
	Groups       map[string]string `json:"groups,omitempty" doc:"Of a molecule with the core, in a study with one: the groups at its attachment points, by R1, R2 and so on."`
	Route        *Route            `json:"route,omitempty" doc:"How a molecule that was proposed is made from building blocks, in a study with these."`
}

// Route is how a molecule is made.
type Route struct {
	Text  string   `json:"text" doc:"The steps in words."`
	Price *float64 `json:"price,omitempty" doc:"Sum of the prices of its building blocks, if all are known."`
	Steps []Step   `json:"steps" nullable:"false" doc:"In the order in which they are carried out. The product of the last one is the molecule."`
}

// Step is a reaction of a route.
type Step struct {
	Reaction  string     `json:"reaction" doc:"Its name."`
	Reactants []Reactant `json:"reactants" nullable:"false"`
	Product   string     `json:"product" doc:"SMILES."`
}

// Reactant is a building block, or the product of an earlier step.
type Reactant struct {
	SMILES string   `json:"smiles"`
	Step   int      `json:"step,omitempty" doc:"The earlier step, from 1, that it is the product of. A building block has none."`
	Block  string   `json:"block,omitempty" doc:"Name of the building block."`
	Price  *float64 `json:"price,omitempty" doc:"Price of the building block."`
}

// Measurement is one answer about a string.
type Measurement struct {
	Number      int                `json:"measurement" doc:"Its number, from 1, by which it can be corrected or struck."`
	Score       *float64           `json:"score,omitempty"`
	Bound       string             `json:"bound,omitempty" enum:"<,>" doc:"The true score is less (<) or greater (>) than score. Absent if score is exact."`
	SE          float64            `json:"se,omitempty"`
	Others      map[string]float64 `json:"others,omitempty" doc:"Further outcomes."`
	OtherBounds map[string]string  `json:"other_bounds,omitempty" doc:"By name, < or > for those of others that are bounds. Absent if all are exact."`
	Failed      string             `json:"failed,omitempty"`
}

// Summary says where a study stands, in short.
type Summary struct {
	Measure
	Study     string `json:"study"`
	Direction string `json:"direction" enum:"maximize,minimize"`
	Budget    int    `json:"budget,omitzero" doc:"Measurements after the initial data; absent where as many as wanted can be made."`
	Calls     int    `json:"calls" doc:"Proposals that were answered."`
	Left      *int   `json:"left,omitempty" doc:"How many of budget are neither made nor pending; absent without a budget."`
	Pending   int    `json:"pending" doc:"Proposals that wait for an answer."`
	Best      *Trial `json:"best,omitempty"`
}

// Status says where a study stands.
type Status struct {
	Summary
	Task         string             `json:"task" doc:"What the strings are."`
	Leased       int                `json:"leased" doc:"Those of pending whose lease goes on."`
	Scored       int                `json:"scored" doc:"Strings with a score."`
	Measurements int                `json:"measurements" doc:"Their measurements."`
	Partial      int                `json:"partial" doc:"Strings with further outcomes whose score is yet to be measured."`
	Failed       int                `json:"failed" doc:"Strings whose measurements failed, or that are invalid. Those of unreadable, struck and withdrawn, whose trials are failed, too, are counted there."`
	Unreadable   int                `json:"unreadable" doc:"Strings that were measured, whose value could not be read."`
	Struck       int                `json:"struck" doc:"Strings whose measurements were struck."`
	Withdrawn    int                `json:"withdrawn" doc:"Proposals that were taken back all at once, and never measured."`
	Outcomes     []string           `json:"outcomes,omitempty" doc:"Further outcomes to tell."`
	Units        map[string]string  `json:"outcome_units,omitempty" doc:"Units of further outcomes, by name, of those whose unit is known."`
	Constraints  []string           `json:"constraints,omitempty" doc:"Bounds on them."`
	Violating    int                `json:"violating" doc:"Strings with a score that violate a constraint."`
	Noise        *float64           `json:"noise,omitempty" doc:"Standard deviation of a measurement, from strings measured more than once."`
	Noises       map[string]float64 `json:"outcome_noise,omitempty" doc:"The same of further outcomes, by name."`
	Ranked       []Trial            `json:"ranked" nullable:"false" doc:"The three best."`
	Front        *Front             `json:"front,omitempty" doc:"Of several objectives, the trials that no other dominates."`
	Contradicts  []Trial            `json:"contradictory,omitempty" doc:"Trials whose measurements contradict each other, ten at most: they teach the search nothing until one is corrected or struck."`
	Predictions  *Predictions       `json:"predictions,omitempty"`
}

// Front is what is reached of several objectives.
type Front struct {
	Objectives  []string    `json:"objectives" nullable:"false" doc:"Each with max or min, and perhaps a value that is worth nothing, such as logS max zero=-6."`
	Trials      []Trial     `json:"trials" nullable:"false" doc:"The best in the first objective first."`
	Values      [][]float64 `json:"values" nullable:"false" doc:"The objectives of each of the trials."`
	Hypervolume *float64    `json:"hypervolume,omitempty" doc:"What the trials dominate above the reference point; missing where it is too large for a number."`
	Reference   []float64   `json:"reference" nullable:"false" doc:"A value of each objective; empty before a trial has all of them."`

	Predictions []Predictions `json:"predictions" nullable:"false" doc:"Of each objective; of one that the program computes nothing is compared."`
}

// Predictions compares predictions with scores, of proposals that were measured.
type Predictions struct {
	Compared int      `json:"compared"`
	Error    *float64 `json:"error,omitempty" doc:"Root mean square of the differences."`
	Ranking  *float64 `json:"ranking,omitempty" doc:"Rank correlation."`
	Within1  int      `json:"within1" doc:"Scores within one predicted standard deviation: two thirds are expected."`
	Within2  int      `json:"within2" doc:"And within two."`
}

func predictions(p experiment.Predictions) *Predictions {
	v := &Predictions{Compared: p.Compared, Ranking: known(p.Ranking), Within1: p.Within1, Within2: p.Within2}
	if p.Compared > 0 {
		v.Error = known(p.Error)
	}
	return v
}
