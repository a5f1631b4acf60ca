package study_test

import (
	"testing"

	"github.com/invbo/invbo/study"
	"github.com/invbo/invbo/study/studytest"
)

func TestMemory(t *testing.T) {
	studytest.Store(t, func(*testing.T) study.Store { return &study.Memory{} }, nil)
}

func TestSearchers(t *testing.T) {
	for name, build := range map[string]func() study.Searcher{
		"climber": func() study.Searcher { return &climber{} },
	} {
		t.Run(name, func(t *testing.T) {
			studytest.Searcher(t, func(*testing.T) (study.Problem, study.Searcher) {
				init := []study.Observation{{X: "banana"}, {X: "papaya"}, {X: "cherry", Y: 4, Scored: true}, {X: "orange"}, {X: "quince"}, {X: "lychee"}}
				return study.Problem{Oracle: likeGopher, Init: init}, build()
			})
		})
	}
}
