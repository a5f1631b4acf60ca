package experiment

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/invbo/invbo/internal/files"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/study"
)

// specVersion changes when the same options come to mean another run.
const specVersion = 1

// RunSpec determines a run and its result. A zero field takes the default of the task or, if the task has none, of the
// library; Resolve fills in the former and leaves the latter out, so that an option which is new changes no Key.
type RunSpec struct {
	Version int           `json:"version"`
	Task    string        `json:"task"`
	Method  string        `json:"method"`
	Seed    uint64        `json:"seed"`
	Budget  int           `json:"budget"` // oracle calls after the initial design
	Time    task.Duration `json:"time,omitzero"`
	Stale   int           `json:"stale,omitzero"` // calls without one among the ten best so far, after which the run ends; 0: any number
	Init    Init          `json:"init"`
	MethodOptions
	task.Options

	Workers string `json:"workers,omitzero"` // where the oracle is: empty, or RemoteWorkers; no part of Key
	Program string `json:"program,omitzero"` // version of the program that ran it; no part of Key
	Kernels string `json:"kernels,omitzero"` // CPU instructions that it used; no part of Key

	StudyFile string `json:"-"` // text of the user's study file; empty: there was none. A study keeps it
	stored    bool   // of a store or a record: limits on molecules that it does not hold were not there when it began
	asRead    []byte // see savedFile.AsRead, of the pool
	earlier   bool   // of a store that does not hold the initial design: its file is read as earlier versions did
}

// RemoteWorkers are those of package worker.
const RemoteWorkers = "remote"

// Init is the initial design: random strings, or those of a file or of the built-in library.
type Init struct {
	Random      int       `json:"random,omitzero"`
	Library     int       `json:"library,omitzero"` // molecules of the library to draw, for searches of molecules themselves
	File        task.File `json:"file,omitzero"`
	Score       string    `json:"score,omitzero"`        // the file's column with scores; empty: the task's
	Sample      int       `json:"sample,omitzero"`       // rows to draw; 0: all
	Skip        int       `json:"skip,omitzero"`         // rows to leave out first
	SkipInvalid bool      `json:"skip_invalid,omitzero"` // of earlier versions; rows that cannot be used are always left out
}

// MethodOptions are the options of methods.
type MethodOptions struct {
	Batch      int         `json:"batch,omitzero"`
	Top        int         `json:"top,omitzero"`
	Patience   int         `json:"patience,omitzero"`
	Profile    string      `json:"profile,omitzero"`
	Transform  string      `json:"transform,omitzero"`
	Inversion  Inversion   `json:"inversion,omitzero"`
	UpdateRate float64     `json:"update_rate,omitzero"`
	Passes     int         `json:"update_passes,omitzero"`
	Region     task.Region `json:"region,omitzero"`
	Similarity float64     `json:"max_similarity,omitzero"` // of two strings of a batch; 0: any
}

// Set, String and Type let a flag hold an Init: a number of random strings, or the name of a file.
func (i *Init) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		i.Random = 0
		return i.File.Set(text)
	}
	if n < 2 || n > usage.Most {
		return usage.Errorf("give 2 to %d initial strings", usage.Most)
	}
	i.Random, i.File = n, task.File{}
	return nil
}

func (i *Init) String() string {
	if i.Random > 0 {
		return strconv.Itoa(i.Random)
	}
	return i.File.Path
}

func (i *Init) Type() string { return option.NumberOrText }

// namedFile is a file of a specification, with the option that names it.
type namedFile struct {
	flag string
	*task.File
}

// files returns all files that a specification may name.
func (s *RunSpec) files() []namedFile {
	var all []namedFile
	for _, o := range option.All(s.Declare()) {
		switch v := o.Value.(type) {
		case *task.File:
			all = append(all, namedFile{o.Name, v})
		case *Init:
			all = append(all, namedFile{o.Name, &v.File})
		case *task.Alerts:
			all = append(all, namedFile{o.Name, &v.File})
		case *task.Required:
			all = append(all, namedFile{o.Name, &v.File})
		}
	}
	return all
}

// named returns the files of s that are given.
func (s *RunSpec) named() []namedFile {
	return slices.DeleteFunc(s.files(), func(f namedFile) bool { return f.Path == "" })
}

// Resolve returns s with the task's defaults filled in, without options that do not apply, and with the digests of its
// files.
//
// The names of task and method may be followed by parameters, as option.Named has them.
func (s RunSpec) Resolve() (RunSpec, error) {
	if err := s.TaskValue(&s.Task).Set(s.Task); err != nil {
		return s, err
	}
	if err := s.MethodValue().Set(s.Method); err != nil {
		return s, err
	}
	t, m, err := s.lookup()
	if err != nil {
		return s, err
	}
	s = s.filled(t, m)
	if a, b, ok := study.Contradict(s.Constraints); ok && !s.stored {
		return s, option.Errorf("%s: %s and %s exclude each other; leave one out, or change its number", option.Name("constraint"), a, b)
	}
	for _, f := range s.named() {
		if err := f.Digest(); err != nil {
			return s, option.Errorf("%s: %w", option.Name(f.flag), err)
		}
	}
	if s.OracleDir != "" { // a run may be resumed from another folder
		if s.OracleDir, err = filepath.Abs(s.OracleDir); err != nil {
			return s, err
		}
	}
	ofMolecules := m.needs.noModel() || s.Init.Library > 0       // the search: from the library, random ones are molecules, too
	usesModel := !ofMolecules || s.Init.Random > 0 && !m.evolves // to search in, or to draw the initial design from
	switch {
	case !usesModel:
		s.Weights = task.File{}
	case !s.Weights.Given() && t.Model != "":
		if s.Weights, err = task.BuiltIn(t.Model); err != nil {
			return s, err
		}
	}
	s.Program, s.Kernels = Version(), fmt.Sprint(simd.ISA())
	return s, nil
}

// lookup returns the task and the method of s.
func (s RunSpec) lookup() (task.Task, Method, error) {
	t, err := task.Named(s.Task)
	if err != nil {
		return t, Method{}, err
	}
	m, err := MethodNamed(cmp.Or(s.Method, t.Method))
	return t.With(s.Options), m, err
}

// filled returns s with the defaults of t, and without options that do not apply to t or m.
func (s RunSpec) filled(t task.Task, m Method) RunSpec {
	s.Version, s.Task, s.Method = specVersion, t.Name, m.Name
	s.Budget = cmp.Or(s.Budget, t.Budget)
	if !s.Init.File.Given() && s.Init.Library == 0 {
		s.Init.Random = cmp.Or(s.Init.Random, t.Init)
	}
	s.Batch = cmp.Or(s.Batch, t.Batch)
	s.Top = cmp.Or(s.Top, t.Top)
	if s.Profile == defaultProfile {
		s.Profile = ""
	}
	if s.Profile == "" {
		if !m.evolves { // the data choose
			s.Transform = cmp.Or(s.Transform, t.Transform)
		}
		s.UpdateRate = cmp.Or(s.UpdateRate, t.UpdateRate)
		s.Region.Length = cmp.Or(s.Region.Length, t.Region.Length)
		s.Region.Min = cmp.Or(s.Region.Min, t.Region.Min)
		s.Region.Max = cmp.Or(s.Region.Max, t.Region.Max)
	}
	if !m.evolves {
		s.Library, s.Implausible = task.File{}, false
	} else {
		s.Plausible = t.Is(task.KindMolecules) && !s.Implausible && !m.lacks(filter) && !s.Pool.Given() // what can be ordered has been made
	}
	if m.evolves && t.Is(task.KindMolecules) && !s.Pool.Given() && !s.stored {
		s.FromData = !m.lacks(bulk)
		if !s.Alerts.Given() && !m.lacks(alerts) {
			s.Alerts.Named = task.NIBRAlerts
		}
		if m.lacks(access) && s.SA == (task.Range{}) {
			s.SA = task.Range{Min: math.Inf(-1), Max: hardest}
		}
	}
	s.MethodOptions = m.keep(s.MethodOptions)
	s.Inversion = s.Inversion.canonical()
	if s.Components = s.Components && t.Is(task.KindComponents); s.Components {
		s.Objectives = nil
		for _, name := range t.Components {
			s.Objectives = append(s.Objectives, study.Objective{Name: name, Zero: new(float64)})
		}
	}
	return s.filledParameters(t)
}

// filledParameters returns s with the parameters of its task, and without those of other tasks.
func (s RunSpec) filledParameters(t task.Task) RunSpec {
	if s.Target = cmp.Or(s.Target, t.Target); !t.Is("expression") {
		s.Target = ""
	}
	if s.Dim = cmp.Or(s.Dim, t.Dim); !t.Is("ackley") {
		s.Dim = 0
	}
	switch {
	case t.Is("ehrlich"):
		s.Ehrlich = s.Ehrlich.Or(t.Ehrlich)
	case t.Is(task.OwnStrings) && s.Length > 0: // of earlier versions
		s.Lengths = task.Lengths{Min: s.Length, Max: s.Length}
		s.Ehrlich = task.Ehrlich{}
	default:
		s.Ehrlich = task.Ehrlich{}
	}
	if !t.Is(task.OwnStrings) && !t.Is(task.LandscapeTask) {
		s.SequenceOptions = task.SequenceOptions{}
	}
	if !t.Is(task.LandscapeTask) {
		s.Landscape = task.Landscape{}
	}
	if !t.Is("docking") {
		s.Receptor, s.Box, s.Exhaustiveness, s.DockTimeout = task.File{}, task.File{}, 0, 0
	}
	return s
}

// Key returns what tells runs apart: canonical JSON of a resolved specification. Files count by their content, not by their
// names; neither does the program's version count, nor where, how often and how long an oracle is asked.
func (s RunSpec) Key() string {
	s.Workers, s.Program, s.Kernels, s.DataLimits, s.Configured, s.Computed = "", "", "", nil, "", nil
	s.External = s.External.Values()
	for _, f := range s.files() {
		f.Name = ""
	}
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings and finite numbers
	}
	return string(text)
}

// listed names methods: "method turbo", or "methods lbo, turbo".
func listed(all []Method) string {
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = m.Name
	}
	if len(all) == 1 {
		return "method " + names[0]
	}
	return "methods " + strings.Join(names, ", ")
}

// Rereadable returns an error if a file of s could be read by the first of several runs only.
func (s RunSpec) Rereadable() error {
	for _, f := range s.named() {
		if f.Stream() {
			return option.Errorf("%s: every run reads it, and a stream can be read only once; give a file", option.Setting{Name: option.Name(f.flag), Value: f.Path})
		}
		if !files.Exists(f.Path) {
			return option.Errorf("%s: %w", option.Name(f.flag), f.Digest())
		}
	}
	return nil
}

// Rand returns the generator of the initial design; the search has its own.
func (s RunSpec) Rand() *rand.Rand { return rand.New(rand.NewPCG(s.Seed, 0)) }

// built is the version that the linker was told, as make build does: go build knows none in a copy without version control.
var built string

// Version returns the version that is running: the linker's, the module's, or the commit that was built.
func Version() string {
	if built != "" {
		return built
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return versionOf(info)
}

func versionOf(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	commit, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+dirty"
		}
	}
	if commit == "" {
		return "devel" // built without version control
	}
	return "devel-" + commit + changed
}
