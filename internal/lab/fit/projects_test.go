package main

import (
	"path/filepath"
	"strings"
)

// projects names the project of a session by what is in its file's name.
var projects = []struct{ in, name string }{
	{"entire_", "entire"}, {"cli_", "entire"}, {"ent-1", "entire"}, {"agentv_", "agentv"}, {"planetfal", "planetfall"},
	{"wisp", "wisp"}, {"jessitron", "jessitron"}, {"dkimuson", "dkimuson"}, {"jnarowski", "jnarowski"}, {"django", "django"},
	{"requests", "requests"}, {"scikit", "scikit-learn"}, {"swegym", "swegym"}, {"sweplay", "sweplay"}, {"swesmith", "swesmith"},
	{"openhands/", "multi-swe"}, {"sweagent_", "swe-agent"}, {"tau_bench/", "tau-bench"}, {"whowhen", "whowhen"}, {"pi/", "pi-mono"},
}

// projectOf is the project that a session of the data was about, by the name of its
// file below the folder of the data; of those that are not known, the folder.
func projectOf(name string) string {
	name = filepath.ToSlash(name)
	for _, p := range projects {
		if strings.Contains(name, p.in) {
			return p.name
		}
	}
	folder, _, _ := strings.Cut(name, "/")
	return folder
}
