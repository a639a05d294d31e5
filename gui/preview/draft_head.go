package preview

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/drafts"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// draftHead is above the right side: a tab for each draft with what it
// holds of what was needed later, and the budget with its parts.
type draftHead struct {
	d   *State
	p   *Screen
	obj *fyne.Container

	tabs    *kit.Segments
	tabRow  *fyne.Container
	count   int
	add     *kit.Link
	Mode    *kit.Segments
	modeBox *fyne.Container
	size    *kit.Text
	room    *kit.Text
	bar     *kit.StackBar
	budget  *fyne.Container
}

// The ways in which the right side is shown.
const (
	ModeRendered = iota
	ModeColumns  // all drafts, in the place of the originals too
	ModeDiff
	ModeRaw
	ModeLost // in a narrow window, in the place of the pane
)

func newDraftHead(d *State, p *Screen) *draftHead {
	h := &draftHead{d: d, p: p, tabRow: kit.Row(8), bar: kit.NewStackBar(10)}
	h.add = kit.NewMenuLink("+", p.Edits.addMenu)
	h.add.SetTip(words.T("preview.addDraft"))
	h.modeBox = kit.Row(0)
	h.setModes(false)
	h.size, h.room = kit.NewText("", kit.ColorText, 12).Bold(), kit.NewText("", kit.ColorMuted, 12).Right()
	sizes := kit.Lines(8, kit.Stretch(kit.Means(h.size, "preview.budget.means")), kit.Stretch(kit.Means(h.room, "preview.room.means")))
	h.budget = kit.Column(0, kit.Pad(5, 10, 6, 10, kit.Column(3, sizes, h.bar)), kit.NewRule())
	top := kit.Row(6, h.tabRow, h.add, kit.Spring(), h.modeBox)
	h.obj = kit.Column(0, kit.Sized(0, 34, kit.Pad(0, 8, 0, 8, top)), kit.NewRule(), h.budget)
	return h
}

// setModes makes the switch of modes, in a narrow window with a fourth.
func (h *draftHead) setModes(narrow bool) {
	names := []string{words.T("preview.rendered"), words.T("preview.columns"), words.T("preview.diff"), words.T("preview.raw")}
	if narrow {
		names = append(names, h.lostName())
	}
	at := ModeRendered
	if h.Mode != nil {
		if h.Mode.Len() == len(names) {
			h.Mode.SetNames(names)
			return
		}
		at = min(h.Mode.Selected(), len(names)-1)
	}
	h.Mode = kit.NewSegments(names, at, func(int) { h.p.showMode() }).Folding()
	h.modeBox.Objects = []fyne.CanvasObject{h.Mode}
	h.modeBox.Refresh()
}

// lostName says how many facts the draft lost, and how many of them were needed later.
func (h *draftHead) lostName() string {
	v := h.d.Survival()
	if v == nil || v.Survival == nil || v.Lower {
		return words.T("preview.lostTab")
	}
	all := v.All()
	name := words.T("preview.lostTab") + " " + words.Int(int64(all.Gone-all.Survived))
	if v.Needed != nil {
		name += " · " + words.Int(int64(len(v.Needed.Misses)))
	}
	return name
}

// mostNamed is from how many drafts on a narrow window has no room for what each holds.
const mostNamed = 3

// update shows the drafts and the budget.
func (h *draftHead) update() {
	list := h.d.DraftSet.Drafts()
	names, at := make([]string, len(list)), slices.Index(list, h.d.DraftSet.Draft())
	known := h.d.DraftSet.DraftFacts()
	for i, dr := range list {
		names[i] = draftName(i, dr)
		if known != nil && (!h.p.narrow || len(list) < mostNamed) {
			names[i] += keptWords(known[i])
		}
	}
	if h.tabs == nil || h.count != len(list) {
		h.tabs, h.count = kit.NewSegments(names, at, h.d.DraftSet.ChooseDraft), len(list)
		h.tabRow.Objects = []fyne.CanvasObject{h.tabs}
	}
	h.tabs.SetNames(names)
	h.tabs.Select(at)
	show.SetVisible(h.tabs, len(list) > 0)
	h.tabRow.Refresh()
	h.setModes(h.p.narrow)
	h.updateBudget()
	h.obj.Refresh()
}

// keptWords is how much of what was needed later a draft holds; "" where nothing is known.
func keptWords(v *desk.Survival) string {
	if v.Needed == nil {
		return ""
	}
	f := figure.Ratio("recall", int64(v.Needed.Met), int64(v.Needed.Needs.Needs), "")
	if !f.Known() {
		return ""
	}
	return "  " + words.Figure(f)
}

// draftName is the number of a draft and how it was made.
func draftName(i int, dr *session.Draft) string {
	return words.Int(int64(i+1)) + " " + show.DraftWord(dr)
}

// updateBudget shows the size of the text, its blocks and what would come with what is
// lost.
func (h *draftHead) updateBudget() {
	dr, r := h.d.DraftSet.Draft(), h.d.DraftSet.DraftLines()
	show.SetVisible(h.budget, dr != nil && dr.Text.Text != "")
	if dr == nil || dr.Text.Text == "" {
		return
	}
	h.size.SetText(words.T("preview.summary", "size", weightWords(h.d, dr)))
	limit := budgetTokens(dr)
	parts := h.parts(r, dr)
	scale := float64(max(limit, dr.Text.Tokens))
	lost, with := 0, dr.Text.Tokens
	for _, g := range []int{LostOrders, LostNeeded} {
		list, price := h.p.Lost.missing(g)
		lost, with = lost+len(list), with+price
	}
	if with > dr.Text.Tokens {
		parts = append(parts, kit.BarPart{Value: float64(with - dr.Text.Tokens), Color: kit.ColorKept})
		scale = max(scale, float64(with))
	}
	h.bar.Set(parts, scale, "")
	h.room.SetText(roomWords(h.d, dr.Text.Tokens, with, limit, lost))
	h.room.SetColor(kit.ColorMuted)
	if over := dr.Text.Tokens - limit; limit > 0 && over > 0 {
		h.room.SetColor(kit.ColorWarning)
		if b := tooMuch(r, over); b >= 0 {
			title := strings.Join(strings.Fields(blockTitle(&r.Blocks[b])), " ")
			h.room.SetText(words.T("preview.overBlock", "n", words.Int(int64(over)), "block", title,
				"tokens", show.TokenCount(h.d, int64(r.Of[b].Tokens))))
		}
	}
}

// tooMuch is the smallest block that a text would fit without, but for orders; −1: none
// is large enough, or the text is still read.
func tooMuch(r *drafts.Reading, over int) int {
	best := -1
	for b := 0; r != nil && b < len(r.Blocks); b++ {
		x := &r.Blocks[b]
		if x.Kind == blocks.Frame || x.Kind == blocks.Facts && x.Fact == facts.Instruction || r.Of[b].Tokens < over {
			continue
		}
		if best < 0 || r.Of[b].Tokens < r.Of[best].Tokens {
			best = b
		}
	}
	return best
}

// parts are the blocks as segments of the bar, the lit one in accent.
func (h *draftHead) parts(r *drafts.Reading, dr *session.Draft) (parts []kit.BarPart) {
	if r == nil {
		return []kit.BarPart{{Value: float64(dr.Text.Tokens), Color: kit.ColorAdded}}
	}
	colors := []fyne.ThemeColorName{kit.FateColor(model.Added.Letter()), kit.FateColor(model.Pinned.Letter())}
	shown := 0
	for b := range r.Blocks {
		if r.Blocks[b].Kind == blocks.Frame {
			continue
		}
		c := colors[shown%2]
		if h.p.lights.litBlock() == b {
			c = kit.ColorAccent
		}
		parts = append(parts, kit.BarPart{Value: float64(r.Of[b].Tokens), Color: c})
		shown++
	}
	return parts
}

// weightWords is the size of the text beside its budget.
func weightWords(d *State, dr *session.Draft) string {
	b := dr.Plan.Budget
	n := show.TokenCountFull(d, int64(dr.Text.Tokens))
	switch {
	case b.N == 0:
		return words.T("count.tokens", "tokens", n, "count", dr.Text.Tokens)
	case b.Unit == model.Chars:
		return words.T("preview.ofChars", "n", len([]rune(dr.Text.Text)), "budget", show.AmountWords(b), "tokens",
			words.T("count.tokens", "tokens", n, "count", dr.Text.Tokens))
	}
	return words.T("preview.ofBudget", "n", n, "budget", show.TokensInWords(int64(b.N)))
}

// budgetTokens is the budget of a draft's summary in tokens; 0: none.
func budgetTokens(dr *session.Draft) int {
	if b := dr.Plan.Budget; b.Unit != model.Chars {
		return b.N
	}
	return 0
}

// roomWords say what is left of the budget, or by how much it is exceeded, and what
// the text would take with what is lost.
func roomWords(d *State, size, with, limit, lost int) string {
	if limit == 0 {
		if lost > 0 {
			return words.T("preview.withAll", "count", lost, "tokens", show.TokenCountFull(d, int64(with)))
		}
		return ""
	}
	switch {
	case size > limit:
		return words.T("preview.over", "n", words.Int(int64(size-limit)))
	case lost == 0:
		return words.T("preview.free", "n", words.Int(int64(limit-size)))
	case with > limit:
		return words.T("preview.withAllOver", "count", lost, "tokens", show.TokenCountFull(d, int64(with)),
			"n", words.Int(int64(with-limit)))
	}
	return words.T("preview.withAllFits", "count", lost, "tokens", show.TokenCountFull(d, int64(with)))
}
