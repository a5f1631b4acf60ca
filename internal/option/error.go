package option

import (
	"errors"
	"fmt"
	"strings"

	"github.com/invbo/invbo/internal/usage"
)

// Name is the name of an option in an error. Each interface has its own way to write it: the command line --name, a
// study file table.key, an API the name of its field.
type Name string

// Setting is an option with the value that was given. Without a name it is the value alone.
type Setting struct {
	Name  Name
	Value string
}

// Error is an error about options. Error writes their plain names; Say writes them as an interface does.
type Error struct {
	format string
	args   []any
}

// Errorf is usage.Errorf for an error about options: among the arguments are values of type Name, Setting and
// []Setting, for verbs %s.
func Errorf(format string, args ...any) error { return usage.Wrap(&Error{format, args}) }

func (e *Error) Error() string { return e.say(func(n Name) string { return string(n) }) }

// Unwrap returns the errors among the arguments.
func (e *Error) Unwrap() []error {
	var all []error
	for _, arg := range e.args {
		if err, ok := arg.(error); ok {
			all = append(all, err)
		}
	}
	return all
}

// say returns the text with what name makes of the names.
func (e *Error) say(name func(Name) string) string {
	setting := func(s Setting) string {
		if s.Name == "" {
			return s.Value
		}
		text := name(s.Name)
		if last := text[strings.LastIndexByte(text, ' ')+1:]; strings.Contains(last, ":") { // a parameter: --task ackley:dim
			return text + "=" + s.Value
		}
		return text + " " + s.Value
	}
	args := make([]any, len(e.args))
	for i, arg := range e.args {
		switch arg := arg.(type) {
		case Name:
			args[i] = name(arg)
		case Setting:
			args[i] = setting(arg)
		case []Setting:
			texts := make([]string, len(arg))
			for k, s := range arg {
				texts[k] = setting(s)
			}
			args[i] = strings.Join(texts, " and ")
		case error:
			args[i] = errors.New(Say(arg, name))
		default:
			args[i] = arg
		}
	}
	return fmt.Errorf(e.format, args...).Error()
}

// Say returns the text of err with what name makes of the names of options in it.
func Say(err error, name func(Name) string) string {
	if _, ok := errors.AsType[said](err); ok {
		return err.Error()
	}
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return err.Error()
	}
	return strings.Replace(err.Error(), e.Error(), e.say(name), 1)
}

// Said returns err with a text in which the names of options are written as they should be: Say changes nothing in it.
func Said(err error, text string) error { return said{err, text} }

type said struct {
	error
	text string
}

func (s said) Error() string { return s.text }
func (s said) Unwrap() error { return s.error }
