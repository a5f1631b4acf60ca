package study_test

import (
	"path/filepath"
	"testing"

	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

func TestMemory(t *testing.T) {
	studytest.Store(t, func(*testing.T) study.Store { return &study.Memory{} }, nil)
}

// The store of TestCrash is one.
func TestFile(t *testing.T) {
	studytest.Store(t, func(t *testing.T) study.Store {
		return openFile(t.Fatal, filepath.Join(t.TempDir(), "events"))
	}, func(t *testing.T, s study.Store) study.Store {
		f := s.(*file).file
		if _, err := f.WriteString("torn"); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		return openFile(t.Fatal, f.Name())
	})
}

func TestSearchers(t *testing.T) {
	for name, build := range map[string]func() study.Searcher{
		"climber": func() study.Searcher { return &climber{} },
	} {
		t.Run(name, func(t *testing.T) {
			studytest.Searcher(t, func(*testing.T) (study.Problem, study.Searcher) {
				init := []study.Observation{{X: "banana"}, {X: "papaya"}, {X: "cherry", Measurements: study.Measured(4)}, {X: "orange"}, {X: "quince"}, {X: "lychee"}}
				return study.Problem{Oracle: likeGopher, Init: init}, build()
			})
		})
	}
}
