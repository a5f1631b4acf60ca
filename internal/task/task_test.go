package task

import "testing"

// Names are unique, also as people write them, and what is listed once for a group is true of all its tasks.
func TestTasks(t *testing.T) {
	names := map[string]string{}
	groups := map[string]bool{}
	for _, group := range Groups() {
		if groups[group[0].Group] {
			t.Errorf("the group %q is listed in two parts", group[0].Group)
		}
		groups[group[0].Group] = true
		for _, task := range group {
			if task.Defaults != group[0].Defaults || task.Sense() != group[0].Sense() {
				t.Errorf("%s has other defaults than its group %q", task.Name, task.Group)
			}
			for _, name := range []string{task.Name, task.Also} {
				got, err := Named(name)
				if name != "" && (err != nil || got.Name != task.Name) {
					t.Errorf("%q is the task %q (%v), want %s", name, got.Name, err, task.Name)
				}
			}
			if names[task.Name] != "" {
				t.Errorf("two tasks are called %s", task.Name)
			}
			names[task.Name] = task.About
		}
	}
	for _, name := range []string{"median_molecules_2", "Median molecules 2", "MEDIAN-MOLECULES-2", "med2"} {
		if got, err := Named(name); err != nil || got.Name != "med2" {
			t.Errorf("%q is the task %q (%v), want med2", name, got.Name, err)
		}
	}
}
