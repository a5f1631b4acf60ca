package serve

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An assistant sees where a study stands, asks, tells, withdraws and lists.
func TestMCP(t *testing.T) {
	s := inMemory(t, &counter{}, 9)
	ours, theirs := mcp.NewInMemoryTransports()
	server, err := NewMCP(s, "test").Connect(t.Context(), ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if said := client.InitializeResult().Instructions; !strings.Contains(said, "The studies are: lab.") {
		t.Errorf("instructions %q", said)
	}
	tools, err := client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
		if len(tool.Description) < 50 || tool.OutputSchema == nil {
			t.Errorf("%+v", tool)
		}
	}
	if got := strings.Join(names, " "); got != "ask status strike tell trials withdraw" {
		t.Errorf("tools %s", got)
	}
	use := func(tool string, arguments, into any) string {
		t.Helper()
		r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		text := r.Content[0].(*mcp.TextContent).Text
		if r.IsError {
			return text
		}
		structured, err := json.Marshal(r.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(structured, into); err != nil {
			t.Fatalf("%s: %s: %v", tool, structured, err)
		}
		return ""
	}
	var asked AskResponse
	if said := use("ask", map[string]any{"n": 2, "study": "lab"}, &asked); said != "" || len(asked.Proposals) != 2 || asked.Proposals[1].Trial.Trial != 4 {
		t.Errorf("ask: %+v, %s", asked, said)
	}
	var told TellResponse
	answers := []any{map[string]any{"trial": 3, "score": 7.5}}
	if said := use("tell", map[string]any{"answers": answers}, &told); said != "" || told.Outcomes[0].Trial != 3 || told.Outcomes[0].What != "measured" || *told.Outcomes[0].Score != 7.5 || told.Best.Trial != 3 {
		t.Errorf("tell: %+v, %s", told, said)
	}
	for _, test := range strict {
		if said := use(test.verb, json.RawMessage(test.body), &struct{}{}); !strings.Contains(said, test.words) {
			t.Errorf("%s %s: %q, want %s", test.verb, test.body, said, test.words)
		}
	}
	if trial := s.studies["lab"].Page(2, 1)[0]; len(trial.Measurements) != 1 {
		t.Errorf("what was refused is stored: %+v", trial)
	}
	beyond := []any{map[string]any{"input": "Z", "score": 5, "bound": "<"}}
	if said := use("tell", map[string]any{"answers": beyond}, &told); said != "" || told.Outcomes[0].What != "measured" {
		t.Errorf("tell a bound: %+v, %s", told, said)
	}
	var bounded TrialsResponse
	if said := use("trials", nil, &bounded); said != "" || bounded.Trials[4].Bound != "<" || bounded.Trials[4].Measurements[0].Bound != "<" {
		t.Errorf("trials with a bound: %+v, %s", bounded, said)
	}
	if said := use("tell", map[string]any{"answers": []any{map[string]any{"input": strings.Repeat("C", 20000), "score": 1}}}, &struct{}{}); len(said) > 300 || !strings.Contains(said, "answers[0].input") {
		t.Errorf("of a long string: %d bytes, %.300s", len(said), said)
	}
	if said := use("tell", map[string]any{"answers": []any{map[string]any{"trial": 3, "score": 1e101}}}, &struct{}{}); strings.Contains(said, "99999") || strings.Contains(said, "validating") {
		t.Errorf("of a score that is too large: %s", said)
	}
	var withdrawn Trial
	if said := use("withdraw", map[string]any{"trial": 4, "reason": "no codon"}, &withdrawn); said != "" || withdrawn.State != "failed" {
		t.Errorf("withdraw: %+v, %s", withdrawn, said)
	}
	var status Status
	if said := use("status", nil, &status); said != "" || status.Scored != 4 || status.Failed != 1 || *status.Best.Score != 7.5 {
		t.Errorf("status: %+v, %s", status, said)
	}
	var page TrialsResponse
	if said := use("trials", map[string]any{"limit": 3}, &page); said != "" || len(page.Trials) != 3 || !page.More {
		t.Errorf("trials: %+v, %s", page, said)
	}
	for _, test := range []struct {
		tool, words string
		arguments   map[string]any
	}{
		{"status", `there is no study "lbb"; did you mean "lab"?`, map[string]any{"study": "lbb"}},
		{"tell", "answers[1]: there is no trial 99", map[string]any{"answers": append(answers, map[string]any{"trial": 99, "score": 1})}},
		{"ask", "1000", map[string]any{"n": 1001}},
		{"ask", "number", map[string]any{"number": 3}},
		{"withdraw", "its state is failed", map[string]any{"trial": 4}},
		{"trials", "the cursor is not one of this server", map[string]any{"cursor": "x"}},
	} {
		if said := use(test.tool, test.arguments, &struct{}{}); !strings.Contains(said, test.words) {
			t.Errorf("%s %v: %q, want %s", test.tool, test.arguments, said, test.words)
		}
	}
}
