package experiment

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"

	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
)

// saved is what a store holds of its experiment: with it the experiment can be opened, on another machine, too.
type saved struct {
	Spec    RunSpec              `json:"spec"`
	Files   map[string]savedFile `json:"files,omitzero"` // by the flag that names them
	Columns Columns              `json:"columns,omitzero"`
	Init    []savedString        `json:"init,omitzero"` // the initial design; none: as Spec says, in files of earlier versions

	StudyFile string `json:"study_file,omitzero"`

	Seal    string          `json:"seal,omitzero"`           // of the oracle of the user's own: see seal
	Formers []task.External `json:"former_oracles,omitzero"` // that were replaced, the oldest first
}

// savedFile is a file that the experiment reads.
type savedFile struct {
	Path string `json:"path"`          // where it was
	Data []byte `json:"data,omitzero"` // its content, compressed by gzip; none if it is larger than mostSaved: then it must still be there

	// AsRead is a pool of many molecules as it was read (pool.pack): RDKit takes minutes for a million, and a study is
	// opened by each command.
	AsRead []byte `json:"as_read,omitzero"`
}

const mostSaved = 32 << 20

// savedString is a string of the initial design as the search writes it. Its measurements are in the events.
type savedString struct {
	X    string `json:"x"`
	Name string `json:"name,omitzero"`
}

// record returns what the store holds of an experiment, as JSON. Each file that the specification names is in it,
// except for that of the initial design, which is there as it was read.
func (e *Experiment) record() (json.RawMessage, error) {
	s := saved{Spec: e.Spec, Files: map[string]savedFile{}, Columns: e.Columns, StudyFile: e.Spec.StudyFile}
	s.Columns.WildType, s.Columns.Offset = "", 0 // they are the plan's
	for _, f := range s.Spec.named() {
		path, err := filepath.Abs(f.Path)
		if err != nil {
			return nil, err
		}
		if f.File == &s.Spec.Init.File {
			continue
		}
		content, err := f.Read(mostSaved)
		if err != nil {
			return nil, option.Errorf("%s: %w", option.Name(f.flag), err)
		}
		file := savedFile{Path: path}
		if content != nil {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			w.Write(content)
			w.Close() // neither fails: a Buffer takes all
			file.Data = b.Bytes()
		}
		if f.flag == "pool" && e.pool != nil && e.Molecules() && len(e.pool.xs) >= manyMolecules {
			if file.AsRead, err = e.pool.pack(); err != nil {
				return nil, option.Errorf("%s: %w", option.Name(f.flag), err)
			}
		}
		s.Files[f.flag] = file
	}
	s.Seal, _ = seal(s.Spec.External) // who resumes without a key is told why (Provenance)
	for _, o := range e.Problem.Init {
		s.Init = append(s.Init, savedString{o.X, o.Name})
	}
	return json.Marshal(s)
}

// parseRecord reads a record, those of earlier versions, too, in which a laboratory's had the columns beside it.
func parseRecord(record []byte) (s saved, err error) {
	var laboratory struct {
		Columns Columns         `json:"columns"`
		Study   json.RawMessage `json:"study"`
	}
	err = json.Unmarshal(record, &laboratory)
	if err == nil && laboratory.Study != nil {
		record = laboratory.Study
	}
	if err == nil {
		err = json.Unmarshal(record, &s)
	}
	if err != nil {
		return s, fmt.Errorf("the specification: %w", err)
	}
	if laboratory.Study != nil {
		s.Columns = laboratory.Columns
	}
	if s.Spec.Version != specVersion {
		return s, usage.Errorf("it is of version %s, whose options mean something else now; go on with that version", s.Spec.Program)
	}
	return s, nil
}

// notes say what is not as it was when the experiment began.
func (s saved) notes() (notes []string) {
	if now := Version(); now != s.Spec.Program {
		notes = append(notes, fmt.Sprintf("it was begun by version %s of the program, and this is %s: the search may go on otherwise than it would have", s.Spec.Program, now))
	}
	if now := fmt.Sprint(simd.ISA()); now != s.Spec.Kernels {
		notes = append(notes, fmt.Sprintf("it was begun on a processor with %s, and this one has %s: the search may go on otherwise than it would have", s.Spec.Kernels, now))
	}
	return notes
}

// spec returns the specification, with the files that it reads. The error says what has to be put back.
func (s saved) spec() (RunSpec, error) {
	spec := s.Spec
	spec.StudyFile, spec.stored = s.StudyFile, true
	if s.Columns.WildType != "" { // of earlier versions
		spec.WildType, spec.Offset = s.Columns.WildType, s.Columns.Offset
	}
	for _, file := range spec.files() {
		from, ok := s.Files[file.flag]
		if !ok {
			continue
		}
		if file.flag == "pool" {
			spec.asRead = from.AsRead
		}
		if file.Path = from.Path; from.Data == nil {
			again := task.File{Path: from.Path}
			if err := again.Digest(); err != nil {
				return spec, option.Errorf("it reads %s: %w; put it back", option.Setting{Name: option.Name(file.flag), Value: from.Path}, err)
			}
			if again.SHA256 != file.SHA256 {
				return spec, option.Errorf("it reads %s, which has changed since it began; put the old one back", option.Setting{Name: option.Name(file.flag), Value: from.Path})
			}
			continue
		}
		r, err := gzip.NewReader(bytes.NewReader(from.Data))
		var content []byte
		if err == nil {
			content, err = io.ReadAll(io.LimitReader(r, mostSaved+1))
		}
		if err == nil && len(content) > mostSaved {
			err = usage.Errorf("it has more than %d MiB, unpacked, and no study of this program holds as much; the study is damaged, or was made to fill the memory", mostSaved>>20)
		}
		if err != nil {
			return spec, fmt.Errorf("read %s from the study: %w", file.flag, err)
		}
		*file.File = file.With(content)
	}
	return spec, nil
}

// oracleFiles are the options with files that RunSpec.Oracle reads.
var oracleFiles = []string{"receptor", "box", "instances", "file"}

// Recorded returns the specification of a store's record, for RunSpec.Oracle. Files that only the search reads may be
// elsewhere: it has no content of these.
func Recorded(record json.RawMessage) (RunSpec, error) {
	s, err := parseRecord(record)
	if err != nil {
		return RunSpec{}, err
	}
	maps.DeleteFunc(s.Files, func(flag string, _ savedFile) bool { return !slices.Contains(oracleFiles, flag) })
	return s.spec()
}
