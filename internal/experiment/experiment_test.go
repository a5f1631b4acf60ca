package experiment

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/invbo/invbo"
	"github.com/invbo/invbo/evolve"
	"github.com/invbo/invbo/gp"
	"github.com/invbo/invbo/internal/option"
	"github.com/invbo/invbo/internal/simd"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/molecule"
	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/study"
)

// write makes a file below dir.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
	return name
}

func resolved(t *testing.T, s RunSpec) RunSpec {
	t.Helper()
	s, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A file that cannot be written whole, as on a full disk, is not there, and one that is replaced stays.
func TestWholeFiles(t *testing.T) {
	d := &folder{path: t.TempDir(), modes: map[string]os.FileMode{resultFile: 0o600}}
	full := errors.New("no space left on device")
	empty := func(io.Writer) error { return full }
	if err := d.file(resultFile, empty); !errors.Is(err, full) {
		t.Error(err)
	}
	if all, err := os.ReadDir(d.path); err != nil || len(all) > 0 {
		t.Errorf("left: %v, %v", all, err)
	}
	if err := d.json(resultFile, 1); err != nil {
		t.Fatal(err)
	}
	if err := d.file(resultFile, empty); !errors.Is(err, full) {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(d.path, resultFile)); err != nil || string(text) != "1\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// The key of the recorded runs: should it change, they would be repeated.
func TestKey(t *testing.T) {
	s := resolved(t, RunSpec{Task: "expression", Method: "turbo", Seed: 7, Init: Init{Random: 20, Skip: 3}})
	const want = `{"version":1,"task":"expression","method":"turbo","seed":7,"budget":500,"init":{"random":20,"skip":3},"batch":5,"top":10,` +
		`"weights":{"sha256":"5465d68f"},"target":"1/3+x+sin(x*x)"}`
	if got := s.Key(); got != want {
		t.Errorf("key %s, want %s", got, want)
	}
	if again := resolved(t, s); again.Key() != want {
		t.Errorf("resolved again it is %s", again.Key())
	}
}

// Which oracle is asked makes another run, and how it is asked does not.
func TestKeyOfOracles(t *testing.T) {
	key := func(e task.External) string {
		return resolved(t, RunSpec{Task: "strings", Options: task.Options{External: e}}).Key()
	}
	plain := key(task.External{OracleCmd: "score"})
	for _, e := range []task.External{
		{OracleCmd: "score", OracleProtocol: "lines"},
		{OracleCmd: "score", OracleJobs: 2, OracleTimeout: 1, OracleRetries: 3, OracleSize: 4},
		{OracleCmd: "score", OracleTokenFile: "token", OracleDir: "."},
	} {
		if got := key(e); got != plain {
			t.Errorf("%+v: key %s, want %s", e, got, plain)
		}
	}
	for _, e := range []task.External{{OracleCmd: "other"}, {OracleURL: "score"}, {OracleCmd: "score", OracleProtocol: "csv"}, {OracleCmd: "score", OracleProperty: "pIC50"}} {
		if got := key(e); got == plain {
			t.Errorf("%+v: key %s, want another one", e, got)
		}
	}
	if s := resolved(t, RunSpec{Task: "strings", Options: task.Options{External: task.External{OracleCmd: "score", OracleDir: "."}}}); !filepath.IsAbs(s.OracleDir) {
		t.Errorf("the folder of the oracle is %q: a run may be resumed from another one", s.OracleDir)
	}
	if want := `"oracle_cmd":"score"`; !strings.Contains(plain, want) {
		t.Errorf("key %s, want %s in it", plain, want)
	}
}

// What is given at its default is the same run as without it, and program and file names do not count.
func TestKeyOfDefaults(t *testing.T) {
	plain := resolved(t, RunSpec{Task: "expression"})
	explicit := RunSpec{Task: "expression", Method: "cobo+invbo", Budget: 500, Init: Init{Random: 100}, MethodOptions: MethodOptions{
		Batch: 5, Top: 10, Profile: "fitted", Inversion: Inversion{Loss: "cross-entropy", Rate: 0.1, Iterations: 1000},
	}, Options: task.Options{Target: "1/3+x+sin(x*x)", Dim: 40}}
	if plain.Program != Version() || plain.Kernels == "" {
		t.Errorf("it is resolved by version %q, with %q", plain.Program, plain.Kernels)
	}
	explicit = resolved(t, explicit)
	explicit.Program, explicit.Kernels, explicit.Weights.Name = "another", "none", "mine"
	if explicit.Key() != plain.Key() {
		t.Errorf("%s and %s", explicit.Key(), plain.Key())
	}
	for name, other := range map[string]func(*RunSpec){
		"seed": func(s *RunSpec) { s.Seed = 1 }, "batch": func(s *RunSpec) { s.Batch = 4 }, "inversion": func(s *RunSpec) { s.Inversion.Rate = 0.2 },
		"file": func(s *RunSpec) { s.Init.File.SHA256 = "00" }, "time": func(s *RunSpec) { s.Time = 1 },
	} {
		s := plain
		if other(&s); s.Key() == plain.Key() {
			t.Errorf("another %s is no other run", name)
		}
	}
	var back RunSpec
	text, _ := json.Marshal(plain)
	if err := unmarshalStrictly(text, &back); err != nil || back.Key() != plain.Key() || back.Program != plain.Program {
		t.Errorf("%s comes back as %+v, %v", text, back, err)
	}
}

// Sizes of an Ehrlich function at their defaults are the same run as without them, and another instance is another run.
func TestKeyOfEhrlich(t *testing.T) {
	plain := resolved(t, RunSpec{Task: "ehrlich"})
	explicit := resolved(t, RunSpec{Task: "ehrlich", Options: task.Options{Ehrlich: task.Ehrlich{States: 20, Length: 32, Motifs: 4, MotifLength: 4}}})
	other := resolved(t, RunSpec{Task: "ehrlich", Options: task.Options{Ehrlich: task.Ehrlich{Instance: 1}}})
	if explicit.Key() != plain.Key() || other.Key() == plain.Key() {
		t.Errorf("%s, %s and %s", plain.Key(), explicit.Key(), other.Key())
	}
}

// A task's own defaults are for the recommended profile, and what is given goes before either.
func TestDefaults(t *testing.T) {
	region := task.Region{Length: 0.4, Min: 0.1, Max: 0.8}
	for _, test := range []struct {
		name, task, profile, transform string
		want                           MethodOptions
	}{
		{"molecules in a latent space", "med2", "fitted", "", MethodOptions{Batch: 5, Top: 50, Transform: "logrank", UpdateRate: 1e-4, Region: region}},
		{"molecules as published", "med2", "published", "", MethodOptions{Batch: 5, Top: 50, Profile: "published"}},
		{"numbers as published", "ackley", "published", "", MethodOptions{Batch: 4, Top: 10, Profile: "published"}},
		{"as published, but", "med2", "published", "raw", MethodOptions{Batch: 5, Top: 50, Profile: "published", Transform: "raw"}},
	} {
		s := RunSpec{Task: test.task, Method: "turbo", MethodOptions: MethodOptions{Profile: test.profile, Transform: test.transform}}
		of, m, err := s.lookup()
		if err != nil {
			t.Fatal(err)
		}
		if got := s.filled(of, m).MethodOptions; got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
	for method, want := range map[string]MethodOptions{"gp-tanimoto": {Batch: 5}, "": {Batch: 5}} {
		of, m, err := RunSpec{Task: "med2", Method: method}.lookup()
		if err != nil {
			t.Fatal(err)
		}
		if got := (RunSpec{}).filled(of, m).MethodOptions; got != want {
			t.Errorf("molecules by %q: %+v, want %+v", m.Name, got, want)
		}
	}
}

// A run is recognized wherever its files lie, and is another one once they change.
func TestDigests(t *testing.T) {
	dir := t.TempDir()
	const abc = "ba7816bf" // SHA-256's first example, FIPS 180-2, B.1
	expressions := builtIn(t, "grammar/weights/expression")
	for _, test := range []struct {
		name, task, method, file string
		init, weights            string
	}{
		{"a file", "expression", "cobo", write(t, dir, "a.txt", "abc"), abc, expressions},
		{"it elsewhere", "expression", "cobo", write(t, dir, "b/a.txt", "abc"), abc, expressions},
		{"another of that name", "expression", "cobo", write(t, dir, "c/a.txt", "abcd"), "88d4266f", expressions},
		{"random strings", "expression", "cobo", "", "", expressions},
		{"a baseline, from a file", "med2", "gbga", write(t, dir, "a.txt", "abc"), abc, ""},
		{"no model", "ackley", "turbo", "", "", ""},
	} {
		got := resolved(t, RunSpec{Task: test.task, Method: test.method, Init: Init{File: task.File{Path: test.file}}})
		if got.Init.File.SHA256 != test.init || got.Weights.SHA256 != test.weights {
			t.Errorf("%s: init %s, weights %s, want %s, %s", test.name, got.Init.File.SHA256, got.Weights.SHA256, test.init, test.weights)
		}
	}
	got := resolved(t, RunSpec{Task: "med2", Method: "cobo", Options: task.Options{Weights: task.File{Path: write(t, dir, "w", "abc")}}})
	if got.Weights.SHA256 != abc || got.Weights.Name != "w" {
		t.Errorf("weights %+v, want those of the file", got.Weights)
	}
	list := task.Options{Library: task.File{Path: write(t, dir, "l", "abc")}}
	if got := resolved(t, RunSpec{Task: "med2", Options: list}); got.Library.SHA256 != abc || got.Weights.Given() {
		t.Errorf("library %+v and weights %+v of an evolution, want the file's digest and none", got.Library, got.Weights)
	}
	if with, without := resolved(t, RunSpec{Task: "med2", Method: "cobo", Options: list}), resolved(t, RunSpec{Task: "med2", Method: "cobo"}); with.Key() != without.Key() {
		t.Errorf("%s and %s are two runs, and the library is of neither", with.Key(), without.Key())
	}
	if got := resolved(t, RunSpec{Task: "med2", Method: "gbga"}); got.Weights.SHA256 != builtIn(t, "sequence/weights/molecules") {
		t.Errorf("weights %s of a baseline that starts from a model's samples, want the model's", got.Weights.SHA256)
	}
}

// builtIn returns the digest of a file of built-in weights.
func builtIn(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "vae", filepath.FromSlash(name)+".safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%.4x", sha256.Sum256(data))
}

// Every method is found, with its parts, and refuses the options that it does not have.
func TestMethodNamed(t *testing.T) {
	for _, m := range Methods() {
		if got, err := MethodNamed(m.Name); err != nil || got.Name != m.Name || got.needs != m.needs {
			t.Errorf("%s: %s, %v", m.Name, got.Name, err)
		}
	}
	for name, want := range map[string]string{
		"cobo+inv+random": "", "cobbo": `did you mean "cobo"?`, "cobo+invo": `there is no part "invo"`, "gbga+pas": "no latent space", "lbo+evolve": "the part evolve was removed",
		"evolve-library-filter": "", "evolve-": "there is no part of evolve", "evolve-librari": `did you mean "library"?`,
	} {
		_, err := MethodNamed(name)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
	for method, options := range map[string][]string{ // the last one does not apply
		"gp-tanimoto": {"batch", "patience"}, "cobo": {"batch", "weights", "max_similarity"}, "gbga": {"library"}, "evolve": {"library", "implausible", "weights"},
		"turbo+pas": {"top", "region_max", "update_rate"}, "turbo+inv": {"inversion_loss", "patience"}, "turbo+invbo": {"inversion_epsilon", "update_passes"},
		"lbo": {"patience", "update_rate", "update_passes", "region_length"}, "wlbo": {"region_length", "inversion_rate"},
		"cobo+encoder+pas": {"update_passes", "inversion_iterations"}, "cobo+pas": {"update_rate", "region_min", "inversion_epsilon"}, "lbo+inv": {"inversion_loss", "region_min"},
		"evolve-transform": {"library", "transform"}, "evolve-library-filter": {"transform", "library", "implausible"}, "evolve-loop-filter": {"batch", "plausible"},
	} {
		err := RunSpec{Task: "med2"}.Refuse(declared(t, options...), method)
		if want := options[len(options)-1] + " does not apply to the method " + method; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// declared returns options by their names.
func declared(t *testing.T, names ...string) []*option.Option {
	t.Helper()
	all := option.All(new(RunSpec).Declare())
	found := make([]*option.Option, len(names))
	for i, name := range names {
		if found[i] = option.Find(name, all); found[i] == nil {
			t.Fatalf("there is no option %s", name)
		}
	}
	return found
}

// Of several methods one that an option applies to is enough.
func TestRefuseOfMethods(t *testing.T) {
	for _, test := range []struct {
		option  string
		methods []string
		want    string
	}{
		{"update_rate", []string{"turbo", "cobo"}, ""},
		{"update_rate", []string{"turbo", "turbo+pas"}, "update_rate does not apply to the methods turbo, turbo+pas; leave it out"},
		{"inversion_loss", []string{"cobo", "cobo+invbo+structure"}, ""},
		{"inversion_loss", nil, ""},
		{"top", []string{"evolve", "lbo"}, ""},
		{"top", []string{"evolve", "gbga"}, "top does not apply to the methods evolve, gbga"},
	} {
		err := RunSpec{Task: "med2"}.Refuse(declared(t, test.option), test.methods...)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s of %v: error %v, want %q", test.option, test.methods, err, test.want)
		}
	}
}

// A method that leaves parts of evolve out leaves out these, and keeps the rest.
func TestAblations(t *testing.T) {
	kernels := []gp.Term{{Kernel: gp.Overlap, Groups: []int{0, 1}}, {Kernel: gp.Overlap}, {Kernel: gp.Laplace, Groups: []int{2}}}
	defaults := evolve.Defaults()
	for _, part := range Ablations() {
		space := evolve.Space{Kernels: kernels}
		var opts evolve.Options
		part.leave(&space, &opts)
		left := map[string]bool{
			"loop": opts.Generations == 1 && opts.Children == defaults.Generations*defaults.Children, "library": opts.Pool < 0, "conditioning": opts.Greedy,
			"restarts": opts.Patience < 0, "transform": opts.Transform != nil, "quantities": len(space.Kernels) == 2,
		}
		for name, out := range left {
			if out != (name == part.Name) {
				t.Errorf("without %s: %s left out %v", part.Name, name, out)
			}
		}
	}
	if len(kernels) != 3 || kernels[2].Kernel != gp.Laplace {
		t.Error("an ablation changed the kernels of others")
	}
	for method, plausible := range map[string]bool{"evolve": true, "evolve-filter": false, "evolve-loop-filter": false, "evolve-loop": true} {
		s, err := RunSpec{Task: "med2", Method: method}.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		if s.Plausible != plausible || s.Method != method {
			t.Errorf("%s is resolved to %s, plausible %v", method, s.Method, s.Plausible)
		}
	}
}

// trials are of a run that minimizes.
var trials = []study.Trial{
	{Proposal: study.Proposal{Kind: study.Initial}, State: study.Scored, Score: 2, Value: -2, Called: true},
	{Proposal: study.Proposal{Kind: study.Acquired, Batch: 1}, State: study.Scored, Score: 3, Value: -3, Called: true},
	{Proposal: study.Proposal{Kind: study.Acquired, Batch: 2}, State: study.Scored, Score: 1, Value: -1, Called: true},
	{Proposal: study.Proposal{Kind: study.Acquired, Batch: 2}, Score: math.NaN(), Value: math.NaN()}, // invalid: it costs no call
	{Proposal: study.Proposal{Kind: study.Recentered, Batch: 2}, State: study.Scored, Score: 0.5, Value: -0.5, Called: true},
	{Proposal: study.Proposal{Kind: study.Recentered, Batch: 2}, State: study.Scored, Score: 0.75, Value: -0.75, Called: true},
}

// latents is the status of a search with these gauges.
func latents(aligned, dissimilarity float64) study.Status {
	return study.Status{Report: study.Report{Gauges: []study.Gauge{
		{Name: invbo.Aligned, Value: aligned}, {Name: invbo.Dissimilarity, Value: dissimilarity},
	}}}
}

func TestHistory(t *testing.T) {
	r := Outcome{Task: task.Task{Minimize: true}, Trials: trials, Batches: []study.Status{latents(1, 0), latents(0.5, 0.25)}}
	want := History{
		Curve: []Step{{0, 2}, {2, 1}, {3, 0.5}}, Alignments: []float64{1, 0.5}, Dissimilarities: []float64{0, 0.25},
		NewStrings: []float64{1, 1}, ImprovedByAcquisition: 1, ImprovedByRecentering: 1,
	}
	if got := r.history(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := want.BestAfter(5), []float64{2, 2, 1, 0.5, 0.5, 0.5}; !slices.Equal(got, want) {
		t.Errorf("best after each call: %v, want %v", got, want)
	}
	if got := (History{}).BestAfter(1); len(got) != 2 || !math.IsNaN(got[0]) {
		t.Errorf("best of a run without scores: %v", got)
	}
}

func TestTop(t *testing.T) {
	var r Outcome
	for _, test := range []struct {
		minimize bool
		n        int
		want     []int
	}{{false, 2, []int{3, 1}}, {true, 9, []int{1, 4, 3}}, {false, 9, []int{3, 1, 4}}} {
		sign := 1.0
		if test.minimize {
			sign = -1
		}
		r.Trials = []study.Trial{
			{Proposal: study.Proposal{ID: 1}, State: study.Scored, Score: 1, Value: sign}, {Proposal: study.Proposal{ID: 2}, State: study.Failed, Score: math.NaN(), Value: math.NaN()},
			{Proposal: study.Proposal{ID: 3}, State: study.Scored, Score: 2, Value: 2 * sign}, {Proposal: study.Proposal{ID: 4, Kind: study.Initial}, State: study.Scored, Score: 1, Value: sign},
		}
		var got []int
		for _, trial := range r.Top(test.n, nil) {
			got = append(got, trial.ID)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("minimize %t: trials %v, want %v", test.minimize, got, test.want)
		}
	}
	if got := r.Top(9, func(t study.Trial) bool { return t.Kind == study.Initial }); len(got) != 1 || got[0].ID != 4 {
		t.Errorf("initial ones: %v", got)
	}
}

// The specification is on disk before the first oracle call, and is the run's own.
func TestSpecIsWrittenFirst(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	e, err := RunSpec{Task: "ackley", Budget: 4, Init: Init{Random: 4}, Options: task.Options{Dim: 2}}.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	run, err := Create(t.Context(), Place{Folder: dir}, e, Options{Run: true})
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	first := true
	_, err = run.Run(t.Context(), Observer{Trial: func(study.Trial) {
		if !first {
			return
		}
		first = false
		var s RunSpec
		text, err := os.ReadFile(filepath.Join(dir, "spec.json"))
		if err = errors.Join(err, unmarshalStrictly(text, &s)); err != nil || s.Key() != e.Spec.Key() {
			t.Errorf("at the first trial spec.json holds %s, %v; want %s", text, err, e.Spec.Key())
		}
	}})
	if err != nil || first {
		t.Errorf("error %v; trials: %t", err, !first)
	}
}

// A study keeps the study file that it was begun with, which is no part of what it is.
func TestStudyFileIsKept(t *testing.T) {
	const text = "# the best of all\ntask = 'ackley'\n"
	e, err := RunSpec{Task: "ackley", StudyFile: text}.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	x, err := Create(t.Context(), Place{}, e, Options{})
	if err != nil {
		t.Fatal(err)
	}
	record, err := x.record()
	if err != nil {
		t.Fatal(err)
	}
	spec, err := Recorded(record)
	if without := resolved(t, RunSpec{Task: "ackley"}); err != nil || spec.StudyFile != text || spec.Key() != without.Key() {
		t.Errorf("%v: kept %q, want %q; key %s, without it %s", err, spec.StudyFile, text, spec.Key(), without.Key())
	}
}

// A worker on another machine has the oracle's files from the record, and needs none that only the search reads.
func TestWorkerNeedsNoFiles(t *testing.T) {
	if err := molecule.Available(); err != nil {
		t.Skip(err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("the stand-ins for Vina and Open Babel are shell scripts")
	}
	dir := t.TempDir()
	fakes, err := filepath.Abs(filepath.Join("..", "..", "oracle", "docking", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", fakes+string(filepath.ListSeparator)+os.Getenv("PATH"))
	receptor := write(t, dir, "receptor.pdbqt", "ATOM\nATOM\nATOM\n")
	box := write(t, dir, "box.txt", "center_x=1\ncenter_y=1\ncenter_z=1\nsize_x=1\nsize_y=1\nsize_z=1\n")
	forbid, init := write(t, dir, "forbid.smarts", "[#16]\n"), write(t, dir, "init.csv", "smiles,score\nCCO,-3\nCCN,-4\n")
	e, err := RunSpec{Task: "docking", Workers: RemoteWorkers, Init: Init{File: task.File{Path: init}}, Options: task.Options{
		Receptor: task.File{Path: receptor}, Box: task.File{Path: box}, Forbid: task.File{Path: forbid},
	}}.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	x, err := Create(t.Context(), Place{}, e, Options{Run: true})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	record, err := x.record()
	if err != nil {
		t.Fatal(err)
	}
	s, err := parseRecord(record)
	if err != nil {
		t.Fatal(err)
	}
	s.Files["forbid"] = savedFile{Path: forbid} // as if it were too large to be kept
	if record, err = json.Marshal(s); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	spec, err := Recorded(record)
	if err != nil {
		t.Fatal(err)
	}
	o, end, err := spec.Oracle(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	t.Setenv("FAKE", "atoms")
	if r, err := oracle.One(t.Context(), o, "CCO"); r.Score != -3 || err != nil {
		t.Errorf("Score = %v, %v, want -3, the atoms of the receptor", r, err)
	}
}

// Names of a task and a method may have parameters, which set the same fields as options do.
func TestResolveParameters(t *testing.T) {
	s := resolved(t, RunSpec{Task: "ehrlich:length=16,motif-length=2,instance=3", Method: "evolve:transform=log"})
	want := resolved(t, RunSpec{Task: "ehrlich", Method: "evolve", MethodOptions: MethodOptions{Transform: "log"}, Options: task.Options{Ehrlich: task.Ehrlich{Length: 16, MotifLength: 2, Instance: 3}}})
	if s.Key() != want.Key() {
		t.Errorf("key %s, want %s", s.Key(), want.Key())
	}
	for text, want := range map[[2]string]string{
		{"ackley:target=x", ""}:                 "target does not apply to the task ackley",
		{"ackley:dim=0", ""}:                    "dim 0: give a number from 1 to 10000",
		{"ackley", "turbo:update_rate=1"}:       "update_rate does not apply to the method turbo",
		{"expression", "cobo:inversion_loss=x"}: "inversion_loss does not apply to the method cobo",
		{"ackley", "turbo:bottom=1"}:            `the method turbo has no parameter "bottom"`,
		{"expression", "gbga:top=3"}:            "top does not apply to the method gbga",
	} {
		if _, err := (RunSpec{Task: text[0], Method: text[1]}).Resolve(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %s", text, err, want)
		}
	}
}

// Parameters of one task are no part of the run of another.
func TestKeyWithoutOtherTasks(t *testing.T) {
	plain := resolved(t, RunSpec{Task: "ackley"})
	other := resolved(t, RunSpec{Task: "ackley", Options: task.Options{Target: "x", Exhaustiveness: 3, Ehrlich: task.Ehrlich{Length: 8, Instance: 1}}})
	if other.Key() != plain.Key() {
		t.Errorf("%s and %s", other.Key(), plain.Key())
	}
}

// Scores are those of the options that they depend on, in whatever way these are given.
func TestScoresOfOtherOptions(t *testing.T) {
	file := func(digest string) task.File { return task.File{SHA256: digest} }
	for _, c := range []struct {
		task, spec string
		options    task.Options
		want       string // in the error; empty: there is none
	}{
		{"docking", `"exhaustiveness":1`, task.Options{}, "exhaustiveness=1"},
		{"docking", `"exhaustiveness":1`, task.Options{Exhaustiveness: 1}, ""},
		{"docking", `"exhaustiveness":8,"dock_timeout":"3s"`, task.Options{}, ""},
		{"docking", `"receptor":{"sha256":"a"}`, task.Options{Receptor: file("b")}, "another value of receptor"},
		{"expression", `"target":"x"`, task.Options{}, "target=x"},
		{"landscape", `"landscape":{"file":{"sha256":"a"}}`, task.Options{Landscape: task.Landscape{File: file("b")}}, "another value of file"},
		{"landscape", `"landscape":{"file":{"sha256":"a"}}`, task.Options{Landscape: task.Landscape{File: file("a")}}, ""},
		{"landscape", `"landscape":{"column":"kd"}`, task.Options{Landscape: task.Landscape{Column: "ic50"}}, "column=kd"},
		{"landscape", `"landscape":{}`, task.Options{Landscape: task.Landscape{Column: "ic50"}}, "another value of column"},
		{"ehrlich", `"states":4`, task.Options{Ehrlich: task.Ehrlich{States: 6}}, "states=4"},
		{"ehrlich", `"instances":{"sha256":"a"}`, task.Options{}, "another value of instances"},
		{"med2", `"states":4,"exhaustiveness":1`, task.Options{}, ""}, // which it does not take
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, specFile), []byte(`{"task":"`+c.task+`",`+c.spec+`}`), 0o600); err != nil {
			t.Fatal(err)
		}
		s := RunSpec{Task: c.task, Options: c.options, Init: Init{File: task.File{Path: filepath.Join(dir, TrialsFile)}}}
		_, err := s.sameScores(false)
		if got := fmt.Sprint(err); (err != nil) != (c.want != "") || c.want != "" && !strings.Contains(got, "those of a run with "+c.want+";") {
			t.Errorf("%s: a file of %s, and %+v: error %v, want %q", c.task, c.spec, c.options, err, c.want)
		}
	}
}

// Each option stands once in a study file, and applies to a task and a method that there are.
func TestDeclarations(t *testing.T) {
	if o, want := declared(t, "method")[0], "evolve; for expression cobo+invbo"; !strings.HasPrefix(o.Unset, want) || strings.Contains(o.Unset, " evolve") {
		t.Errorf("without a method it is %s, want %s", o.Unset, want)
	}
	seen := map[string]bool{}
	for _, o := range option.All(new(RunSpec).Declare()) {
		place := o.Table + "." + cmp.Or(o.Key, o.Name)
		if seen[place] {
			t.Errorf("%s stands twice in a study file", place)
		}
		seen[place] = true
		tasks := slices.ContainsFunc(task.All(), func(t task.Task) bool { return t.Takes(o) })
		methods := slices.ContainsFunc(append(Methods(), func() Method { m, _ := MethodNamed("cobo+invbo"); return m }()), func(m Method) bool { return m.Takes(o) })
		if !tasks || !methods || o.Help == "" && !o.IsDropped() || o.Commands == 0 {
			t.Errorf("%s applies to a task: %t, to a method: %t; help %q, commands %b", o.Name, tasks, methods, o.Help, o.Commands)
		}
		if _, file := o.Value.(*task.File); file && !o.IsPath() {
			t.Errorf("%s is a file, and not found beside the study file that names it", o.Name)
		}
		if o.Default != "" {
			if err := o.Set(o.Default); err != nil || o.String() != o.Default {
				t.Errorf("%s: its default %s is read as %s, %v", o.Name, o.Default, o, err)
			}
		}
	}
}

// The record of an earlier version, in which a laboratory's study had its columns beside it, is read; that of another
// meaning is refused. What is not as it was is said.
func TestRecords(t *testing.T) {
	const spec = `"spec":{"version":1,"task":"strings","method":"evolve","seed":0,"budget":5,"init":{},"program":"then"}`
	const columns = `"columns":{"input":"word","score":"activity","id":"name","unit":"nM"}`
	for _, text := range []string{"{" + spec + "," + columns + "}", "{" + columns + `,"study":{` + spec + "}}"} {
		s, err := parseRecord([]byte(text))
		if c := s.Columns; err != nil || s.Spec.Task != "strings" || c.Input != "word" || c.Score != "activity" || c.ID != "name" || c.Unit != "nM" {
			t.Errorf("%s is read as %+v, %v", text, s, err)
		}
	}
	for text, want := range map[string]string{
		"[":                                     "the specification: ",
		`{"study":[]}`:                          "the specification: ",
		`{"spec":{"version":2,"program":"v9"}}`: "it is of version v9, whose options mean something else now",
	} {
		if _, err := parseRecord([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	for _, test := range []struct {
		program, kernels string
		want             []string
	}{
		{Version(), fmt.Sprint(simd.ISA()), nil},
		{"v0", fmt.Sprint(simd.ISA()), []string{"begun by version v0 of the program"}},
		{"v0", "abacus", []string{"begun by version v0 of the program", "begun on a processor with abacus"}},
	} {
		notes := saved{Spec: RunSpec{Program: test.program, Kernels: test.kernels}}.notes()
		if len(notes) != len(test.want) {
			t.Errorf("%+v: %q", test, notes)
			continue
		}
		for i, want := range test.want {
			if !strings.Contains(notes[i], want) {
				t.Errorf("%q, want %q", notes[i], want)
			}
		}
	}
}

// The library is no part of a method that leaves it out and starts from a file.
func TestRefuseOfAnUnusedLibrary(t *testing.T) {
	file := Init{File: task.File{Path: "a.csv"}}
	for _, test := range []struct {
		init           Init
		method, option string
		refused        bool
	}{
		{file, "evolve-library", "library", true}, {Init{}, "evolve-library", "library", false}, {file, "evolve", "library", false}, {file, "evolve-library", "transform", false},
	} {
		if err := (RunSpec{Task: "med2", Init: test.init}).Refuse(declared(t, test.option), test.method); (err != nil) != test.refused {
			t.Errorf("%+v: %v", test, err)
		}
	}
}
