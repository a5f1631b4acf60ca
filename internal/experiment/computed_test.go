package experiment_test

import (
	"testing"

	"github.com/invbo/invbo/internal/experiment"
	"github.com/invbo/invbo/internal/task"
	"github.com/invbo/invbo/study"
)

// Whoever tells is not asked for what the program computes.
func TestComputedObjectivesAreNotAsked(t *testing.T) {
	s := experiment.RunSpec{Task: "strings", Options: task.Options{Objectives: []study.Objective{{Name: "fitness"}, {Name: "mutations", Minimize: true}}, Computed: []string{"mutations"}}}
	if got := s.Asked(); len(got) != 1 || got[0] != "fitness" {
		t.Errorf("asked for %v, want fitness", got)
	}
}
