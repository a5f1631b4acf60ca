//go:build !rdkit || !cgo

package molecule

func available() error { return ErrNoRDKit }

func version() string { return "" }

// Without RDKit there are no molecules and patterns: Parse and CompilePattern return ErrNoRDKit, and the functions below are
// never called.
type (
	molRef     struct{}
	patternRef struct{}
)

func parse(string) (molRef, string, string)             { panic(ErrNoRDKit) }
func kekuleGraph(string) (Graph, bool)                  { panic(ErrNoRDKit) }
func compilePattern(string, bool) (patternRef, string)  { panic(ErrNoRDKit) }
func vaguer(molRef, molRef) (bool, error)               { panic(ErrNoRDKit) }
func draw([]molRef, []string, int, int) ([]byte, error) { panic(ErrNoRDKit) }
func (molRef) free()                                    {}
func (molRef) closed() bool                             { return true }
func (molRef) smiles() (string, bool)                   { panic(ErrNoRDKit) }
func (molRef) formula() string                          { panic(ErrNoRDKit) }
func (molRef) descriptor(descriptor) float64            { panic(ErrNoRDKit) }
func (molRef) morgan(int, bool) Counts                  { panic(ErrNoRDKit) }
func (molRef) atomPairs() Counts                        { panic(ErrNoRDKit) }
func (molRef) graph() Graph                             { panic(ErrNoRDKit) }
func (molRef) depicted() (molRef, error)                { panic(ErrNoRDKit) }
func (molRef) kekule() (molRef, error)                  { panic(ErrNoRDKit) }
func (molRef) merge(molRef) (molRef, error)             { panic(ErrNoRDKit) }
func (molRef) edit(Edit) (string, string, string)       { panic(ErrNoRDKit) }
func (patternRef) free()                                {}
func (patternRef) matches(molRef, bool, int) [][]int    { panic(ErrNoRDKit) }
func blockSMILES(string) (string, string, string)       { panic(ErrNoRDKit) }
func (molRef) block(int) (string, error)                { panic(ErrNoRDKit) }
func (molRef) neutral() (string, error)                 { panic(ErrNoRDKit) }
