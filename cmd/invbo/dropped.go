package main

import (
	"github.com/spf13/pflag"

	"github.com/invbo/invbo/internal/usage"
)

// alwaysSkipped is why there is no --skip-invalid any more.
const alwaysSkipped = "rows that cannot be used are always left out, and listed: leave the flag out"

// droppedFlag is a flag of earlier versions. Whoever gives it is told what there is instead.
type droppedFlag string

func (d droppedFlag) Set(string) error { return usage.Errorf("%s", string(d)) }
func (d droppedFlag) String() string   { return "" }
func (d droppedFlag) Type() string     { return "bool" }

// dropped adds a flag that was dropped, which help does not show.
func dropped(f *pflag.FlagSet, name, instead string) {
	f.Var(droppedFlag(instead), name, "")
	flag := f.Lookup(name)
	flag.Hidden, flag.NoOptDefVal = true, "true"
}
