package body

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"palimpsest/model"
	"palimpsest/model/pattern"
)

// The names that tools give to the arguments which are shown as more than JSON.
var (
	pathKeys    = []string{"file_path", "filePath", "path", "absolute_path", "notebook_path", "filename", "file"}
	oldKeys     = []string{"old_string", "oldString", "old_str", "old_text", "oldText"}
	newKeys     = []string{"new_string", "newString", "new_str", "new_text", "newText", "new_source"}
	contentKeys = []string{"content", "file_text", "contents"}
	patchKeys   = []string{"input", "patch", "patchText", "patch_text", "diff"}
	commandKeys = []string{"command", "cmd", "script", "bash"}
)

// arguments are those of a call; nil: they are no object, or too large.
func arguments(s string) map[string]json.RawMessage {
	if len(s) > diffLimit {
		return nil
	}
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(s), &m) != nil {
		return nil
	}
	return m
}

// take returns the first of some arguments that is a string, and takes it out.
func take(m map[string]json.RawMessage, keys []string) (string, bool) {
	for _, k := range keys {
		var s string
		if raw, ok := m[k]; ok && json.Unmarshal(raw, &s) == nil {
			delete(m, k)
			return s, true
		}
	}
	return "", false
}

// PathOf is the file that the arguments of a call name; "": none.
func PathOf(args string) string {
	s, _ := take(arguments(args), pathKeys)
	return s
}

// call shows a call: an edit as a diff, a file that is written as its code, a
// command as a command; all else, and what is left of these, as a tree.
func (r *reader) call(p model.Part) {
	m := arguments(p.Text)
	switch {
	case m == nil && strings.Contains(p.Text, "*** Begin Patch"):
		r.patch(p.Text)
		return
	case m == nil:
		r.tree(p.Text)
		return
	}
	all := len(m)
	if !r.edit(m) && !r.patches(m) && !r.written(m) {
		r.command(m)
	}
	if len(m) == all {
		r.tree(p.Text)
	} else if len(m) > 0 {
		rest, err := json.Marshal(m)
		if err == nil {
			r.tree(string(rest))
		}
	}
}

func (r *reader) tree(s string) {
	if b, ok := treeOf(s); ok {
		r.add(b)
	} else if strings.TrimSpace(s) != "{}" {
		r.add(Block{Kind: Verbatim, Text: s})
	}
}

// edit shows arguments with an old and a new text.
func (r *reader) edit(m map[string]json.RawMessage) bool {
	if raw, ok := m["edits"]; ok {
		var list []map[string]json.RawMessage
		if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
			return false
		}
		path, _ := take(m, pathKeys)
		for _, e := range list {
			in := path
			if s, ok := take(e, pathKeys); ok {
				in = s
			}
			if !r.edited(e, in) {
				r.tree(string(raw))
				break
			}
		}
		delete(m, "edits")
		return true
	}
	if !hasAny(m, newKeys) || !hasAny(m, oldKeys) {
		return false
	}
	path, _ := take(m, pathKeys)
	return r.edited(m, path)
}

func (r *reader) edited(m map[string]json.RawMessage, path string) bool {
	old, was := take(m, oldKeys)
	now, is := take(m, newKeys)
	if was || is {
		r.add(diffOf(old, now, path))
	}
	return was || is
}

func hasAny(m map[string]json.RawMessage, keys []string) bool {
	for _, k := range keys {
		if _, ok := m[k]; ok {
			return true
		}
	}
	return false
}

// patches shows arguments that hold a patch.
func (r *reader) patches(m map[string]json.RawMessage) bool {
	for _, k := range patchKeys {
		var s string
		if raw, ok := m[k]; !ok || json.Unmarshal(raw, &s) != nil {
			continue
		}
		path := ""
		if strings.Contains(s, "*** Begin Patch") {
			r.patch(s)
		} else if b, ok := unified(s, ""); ok {
			r.add(b)
		} else if b, ok := searchReplace(s); ok {
			path, _ = take(m, pathKeys)
			b.Title = path
			b.colour()
			r.add(b)
		} else {
			continue
		}
		delete(m, k)
		return true
	}
	return false
}

// written shows arguments that hold a whole file.
func (r *reader) written(m map[string]json.RawMessage) bool {
	if !hasAny(m, pathKeys) || !hasAny(m, contentKeys) {
		return false
	}
	path, _ := take(m, pathKeys)
	text, ok := take(m, contentKeys)
	if ok {
		r.add(codeBlock(text, path, path))
	}
	return true
}

// command shows arguments that hold a command of a shell.
func (r *reader) command(m map[string]json.RawMessage) {
	for _, k := range commandKeys {
		raw, ok := m[k]
		if !ok {
			continue
		}
		var s string
		if json.Unmarshal(raw, &s) != nil {
			var list []string
			if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
				continue
			}
			s = strings.Join(list, " ")
			if len(list) == 3 && strings.HasPrefix(list[1], "-") {
				s = list[2] // bash -lc "…"
			}
			if len(list) == 2 && list[0] == "apply_patch" {
				delete(m, k)
				r.patch(list[1])
				return
			}
		}
		if strings.TrimSpace(s) == "" || !strings.ContainsAny(s, " /.\n") && hasAny(m, pathKeys) {
			return // the name of what to do with a file
		}
		what, _ := take(m, []string{"description"})
		b := codeBlock(s, "bash", what)
		r.add(b)
		delete(m, k)
		return
	}
}

// Compared is a body of two texts laid over one another, line by line and in full. Line
// breaks at their ends do not count. With the path of their file they are shown as code.
func Compared(old, now, path string) *Doc {
	b := diffOf(old, now, path)
	b.Prose, b.Tight = path == "", true
	return &Doc{Blocks: []Block{b}, parts: []model.Part{{Text: now}}}
}

// Changes are the stretches of lines that only one of the texts of a diff has.
func (d *Doc) Changes() (list []Hit) {
	for i := range d.Blocks {
		b := &d.Blocks[i]
		changed := func(k int) bool { return k >= 0 && k < len(b.Marks) && strings.IndexByte("+-", b.Marks[k].Sign) >= 0 }
		starts := lineStarts(b.Text)
		for k := range b.Marks {
			if to := k; changed(k) && !changed(k-1) {
				for changed(to) {
					to++
				}
				list = append(list, Hit{i, starts[k], starts[to] - 1})
			}
		}
	}
	return list
}

// diffOf compares two texts, whole.
func diffOf(old, now, path string) Block {
	b := Block{Kind: Diff, Title: path}
	var lines []string
	line := func(sign byte, s string) {
		lines = append(lines, strings.TrimSuffix(s, "\n"))
		b.Marks = append(b.Marks, Mark{Sign: sign})
	}
	ended := func(s string) string {
		if s != "" && !strings.HasSuffix(s, "\n") {
			s += "\n"
		}
		return s
	}
	old, now = ended(old), ended(now)
	u, err := udiff.ToUnifiedDiff("", "", old, udiff.Lines(old, now), strings.Count(old, "\n")+1)
	if err != nil || len(u.Hunks) == 0 {
		for _, l := range strings.SplitAfter(now, "\n") {
			if l != "" {
				line(' ', l)
			}
		}
	}
	for _, h := range u.Hunks {
		for _, l := range h.Lines {
			line(map[udiff.OpKind]byte{udiff.Insert: '+', udiff.Delete: '-', udiff.Equal: ' '}[l.Kind], l.Content)
		}
	}
	b.Text = strings.Join(lines, "\n")
	b.colour()
	return b
}

// colour gives a diff the colours of its file's language, one stretch between
// headings at a time.
func (b *Block) colour() {
	b.Spans = nil
	from, at := 0, 0
	flush := func(to int) {
		if to > from {
			for _, s := range highlight(b.Text[from:to], b.Title) {
				s.From, s.To = s.From+from, s.To+from
				b.Spans = append(b.Spans, s)
			}
		}
	}
	for _, m := range b.Marks {
		end := len(b.Text)
		if k := strings.IndexByte(b.Text[at:], '\n'); k >= 0 {
			end = at + k + 1
		}
		if m.Sign == '@' {
			flush(at)
			b.Spans = append(b.Spans, Span{From: at, To: end, Style: Style{Ink: InkFaint}})
			from = end
		}
		at = end
	}
	flush(len(b.Text))
	b.markChanges()
}

var hunk = pattern.New(`^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@`)

// unified reads a unified diff; false: the text is none.
func unified(s, path string) (Block, bool) {
	if len(s) > diffLimit || !strings.Contains(s, "\n@@ ") && !strings.HasPrefix(s, "@@ ") {
		return Block{}, false
	}
	b := Block{Kind: Diff, Title: path}
	files := 0
	var lines []string
	var old, now int32 // 0: outside of a hunk
	for l := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		m := Mark{Sign: '@'}
		switch at := hunk.FindStringSubmatch(l); {
		case at != nil:
			old, now = number(at[1]), number(at[2])
		case strings.HasPrefix(l, "diff ") || strings.HasPrefix(l, "--- ") && strings.IndexByte(l, '/') > 0 || now == 0 && old == 0:
			old, now = 0, 0
			if f, ok := strings.CutPrefix(l, "+++ "); ok {
				files++
				f, _, _ = strings.Cut(f, "\t")
				b.Title = strings.TrimPrefix(f, "b/")
			}
		case strings.HasPrefix(l, "+++ "):
			old, now = 0, 0
		case strings.HasPrefix(l, "+"):
			m, l = Mark{Sign: '+', New: now}, l[1:]
			now++
		case strings.HasPrefix(l, "-"):
			m, l = Mark{Sign: '-', Old: old}, l[1:]
			old++
		case strings.HasPrefix(l, " ") || l == "":
			m, l = Mark{Sign: ' ', Old: old, New: now}, strings.TrimPrefix(l, " ")
			old++
			now++
		}
		lines = append(lines, l)
		b.Marks = append(b.Marks, m)
	}
	if files > 1 {
		b.Title = ""
	}
	b.Text = strings.Join(lines, "\n")
	b.colour()
	return b, true
}

func number(s string) int32 {
	n, _ := strconv.ParseInt(s, 10, 32)
	return max(1, int32(n))
}

// patch shows a patch in the form of apply_patch, a diff for each file.
func (r *reader) patch(s string) {
	var b Block
	var lines []string
	flush := func() {
		if b.Kind != Diff {
			return
		}
		b.Text = strings.Join(lines, "\n")
		b.colour()
		r.add(b)
		b, lines = Block{}, nil
	}
	for l := range strings.SplitSeq(strings.TrimSuffix(s, "\n"), "\n") {
		if rest, ok := strings.CutPrefix(l, "*** "); ok {
			if what, path, ok := strings.Cut(rest, " File: "); ok {
				flush()
				b = Block{Kind: Diff, Title: path}
				if what == "Delete" {
					lines, b.Marks = []string{l}, []Mark{{Sign: '-'}}
				}
				continue
			}
			if rest == "Begin Patch" || rest == "End Patch" || rest == "End of File" {
				continue
			}
		}
		if b.Kind != Diff {
			b = Block{Kind: Diff}
		}
		m := Mark{Sign: '@'}
		if l == "" {
			m.Sign = ' '
		} else if strings.IndexByte("+- ", l[0]) >= 0 {
			m.Sign, l = l[0], l[1:]
		}
		lines = append(lines, l)
		b.Marks = append(b.Marks, m)
	}
	flush()
}

var searchMark = pattern.New(`^(?:<{5,}|-{5,}) ?SEARCH`)

// searchReplace reads the blocks of search and replace that some tools edit with.
func searchReplace(s string) (Block, bool) {
	b := Block{Kind: Diff}
	var lines, old, now []string
	state := 0 // 1: what is searched, 2: what takes its place
	found := false
	for l := range strings.SplitSeq(s, "\n") {
		switch {
		case searchMark.MatchString(l):
			state, old, now, found = 1, nil, nil, true
		case state == 1 && strings.HasPrefix(l, "====="):
			state = 2
		case state == 2 && (strings.HasPrefix(l, ">>>>>") || strings.HasPrefix(l, "+++++")):
			part := diffOf(strings.Join(old, "\n"), strings.Join(now, "\n"), "")
			if len(lines) > 0 {
				lines, b.Marks = append(lines, "…"), append(b.Marks, Mark{Sign: '@'})
			}
			lines = append(lines, strings.Split(part.Text, "\n")...)
			b.Marks = append(b.Marks, part.Marks...)
			state = 0
		case state == 1:
			old = append(old, l)
		case state == 2:
			now = append(now, l)
		}
	}
	b.Text = strings.Join(lines, "\n")
	return b, found && len(lines) > 0 && len(lines) == len(b.Marks)
}

// Changed is how many lines a diff adds and removes.
func (b *Block) Changed() (added, removed int) {
	for _, m := range b.Marks {
		switch m.Sign {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return added, removed
}
