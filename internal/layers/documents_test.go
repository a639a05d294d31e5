package layers

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// proseOfPage is how many words a page may have beside its tables and code.
const proseOfPage = 2500

// wordsOfAll is how many words all documents may have, tables included. A change may lower it.
const wordsOfAll = 36200

// documents are the pages by their path from the root of the project.
func documents(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for _, path := range append(paths, "../../README.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		pages[filepath.Clean(path)] = string(text)
	}
	return pages
}

// The documents stay short enough to be read.
func TestDocumentsStayShort(t *testing.T) {
	all := 0
	for path, text := range documents(t) {
		all += len(strings.Fields(text))
		prose, code := 0, false
		for line := range strings.Lines(text) {
			switch {
			case strings.HasPrefix(line, "```"):
				code = !code
			case !code && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "    "):
				prose += len(strings.Fields(line))
			}
		}
		if prose > proseOfPage {
			t.Errorf("%s has %d words beside its tables, at most %d are read", path, prose, proseOfPage)
		}
	}
	if all > wordsOfAll {
		t.Errorf("the documents have %d words, at most %d: say it shorter, or take away what it makes needless", all, wordsOfAll)
	}
}

// Every link of a document leads to a file or a heading that is there.
func TestLinksOfDocuments(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]*)?\)`)
	heading := regexp.MustCompile(`(?m)^#+ (.*)$`)
	sign := regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	pages := documents(t)
	for path, text := range pages {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			to := path
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(path), m[1])
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: there is no %s", path, m[1])
			}
			found := m[2] == ""
			for _, h := range heading.FindAllStringSubmatch(pages[to], -1) {
				anchor := strings.ReplaceAll(sign.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-")
				found = found || "#"+anchor == m[2]
			}
			if !found {
				t.Errorf("%s: %s has no heading %s", path, to, m[2])
			}
		}
	}
}

// The names that the pages for users give to controls, commands and headings are texts of the window.
func TestControlsInDocumentsHaveTheirNames(t *testing.T) {
	files, err := filepath.Glob("../../assets/lang/*.en.json")
	if err != nil {
		t.Fatal(err)
	}
	norm := func(s string) string { return strings.ToLower(strings.TrimSpace(strings.TrimRight(s, "…"))) }
	texts, filled := map[string]bool{}, []*regexp.Regexp{}
	hole := regexp.MustCompile(`\\\{\\\{.*?\\\}\\\}`)
	var take func(v any)
	take = func(v any) {
		switch v := v.(type) {
		case string:
			texts[norm(v)] = true
			if quoted := regexp.QuoteMeta(norm(v)); hole.MatchString(quoted) && len(hole.ReplaceAllString(quoted, "")) > 3 {
				filled = append(filled, regexp.MustCompile("^"+hole.ReplaceAllString(quoted, ".+")+"$"))
			}
		case map[string]any:
			for _, x := range v {
				take(x)
			}
		}
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var all any
		if err := json.Unmarshal(b, &all); err != nil {
			t.Fatal(err)
		}
		take(all)
	}
	named := 0
	other := regexp.MustCompile("(?s)```.*?```|`[^`]*`|\\*\\*[^*]+\\*\\*")
	for _, page := range []string{"../../README.md", "../../docs/guide.md", "../../docs/find.md", "../../docs/writing.md"} {
		text := other.ReplaceAllString(documents(t)[filepath.Clean(page)], "")
		for _, m := range regexp.MustCompile(`\*([A-Z][^*]*)\*`).FindAllStringSubmatch(text, -1) {
			for _, name := range regexp.MustCompile(`, | [▸›] `).Split(strings.ReplaceAll(m[1], "\n", " "), -1) {
				named++
				if is := norm(name); !texts[is] && !slices.ContainsFunc(filled, func(r *regexp.Regexp) bool { return r.MatchString(is) }) {
					t.Errorf("%s: the window has no *%s*", page, name)
				}
			}
		}
	}
	if named < 50 {
		t.Errorf("only %d names were found", named)
	}
}
