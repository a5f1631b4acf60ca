package main

import (
	"testing"

	"github.com/invbo/invbo/internal/task"
)

// Another oracle is called as the one before, as far as that applies to it.
func TestCalled(t *testing.T) {
	before := task.External{OracleCmd: "a", OracleProtocol: "persistent", OracleProperty: "act", OracleJobs: 2}
	for _, test := range []struct {
		name        string
		given, want task.External
	}{
		{"nothing", task.External{}, before},
		{"a command", task.External{OracleCmd: "b"}, task.External{OracleCmd: "b", OracleProtocol: "persistent", OracleProperty: "act", OracleJobs: 2}},
		{"a protocol", task.External{OracleProtocol: "lines"}, task.External{OracleCmd: "a", OracleProtocol: "lines", OracleJobs: 2}},
		{"a property", task.External{OracleProperty: "hem"}, task.External{OracleCmd: "a", OracleProtocol: "persistent", OracleProperty: "hem", OracleJobs: 2}},
		{"a service", task.External{OracleURL: "http://lab"}, task.External{OracleURL: "http://lab", OracleProperty: "act", OracleJobs: 2}},
	} {
		if got := called(before, test.given); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}
