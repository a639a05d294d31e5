package layers

import (
	"bytes"
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// methodsOfType is how many methods a type may have, those included that it has by
// embedding types of ours.
const methodsOfType = 60

// wideTypes have more, and may only get fewer.
var wideTypes = map[string]int{
	"cli/live.builtOn":                             110,
	"compaction/session.Overlay":                   70,
	"compaction/session.Session":                   78,
	"gui.around":                                   414,
	"gui/desk.Desk":                                379,
	"gui/show.ledger":                              450,
	"model/store.Store":                            110,
	"model/transcript/internal/anthropic.ccReader": 75,
}

// fieldsOfStruct is how many fields a struct may have.
const fieldsOfStruct = 25

// wideStructs have more, and may only get fewer.
var wideStructs = map[string]int{
	"cli.recordInfo":                        33,
	"compaction/auto.Config":                28,
	"compaction/session.Agent":              26,
	"gui.window":                            26,
	"gui/agents.AgentsSheet":                27,
	"gui/kit/grid.Grid":                     30,
	"gui/preview.Screen":                    39,
	"gui/recorded.Screen":                   28,
	"gui/search.Screen":                     29,
	"gui/study.SweepSheet":                  45,
	"gui/workbench.LedgerRows":              26,
	"gui/workbench.LedgerPane":              26,
	"model.Record":                          47,
	"model/store.recordRow":                 43,
	"model/transcript/internal/mapped.rule": 26,
}

// A type is one subject.
func TestTypesStaySmall(t *testing.T) {
	methods, fields := map[string]int{}, map[string]int{}
	for name, p := range load(t).own {
		for _, id := range p.types.Scope().Names() {
			obj, ok := p.types.Scope().Lookup(id).(*types.TypeName)
			if !ok || obj.IsAlias() {
				continue
			}
			key := strings.TrimPrefix(name, "palimpsest/") + "." + id
			if !types.IsInterface(obj.Type()) {
				methods[key] = types.NewMethodSet(types.NewPointer(obj.Type())).Len()
			}
			if s, ok := obj.Type().Underlying().(*types.Struct); ok {
				fields[key] = s.NumFields()
			}
		}
	}
	onlyFall(t, "methods", methods, wideTypes, methodsOfType)
	onlyFall(t, "fields", fields, wideStructs, fieldsOfStruct)
}

// onlyFall compares what was counted with what is written down of those beyond a limit. One
// that fell by more than a tenth has to be written down anew.
func onlyFall(t *testing.T, what string, counted, written map[string]int, limit int) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(counted)) {
		n, most := counted[name], max(limit, written[name])
		switch {
		case n > most:
			t.Errorf("%s has %d %s, at most %d are allowed", name, n, what, most)
		case n*10 < most*9 && written[name] > 0:
			t.Errorf("%s has %d %s by now: write that down, or take it off the list if it is at most %d", name, n, what, limit)
		}
	}
	for name := range written {
		if _, ok := counted[name]; !ok {
			t.Errorf("%s is on the list of %s, and is not there any more", name, what)
		}
	}
}

// arrowsUp is how many of the arrows inside a package may run up, in per cent.
const arrowsUp = 10

// leastArrows are those of a package of which a share says something.
const leastArrows = 20

// tangled packages have more, and may only get fewer.
var tangled = map[string]int{
	"cli":                                 17,
	"cli/live":                            15,
	"compaction":                          12,
	"compaction/agents":                   17,
	"compaction/auto":                     14,
	"compaction/replay":                   14,
	"compaction/session":                  16,
	"compaction/steps":                    12,
	"compaction/summarize":                13,
	"compaction/summarize/redact":         25,
	"gui":                                 25,
	"gui/chart":                           11,
	"gui/desk":                            34,
	"gui/kit/reading":                     31,
	"gui/preferences":                     43,
	"gui/preview":                         21,
	"gui/records":                         13,
	"gui/state/records":                   21,
	"gui/study":                           22,
	"gui/workbench":                       31,
	"model":                               13,
	"model/body":                          25,
	"model/store":                         17,
	"model/tokens":                        17,
	"model/transcript":                    18,
	"model/transcript/internal/mapped":    16,
	"model/transcript/internal/anthropic": 18,
	"model/transcript/internal/source":    40,
}

// An arrow goes from a file of a package to another one that declares a name which it uses:
// a function, method, type, constant or variable, no field. The files of a package can be
// read from bottom to top as far as its arrows run down. Their order is the one of Eades, Lin
// and Smyth: a file that uses none of those left goes to the bottom, one that none of them
// uses to the top, and if there is neither, that with most arrows out over those in.
func TestFilesAreReadFromBottomToTop(t *testing.T) {
	shares := map[string]int{}
	for name, p := range load(t).own {
		arrows := arrowsOf(load(t), p)
		all, up := 0, 0
		place := map[string]int{}
		for i, file := range fromTop(arrows) {
			place[file] = i
		}
		for from, to := range arrows {
			for file := range to {
				if all++; place[file] < place[from] {
					up++
				}
			}
		}
		if all >= leastArrows {
			shares[strings.TrimPrefix(name, "palimpsest/")] = (100*up + all - 1) / all
		}
	}
	onlyFall(t, "per cent of arrows that run up", shares, tangled, arrowsUp)
}

// arrowsOf are the files of a package that each of its files uses.
func arrowsOf(l *program, p *checked) map[string]map[string]bool {
	arrows := map[string]map[string]bool{}
	for _, f := range p.files {
		arrows[l.fset.Position(f.Pos()).Filename] = map[string]bool{}
	}
	for id, obj := range p.info.Uses {
		if f, ok := obj.(*types.Func); ok {
			obj = f.Origin()
		}
		_, method := obj.(*types.Func)
		if obj.Pkg() != p.types || !method && obj.Parent() != p.types.Scope() {
			continue
		}
		from, to := l.fset.Position(id.Pos()).Filename, l.fset.Position(obj.Pos()).Filename
		if from != to && arrows[to] != nil {
			arrows[from][to] = true
		}
	}
	return arrows
}

// fromTop is the order in which few arrows run up.
func fromTop(arrows map[string]map[string]bool) []string {
	left := slices.Sorted(maps.Keys(arrows))
	var top, bottom []string
	for len(left) > 0 {
		out, in := map[string]int{}, map[string]int{}
		for _, from := range left {
			for _, to := range left {
				if arrows[from][to] {
					out[from]++
					in[to]++
				}
			}
		}
		take := func(found func(string) bool, put func(string)) bool {
			i := slices.IndexFunc(left, found)
			if i >= 0 {
				put(left[i])
				left = slices.Delete(left, i, i+1)
			}
			return i >= 0
		}
		above := func(f string) { top = append(top, f) }
		below := func(f string) { bottom = append([]string{f}, bottom...) }
		if take(func(f string) bool { return out[f] == 0 }, below) || take(func(f string) bool { return in[f] == 0 }, above) {
			continue
		}
		best := slices.MaxFunc(left, func(a, b string) int { return cmp.Compare(out[a]-in[a], out[b]-in[b]) })
		take(func(f string) bool { return f == best }, above)
	}
	return append(top, bottom...)
}

// ceilings are the lines of Go that each area may have, tests and the lab left out. A
// change may lower them and never raise one.
var ceilings = []struct {
	area  string // what begins with it, unless a longer one does
	lines int
}{
	{"main.go", 15},
	{"assets/", 91},
	{"cli/", 11368},
	{"cli/live/", 4723},
	{"compaction/", 13616},
	{"compaction/facts/", 4469},
	{"compaction/replay/", 2668},
	{"compaction/session/", 14275},
	{"compaction/summarize/", 12517},
	{"docs/", 75},
	{"gui/", 25282},
	{"gui/desk/", 8728},
	{"gui/kit/", 12658},
	{"gui/state/", 2647},
	{"gui/study/", 2820},
	{"gui/workbench/", 5434},
	{"internal/", 1283},
	{"model/", 9053},
	{"model/repair/", 2798},
	{"model/store/", 5692},
	{"model/tokens/", 1832},
	{"model/transcript/", 24985},
}

// slack is how much of a ceiling may be free, in per cent, until it has to be lowered.
const slack = 2

// The program grows only where somebody decides that it may.
func TestAreasKeepTheirCeilings(t *testing.T) {
	list := exec.CommandContext(t.Context(), "git", "ls-files", "--", "*.go")
	list.Dir = load(t).root
	out, err := list.Output()
	if err != nil {
		t.Skip("this is no clone: ", err)
	}
	lines := make([]int, len(ceilings))
	for file := range strings.FieldsSeq(string(out)) {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "internal/lab/") || strings.Contains(file, "/testdata/") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(load(t).root, file))
		if os.IsNotExist(err) { // deleted, and not committed yet
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		best := -1
		for i, c := range ceilings {
			if strings.HasPrefix(file, c.area) && (best < 0 || len(c.area) > len(ceilings[best].area)) {
				best = i
			}
		}
		if best < 0 {
			t.Errorf("%s is in no area", file)
			continue
		}
		lines[best] += bytes.Count(text, []byte("\n"))
	}
	for i, c := range ceilings {
		switch n := lines[i]; {
		case n > c.lines:
			t.Errorf("%q has %d lines, its ceiling is %d", c.area, n, c.lines)
		case n*(100+slack) < c.lines*100:
			t.Errorf("%q has %d lines: lower its ceiling of %d", c.area, n, c.lines)
		}
	}
	if t.Failed() {
		var b strings.Builder
		for i, c := range ceilings {
			fmt.Fprintf(&b, "\t{%q, %d},\n", c.area, lines[i])
		}
		t.Logf("now:\n%s", b.String())
	}
}
