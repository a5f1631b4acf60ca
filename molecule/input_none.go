//go:build !rdkit || !cgo

package molecule

func blockSMILES(string) (string, string, string) { panic(ErrNoRDKit) }
func (molRef) block(int) (string, error)          { panic(ErrNoRDKit) }
func (molRef) neutral() (string, error)           { panic(ErrNoRDKit) }
