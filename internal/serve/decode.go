package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/usage"
)

// decode reads JSON into what v points to, and refuses what encoding/json accepts although it may mean something else: a key that is given
// twice, one that differs from a field's name in case, and one without a field.
func decode(text []byte, v any) error {
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil { // which also limits how deeply it is nested
		return fmt.Errorf("this is not JSON: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := check(d, reflect.TypeOf(v), ""); err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// check reads a value that is for a type; nil is any. at is where the value is.
func check(d *json.Decoder, t reflect.Type, at string) error {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	token, err := d.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('{'):
		return checkObject(d, t, at)
	case json.Delim('['):
		var item reflect.Type
		if t != nil && t.Kind() == reflect.Slice {
			item = t.Elem()
		}
		for i := 0; d.More(); i++ {
			if err := check(d, item, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
		_, err = d.Token() // the end
		return err
	}
	if number, ok := token.(json.Number); ok {
		return checkNumber(number, t, at)
	}
	return nil
}

// checkObject reads the rest of an object.
func checkObject(d *json.Decoder, t reflect.Type, at string) error {
	given := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return err
		}
		key := token.(string) // else it would be no JSON
		if given[key] {
			return wrongAt(at, "the key %q is given twice", usage.Shorten(key, 60))
		}
		given[key] = true
		field, err := fieldOf(t, key)
		if err != nil {
			return wrongAt(at, "%w", err)
		}
		if err := check(d, field, strings.TrimPrefix(at+"."+key, ".")); err != nil {
			return err
		}
	}
	_, err := d.Token() // the end
	return err
}

// fieldOf returns the type of what a key of an object is for.
func fieldOf(t reflect.Type, key string) (reflect.Type, error) {
	switch {
	case t == nil:
		return nil, nil
	case t.Kind() == reflect.Map:
		return t.Elem(), nil
	case t.Kind() != reflect.Struct:
		return nil, nil
	}
	var names []string
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name == key {
			return f.Type, nil
		}
		names = append(names, name)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" }) // of embedded structs
	return nil, fmt.Errorf("there is no key %q%s", usage.Shorten(key, 60), usage.Suggest(key, names))
}

// checkNumber refuses a number that the type does not hold.
func checkNumber(number json.Number, t reflect.Type, at string) error {
	text := usage.Shorten(number.String(), 60)
	if _, err := number.Float64(); err != nil {
		return wrongAt(at, "%s is too large for a number", text)
	}
	if t == nil || t.Kind() != reflect.Int {
		return nil
	}
	if _, err := strconv.Atoi(number.String()); err != nil {
		return wrongAt(at, "%s is not a whole number in digits, or too large", text)
	}
	return nil
}

// wrongAt returns an error about what is at a place.
func wrongAt(at, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if at == "" {
		return err
	}
	return fmt.Errorf("%s: %w", at, err)
}
