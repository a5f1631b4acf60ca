//go:build ignore

// Command make writes the atom environments of a corpus, a file of SMILES, one a line, gzipped. It writes nothing
// unless it has read all of them:
//
//	go run -tags rdkit make.go molecules.smi.gz environments.bin
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"log"
	"os"
	"runtime"
	"sync"

	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/molecule/corpus"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 || os.Args[1] == "" {
		log.Fatal("usage: make molecules.smi.gz environments.bin; with go generate: CORPUS=/path/to/molecules.smi.gz go generate")
	}
	found, err := environments(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := found.Write(&file); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[2], file.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}

// environments returns those of all molecules of a file.
func environments(name string) (*corpus.Environments, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	lines := make(chan string, 1000)
	ids := map[uint64]bool{}
	var mu sync.Mutex // of ids and err
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for smiles := range lines {
				m, parseErr := molecule.Parse(smiles)
				mu.Lock()
				if parseErr != nil {
					err = fmt.Errorf("%s: %q: %w", name, smiles, parseErr)
				} else {
					for _, id := range m.Environments() {
						ids[id] = true
					}
					m.Close()
				}
				mu.Unlock()
			}
		})
	}
	scan := bufio.NewScanner(text)
	for scan.Scan() {
		lines <- scan.Text()
	}
	close(lines)
	workers.Wait()
	if scan.Err() != nil {
		return nil, fmt.Errorf("%s: %w", name, scan.Err())
	}
	all := make([]uint64, 0, len(ids))
	for id := range ids {
		all = append(all, id)
	}
	return corpus.New(all), err
}
