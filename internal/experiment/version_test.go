package experiment

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	for _, test := range []struct {
		main     string
		settings []debug.BuildSetting
		want     string
	}{
		{"v1.2.3", nil, "v1.2.3"},
		{"(devel)", []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.modified", Value: "false"}}, "devel-0123456789ab"},
		{"", []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.modified", Value: "true"}}, "devel-0123456789ab+dirty"},
		{"(devel)", nil, "devel"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: test.main}, Settings: test.settings}
		if got := versionOf(info); got != test.want {
			t.Errorf("%+v: %s, want %s", test, got, test.want)
		}
	}
}
