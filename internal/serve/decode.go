package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/invbo/invbo/internal/usage"
)

// decode reads JSON into what v points to, and refuses what encoding/json accepts although it may mean something else:
// a key that is given twice, one that differs from a field's name in case, one without a field, and text that is no
// Unicode, where encoding/json replaces characters.
func decode(text []byte, v any) error {
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil { // which also limits how deeply it is nested
		return fmt.Errorf("this is not JSON: %w", err)
	}
	if err := unicodeOnly(text); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := check(d, reflect.TypeOf(v), ""); err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// unicodeOnly refuses JSON with bytes that are not UTF-8, or with an escape of half a character.
func unicodeOnly(text []byte) error {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			return fmt.Errorf("byte %d is not UTF-8: send the JSON in UTF-8, and not in Latin-1 or another encoding", at+1)
		case r != '\\':
			at += size
			continue
		}
		first := escaped(text[at:])
		if !utf16.IsSurrogate(first) {
			at += 2 // the next character is escaped, whatever it is
			continue
		}
		const length = len(`\ud800`)
		if utf16.DecodeRune(first, escaped(text[at+length:])) == utf8.RuneError {
			return fmt.Errorf("%s is half of a character: send both halves of it, or neither", text[at:at+length])
		}
		at += 2 * length
	}
	return nil
}

// escaped returns the number of the escape, \u and four hexadecimal digits, that a text begins with; −1 if it begins
// with none.
func escaped(text []byte) rune {
	const digits = 4
	if len(text) < len(`\u`)+digits || text[0] != '\\' || text[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(text[2:2+digits]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
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
