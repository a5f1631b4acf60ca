package experiment_test

import (
	"fmt"
	"testing"

	"github.com/invbo/invbo/internal/experiment"
)

// The components of a task are its objectives, each worth nothing at 0.
func TestComponentsAreObjectives(t *testing.T) {
	s := experiment.RunSpec{}
	if err := s.TaskValue(&s.Task).Set("fexo:components=true"); err != nil {
		t.Fatal(err)
	}
	got, err := s.Resolve()
	if want := "[similarity_AP max zero=0 tpsa max zero=0 logp max zero=0]"; err != nil || fmt.Sprint(got.Objectives) != want {
		t.Errorf("objectives %v, %v, want %s", got.Objectives, err, want)
	}
	if err := s.TaskValue(&s.Task).Set("med2:components=true"); err == nil {
		t.Error("med2 has components")
	}
}
