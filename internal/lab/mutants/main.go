// Command mutants changes one thing at a time in the source of some packages, runs the
// tests that should notice, and says which changes nobody noticed. A file is changed by
// an overlay of the build, so that the folder stays as it is.
//
//	scripts/lab.sh mutants [-n 40] [-seed 1] [-list] PACKAGE[=TESTS]…
//
// PACKAGE is a folder, or a file of it; TESTS are the packages whose tests are run, with
// commas, and flags of go test; without them those of the folder itself. A mutant that does not compile is not counted; one whose
// tests run longer than they may counts as noticed.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// swaps are the operators that a mutant puts in the place of another.
var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD, token.QUO: token.MUL,
}

// mutant is one change of a file.
type mutant struct {
	file, what, tests string
	line              int
	source            []byte
}

func main() {
	n := flag.Int("n", 40, "how many mutants to try")
	seed := flag.Uint64("seed", 1, "which of them")
	list := flag.Bool("list", false, "only list the mutants")
	limit := flag.Duration("limit", 3*time.Minute, "how long the tests of one may run")
	tags := flag.String("tags", "migrated_fynedo,sqlite_fts5,ci", "of the build")
	flag.Parse()
	var all []mutant
	for _, arg := range flag.Args() {
		folder, tests, named := strings.Cut(arg, "=")
		if !named && strings.HasSuffix(folder, ".go") {
			tests = "./" + filepath.Dir(folder)
		} else if !named {
			tests = "./" + folder
		}
		found, err := mutantsOf(folder, tests)
		if err != nil {
			log.Fatal(err)
		}
		all = append(all, found...)
	}
	rng := rand.New(rand.NewPCG(*seed, 0))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	fmt.Printf("%d mutants in %d folders\n", len(all), flag.NArg())
	caught, survived := 0, 0
	for _, m := range all {
		if caught+survived == *n {
			break
		}
		if *list {
			fmt.Printf("%s:%d: %s\n", m.file, m.line, m.what)
			survived++
			continue
		}
		switch said, err := m.try(*tags, *limit); {
		case err != nil:
			log.Fatal(err)
		case said == "":
			survived++
			fmt.Printf("SURVIVED  %s:%d: %s\n", m.file, m.line, m.what)
		case said == "build":
		default:
			caught++
			fmt.Printf("caught    %s:%d: %s (%s)\n", m.file, m.line, m.what, said)
		}
	}
	if !*list {
		fmt.Printf("%d caught, %d survived\n", caught, survived)
	}
}

// mutantsOf lists the mutants of the files of a folder.
func mutantsOf(folder, tests string) (all []mutant, err error) {
	files := []string{folder}
	if !strings.HasSuffix(folder, ".go") {
		if files, err = filepath.Glob(filepath.Join(folder, "*.go")); err != nil {
			return nil, err
		}
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, file, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, c := range changesOf(f) {
			undo := c.change()
			var b bytes.Buffer
			err := printer.Fprint(&b, set, f)
			undo()
			if err != nil {
				return nil, err
			}
			all = append(all, mutant{file: file, what: c.what, tests: tests, line: set.Position(c.at).Line, source: b.Bytes()})
		}
	}
	return all, nil
}

// change is a place of a file that can be changed, and changed back.
type change struct {
	at     token.Pos
	what   string
	change func() (undo func())
}

// changesOf finds the changes of the functions of a file.
func changesOf(f *ast.File) (all []change) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if to, ok := swaps[n.Op]; ok && !isText(n) {
					from := n.Op
					all = append(all, change{n.OpPos, from.String() + " becomes " + to.String(), func() func() {
						n.Op = to
						return func() { n.Op = from }
					}})
				}
			case *ast.BasicLit:
				if v, err := strconv.Atoi(n.Value); n.Kind == token.INT && err == nil {
					from := n.Value
					all = append(all, change{n.Pos(), fmt.Sprintf("%d becomes %d", v, v+1), func() func() {
						n.Value = strconv.Itoa(v + 1)
						return func() { n.Value = from }
					}})
				}
			case *ast.Ident:
				if to := map[string]string{"true": "false", "false": "true", "min": "max", "max": "min"}[n.Name]; to != "" {
					from := n.Name
					all = append(all, change{n.Pos(), from + " becomes " + to, func() func() {
						n.Name = to
						return func() { n.Name = from }
					}})
				}
			case *ast.BlockStmt:
				all = append(all, removals(n)...)
			}
			return true
		})
	}
	return all
}

// removals are the statements of a block that can be left out.
func removals(b *ast.BlockStmt) (all []change) {
	for i, s := range b.List {
		switch x := s.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt:
		case *ast.AssignStmt:
			if x.Tok == token.DEFINE {
				continue
			}
		default:
			continue
		}
		all = append(all, change{s.Pos(), "a statement is left out", func() func() {
			b.List[i] = &ast.EmptyStmt{Semicolon: s.Pos()}
			return func() { b.List[i] = s }
		}})
	}
	return all
}

// isText reports whether an operand is a text, which only joins.
func isText(n *ast.BinaryExpr) bool {
	for _, x := range []ast.Expr{n.X, n.Y} {
		if l, ok := x.(*ast.BasicLit); ok && l.Kind == token.STRING {
			return n.Op == token.ADD
		}
	}
	return false
}

// try runs the tests on a mutant: "" when they pass, else what noticed it; "build": it
// does not compile.
func (m *mutant) try(tags string, limit time.Duration) (string, error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	whole, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	changed, overlay := filepath.Join(dir, filepath.Base(m.file)), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {whole: changed}})
	if err != nil {
		return "", err
	}
	for name, content := range map[string][]byte{changed: m.source, overlay: replace} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			return "", err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	args := append([]string{"test", "-vet=off", "-failfast", "-overlay", overlay, "-tags", tags}, strings.Split(m.tests, ",")...)
	out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput()
	switch text := string(out); {
	case err == nil:
		return "", nil
	case strings.Contains(text, "[build failed]"), strings.Contains(text, "[setup failed]"):
		return "build", nil
	case ctx.Err() != nil:
		return "time", nil
	default:
		_, name, _ := strings.Cut(text, "--- FAIL: ")
		name, _, _ = strings.Cut(name, " ")
		if name == "" {
			name = "panic"
		}
		return name, nil
	}
}
