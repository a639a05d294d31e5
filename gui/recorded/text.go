package recorded

import (
	"cmp"
	"slices"
	"strings"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session/recorded"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/sched"
	"palimpsest/gui/words"
	"palimpsest/model/body"
)

// textPane shows a text whose facts that were needed and are in it are marked.
type textPane struct {
	pane  *kit.Pane
	size  *kit.Text
	count *kit.Text
	view  *reading.View

	text  string
	parts map[string]string // of facts in groups of a ledger: what stands there
	marks []body.Hit        // where facts stand, in order
}

func newTextPane(s *sched.Scheduler, title string) *textPane {
	t := &textPane{size: kit.NewText("", kit.ColorMuted, 12), count: kit.NewText("", kit.ColorMuted, 12), view: reading.New(s)}
	t.view.HitInk = kit.ColorKept
	t.pane = kit.NewPane(title, t.view, t.count)
	t.pane.SetLeft(kit.Means(t.size, "recorded.size.means"))
	return t
}

// set shows a text; note is shown in its place where there is none.
func (t *textPane) set(page *recorded.Page, c recorded.Column, x recorded.Text, note string) {
	held := literals(page, c)
	t.text = x.Text
	t.size.SetText(words.T("count.tokens", "tokens", words.Int(int64(x.Tokens)), "count", x.Tokens))
	of := page.Tally.Of[c]
	t.count.SetText(words.T("preview.ofAll", "n", of.Held, "all", of.Used))
	if note != "" {
		t.text, held = note, nil
		t.size.SetText("")
		t.count.SetText("")
	}
	t.pane.SetRight(kit.Means(t.count, "recorded.share.means"))
	t.mark(held)
	t.view.Set(body.Plain(t.text))
}

// light marks one fact among the others and brings it into sight.
func (t *textPane) light(fact string) {
	text := t.part(fact)
	at := -1
	for i, m := range t.marks {
		if found := t.text[m.From:m.To]; found == text || at < 0 && fact != "" && strings.Contains(found, text) {
			if at = i; found == text {
				break
			}
		}
	}
	t.view.Light(t.marks, at)
}

// mark finds the facts in the text. Of one that is written in a group of a ledger its own
// part is marked, and of two at one place the longer one.
func (t *textPane) mark(held []facts.Fact) {
	own := map[string]string{}
	facts.Grouped(t.text, func(fact string, from, to int) { own[fact] = t.text[from:to] })
	t.parts = map[string]string{}
	for _, f := range held {
		if part := own[f.Text]; part != "" && !strings.Contains(t.text, f.Text) {
			t.parts[f.Text] = part
		}
	}
	t.marks = nil
	for _, f := range held {
		text := t.part(f.Text)
		for at := 0; ; {
			k := strings.Index(t.text[at:], text)
			if k < 0 {
				break
			}
			from := at + k
			if at = from + len(text); whole(t.text, from, at, f.Kind.Atom()) {
				t.marks = append(t.marks, body.Hit{From: from, To: at})
			}
		}
	}
	slices.SortFunc(t.marks, func(a, b body.Hit) int { return cmp.Or(a.From-b.From, b.To-a.To) })
	end := 0
	t.marks = slices.DeleteFunc(t.marks, func(m body.Hit) bool {
		inside := m.From < end
		end = max(end, m.To)
		return inside
	})
}

// part is what stands in the text for a fact.
func (t *textPane) part(fact string) string {
	if part, ok := t.parts[fact]; ok {
		return part
	}
	return fact
}

// whole reports whether nothing continues what is found: no letter or digit, and of a
// path or name no part of a longer one.
func whole(s string, from, to int, atom bool) bool {
	word := func(i int) bool {
		if i < 0 || i >= len(s) {
			return false
		}
		c := s[i]
		return c == '_' || c >= '0' && c <= '9' || c|32 >= 'a' && c|32 <= 'z'
	}
	if word(from-1) && word(from) || word(to) && word(to-1) {
		return false
	}
	joint := func(i int) bool { return i >= 0 && i < len(s) && strings.IndexByte("/.-", s[i]) >= 0 }
	return !atom || !(joint(from-1) && word(from)) && !(joint(to) && word(to+1))
}
