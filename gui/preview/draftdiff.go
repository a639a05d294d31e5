package preview

import (
	"strconv"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// asks reports whether a model makes this draft.
func (p *draftPane) asks() bool {
	pl := p.d.Plan()
	return pl != nil && pl.Policy.Strategy.Asks()
}

// left shows the kind and size of the draft, and what is wrong with it.
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
		p.Pane.SetLeft(p.kind, p.size)
		return
	}
	names = nil
	for _, f := range dr.Flaws {
		names = append(names, words.T("flaw.short."+string(f.Code)))
	}
	p.flaws.Set(strings.Join(names, " · "), kit.ColorWarning)
	p.Pane.SetLeft(p.flaws, p.size)
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

// Show puts the draft into the view, as text, beside another one, or as what
// survives it.
func (p *draftPane) Show() {
	if p.editing {
		return
	}
	mode := p.Mode.Selected()
	if p.before() == nil && (mode == DraftUnified || mode == DraftBeside) {
		mode = DraftText
	}
	switch mode {
	case DraftSurvives:
		p.shown = strconv.Itoa(mode)
		if p.facts.update() {
			p.Pane.SetBody(p.facts.obj)
		} else {
			p.Pane.SetBody(p.view)
			p.view.SetText(words.T("draft.noFacts"), 0)
		}
	case DraftUnified:
		p.shown = strconv.Itoa(mode)
		p.Pane.SetBody(p.view)
		p.compare()
	case DraftBeside:
		p.shown = strconv.Itoa(mode)
		p.beside = kit.NewSplit(false, p.other, p.view, kit.KeepShare, .5).Within()
		p.Pane.SetBody(p.beside)
		p.compare()
	default:
		if key := "0" + p.text; p.shown != key {
			p.shown = key
			p.Pane.SetBody(p.view)
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
	switch p.Mode.Selected() {
	case DraftUnified:
		p.view.SetLines(show.LinesUnified(p.view, desk.Diff(old.Text.Text, dr.Text.Text)), false)
	case DraftBeside:
		left, right := show.LinesBeside(p.other, p.view, desk.Diff(old.Text.Text, dr.Text.Text))
		p.other.SetLines(left, false)
		p.view.SetLines(right, false)
	}
}

// The ways in which a draft is shown.
const (
	DraftText = iota
	DraftUnified
	DraftBeside
	DraftSurvives
)
