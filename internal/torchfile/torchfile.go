// Package torchfile reads the tensors of a PyTorch state dict from a file that torch.save wrote: a zip
// archive of a pickle, which says how tensors lie in storages, and the storages' bytes.
//
// A pickle is a program. The machine here (pickle.go) knows the few instructions and the handful of
// constructors that a state dict needs, and refuses all others by name: nothing in a file is executed. What
// it takes of time and memory is bounded by a multiple of the file's size, whatever the file claims.
package torchfile

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/safetensors"
)

const (
	maxPickle = 16 << 20 // bytes; that of the published VAE has 20,000
	maxValues = 4        // of storages and tensors, for a byte of the file: tensors may share a storage, and repeat its values
	maxDims   = 64       // of a tensor, as in PyTorch
)

// resave says how to make a file that can be read from one that cannot.
const resave = `if you trust the file, write its tensors alone in PyTorch: torch.save({k: v for k, v in torch.load(FILE).items() if torch.is_tensor(v)}, NEW)`

// ReadFile reads the file at path.
func ReadFile(path string) ([]safetensors.Tensor, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	tensors, err := Read(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return tensors, nil
}

// Read returns the tensors of a state dict in their order, as contiguous float32; what these do not hold exactly (float64,
// int64) is rounded. In a checkpoint, that is a dictionary of other things around the state dict, it is the
// entry with the most tensors.
func Read(r io.ReaderAt, size int64) ([]safetensors.Tensor, error) {
	a, err := open(r, size)
	if err != nil {
		return nil, fmt.Errorf("torchfile: %w", err)
	}
	program, err := a.record("data.pkl", maxPickle)
	if err != nil {
		return nil, fmt.Errorf("torchfile: %w", err)
	}
	root, err := unpickle(program)
	if err != nil {
		return nil, fmt.Errorf("torchfile: data.pkl: %w", err)
	}
	dict, err := stateDict(root)
	if err != nil {
		return nil, fmt.Errorf("torchfile: %w", err)
	}
	var tensors []safetensors.Tensor
	for _, name := range dict.names {
		t, ok := dict.values[name].(*tensor)
		if !ok {
			continue
		}
		data, err := a.values(t)
		if err != nil {
			return nil, fmt.Errorf("torchfile: tensor %q: %w", name, err)
		}
		tensors = append(tensors, safetensors.Tensor{Name: name, Shape: t.shape, Data: data})
	}
	return tensors, nil
}

// stateDict returns the dictionary with the most tensors: root, or an entry of it.
func stateDict(root any) (*dict, error) {
	top, ok := root.(*dict)
	if !ok {
		return nil, fmt.Errorf("it holds a %T, not a dictionary of tensors; save model.state_dict()", root)
	}
	best, name, also := top, "", ""
	for _, key := range top.names {
		d, ok := top.values[key].(*dict)
		if !ok || d.tensors == 0 || d.tensors < best.tensors {
			continue
		}
		if d.tensors == best.tensors {
			also = key
			continue
		}
		best, name, also = d, key, ""
	}
	switch {
	case best.tensors == 0:
		return nil, fmt.Errorf("there are no tensors in it, but %s; save model.state_dict()", list(top.names))
	case also != "":
		return nil, fmt.Errorf("%q and %q hold as many tensors; save the one that is meant in a file of its own", name, also)
	}
	return best, nil
}

// list writes names, if not too many, in a sentence.
func list(names []string) string {
	const most = 8
	if len(names) == 0 {
		return "nothing"
	}
	text := fmt.Sprintf("%q", names[:min(len(names), most)])
	if len(names) > most {
		text = fmt.Sprintf("%s and %d more", text, len(names)-most)
	}
	return text
}

// archive is the file: a zip whose records lie in one folder.
type archive struct {
	records  map[string]*zip.File // by their names in the folder
	storages map[storage][]float32
	left     int64 // values that may still be read
}

func open(r io.ReaderAt, size int64) (*archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, notZip(r, err)
	}
	a := &archive{records: map[string]*zip.File{}, storages: map[storage][]float32{}, left: maxValues * size}
	folder := ""
	for _, f := range z.File {
		if path.Base(f.Name) == "data.pkl" {
			folder = path.Dir(f.Name)
		}
	}
	for _, f := range z.File {
		if name, ok := strings.CutPrefix(f.Name, folder+"/"); ok {
			a.records[name] = f
		}
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

// notZip says what a file is that is no zip archive.
func notZip(r io.ReaderAt, err error) error {
	start := make([]byte, 4)
	n, _ := r.ReadAt(start, 0)
	switch {
	case n == len(start) && string(start) == "PK\x03\x04": // an archive's directory is at its end
		return fmt.Errorf("%w (%w)", safetensors.ErrTruncated, err)
	case n >= 2 && start[0] == 0x80 && start[1] <= 5: // a pickle
		return errors.New("it has the format of PyTorch before 1.6; write it again in a newer one: torch.save(torch.load(FILE), NEW)")
	}
	return errors.New("it is no file that torch.save wrote")
}

// record returns the bytes of a record, most of them at most.
func (a *archive) record(name string, most int64) ([]byte, error) {
	f, ok := a.records[name]
	if !ok {
		return nil, fmt.Errorf("there is no record %s in it; it is no file that torch.save wrote", name)
	}
	if f.Method != zip.Store {
		return nil, fmt.Errorf("record %s is compressed, which torch.save never does; unpack the archive and store it", name)
	}
	if f.UncompressedSize64 > uint64(most) {
		return nil, fmt.Errorf("record %s has %d bytes; at most %d are read", name, f.UncompressedSize64, most)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", name, err)
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, most+1)) // the directory may lie
	switch {
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("record %s: %w; copy or download the file again", name, err)
	case err != nil:
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

// spend counts values that are read.
func (a *archive) spend(n int) error {
	if a.left -= int64(n); a.left < 0 {
		return errors.New("the file is too short for the values that it claims: it is damaged; download it again")
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
		for d, stride := range slices.Backward(t.stride) { // as an odometer turns
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
