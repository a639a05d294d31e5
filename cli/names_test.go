package cli

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"palimpsest/assets"
)

// The table of names in docs/embedding.md is true: its Go names are there, and their
// comments say the document's word; the window has these words; the verbs take these flags
// and values; and these are members of JSON.
func TestTheTableOfNames(t *testing.T) {
	text, err := os.ReadFile("../docs/embedding.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text2, _ := strings.Cut(string(text), "## Names\n")
	text2, _, _ = strings.Cut(text2, "\n## ")
	var docs, members = map[string]string{}, map[string]bool{}
	for name, dir := range map[string]string{"steps": "steps", "agents": "agents", "auto": "auto", "model": "../model", "": "../model/transcript"} {
		documented(t, filepath.Join("../compaction", dir), name, docs, members)
	}
	shown := windowWords(t)
	code := regexp.MustCompile("`([^`]+)`")
	italic := regexp.MustCompile(`\*([^*]+)\*`)
	rows := 0
	for line := range strings.Lines(text2) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 5 || strings.Contains(line, "---") || strings.Contains(line, "in the documents") {
			continue
		}
		rows++
		for _, m := range code.FindAllStringSubmatch(cells[1], -1) {
			doc, ok := docs[m[1]]
			if !ok {
				t.Errorf("there is no %s", m[1])
			}
			for _, word := range strings.Split(strings.TrimSpace(cells[0]), ", ") {
				if n := strings.Count(strings.ToLower(doc), strings.ToLower(word)); n == 0 && !members[word] && !strings.HasPrefix(m[1], "model.") {
					t.Errorf("the comment of %s does not say %s", m[1], word)
				}
			}
		}
		for _, m := range italic.FindAllStringSubmatch(cells[2], -1) {
			if !shown[m[1]] {
				t.Errorf("the window has no %q", m[1])
			}
		}
		for _, m := range code.FindAllStringSubmatch(cells[3], -1) {
			if !taken(t, m[1]) {
				t.Errorf("the verbs don't take %s", m[1])
			}
		}
		if m := regexp.MustCompile("^ `(--[a-z-]+)`").FindStringSubmatch(cells[3]); m != nil {
			for _, word := range strings.Split(strings.TrimSpace(cells[0]), ", ") {
				if says := newBench(t).run("preview", "x.json", "--"+word+"=5").err; m[1] != "--"+word && !strings.Contains(says, "Did you mean "+m[1]+"?") {
					t.Errorf("--%s: %s, want %s", word, says, m[1])
				}
			}
		}
		for _, m := range code.FindAllStringSubmatch(cells[4], -1) {
			if !members[m[1]] {
				t.Errorf("no JSON has %s", m[1])
			}
		}
	}
	if rows < 30 {
		t.Errorf("only %d rows were read", rows)
	}
}

// documented notes the comments of what a folder exports, and the members of its JSON.
func documented(t *testing.T, dir, pkg string, docs map[string]string, members map[string]bool) {
	t.Helper()
	member := regexp.MustCompile(`(?:json:"(\w+)|"(\w+)")`)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() && path != dir && pkg != "" {
			return cmpSkip(err, e, path, dir)
		}
		if e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range member.FindAllStringSubmatch(string(source), -1) {
			members[m[1]+m[2]] = true
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, source, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			note(pkg, d, docs)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func cmpSkip(err error, e fs.DirEntry, path, dir string) error {
	if err == nil && e.IsDir() && path != dir {
		return filepath.SkipDir
	}
	return err
}

func note(pkg string, d ast.Decl, docs map[string]string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			of := d.Recv.List[0].Type
			if p, ok := of.(*ast.StarExpr); ok {
				of = p.X
			}
			if id, ok := of.(*ast.Ident); ok {
				name = id.Name + "." + name
			}
		}
		docs[pkg+"."+name] = d.Doc.Text()
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, n := range s.Names {
					docs[pkg+"."+n.Name] = s.Doc.Text() + s.Comment.Text()
				}
			case *ast.TypeSpec:
				docs[pkg+"."+s.Name.Name] = d.Doc.Text() + s.Doc.Text()
				if st, ok := s.Type.(*ast.StructType); ok {
					for _, f := range st.Fields.List {
						for _, n := range f.Names {
							docs[pkg+"."+s.Name.Name+"."+n.Name] = f.Doc.Text() + f.Comment.Text()
						}
					}
				}
			}
		}
	}
}

// windowWords are the texts of the window.
func windowWords(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	files, err := fs.Glob(assets.Lang, "lang/*.en.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		b, err := assets.Lang.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var list map[string]any
		if err := json.Unmarshal(b, &list); err != nil {
			t.Fatal(err)
		}
		for _, v := range list {
			if s, ok := v.(string); ok {
				out[s] = true
			}
		}
	}
	return out
}

// taken reports whether a verb, or a flag of preview with its value, can be given.
func taken(t *testing.T, call string) bool {
	t.Helper()
	k, err := newParser(newGrammar())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(call, "--") {
		return slices.Contains(verbNames(), call)
	}
	flag, value, _ := strings.Cut(call, " ")
	if value == "" {
		value = "5"
		if flag == "--on-failure" || flag == "--strategy" {
			value = "extract"
		}
	}
	if _, err := k.Parse([]string{"preview", "x.jsonl", flag, value}); err != nil {
		return false
	}
	if flag == "--preset" {
		_, err = (&app{ctx: t.Context(), db: filepath.Join(t.TempDir(), "none.db")}).preset(value)
	}
	return err == nil
}
