package facts_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/model"
)

// What a text writes in groups, worked out by hand, and what looks like a group and is
// none: templates, what shells expand, code.
func TestGrouped(t *testing.T) {
	for text, want := range map[string][]string{
		"Paths:\n/srv/app/{README.md, cmd/main.go, cmd/run.go}": {"/srv/app", "/srv/app/", "/srv/app/README.md", "/srv/app/cmd/main.go",
			"/srv/app/cmd/run.go"},
		"/srv/app/{go.mod cmd/main.go}":      {"/srv/app", "/srv/app/", "/srv/app/go.mod", "/srv/app/cmd/main.go"}, // of earlier versions
		"/srv/app/{go.mod, main.go\n}":       nil,
		"/srv/app/{go.mod, cmd/{a.go, b.go}": {"cmd", "cmd/", "cmd/a.go", "cmd/b.go"},
		"session.{State, reset}":             nil,
		"app/{(main)/page.tsx, [id]/a.ts}":   {"app", "app/", "app/(main)/page.tsx", "app/[id]/a.ts"},
		"GET /users/{id}/posts":              nil,
		"mkdir -p src/{a,b}":                 nil,
		"/srv/app/{README.md":                nil,
		"a/{b c\nd: e":                       nil,
		"x := []T{a, b}; y.{":                nil, "{": nil, "/{}": nil, "/{a b}": nil, "./{a.go, b.go}": {".", "./", "./a.go", "./b.go"},
	} {
		var got []string
		facts.Grouped(text, func(found string, from, to int) {
			if !strings.HasSuffix(found, text[from:to]) {
				t.Errorf("%q: the place of %q holds %q", text, found, text[from:to])
			}
			got = append(got, found)
		})
		if !slices.Equal(got, want) {
			t.Errorf("%q\ngot  %q\nwant %q", text, got, want)
		}
	}
}

// ledgerOf is the ledger of one message of a tool's, without what it begins with.
func ledgerOf(t *testing.T, budget int, shown string) (*facts.Index, string) {
	t.Helper()
	x, err := facts.Build(context.Background(), 1, func(int) (facts.Message, error) {
		return facts.Message{Author: facts.Tool, Parts: []model.Part{{Kind: model.PartText, Text: shown}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return x, x.Lister(count).Ledger(facts.LedgerRequest{At: 1, Removed: []model.Range{{To: 1}}, Budget: budget})
}

// A folder is written once with the paths below it, the path relative to it stands as
// well, and so do the folder and a short name; all facts stand in fewer tokens.
func TestALedgerWritesFoldersOnce(t *testing.T) {
	var shown strings.Builder
	const root = "/Users/somebody/work/projects/larch-compiler"
	for _, p := range []string{"lex/number.go", "lex/string.go", "lex/token.go", "parse/tree.go", "parse/walk.go", "go.mod"} {
		fmt.Fprintf(&shown, "%s/%s\n%s\n", root, p, p)
	}
	fmt.Fprintf(&shown, "%s\n/etc/hosts\nsession_state.Reset session_state.Close session_state.Open session_state\n", root)
	x, l := ledgerOf(t, 1000, shown.String())
	if strings.Count(l, root) != 1 || strings.Count(l, "number.go") != 1 || !strings.Contains(l, root+"/{") || !strings.Contains(l, "/etc/hosts") {
		t.Errorf("%s", l)
	}
	if n := len(x.FactsIn(l)); n != x.Len() {
		t.Errorf("%d of %d facts stand:\n%s", n, x.Len(), l)
	}
	if plain := count(shown.String()); count(l) > plain*2/3 {
		t.Errorf("%d tokens, %d plain:\n%s", count(l), plain, l)
	}
	// One path of a folder is written whole.
	if _, l := ledgerOf(t, 1000, root+"/lex/number.go and /etc/hosts"); strings.Contains(l, "{") || !strings.Contains(l, root+"/lex/number.go") {
		t.Errorf("%s", l)
	}
}

// Ledgers of all sizes keep their budget, close their groups, and say nothing that was
// not in the history.
func TestGroupsOfRealHistories(t *testing.T) {
	for _, name := range []string{"samples/long-coding-run.jsonl", "samples/tool-heavy-build.json"} {
		h := open(t, name)
		x := h.index(t)
		grouped, heard := 0, map[string]bool{} // the same strings are in ledgers of many sizes
		for budget := 60; budget < 4000; budget += 97 {
			l := x.Lister(count).Ledger(facts.LedgerRequest{At: h.len(), Removed: []model.Range{{To: h.len()}}, Budget: budget})
			if n := count(l); n > budget {
				t.Errorf("%s: %d tokens of %d", name, n, budget)
			}
			facts.Grouped(l, func(found string, _, _ int) {
				grouped++
				if _, ok := heard[found]; !ok {
					heard[found] = said(x, found)
				}
				if !heard[found] {
					t.Errorf("%s, %d tokens: nothing said %q", name, budget, found)
				}
			})
		}
		if grouped == 0 {
			t.Errorf("%s: no group", name)
		}
	}
}

// said reports whether a string is a fact of a history or a part of one.
func said(x *facts.Index, part string) bool {
	for id := range x.Len() {
		if strings.Contains(x.Fact(facts.ID(id)).Text, part) {
			return true
		}
	}
	return false
}
