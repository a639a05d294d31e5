package realdata

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
)

// projects names the project of a session by what is in its file's name.
var projects = []struct{ in, name string }{
	{"entire_", "entire"}, {"cli_", "entire"}, {"ent-1", "entire"}, {"agentv_", "agentv"}, {"planetfal", "planetfall"},
	{"wisp", "wisp"}, {"jessitron", "jessitron"}, {"dkimuson", "dkimuson"}, {"jnarowski", "jnarowski"}, {"django", "django"},
	{"requests", "requests"}, {"scikit", "scikit-learn"}, {"swegym", "swegym"}, {"sweplay", "sweplay"}, {"swesmith", "swesmith"},
	{"openhands/", "multi-swe"}, {"sweagent_", "swe-agent"}, {"tau_bench/", "tau-bench"}, {"whowhen", "whowhen"}, {"pi/", "pi-mono"},
}

// ProjectOf is the project that a session of the data was about, by the name of its
// file below the folder of the data; of those that are not known, the folder.
func ProjectOf(name string) string {
	name = filepath.ToSlash(name)
	for _, p := range projects {
		if strings.Contains(name, p.in) {
			return p.name
		}
	}
	folder, _, _ := strings.Cut(name, "/")
	return folder
}

// alone are the projects that have a forest of their own left out: those with most sessions.
var alone = []string{"agentv", "entire", "planetfall"}

// groups is how many groups the other projects are in.
const groups = 3

// FoldOf is what is left out of the forest that judges the sessions of a project: the
// project itself, or the group of projects that it is in, by its name.
func FoldOf(project string) string {
	if slices.Contains(alone, project) {
		return project
	}
	h := fnv.New32a()
	h.Write([]byte(project))
	return fmt.Sprintf("group-%d", 1+h.Sum32()%groups)
}

// Frozen reports whether a session is of the fifth, chosen by the name of its file,
// that nothing is fitted to.
func Frozen(name string) bool {
	h := fnv.New32a()
	h.Write([]byte(filepath.Base(name)))
	return h.Sum32()%5 == 0
}
