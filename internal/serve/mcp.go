package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// OfStudy names the study that a tool is used on. It is exported because huma looks into no other.
type OfStudy struct {
	Study string `json:"study,omitempty" maxLength:"64" doc:"Name of the study. It may be left out if there is only one."`
}

// NewMCP returns the verbs of a service as tools of an assistant.
func NewMCP(s *Service, version string) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "invbo", Title: "InvBO", Version: version}, &mcp.ServerOptions{
		Instructions: "Studies that search for strings (molecules, protein sequences) with a good score, which people measure. " +
			"Use status to see where a study stands, ask for what to measure next, tell what was measured, and withdraw what nobody will measure. " +
			"Never tell a score that was not measured. The studies are: " + strings.Join(s.Names(), ", ") + ".",
		Capabilities: &mcp.ServerCapabilities{},
	})
	no := false
	reads := &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &no}
	writes := &mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no}
	repeatable := &mcp.ToolAnnotations{DestructiveHint: &no, OpenWorldHint: &no, IdempotentHint: true}

	addTool(server, "status", "Say where a study stands: what was measured, the best, how good predictions were, what waits.", reads,
		func(ctx context.Context, in OfStudy) (*Status, error) {
			return do(ctx, s, in.Study, "say where it stands", (*entry).status, struct{}{})
		})
	addTool(server, "ask", askAbout, writes, func(ctx context.Context, in struct {
		OfStudy
		AskRequest
	}) (*AskResponse, error) {
		return do(ctx, s, in.Study, "ask", (*entry).ask, &in.AskRequest)
	})
	addTool(server, "tell", tellAbout, repeatable, func(ctx context.Context, in struct {
		OfStudy
		TellRequest
	}) (*TellResponse, error) {
		return do(ctx, s, in.Study, "tell", (*entry).tell, in.TellRequest)
	})
	addTool(server, "strike", strikeAbout, repeatable, func(ctx context.Context, in struct {
		OfStudy
		StrikeRequest
	}) (*Trial, error) {
		return do(ctx, s, in.Study, "strike", (*entry).strike, in.StrikeRequest)
	})
	addTool(server, "withdraw", withdrawAbout, repeatable, func(ctx context.Context, in struct {
		OfStudy
		WithdrawRequest
	}) (*Trial, error) {
		return do(ctx, s, in.Study, "withdraw", (*entry).withdraw, in.WithdrawRequest)
	})
	addTool(server, "trials", trialsAbout, reads, func(ctx context.Context, in struct {
		OfStudy
		TrialsRequest
	}) (*TrialsResponse, error) {
		return do(ctx, s, in.Study, "list trials", (*entry).trials, in.TrialsRequest)
	})
	return server
}

// addTool adds a verb, with the schemas that it has in the HTTP API.
func addTool[In, Out any](server *mcp.Server, name, about string, hints *mcp.ToolAnnotations, verb func(context.Context, In) (*Out, error)) {
	tool := &mcp.Tool{Name: name, Description: about, Annotations: hints, InputSchema: schemaOf[In](), OutputSchema: schemaOf[Out]()}
	mcp.AddTool(server, tool, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, *Out, error) {
		out, err := verb(ctx, in)
		return nil, out, inWords(err)
	})
}

// schemaOf returns the JSON schema of a type by its tags.
func schemaOf[T any]() map[string]any {
	const prefix = "#/$defs/"
	registry := huma.NewMapRegistry(prefix, huma.DefaultSchemaNamer)
	text, err := json.Marshal(registry.Schema(reflect.TypeFor[T](), false, "Request"))
	schema := map[string]any{}
	if err == nil {
		err = json.Unmarshal(text, &schema)
	}
	if err != nil {
		panic(err) // a type of this package
	}
	schema["$defs"] = registry
	return schema
}

// inWords adds the details of an error to its text: assistants read nothing else.
func inWords(err error) error {
	m, ok := errors.AsType[*huma.ErrorModel](err)
	if !ok {
		return err
	}
	words := []string{m.Detail}
	for _, d := range m.Errors {
		words = append(words, fmt.Sprintf("%s: %s", strings.TrimPrefix(d.Location, "body."), d.Message))
	}
	return errors.New(strings.Join(words, "\n"))
}
