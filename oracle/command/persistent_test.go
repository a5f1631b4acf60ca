//go:build unix

package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/invbo/invbo/oracle"
	"github.com/invbo/invbo/oracle/command"
)

// resident scores a string by its length, unless it has a b, until its standard input ends.
const resident = `
IFS=,
while read -r line; do
	id=${line#*:} xs=${line#*[} scores= reasons=
	xs=${xs%]*}
	for x in $xs; do
		case $x in
		*b*) scores=$scores,null reasons="$reasons,\"it has a b\"" ;;
		*) scores=$scores,$((${#x} - 2)) reasons=$reasons,null ;;
		esac
	done
	echo "{\"id\": ${id%%,*}, \"scores\": [${scores#,}], \"reasons\": [${reasons#,}]}"
done
`

// started returns a command that notes each start, and how often it was started.
func started(t *testing.T, program string) (string, func() int) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv("LOG", log)
	return `echo start >>"$LOG"; ` + program, func() int {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), "start\n")
	}
}

func TestPersistentStartsOnce(t *testing.T) {
	program, starts := started(t, resident)
	o := command.NewPersistent(program, command.PersistentOptions{Processes: 3})
	defer o.Close()
	for n := range 5 {
		if r, err := oracle.One(t.Context(), o, strings.Repeat("a", n)); err != nil || r.Score != float64(n) {
			t.Errorf("%+v, %v, want %d", r, err, n)
		}
	}
	if n := starts(); n != 1 {
		t.Errorf("%d starts for calls one after the other, want 1", n)
	}
	o.Close()
	if _, err := oracle.One(t.Context(), o, "a"); err != nil || starts() != 2 {
		t.Errorf("after Close: %v and %d starts, want 2", err, starts())
	}
}

// As many programs run as there are calls at a time, up to a number.
func TestPersistentProcesses(t *testing.T) {
	// Each waits until there are two.
	program, starts := started(t, `until test "$(wc -l <"$LOG")" -ge 2; do sleep 0.01; done; `+resident)
	o := command.NewPersistent(program, command.PersistentOptions{Processes: 2})
	defer o.Close()
	var calls sync.WaitGroup
	for range 4 {
		calls.Go(func() {
			if r, err := oracle.One(t.Context(), o, "aa"); err != nil || r.Score != 2 {
				t.Errorf("%+v, %v, want 2", r, err)
			}
		})
	}
	calls.Wait()
	if n := starts(); n != 2 {
		t.Errorf("%d starts, want 2", n)
	}
}

func TestPersistentErrors(t *testing.T) {
	for _, test := range []struct{ command, want string }{
		{"read -r line; echo Loading the model", `wrote "Loading the model": it is no JSON`},
		{"read -r line; echo '[1, 2]'", `wrote "[1, 2]": it is no JSON`},
		{"read -r line; echo '{\"scores\": [1, 2]}'", `it has no "id", which says what it answers; that must be 1`},
		{"read -r line; echo '{\"id\": 3, \"scores\": [1, 2]}'", "its id is 3, and that of the batch is 1"},
		{"read -r line; echo '{\"id\": \"zz\", \"scores\": [1, 2]}'", `its "id" is "zz", and must be that of the batch, the number 1`},
		{"read -r line; echo '{\"id\": 1, \"score\": [1, 2]}'", `it has no "scores"; it has score`},
		{"read -r line; echo '{\"id\": 1, \"scores\": [1]}'", "it has 1 scores for 2 strings"},
		{"read -r line; echo '{\"id\": 1, \"scores\": [1, 2, 3]}'", "it has 3 scores for 2 strings"},
		{"read -r line; echo 'no licence' >&2; exit 3", "ended without an answer: exit status 3: no licence"},
		{"echo bye >&2", "ended without an answer: bye"},
		{"kill -9 $$", "ended without an answer: signal: killed"},
		{"exec >&-; sleep 100", "ended without an answer: signal: killed"},
		{"no-such-program", "no-such-program, ended without an answer: exit status 127: "},
		{"cat /dev/zero", "wrote a line of more than 64 MB"},
		{"read -r line; printf '{\"id\": 1, '", `wrote "{\"id\": 1,": it is no JSON`},
	} {
		o := command.NewPersistent(test.command, command.PersistentOptions{Grace: time.Millisecond})
		results, err := o.Score(t.Context(), []string{"a", "b"})
		if results != nil || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, %v, want %q", test.command, results, err, test.want)
		}
		o.Close()
	}
}

// A program that dies, or answers another batch, is started again for the next call.
func TestPersistentStartsAgain(t *testing.T) {
	for name, misbehaves := range map[string]string{
		"dies":          `read -r line; exit 3`,
		"repeats":       `while read -r line; do echo '{"id": 1, "scores": [9]}'; done`,
		"answers twice": `while read -r line; do echo '{"id": 1, "scores": [9]}'; echo '{"id": 1, "scores": [9]}'; done`,
	} {
		t.Run(name, func(t *testing.T) {
			program, starts := started(t, `if test "$(wc -l <"$LOG")" -eq 1; then `+misbehaves+`; fi; `+resident)
			o := command.NewPersistent(program, command.PersistentOptions{})
			defer o.Close()
			retried := oracle.Retry(o, 1, nil)
			for range 2 {
				if _, err := oracle.One(t.Context(), retried, "aaa"); err != nil {
					t.Error(err)
				}
			}
			if r, err := oracle.One(t.Context(), retried, "aaa"); err != nil || r.Score != 3 || starts() != 2 {
				t.Errorf("%+v, %v and %d starts, want 3 and 2 starts", r, err, starts())
			}
		})
	}
}

// Close leaves nothing behind, whether or not a program heeds the end of its standard input.
func TestPersistentCloses(t *testing.T) {
	for name, after := range map[string]string{"by itself": "", "by force": "trap '' TERM; sleep 100 & wait"} {
		t.Run(name, func(t *testing.T) {
			_, gone := watch(t)
			opts := command.PersistentOptions{Grace: time.Hour}
			if after != "" {
				opts.Grace = time.Millisecond
			}
			o := command.NewPersistent(`exec 3>"$ALIVE"; echo runs >&3; sleep 100 >/dev/null 2>&1 & `+resident+after, opts)
			if r, err := oracle.One(t.Context(), o, "aaa"); err != nil || r.Score != 3 {
				t.Errorf("%+v, %v, want 3", r, err)
			}
			o.Close()
			gone(1)
		})
	}
}

// A program may write more than a pipe holds before it reads a batch that is longer than that.
func TestPersistentLargeBatch(t *testing.T) {
	o := command.NewPersistent(`head -c 200000 /dev/zero | tr '\0' ' '; echo '{"id": 1, "scores": [7]}'; cat >/dev/null`, command.PersistentOptions{})
	defer o.Close()
	if r, err := oracle.One(t.Context(), o, strings.Repeat("a", 200_000)); err != nil || r.Score != 7 {
		t.Errorf("%+v, %v, want 7", r, err)
	}
}
