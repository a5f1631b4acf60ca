package table

// State says what became of a row.
type State string

const (
	Measured State = "measured"  // has a score, which may be a bound
	Missing  State = "missing"   // has no score
	Failed   State = "failed"    // the measurement failed
	SetAside State = "set aside" // is about something else, or left out as Options say
	Repeated State = "repeated"  // says what a row before says, as exports of joined tables do
	Invalid  State = "invalid"   // cannot be used
)

// Reason says why a row is in its State.
type Reason struct {
	Code Code
	Text string // for people; may be empty
}

// Code is a kind of Reason.
type Code string

const (
	// Of Missing.
	NoValue      Code = "no value"      // the cell is empty, NA or so
	BoundSkipped Code = "bound skipped" // the score is a bound, and Options.Censored is Skip
	NoOutcome    Code = "no outcome"    // a score is made of outcomes, one of which is missing

	// Of Failed.
	MeasurementFailed Code = "measurement failed"

	// Of SetAside.
	BoundDropped Code = "bound dropped" // the score is a bound, and Options.Censored is Drop
	OtherType    Code = "other type"    // another kind of measurement than Columns.Type
	OtherUnit    Code = "other unit"    // a unit that cannot be converted to Columns.Unit
	NoUnit       Code = "no unit"       // in a table that states units row by row

	// Of Repeated.
	SameMeasurement Code = "same measurement"

	// Of Invalid.
	NoString    Code = "no string"       // the cell of the string is empty
	BadString   Code = "bad string"      // Options.Normalize refuses it
	BadMutant   Code = "bad mutant"      // it does not fit Options.WildType
	IsReaction  Code = "reaction"        // instead of a molecule
	BadRow      Code = "bad row"         // it has too many cells, or one that is too long
	NotNumber   Code = "not a number"    // the score
	TwoNumbers  Code = "ambiguous"       // 1,234 may be two numbers
	WithError   Code = "value and error" // 5.3 ± 0.2
	UnknownUnit Code = "unknown unit"
	BadRelation Code = "bad relation" // none of <, =, > and so on, or it contradicts the cell of the score
	NotPositive Code = "not positive" // and its logarithm is the score
)
