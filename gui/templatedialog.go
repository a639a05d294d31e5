package gui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"palimpsest/compaction/summarize"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// templateDialog edits the words in which a model is asked for a summary. What
// is kept holds for the next question; every record keeps the words that led to
// it.
type templateDialog struct {
	w    *Host
	dlg  *kit.Dialog
	mode *kit.Segments
	edit [2]*areaEntry // English, Chinese
	diff *kit.TextView
	body *fyne.Container
	note *kit.Notice
	keep *kit.Button
}

// The ways in which a wording is shown.
const (
	templateEnglish = iota
	templateChinese
	templateChanges
)

// ownWording is the name of a template that a person changed.
const ownWording = "own"

func showTemplate(w *Host) *templateDialog {
	x := &templateDialog{w: w}
	t := summarize.Sections()
	if p := w.d.Provider(); p.Template != nil {
		t = *p.Template
	}
	x.mode = kit.NewSegments([]string{words.Name(words.English), words.Name(words.Chinese), words.T("template.changes")}, templateEnglish, func(int) { x.show() })
	if words.Language() == words.Chinese {
		x.mode.Select(templateChinese)
	}
	for i, text := range []string{t.English, t.Chinese} {
		x.edit[i] = newAreaEntry(text, x.check)
	}
	x.diff = kit.NewTextView(false, false)
	x.diff.OnMetrics = x.compare
	x.note = kit.NewNotice(kit.Info, "", "")
	x.body = container.NewStack()
	body := kit.Pad(12, 16, 12, 16, kit.Column(8,
		kit.Row(10, x.mode, kit.Stretch(kit.NewText(words.T("template.which"), kit.ColorMuted, 12).Fit())),
		kit.Sized(0, 300, x.body), x.note))
	x.dlg = kit.NewDialog(words.T("template.title"), "", body, 760, 0)
	x.dlg.SetCaption(words.T("template.caption"))
	x.keep = kit.NewButton(words.T("template.keep"), kit.Primary, x.use)
	x.dlg.SetButtons(kit.NewButton(words.T("template.reset"), kit.Secondary, x.reset),
		kit.NewButton(words.T("do.cancel"), kit.Secondary, x.dlg.Close), x.keep)
	x.show()
	x.check("")
	x.dlg.ShowOn(w.win.Canvas())
	return x
}

// template is what the fields say: the built-in one unless they differ from it.
func (x *templateDialog) template() summarize.Template {
	t := summarize.Sections()
	if x.edit[0].Text != t.English || x.edit[1].Text != t.Chinese {
		t = summarize.Template{Name: ownWording, English: x.edit[0].Text, Chinese: x.edit[1].Text}
	}
	return t
}

// show puts the text of the mode, or the changes, into the dialog.
func (x *templateDialog) show() {
	switch at := x.mode.Selected(); at {
	case templateChanges:
		x.body.Objects = []fyne.CanvasObject{x.diff}
		x.compare()
	default:
		x.body.Objects = []fyne.CanvasObject{x.edit[at]}
	}
	x.body.Refresh()
}

// compare lays the fields over the built-in wording.
func (x *templateDialog) compare() {
	t := summarize.Sections()
	lines := linesUnified(x.diff, desk.Diff(t.English, x.edit[0].Text))
	lines = append(lines, kit.Line{})
	x.diff.SetLines(append(lines, linesUnified(x.diff, desk.Diff(t.Chinese, x.edit[1].Text))...), true)
}

// check says what is wrong with the wording, and its version.
func (x *templateDialog) check(string) {
	t := x.template()
	x.dlg.SetSubtitle(t.Version())
	fatal, said := false, []string{}
	for _, p := range t.Check() {
		fatal = fatal || p.Fault.Fatal()
		lang := words.Name(words.English)
		if p.Lang == summarize.Chinese {
			lang = words.Name(words.Chinese)
		}
		said = append(said, words.T("template.fault."+string(p.Fault), "language", lang, "what", p.Detail))
	}
	x.keep.SetEnabled(!fatal)
	switch {
	case fatal:
		x.note.Set(kit.Failure, said[0], strings.Join(said[1:], " "))
	case len(said) > 0:
		x.note.Set(kit.Warning, said[0], strings.Join(said[1:], " "))
	case t.Name != ownWording:
		x.note.Set(kit.Info, words.T("template.builtIn"), words.T("template.limit"))
	default:
		x.note.Set(kit.Info, words.T("template.own"), words.T("template.limit"))
	}
}

// reset puts the built-in wording back into the fields.
func (x *templateDialog) reset() {
	t := summarize.Sections()
	x.edit[0].SetText(t.English)
	x.edit[1].SetText(t.Chinese)
	x.show()
	x.check("")
}

func (x *templateDialog) use() {
	p := x.w.d.Provider()
	if t := x.template(); t.Name == ownWording {
		p.Template = &t
	} else {
		p.Template = nil
	}
	x.w.d.SetProvider(p)
	x.dlg.Hide()
}

// areaEntry is a text of several lines in a dialog, which Esc closes.
type areaEntry struct {
	widget.Entry
}

func newAreaEntry(text string, changed func(string)) *areaEntry {
	e := &areaEntry{}
	e.MultiLine, e.Wrapping = true, fyne.TextWrapWord
	e.ExtendBaseWidget(e)
	e.SetText(text)
	e.OnChanged = changed
	return e
}

// TypedKey is Fyne's.
func (e *areaEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		kit.PassKey(e, k)
		return
	}
	e.Entry.TypedKey(k)
}
