package workbench

import (
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// FiresWords tells how often and where the parameters would have compacted.
func FiresWords(d *desk.Desk, tl *replay.Timeline) string {
	n := len(tl.Firings)
	if n == 0 {
		return words.T("result.firesNever", "tokens", show.TokenCount(d, tl.Totals.Largest))
	}
	most := 3 // or two and a sign that there are more
	if n > most {
		most = 2
	}
	var at []string
	for _, f := range tl.Firings[:min(n, most)] {
		at = append(at, words.Int(int64(f.At+1)))
	}
	if n > most {
		at = append(at, "…")
	}
	return words.T("result.firesTimes", "count", n, "at", strings.Join(at, ", "))
}

// inputWords tells what all calls would have sent together.
func inputWords(d *desk.Desk, tl *replay.Timeline) string {
	s := show.TokenCount(d, tl.Totals.Input)
	if tl.Policy.Fixed == 0 {
		s = words.T("number.atLeast", "value", s)
	}
	if tl.Totals.Resent > 0 {
		s = words.T("result.inputResent", "tokens", s, "resent", show.TokenCount(d, tl.Totals.Resent))
	}
	return s
}

// survivesWords tells what share of the facts still stands after the plan.
func survivesWords(d *desk.Desk) (string, fyne.ThemeColorName) {
	if done, total := d.Indexing(); total > 0 {
		return words.T("result.indexing", "done", done, "total", total), kit.ColorFaint
	}
	v := d.Survival()
	if v == nil {
		return "–", kit.ColorFaint
	}
	all := v.All()
	if all.Gone == 0 {
		return words.T("result.noFacts"), kit.ColorFaint
	}
	share := words.Percent(float64(all.Survived) / float64(all.Gone))
	if v.Lower {
		share = words.T("number.atLeast", "value", share)
	}
	return words.T("result.ofFacts", "share", share, "count", all.Gone), kit.ColorText
}

// neededWords tells what share of what the agent needed later still stood.
func neededWords(d *desk.Desk) (string, fyne.ThemeColorName) {
	n, now := d.Needed()
	ink := kit.ColorText
	switch {
	case n == nil || len(n.Firings) == 0:
		return "–", kit.ColorFaint
	case !now:
		ink = kit.ColorFaint // of the parameters before
	}
	if n.Needs.Needs < session.RecallAsks {
		return words.T("result.fewNeeds", "count", n.Needs.Needs), kit.ColorFaint
	}
	share := words.Percent(n.Share())
	if n.Lower {
		share = words.T("number.atLeast", "value", share)
	}
	return words.T("result.neededKept", "share", share, "count", n.Needs.Needs-n.Met), ink
}

// insight shows what replay and facts tell.
func (r *resultPane) insight() {
	blank := func(key string) { r.Facts[key].SetText("–"); r.Facts[key].SetColor(kit.ColorFaint) }
	put := func(key, text string, ink fyne.ThemeColorName) {
		r.Facts[key].SetText(text)
		r.Facts[key].SetColor(ink)
	}
	tl := r.d.Timeline()
	if tl == nil {
		blank("fires")
		blank("input")
	} else {
		put("fires", FiresWords(r.d, tl), kit.ColorText)
		put("input", inputWords(r.d, tl), kit.ColorText)
	}
	text, ink := survivesWords(r.d)
	put("survives", text, ink)
	text, ink = neededWords(r.d)
	put("needed", text, ink)
	v := r.d.Survival()
	n, _ := r.d.Needed()
	r.link("fires", tl != nil)
	r.link("survives", v != nil && len(v.Lost) > 0)
	r.link("needed", n != nil && n.Needs.Needs >= session.RecallAsks && len(n.Misses) > 0)
}

// link shows or hides the link at the end of a line.
func (r *resultPane) link(key string, on bool) {
	if l := r.Links[key]; l.Visible() != on {
		show.SetVisible(l, on)
		r.lines[key].Refresh()
	}
}

// allWarnings are those of the plan and those of the replay, each told once.
// That it never fires is told in its line.
func allWarnings(pl *compaction.Plan, tl *replay.Timeline) []compaction.Reason {
	var out []compaction.Reason
	known := map[string]bool{"never-fires": true}
	add := func(list []compaction.Reason) {
		for _, w := range list {
			if !known[w.Code] {
				known[w.Code] = true
				out = append(out, w)
			}
		}
	}
	if pl != nil {
		add(pl.Warnings)
	}
	if tl != nil {
		add(tl.Warnings)
	}
	return out
}
