package main

import (
	"regexp"
	"strings"
	"time"
)

// described matches what git describe says of a commit with a tag: version, pre-release, commits since the tag.
var described = regexp.MustCompile(`^v(\d[^-]*)(?:-([a-z][^-]*))?(?:-(\d+)-(g[0-9a-f]+))?$`)

// packageVersion returns the version of the Debian and the RPM package for what git describe says of a commit of that time:
//
//	v1.2.0                   1.2.0
//	v1.2.0-rc.1              1.2.0~rc.1
//	v1.2.0-3-g1a2b3c4        1.2.0+3.g1a2b3c4
//	1a2b3c4, without a tag   0~20260102150405.g1a2b3c4
//
// Debian and RPM sort alike: 1.2.0~ is before 1.2.0, and 1.2.0+ after. A working tree with changes adds +dirty.
func packageVersion(describe string, commit time.Time) string {
	describe, dirty := strings.CutSuffix(describe, "-dirty")
	version := "0~" + commit.UTC().Format("20060102150405") + ".g" + describe
	if tag := described.FindStringSubmatch(describe); tag != nil {
		version = tag[1]
		if tag[2] != "" {
			version += "~" + tag[2]
		}
		if tag[3] != "" {
			version += "+" + tag[3] + "." + tag[4]
		}
	}
	if dirty {
		version += "+dirty"
	}
	return version
}
