package reaction

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"

	"github.com/invbo/invbo/molecule"
)

// saved is an index as it is written. Its fields are those of Blocks.
type saved struct {
	Set           string // Set.id
	Blocks        []Block
	Places        [][]int32
	Different     int
	Repeated, Bad int
	WhyBad        string
}

// format changes when Index finds something else in the same blocks.
const format = 5

// id tells sets apart whose indexes differ.
func (s *Set) id() string {
	h := sha256.New()
	fmt.Fprintln(h, format, molecule.Version())
	for _, r := range s.Reactions {
		fmt.Fprintf(h, "%q %q %t %v\n", r.Name, r.SMARTS, r.run.Strict, r.rivals)
	}
	fmt.Fprintln(h, s.smarts, s.quarrels)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// ID tells apart what Index makes of blocks, for one way of making SMILES canonical.
func (s *Set) ID(list []Block) string {
	h := sha256.New()
	fmt.Fprintln(h, s.id())
	for _, b := range list {
		fmt.Fprintf(h, "%q %q %v\n", b.SMILES, b.Name, b.Price)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// Save writes the index, so that Load saves the time of making it.
func (b *Blocks) Save(w io.Writer) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	err = gob.NewEncoder(z).Encode(saved{b.Set.id(), b.blocks, b.places, b.Different, b.Repeated, b.Bad, b.WhyBad})
	return errors.Join(err, z.Close())
}

// Load reads an index that Save wrote. The error says that it is damaged, or one of another set, or of another version.
func (s *Set) Load(r io.Reader) (*Blocks, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	var in saved
	if err := gob.NewDecoder(z).Decode(&in); err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, z); err != nil { // the checksum is at the end
		return nil, err
	}
	if in.Set != s.id() || len(in.Places) != len(s.slots) {
		return nil, errors.New("index of another set of reactions, or of another version")
	}
	b := &Blocks{Set: s, Different: in.Different, Repeated: in.Repeated, Bad: in.Bad, WhyBad: in.WhyBad, blocks: in.Blocks, places: in.Places, at: make(map[string]int32, len(in.Blocks))}
	for _, slot := range b.places {
		for _, i := range slot {
			if i < 0 || int(i) >= len(b.blocks) {
				return nil, fmt.Errorf("block %d of %d", i, len(b.blocks))
			}
			b.at[b.blocks[i].SMILES] = i
		}
	}
	b.Used = len(b.at)
	return b, nil
}
