package gui

import (
	"strconv"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// asks reports whether a model makes this draft.
func (p *draftPane) asks() bool {
	pl := p.d.Plan()
	return pl != nil && pl.Policy.Strategy.Asks()
}

// left tells the kind and size of the draft, and what is wrong with it.
func (p *draftPane) left(dr *session.Draft) {
	list := p.d.Drafts()
	names := make([]string, len(list))
	at := 0
	for i := range list {
		if names[i] = strconv.Itoa(i + 1); list[i] == dr {
			at = i
		}
	}
	if len(list) != p.formers || p.former == nil { // a choice has as many parts as it was made with
		p.formers, p.former = len(list), kit.NewSegments(names, at, p.d.ChooseDraft)
	}
	p.former.Select(at)
	if dr == nil || len(dr.Flaws) == 0 {
		p.pane.SetLeft(p.kind, p.size)
		return
	}
	names = nil
	for _, f := range dr.Flaws {
		names = append(names, words.T("flaw.short."+string(f.Code)))
	}
	p.flaws.Set(strings.Join(names, " · "), kit.ColorWarning)
	p.pane.SetLeft(p.flaws, p.size)
}

// before is the draft before the one that is shown, or, of the only one, what the
// model wrote before it was edited; nil: there is none.
func (p *draftPane) before() *session.Draft {
	list := p.d.Drafts()
	for i, dr := range list {
		if dr == p.d.Draft() && len(list) > 1 {
			if i == 0 {
				return list[1] // the first one is compared with the second
			}
			return list[i-1]
		}
	}
	return p.d.Unedited()
}

// show puts the draft into the view, as text, beside another one, or as what
// survives it.
func (p *draftPane) show() {
	if p.editing {
		return
	}
	mode := p.mode.Selected()
	if p.before() == nil && (mode == draftUnified || mode == draftBeside) {
		mode = draftText
	}
	switch mode {
	case draftSurvives:
		p.shown = strconv.Itoa(mode)
		if p.facts.update() {
			p.pane.SetBody(p.facts.obj)
		} else {
			p.pane.SetBody(p.view)
			p.view.SetText(words.T("draft.noFacts"), 0)
		}
	case draftUnified:
		p.shown = strconv.Itoa(mode)
		p.pane.SetBody(p.view)
		p.compare()
	case draftBeside:
		p.shown = strconv.Itoa(mode)
		p.beside = kit.NewSplit(false, p.other, p.view, kit.KeepShare, .5).Within()
		p.pane.SetBody(p.beside)
		p.compare()
	default:
		if key := "0" + p.text; p.shown != key {
			p.shown = key
			p.pane.SetBody(p.view)
			p.view.SetText(p.text, 0)
		}
	}
}

// compare fills the views with the lines of two drafts.
func (p *draftPane) compare() {
	dr, old := p.d.Draft(), p.before()
	if dr == nil || old == nil || p.editing {
		return
	}
	switch p.mode.Selected() {
	case draftUnified:
		p.view.SetLines(linesUnified(p.view, desk.Diff(old.Text.Text, dr.Text.Text)), false)
	case draftBeside:
		left, right := linesBeside(p.other, p.view, desk.Diff(old.Text.Text, dr.Text.Text))
		p.other.SetLines(left, false)
		p.view.SetLines(right, false)
	}
}

// The ways in which a draft is shown.
const (
	draftText = iota
	draftUnified
	draftBeside
	draftSurvives
)

// noMark is as wide as the marks of lines that only one text has.
const noMark = "\u2007\u2009"

// marked is one line of a draft as a view shows it.
func marked(v *kit.TextView, mark, text string, kind kit.LineKind) []kit.Line {
	m, room := v.Metrics()
	lines := kit.Wrap(mark+" "+text, m, room, 0)
	for i := range lines {
		lines[i].Kind = kind
	}
	return lines
}

// linesUnified are two texts as one, the lines of only one marked.
func linesUnified(v *kit.TextView, diff []desk.DiffLine) []kit.Line {
	var out []kit.Line
	for _, l := range diff {
		switch {
		case !l.New:
			out = append(out, marked(v, "−", l.Text, kit.LineRemoved)...)
		case !l.Old:
			out = append(out, marked(v, "+", l.Text, kit.LineAdded)...)
		default:
			out = append(out, marked(v, noMark, l.Text, kit.LinePlain)...)
		}
	}
	return out
}

// linesBeside are two texts beside each other: equal lines stand at one height.
func linesBeside(a, b *kit.TextView, diff []desk.DiffLine) (left, right []kit.Line) {
	level := func() {
		for len(left) < len(right) {
			left = append(left, kit.Line{})
		}
		for len(right) < len(left) {
			right = append(right, kit.Line{})
		}
	}
	for _, l := range diff {
		switch {
		case !l.New:
			left = append(left, marked(a, "−", l.Text, kit.LineRemoved)...)
		case !l.Old:
			right = append(right, marked(b, "+", l.Text, kit.LineAdded)...)
		default:
			level()
			left = append(left, marked(a, noMark, l.Text, kit.LinePlain)...)
			right = append(right, marked(b, noMark, l.Text, kit.LinePlain)...)
		}
	}
	level()
	return left, right
}
