package words

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"palimpsest/assets"
)

// message is one translation: its plural forms, "other" always among them.
type message map[string]string

func translations(t *testing.T, lang string) map[string]message {
	t.Helper()
	files, err := fs.Glob(assets.Lang, "lang/*."+lang+".json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files for %s: %v", lang, err)
	}
	all := map[string]message{}
	for _, f := range files {
		b, err := assets.Lang.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var raw map[string]json.RawMessage
		if err := json.Unmarshal(b, &raw); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		for k, v := range raw {
			if all[k] != nil {
				t.Errorf("%s: %s stands in another file too", f, k)
			}
			m := message{}
			if v[0] == '"' {
				var s string
				_ = json.Unmarshal(v, &s)
				m["other"] = s
			} else if err := json.Unmarshal(v, &m); err != nil {
				t.Errorf("%s: %s: %v", f, k, err)
			}
			if m["other"] == "" {
				t.Errorf("%s: %s is empty", f, k)
			}
			all[k] = m
		}
	}
	return all
}

var placeholder = regexp.MustCompile(`\{\{\s*\.(\w+)\s*\}\}`)

func names(m message) []string {
	set := map[string]bool{}
	for _, s := range m {
		for _, p := range placeholder.FindAllStringSubmatch(s, -1) {
			set[p[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

func TestTranslationsAreComplete(t *testing.T) {
	en := translations(t, English)
	for _, lang := range Languages[1:] {
		other := translations(t, lang)
		for k, m := range en {
			o, ok := other[k]
			switch {
			case !ok:
				t.Errorf("%s lacks %s", lang, k)
			case !slices.Equal(names(m), names(o)):
				t.Errorf("%s: placeholders %v in %s, %v in English", k, names(o), lang, names(m))
			}
		}
		for k := range other {
			if en[k] == nil {
				t.Errorf("%s is in %s only", k, lang)
			}
		}
	}
	for k, m := range en {
		if m["one"] == "" && len(m) > 1 {
			t.Errorf("%s: plural forms without \"one\"", k)
		}
	}
}

// TestKeysExist reads the sources under gui for words.T("literal", …).
func TestKeysExist(t *testing.T) {
	en := translations(t, English)
	found := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil // somebody is writing it; the compiler will report it
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || !isT(call.Fun, f.Name.Name) {
				return true
			}
			lit, ok := call.Args[0].(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			key, _ := strconv.Unquote(lit.Value)
			found++
			m, ok := en[key]
			if !ok && !strings.HasSuffix(path, "_test.go") {
				t.Errorf("%s: no words for %q", path, key)
			}
			if ok {
				checkArguments(t, path, key, m, call.Args[1:])
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Error("no call of words.T was found: the test looks for the wrong thing")
	}
}

func isT(fun ast.Expr, pkg string) bool {
	switch f := fun.(type) {
	case *ast.SelectorExpr:
		x, ok := f.X.(*ast.Ident)
		return ok && x.Name == "words" && f.Sel.Name == "T"
	case *ast.Ident:
		return pkg == "words" && f.Name == "T"
	}
	return false
}

// checkArguments compares the names of the arguments, where all are literal,
// with the placeholders.
func checkArguments(t *testing.T, path, key string, m message, args []ast.Expr) {
	t.Helper()
	given := map[string]bool{}
	for i := 0; i < len(args); i += 2 {
		lit, ok := args[i].(*ast.BasicLit)
		if !ok {
			return
		}
		s, _ := strconv.Unquote(lit.Value)
		given[s] = true
	}
	for _, n := range names(m) {
		if !given[n] {
			t.Errorf("%s: words.T(%q) lacks the argument %q", path, key, n)
		}
	}
}

func TestT(t *testing.T) {
	t.Cleanup(func() { Set(English) })
	for _, c := range []struct {
		lang, want string
		key        string
		args       []any
	}{
		{English, "1 message", "count.messages", []any{"count", 1}},
		{English, "0 messages", "count.messages", []any{"count", 0}},
		{English, "1,162 messages", "count.messages", []any{"count", 1162}},
		{Chinese, "1,162 条消息", "count.messages", []any{"count", int64(1162)}},
		{English, "2 of 9,410 lines were skipped", "state.skipped", []any{"count", 2, "total", 9410}},
		{English, "No session matches “<b>&”.", "state.noMatch", []any{"filter", "<b>&"}},
		{English, "no.such.key", "no.such.key", nil},
		{Chinese, "no.such.key", "no.such.key", []any{"count", 3}},
		{Chinese, "取消", "do.cancel", nil},
		{"de", "Cancel", "do.cancel", nil},
	} {
		Set(c.lang)
		if got := T(c.key, c.args...); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.lang, c.key, got, c.want)
		}
	}
}

func TestSystemLanguage(t *testing.T) {
	for env, want := range map[string]string{
		"zh_CN.UTF-8": Chinese, "zh_TW.UTF-8": Chinese, "en_GB.UTF-8": English, "de_DE.UTF-8": English, "C": English, "": English,
	} {
		t.Setenv("LC_ALL", env)
		t.Setenv("LC_MESSAGES", env)
		t.Setenv("LANG", env)
		t.Setenv("LANGUAGE", "")
		if got := system(); got != want {
			t.Errorf("%q: %s, want %s", env, got, want)
		}
	}
}

// A count is written as it is given: one with separators, none yet, or no number.
func TestCountsThatAreText(t *testing.T) {
	t.Cleanup(func() { Set(English) })
	Set(English)
	for count, want := range map[any]string{1: "1 message", 1234: "1,234 messages", "1": "1 message", "1,234": "1,234 messages",
		"": " messages", "~3.1K": "~3.1K messages"} {
		if got := T("count.messages", "count", count); got != want {
			t.Errorf("%q: %q, want %q", count, got, want)
		}
	}
}
