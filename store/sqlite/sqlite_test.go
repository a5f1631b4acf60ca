package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/invbo/invbo/internal/usage"
	"github.com/invbo/invbo/store/internal/storetest"
	"github.com/invbo/invbo/store/sqlite"
	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

func meta() sqlite.Meta {
	return sqlite.Meta{Specification: []byte(`{"task":"med2"}`), Program: "v0.3.1"}
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

func closed(t *testing.T, f *sqlite.File) {
	t.Helper()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestCreateWhole(t *testing.T) {
	folder := t.TempDir()
	storetest.CreateWhole(t, func(ctx context.Context, events ...study.Event) (storetest.Closer, error) {
		return sqlite.Create(ctx, filepath.Join(folder, "lab.db"), meta(), events...)
	}, func() int {
		left, _ := filepath.Glob(filepath.Join(folder, "*")) // the pattern is right
		return len(slices.DeleteFunc(left, func(path string) bool { return strings.HasSuffix(path, ".lock") }))
	})
}

func TestStore(t *testing.T) {
	paths := map[study.Store]string{}
	storetest.Store(t, func(t *testing.T) study.Store {
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

func TestViews(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a %41 #?.db")
	f := create(t, path)
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: "mode=ro"}).String())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	storetest.Views(t, f, db)
	if got, want := storetest.Query(t, db, "SELECT trial, model, hex(latent) FROM latents"), "1|3|00000000000008400000000000001040\n"; got != want {
		t.Errorf("latents: %s, want %s", got, want)
	}
	if err := f.Verify(t.Context()); err != nil {
		t.Error(err)
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
		studytest.Save(t, writer, want[i])
		studytest.Holds(t, reader, want)
		studytest.Holds(t, other, want)
	}
	if err := reader.Save(t.Context(), want[0]); !usage.Is(err) {
		t.Errorf("a reader saves: %v", err)
	}
	closed(t, writer)
	writer = open(t, path, sqlite.Options{})
	studytest.Save(t, writer, want[0])
	studytest.Holds(t, reader, append(want, want[0]))
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
	studytest.Save(t, f, study.Event{Asked: 1})
	studytest.Holds(t, f, []study.Event{{Asked: 1}})
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
		if name := e.Name(); strings.HasSuffix(name, ".invbo-new") || strings.HasPrefix(name, "there.db.") {
			t.Errorf("%s is left", name)
		}
	}
}

// A Create that was killed leaves no file of that name, and is not in the way. Files of other names are left alone.
func TestCreateAgain(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "lab.db")
	temp, other := filepath.Join(folder, ".lab.db.invbo-new"), path+".new"
	for _, name := range []string{temp, temp + "-journal", path + ".lock", other} {
		if err := os.WriteFile(name, []byte("left over"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	studytest.Holds(t, create(t, path), nil)
	if data, err := os.ReadFile(other); string(data) != "left over" {
		t.Errorf("%s holds %q, %v", other, data, err)
	}
	if left, _ := filepath.Glob(temp + "*"); len(left) > 0 {
		t.Errorf("there are %q", left)
	}
}

func TestOpenRefuses(t *testing.T) {
	folder := t.TempDir()
	good := filepath.Join(folder, "good.db")
	f := create(t, good)
	for i := range 50 {
		p := study.Proposal{ID: i + 1, X: strings.Repeat("C", 1000) + strconv.Itoa(i)}
		studytest.Save(t, f, study.Event{Trials: []study.Trial{storetest.Trial(p, study.Scored, 1, study.Measurement{ID: i + 1, Score: 1})}})
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
		{filepath.Join(folder, "none.db"), "none.db: no such file or directory; give the name of a study's file, which invbo new makes"},
		{folder, "it is not a file"},
		{write("assay.csv", []byte(strings.Repeat("SMILES,pIC50\n", 100))), "it is not a study"},
		{write("empty.db", nil), "it is not a study"},
		{foreign, "it is not a study, but empty or a database of another program"},
		{write("short.db", whole[:len(whole)/2]), "the file is damaged"},
		{write("header.db", whole[:90]), "the file is damaged"},
	}
	if runtime.GOOS == "windows" {
		tests[0].want = "give the name of a study's file, which invbo new makes"
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

// asNobody runs a test again as a user without rights. It skips the test if that cannot be.
func asNobody(t *testing.T) {
	setpriv, err := exec.LookPath("setpriv")
	if err != nil {
		t.Skip("root may write everywhere, and there is no setpriv")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program = filepath.Join(dir, "test")
	if err := errors.Join(os.WriteFile(program, text, 0o755), os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	nobody := []string{"--reuid=65534", "--regid=65534", "--clear-groups"}
	if out, err := exec.Command(setpriv, append(nobody, "test", "-x", program)...).CombinedOutput(); err != nil {
		t.Skipf("root may write everywhere, and cannot become another user: %v %s", err, out)
	}
	c := exec.Command(setpriv, append(nobody, program, "-test.run=^"+t.Name()+"$")...)
	c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+dir)
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestNotWritable(t *testing.T) {
	switch os.Geteuid() {
	case -1:
		t.Skip("Windows has other permissions")
	case 0:
		asNobody(t)
		return
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "lab.db")
	f := create(t, path)
	studytest.Save(t, f, study.Event{Asked: 1})
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
	r := open(t, path, sqlite.Options{ReadOnly: true})
	studytest.Holds(t, r, []study.Event{{Asked: 1}})
	closed(t, r)
	for _, end := range []string{"-wal", "-shm"} { // which have the file's permissions
		if err := os.Remove(path + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	mode(path, 0o600)
	mode(folder, 0o500)
	defer mode(folder, 0o700)
	_, err = sqlite.Open(t.Context(), path, sqlite.Options{})
	refuses("read-only folder", err, "its folder must be writable")
	_, err = sqlite.Create(t.Context(), filepath.Join(folder, "new.db"), meta())
	refuses("Create in a read-only folder", err, "its folder must be writable")
	r = open(t, path, sqlite.Options{ReadOnly: true})
	studytest.Holds(t, r, []study.Event{{Asked: 1}})
	if err := r.Verify(t.Context()); err != nil {
		t.Errorf("verify in a read-only folder: %v", err)
	}

	// The folder is another user's, who goes on writing.
	mode(folder, 0o700)
	f = open(t, path, sqlite.Options{})
	studytest.Save(t, f, study.Event{Asked: 2})
	closed(t, f)
	if _, err := r.Events(t.Context()); err == nil || !strings.Contains(err.Error(), "another program has written to it in the meantime; try again") {
		t.Errorf("read while another program writes: %v", err)
	}

	// Its latest events are in the second file, after a crash.
	f = open(t, path, sqlite.Options{})
	studytest.Save(t, f, study.Event{Asked: 3})
	crashed := filepath.Join(t.TempDir(), "lab.db")
	for _, end := range []string{"", "-wal"} {
		text, err := os.ReadFile(path + end)
		if err == nil {
			err = os.WriteFile(crashed+end, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	mode(filepath.Dir(crashed), 0o500)
	defer mode(filepath.Dir(crashed), 0o700)
	_, err = sqlite.Open(t.Context(), crashed, sqlite.Options{ReadOnly: true})
	refuses("read after a crash in a read-only folder", err, "copy the study, with its second file -wal, to another folder")
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

func saveUntilKilled(path string) error {
	f, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return err
	}
	return storetest.SaveUntilKilled(context.Background(), f)
}

func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lab.db")
	closed(t, create(t, path))
	storetest.Killed(t, 20, crashPath, path, func(kill int, holds func(study.Store)) {
		f := open(t, path, sqlite.Options{ReadOnly: kill%2 == 0}) // a reader must see them, too, and mend nothing
		holds(f)
		if err := f.Verify(t.Context()); err != nil {
			t.Errorf("kill %d: %v", kill+1, err)
		}
		closed(t, f)
	})
}
