package layers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A package holds at most filesInPackage files and a type methodsOfType methods, tests
// not counted: what is larger is more than one subject.
const (
	filesInPackage = 45
	methodsOfType  = 40
)

// TestRoomsStaySmall counts files and methods. Methods that a type has by
// embedding another are counted on that one.
func TestRoomsStaySmall(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.GoFiles) > filesInPackage {
			t.Errorf("%s has %d files, more than %d", p.ImportPath, len(p.GoFiles), filesInPackage)
		}
		methods := map[string]int{}
		for _, name := range p.GoFiles {
			for _, d := range parse(t, filepath.Join(p.Dir, name)).Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
					methods[receiver(f.Recv.List[0].Type)]++
				}
			}
		}
		for name, n := range methods {
			if n > methodsOfType {
				t.Errorf("%s.%s has %d methods, more than %d", p.ImportPath, name, n, methodsOfType)
			}
		}
	}
}

// top is all that there is at the top of the repository.
var top = strings.Fields(`go.mod go.sum main.go gui model compaction assets FyneApp.toml README.md cli docs scripts internal
	LICENSE Makefile .gitattributes .gitignore .ci .github`)

// TestTheTopIsTidy looks at what is in the repository, not at what lies beside it.
func TestTheTopIsTidy(t *testing.T) {
	list := exec.CommandContext(t.Context(), "git", "ls-tree", "--name-only", "HEAD")
	list.Dir = filepath.Join("..", "..")
	out, err := list.Output()
	if err != nil {
		t.Skip("this is no clone: ", err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		if !slices.Contains(top, name) {
			t.Errorf("%s is at the top of the repository", name)
		}
	}
}

// receiver returns the name of a method's type.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

func parse(t *testing.T, path string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
