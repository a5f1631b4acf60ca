package experiment

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/sqlite"
)

// saved is what the file of a study says of its specification: with it the study can be resumed, on another machine, too.
type saved struct {
	Spec  RunSpec              `json:"spec"`
	Files map[string]savedFile `json:"files,omitzero"` // by the flag that names them

	StudyFile string `json:"study_file,omitzero"`
}

// savedFile is a file that the study reads.
type savedFile struct {
	Path string `json:"path"`          // where it was
	Data []byte `json:"data,omitzero"` // its content, compressed by gzip; none if it is larger than mostSaved: then it must still be there
}

const mostSaved = 32 << 20

// Record returns the specification with the content of the files that it names, as JSON: what the file of a study holds of it.
func (e *Experiment) Record() (json.RawMessage, error) {
	s := saved{Spec: e.Spec, Files: map[string]savedFile{}, StudyFile: e.Spec.StudyFile}
	for _, f := range s.Spec.named() {
		content, err := f.Read(mostSaved)
		if err != nil {
			return nil, usage.Errorf("--%s: %w", f.flag, err)
		}
		path, err := filepath.Abs(f.Path)
		if err != nil {
			return nil, err
		}
		file := savedFile{Path: path}
		if content != nil {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			w.Write(content)
			w.Close() // neither fails: a Buffer takes all
			file.Data = b.Bytes()
		}
		s.Files[f.flag] = file
	}
	return json.Marshal(s)
}

// Recorded returns the specification of a Record, and notes for people on what is not as it was. The error says what has to be
// put back.
func Recorded(record json.RawMessage) (spec RunSpec, notes []string, err error) {
	var s saved
	if err := json.Unmarshal(record, &s); err != nil {
		return spec, nil, fmt.Errorf("the specification: %w", err)
	}
	if s.Spec.Version != specVersion {
		return spec, nil, usage.Errorf("it is of version %s, whose options mean something else now; go on with that version", s.Spec.Program)
	}
	if now := Version(); now != s.Spec.Program {
		notes = append(notes, fmt.Sprintf("it was begun by version %s of the program, and this is %s: the search may go on otherwise than it would have", s.Spec.Program, now))
	}
	if now := fmt.Sprint(simd.ISA()); now != s.Spec.Kernels {
		notes = append(notes, fmt.Sprintf("it was begun on a processor with %s, and this one has %s: the search may go on otherwise than it would have", s.Spec.Kernels, now))
	}
	spec, err = s.spec()
	return spec, notes, err
}

// spec returns the specification of a study, with the files that it reads.
func (s saved) spec() (RunSpec, error) {
	spec := s.Spec
	spec.StudyFile = s.StudyFile
	for _, file := range spec.files() {
		from, ok := s.Files[file.flag]
		if !ok {
			continue
		}
		if file.Path = from.Path; from.Data == nil {
			again := task.File{Path: from.Path}
			if err := again.Digest(); err != nil {
				return spec, usage.Errorf("it reads --%s %s: %w; put it back", file.flag, from.Path, err)
			}
			if again.SHA256 != file.SHA256 {
				return spec, usage.Errorf("it reads --%s %s, which has changed since it began; put the old one back", file.flag, from.Path)
			}
			continue
		}
		r, err := gzip.NewReader(bytes.NewReader(from.Data))
		var content []byte
		if err == nil {
			content, err = io.ReadAll(r)
		}
		if err != nil {
			return spec, fmt.Errorf("read --%s from the study: %w", file.flag, err)
		}
		*file.File = file.With(content)
	}
	return spec, nil
}

// Resume opens the run in a folder, given by its name or that of the study in it, to go on with it. The search goes on as if it had
// never been interrupted. change may change what no answer depends on: the budget, and how an oracle is called.
func Resume(ctx context.Context, path string, change func(*RunSpec)) (*Experiment, *Folder, error) {
	folder := path
	if filepath.Base(path) == studyFile {
		folder = filepath.Dir(path)
	}
	file := filepath.Join(folder, studyFile)
	if !files.Exists(file) {
		return nil, nil, usage.Errorf("%s holds no %s; give the folder of a run with --out. A study of invbo new goes on with invbo ask", path, studyFile)
	}
	d, err := lockFolder(folder)
	if err != nil {
		return nil, nil, err
	}
	e, err := d.resume(ctx, file, change)
	if err != nil {
		d.Close()
		return nil, nil, err
	}
	return e, d, nil
}

func (d *Folder) resume(ctx context.Context, file string, change func(*RunSpec)) (e *Experiment, err error) {
	if d.study, err = sqlite.Open(ctx, file, sqlite.Options{Program: Version()}); err != nil {
		return nil, err
	}
	if e, err = restore(ctx, d.study.Meta().Specification, change); err != nil {
		return nil, fmt.Errorf("%s: %w", d.Path, err)
	}
	d.of(e)
	d.resumed = true
	return e, nil
}

// restore builds the experiment of a Record.
func restore(ctx context.Context, record json.RawMessage, change func(*RunSpec)) (*Experiment, error) {
	spec, notes, err := Recorded(record)
	if err != nil {
		return nil, err
	}
	change(&spec)
	e, err := spec.Build(ctx)
	if err != nil {
		return nil, err
	}
	e.Note = strings.Join(notes, "\n")
	return e, nil
}
