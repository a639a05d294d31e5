// Package layers proves that imports run downwards only.
package layers

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

type pkg struct {
	ImportPath, Dir           string
	Imports                   []string
	GoFiles                   []string
	TestGoFiles, XTestGoFiles []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,GoFiles,TestGoFiles,XTestGoFiles", "palimpsest/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
}

// may says for each package what of ours it may import.
var may = map[string][]string{
	"palimpsest/model":                 {},
	"palimpsest/model/store":           {"palimpsest/model"},
	"palimpsest/model/query":           {"palimpsest/model"},
	"palimpsest/model/tokens":          {},
	"palimpsest/model/transcript":      {"palimpsest/model"},
	"palimpsest/compaction":            {"palimpsest/model", "palimpsest/compaction/facts", "palimpsest/compaction/summarize"},
	"palimpsest/compaction/facts":      {"palimpsest/model", "palimpsest/compaction/summarize/redact"},
	"palimpsest/compaction/summarize":  {"palimpsest/model", "palimpsest/compaction/facts"},
	"palimpsest/compaction/probe":      {"palimpsest/model"},
	"palimpsest/compaction/replay":     {"palimpsest/model", "palimpsest/compaction"},
	"palimpsest/compaction/steps":      {"palimpsest/model", "palimpsest/compaction"},
	"palimpsest/compaction/auto":       {"palimpsest/model", "palimpsest/compaction"},
	"palimpsest/compaction/agents":     {"palimpsest/model", "palimpsest/compaction/summarize"},
	"palimpsest/compaction/toolconfig": {"palimpsest/model", "palimpsest/compaction"},
	"palimpsest/compaction/session":    {"palimpsest/model", "palimpsest/compaction"},
	"palimpsest/gui/chart":             {"palimpsest/gui/kit", "palimpsest/gui/words"},
	"palimpsest/model/visible":         {},
	"palimpsest/model/program":         {"palimpsest/model/crash", "palimpsest/model/store"},
	"palimpsest/gui/kit":               {"palimpsest/gui/kit/faces", "palimpsest/gui/words", "palimpsest/assets", "palimpsest/model/visible"},
	"palimpsest/gui/kit/faces":         {"palimpsest/assets"},
	"palimpsest/gui/kit/grid":          {"palimpsest/gui/kit", "palimpsest/gui/words", "palimpsest/model/visible"},
	"palimpsest/gui/kit/reading":       {"palimpsest/gui/kit", "palimpsest/gui/words", "palimpsest/gui/sched", "palimpsest/model/body"},
	"palimpsest/model/body":            {"palimpsest/model", "palimpsest/model/query"},
	"palimpsest/gui/sched":             {},
	"palimpsest/gui/commands":          {"palimpsest/gui/words", "palimpsest/model"},
	"palimpsest/gui/settings":          {"palimpsest/gui/desk", "palimpsest/gui/kit"},
	"palimpsest/gui/screen":            {"palimpsest/gui/commands", "palimpsest/gui/settings", "palimpsest/gui/desk", "palimpsest/gui/kit", "palimpsest/model/store"},
	"palimpsest/gui/show":              withScreen(),
	"palimpsest/gui/dialogs":           withScreen("show"),
	"palimpsest/gui/preferences":       withScreen("show", "dialogs"),
	"palimpsest/gui/sessions":          withScreen("show", "dialogs"),
	"palimpsest/gui/search":            withScreen("show"),
	"palimpsest/gui/workbench":         withScreen("show", "dialogs"),
	"palimpsest/gui/preview":           withScreen("show", "workbench"),
	"palimpsest/gui/study":             withScreen("show", "workbench", "dialogs"),
	"palimpsest/gui/records":           withScreen("show", "dialogs", "originals"),
	"palimpsest/gui/originals":         {"palimpsest/model"},
	"palimpsest/gui/agents":            withScreen("show"),
	"palimpsest/gui/history":           withScreen("show"),
	"palimpsest/gui/desk":              {"palimpsest/model", "palimpsest/compaction", "palimpsest/gui/sched", "palimpsest/gui/state"},
	"palimpsest/gui/state":             {"palimpsest/model", "palimpsest/compaction", "palimpsest/gui/sched", "palimpsest/gui/originals"},
	"palimpsest/cli":                   {"palimpsest/model", "palimpsest/compaction", "palimpsest/assets"},
}

// withScreen returns what a screen may import: what all screens are made of, and
// those packages of gui.
func withScreen(more ...string) []string {
	list := []string{"palimpsest/model", "palimpsest/compaction", "palimpsest/assets"}
	for _, p := range append([]string{"kit", "chart", "words", "sched", "state", "desk", "commands", "settings", "screen"}, more...) {
		list = append(list, "palimpsest/gui/"+p)
	}
	return list
}

func TestImportsRunDownwards(t *testing.T) {
	for _, p := range packages(t) {
		allowed, known := may[p.ImportPath]
		if !known {
			continue
		}
		for _, imp := range p.Imports {
			if !strings.HasPrefix(imp, "palimpsest/") || within(imp, []string{p.ImportPath}) || within(imp, allowed) {
				continue
			}
			t.Errorf("%s imports %s, which is not below it", p.ImportPath, imp)
		}
	}
}

// The map of packages in docs/architecture.md names each of them; what lies
// within a package that it names may be left to that one's row.
func TestTheMapNamesEveryPackage(t *testing.T) {
	list := packages(t)
	var root string
	for _, p := range list {
		if p.ImportPath == "palimpsest" {
			root = p.Dir
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ = bytes.Cut(text, []byte("## Package map"))
	text, _, _ = bytes.Cut(text, []byte("\n## "))
	for _, p := range list {
		name, inside := strings.CutPrefix(p.ImportPath, "palimpsest/")
		if inside && !bytes.Contains(text, []byte("`"+name+"`")) && !helper.MatchString(name) {
			t.Errorf("docs/architecture.md does not name %s", name)
		}
	}
}

// helper are packages that the row of the package around them speaks of.
var helper = regexp.MustCompile(`/internal/`)

// within reports whether a path is one of the trees.
func within(path string, trees []string) bool {
	for _, t := range trees {
		if path == t || strings.HasPrefix(path, t+"/") {
			return true
		}
	}
	return false
}

// fences says where a library may be imported, and why nowhere else.
var fences = []struct{ library, homes, why string }{
	{"fyne.io/fyne", "palimpsest/gui", "everything but the window runs and is tested without a display"},
	{"gorm.io", "palimpsest/model/store", "the database can be changed in one place"},
	{"github.com/sashabaranov/go-openai", "palimpsest/compaction/summarize/remote", "one place talks to a network"},
	{"net/http", "palimpsest/compaction/summarize/remote palimpsest/compaction/session/doors palimpsest/cli/live", "no request happens that was not asked for"},
	{"github.com/alecthomas/kong", "palimpsest/cli", "the verbs are one door"},
	{"github.com/riverqueue", "palimpsest/cli/batch/queue", "what a job is stays one package's business"},
	{"github.com/modelcontextprotocol", "palimpsest/cli/live", "servers for agents are in one place"},
}

func TestLibrariesStayInTheirRoom(t *testing.T) {
	for _, p := range packages(t) {
		for _, imp := range p.Imports {
			for _, f := range fences {
				if within(imp, []string{f.library}) && !within(p.ImportPath, strings.Fields(f.homes)) {
					t.Errorf("%s imports %s; only %s may: %s", p.ImportPath, imp, f.homes, f.why)
				}
			}
		}
	}
}

// The verbs run where there is no window system: nothing that their program is made of
// draws, nor is anything of the window's in it. A package holds both programs, so that of
// the window has no verbs, which are 4 MB.
func TestTheProgramsShareNoDoor(t *testing.T) {
	for program, others := range map[string][]string{
		"palimpsest/cli/palimpsest": {"fyne.io/fyne", "github.com/go-gl", "palimpsest/gui", "github.com/go-text"},
		"palimpsest/gui/palimpsest-window": {"palimpsest/cli", "github.com/alecthomas/kong", "github.com/modelcontextprotocol",
			"github.com/riverqueue"},
	} {
		out, err := exec.Command("go", "list", "-deps", program).Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		deps := strings.Fields(string(out))
		if !slices.Contains(deps, "palimpsest/model/store") {
			t.Fatalf("the list lacks the store: %v", deps)
		}
		for _, d := range deps {
			if within(d, others) {
				t.Errorf("%s holds %s", program, d)
			}
		}
	}
}

// Every package has its tests: a report that printed wrong values had none. The door
// in main.go only chooses between two others, which have theirs.
func TestEveryPackageHasATest(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 && p.ImportPath != "palimpsest" {
			t.Errorf("%s has no test", p.ImportPath)
		}
	}
}

// pure lists the packages of the engine. They may speak of times and write to
// a log that is handed in; what reads the world or waits for it they may not.
var pure = map[string]bool{
	"palimpsest/compaction": true, "palimpsest/compaction/facts": true,
	"palimpsest/compaction/summarize": true, "palimpsest/compaction/replay": true,
	"palimpsest/compaction/probe": true, "palimpsest/compaction/steps": true, "palimpsest/compaction/auto": true, "palimpsest/compaction/agents": true,
	"palimpsest/compaction/toolconfig": true, "palimpsest/model/query": true,
}

// impure are the functions that read or wait for a clock, or reach for
// something that was not handed in.
var impure = map[string]bool{
	"time.Now": true, "time.Since": true, "time.Until": true, "time.Sleep": true, "time.After": true,
	"time.AfterFunc": true, "time.NewTimer": true, "time.NewTicker": true, "time.Tick": true,
	"context.WithTimeout": true, "context.WithDeadline": true,
	"slog.Default": true, "slog.Info": true, "slog.Warn": true, "slog.Error": true, "slog.Debug": true,
}

// The engine reads no clock, file or network that is not handed in.
func TestTheEngineIsPure(t *testing.T) {
	for _, p := range packages(t) {
		if !pure[p.ImportPath] {
			continue
		}
		for _, imp := range p.Imports {
			switch imp {
			case "os", "net", "math/rand", "math/rand/v2", "crypto/rand", "io/fs", "os/exec", "log":
				t.Errorf("%s imports %s", p.ImportPath, imp)
			}
		}
		for _, name := range p.GoFiles {
			for _, call := range selectors(t, filepath.Join(p.Dir, name)) {
				if impure[call] {
					t.Errorf("%s: %s uses %s", p.ImportPath, name, call)
				}
			}
		}
	}
}

// measured are the tests that may ask how long something took, and why.
var measured = map[string]string{
	"cli/compact_test.go":        "the driver waits by its own clock: once for a record, and not once for each",
	"model/store/faults_test.go": "the log says how long it waited",
}

// clocks are the functions by which a test would wait in the hope that something has
// happened, or judge how long it took. A late deadline beside something else is none.
var clocks = map[string]bool{
	"time.Sleep": true, "time.Since": true, "time.Until": true, "time.Tick": true, "<-time.After": true,
}

// No verdict of a test depends on a clock, but for those in a bubble of synctest, where time
// passes only while everybody waits. A test waits by internal/until, whose deadline is late;
// speed is measured by benchmarks.
func TestNoVerdictDependsOnAClock(t *testing.T) {
	root := load(t).root
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() && (name == "build" || name == "internal/lab" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, "_test.go") || measured[filepath.ToSlash(name)] != "" {
			return nil
		}
		for _, use := range clocked(t, path) {
			t.Errorf("%s: %s; wait by until.True, use synctest, or make it a benchmark", name, use)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// clocked lists the functions of a file that use a clock outside a bubble: those that open none,
// and are named by none of the file that does.
func clocked(t *testing.T, path string) (list []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	uses, inBubble, beside := map[string][]string{}, map[string]bool{}, map[ast.Stmt]bool{}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || strings.HasPrefix(f.Name.Name, "Benchmark") {
			continue
		}
		uses[f.Name.Name] = selectorsOf(f)
		bubble := slices.Contains(uses[f.Name.Name], "synctest.Test")
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				inBubble[n.Name] = inBubble[n.Name] || bubble
			case *ast.CommClause: // beside something else
				beside[n.Comm] = true
			case *ast.ExprStmt:
				if x, ok := n.X.(*ast.UnaryExpr); ok && !beside[n] && x.Op == token.ARROW && slices.Contains(selectorsOf(x), "time.After") {
					uses[f.Name.Name] = append(uses[f.Name.Name], "<-time.After")
				}
			}
			return true
		})
	}
	for _, f := range slices.Sorted(maps.Keys(uses)) {
		for _, u := range uses[f] {
			if clocks[u] && !inBubble[f] {
				list = append(list, f+" uses "+u)
			}
		}
	}
	return list
}

// selectors lists every x.Y of a file.
func selectors(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return selectorsOf(file)
}

// selectorsOf lists every x.Y below a node.
func selectorsOf(node ast.Node) (out []string) {
	ast.Inspect(node, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				out = append(out, x.Name+"."+s.Sel.Name)
			}
		}
		return true
	})
	return out
}
