package serve

import (
	"context"
	"encoding/json"
	"errors"
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
	input := schemaOf[In]()
	tool := &mcp.Tool{Name: name, Description: about, Annotations: hints, InputSchema: input.document(), OutputSchema: schemaOf[Out]().document()}
	server.AddTool(tool, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in In
		var out *Out
		err := input.read(r.Params.Arguments, &in)
		if err == nil {
			out, err = verb(ctx, in)
		}
		result := &mcp.CallToolResult{}
		if err != nil {
			result.SetError(inWords(err))
			return result, nil
		}
		text, err := json.Marshal(out)
		if err != nil {
			return nil, err
		}
		result.StructuredContent = json.RawMessage(text)
		result.Content = []mcp.Content{&mcp.TextContent{Text: string(text)}} // for clients that know no structured content
		return result, nil
	})
}

// schema is the JSON schema of a type, by its tags.
type schema struct {
	*huma.Schema
	registry huma.Registry // of the schemas that it refers to
}

func schemaOf[T any]() schema {
	registry := huma.NewMapRegistry("#/$defs/", huma.DefaultSchemaNamer)
	return schema{registry.Schema(reflect.TypeFor[T](), false, "Request"), registry}
}

// document returns the schema with those that it refers to.
func (s schema) document() map[string]any {
	text, err := json.Marshal(s.Schema)
	document := map[string]any{}
	if err == nil {
		err = json.Unmarshal(text, &document)
	}
	if err != nil {
		panic(err) // a type of this package
	}
	document["$defs"] = s.registry
	return document
}

// read reads arguments as the HTTP API reads a body. The error is one of huma.
func (s schema) read(text json.RawMessage, into any) error {
	if len(text) == 0 || string(text) == "null" {
		text = json.RawMessage("{}")
	}
	var value any
	if err := decode(text, &value); err != nil {
		return huma.Error400BadRequest(err.Error())
	}
	var result huma.ValidateResult
	huma.Validate(s.registry, s.Schema, huma.NewPathBuffer(nil, 0), huma.ModeWriteToServer, value, &result)
	if len(result.Errors) > 0 {
		return huma.Error422UnprocessableEntity(wrongRequest, result.Errors...)
	}
	if err := decode(text, into); err != nil {
		return huma.Error422UnprocessableEntity(err.Error())
	}
	return nil
}

// inWords adds the details of an error to its text, without the values: assistants read nothing else.
func inWords(err error) error {
	m, ok := errors.AsType[*huma.ErrorModel](err)
	if !ok {
		return err
	}
	plain(m)
	words := []string{m.Detail}
	for _, d := range m.Errors {
		words = append(words, strings.TrimPrefix(place(d)+": "+d.Message, ": "))
	}
	return errors.New(strings.Join(words, "\n"))
}
