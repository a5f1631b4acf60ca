package torchfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/invbo/invbo/internal/safetensors"
)

// The values on the machine's stack. Strings and int64 are Go values; values that a state dict does not need (floats,
// booleans, None, lists, long integers) are other.
type (
	tuple  []any
	global string // module and name
	other  struct{}

	dict struct {
		names   []string // in the order of first insertion
		values  map[string]any
		tensors int // values that are tensors; a file may name the same dictionary many times
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

// storageTypes holds the types of the values of PyTorch's storage classes.
var storageTypes = map[global]safetensors.DType{
	"torch.DoubleStorage":   safetensors.F64,
	"torch.FloatStorage":    safetensors.F32,
	"torch.HalfStorage":     safetensors.F16,
	"torch.BFloat16Storage": safetensors.BF16,
	"torch.LongStorage":     safetensors.I64,
}

// check returns the number of elements, or an error if the tensor exceeds its storage.
func (t *tensor) check() (int, error) {
	n, last := 1.0, float64(t.offset) // index in the storage; floats do not overflow
	for d, rows := range t.shape {
		n *= float64(rows)
		last += float64(rows-1) * float64(t.stride[d])
	}
	if n != 0 && !(n <= math.MaxInt32 && last < float64(t.storage.length)) {
		return 0, fmt.Errorf("shape %v with strides %v at %d is not within a storage of %d values: the file is damaged; download it again",
			t.shape, t.stride, t.offset, t.storage.length)
	}
	return int(n), nil
}

const tooShort = "the pickle ends too early; copy or download the file again"

// machine interprets a pickle. After an error its methods return zero values, and err is the first error.
type machine struct {
	program *bytes.Buffer
	stack   []any
	memo    map[uint32]any
	err     error
}

// mark is a value on the stack that begins a group of others.
type mark struct{}

// unpickle returns the value that a pickle constructs.
func unpickle(program []byte) (any, error) {
	m := &machine{program: bytes.NewBuffer(program), memo: map[uint32]any{}}
	for {
		at := len(program) - m.program.Len()
		op := byte(m.number(1))
		if m.err == nil && op == '.' {
			return m.pop(1)[0], m.err
		}
		if m.step(op, m.number(widths[op])); m.err != nil {
			return nil, fmt.Errorf("byte %d: %w", at, m.err)
		}
	}
}

func (m *machine) fail(format string, args ...any) {
	if m.err == nil {
		m.err = fmt.Errorf(format, args...)
	}
}

// widths are the sizes in bytes of the numbers that follow instructions.
var widths = map[byte]int{0x80: 1, 'X': 4, 'K': 1, 'M': 2, 'J': 4, 0x8a: 1, 'q': 1, 'r': 4, 'h': 1, 'j': 4}

// step executes an instruction with its number; Python's pickletools.py documents them.
func (m *machine) step(op byte, n uint32) {
	switch op {
	case 0x80: // PROTO
	case 'c': // GLOBAL
		m.global()
	case 'X': // BINUNICODE
		m.push(string(m.bytes(int(n))))
	case 'K', 'M', 'J': // BININT1, BININT2, BININT
		m.push(int64(int32(n)))
	case 0x8a: // LONG1: beyond 32 bits, as no size is
		m.bytes(int(n))
		m.push(other{})
	case 'G': // BINFLOAT
		m.bytes(8)
		m.push(other{})
	case 'N', 0x88, 0x89, ']': // NONE, NEWTRUE, NEWFALSE, EMPTY_LIST
		m.push(other{})
	case '}': // EMPTY_DICT
		m.push(&dict{values: map[string]any{}})
	case 'q', 'r': // BINPUT, LONG_BINPUT
		m.memo[n] = m.pop(1)[0]
		m.push(m.memo[n])
	case 'h', 'j': // BINGET, LONG_BINGET
		v, ok := m.memo[n]
		if !ok {
			m.fail("the memo has no entry %d", n)
		}
		m.push(v)
	case '(': // MARK
		m.push(mark{})
	case ')': // EMPTY_TUPLE
		m.push(tuple{})
	case 0x85, 0x86, 0x87: // TUPLE1, TUPLE2, TUPLE3
		m.push(tuple(m.pop(int(op) - 0x84)))
	case 't': // TUPLE
		m.push(tuple(m.popMark()))
	case 'a', 'b': // APPEND; BUILD: a module's state dict has the versions of its layers as an attribute
		m.pop(1)
	case 'e': // APPENDS
		m.popMark()
	case 's': // SETITEM
		m.set(m.pop(2))
	case 'u': // SETITEMS
		m.set(m.popMark())
	case 'Q': // BINPERSID
		m.persistent()
	case 'R': // REDUCE
		m.call()
	default:
		m.fail("instruction %#02x does not occur in a state dict; %s", op, resave)
	}
}

// number reads a little-endian number of up to 4 bytes.
func (m *machine) number(width int) uint32 {
	var n [4]byte
	copy(n[:], m.bytes(width))
	return binary.LittleEndian.Uint32(n[:])
}

// bytes reads n bytes.
func (m *machine) bytes(n int) []byte {
	if n > m.program.Len() {
		m.fail("%s", tooShort)
		return nil
	}
	return m.program.Next(n)
}

// global pushes a constructor, if it is supported. Its module and its name are lines.
func (m *machine) global() {
	module, err1 := m.program.ReadString('\n')
	name, err2 := m.program.ReadString('\n')
	if err1 != nil || err2 != nil {
		m.fail("%s", tooShort)
	}
	g := global(strings.TrimSuffix(module, "\n") + "." + strings.TrimSuffix(name, "\n"))
	switch {
	case g == orderedDict, g == rebuildTensor, g == rebuildParameter, g == size, storageTypes[g] != "":
		m.push(g)
	default:
		m.fail("it needs %q, but only dictionaries of tensors can be read; %s", g, resave)
	}
}

func (m *machine) push(v any) { m.stack = append(m.stack, v) }

// pop takes the last n values.
func (m *machine) pop(n int) []any {
	rest := len(m.stack) - n
	if rest < 0 {
		m.fail("the stack is empty")
		return make([]any, n)
	}
	items := slices.Clone(m.stack[rest:])
	m.stack = m.stack[:rest]
	return items
}

// popMark takes all values above the last mark, and the mark.
func (m *machine) popMark() []any {
	last := len(m.stack) - 1
	for last >= 0 && m.stack[last] != any(mark{}) {
		last--
	}
	if last < 0 {
		m.fail("there is no mark on the stack")
		return nil
	}
	return m.pop(len(m.stack) - last)[1:]
}

// set adds alternating keys and values to the dictionary on the stack. Entries whose key is not a string are dropped.
func (m *machine) set(items []any) {
	top := m.pop(1)[0]
	d, ok := top.(*dict)
	if !ok || len(items)%2 != 0 {
		m.fail("%d values are set in a %T", len(items), top)
		return
	}
	for entry := range slices.Chunk(items, 2) {
		name, ok := entry[0].(string)
		if !ok {
			continue
		}
		old, twice := d.values[name]
		if !twice {
			d.names = append(d.names, name)
		}
		d.values[name] = entry[1]
		d.tensors += tensors(entry[1]) - tensors(old)
	}
	m.push(d)
}

// tensors returns 1 for a tensor.
func tensors(v any) int {
	if _, ok := v.(*tensor); ok {
		return 1
	}
	return 0
}

// persistent replaces ('storage', type, key, location, length) by the storage.
func (m *machine) persistent() {
	id, _ := m.pop(1)[0].(tuple)
	if len(id) != 5 || id[0] != "storage" {
		m.fail("a persistent id is not a storage")
		return
	}
	class, _ := id[1].(global)
	key, isString := id[2].(string)
	if storageTypes[class] == "" || !isString {
		m.fail("a storage lacks type or name")
	}
	m.push(storage{key: key, dtype: storageTypes[class], length: m.integer(id[4])})
}

// call replaces a constructor and its arguments by the constructed value.
func (m *machine) call() {
	operands := m.pop(2)
	g, isGlobal := operands[0].(global)
	args, isTuple := operands[1].(tuple)
	if !isGlobal || !isTuple {
		m.fail("a %T is called with a %T", operands[0], operands[1])
		return
	}
	var made any
	fits := false
	switch {
	case g == orderedDict:
		made, fits = &dict{values: map[string]any{}}, len(args) == 0
	case g == size && len(args) == 1:
		made, fits = args[0], true
	case g == rebuildParameter && len(args) >= 1: // its argument is a tensor
		made, fits = args[0].(*tensor)
	case g == rebuildTensor && len(args) >= 4: // storage, offset, shape, strides, and training state
		var s storage
		s, fits = args[0].(storage)
		t := &tensor{storage: s, offset: m.integer(args[1]), shape: m.integers(args[2]), stride: m.integers(args[3])}
		if len(t.shape) != len(t.stride) || len(t.shape) > maxDims {
			m.fail("a tensor has %d dimensions and %d strides", len(t.shape), len(t.stride))
		}
		made = t
	}
	if !fits {
		m.fail("%s has %d arguments that do not fit", g, len(args))
	}
	m.push(made)
}

func (m *machine) integers(v any) []int {
	t, ok := v.(tuple)
	if !ok {
		m.fail("the shape or the strides of a tensor are a %T, not a tuple", v)
	}
	n := make([]int, len(t))
	for i, v := range t {
		n[i] = m.integer(v)
	}
	return n
}

// integer returns v, which must be a non-negative int.
func (m *machine) integer(v any) int {
	n, ok := v.(int64)
	if !ok || n < 0 || n > math.MaxInt32 {
		m.fail("an offset, a length or a dimension is not a valid size")
		return 0
	}
	return int(n)
}
