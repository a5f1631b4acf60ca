// Package safetensors reads and writes named tensors in the safetensors format: eight bytes of header
// length (little endian), a JSON header, then the data, row major and little endian.
package safetensors

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
)

// maxHeader keeps a damaged length from asking for all memory; 100 MB is the format's own limit.
const maxHeader = 100 << 20

// ErrTruncated says that a file ends before its header or its tensors do.
var ErrTruncated = errors.New("the file is cut short; copy or download it again")

// File is a decoded file.
type File struct {
	Metadata map[string]string
	tensors  map[string]entry
	data     []byte
}

type entry struct {
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// ReadFile reads the file at path.
func ReadFile(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return st, nil
}

// Read reads a whole file and checks that every tensor lies within it.
func Read(r io.Reader) (*File, error) {
	var length uint64
	if err := binary.Read(r, binary.LittleEndian, &length); err != nil {
		return nil, fmt.Errorf("safetensors: header length: %w", truncated(err))
	}
	if length > maxHeader {
		return nil, fmt.Errorf("safetensors: header of %d bytes: this is not a safetensors file", length)
	}
	header := make([]byte, length)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, fmt.Errorf("safetensors: header: %w", truncated(err))
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(header, &raw); err != nil {
		return nil, fmt.Errorf("safetensors: header is not JSON, so this is not a safetensors file: %w", err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("safetensors: data: %w", err)
	}
	f := &File{Metadata: map[string]string{}, tensors: make(map[string]entry, len(raw)), data: data}
	for name, msg := range raw {
		if name == "__metadata__" {
			if err := json.Unmarshal(msg, &f.Metadata); err != nil {
				return nil, fmt.Errorf("safetensors: metadata: %w", err)
			}
			continue
		}
		var e entry
		if err := json.Unmarshal(msg, &e); err != nil {
			return nil, fmt.Errorf("safetensors: tensor %q: %w", name, err)
		}
		if err := e.check(len(data)); err != nil {
			return nil, fmt.Errorf("safetensors: tensor %q: %w", name, err)
		}
		f.tensors[name] = e
	}
	return f, nil
}

func (e entry) check(length int) error {
	width, ok := map[string]int{"F32": 4, "F64": 8}[e.DType]
	if !ok {
		return fmt.Errorf("type %s: only F32 and F64 are read", e.DType)
	}
	n := 1
	for _, s := range e.Shape {
		if s < 0 || (s > 0 && n > math.MaxInt32/s) {
			return fmt.Errorf("shape %v is out of range", e.Shape)
		}
		n *= s
	}
	if e.Offsets[0] < 0 || e.Offsets[1]-e.Offsets[0] != n*width {
		return fmt.Errorf("offsets %v do not fit shape %v of %s", e.Offsets, e.Shape, e.DType)
	}
	if e.Offsets[1] > length {
		return fmt.Errorf("ends at byte %d of %d: %w", e.Offsets[1], length, ErrTruncated)
	}
	return nil
}

func truncated(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return err
}

// Names returns the names of all tensors, sorted.
func (f *File) Names() []string { return slices.Sorted(maps.Keys(f.tensors)) }

// Float64s returns a tensor's values and shape.
func (f *File) Float64s(name string) ([]float64, []int, error) {
	e, ok := f.tensors[name]
	if !ok {
		return nil, nil, fmt.Errorf("safetensors: no tensor %q", name)
	}
	b := f.data[e.Offsets[0]:e.Offsets[1]]
	if e.DType == "F64" {
		v := make([]float64, len(b)/8)
		for i := range v {
			v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
		return v, e.Shape, nil
	}
	v := make([]float64, len(b)/4)
	for i := range v {
		v[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	return v, e.Shape, nil
}

// Float32s returns a tensor's values, rounded to float32, and its shape.
func (f *File) Float32s(name string) ([]float32, []int, error) {
	wide, shape, err := f.Float64s(name)
	if err != nil {
		return nil, nil, err
	}
	v := make([]float32, len(wide))
	for i, x := range wide {
		v[i] = float32(x)
	}
	return v, shape, nil
}

// Tensor is one tensor to write.
type Tensor struct {
	Name  string
	Shape []int
	Data  []float32
}

// Write writes tensors, in the order given, as F32.
func Write(w io.Writer, metadata map[string]string, tensors []Tensor) error {
	header := map[string]any{}
	if len(metadata) > 0 {
		header["__metadata__"] = metadata
	}
	end := 0
	for _, t := range tensors {
		if _, twice := header[t.Name]; twice {
			return fmt.Errorf("safetensors: tensor %q is written twice", t.Name)
		}
		n := 1
		for _, s := range t.Shape {
			n *= s
		}
		if n != len(t.Data) {
			return fmt.Errorf("safetensors: tensor %q: shape %v, but %d values", t.Name, t.Shape, len(t.Data))
		}
		header[t.Name] = entry{DType: "F32", Shape: t.Shape, Offsets: [2]int{end, end + 4*n}}
		end += 4 * n
	}
	text, err := json.Marshal(header) // sorted by key: the same tensors give the same bytes
	if err != nil {
		return fmt.Errorf("safetensors: header: %w", err)
	}
	for len(text)%8 != 0 { // the data starts aligned
		text = append(text, ' ')
	}
	buf := make([]byte, 0, 8+len(text)+end)
	buf = binary.LittleEndian.AppendUint64(buf, uint64(len(text)))
	buf = append(buf, text...)
	for _, t := range tensors {
		for _, v := range t.Data {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
		}
	}
	if _, err := w.Write(buf); err != nil {
		return fmt.Errorf("safetensors: %w", err)
	}
	return nil
}
