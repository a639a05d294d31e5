package body

import (
	"path"
	"slices"
	"strings"

	"palimpsest/model"
)

// result shows what a tool returned, by what it looks like.
func (r *reader) result(p model.Part) {
	s := p.Text
	if len(s) <= terminalLimit && strings.Contains(s, "\x1b[") {
		text, spans := terminal(s)
		r.add(Block{Kind: Verbatim, Text: text, Spans: spans})
		return
	}
	if b, ok := treeOf(s); ok {
		r.add(b)
		return
	}
	if i := diffStart(s); i >= 0 {
		if b, ok := unified(s[i:], ""); ok {
			r.beside(strings.TrimSuffix(s[:i], "\n"))
			r.add(b)
			return
		}
	}
	file := PathOf(r.o.Args)
	if len(s) <= diffLimit {
		if before, code, first, after := numbered(s); code != "" {
			r.beside(strings.TrimSuffix(before, "\n"))
			r.add(Block{Kind: Code, Text: code, First: first, Title: file, Spans: highlight(code, file)})
			r.beside(strings.Trim(after, "\n"))
			return
		}
	}
	switch tool := strings.ToLower(r.o.Tool); {
	case !p.Error && writesProse(tool) || len(s) <= markdownLimit && looksMarkdown(s):
		r.text(s)
	case !p.Error && readsFile(tool) && lexerOf(path.Ext(file)) != nil:
		r.add(codeBlock(s, file, file))
	default:
		r.verbatim(s)
	}
}

func (r *reader) verbatim(s string) { r.add(Block{Kind: Verbatim, Text: s}) }

// beside shows what is before or after code, if it says anything.
func (r *reader) beside(s string) {
	if strings.TrimSpace(s) != "" {
		r.verbatim(s)
	}
}

// writesProse names the tools whose results a model wrote.
func writesProse(tool string) bool {
	return slices.Contains([]string{"task", "agent", "webfetch", "websearch", "web_fetch", "web_search", "exitplanmode"}, tool)
}

// readsFile names the tools whose results are a file.
func readsFile(tool string) bool {
	return slices.Contains([]string{"read", "read_file", "readfile", "view", "cat", "open_file",
		"str_replace_based_edit_tool", "str_replace_editor"}, tool)
}

// diffStart is where in the output of a tool a diff begins; −1: nowhere.
func diffStart(s string) int {
	if len(s) > diffLimit {
		return -1
	}
	for _, head := range []string{"diff --git ", "--- a/", "Index: "} {
		if strings.HasPrefix(s, head) {
			return 0
		}
		if i := strings.Index(s, "\n"+head); i >= 0 {
			return i + 1
		}
	}
	return -1
}

// looksMarkdown reports whether a text is so full of Markdown that it was written
// as such. Comments of programs look like headings of the first level.
func looksMarkdown(s string) bool {
	heads, fences, rows := 0, 0, 0
	for l := range strings.SplitSeq(s, "\n") {
		switch {
		case strings.HasPrefix(l, "## "), strings.HasPrefix(l, "### "):
			heads++
		case strings.HasPrefix(l, "```"):
			fences++
		case strings.HasPrefix(l, "|") && strings.Contains(l, "---"):
			rows++
		}
		if heads >= 2 || fences >= 2 && heads >= 1 || rows >= 1 && heads >= 1 {
			return true
		}
	}
	return false
}
