package torchfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/invbo/invbo/internal/safetensors"
)

// The values on the machine's stack. Strings and int64 are Go values; values that a state dict does not need (floats, booleans,
// None, lists, long integers) are other.
type (
	tuple  []any
	global string // module and name
	other  struct{}

	dict struct {
		names   []string // in the order of first insertion
		values  map[string]any
		tensors int // values that are tensors
	}

	storage struct {
		key    string // of its record
		dtype  safetensors.DType
		length int // values
	}

	tensor struct {
		storage       storage
		offset        int
		shape, stride []int // in values
	}
)

// The constructors that are supported.
const (
	orderedDict      global = "collections.OrderedDict"
	rebuildTensor    global = "torch._utils._rebuild_tensor_v2"
	rebuildParameter global = "torch._utils._rebuild_parameter"
	size             global = "torch.Size"
)

// storageType returns the type of the values of a PyTorch storage class, or "" for other names.
func storageType(g global) safetensors.DType {
	switch g {
	case "torch.DoubleStorage":
		return safetensors.F64
	case "torch.FloatStorage":
		return safetensors.F32
	case "torch.HalfStorage":
		return safetensors.F16
	case "torch.BFloat16Storage":
		return safetensors.BF16
	case "torch.LongStorage":
		return safetensors.I64
	}
	return ""
}

// set adds or replaces an entry.
func (d *dict) set(name string, value any) {
	old, twice := d.values[name]
	if !twice {
		d.names = append(d.names, name)
	}
	d.values[name] = value
	if _, ok := old.(*tensor); ok {
		d.tensors--
	}
	if _, ok := value.(*tensor); ok {
		d.tensors++
	}
}

// check returns the number of elements, or an error if the tensor exceeds its storage.
func (t *tensor) check() (n int, err error) {
	n = 1
	last := t.offset // index in the storage
	for d, rows := range t.shape {
		if rows == 0 {
			return 0, nil
		}
		if rows > math.MaxInt32/n || t.stride[d] > 0 && rows-1 > t.storage.length/t.stride[d] {
			return 0, t.outside()
		}
		n *= rows
		last += (rows - 1) * t.stride[d]
	}
	if last >= t.storage.length {
		return 0, t.outside()
	}
	return n, nil
}

func (t *tensor) outside() error {
	return fmt.Errorf("shape %v with strides %v at %d is not within a storage of %d values: the file is damaged; download it again",
		t.shape, t.stride, t.offset, t.storage.length)
}

// machine interprets a pickle.
type machine struct {
	program *bytes.Reader
	stack   []any
	marks   []int // stack heights
	memo    map[uint32]any
}

var errEnds = errors.New("the pickle ends too early; copy or download the file again")

// unpickle returns the value that a pickle constructs.
func unpickle(program []byte) (any, error) {
	m := &machine{program: bytes.NewReader(program), memo: map[uint32]any{}}
	for {
		at := len(program) - m.program.Len()
		op, err := m.program.ReadByte()
		if err != nil {
			return nil, errEnds
		}
		if op == '.' {
			return m.pop()
		}
		if err := m.step(op); err != nil {
			return nil, fmt.Errorf("byte %d: %w", at, err)
		}
	}
}

// step executes an instruction; Python's pickletools.py documents them.
func (m *machine) step(op byte) error {
	switch op {
	case 0x80: // PROTO
		_, err := m.number(1)
		return err
	case 'c': // GLOBAL
		return m.global()
	case 'X': // BINUNICODE
		n, err := m.number(4)
		if err != nil {
			return err
		}
		text, err := m.bytes(n)
		m.push(string(text))
		return err
	case 'K': // BININT1
		n, err := m.number(1)
		m.push(int64(n))
		return err
	case 'M': // BININT2
		n, err := m.number(2)
		m.push(int64(n))
		return err
	case 'J': // BININT
		n, err := m.number(4)
		m.push(int64(int32(n)))
		return err
	case 0x8a: // LONG1
		n, err := m.number(1)
		if err != nil {
			return err
		}
		return m.long(int(n))
	case 'G': // BINFLOAT
		_, err := m.bytes(8)
		m.push(other{})
		return err
	case 'N', 0x88, 0x89, ']': // NONE, NEWTRUE, NEWFALSE, EMPTY_LIST
		m.push(other{})
		return nil
	case '}': // EMPTY_DICT
		m.push(&dict{values: map[string]any{}})
		return nil
	case 'q', 'r', 'h', 'j': // BINPUT, LONG_BINPUT, BINGET, LONG_BINGET
		return m.remember(op)
	case '(': // MARK
		m.marks = append(m.marks, len(m.stack))
		return nil
	case ')': // EMPTY_TUPLE
		m.push(tuple{})
		return nil
	case 0x85, 0x86, 0x87: // TUPLE1, TUPLE2, TUPLE3
		items, err := m.popN(int(op) - 0x84)
		m.push(tuple(items))
		return err
	case 't': // TUPLE
		items, err := m.popMark()
		m.push(tuple(items))
		return err
	case 'a': // APPEND
		_, err := m.pop()
		return err
	case 'e': // APPENDS
		_, err := m.popMark()
		return err
	case 's': // SETITEM
		items, err := m.popN(2)
		if err != nil {
			return err
		}
		return m.set(items)
	case 'u': // SETITEMS
		items, err := m.popMark()
		if err != nil {
			return err
		}
		return m.set(items)
	case 'b': // BUILD: a module's state dict has the versions of its layers as an attribute
		_, err := m.pop()
		return err
	case 'Q': // BINPERSID
		return m.persistent()
	case 'R': // REDUCE
		return m.call()
	}
	return fmt.Errorf("instruction %#02x does not occur in a state dict; %s", op, resave)
}

// number reads a little-endian number of some bytes.
func (m *machine) number(width int) (uint32, error) {
	b, err := m.bytes(uint32(width))
	if err != nil {
		return 0, err
	}
	var n [4]byte
	copy(n[:], b)
	return binary.LittleEndian.Uint32(n[:]), nil
}

// bytes reads n bytes.
func (m *machine) bytes(n uint32) ([]byte, error) {
	if int64(n) > int64(m.program.Len()) {
		return nil, errEnds
	}
	b := make([]byte, n)
	m.program.Read(b)
	return b, nil
}

// long reads an integer of n bytes, in two's complement.
func (m *machine) long(n int) error {
	b, err := m.bytes(uint32(n))
	if err != nil {
		return err
	}
	if n > 8 {
		m.push(other{})
		return nil
	}
	var v int64
	for i, digit := range b {
		v |= int64(digit) << (8 * i)
	}
	shift := 64 - 8*n
	m.push(v << shift >> shift)
	return nil
}

// line reads up to the next newline.
func (m *machine) line() (string, error) {
	var text []byte
	for {
		c, err := m.program.ReadByte()
		if err != nil {
			return "", errEnds
		}
		if c == '\n' {
			return string(text), nil
		}
		text = append(text, c)
	}
}

// global pushes a constructor, if it is supported.
func (m *machine) global() error {
	module, err := m.line()
	if err != nil {
		return err
	}
	name, err := m.line()
	if err != nil {
		return err
	}
	g := global(module + "." + name)
	switch {
	case g == orderedDict, g == rebuildTensor, g == rebuildParameter, g == size, storageType(g) != "":
		m.push(g)
		return nil
	}
	return fmt.Errorf("it needs %q, but only dictionaries of tensors can be read; %s", g, resave)
}

// remember stores the top of the stack in the memo, or pushes an entry of the memo.
func (m *machine) remember(op byte) error {
	width := 1
	if op == 'r' || op == 'j' {
		width = 4
	}
	i, err := m.number(width)
	if err != nil {
		return err
	}
	if op == 'q' || op == 'r' {
		v, err := m.pop()
		m.memo[i] = v
		m.push(v)
		return err
	}
	v, ok := m.memo[i]
	if !ok {
		return fmt.Errorf("the memo has no entry %d", i)
	}
	m.push(v)
	return nil
}

func (m *machine) push(v any) { m.stack = append(m.stack, v) }

// pop takes a value from above the last mark.
func (m *machine) pop() (any, error) {
	items, err := m.popN(1)
	if err != nil {
		return nil, err
	}
	return items[0], nil
}

// popN takes the last n values from above the last mark.
func (m *machine) popN(n int) ([]any, error) {
	floor := 0
	if len(m.marks) > 0 {
		floor = m.marks[len(m.marks)-1]
	}
	if len(m.stack)-n < floor {
		return nil, errors.New("the stack is empty")
	}
	items := append([]any(nil), m.stack[len(m.stack)-n:]...)
	m.stack = m.stack[:len(m.stack)-n]
	return items, nil
}

// popMark takes all values above the last mark, and the mark.
func (m *machine) popMark() ([]any, error) {
	if len(m.marks) == 0 {
		return nil, errors.New("there is no mark on the stack")
	}
	items, err := m.popN(len(m.stack) - m.marks[len(m.marks)-1])
	m.marks = m.marks[:len(m.marks)-1]
	return items, err
}

// set adds alternating keys and values to the dictionary on the stack. Entries whose key is not a string are dropped.
func (m *machine) set(items []any) error {
	top, err := m.pop()
	if err != nil {
		return err
	}
	d, ok := top.(*dict)
	if !ok || len(items)%2 != 0 {
		return fmt.Errorf("%d values are set in a %T", len(items), top)
	}
	for i := 0; i < len(items); i += 2 {
		if key, ok := items[i].(string); ok {
			d.set(key, items[i+1])
		}
	}
	m.push(d)
	return nil
}

// persistent replaces ('storage', type, key, location, length) by the storage.
func (m *machine) persistent() error {
	id, err := m.pop()
	if err != nil {
		return err
	}
	t, ok := id.(tuple)
	if !ok || len(t) != 5 || t[0] != "storage" {
		return errors.New("a persistent id is not a storage")
	}
	g, isType := t[1].(global)
	key, isKey := t[2].(string)
	length, err := integer(t[4])
	if !isType || storageType(g) == "" || !isKey || err != nil {
		return errors.New("a storage lacks type, name or length")
	}
	m.push(storage{key: key, dtype: storageType(g), length: length})
	return nil
}

// call replaces a constructor and its arguments by the constructed value.
func (m *machine) call() error {
	items, err := m.popN(2)
	if err != nil {
		return err
	}
	g, isGlobal := items[0].(global)
	args, isTuple := items[1].(tuple)
	if !isGlobal || !isTuple {
		return fmt.Errorf("a %T is called with a %T", items[0], items[1])
	}
	switch {
	case g == orderedDict && len(args) == 0:
		m.push(&dict{values: map[string]any{}})
		return nil
	case g == size && len(args) == 1:
		m.push(args[0])
		return nil
	case g == rebuildParameter && len(args) >= 1: // its argument is a tensor
		if t, ok := args[0].(*tensor); ok {
			m.push(t)
			return nil
		}
	case g == rebuildTensor && len(args) >= 4: // storage, offset, shape, strides, and training state
		t, err := newTensor(args)
		m.push(t)
		return err
	}
	return fmt.Errorf("%s has %d arguments that do not fit", g, len(args))
}

func newTensor(args tuple) (*tensor, error) {
	s, ok := args[0].(storage)
	if !ok {
		return nil, fmt.Errorf("a tensor is backed by a %T, not a storage", args[0])
	}
	t := &tensor{storage: s}
	var err error
	if t.offset, err = integer(args[1]); err != nil {
		return nil, fmt.Errorf("a tensor's offset: %w", err)
	}
	if t.shape, err = integers(args[2]); err != nil {
		return nil, fmt.Errorf("a tensor's shape: %w", err)
	}
	if t.stride, err = integers(args[3]); err != nil {
		return nil, fmt.Errorf("a tensor's strides: %w", err)
	}
	if len(t.shape) != len(t.stride) || len(t.shape) > maxDims {
		return nil, fmt.Errorf("a tensor has %d dimensions and %d strides", len(t.shape), len(t.stride))
	}
	return t, nil
}

func integers(v any) ([]int, error) {
	t, ok := v.(tuple)
	if !ok {
		return nil, fmt.Errorf("it is a %T, not a tuple", v)
	}
	n := make([]int, len(t))
	for i, v := range t {
		var err error
		if n[i], err = integer(v); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// integer returns v, which must be a non-negative int.
func integer(v any) (int, error) {
	n, ok := v.(int64)
	if !ok || n < 0 || n > math.MaxInt32 {
		return 0, errors.New("not a valid size")
	}
	return int(n), nil
}
