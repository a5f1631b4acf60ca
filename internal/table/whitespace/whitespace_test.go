package whitespace_test

import (
	"testing"

	"github.com/invbo/invbo/internal/table/whitespace"
)

func TestTrim(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "CCO": "CCO", " \t a b\r\n": "a b", "\ufeffid": "id", "a\u200b \u00a0": "a", "a\u200bb": "a\u200bb", "\u200b": "",
	} {
		if got := whitespace.Trim(text); got != want {
			t.Errorf("Trim(%q) = %q, want %q", text, got, want)
		}
	}
}
