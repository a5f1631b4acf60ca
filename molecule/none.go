//go:build !rdkit || !cgo

package molecule

import "context"

const available = false

// Version returns "": this build has no RDKit.
func Version() string { return "" }

// Without RDKit there are no molecules and patterns: what makes them returns ErrNoRDKit, and the functions below are
// never called.
type (
	handle       = *struct{}
	screenHandle = *struct{}
)

func free(handle)                                                {}
func parse(string) (handle, error)                               { panic(ErrNoRDKit) }
func compilePattern(string, bool) (handle, error)                { panic(ErrNoRDKit) }
func blockSMILES(string) (string, error)                         { panic(ErrNoRDKit) }
func kekuleGraph(string) (Graph, bool)                           { panic(ErrNoRDKit) }
func conformer(context.Context, string, int) (string, error)     { panic(ErrNoRDKit) }
func newScreen([]string, []int64, []int64) (screenHandle, error) { panic(ErrNoRDKit) }
func freeScreen(screenHandle)                                    {}
func (*Molecule) screened(screenHandle, []handle, bool) []int    { panic(ErrNoRDKit) }
func (*Molecule) stereocenters() (int, int)                      { panic(ErrNoRDKit) }
func (*Molecule) undefined() []int                               { panic(ErrNoRDKit) }
func (*Molecule) bridges() (int, int)                            { panic(ErrNoRDKit) }
func (*Molecule) rdkitSMILES() (string, bool)                    { panic(ErrNoRDKit) }
func (*Molecule) vaguer(*Molecule) (bool, error)                 { panic(ErrNoRDKit) }
func (*Molecule) configured(*Molecule, []int64) (string, error)  { panic(ErrNoRDKit) }
func (*Molecule) formula() string                                { panic(ErrNoRDKit) }
func (*Molecule) descriptor(descriptor) float64                  { panic(ErrNoRDKit) }
func (*Molecule) morgan(int, bool) Counts                        { panic(ErrNoRDKit) }
func (*Molecule) atomPairs() Counts                              { panic(ErrNoRDKit) }
func (*Molecule) readGraph() Graph                               { panic(ErrNoRDKit) }
func (*Molecule) depicted() (handle, error)                      { panic(ErrNoRDKit) }
func (*Molecule) draw(int) (string, error)                       { panic(ErrNoRDKit) }
func (*Molecule) block(int) (string, error)                      { panic(ErrNoRDKit) }
func (*Molecule) neutral() (string, error)                       { panic(ErrNoRDKit) }
func (*Molecule) kekule() (handle, error)                        { panic(ErrNoRDKit) }
func (*Molecule) merge(*Molecule) (handle, error)                { panic(ErrNoRDKit) }
func (*Molecule) edited(Edit) (string, error)                    { panic(ErrNoRDKit) }
func (*Pattern) matches(*Molecule, bool, int) [][]int            { panic(ErrNoRDKit) }
