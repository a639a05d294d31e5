package layers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"testing"
)

// loader type-checks the program's own packages. Others are empty: what is said
// of them is not known, and errors about that are left aside.
type loader struct {
	fset *token.FileSet
	own  map[string]pkg
	done map[string]*types.Package
	uses map[types.Object]map[string]bool // files that name a field, by the field
}

// Import implements types.Importer.
func (l *loader) Import(name string) (*types.Package, error) {
	if p := l.done[name]; p != nil {
		return p, nil
	}
	own, ok := l.own[name]
	if !ok {
		p := types.NewPackage(name, path.Base(name))
		p.MarkComplete()
		l.done[name] = p
		return p, nil
	}
	var files []*ast.File
	for _, f := range own.GoFiles {
		file, err := parser.ParseFile(l.fset, filepath.Join(own.Dir, f), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: l, FakeImportC: true, Error: func(error) {}}
	p, _ := conf.Check(name, l.fset, files, info)
	l.done[name] = p
	for id, obj := range info.Uses {
		if v, ok := obj.(*types.Var); ok && v.IsField() {
			if l.uses[obj] == nil {
				l.uses[obj] = map[string]bool{}
			}
			l.uses[obj][l.fset.Position(id.Pos()).Filename] = true
		}
	}
	return p, nil
}

// filesThatName is how many files beside the engine may name a parameter: the row of
// the table, and two that say what it does to the open history.
const filesThatName = 3

// meant are the fields that more files name, each for what it means and not to
// handle parameters one by one.
var meant = map[string]string{
	"Preset":   "the name of a policy, no parameter",
	"Window":   "every usage is measured against it, and it belongs to a history",
	"Fixed":    "a part of every usage, and it belongs to a history",
	"Triggers": "clauses are drawn, dragged, added and removed one by one",
	"Tail":     "drawn and dragged in the chart, and offered as a remedy",
	"Pins":     "they belong to a history",
	"Strategy": "decides whether a model is asked",
	"Budget":   "shown beside the size of the summary, and offered as a remedy",
}

// engine holds the rules of parameters, and the presets.
var engine = []string{"compaction", "internal"}

// A parameter is a field, a row of the table and its rule in the engine: verbs,
// screens, sweeps and files read the table and do not name it.
func TestAParameterIsOneRow(t *testing.T) {
	l := &loader{token.NewFileSet(), map[string]pkg{}, map[string]*types.Package{}, map[types.Object]map[string]bool{}}
	list := packages(t)
	for _, p := range list {
		l.own[p.ImportPath] = p
	}
	for _, p := range list {
		if _, err := l.Import(p.ImportPath); err != nil {
			t.Fatal(err)
		}
	}
	policy := l.done["palimpsest/model"].Scope().Lookup("Policy").Type().Underlying().(*types.Struct)
	root := filepath.Dir(l.own["palimpsest/model"].Dir)
	table := filepath.Join("model", "params_table.go")
	for i := range policy.NumFields() {
		f := policy.Field(i)
		var files []string
		for file := range l.uses[f] {
			rel, err := filepath.Rel(root, file)
			if err != nil {
				t.Fatal(err)
			}
			if !within(filepath.ToSlash(rel), engine) {
				files = append(files, rel)
			}
		}
		slices.Sort(files)
		switch {
		case f.Name() != "Preset" && !slices.Contains(files, table):
			t.Errorf("%s is in no row of the table", f.Name())
		case meant[f.Name()] == "" && len(files) > filesThatName:
			t.Errorf("%s is named in %d files beside the engine: %v", f.Name(), len(files), files)
		case meant[f.Name()] != "" && len(files) <= filesThatName:
			t.Errorf("%s needs no exception any more: %v", f.Name(), files)
		}
	}
}
