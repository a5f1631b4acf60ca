package task

import (
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/table"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/molecule/alerts"
)

// Alerts are the rules that a proposal must not match: a built-in set, or those of a file. The zero value stands for
// none that were chosen.
type Alerts struct {
	Named string `json:"set,omitzero"` // NIBRAlerts, StrictAlerts or NoAlerts; empty: those of File
	File  File   `json:"file,omitzero"`
}

// Sets of alerts.
const (
	NIBRAlerts   = "nibr"   // rules that exclude, and those for unstable groups
	StrictAlerts = "strict" // rules that flag, too
	NoAlerts     = "none"
)

// Set, String and Type let a flag hold Alerts.
func (a *Alerts) Set(text string) error {
	switch text {
	case NIBRAlerts, StrictAlerts, NoAlerts:
		*a = Alerts{Named: text}
		return nil
	}
	if !strings.ContainsAny(text, `./\`) && !files.Exists(text) {
		return usage.Errorf("there is no set and no file of that name; give %s, %s, %s or a FILE with SMARTS", NIBRAlerts, StrictAlerts, NoAlerts)
	}
	*a = Alerts{File: File{Path: text}}
	return nil
}

func (a Alerts) String() string {
	if a.Named != "" {
		return a.Named
	}
	return a.File.Path
}

func (a Alerts) Type() string { return "string" }

// Given reports whether alerts were chosen.
func (a Alerts) Given() bool { return a.Named != "" || a.File.Given() }

// rules returns the rules that exclude, and those that only flag. The error says which line of a file is wrong.
func (a Alerts) rules() (exclude, flag []alerts.Rule, _ error) {
	var all []alerts.Rule
	switch {
	case a.Named == NoAlerts || !a.Given():
		return nil, nil, nil
	case a.Named == NIBRAlerts || a.Named == StrictAlerts:
		all = slices.Concat(alerts.Unstable(), alerts.NIBR())
	default:
		r, err := a.File.Open()
		if err != nil {
			return nil, nil, option.Errorf("%s: %w", option.Name("alerts"), err)
		}
		defer r.Close()
		text, err := table.ReadText(r)
		if err == nil {
			all, err = alerts.Read(strings.NewReader(text))
		}
		if err != nil {
			return nil, nil, option.Errorf("%s: %w", option.Setting{Name: "alerts", Value: a.File.Source()}, err)
		}
	}
	for _, r := range all {
		if r.Flag && a.Named != StrictAlerts {
			flag = append(flag, r)
		} else {
			exclude = append(exclude, r)
		}
	}
	return exclude, flag, nil
}
