//go:build !rdkit || !cgo

package molecule

func (molRef) kekule() (molRef, error)            { panic(ErrNoRDKit) }
func (molRef) merge(molRef) (molRef, error)       { panic(ErrNoRDKit) }
func (molRef) edit(Edit) (string, string, string) { panic(ErrNoRDKit) }
