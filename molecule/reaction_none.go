//go:build !rdkit || !cgo

package molecule

type reaction = *struct{}

func freeReaction(reaction)                                  {}
func parseReaction(string) (reaction, error)                 { panic(ErrNoRDKit) }
func templates(reaction) ([]string, error)                   { panic(ErrNoRDKit) }
func products(reaction, []*Molecule, bool) ([]string, error) { panic(ErrNoRDKit) }
func (*Molecule) sites([]*Pattern) []Sites                   { panic(ErrNoRDKit) }
func (*Molecule) cut([]int64) (string, error)                { panic(ErrNoRDKit) }
func (*Molecule) zip() (string, error)                       { panic(ErrNoRDKit) }
func (*Molecule) bare() (handle, error)                      { panic(ErrNoRDKit) }
