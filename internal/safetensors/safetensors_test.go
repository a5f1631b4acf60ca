package safetensors_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/safetensors"
)

func TestRoundTrip(t *testing.T) {
	var buf bytes.Buffer
	in := []safetensors.Tensor{
		{Name: "b", Shape: []int{2, 3}, Data: []float32{1, -2, 3.5, 0, float32(math.Inf(1)), 1e-40}},
		{Name: "a", Shape: []int{}, Data: []float32{7}},
		{Name: "empty", Shape: []int{0, 4}},
		{Name: "half", Shape: []int{3}, Data: []float32{1, -2.5, 0x1p-24}, Half: true},
	}
	if err := safetensors.Write(&buf, map[string]string{"seed": "1"}, in); err != nil {
		t.Fatal(err)
	}
	f, err := safetensors.Read(&buf)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.Names(), []string{"a", "b", "empty", "half"}; !slices.Equal(got, want) {
		t.Errorf("Names = %q, want %q", got, want)
	}
	if f.Metadata["seed"] != "1" {
		t.Errorf("Metadata = %v, want the seed", f.Metadata)
	}
	for _, want := range in {
		got, shape, err := f.Float32s(want.Name)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want.Data) || !slices.Equal(shape, want.Shape) {
			t.Errorf("%s = %v %v, want %v %v", want.Name, got, shape, want.Data, want.Shape)
		}
	}
	if _, _, err := f.Float32s("c"); err == nil {
		t.Error("a missing tensor gave no error")
	}
}

func TestEveryTruncationIsAnError(t *testing.T) {
	var buf bytes.Buffer
	if err := safetensors.Write(&buf, nil, []safetensors.Tensor{{Name: "w", Shape: []int{3}, Data: []float32{1, 2, 3}}}); err != nil {
		t.Fatal(err)
	}
	whole := buf.Bytes()
	for n := range whole {
		if _, err := safetensors.Read(bytes.NewReader(whole[:n])); !errors.Is(err, safetensors.ErrTruncated) {
			t.Errorf("%d of %d bytes: error %v, want ErrTruncated", n, len(whole), err)
		}
	}
}

func TestReadMetadataReadsNoTensors(t *testing.T) {
	var buf bytes.Buffer
	if err := safetensors.Write(&buf, map[string]string{"k": "v"}, []safetensors.Tensor{{Name: "w", Shape: []int{3}, Data: []float32{1, 2, 3}}}); err != nil {
		t.Fatal(err)
	}
	metadata, err := safetensors.ReadMetadata(&buf)
	if want := map[string]string{"k": "v"}; err != nil || !maps.Equal(metadata, want) {
		t.Errorf("metadata %v, %v, want %v", metadata, err, want)
	}
	if left := buf.Len(); left != 3*4 {
		t.Errorf("%d bytes are left, want the 12 of the tensor", left)
	}
}

func TestWriteRefuses(t *testing.T) {
	tests := []struct {
		name    string
		tensors []safetensors.Tensor
		want    string
	}{
		{"a shape that does not fit", []safetensors.Tensor{{Name: "w", Shape: []int{2}, Data: []float32{1}}}, "1 values"},
		{"more than a half can hold", []safetensors.Tensor{{Name: "w", Shape: []int{2}, Data: []float32{65504, 65520}, Half: true}}, "value 1 is 65520"},
		{"a name used twice", []safetensors.Tensor{{Name: "w", Shape: []int{0}}, {Name: "w", Shape: []int{0}}}, "twice"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := safetensors.Write(&bytes.Buffer{}, nil, tt.tensors); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one that says %q", err, tt.want)
			}
		})
	}
}

// Files of the types that can be read but not written, byte for byte.
func TestReadsTypes(t *testing.T) {
	tests := []struct {
		dtype string
		data  string // little endian
		want  []float64
	}{
		{"F64", "\x9a\x99\x99\x99\x99\x99\xb9\x3f", []float64{0.1}},
		{"F32", "\x00\x00\x80\xbf", []float64{-1}},
		{"F16", "\x00\x3c\x00\xc1\xff\x7b", []float64{1, -2.5, 65504}},
		{"BF16", "\x80\x3f\x20\xc0\x80\x7f", []float64{1, -2.5, math.Inf(1)}},
		{"I64", "\xfe\xff\xff\xff\xff\xff\xff\xff\x61\x00\x00\x00\x00\x00\x00\x00", []float64{-2, 97}},
	}
	for _, test := range tests {
		header := fmt.Sprintf(`{"w":{"dtype":%q,"shape":[%d],"data_offsets":[0,%d]}}`, test.dtype, len(test.want), len(test.data))
		f, err := safetensors.Read(file(header, test.data))
		if err != nil {
			t.Errorf("%s: %v", test.dtype, err)
			continue
		}
		if got, _, err := f.Float64s("w"); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, %v, want %v", test.dtype, got, err, test.want)
		}
	}
}

// file returns a file with the given header and data.
func file(header, data string) io.Reader {
	length := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return strings.NewReader(string(length) + header + data)
}

func TestReadRefuses(t *testing.T) {
	w := func(dtype, shape, offsets string) string {
		return fmt.Sprintf(`{"dtype":%q,"shape":%s,"data_offsets":%s}`, dtype, shape, offsets)
	}
	tests := []struct{ name, header, want string }{
		{"no JSON", `PK`, "not JSON"},
		{"metadata that are no strings", `{"__metadata__":{"k":1}}`, "metadata"},
		{"a tensor that is none", `{"w":[1]}`, `tensor "w"`},
		{"a type that is not read", `{"w":` + w("I8", "[8]", "[0,8]") + `}`, "type I8"},
		{"a negative size", `{"w":` + w("F32", "[-1,-2]", "[0,8]") + `}`, "out of range"},
		{"sizes whose product overflows", `{"w":` + w("F32", "[4294967296,4294967296]", "[0,0]") + `}`, "out of range"},
		{"a wrong size", `{"w":` + w("F32", "[2]", "[0,4]") + `}`, "do not fit"},
		{"a beginning before the data", `{"w":` + w("F32", "[2]", "[-4,4]") + `}`, "do not fit"},
		{"an end before the beginning", `{"w":` + w("F32", "[2]", "[8,0]") + `}`, "do not fit"},
		{"offsets whose difference overflows", `{"w":` + w("F32", "[1]", "[9223372036854775807,-9223372036854775805]") + `}`, "do not fit"},
		{"an end behind the data", `{"w":` + w("F32", "[2]", "[4,12]") + `}`, "byte 12 of 8"},
		{"tensors that share a value", `{"a":` + w("F32", "[1]", "[4,8]") + `,"b":` + w("F16", "[3]", "[0,6]") + `}`, `"b" and "a" share bytes`},
		{"tensors in the same place", `{"a":` + w("F64", "[1]", "[0,8]") + `,"b":` + w("F64", "[1]", "[0,8]") + `}`, `"a" and "b" share bytes`},
	}
	for _, tt := range tests {
		if _, err := safetensors.Read(file(tt.header, "8 bytes.")); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one that says %q", tt.name, err, tt.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	var buf bytes.Buffer
	_ = safetensors.Write(&buf, map[string]string{"k": "v"}, []safetensors.Tensor{{Name: "w", Shape: []int{1, 2}, Data: []float32{1, 2}}})
	f.Add(buf.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := safetensors.Read(bytes.NewReader(b))
		if err != nil {
			return
		}
		for _, name := range file.Names() {
			if _, _, err := file.Float64s(name); err != nil {
				t.Errorf("%q was read, but not given: %v", name, err)
			}
		}
	})
}
