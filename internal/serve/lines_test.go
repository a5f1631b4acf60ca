package serve

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// A line that is no message is answered in plain words, with the ID of its request where that is known.
func TestLines(t *testing.T) {
	for _, test := range []struct{ line, id, words string }{
		{`[]`, "null", "it is no message of JSON-RPC 2.0"},
		{`"tools/list"`, "null", "it is no message of JSON-RPC 2.0"},
		{`{`, "null", "it is no JSON"},
		{`{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "ask", "name": "tell"}}`, "7", `params: the key "name" is given twice`},
		{`{"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "tell", "arguments": {"answers": [], "answers": []}}}`, `"a"`, `params.arguments: the key "answers" is given twice`},
	} {
		var out, passed bytes.Buffer
		w := &lineWriter{out: &out}
		if err := w.filter(strings.NewReader(test.line+"\n"), &passed); err != io.EOF || passed.Len() > 0 {
			t.Errorf("%s: %v, passed on %s", test.line, err, passed.String())
		}
		var answer struct {
			ID    json.RawMessage
			Error struct{ Message string }
		}
		if err := json.Unmarshal(out.Bytes(), &answer); err != nil || string(answer.ID) != test.id || !strings.Contains(answer.Error.Message, test.words) || strings.Contains(answer.Error.Message, "Go value") {
			t.Errorf("%s: %s, %v", test.line, out.String(), err)
		}
	}
}

// Once the server has ended, no line is answered.
func TestClosedLines(t *testing.T) {
	var out, passed bytes.Buffer
	w := &lineWriter{out: &out}
	w.Close()
	if err := w.filter(strings.NewReader("{\n{\n"), &passed); err != io.ErrClosedPipe || out.Len() > 0 {
		t.Errorf("%v, %s", err, out.String())
	}
}
