package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/invbo/invbo/internal/usage"
)

// longestLine bounds a message of an assistant, in bytes.
const longestLine = 4 << 20

// Lines returns the transport of an MCP server whose messages are lines, as over standard input and output. A line that
// is no message is answered with an error, and the server lives on.
func Lines(in io.Reader, out io.Writer) mcp.Transport {
	w := &lineWriter{out: out}
	r, good := io.Pipe()
	go func() { // ends with the input or, as nothing interrupts a read of that, at its next line after the server
		good.CloseWithError(w.filter(in, good))
	}()
	return &mcp.IOTransport{Reader: r, Writer: w}
}

// filter copies the lines that are messages, and answers the others.
func (w *lineWriter) filter(in io.Reader, to io.Writer) error {
	lines := bufio.NewReaderSize(in, 1<<16)
	for {
		line, err := readLine(lines)
		if len(bytes.TrimSpace(line)) > 0 || line == nil && err == nil {
			if id, code, why := wrong(line); why != "" {
				if err := w.answer(id, code, why); err != nil {
					return err
				}
			} else if _, err := to.Write(append(bytes.TrimSpace(line), '\n')); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
	}
}

// readLine returns the next line; nil if it is too long. The rest of such a line is skipped.
func readLine(lines *bufio.Reader) (line []byte, err error) {
	long := false
	for {
		part, err := lines.ReadSlice('\n')
		if long = long || len(line)+len(part) > longestLine; !long {
			line = append(line, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if long {
			return nil, err
		}
		if line == nil {
			line = []byte{}
		}
		return line, err
	}
}

// Codes of errors of JSON-RPC.
const (
	parseError     = -32700
	invalidRequest = -32600
)

// wrong says what is wrong with a line, and the ID of its request; nothing if it is a message.
func wrong(line []byte) (id any, code int, why string) {
	if line == nil {
		return nil, invalidRequest, fmt.Sprintf("the message has more than %d MiB", longestLine>>20)
	}
	if !json.Valid(line) {
		return nil, parseError, "it is no JSON: give a message of JSON-RPC 2.0 on each line"
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil { // whose text is about types of Go
		return nil, invalidRequest, `it is no message of JSON-RPC 2.0: give an object such as {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}`
	}
	if request, ok := message.(*jsonrpc.Request); ok {
		id = request.ID.Raw()
	}
	var value any
	if err := decode(line, &value); err != nil {
		return id, invalidRequest, err.Error()
	}
	return nil, 0, ""
}

// lineWriter writes whole lines, in which no text has characters that change what a terminal shows.
type lineWriter struct {
	mu     sync.Mutex
	out    io.Writer
	closed bool
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return 0, io.ErrClosedPipe
	}
	if _, err := w.out.Write(usage.VisibleJSON(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close leaves the output open, which is the program's. Nothing more is written.
func (w *lineWriter) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	return nil
}

// answer writes an error about a line; the ID may be unknown.
func (w *lineWriter) answer(id any, code int, why string) error {
	type problem struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	text, err := json.Marshal(struct {
		Version string  `json:"jsonrpc"`
		ID      any     `json:"id"`
		Error   problem `json:"error"`
	}{"2.0", id, problem{code, why}})
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}
