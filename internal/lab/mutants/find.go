package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
)

// mutant is one change of a file.
type mutant struct {
	id         int
	file, what string
	line       int
}

func (m mutant) String() string { return fmt.Sprintf("%s:%d: %s", m.file, m.line, m.what) }

// edit puts a text in the place of some bytes of a file.
type edit struct {
	id       int // of the mutant
	from, to int // offsets
	text     string
	suffix   bool // what is put in last comes first at its place
	order    int  // among those of one place
}

// finder finds the mutants of a file, and the edits that make all of them.
type finder struct {
	set     *token.FileSet
	info    *types.Info
	pkg     *types.Package
	source  []byte
	name    string
	next    *int
	edits   []edit
	mutants []mutant
}

// calls are the functions of the overlay that take the place of an operator.
var calls = map[token.Token]string{
	token.LSS: "mutantLess", token.LEQ: "mutantLessEqual", token.GTR: "mutantGreater", token.GEQ: "mutantGreaterEqual",
	token.ADD: "mutantAdd", token.SUB: "mutantSub", token.MUL: "mutantMul", token.QUO: "mutantQuo",
	token.LAND: "mutantAnd", token.LOR: "mutantOr",
}

// swaps are the operators that a mutant puts in the place of another.
var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.ADD, token.QUO: token.MUL,
}

func (f *finder) at(p token.Pos) int { return f.set.Position(p).Offset }

func (f *finder) mutant(at token.Pos, what string) int {
	*f.next++
	f.mutants = append(f.mutants, mutant{*f.next, f.name, what, f.set.Position(at).Line})
	return *f.next
}

// wrap puts texts before and after a piece of source.
func (f *finder) wrap(id int, n ast.Node, before, after string) {
	f.put(id, n.Pos(), n.Pos(), before, false)
	f.put(id, n.End(), n.End(), after, true)
}

func (f *finder) put(id int, from, to token.Pos, text string, suffix bool) {
	f.edits = append(f.edits, edit{id: id, from: f.at(from), to: f.at(to), text: text, suffix: suffix})
}

// find lists the mutants of one declaration.
func (f *finder) find(d ast.Decl) {
	fn, ok := d.(*ast.FuncDecl)
	if !ok || fn.Body == nil {
		return
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if f.unseen(n) {
			return false
		}
		switch n := n.(type) {
		case *ast.BlockStmt:
			f.removals(n.List)
		case *ast.CaseClause:
			f.removals(n.Body)
		case *ast.ReturnStmt:
			if len(n.Results) > 1 && f.isMadeError(n.Results[len(n.Results)-1]) {
				return false
			}
		case ast.Expr:
			return f.expression(n)
		}
		return true
	})
}

// expression lists the mutants of an expression, and reports whether its parts are looked at.
func (f *finder) expression(e ast.Expr) bool {
	t := f.info.Types[e]
	if t.Value != nil {
		f.constant(e, t)
		return false
	}
	switch n := e.(type) {
	case *ast.BinaryExpr:
		f.operator(n)
	case *ast.CallExpr:
		id, ok := n.Fun.(*ast.Ident)
		if _, builtin := f.info.Uses[id].(*types.Builtin); ok && builtin {
			if to := map[string]string{"min": "max", "max": "min"}[id.Name]; to != "" {
				m := f.mutant(id.Pos(), id.Name+" becomes "+to)
				f.put(m, id.Pos(), n.Lparen+1, fmt.Sprintf("mutant%s(%d, ", id.Name, m), false)
			}
		}
	}
	return true
}

// operator makes the mutant of an operator.
func (f *finder) operator(n *ast.BinaryExpr) {
	to, ok := swaps[n.Op]
	basic, isBasic := f.info.Types[n].Type.Underlying().(*types.Basic)
	if !ok || !isBasic || basic.Info()&types.IsString != 0 {
		return
	}
	m := f.mutant(n.OpPos, n.Op.String()+" becomes "+to.String())
	switch n.Op {
	case token.EQL, token.NEQ:
		f.wrap(m, n, "((", fmt.Sprintf(") != mutantOn(%d))", m))
		return
	case token.LAND, token.LOR:
		f.wrap(m, n, fmt.Sprintf("%s(%d, ", calls[n.Op], m), " })")
		f.put(m, n.Y.Pos(), n.Y.Pos(), "func() bool { return ", false)
	default:
		f.wrap(m, n, fmt.Sprintf("%s(%d, ", calls[n.Op], m), ")")
	}
	f.put(m, n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), ",", false)
}

// constant makes the mutants of the numbers and truths of a constant.
func (f *finder) constant(e ast.Expr, t types.TypeAndValue) {
	if id, ok := e.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
		m := f.mutant(e.Pos(), id.Name+" becomes "+map[string]string{"true": "false", "false": "true"}[id.Name])
		f.wrap(m, e, "(", fmt.Sprintf(" != mutantOn(%d))", m))
		return
	}
	if t.Value.Kind() != constant.Int && t.Value.Kind() != constant.Float {
		return
	}
	kind := types.TypeString(types.Default(t.Type), func(p *types.Package) string {
		if p == f.pkg {
			return ""
		}
		return p.Name()
	})
	if _, isBasic := t.Type.Underlying().(*types.Basic); !isBasic {
		kind = types.Default(types.Typ[types.UntypedInt]).String() // as in an argument of type any
	}
	from, to := f.at(e.Pos()), f.at(e.End())
	ast.Inspect(e, func(n ast.Node) bool {
		l, ok := n.(*ast.BasicLit)
		if !ok || l.Kind != token.INT {
			return true
		}
		v, err := strconv.Atoi(l.Value)
		if err != nil {
			return true
		}
		m := f.mutant(l.Pos(), fmt.Sprintf("%d becomes %d", v, v+1))
		other := string(f.source[from:f.at(l.Pos())]) + strconv.Itoa(v+1) + string(f.source[f.at(l.End()):to])
		f.wrap(m, e, fmt.Sprintf("mutantPick[%s](%d, %s, ", kind, m, other), ")")
		return true
	})
}

// removals are the statements of a list that can be left out.
func (f *finder) removals(list []ast.Stmt) {
	for _, s := range list {
		if f.unseen(s) {
			continue
		}
		switch x := s.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt:
		case *ast.AssignStmt:
			if x.Tok == token.DEFINE {
				continue
			}
		default:
			continue
		}
		m := f.mutant(s.Pos(), "a statement is left out")
		f.wrap(m, s, fmt.Sprintf("if !mutantOn(%d) { ", m), " }")
	}
}

// unseen reports whether a change in a node would change nothing that a caller can see, or
// is no mutant at all: a lock, which the race detector looks for, a panic at what can't
// happen, the room of a slice or map, a comparison that only keeps the larger, a type, a
// constant's declaration.
func (f *finder) unseen(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ExprStmt:
		call, ok := n.X.(*ast.CallExpr)
		return ok && f.unseenCall(call)
	case *ast.CallExpr:
		return f.unseenCall(n)
	case *ast.DeferStmt:
		return f.unseenCall(n.Call)
	case *ast.GenDecl:
		return n.Tok == token.CONST || n.Tok == token.TYPE
	case *ast.ArrayType:
		return true
	case *ast.IfStmt:
		return keepsTheLarger(n)
	case *ast.AssignStmt:
		id, ok := n.Lhs[0].(*ast.Ident)
		return ok && len(n.Lhs) == 1 && id.Name == "_"
	}
	return false
}

func (f *finder) unseenCall(call *ast.CallExpr) bool {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name == "panic" || fun.Name == "make"
	case *ast.SelectorExpr:
		switch fun.Sel.Name {
		case "Lock", "Unlock", "RLock", "RUnlock", "Grow", "Clip":
			return true
		}
	}
	return false
}

// keepsTheLarger recognises if a > b { b = a }, where an equal one changes nothing.
func keepsTheLarger(n *ast.IfStmt) bool {
	b, ok := n.Cond.(*ast.BinaryExpr)
	if !ok || len(n.Body.List) != 1 || n.Else != nil {
		return false
	}
	a, ok := n.Body.List[0].(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || a.Tok != token.ASSIGN {
		return false
	}
	x, y, to, from := types.ExprString(b.X), types.ExprString(b.Y), types.ExprString(a.Lhs[0]), types.ExprString(a.Rhs[0])
	switch b.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		return x == to && y == from || x == from && y == to
	}
	return false
}

// isMadeError reports whether an expression is an error that is certainly there, since it is
// made in this place or has the name of one that was looked at.
func (f *finder) isMadeError(e ast.Expr) bool {
	t := f.info.Types[e].Type
	if t == nil || t.String() != "error" && !types.Implements(t, errorType) {
		return false
	}
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name != "nil"
	case *ast.CallExpr, *ast.UnaryExpr, *ast.CompositeLit, *ast.SelectorExpr:
		return true
	}
	return false
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
