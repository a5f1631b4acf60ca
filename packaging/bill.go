package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// addScripts adds the packages of npm that a lock file names, which the page's scripts are made of, to a bill of
// materials of CycloneDX.
func addScripts(bill, lock string) error {
	var locked struct {
		Packages map[string]struct{ Version, Integrity, License string }
	}
	if err := readJSON(lock, &locked); err != nil {
		return err
	}
	var b map[string]any
	if err := readJSON(bill, &b); err != nil {
		return err
	}
	components, _ := b["components"].([]any)
	for _, folder := range slices.Sorted(maps.Keys(locked.Packages)) {
		name, ok := strings.CutPrefix(folder, "node_modules/")
		if !ok { // the page itself
			continue
		}
		p := locked.Packages[folder]
		address := fmt.Sprintf("pkg:npm/%s@%s", strings.Replace(name, "@", "%40", 1), p.Version)
		c := map[string]any{"bom-ref": address, "type": "library", "name": name, "version": p.Version, "scope": "required", "purl": address}
		sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(p.Integrity, "sha512-"))
		if err != nil || len(sum) != 64 {
			return fmt.Errorf("%s: package %s has the checksum %q, want sha512-…", lock, name, p.Integrity)
		}
		c["hashes"] = []any{map[string]any{"alg": "SHA-512", "content": hex.EncodeToString(sum)}}
		if p.License != "" {
			c["licenses"] = []any{map[string]any{"license": map[string]any{"id": p.License}}}
		}
		components = append(components, c)
	}
	b["components"] = components
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(bill, append(text, '\n'), 0o644)
}

func readJSON(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
