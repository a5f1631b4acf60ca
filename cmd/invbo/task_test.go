package main

import "testing"

// Names are unique, also as people write them, and what is listed once for a group is true of all its tasks.
func TestTasks(t *testing.T) {
	names := map[string]string{}
	groups := map[string]bool{}
	for _, group := range taskGroups() {
		if groups[group[0].group] {
			t.Errorf("the group %q is listed in two parts", group[0].group)
		}
		groups[group[0].group] = true
		for _, task := range group {
			if task.defaults != group[0].defaults || task.sense() != group[0].sense() {
				t.Errorf("%s has other defaults than its group %q", task.name, task.group)
			}
			for _, name := range []string{task.name, task.also} {
				got, err := taskNamed(name)
				if name != "" && (err != nil || got.name != task.name) {
					t.Errorf("%q is the task %q (%v), want %s", name, got.name, err, task.name)
				}
			}
			if names[task.name] != "" {
				t.Errorf("two tasks are called %s", task.name)
			}
			names[task.name] = task.about
		}
	}
	for _, name := range []string{"median_molecules_2", "Median molecules 2", "MEDIAN-MOLECULES-2", "med2"} {
		if got, err := taskNamed(name); err != nil || got.name != "med2" {
			t.Errorf("%q is the task %q (%v), want med2", name, got.name, err)
		}
	}
}
