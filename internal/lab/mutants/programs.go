package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// programs are the test programs that hold all mutants of a package.
type programs struct {
	mutants []mutant
	tests   []*test
	dir     string
}

// test is one test of one of the programs.
type test struct {
	name, program, folder string
	flags                 []string
	took                  time.Duration
	reaches               map[int]bool
}

// functions is the file that the overlay adds to the package.
const functions = `
import (
	"cmp"
	"os"
	"strconv"
	"sync"
)

var mutantNow, _ = strconv.Atoi(os.Getenv("MUTANT"))
var mutantTrace, mutantSeen, mutantLock = os.Getenv("MUTANTS_REACHED"), map[int]bool{}, &sync.Mutex{}

func mutantOn(id int) bool {
	if mutantTrace != "" {
		mutantReached(id)
	}
	return id == mutantNow
}

func mutantReached(id int) {
	mutantLock.Lock()
	defer mutantLock.Unlock()
	if !mutantSeen[id] {
		mutantSeen[id] = true
		f, _ := os.OpenFile(mutantTrace, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		_, _ = f.WriteString(strconv.Itoa(id) + "\n")
		_ = f.Close()
	}
}

type mutantNumber interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

func mutantPick[T any](id int, other, same T) T { if mutantOn(id) { return other }; return same }
func mutantLess[T cmp.Ordered](id int, a, b T) bool { if mutantOn(id) { return a <= b }; return a < b }
func mutantLessEqual[T cmp.Ordered](id int, a, b T) bool { if mutantOn(id) { return a < b }; return a <= b }
func mutantGreater[T cmp.Ordered](id int, a, b T) bool { if mutantOn(id) { return a >= b }; return a > b }
func mutantGreaterEqual[T cmp.Ordered](id int, a, b T) bool { if mutantOn(id) { return a > b }; return a >= b }
func mutantAdd[T mutantNumber](id int, a, b T) T { if mutantOn(id) { return a - b }; return a + b }
func mutantSub[T mutantNumber](id int, a, b T) T { if mutantOn(id) { return a + b }; return a - b }
func mutantMul[T mutantNumber](id int, a, b T) T { if mutantOn(id) { return a + b }; return a * b }
func mutantQuo[T mutantNumber](id int, a, b T) T { if mutantOn(id) { return a * b }; return a / b }
func mutantAnd(id int, a bool, b func() bool) bool { if mutantOn(id) { return a || b() }; return a && b() }
func mutantOr(id int, a bool, b func() bool) bool { if mutantOn(id) { return a && b() }; return a || b() }
func mutantmin[T cmp.Ordered](id int, a T, more ...T) T { for _, b := range more { if (b < a) != mutantOn(id) { a = b } }; return a }
func mutantmax[T cmp.Ordered](id int, a T, more ...T) T { for _, b := range more { if (b > a) != mutantOn(id) { a = b } }; return a }
`

// build finds the mutants of a package and builds the tests of some packages with them.
func build(folder string, tests []string, dir, tags string) (*programs, error) {
	src, err := load(folder, tags)
	if err != nil {
		return nil, err
	}
	p := &programs{dir: dir}
	broken := map[int]bool{}
	for range 20 {
		overlay, lines, err := p.write(src, broken)
		if err != nil {
			return nil, err
		}
		out, err := exec.Command("go", "build", "-gcflags=-e", "-overlay", overlay, "-tags", tags, "./"+folder).CombinedOutput()
		if err == nil {
			return p, p.compile(tests, overlay, tags)
		}
		found := false
		for _, m := range regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: `).FindAllStringSubmatch(string(out), -1) {
			for _, id := range lines[filepath.Base(m[1])+":"+m[2]] {
				found, broken[id] = found || !broken[id], true
			}
		}
		if !found {
			return nil, fmt.Errorf("the mutants do not build: %s", out)
		}
	}
	return nil, errors.New("the mutants do not build")
}

// source is a package with its types.
type source struct {
	folder string
	files  map[string]*ast.File
	info   *types.Info
	pkg    *types.Package
	set    *token.FileSet
}

// load reads a package.
func load(folder, tags string) (*source, error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-tags", tags, "-f",
		"{{.ImportPath}}\t{{.Export}}\t{{.Dir}}\t{{join .GoFiles \" \"}}", "./"+folder).Output()
	if err != nil {
		return nil, err
	}
	exports, last := map[string]string{}, []string(nil)
	for line := range strings.Lines(string(out)) {
		last = strings.Split(strings.TrimRight(line, "\n"), "\t")
		exports[last[0]] = last[1]
	}
	set, files := token.NewFileSet(), map[string]*ast.File{}
	var list []*ast.File
	for _, name := range strings.Fields(last[3]) {
		name = filepath.Join(folder, name)
		f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files[name] = f
		list = append(list, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	look := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	conf := types.Config{Importer: importer.ForCompiler(set, "gc", look)}
	pkg, err := conf.Check(last[0], set, list, info)
	return &source{folder, files, info, pkg, set}, err
}

// write writes the changed files and the overlay, and says which mutants are in which lines.
func (p *programs) write(src *source, broken map[int]bool) (overlay string, lines map[string][]int, err error) {
	replace, lines := map[string]string{}, map[string][]int{}
	next := 0
	p.mutants = nil
	for _, name := range slices.Sorted(maps.Keys(src.files)) {
		source, err := os.ReadFile(name)
		if err != nil {
			return "", nil, err
		}
		f := finder{set: src.set, info: src.info, pkg: src.pkg, source: source, name: name, next: &next}
		for _, d := range src.files[name].Decls {
			f.find(d)
		}
		for _, m := range f.mutants {
			at := filepath.Base(name) + ":" + strconv.Itoa(m.line)
			lines[at] = append(lines[at], m.id)
			if !broken[m.id] {
				p.mutants = append(p.mutants, m)
			}
		}
		text := apply(source, f.edits, broken)
		whole, err := filepath.Abs(name)
		if err != nil {
			return "", nil, err
		}
		replace[whole] = filepath.Join(p.dir, filepath.Base(name))
		if err := os.WriteFile(replace[whole], text, 0o600); err != nil {
			return "", nil, err
		}
	}
	whole, err := filepath.Abs(filepath.Join(src.folder, "mutants_all.go"))
	if err != nil {
		return "", nil, err
	}
	replace[whole] = filepath.Join(p.dir, "mutants_all.go")
	if err := os.WriteFile(replace[whole], []byte("package "+src.pkg.Name()+"\n"+functions), 0o600); err != nil {
		return "", nil, err
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", nil, err
	}
	overlay = filepath.Join(p.dir, "overlay.json")
	return overlay, lines, os.WriteFile(overlay, b, 0o600)
}

// apply makes the edits of a file, but those of broken mutants.
func apply(source []byte, edits []edit, broken map[int]bool) []byte {
	kept := slices.Clone(edits)
	kept = slices.DeleteFunc(kept, func(e edit) bool { return broken[e.id] })
	for i := range kept {
		kept[i].order = i
		if kept[i].suffix {
			kept[i].order = -i - 1 // what ends first was put in last
		}
	}
	slices.SortStableFunc(kept, func(a, b edit) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.order, b.order)) })
	var b bytes.Buffer
	at := 0
	for _, e := range kept {
		b.Write(source[at:e.from])
		b.WriteString(e.text)
		at = e.to
	}
	b.Write(source[at:])
	return b.Bytes()
}

// compile builds the test programs and lists their tests.
func (p *programs) compile(folders []string, overlay, tags string) error {
	for i, folder := range folders {
		program := filepath.Join(p.dir, fmt.Sprintf("%d.test", i))
		build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-tags", tags, "-o", program, "./"+folder)
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %s", folder, out)
		}
		imports, err := exec.Command("go", "list", "-tags", tags, "-f", "{{.TestImports}} {{.XTestImports}}", "./"+folder).Output()
		if err != nil {
			return err
		}
		var flags []string
		if bytes.Contains(imports, []byte("pgregory.net/rapid")) {
			flags = []string{"-rapid.seed=1", "-rapid.shrinktime=0s", "-rapid.nofailfile"}
		}
		list := exec.Command(program, "-test.list", ".")
		list.Dir = folder
		names, err := list.Output()
		if err != nil {
			return err
		}
		for _, name := range strings.Fields(string(names)) {
			if !strings.HasPrefix(name, "Benchmark") {
				p.tests = append(p.tests, &test{name: name, program: program, folder: folder, flags: flags})
			}
		}
	}
	return nil
}

// learn runs each test once alone and notes which mutants it reaches.
func (p *programs) learn(jobs int) {
	var wg sync.WaitGroup
	work := make(chan *test)
	for range jobs {
		wg.Go(func() {
			for t := range work {
				trace := filepath.Join(p.dir, filepath.Base(t.program)+"."+t.name)
				start := time.Now()
				if err := t.run([]*test{t}, "MUTANTS_REACHED="+trace, 10*time.Minute); err != nil {
					log.Printf("%s fails without a mutant: %v", t.name, err)
					continue
				}
				t.took = time.Since(start)
				t.reaches = map[int]bool{}
				b, _ := os.ReadFile(trace)
				for _, line := range strings.Fields(string(b)) {
					id, _ := strconv.Atoi(line)
					t.reaches[id] = true
				}
			}
		})
	}
	for _, t := range p.tests {
		work <- t
	}
	close(work)
	wg.Wait()
}

// run runs some tests of one program.
func (t *test) run(tests []*test, env string, limit time.Duration) error {
	names := make([]string, len(tests))
	for i, x := range tests {
		names[i] = x.name
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	// A mutant that never stops taking memory has to end before the machine does.
	run := "-test.run=^(" + strings.Join(names, "|") + ")$"
	args := append([]string{"-c", `ulimit -v 8000000; exec "$@"`, "sh", t.program, "-test.failfast", run}, t.flags...)
	cmd := exec.CommandContext(ctx, "sh", args...)
	cmd.Dir, cmd.Env = t.folder, append(os.Environ(), env)
	cmd.WaitDelay = time.Second
	return cmd.Run()
}

// try runs the tests that reach a mutant: "" when they pass, else which of them did not.
func (p *programs) try(m mutant) string {
	var reach []*test
	for _, t := range p.tests {
		if t.reaches[m.id] {
			reach = append(reach, t)
		}
	}
	slices.SortStableFunc(reach, func(a, b *test) int { return cmp.Compare(a.took, b.took) })
	for len(reach) > 0 {
		// Some tests of one program at a time: twice as many as have been run.
		n, took := 1, reach[0].took
		for n < len(reach) && reach[n].program == reach[0].program && took < 2*time.Second {
			took += reach[n].took
			n++
		}
		if err := reach[0].run(reach[:n], "MUTANT="+strconv.Itoa(m.id), 20*time.Second+10*took); err != nil {
			return reach[0].name
		}
		reach = reach[n:]
	}
	return ""
}
