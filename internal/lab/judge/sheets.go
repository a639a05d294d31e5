package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
)

const (
	tailMessages = 6  // before the cut, that readers see beside every text
	keptMessages = 1  // the last before the cut, that a text is not about: all else it has to tell
	nextShown    = 10 // entries after it
	letters      = "ABCDEFGH"
)

// place is a cut that cuts.tsv names.
type place struct{ name, file, which string }

// places reads cuts.tsv: a name, a file under the folder of the data, and either the number
// of a recorded compaction, from 1, or a share of the session ("60%") at which we cut it.
func places(path string) (out []place, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.Comment, r.FieldsPerRecord = '\t', '#', -1
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, place{row[0], row[1], row[2]})
	}
}

// find is the cut of a session that a place names.
func (p place) find(h *history) (cut, error) {
	var n int
	if strings.HasSuffix(p.which, "%") {
		if _, err := fmt.Sscanf(p.which, "%d%%", &n); err != nil {
			return cut{}, err
		}
		return h.between(len(h.entries) * n / 100)
	}
	if _, err := fmt.Sscanf(p.which, "%d", &n); err != nil {
		return cut{}, err
	}
	if n < 1 || n > len(h.cuts) || strings.TrimSpace(h.cuts[n-1].summary) == "" {
		return cut{}, fmt.Errorf("%s: no readable summary %d", p.file, n)
	}
	return h.cuts[n-1], nil
}

// between is the first place from an entry on at which a tool has answered and the agent
// goes on: in the middle of the work, where tools compact.
func (h *history) between(from int) (cut, error) {
	for i := max(from, 1); i < len(h.entries); i++ {
		if h.entries[i-1].who == "result" && h.entries[i].who != "result" && h.entries[i].at > h.entries[i-1].at {
			return cut{at: h.entries[i].at, after: h.entries[i].at}, nil
		}
	}
	return cut{}, fmt.Errorf("%s: no place to cut", h.path)
}

// text is one of the texts that readers judge.
type text struct{ kind, words string }

// texts are those of one cut. Without a recorded summary there are three.
func texts(h *history, c cut, ledger, note program) ([]text, error) {
	session := filepath.Join(note.scratch, strings.ReplaceAll(filepath.Base(h.path), " ", "_"))
	if err := h.before(c.at, session); err != nil {
		return nil, err
	}
	defer os.Remove(session)
	var out []text
	var all error
	add := func(kind string, words string, err error) {
		out, all = append(out, text{kind, words}), errors.Join(all, err)
	}
	words, err := ledger.summary(session, 1000)
	add("ledger 1000", words, err)
	words, err = note.summary(session, 1000)
	add("note 1000", words, err)
	words, err = note.summary(session, 4000)
	add("note 4000", words, err)
	if c.summary != "" {
		add("vendor", c.summary, nil)
		words, err = note.after(session, c.summary, 500)
		add("vendor + note 500", words, err)
	}
	return out, all
}

// round writes the sheets of a round, and the key to a file beside their folder.
func round(list []place, data, into string, ledger, note program) error {
	key, err := os.Create(filepath.Join(filepath.Dir(into), "key-"+filepath.Base(into)+".tsv"))
	if err != nil {
		return err
	}
	defer key.Close()
	fmt.Fprintln(key, "cut\tletter\tkind\ttokens\tsession")
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(into, "README.md"), []byte(instructions), 0o644); err != nil {
		return err
	}
	for i, p := range list {
		h, err := read(filepath.Join(data, p.file))
		if err != nil {
			return err
		}
		c, err := p.find(h)
		if err != nil {
			return err
		}
		of, err := texts(h, c, ledger, note)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("cut-%02d", i+1)
		seed := fnv.New64a()
		fmt.Fprint(seed, filepath.Base(into), p.name)
		rand.New(rand.NewSource(int64(seed.Sum64()))).Shuffle(len(of), func(a, b int) { of[a], of[b] = of[b], of[a] })
		files := map[string]string{"last-messages.md": h.tail(c), "happened.md": h.happened(c)}
		for k, t := range of {
			fmt.Fprintf(key, "%s\t%c\t%s\t%d\t%s %s\n", name, letters[k], t.kind, count(t.words), p.file, p.which)
			files[string(letters[k])+".md"] = t.words + "\n"
		}
		if err := writeAll(filepath.Join(into, name), files); err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, name, p.name, len(of), "texts")
	}
	return nil
}

func writeAll(folder string, files map[string]string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// tail is what stands word for word after every text: the last messages before the cut.
func (h *history) tail(c cut) string {
	of := h.span(0, c.at)
	return "# The last messages before the cut, clipped\n\n" + show(of[tailFrom(of, tailMessages):], 1500)
}

// tailFrom is where the last so many messages of some entries begin.
func tailFrom(of []entry, messages int) int {
	from := len(of)
	for n := 0; from > 0 && n < messages; n++ {
		for from--; from > 0 && sameMessage(of[from-1], of[from]); from-- {
		}
	}
	return from
}

func sameMessage(a, b entry) bool {
	return a.at == b.at || a.turn != "" && a.turn == b.turn || a.who == "call" && b.who == "call"
}

// happened is what a reader opens after having written down the next step.
func (h *history) happened(c cut) string {
	var b strings.Builder
	b.WriteString("# What really happened next\n\n")
	var next []entry
	for _, e := range h.entries {
		if e.at >= c.after && e.who != "harness" && e.who != "summary" && len(next) < nextShown {
			next = append(next, e)
		}
	}
	b.WriteString(show(next, 1500))
	b.WriteString("\n# All that the person had said before the cut, in order, clipped\n\n")
	for _, e := range h.span(0, c.at) {
		if e.who == "person" {
			b.WriteString("- " + clip(e.text, 1200) + "\n")
		}
	}
	trail := trailOf(h.span(0, c.at))
	b.WriteString("\n# To-dos at the cut, as the calls say\n\n")
	for _, t := range trail.todos {
		fmt.Fprintf(&b, "- [%s] %s\n", t.state, clip(t.words, 200))
	}
	b.WriteString("\n# Commits before the cut\n\n")
	for _, k := range trail.commits {
		fmt.Fprintf(&b, "- %s %s\n", k.hash, k.subject)
	}
	b.WriteString("\n# Files changed before the cut\n\n")
	for _, f := range trail.files {
		fmt.Fprintf(&b, "- %s ×%d\n", f.path, f.times)
	}
	return b.String()
}

// show prints entries as a reader reads them.
func show(of []entry, most int) string {
	var b strings.Builder
	for _, e := range of {
		switch {
		case e.who == "call":
			fmt.Fprintf(&b, "**The agent calls %s**: %s\n\n", e.tool, clip(inputLine(e.input), most))
		case e.who == "result" && e.failed:
			fmt.Fprintf(&b, "**Result (failed)**: %s\n\n", clip(e.text, most))
		case e.who == "result":
			fmt.Fprintf(&b, "**Result**: %s\n\n", clip(e.text, most/2))
		case e.think != "":
			fmt.Fprintf(&b, "**The agent thinks**: %s\n\n", clip(e.think, most))
		default:
			fmt.Fprintf(&b, "**%s**: %s\n\n", map[string]string{"person": "Person", "agent": "Agent", "harness": "Program",
				"summary": "Former summary"}[e.who], clip(e.text, most))
		}
	}
	return b.String()
}

func clip(s string, most int) string {
	s = strings.TrimSpace(s)
	if r := []rune(s); len(r) > most {
		return string(r[:most*2/3]) + " […] " + string(r[len(r)-most/3:])
	}
	return s
}

const instructions = `# For the reader

Each folder cut-NN is a moment in a coding agent's session at which its history was compacted. You are the agent that has to
go on. You know nothing but one text (A.md, B.md, …) and last-messages.md, which is the same for all texts of a cut.
Judge each text as if the others did not exist. Work through the cuts in order, and one cut at a time:

1. Read last-messages.md, then A.md. Write down in one or two sentences what you would do next. Then B.md, and so on.
2. Only then open happened.md: what really happened next, all that the person had said, the to-dos and commits.
3. Give each text 0 to 3 for each of five questions. 3: all that is needed is there and right; 2: a small gap; 1: a large
   gap; 0: missing or wrong. Count what the text itself tells; last-messages.md only helps to understand it.
   - goal: does the text tell what the person wants, now and on the whole?
   - state: does it tell what is done, what is open, what is broken or running, as of the cut?
   - next: would an agent with it take the step that was taken, or one as good?
   - orders: does it tell what the person asked to be kept to (rules, prohibitions, preferences), where there was any?
     3 where there was none and the text invents none.
   - beliefs: 3 if nothing in it would mislead; 0 if it tells something false that matters (a failure that was repaired,
     an open task that was done, an order that was never given).
4. Write one line a text into scores-YOURNAME.tsv in this folder, with tabs between:
   cut	letter	goal	state	next	orders	beliefs	what you would do next	what misled or was missing
   (first line: these names; cut as cut-01, letter as A).
`
