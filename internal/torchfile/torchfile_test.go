package torchfile_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/safetensors"
	"github.com/invbo/invbo/internal/torchfile"
)

// The files of testdata are from PyTorch 1.13 (Debian's python3-torch):
//
//	import collections, os, torch
//	from torch import nn
//
//	w = torch.arange(12.).reshape(3, 4)
//	linear = nn.Linear(2, 3)
//	with torch.no_grad():
//	    linear.weight.copy_(w[:, :2]); linear.bias.copy_(w[0, :3])
//
//	class Shell:
//	    def __reduce__(self):
//	        return os.system, ("true",)
//
//	torch.save(linear.state_dict(), "module.pt")
//	torch.save(linear.state_dict(), "legacy.pt", _use_new_zipfile_serialization=False)
//	torch.save(collections.OrderedDict(
//	    half=torch.tensor([1, -2.5]).half(), bfloat16=torch.tensor([1, -2.5]).bfloat16(),
//	    double=torch.tensor([0.5], dtype=torch.float64), long=torch.tensor([-3, 97])), "types.pt")
//	torch.save({"transposed": w.t(), "row": w[1], "columns": w[:, 1::2], "expanded": w[0, 2:3].expand(2, 3),
//	    "parameter": nn.Parameter(w[2]), "scalar": torch.tensor(7.), "empty": torch.empty(0, 3)}, "views.pt")
//	torch.save({"epoch": 3, "lr": 1e-3, "seed": 2**70, "step": -2**40, "shape": torch.Size([1, 300, 70000]), "best": torch.tensor(0.25),
//	    "state_dict": linear.state_dict(), "optimizer_states": [torch.optim.Adam(linear.parameters()).state_dict()],
//	    "done": True, "names": ["a", "b"], "none": None}, "checkpoint.pt")
//	torch.save({"a": linear.state_dict(), "b": linear.state_dict()}, "two.pt")
//	torch.save({"weight": w, "shell": Shell()}, "code.pt")
//	torch.save(linear, "pickled-module.pt")
//	torch.save(w, "tensor.pt")
//	torch.save({"epoch": 3}, "no-tensors.pt")
func file(name string) string { return filepath.Join("testdata", name) }

func TestReadFile(t *testing.T) {
	linear := []safetensors.Tensor{
		{Name: "weight", Shape: []int{3, 2}, Data: []float32{0, 1, 4, 5, 8, 9}},
		{Name: "bias", Shape: []int{3}, Data: []float32{0, 1, 2}},
	}
	tests := []struct {
		file string
		want []safetensors.Tensor
	}{
		{"module.pt", linear},
		{"checkpoint.pt", linear},
		{"types.pt", []safetensors.Tensor{
			{Name: "half", Shape: []int{2}, Data: []float32{1, -2.5}},
			{Name: "bfloat16", Shape: []int{2}, Data: []float32{1, -2.5}},
			{Name: "double", Shape: []int{1}, Data: []float32{0.5}},
			{Name: "long", Shape: []int{2}, Data: []float32{-3, 97}},
		}},
		{"views.pt", []safetensors.Tensor{
			{Name: "transposed", Shape: []int{4, 3}, Data: []float32{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}},
			{Name: "row", Shape: []int{4}, Data: []float32{4, 5, 6, 7}},
			{Name: "columns", Shape: []int{3, 2}, Data: []float32{1, 3, 5, 7, 9, 11}},
			{Name: "expanded", Shape: []int{2, 3}, Data: []float32{2, 2, 2, 2, 2, 2}},
			{Name: "parameter", Shape: []int{4}, Data: []float32{8, 9, 10, 11}},
			{Name: "scalar", Shape: []int{}, Data: []float32{7}},
			{Name: "empty", Shape: []int{0, 3}, Data: []float32{}},
		}},
	}
	for _, test := range tests {
		got, err := torchfile.ReadFile(file(test.file))
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if len(got) != len(test.want) {
			t.Errorf("%s: %d tensors, want %d", test.file, len(got), len(test.want))
			continue
		}
		for i, want := range test.want {
			if got[i].Name != want.Name || !slices.Equal(got[i].Shape, want.Shape) || !slices.Equal(got[i].Data, want.Data) {
				t.Errorf("%s: tensor %d = %+v, want %+v", test.file, i, got[i], want)
			}
		}
	}
}

func TestReadFileRefuses(t *testing.T) {
	tests := []struct{ file, want string }{
		{"missing.pt", "no such file"},
		{"code.pt", `it needs "posix.system", but only dictionaries of tensors can be read`},
		{"pickled-module.pt", `it needs "torch.nn.modules.linear.Linear"`},
		{"legacy.pt", "the format of PyTorch before 1.6; write it again"},
		{"tensor.pt", "not a dictionary of tensors"},
		{"no-tensors.pt", `there are no tensors in it, but ["epoch"]`},
		{"two.pt", `"a" and "b" hold the same number of tensors`},
	}
	for _, test := range tests {
		tensors, err := torchfile.ReadFile(file(test.file))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %d tensors and error %v, want one with %q", test.file, len(tensors), err, test.want)
		}
	}
}

func TestEveryTruncationIsAnError(t *testing.T) {
	whole, err := os.ReadFile(file("module.pt"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		_, err := torchfile.Read(bytes.NewReader(whole[:n]), int64(n))
		if err == nil || n >= 4 && !errors.Is(err, safetensors.ErrTruncated) {
			t.Errorf("%d of %d bytes: error %v, want ErrTruncated", n, len(whole), err)
		}
	}
}

// A changed byte is an error, or is in a name or date that is not read, and the tensors are the same.
func TestDamageIsNoticed(t *testing.T) {
	whole, err := os.ReadFile(file("module.pt"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := torchfile.Read(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		damaged := slices.Clone(whole)
		damaged[i] ^= 0x10
		got, err := torchfile.Read(bytes.NewReader(damaged), int64(len(damaged)))
		if err != nil {
			continue
		}
		for k := range want {
			if got[k].Name != want[k].Name || !slices.Equal(got[k].Data, want[k].Data) {
				t.Errorf("byte %d: %+v without an error, want %+v", i, got[k], want[k])
			}
		}
	}
}

// Archives that claim more than they hold.
func TestReadRefuses(t *testing.T) {
	const (
		begin = "\x80\x02}(" // PROTO 2, EMPTY_DICT, MARK
		end   = "u."
		four  = "\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40\x00\x00\x80\x40"
	)
	// tensor is an entry "w" of a storage of length values, at offset, with one dimension.
	tensor := func(length, offset, rows, stride string) string {
		return "X\x01\x00\x00\x00wctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nFloatStorage\n" +
			"X\x01\x00\x00\x000X\x03\x00\x00\x00cpu" + length + "tQ" + offset + rows + "\x85" + stride + "\x85\x89NtR"
	}
	tests := []struct {
		name, pickle, data string
		method             uint16
		want               string
	}{
		{"beyond the storage", begin + tensor("K\x04", "K\x01", "K\x04", "K\x01") + end, four, zip.Store, "not within a storage of 4 values"},
		{"far beyond", begin + tensor("K\x04", "K\x00", "K\x02", "J\xff\xff\xff\x7f") + end, four, zip.Store, "not within"},
		{"before the storage", begin + tensor("K\x04", "K\x03", "K\x02", "J\xff\xff\xff\xff") + end, four, zip.Store, "not a valid size"},
		{"huge by a stride of 0", begin + tensor("K\x04", "K\x00", "J\xff\xff\xff\x7f", "K\x00") + end, four, zip.Store, "claims more values than it holds"},
		{"a storage larger than its record", begin + tensor("K\x05", "K\x00", "K\x05", "K\x01") + end, four, zip.Store, "has 16 bytes, not the 20"},
		{"a storage smaller than its record", begin + tensor("K\x03", "K\x00", "K\x03", "K\x01") + end, four, zip.Store, "has 16 bytes"},
		{"a huge storage", begin + tensor("J\xff\xff\xff\x7f", "K\x00", "K\x01", "K\x01") + end, four, zip.Store, "claims more values than it holds"},
		{"many tensors of a small storage", begin + tensor("K\x04", "K\x00", "M\xdc\x05", "K\x00") +
			strings.Replace(tensor("K\x04", "K\x00", "M\xdc\x05", "K\x00"), "w", "v", 1) + end, four, zip.Store, "claims more values than it holds"},
		{"compressed", begin + tensor("K\x04", "K\x00", "K\x04", "K\x01") + end, four, zip.Deflate, "is compressed"},
		{"a list within itself", "\x80\x02]q\x00h\x00a.", "", zip.Store, "not a dictionary"},
		{"a dictionary within itself", "\x80\x02}q\x00X\x01\x00\x00\x00dh\x00s.", "", zip.Store, "no tensors"},
		{"a call of no constructor", "\x80\x02X\x01\x00\x00\x00f)R.", "", zip.Store, "is called"},
		{"an argument too few", "\x80\x02ctorch._utils\n_rebuild_tensor_v2\n)R.", "", zip.Store, "arguments that do not fit"},
		{"a reference to a file", "\x80\x02X\x0b\x00\x00\x00/etc/passwdQ.", "", zip.Store, "is not a storage"},
		{"an instruction of protocol 4", "\x80\x04\x95.", "", zip.Store, "instruction 0x95"},
		{"an instruction that is not needed", "\x80\x020.", "", zip.Store, "instruction 0x30"},
		{"more popped than pushed", "\x80\x02K\x01\x87.", "", zip.Store, "the stack is empty"},
		{"no end", "\x80\x02}", "", zip.Store, "ends too early"},
		{"an unknown memo", "\x80\x02h\x07.", "", zip.Store, "no entry 7"},
	}
	for _, test := range tests {
		b := archive(t, test.pickle, test.data, test.method)
		tensors, err := torchfile.Read(bytes.NewReader(b), int64(len(b)))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %d tensors and error %v, want one with %q", test.name, len(tensors), err, test.want)
		}
	}
}

// archive is a file with one storage.
func archive(t testing.TB, pickle, data string, method uint16) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, record := range []struct {
		name, text string
		method     uint16
	}{{"a/data.pkl", pickle, zip.Store}, {"a/data/0", data, method}, {"a/byteorder", "little", zip.Store}} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: record.name, Method: record.method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(record.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// FuzzRead changes whole files.
func FuzzRead(f *testing.F) {
	names, err := filepath.Glob(file("*.pt"))
	if err != nil || len(names) == 0 {
		f.Fatalf("%d files in testdata, %v", len(names), err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { check(t, b) })
}

// FuzzPickle changes only the program, which the checksums of the zip protect in FuzzRead.
func FuzzPickle(f *testing.F) {
	for _, name := range []string{"module.pt", "checkpoint.pt", "views.pt"} {
		z, err := zip.OpenReader(file(name))
		if err != nil {
			f.Fatal(err)
		}
		b, err := os.ReadFile(file(name))
		if err != nil {
			f.Fatal(err)
		}
		for _, r := range z.File {
			if strings.HasSuffix(r.Name, "data.pkl") {
				at, err := r.DataOffset()
				if err != nil {
					f.Fatal(err)
				}
				f.Add(b[at : at+int64(r.UncompressedSize64)])
			}
		}
		z.Close()
	}
	data := strings.Repeat("\x00\x00\x80\x3f", 12)
	f.Fuzz(func(t *testing.T, program []byte) { check(t, archive(t, string(program), data, zip.Store)) })
}

// check reads a file, whose tensors must have as many values as their shapes say.
func check(t *testing.T, b []byte) {
	t.Helper()
	tensors, err := torchfile.Read(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return
	}
	for _, tensor := range tensors {
		n := 1
		for _, rows := range tensor.Shape {
			n *= rows
		}
		if n != len(tensor.Data) {
			t.Errorf("%q has shape %v and %d values", tensor.Name, tensor.Shape, len(tensor.Data))
		}
	}
}
