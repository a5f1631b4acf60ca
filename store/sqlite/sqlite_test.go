package sqlite_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

var (
	nan  = math.NaN()
	inf  = math.Inf(1)
	zero = math.Copysign(0, -1)
)

func meta() sqlite.Meta {
	return sqlite.Meta{Specification: []byte(`{"task":"med2"}`), Program: "v0.3.1", Created: time.Date(2026, 5, 4, 9, 30, 0, 123456789, time.UTC)}
}

func create(t *testing.T, path string) *sqlite.File {
	t.Helper()
	f, err := sqlite.Create(t.Context(), path, meta())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func open(t *testing.T, path string, opts sqlite.Options) *sqlite.File {
	t.Helper()
	f, err := sqlite.Open(t.Context(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func save(t *testing.T, f *sqlite.File, events ...study.Event) {
	t.Helper()
	for _, e := range events {
		if err := f.Save(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
}

func closed(t *testing.T, f *sqlite.File) {
	t.Helper()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// holds compares the events of a file, to the bit.
func holds(t *testing.T, f *sqlite.File, want []study.Event) {
	t.Helper()
	got, err := f.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d events, want %d", len(got), len(want))
	}
	for i := range want {
		if got, want := fmt.Sprintf("%#v", got[i]), fmt.Sprintf("%#v", want[i]); got != want { // it tells −0 from 0 and nil from empty
			t.Fatalf("event %d:\ngot  %s\nwant %s", i+1, got, want)
		}
	}
}

func trial(p study.Proposal, s study.State, score float64, measured ...study.Measurement) study.Trial {
	return study.Trial{Proposal: p, State: s, Score: score, Value: score, Called: s != study.Pending, Measurements: measured}
}

func TestStore(t *testing.T) {
	paths := map[study.Store]string{}
	studytest.Store(t, func(t *testing.T) study.Store {
		path := filepath.Join(t.TempDir(), "lab.db")
		f := create(t, path)
		paths[f] = path
		return f
	}, func(t *testing.T, s study.Store) study.Store {
		closed(t, s.(*sqlite.File))
		f := open(t, paths[s], sqlite.Options{})
		paths[f] = paths[s]
		return f
	})
}

// Few different values, so that events repeat, change and take back what was there.
func TestAnyEvents(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	number := func() float64 {
		return [...]float64{0, zero, 1, -2.5, 1.0 / 3, nan, inf, -inf, math.SmallestNonzeroFloat64, math.MaxFloat64, 1 << 60}[rng.IntN(11)]
	}
	text := func() string {
		return [...]string{"", "C", "CC", "\x00", "C\x00", "\xff\xfe", "ü", "'--", "NULL", "12", "1e5"}[rng.IntN(11)]
	}
	var want []study.Event
	for range 150 {
		e := study.Event{Asked: rng.IntN(2), Taken: rng.IntN(2), Observed: rng.IntN(3) * math.MaxInt32}
		for range rng.IntN(4) {
			p := study.Proposal{ID: 1 + rng.IntN(4), Name: text(), X: text(), Kind: study.Kind(text()), Batch: rng.IntN(2), Mean: number(), Model: rng.IntN(2)}
			if p.Input = p.X; rng.IntN(2) == 0 {
				p.Input = text()
			}
			switch rng.IntN(3) {
			case 0:
				p.Latent = []float64{}
			case 1:
				p.Latent = []float64{number(), number()}
			}
			v := study.Trial{Proposal: p, State: study.State(rng.IntN(6)), Score: number(), Value: number(), Variance: number(), Reason: text(), Called: rng.IntN(2) == 0, Revised: rng.IntN(2) == 0}
			for range rng.IntN(4) {
				v.Measurements = append(v.Measurements, study.Measurement{ID: rng.IntN(3), Score: number(), SE: number(), Reason: text()})
			}
			e.Trials = append(e.Trials, v)
			if rng.IntN(2) == 0 {
				again := trial(p, study.Pending, nan)
				again.Called = false
				e.Trials = append(e.Trials, again)
			}
		}
		want = append(want, e)
	}
	want[100].State = []byte{}
	path := filepath.Join(t.TempDir(), "a %41 #?.db")
	f := create(t, path)
	save(t, f, want...)
	holds(t, f, want)
	closed(t, f)
	f = open(t, path, sqlite.Options{ReadOnly: true})
	holds(t, f, want)
	if err := f.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestMeta(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.db")
	f := create(t, path)
	want := fmt.Sprintf("%s", meta())
	if got := fmt.Sprintf("%s", f.Meta()); got != want {
		t.Errorf("Meta of a new file: %s, want %s", got, want)
	}
	closed(t, f)
	if got := fmt.Sprintf("%s", open(t, path, sqlite.Options{}).Meta()); got != want {
		t.Errorf("Meta: %s, want %s", got, want)
	}
}

// The views are what people query.
func TestViews(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.db")
	f := create(t, path)
	a := study.Proposal{ID: 1, X: "[C][O]", Input: "CO", Kind: study.Acquired, Batch: 1, Mean: 0.5, SD: 0.25, Latent: []float64{1, 2}, Model: 3}
	b := study.Proposal{ID: 2, X: "[N]", Input: "N", Kind: study.Acquired, Batch: 1, Mean: nan, SD: nan}
	c := study.Proposal{ID: 3, X: "CCC", Input: "CCC", Kind: study.External, Mean: nan, SD: nan}
	moved := a
	moved.Latent = []float64{3, 4}
	pending := func(p study.Proposal) study.Trial {
		return study.Trial{Proposal: p, State: study.Pending, Score: nan, Value: nan}
	}
	save(t, f,
		study.Event{Trials: []study.Trial{pending(a), pending(b)}, Asked: 2},
		study.Event{Trials: []study.Trial{trial(a, study.Failed, nan, study.Measurement{ID: 1, Score: nan, Reason: "did not dock"})}},
		study.Event{Trials: []study.Trial{trial(c, study.Scored, -1, study.Measurement{ID: 2, Score: -1})}},
		study.Event{Trials: []study.Trial{trial(moved, study.Scored, 4, study.Measurement{ID: 1, Score: 3, SE: 0.5}, study.Measurement{ID: 3, Score: 5})}},
	)
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range []struct{ query, want string }{
		{"SELECT trial, state, score, mean, sd, batch, kind, x, input, called, measurements, model, proposed, answered FROM trials ORDER BY trial",
			"1|scored|4|0.5|0.25|1|acquired|[C][O]|CO|1|2|3|TIME|TIME\n2|pending||||1|acquired|[N]|N|0|0|0|TIME|\n3|scored|-1|||0|external|CCC|CCC|1|1|0||TIME\n"},
		{"SELECT * FROM measurements ORDER BY measurement", "1|1|3|0.5|||TIME\n3|2|-1|0|||TIME\n1|3|5|0|||TIME\n"},
		{"SELECT trial, model, hex(latent) FROM latents", "1|3|00000000000008400000000000001040\n"},
		{"SELECT count(*) FROM proposals UNION ALL SELECT count(*) FROM answers", "4\n4\n"}, // nothing is there twice
	} {
		rows, err := db.QueryContext(t.Context(), q.query)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		columns, _ := rows.Columns()
		for rows.Next() {
			values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			for i, v := range values {
				if i > 0 {
					got.WriteByte('|')
				}
				got.WriteString(regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`).ReplaceAllString(v.String, "TIME"))
			}
			got.WriteByte('\n')
		}
		if rows.Err() != nil || got.String() != q.want {
			t.Errorf("%s:\n%s%v\nwant\n%s", q.query, got.String(), rows.Err(), q.want)
		}
	}
}

func TestOneWriterAndReaders(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "lab.db")
	writer := create(t, path)
	link := filepath.Join(folder, "link.db")
	if err := os.Symlink(path, link); err != nil {
		link = path // Windows without the right to make one
	}
	_, err := sqlite.Open(t.Context(), link, sqlite.Options{})
	if !usage.Is(err) || !strings.Contains(err.Error(), fmt.Sprintf(", process %d, since ", os.Getpid())) {
		t.Errorf("second writer: %v; want the holder's name", err)
	}
	reader, other := open(t, path, sqlite.Options{ReadOnly: true}), open(t, link, sqlite.Options{ReadOnly: true})
	var want []study.Event
	for i := range 5 {
		want = append(want, study.Event{Asked: i})
		save(t, writer, want[i])
		holds(t, reader, want)
		holds(t, other, want)
	}
	if err := reader.Save(t.Context(), want[0]); !usage.Is(err) {
		t.Errorf("a reader saves: %v", err)
	}
	closed(t, writer)
	writer = open(t, path, sqlite.Options{})
	save(t, writer, want[0])
	holds(t, reader, append(want, want[0]))
}

func TestEndedContext(t *testing.T) {
	f := create(t, filepath.Join(t.TempDir(), "lab.db"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Save(ctx, study.Event{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Save: %v", err)
	}
	if _, err := f.Events(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Events: %v", err)
	}
	save(t, f, study.Event{Asked: 1})
	holds(t, f, []study.Event{{Asked: 1}})
}

func TestCreateRefuses(t *testing.T) {
	folder := t.TempDir()
	write := func(name string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	there := write("there.db")
	write("gone.db-wal")
	held := filepath.Join(folder, "held.db")
	create(t, held)
	for _, c := range []struct{ path, want string }{
		{there, "there.db exists already; move it away, or give another name"},
		{filepath.Join(folder, "gone.db"), "gone.db-wal exists already"},
		{held, "another process is writing to it"},
		{filepath.Join(folder, "none", "lab.db"), "make the folder first"},
		{filepath.Join(there, "lab.db"), "its folder must be writable"},
	} {
		if _, err := sqlite.Create(t.Context(), c.path, meta()); !usage.Is(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Create %s: %v; want %q", c.path, err, c.want)
		}
	}
	if data, err := os.ReadFile(there); string(data) != "mine" {
		t.Errorf("the file that was there: %q, %v", data, err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, ".new") || strings.HasPrefix(name, "there.db.") {
			t.Errorf("%s is left", name)
		}
	}
}

// A Create that was killed leaves no file of that name, and is not in the way.
func TestCreateAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.db")
	for _, name := range []string{path + ".new", path + ".new-journal", path + ".lock"} {
		if err := os.WriteFile(name, []byte("left over"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	holds(t, create(t, path), nil)
}

func TestOpenRefuses(t *testing.T) {
	folder := t.TempDir()
	good := filepath.Join(folder, "good.db")
	f := create(t, good)
	for i := range 50 {
		p := study.Proposal{ID: i + 1, X: strings.Repeat("C", 1000) + strconv.Itoa(i)}
		save(t, f, study.Event{Trials: []study.Trial{trial(p, study.Scored, 1, study.Measurement{ID: i + 1, Score: 1})}})
	}
	closed(t, f)
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, data []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	foreign := filepath.Join(folder, "foreign.db")
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(foreign))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE molecules (smiles TEXT)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	before, err := os.ReadFile(foreign)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ path, want string }{
		{filepath.Join(folder, "none.db"), "none.db: no such file or directory; give the name of a study's file, or create one"},
		{folder, "it is not a file"},
		{write("assay.csv", []byte(strings.Repeat("SMILES,pIC50\n", 100))), "it is not a study"},
		{write("empty.db", nil), "it is not a study"},
		{foreign, "it is not a study, but empty or a database of another program"},
		{write("short.db", whole[:len(whole)/2]), "the file is damaged"},
		{write("header.db", whole[:90]), "the file is damaged"},
	}
	if runtime.GOOS == "windows" {
		tests[0].want = "give the name of a study's file, or create one"
	}
	for _, readOnly := range []bool{true, false} {
		for _, c := range tests {
			_, err := sqlite.Open(t.Context(), c.path, sqlite.Options{ReadOnly: readOnly})
			if !usage.Is(err) || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "open "+c.path) || strings.Contains(err.Error(), "\n") {
				t.Errorf("Open %s: %v; want %q", c.path, err, c.want)
			}
		}
	}
	if after, err := os.ReadFile(foreign); string(after) != string(before) {
		t.Errorf("another program's database has changed, %v", err)
	}

	// Pages behind the first are read later.
	for i := len(whole) / 2; i < len(whole); i++ {
		whole[i] ^= 0x55
	}
	f = open(t, write("pages.db", whole), sqlite.Options{ReadOnly: true})
	if _, err := f.Events(t.Context()); err == nil || !strings.Contains(err.Error(), "the file is damaged") {
		t.Errorf("Events of a file with damaged pages: %v", err)
	}
	if err := f.Verify(t.Context()); err == nil || !strings.Contains(err.Error(), "the file is damaged") {
		t.Errorf("Verify of a file with damaged pages: %v", err)
	}
}

func TestNotWritable(t *testing.T) {
	if os.Geteuid() <= 0 {
		t.Skip("root may write everywhere, and Windows has other permissions")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "lab.db")
	f := create(t, path)
	save(t, f, study.Event{Asked: 1})
	closed(t, f)
	mode := func(name string, m fs.FileMode) {
		if err := os.Chmod(name, m); err != nil {
			t.Fatal(err)
		}
	}
	refuses := func(what string, err error, want string) {
		t.Helper()
		if !usage.Is(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", what, err, want)
		}
	}
	mode(path, 0o400)
	_, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	refuses("read-only file", err, "cannot be written")
	holds(t, open(t, path, sqlite.Options{ReadOnly: true}), []study.Event{{Asked: 1}})
	mode(path, 0o600)
	mode(folder, 0o500)
	defer mode(folder, 0o700)
	_, err = sqlite.Open(t.Context(), path, sqlite.Options{})
	refuses("read-only folder", err, "its folder must be writable")
	_, err = sqlite.Create(t.Context(), filepath.Join(folder, "new.db"), meta())
	refuses("Create in a read-only folder", err, "its folder must be writable")
	if _, err = sqlite.Open(t.Context(), path, sqlite.Options{ReadOnly: true}); err != nil {
		refuses("read in a read-only folder", err, "copy the file to another folder")
	}
}

// crashPath is the environment variable that makes this program the child of TestKilled.
const crashPath = "INVBO_STORE_CRASH"

func TestMain(m *testing.M) {
	path := os.Getenv(crashPath)
	if path == "" {
		os.Exit(m.Run())
	}
	fmt.Fprintln(os.Stderr, "child of TestKilled:", saveUntilKilled(path))
	os.Exit(1)
}

func event(i int) study.Event {
	p := study.Proposal{ID: i, X: strings.Repeat("C", i%100), Input: strconv.Itoa(i), Latent: make([]float64, 32)}
	return study.Event{Asked: i, Trials: []study.Trial{trial(p, study.Scored, float64(i), study.Measurement{ID: i, Score: float64(i)})}}
}

// saveUntilKilled saves events, and prints the number of each that is saved.
func saveUntilKilled(path string) error {
	ctx := context.Background()
	f, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	events, err := f.Events(ctx)
	if err != nil {
		return err
	}
	for i := len(events) + 1; ; i++ {
		if err := f.Save(ctx, event(i)); err != nil {
			return err
		}
		fmt.Println(i)
	}
}

func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.db")
	closed(t, create(t, path))
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	saved := 0
	for kill := range 20 {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), crashPath+"="+path)
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines, left := bufio.NewScanner(out), 1+rng.IntN(30)
		for lines.Scan() { // what it printed after the kill, too
			if saved, err = strconv.Atoi(lines.Text()); err != nil {
				t.Fatal(err)
			}
			if left--; left == 0 {
				if err := child.Process.Kill(); err != nil { // it saves the next ones meanwhile
					t.Fatal(err)
				}
			}
		}
		if err := child.Wait(); err == nil || left > 0 {
			t.Fatalf("kill %d: the child ended by itself: %v", kill+1, err)
		}
		f := open(t, path, sqlite.Options{ReadOnly: kill%2 == 0}) // a reader must see them, too, and mend nothing
		events, err := f.Events(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(events) < saved || len(events) > saved+1 {
			t.Fatalf("kill %d: %d events of which Save returned, and %d are there", kill+1, saved, len(events))
		}
		var want []study.Event
		for i := range events {
			want = append(want, event(i+1))
		}
		holds(t, f, want)
		if err := f.Verify(t.Context()); err != nil {
			t.Errorf("kill %d: %v", kill+1, err)
		}
		closed(t, f)
	}
	t.Logf("20 kills, %d events", saved)
}
