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
	"slices"
)

// maxHeader limits the memory that a damaged header length can claim; 100 MB is the format's own limit.
const maxHeader = 100 << 20

// ErrTruncated says that a file ends within its header or its tensors.
var ErrTruncated = errors.New("the file is cut short; copy or download it again")

// DType is the storage type of a tensor's values.
type DType string

// The types that can be read.
const (
	F64  DType = "F64"
	F32  DType = "F32"
	F16  DType = "F16"  // IEEE 754 binary16
	BF16 DType = "BF16" // the upper half of a float32
	I64  DType = "I64"
)

// Width returns the size of a value in bytes, or 0 if the type cannot be read.
func (d DType) Width() int { return map[DType]int{F64: 8, I64: 8, F32: 4, F16: 2, BF16: 2}[d] }

// Values returns the little-endian values of type d in b, rounded to T where T cannot hold them exactly. d must be one
// of the types that can be read.
func Values[T float32 | float64](d DType, b []byte) []T {
	values := make([]T, 0, len(b)/d.Width())
	for raw := range slices.Chunk(b, d.Width()) {
		var v T
		switch d {
		case F64:
			v = T(math.Float64frombits(binary.LittleEndian.Uint64(raw)))
		case F32:
			v = T(math.Float32frombits(binary.LittleEndian.Uint32(raw)))
		case F16:
			v = T(fromHalf(binary.LittleEndian.Uint16(raw)))
		case BF16:
			v = T(math.Float32frombits(uint32(binary.LittleEndian.Uint16(raw)) << 16))
		case I64:
			v = T(int64(binary.LittleEndian.Uint64(raw)))
		}
		values = append(values, v)
	}
	return values
}

// File is a decoded file.
type File struct {
	Metadata map[string]string
	tensors  map[string]entry
	data     []byte
}

type entry struct {
	DType   DType  `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// ReadMetadata reads the metadata of a file, and nothing behind its header.
func ReadMetadata(r io.Reader) (map[string]string, error) {
	metadata, _, err := readHeader(r)
	return metadata, err
}

// readHeader reads the metadata, and what it says of each tensor, as JSON.
func readHeader(r io.Reader) (metadata map[string]string, tensors map[string]json.RawMessage, err error) {
	var length uint64
	if err := binary.Read(r, binary.LittleEndian, &length); err != nil {
		return nil, nil, fmt.Errorf("safetensors: header length: %w", truncated(err))
	}
	if length > maxHeader {
		return nil, nil, fmt.Errorf("safetensors: header of %d bytes: this is not a safetensors file", length)
	}
	header := make([]byte, length)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, nil, fmt.Errorf("safetensors: header: %w", truncated(err))
	}
	if err := json.Unmarshal(header, &tensors); err != nil {
		return nil, nil, fmt.Errorf("safetensors: header is not JSON, so this is not a safetensors file: %w", err)
	}
	metadata = map[string]string{}
	const name = "__metadata__"
	if msg, ok := tensors[name]; ok {
		if err := json.Unmarshal(msg, &metadata); err != nil {
			return nil, nil, fmt.Errorf("safetensors: metadata: %w", err)
		}
		delete(tensors, name)
	}
	return metadata, tensors, nil
}

// Read reads a whole file and checks that all tensors lie within it and do not overlap.
func Read(r io.Reader) (*File, error) {
	metadata, raw, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("safetensors: data: %w", err)
	}
	f := &File{Metadata: metadata, tensors: make(map[string]entry, len(raw)), data: data}
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		var e entry
		if err := json.Unmarshal(raw[name], &e); err != nil {
			return nil, fmt.Errorf("safetensors: tensor %q: %w", name, err)
		}
		if err := e.check(len(data)); err != nil {
			return nil, fmt.Errorf("safetensors: tensor %q: %w", name, err)
		}
		f.tensors[name] = e
	}
	if err := f.disjoint(); err != nil {
		return nil, fmt.Errorf("safetensors: %w", err)
	}
	return f, nil
}

func (e entry) check(length int) error {
	width := e.DType.Width()
	if width == 0 {
		return fmt.Errorf("type %s: only F64, F32, F16, BF16 and I64 can be read", e.DType)
	}
	n, err := elements(e.Shape)
	if err != nil {
		return err
	}
	if e.Offsets[0] < 0 || e.Offsets[1] < e.Offsets[0] || e.Offsets[1]-e.Offsets[0] != n*width { // the second condition prevents an overflow of the difference
		return fmt.Errorf("offsets %v do not fit shape %v of %s", e.Offsets, e.Shape, e.DType)
	}
	if e.Offsets[1] > length {
		return fmt.Errorf("ends at byte %d of %d: %w", e.Offsets[1], length, ErrTruncated)
	}
	return nil
}

// elements returns the number of values of a tensor.
func elements(shape []int) (int, error) {
	n := 1
	for _, s := range shape {
		if s < 0 || s > 0 && n > math.MaxInt32/s {
			return 0, fmt.Errorf("shape %v is out of range", shape)
		}
		n *= s
	}
	return n, nil
}

// disjoint returns an error if tensors share bytes: the format forbids it, and a small file could otherwise claim more
// values than fit into memory.
func (f *File) disjoint() error {
	names := f.Names()
	slices.SortStableFunc(names, func(a, b string) int {
		x, y := f.tensors[a].Offsets, f.tensors[b].Offsets
		return slices.Compare(x[:], y[:])
	})
	for i, name := range names[min(1, len(names)):] {
		if before := f.tensors[names[i]]; f.tensors[name].Offsets[0] < before.Offsets[1] {
			return fmt.Errorf("tensors %q and %q share bytes: the file is damaged; copy or download it again", names[i], name)
		}
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
func (f *File) Float64s(name string) ([]float64, []int, error) { return values[float64](f, name) }

// Float32s returns a tensor's values, rounded to float32, and its shape.
func (f *File) Float32s(name string) ([]float32, []int, error) { return values[float32](f, name) }

func values[T float32 | float64](f *File, name string) ([]T, []int, error) {
	e, ok := f.tensors[name]
	if !ok {
		return nil, nil, fmt.Errorf("safetensors: no tensor %q", name)
	}
	return Values[T](e.DType, f.data[e.Offsets[0]:e.Offsets[1]]), e.Shape, nil
}

// Tensor is one tensor to write.
type Tensor struct {
	Name  string
	Shape []int
	Data  []float32
	Half  bool // written as F16, rounded to nearest even, not as F32
}

// Write writes tensors in the given order. A value too large for F16 is an error.
func Write(w io.Writer, metadata map[string]string, tensors []Tensor) error {
	header := map[string]any{}
	if len(metadata) > 0 {
		header["__metadata__"] = metadata
	}
	var data []byte
	for _, t := range tensors {
		if _, twice := header[t.Name]; twice {
			return fmt.Errorf("safetensors: tensor %q is written twice", t.Name)
		}
		if n, err := elements(t.Shape); err != nil || n != len(t.Data) {
			return fmt.Errorf("safetensors: tensor %q: shape %v, but %d values", t.Name, t.Shape, len(t.Data))
		}
		e := entry{DType: F32, Shape: t.Shape}
		if t.Half {
			e.DType = F16
		}
		e.Offsets[0] = len(data)
		var err error
		if data, err = t.append(data); err != nil {
			return fmt.Errorf("safetensors: tensor %q: %w", t.Name, err)
		}
		e.Offsets[1] = len(data)
		header[t.Name] = e
	}
	text, err := json.Marshal(header) // sorted by key, so that the same tensors give the same bytes
	if err != nil {
		return fmt.Errorf("safetensors: header: %w", err)
	}
	for len(text)%8 != 0 { // the data starts aligned
		text = append(text, ' ')
	}
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	if _, err := w.Write(slices.Concat(length, text, data)); err != nil {
		return fmt.Errorf("safetensors: %w", err)
	}
	return nil
}

// append appends the values to buf.
func (t *Tensor) append(buf []byte) ([]byte, error) {
	for i, v := range t.Data {
		if !t.Half {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
			continue
		}
		h, ok := toHalf(v)
		if !ok {
			return nil, fmt.Errorf("value %d is %g, too large for half precision: write it as F32", i, v)
		}
		buf = binary.LittleEndian.AppendUint16(buf, h)
	}
	return buf, nil
}
