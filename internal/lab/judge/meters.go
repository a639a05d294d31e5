package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// heads are the parts of a note as a reader sees them, in either language.
var heads = map[string]string{"Goal and asks": "asks", "目标与请求": "asks", "Standing orders": "orders", "长期指令": "orders",
	"To-dos": "todos", "待办": "todos", "State now": "state", "当前状态": "state", "Done": "done", "已完成": "done",
	"Decisions and findings": "decisions", "决定与发现": "decisions", "Files changed": "files", "改动的文件": "files",
	"Commits": "commits", "提交": "commits"}

var (
	moreLine  = regexp.MustCompile(`^- … (?:另有 )?(\d+) (?:more|条)`)
	messageNo = regexp.MustCompile(` \(#[\d–]+\)$`)
	box       = regexp.MustCompile(`^- \[(.)\] (.+)$`)
	failedAt  = regexp.MustCompile(`^- (?:Failed|失败)[^:：]*[:：] ?(.+?)(?: → |$)`)
	hash      = regexp.MustCompile(`\b[0-9a-f]{7,12}\b`)
)

// noteParts is a note's lines by part, and how many each part says it left out.
func noteParts(text string) (lines map[string][]string, more map[string]int) {
	lines, more = map[string][]string{}, map[string]int{}
	in := ""
	for _, l := range strings.Split(text, "\n") {
		if name, found := strings.CutPrefix(l, "## "); found {
			name, _, _ = strings.Cut(name, ", ") // what follows says in which order the lines are
			name, _, _ = strings.Cut(name, "（")
			in = heads[strings.TrimSpace(name)]
			continue
		}
		if strings.HasPrefix(l, "[") {
			in = ""
		}
		if in == "" || l == "" {
			continue
		}
		if m := moreLine.FindStringSubmatch(l); m != nil {
			n, _ := strconv.Atoi(m[1])
			more[in] += n
			continue
		}
		lines[in] = append(lines[in], messageNo.ReplaceAllString(l, ""))
	}
	return lines, more
}

// share counts hits among so many; it is printed as a share with what it is of.
type share struct{ hit, of int }

func (s *share) add(hit bool) {
	s.of++
	if hit {
		s.hit++
	}
}

func (s share) String() string {
	if s.of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f of %d", float64(s.hit)/float64(s.of), s.of)
}

// meter is what is certain about one kind of text, over all cuts of a tool.
type meter struct {
	notes                                    int
	orders, todos, states                    share
	filesHeld, filesTrue, commits, hashTrue  share
	debris, beliefs, unmarked                int
	word, join, precision, listed, ofLiteral float64
	tokens                                   int
}

// lasting are the words with which people ask for something that is meant to last.
var lasting = regexp.MustCompile(`(?i)\b(never|always|must not|must|do not|don'?t|from now on|make sure|avoid|no need to)\b|不要|必须|务必|` +
	`禁止|始终|しないで|必ず|ないように`)

// notLasting are the same words in sentences that order nothing.
var notLasting = regexp.MustCompile(`(?i)\b(i|we|you|they|it|that|this|which|who|what|why|but) (just |really |still |also )?(do not|` +
	`don'?t|must|never|always|avoid)\b|\?|？|(do not|don'?t) (see|know|think|understand|have|like|want|need|remember|believe|care|mind|` +
	`get|work|find)\b`)

var sentenceEnd = regexp.MustCompile(`[.!。！]+(?:\s+|$)|\n`)

// orders are sentences of people, typed and not pasted, that ask or forbid for good.
func orders(of []entry) (out []string) {
	for _, e := range of {
		if e.who != "person" || len(e.text) > 2000 || strings.Contains(e.text, "```") {
			continue
		}
		for _, s := range sentenceEnd.Split(e.text, -1) {
			s = strings.TrimSpace(s)
			fits := len(s) > 12 && len(s) < 300 && !strings.ContainsAny(s[:1], "|#<>{[")
			if fits && lasting.MatchString(s) && !notLasting.MatchString(s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// debris are lines that no text for a reader may hold.
var debris = []*regexp.Regexp{
	regexp.MustCompile(`^[^\p{L}\p{N}]+$`),                                 // no letter and no figure
	regexp.MustCompile(`\. \.|\.\.\.\.|…\s*…`),                             // what a cut left over
	regexp.MustCompile(`^- [^(]*[{;]$|=>$|^- \w+: (null|string|\{|\S+,)$`), // code
	regexp.MustCompile(`<(/?system-reminder|/?task-notification|/?command-)|\x1b\[|\(no output\)`),
	regexp.MustCompile(`^- \|.*\|`),            // a row of a table
	regexp.MustCompile(`^- \d+[:→\t] `),        // a line of a listing
	regexp.MustCompile(`[A-Za-z0-9+/=]{120,}`), // encoded
}

func isDebris(line string) bool {
	line = strings.TrimSpace(messageNo.ReplaceAllString(line, ""))
	if line == "" || strings.HasPrefix(line, "[") {
		return false
	}
	for _, re := range debris {
		if re.MatchString(line) {
			return true
		}
	}
	return false
}

// finding is one fault of a text, to be read by whoever mends it.
type finding struct{ cut, kind, what string }

// truth is what the calls and people of a session say about a cut.
type truth struct {
	name       string
	gone, tail []entry
	before     trail // of what went
	all        trail // of everything up to the cut
	orders     []string
	asks       []string
	literal    literal
}

func truthOf(name string, h *history, c cut) truth {
	live := h.live(c)
	from := tailFrom(live, keptMessages)
	t := truth{name: name, gone: live[:from], tail: live[from:]}
	t.before, t.all = trailOf(t.gone), trailOf(h.span(0, c.at))
	t.orders = orders(t.gone)
	former := ""
	for i := len(t.gone) - 1; i >= 0; i-- {
		e := t.gone[i]
		if e.who != "person" || len([]rune(e.text)) <= 12 {
			continue
		}
		for _, mark := range []string{"\n# User Request\n", "\n## My request for Codex:\n"} {
			if _, own, found := strings.Cut(e.text, mark); found {
				e.text = strings.TrimSpace(own) // a program's words stand before it
			}
		}
		if common(e.text, former)*5 < len(e.text)*3 { // not the one after it, before it was changed in the queue
			t.asks = append(t.asks, e.text)
		}
		former = e.text
	}
	t.literal = literalOf(h, c, t.gone, t.tail)
	return t
}

// common is how long a beginning two texts share.
func common(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// measure adds what one text comes to, and tells the faults of a note.
func (m *meter) measure(t truth, text string, isNote bool) (faults []finding) {
	m.notes++
	m.tokens += count(text)
	say := func(kind, what string) { faults = append(faults, finding{t.name, kind, what}) }
	plain := plainWords(text + showText(t.tail))
	for _, o := range t.orders {
		kept := strings.Contains(plain, plainWords(o))
		m.orders.add(kept)
		if !kept {
			say("order lost", o)
		}
	}
	lines, more := noteParts(text)
	m.todo(t, text, lines["todos"], more["todos"], say)
	s := sheet{text, lines, more, isNote}
	m.files(t, s, say)
	m.commit(t, s, say)
	for _, l := range strings.Split(text, "\n") {
		if isDebris(l) {
			m.debris++
			say("debris", l)
		}
	}
	if isNote {
		var lost []string
		for _, ask := range t.asks {
			if begins := []rune(plainWords(ask)); !strings.Contains(plain, string(begins[:min(len(begins), 30)])) {
				lost = append(lost, ask)
			}
		}
		if len(lost) > more["asks"] {
			m.unmarked++
			say("unmarked cut", fmt.Sprintf("%d asks not listed, the note says %d more; the newest: %s", len(lost), more["asks"], lost[0]))
		}
		m.belief(t, lines, say)
	}
	if len(t.literal.needed) >= 10 {
		w, j, p, s := t.literal.of(text)
		m.word, m.join, m.precision, m.listed, m.ofLiteral = m.word+w, m.join+j, m.precision+p, m.listed+s, m.ofLiteral+1
	}
	return faults
}

func (m *meter) todo(t truth, text string, listed []string, more int, say func(kind, what string)) {
	marks := map[string]string{}
	for _, l := range listed {
		if b := box.FindStringSubmatch(l); b != nil {
			marks[plainWords(b[2])] = map[string]string{"x": "done", " ": "open", ">": "doing", "-": "dropped"}[b[1]]
		}
	}
	plain := plainWords(text)
	done := 0
	latest := map[string]string{}
	for _, d := range t.all.todos {
		latest[d.words] = d.state
	}
	for _, d := range t.before.todos {
		key := plainWords(d.words)
		key = key[:min(len(key), 40)]
		if key == "" || d.state == "dropped" || latest[d.words] == "" { // "": the list was written anew in the last messages
			continue
		}
		found := strings.Contains(plain, key)
		if !found && d.state == "done" && more > done { // counted, not listed
			done++
			continue
		}
		m.todos.add(found)
		if !found {
			say("to-do lost", "["+d.state+"] "+d.words)
			continue
		}
		for listed, state := range marks {
			if state != "" && strings.Contains(listed, key) { // "": a mark that claims no state
				right := state == d.state || state == latest[d.words] // the reader has the last messages
				m.states.add(right)
				if !right {
					if d.state == "done" && state != "done" {
						m.beliefs++
					}
					say("to-do state", fmt.Sprintf("the note says %s, the calls say %s: %s", state, d.state, d.words))
				}
				break
			}
		}
	}
}

// sheet is a text with the lines of its parts, and how many more each says there are.
type sheet struct {
	text   string
	lines  map[string][]string
	more   map[string]int
	isNote bool
}

// files holds the files that a text lists against those that were changed.
func (m *meter) files(t truth, x sheet, say func(kind, what string)) {
	var names []string
	for _, f := range t.all.files {
		names = append(names, f.path)
	}
	whole := joined(x.text)
	held := factsOf(whole)
	missing := 0
	for _, f := range t.before.files {
		found := false
		for h := range held {
			if h == f.path || strings.HasSuffix(f.path, "/"+strings.TrimPrefix(h, "./")) {
				found = true
				break
			}
		}
		if !found {
			found = strings.Contains(whole, f.path) // a name with a blank or a bracket
		}
		m.filesHeld.add(found)
		if !found {
			missing++
		}
	}
	if x.isNote && missing > x.more["files"] {
		m.unmarked++
		say("unmarked cut", fmt.Sprintf("%d changed files not listed, the note says %d more", missing, x.more["files"]))
	}
	for _, path := range filesListed(x.lines["files"]) {
		right := false
		for _, n := range names {
			right = right || n == path || strings.HasSuffix(n, "/"+strings.TrimPrefix(path, "./"))
		}
		m.filesTrue.add(right)
		if !right {
			say("file not changed", path)
		}
	}
}

// commit holds the commits that a text lists against those that were made.
func (m *meter) commit(t truth, x sheet, say func(kind, what string)) {
	hashes := map[string]bool{}
	for _, c := range t.all.commits {
		hashes[c.hash] = true
	}
	missing := 0
	for _, c := range t.before.commits {
		m.commits.add(strings.Contains(x.text, c.hash))
		if !strings.Contains(x.text, c.hash) {
			missing++
		}
	}
	if x.isNote && missing > x.more["commits"] {
		m.unmarked++
		say("unmarked cut", fmt.Sprintf("%d commits not listed, the note says %d more", missing, x.more["commits"]))
	}
	for _, l := range x.lines["commits"] {
		if at := hash.FindStringIndex(l); at != nil && at[0] == len("- ") {
			m.hashTrue.add(hashes[l[at[0]:at[1]]])
			if !hashes[l[at[0]:at[1]]] {
				say("commit not made", l)
			}
		}
	}
}

// filesListed reads the lines of a note's files: "- folder/{a.go ×2, b.go}".
func filesListed(lines []string) (out []string) {
	for _, l := range lines {
		l = times.ReplaceAllString(strings.TrimPrefix(l, "- "), "")
		if m := grouped.FindStringSubmatch(l); m != nil && m[0] == l {
			for _, n := range strings.Split(m[2], ", ") {
				out = append(out, m[1]+n)
			}
			continue
		}
		out = append(out, strings.Split(l, ", ")...)
	}
	return out
}

// belief counts failures that a note tells as open and that a later run of the command repaired.
func (m *meter) belief(t truth, lines map[string][]string, say func(kind, what string)) {
	for _, l := range lines["state"] {
		f := failedAt.FindStringSubmatch(l)
		if f == nil {
			continue
		}
		k := key(f[1])
		for _, r := range t.all.repaired {
			if sameCommand(k, r) {
				m.beliefs++
				say("wrong belief", "told as failed, worked later: "+l)
				return
			}
		}
		if strings.HasPrefix(k, "git merge") || strings.HasPrefix(k, "git rebase") || strings.Contains(l, "already exists") {
			if len(t.all.commits) > 0 {
				m.beliefs++
				say("wrong belief", "told as failed, a commit came after it: "+l)
			}
		}
	}
}

// sameCommand tells whether a note's command, which may be clipped, is this one.
func sameCommand(listed, run string) bool {
	if start, clipped := strings.CutSuffix(listed, "…"); clipped {
		return len(start) > 20 && strings.HasPrefix(run, strings.TrimSpace(start))
	}
	return listed == run
}

func showText(of []entry) string {
	var b strings.Builder
	for _, e := range of {
		b.WriteString("\n" + e.all())
	}
	return b.String()
}

// everyCut is all cuts under a folder: each recorded summary, and each long session without
// one at three fifths; at most so many of a folder.
func everyCut(data string, most int) (out []place, err error) {
	n := map[string]int{}
	err = filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".jsonl" {
			return err
		}
		h, err := read(path)
		if err != nil {
			return nil // no session
		}
		name, err := filepath.Rel(data, path)
		if err != nil {
			return err
		}
		of := filepath.Dir(name)
		recorded := 0
		for i, c := range h.cuts {
			if strings.TrimSpace(c.summary) != "" && len(h.live(c)) >= 40 && n[of] < most {
				recorded++
				n[of]++
				out = append(out, place{fmt.Sprintf("%s %d", filepath.Base(name), i+1), name, fmt.Sprint(i + 1)})
			}
		}
		if recorded == 0 && len(h.entries) >= 150 && n[of] < most {
			n[of]++
			out = append(out, place{filepath.Base(name) + " 60%", name, "60%"})
		}
		return nil
	})
	return out, err
}

// meters measures texts at many cuts and prints a table for each tool, and the faults.
func meters(list []place, data string, ledger, note program, faultsInto string) error {
	all := map[string]map[string]*meter{} // tool, kind of text
	var faults []finding
	for _, p := range list {
		h, err := read(filepath.Join(data, p.file))
		if err != nil {
			return err
		}
		c, err := p.find(h)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		of, err := texts(h, c, ledger, note)
		if err != nil {
			fmt.Fprintln(os.Stderr, p.name, err)
			continue
		}
		t := truthOf(p.name, h, c)
		of = append(of, t.literal.baselines(t.gone, 1000)...)
		for _, text := range of {
			for _, tool := range []string{h.kind, "all"} {
				if all[tool] == nil {
					all[tool] = map[string]*meter{}
				}
				if all[tool][text.kind] == nil {
					all[tool][text.kind] = &meter{}
				}
				isNote := strings.HasPrefix(text.kind, "note")
				found := all[tool][text.kind].measure(t, text.words, isNote)
				if isNote && tool == "all" {
					for _, f := range found {
						f.kind = text.kind + ": " + f.kind
						faults = append(faults, f)
					}
				}
			}
		}
		fmt.Fprint(os.Stderr, ".")
	}
	fmt.Fprintln(os.Stderr)
	var tools []string
	for tool := range all {
		tools = append(tools, tool)
	}
	sort.Strings(tools)
	for _, tool := range tools {
		fmt.Printf("\n%s\n\n%s", tool, table(all[tool]))
	}
	return writeFaults(faults, faultsInto)
}

func table(of map[string]*meter) string {
	var b strings.Builder
	b.WriteString("| text | cuts | tokens | orders kept | to-dos listed | states right | changed files listed | listed files changed | " +
		"commits listed | listed commits made | debris a text | wrong beliefs a text | lists cut without a mark | needed facts, joined | " +
		"word for word | precision | of all facts |\n" + strings.Repeat("|---", 17) + "|\n")
	var kinds []string
	for k := range of {
		kinds = append(kinds, k)
	}
	sort.Strings(kinds)
	for _, k := range kinds {
		m := of[k]
		n, lit := float64(m.notes), max(m.ofLiteral, 1)
		fmt.Fprintf(&b, "| %s | %d | %d | %v | %v | %v | %v | %v | %v | %v | %.2f | %.2f | %d | %.3f | %.3f | %.3f | %.3f |\n", k, m.notes,
			m.tokens/m.notes,
			m.orders, m.todos, m.states, m.filesHeld, m.filesTrue, m.commits, m.hashTrue, float64(m.debris)/n, float64(m.beliefs)/n,
			m.unmarked,
			m.join/lit, m.word/lit, m.precision/lit, m.listed/lit)
	}
	return b.String()
}

func writeFaults(faults []finding, path string) error {
	if path == "" {
		return nil
	}
	sort.SliceStable(faults, func(i, j int) bool { return faults[i].kind < faults[j].kind })
	var b strings.Builder
	for _, f := range faults {
		fmt.Fprintf(&b, "%s\t%s\t%s\n", f.kind, f.cut, strings.Join(strings.Fields(clip(f.what, 260)), " "))
	}
	return os.WriteFile(path, []byte(b.String()), 0o600)
}
