package option

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/invbo/invbo/internal/usage"
)

// Value reads, checks and holds what an option is set to. It is a pflag.Value.
type Value interface {
	String() string // empty if it has not been set
	Set(text string) error
	Type() string // int, uint64, float64, bool, duration, string, or NumberOrText
}

// NumberOrText is the type of values that are whole numbers or text.
const NumberOrText = "int or string"

// checked is a value that is parsed and checked. The zero value of its field, if it is not valid, stands for the default.
type checked[T comparable] struct {
	kind  string
	to    *T
	parse func(string) (T, error)
	valid func(T) bool
	want  string // what is valid
}

func (c checked[T]) Type() string { return c.kind }

func (c checked[T]) String() string {
	if c.valid != nil && !c.valid(*c.to) {
		return ""
	}
	return fmt.Sprint(*c.to)
}

func (c checked[T]) Set(text string) error {
	v, err := c.parse(text)
	if err != nil {
		return err
	}
	if c.valid != nil && !c.valid(v) {
		return usage.Errorf("give %s", c.want)
	}
	*c.to = v
	return nil
}

// Count is a whole number from 1.
func Count(to *int) Value { return UpTo(to, usage.Most) }

// UpTo is a whole number from 1 to most.
func UpTo(to *int, most int) Value {
	valid := func(n int) bool { return n >= 1 && n <= most }
	return checked[int]{"int", to, strconv.Atoi, valid, fmt.Sprintf("a number from 1 to %d", most)}
}

// Whole is any whole number.
func Whole(to *int) Value { return checked[int]{"int", to, strconv.Atoi, nil, ""} }

// FromZero is a whole number from 0.
func FromZero(to *int) Value {
	return checked[int]{"int", to, strconv.Atoi, func(n int) bool { return n >= 0 }, "0 or a number above it"}
}

// Seed is a random seed.
func Seed(to *uint64) Value {
	return checked[uint64]{"uint64", to, func(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) }, nil, ""}
}

// Number is a number above 0, up to most.
func Number(to *float64, most float64) Value {
	parse := func(text string) (float64, error) { return strconv.ParseFloat(text, 64) }
	valid := func(v float64) bool { return v > 0 && v <= most }
	return checked[float64]{"float64", to, parse, valid, fmt.Sprintf("a number above 0 and up to %g", most)}
}

// Time is a time above 0.
func Time[T interface {
	~int64
	fmt.Stringer
}](to *T) Value {
	parse := func(text string) (T, error) {
		d, err := time.ParseDuration(text)
		return T(d), err
	}
	return checked[T]{"duration", to, parse, func(d T) bool { return d > 0 }, "a time above 0, such as 5m"}
}

// Wait is a time from 0.
func Wait(to *time.Duration) Value {
	return checked[time.Duration]{"duration", to, time.ParseDuration, func(d time.Duration) bool { return d >= 0 }, "a time from 0, such as 5m"}
}

// Switch is true or false.
func Switch(to *bool) Value { return checked[bool]{"bool", to, strconv.ParseBool, nil, ""} }

// Text is any text.
func Text(to *string) Value {
	return checked[string]{"string", to, func(text string) (string, error) { return text, nil }, nil, ""}
}

// Once is a text that may be given once: a second one would replace the first unnoticed. instead says what to do.
func Once(to *string, instead string) Value {
	return checked[string]{"string", to, func(text string) (string, error) {
		if *to != "" && *to != text {
			return "", usage.Errorf("%s is given already; %s", *to, instead)
		}
		return text, nil
	}, nil, ""}
}

// Dropped is the value of an option of earlier versions: whoever sets it is told what there is instead.
type Dropped string

func (d Dropped) Set(string) error { return usage.Errorf("%s; leave it out", string(d)) }
func (d Dropped) String() string   { return "" }
func (d Dropped) Type() string     { return "bool" }

// list is a value that may be set several times, once for each element.
type list[T any] struct {
	to    *[]T
	parse func(string) (T, error)
}

// List is a list of values. parse reads each of them.
func List[T any](to *[]T, parse func(string) (T, error)) Value { return list[T]{to, parse} }

func (l list[T]) Type() string { return "stringArray" }

func (l list[T]) Set(text string) error {
	v, err := l.parse(text)
	if err != nil {
		return err
	}
	*l.to = append(*l.to, v)
	return nil
}

func (l list[T]) String() string { return strings.Join(l.Texts(), ", ") }

func (l list[T]) Texts() []string {
	texts := make([]string, len(*l.to))
	for i, v := range *l.to {
		texts[i] = fmt.Sprint(v)
	}
	return texts
}
