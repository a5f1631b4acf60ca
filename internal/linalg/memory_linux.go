package linalg

import (
	"syscall"
	"unsafe"
)

// advise asks for large pages in place of the small ones that s will have when it is written to.
func advise(s []float64) {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	skip := (huge - first%huge) % huge
	size := (8*uintptr(len(s)) - skip) / huge * huge
	if skip+size > 8*uintptr(len(s)) || size == 0 {
		return
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), 8*len(s))
	_ = syscall.Madvise(bytes[skip:skip+size], syscall.MADV_HUGEPAGE) // it only is slower without
}
