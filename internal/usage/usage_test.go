package usage_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/invbo/invbo/internal/usage"
)

func TestSuggest(t *testing.T) {
	names := []string{"run", "tasks", "methods"}
	for name, want := range map[string]string{
		"rnu": `; did you mean "run"?`, "METHOD": `; did you mean "methods"?`, "xyz": "; there are run, tasks, methods",
	} {
		if got := usage.Suggest(name, names); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestIs(t *testing.T) {
	cause := errors.New("cause")
	if err := fmt.Errorf("outer: %w", usage.Errorf("inner: %w", cause)); !usage.Is(err) || !errors.Is(err, cause) {
		t.Errorf("%v is no usage error, or lost its cause", err)
	}
	if usage.Is(cause) || usage.Wrap(nil) != nil {
		t.Error("another error, or none, is a usage error")
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain, µ-opioid, 日本": "plain, µ-opioid, 日本", "": "", "\x1b[31mred": `\x1b[31mred`, "a\tb\n": `a\tb\n`, "\x7f\u009b": `\x7f\u009b`, "\u202eabc\u2028": `\u202eabc\u2028`,
	} {
		if got := usage.Visible(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Addresses of databases are shown without their passwords.
func TestWithoutSecrets(t *testing.T) {
	for text, want := range map[string]string{
		`"postgres://ann:se:cr@t@host/db" is one argument too many`: `"postgres://ann:xxxxx@host/db" is one argument too many`,
		"postgresql://host/db?password=secret&sslmode=off":          "postgresql://host/db?password=xxxxx&sslmode=off",
		"postgres://ann@host:5432/db":                               "postgres://ann@host:5432/db",
	} {
		if got := usage.WithoutSecrets(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestQuoted(t *testing.T) {
	for name, want := range map[string]string{"lab.db": "lab.db", "my lab.db": "'my lab.db'", "5'-end": `'5'\''-end'`, "": "''"} {
		if got := usage.Quoted(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestList(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := usage.List(words); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
}
