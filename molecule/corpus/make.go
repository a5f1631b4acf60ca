//go:build ignore

// Command make writes environments.bin and usual.bin for a corpus: a gzipped file of SMILES, one per line. It writes nothing
// if a line cannot be read:
//
//	go run -tags rdkit make.go molecules.smi.gz
package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"log"
	"os"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/corpus"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 || os.Args[1] == "" {
		log.Fatal("usage: make molecules.smi.gz; with go generate: CORPUS=/path/to/molecules.smi.gz go generate")
	}
	environments, rings, err := count(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	usual := append(atLeast(corpus.UsualIn, environments), atLeast(corpus.UsualIn, rings)...)
	for name, ids := range map[string][]uint64{"environments.bin": atLeast(1, environments), "usual.bin": usual} {
		if err := os.WriteFile(name, corpus.Format(ids), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// atLeast returns the ids that occur in at least n molecules.
func atLeast(n int, molecules map[uint64]int) []uint64 {
	var ids []uint64
	for id, have := range molecules {
		if have >= n {
			ids = append(ids, id)
		}
	}
	return ids
}

// count returns the number of molecules of a file that have each atom environment and each kind of ring.
func count(name string) (environments, rings map[uint64]int, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	text, err := gzip.NewReader(f)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	environments, rings = map[uint64]int{}, map[uint64]int{}
	scan := bufio.NewScanner(text)
	for scan.Scan() {
		m, err := molecule.Parse(scan.Text())
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %q: %w", name, scan.Text(), err)
		}
		for _, id := range m.Environments() {
			environments[id]++
		}
		for _, id := range m.RingKinds() {
			rings[id]++
		}
		m.Close()
	}
	if scan.Err() != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, scan.Err())
	}
	return environments, rings, nil
}
