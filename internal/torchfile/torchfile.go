// Package torchfile reads the tensors of a PyTorch state dict from a file written by torch.save: a zip archive with a
// pickle, which describes the tensors as views of storages, and the bytes of the storages.
//
// A pickle is a program. The interpreter (pickle.go) supports the few instructions and constructors that a state dict
// needs and rejects all others by name, so that no code from the file is executed. Time and memory are bounded by a
// multiple of the file size, whatever the file claims.
package torchfile

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/safetensors"
)

const (
	maxPickle = 16 << 20 // bytes; the published VAE has 20,000
	maxValues = 4        // values of storages and tensors per byte of the file: tensors may share a storage and repeat its values
	maxDims   = 64       // of a tensor, as in PyTorch
)

// resave is the advice for files that cannot be read.
const resave = `if you trust the file, write its tensors alone in PyTorch: torch.save({k: v for k, v in torch.load(FILE).items() if torch.is_tensor(v)}, NEW)`

// ReadFile reads the file at path.
func ReadFile(path string) ([]safetensors.Tensor, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	tensors, err := Read(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return tensors, nil
}

// Read returns the tensors of a state dict in their order, as contiguous float32; float64 and int64 values are rounded. In a
// checkpoint, a dictionary that contains the state dict among other entries, the entry with the most tensors is read.
func Read(r io.ReaderAt, size int64) ([]safetensors.Tensor, error) {
	tensors, err := read(r, size)
	if err != nil {
		return nil, fmt.Errorf("torchfile: %w", err)
	}
	return tensors, nil
}

func read(r io.ReaderAt, size int64) (tensors []safetensors.Tensor, err error) {
	a, err := open(r, size)
	if err != nil {
		return nil, err
	}
	program, err := a.record("data.pkl", maxPickle)
	if err != nil {
		return nil, err
	}
	root, err := unpickle(program)
	if err != nil {
		return nil, fmt.Errorf("data.pkl: %w", err)
	}
	state, err := stateDict(root)
	if err != nil {
		return nil, err
	}
	for _, name := range state.names {
		if t, ok := state.values[name].(*tensor); ok {
			data, err := a.values(t)
			if err != nil {
				return nil, fmt.Errorf("tensor %q: %w", name, err)
			}
			tensors = append(tensors, safetensors.Tensor{Name: name, Shape: t.shape, Data: data})
		}
	}
	return tensors, nil
}

// stateDict returns the dictionary with the most tensors: root or one of its entries.
func stateDict(root any) (*dict, error) {
	top, ok := root.(*dict)
	if !ok {
		return nil, fmt.Errorf("it holds a %T, not a dictionary of tensors; save model.state_dict()", root)
	}
	best, name, also := top, "", ""
	for _, key := range top.names {
		d, ok := top.values[key].(*dict)
		switch {
		case !ok || d.tensors == 0 || d.tensors < best.tensors:
		case d.tensors == best.tensors:
			also = key
		default:
			best, name, also = d, key, ""
		}
	}
	switch {
	case best.tensors == 0:
		return nil, fmt.Errorf("there are no tensors in it, but %q; save model.state_dict()", top.names[:min(8, len(top.names))])
	case also != "":
		return nil, fmt.Errorf("%q and %q hold the same number of tensors; save one of them to a file of its own", name, also)
	}
	return best, nil
}

// archive is a zip file whose records lie in one folder.
type archive struct {
	records  map[string]*zip.File // by name within the folder
	storages map[storage][]float32
	left     int64 // number of values that may still be read
}

func open(r io.ReaderAt, size int64) (*archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, notZip(r, err)
	}
	a := &archive{records: map[string]*zip.File{}, storages: map[storage][]float32{}, left: maxValues * size}
	for _, f := range z.File {
		_, name, _ := strings.Cut(f.Name, "/")
		a.records[name] = f
	}
	if _, ok := a.records["byteorder"]; ok { // PyTorch 2 writes it
		order, err := a.record("byteorder", 16)
		if err != nil {
			return nil, err
		}
		if string(order) != "little" {
			return nil, fmt.Errorf("its numbers are in %s-endian order: save it on a little-endian machine", order)
		}
	}
	return a, nil
}

// notZip returns an error for a file that is not a zip archive, which says what it is.
func notZip(r io.ReaderAt, err error) error {
	var start [4]byte
	n, _ := r.ReadAt(start[:], 0)
	switch {
	case string(start[:]) == "PK\x03\x04": // the directory of an archive is at its end
		return fmt.Errorf("%w (%w)", safetensors.ErrTruncated, err)
	case n >= 2 && start[0] == 0x80 && start[1] <= 5: // a pickle
		return errors.New("it has the format of PyTorch before 1.6; write it again in a newer one: torch.save(torch.load(FILE), NEW)")
	}
	return errors.New("not a file written by torch.save")
}

// record returns the bytes of a record, at most most.
func (a *archive) record(name string, most int64) ([]byte, error) {
	f, ok := a.records[name]
	if !ok {
		return nil, fmt.Errorf("record %s is missing: not a file written by torch.save", name)
	}
	if f.Method != zip.Store {
		return nil, fmt.Errorf("record %s is compressed, which torch.save never does; unpack the archive and store it", name)
	}
	if f.UncompressedSize64 > uint64(most) {
		return nil, fmt.Errorf("record %s has %d bytes; the limit is %d", name, f.UncompressedSize64, most)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", name, err)
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, most+1)) // the directory may be wrong
	if errors.Is(err, zip.ErrChecksum) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%w; copy or download the file again", err)
	}
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", name, err)
	}
	return b, nil
}

// storage returns the values of s.
func (a *archive) storage(s storage) ([]float32, error) {
	if v, ok := a.storages[s]; ok {
		return v, nil
	}
	if err := a.spend(s.length); err != nil {
		return nil, err
	}
	size := s.length * s.dtype.Width()
	b, err := a.record("data/"+s.key, int64(size))
	if err != nil {
		return nil, err
	}
	if len(b) != size {
		return nil, fmt.Errorf("record data/%s has %d bytes, not the %d of %d values of %s: the file is damaged; download it again",
			s.key, len(b), size, s.length, s.dtype)
	}
	a.storages[s] = safetensors.Values[float32](s.dtype, b)
	return a.storages[s], nil
}

// spend counts values against the limit.
func (a *archive) spend(n int) error {
	if a.left -= int64(n); a.left < 0 {
		return errors.New("the file claims more values than it holds: it is damaged; download it again")
	}
	return nil
}

// values gathers the elements of t from its storage, row major.
func (a *archive) values(t *tensor) ([]float32, error) {
	n, err := t.check()
	if err != nil {
		return nil, err
	}
	from, err := a.storage(t.storage)
	if err != nil {
		return nil, err
	}
	if err := a.spend(n); err != nil {
		return nil, err
	}
	data := make([]float32, 0, n)
	if n == 0 {
		return data, nil
	}
	index, at := make([]int, len(t.shape)), t.offset
	for range n {
		data = append(data, from[at])
		for d, stride := range slices.Backward(t.stride) { // like an odometer
			if index[d]++; index[d] < t.shape[d] {
				at += stride
				break
			}
			at -= (t.shape[d] - 1) * stride
			index[d] = 0
		}
	}
	return data, nil
}
