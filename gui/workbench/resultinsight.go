package workbench

import (
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/figure"
)

// firesWords say how often and where the parameters would have compacted. A warning names
// what was left out instead.
func firesWords(tl *replay.Timeline, largest figure.Figure) string {
	var fired []int
	for i := range tl.Firings {
		if f := &tl.Firings[i]; f.Compacts() {
			fired = append(fired, f.At)
		}
	}
	n := len(fired)
	if n == 0 && !largest.Known() { // no model was called
		return words.T("result.never")
	}
	if n == 0 {
		return words.T("result.firesNever", "tokens", words.Figure(largest))
	}
	most := 3 // or two and a sign that there are more
	if n > most {
		most = 2
	}
	var at []string
	for _, i := range fired[:min(n, most)] {
		at = append(at, words.Int(int64(i+1)))
	}
	if n > most {
		at = append(at, "…")
	}
	return words.T("result.firesTimes", "count", n, "at", strings.Join(at, ", "))
}

// insight shows what survives, what was needed later, and the whole run.
func (r *resultPane) insight(c figures.Compaction) {
	if done, total := r.d.Indexing(); total > 0 {
		text := words.T("result.indexing", "done", done, "total", total)
		show.PutFigure(r.Facts["survives"], r.d, c.Survives, text, kit.ColorFaint)
	} else {
		show.PutFigure(r.Facts["survives"], r.d, c.Survives, show.CountedShare("result.ofFacts", c.Survives), show.ShareInk(c.Survives))
	}
	show.PutFigure(r.Facts["needed"], r.d, c.Recall, show.CountedShare("result.ofNeeds", c.Recall), needInk(c.Recall))
	v := r.d.Survival()
	r.linkCount("survives", "result.lost", c.Lost, v != nil && len(v.Lost) > 0)
	r.linkCount("needed", "result.missed", c.Misses, v != nil && v.Needed != nil && len(v.Needed.Misses) > 0)
	r.wholeRun()
}

// wholeRun shows the figures of the whole history.
func (r *resultPane) wholeRun() {
	tl := r.d.Timeline()
	f, ok := r.d.RunFigures()
	if !ok {
		for _, key := range runFacts {
			r.Facts[key].Clear()
		}
		r.run.Clear()
		r.link("fires", "")
		r.link("runNeeded", "")
		return
	}
	s := r.d.Session()
	if r.folded {
		show.PutFigure(r.run, r.d, f.Recall, show.Joined([]string{show.CountedShare("result.ofNeeds", f.Recall), words.Figure(f.Input),
			words.T("result.firings", "count", tl.Totals.Firings)}), kit.ColorText)
	} else {
		of := words.T("result.runOf", "messages", words.T("count.messages", "count", len(s.Thread().History)),
			"calls", words.T("result.calls", "count", tl.Totals.Calls))
		r.run.Set(of, of, kit.ColorMuted, func() kit.Card {
			return kit.Card{Name: words.T("result.run"), Value: of, About: words.T("result.run.tip"), Foot: words.T("figure.copies")}
		})
	}
	show.PutFigure(r.Facts["fires"], r.d, f.Firings, firesWords(tl, f.Largest), kit.ColorText)
	show.PutFigure(r.Facts["runNeeded"], r.d, f.Recall, show.CountedShare("result.ofNeeds", f.Recall), needInk(f.Recall))
	input := words.Figure(f.Input)
	if f.Resent.Value > 0 {
		input = words.T("result.inputResent", "tokens", input, "resent", words.Figure(f.Resent))
	}
	show.PutFigure(r.Facts["input"], r.d, f.Input, input, kit.ColorText)
	cost := words.Figure(f.Cost)
	if f.Cost.Known() {
		cost = costWords(r.d, f.Cost, words.T("result.cost.is", "tokens", cost))
	}
	show.PutFigure(r.Facts["cost"], r.d, f.Cost, cost, kit.ColorText)
	n, _ := r.d.Needed()
	r.link("fires", words.T("result.why"))
	r.linkCount("runNeeded", "result.missed", f.Misses, n != nil && len(n.Misses) > 0)
}

// costWords are the cost of a run in money where the price of the model is known, else
// other words.
func costWords(d *desk.Desk, f figure.Figure, other string) string {
	p := d.Provider()
	if price := p.PriceOf(d.Session().Model()); price.Input > 0 {
		return words.T("result.cost.money", "money", words.Decimal(price.Of(int(f.Value), 0), 2), "currency", price.Currency)
	}
	return other
}

// needInk is the colour of a share of needs: faint where there are too few to
// judge settings by, or while they are those of the parameters before.
func needInk(f figure.Figure) fyne.ThemeColorName {
	if f.Of < session.RecallAsks || f.Reason == figures.Former {
		return kit.ColorFaint
	}
	return show.ShareInk(f)
}

// linkCount shows the link to a list with how many are in it: "157 lost".
func (r *resultPane) linkCount(key, word string, f figure.Figure, on bool) {
	if !on || !f.Known() {
		r.link(key, "")
		return
	}
	r.link(key, words.T(word, "count", int(f.Value), "n", words.Figure(f)))
}

// link shows the link at the end of a line, or hides it without words.
func (r *resultPane) link(key, text string) {
	l, on := r.Links[key], text != ""
	if l.Visible() == on && l.Text() == text {
		return
	}
	l.SetText(text)
	show.SetVisible(l, on)
	r.lines[key].Refresh()
}

// allWarnings are those of the plan and those of the replay, each once. That it
// never fires is written in its line.
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
