package neon

import (
	"fmt"
	"strings"
	"testing"
)

func translate(code string) (string, error) {
	text := fmt.Sprintf("TEXT ·fAVX2(SB), NOSPLIT, $0-8\n%s\tRET\n", code)
	return Translate(text, []Kernel{{Name: "f", Twin: true}})
}

// What has no translation is refused by name: it never becomes code that computes something else.
func TestRefusals(t *testing.T) {
	for code, why := range map[string]string{
		"VADDSUBPS Y0, Y1, Y2":                     "instruction",
		"VPADDW Y0, Y1, Y2":                        "instruction",
		"JCS end":                                  "instruction", // unsigned
		"VADDPS Z0, Z1, Z2":                        "operand Z",   // AVX-512
		"VROUNDPS $0x03, Y0, Y1":                   "constant",    // towards zero
		"VEXTRACTF128 $0x00, Y0, X1":               "constant",
		"VPERM2F128 $0x21, Y0, Y1, Y2":             "selection",
		"VCMPPS $0x00, Y0, Y1, Y2":                 "predicate", // equal
		"VPERMILPS $0x1b, X0, X1":                  "permutation",
		"VPERMILPS $0xb1, Y0, Y1":                  "permutation of 32 bytes",
		"VMOVUPS X0, X1":                           "16 bytes",
		"MOVQ AX, (BX)":                            "result in memory",
		"ADDQ AX, (BX)":                            "result in memory",
		"XORQ AX, BX":                              "exclusive or",
		"SHLQ $0x02, AX\n\tJEQ end\n\tRET\n\nend:": "flags", // those of arm64's shifts differ
	} {
		if _, err := translate("\t" + code + "\n"); err == nil || !strings.Contains(err.Error(), why) || !strings.Contains(err.Error(), "f: "+strings.Fields(code)[0]) {
			t.Errorf("%s: error %v, want one that names it and says %q", code, err, why)
		}
	}
}

func TestTranslate(t *testing.T) {
	for code, want := range map[string][]string{
		"VADDPS Y0, Y1, Y2":      {"WORD $0x4e20d444", "WORD $0x4e21d465"},
		"VFMADD231PD Y0, Y1, Y2": {"WORD $0x4e60cc44", "WORD $0x4e61cc65"},
		"ADDQ $0x08, BX":         {"ADD $8, R3, R3"},
		"LEAQ 8(AX)(CX*4), DX":   {"ADD R1<<2, R0, R2", "ADD $8, R2, R2"},
	} {
		got, err := translate("\t" + code + "\n")
		if err != nil {
			t.Errorf("%s: %v", code, err)
		}
		for _, line := range want {
			if !strings.Contains(got, "\t"+line) {
				t.Errorf("%s: no line %q in\n%s", code, line, got)
			}
		}
	}
}
