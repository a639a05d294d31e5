package layers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"sync"
	"testing"
)

// program is the type-checked program, made once for all tests.
type program struct {
	root string
	fset *token.FileSet
	list []pkg
	own  map[string]*checked
	done map[string]*types.Package
	uses map[types.Object]map[string]bool // files that name a field, by the field
}

// checked is a package of ours with what the checker knows of it.
type checked struct {
	pkg
	types *types.Package
	info  *types.Info
	files []*ast.File
}

var loaded struct {
	sync.Mutex
	*program
}

// load type-checks the program's own packages. Others are empty: what is said
// of them is not known, and errors about that are left aside.
func load(t *testing.T) *program {
	t.Helper()
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.program != nil {
		return loaded.program
	}
	l := &program{fset: token.NewFileSet(), list: packages(t), own: map[string]*checked{}, done: map[string]*types.Package{},
		uses: map[types.Object]map[string]bool{}}
	for _, p := range l.list {
		l.own[p.ImportPath] = &checked{pkg: p}
		if p.ImportPath == "palimpsest" {
			l.root = p.Dir
		}
	}
	for _, p := range l.list {
		if _, err := l.Import(p.ImportPath); err != nil {
			t.Fatal(err)
		}
	}
	loaded.program = l
	return l
}

// Import implements types.Importer.
func (l *program) Import(name string) (*types.Package, error) {
	if p := l.done[name]; p != nil {
		return p, nil
	}
	own := l.own[name]
	if own == nil {
		p := types.NewPackage(name, path.Base(name))
		p.MarkComplete()
		l.done[name] = p
		return p, nil
	}
	for _, f := range own.GoFiles {
		file, err := parser.ParseFile(l.fset, filepath.Join(own.Dir, f), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		own.files = append(own.files, file)
	}
	own.info = &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: l, FakeImportC: true, Error: func(error) {}}
	own.types, _ = conf.Check(name, l.fset, own.files, own.info)
	l.done[name] = own.types
	for id, obj := range own.info.Uses {
		if v, ok := obj.(*types.Var); ok && v.IsField() {
			if l.uses[obj] == nil {
				l.uses[obj] = map[string]bool{}
			}
			l.uses[obj][l.fset.Position(id.Pos()).Filename] = true
		}
	}
	return own.types, nil
}
