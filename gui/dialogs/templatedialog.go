package dialogs

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/summarize"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
	"palimpsest/model/body"
)

// TemplateDialog edits the words in which a model is asked for a summary. What
// is kept holds for the next question; every record keeps the words that led to
// it.
type TemplateDialog struct {
	w    *screen.Host
	dlg  *kit.Dialog
	Mode *kit.Segments
	Edit [2]*kit.Area // English, Chinese
	diff *reading.View
	body *fyne.Container
	note *kit.Notice
	Keep *kit.Button
}

// The ways in which a wording is shown.
const (
	templateEnglish = iota
	templateChinese
	TemplateChanges
)

// OwnWording is the name of a template that a person changed.
const OwnWording = "own"

func ShowTemplate(w *screen.Host) *TemplateDialog {
	x := &TemplateDialog{w: w}
	t := summarize.Sections()
	if p := w.Desk.Provider(); p.Template != nil {
		t = *p.Template
	}
	x.Mode = kit.NewSegments([]string{words.Name(words.English), words.Name(words.Chinese), words.T("template.changes")},
		templateEnglish, func(int) { x.Show() })
	if words.Language() == words.Chinese {
		x.Mode.Select(templateChinese)
	}
	for i, text := range []string{t.English, t.Chinese} {
		x.Edit[i] = kit.NewArea(text, x.check)
	}
	x.diff = reading.New(w.Desk.Scheduler())
	x.note = kit.NewNotice(kit.Info, "", "")
	x.body = container.NewStack()
	body := kit.Pad(12, 16, 12, 16, kit.Column(8,
		kit.Row(10, x.Mode, kit.Stretch(kit.NewText(words.T("template.which"), kit.ColorMuted, 12).Fit())),
		kit.Sized(0, 300, x.body), x.note))
	x.dlg = kit.NewDialog(words.T("template.title"), "", body, 760, 0)
	x.dlg.SetCaption(words.T("template.caption"))
	x.Keep = kit.NewButton(words.T("template.keep"), kit.Primary, x.Use)
	x.dlg.SetButtons(kit.NewButton(words.T("template.reset"), kit.Secondary, x.Reset).WithTip("template.reset.tip"),
		kit.NewButton(words.T("do.cancel"), kit.Secondary, x.dlg.Close), x.Keep)
	x.Show()
	x.check("")
	x.dlg.ShowOn(w.Win.Canvas())
	return x
}

// template is what the fields say: the built-in one unless they differ from it.
func (x *TemplateDialog) template() summarize.Template {
	t := summarize.Sections()
	if x.Edit[0].Text != t.English || x.Edit[1].Text != t.Chinese {
		t = summarize.Template{Name: OwnWording, English: x.Edit[0].Text, Chinese: x.Edit[1].Text}
	}
	return t
}

// Show puts the text of the mode, or the changes, into the dialog.
func (x *TemplateDialog) Show() {
	switch at := x.Mode.Selected(); at {
	case TemplateChanges:
		x.body.Objects = []fyne.CanvasObject{x.diff}
		x.compare()
	default:
		x.body.Objects = []fyne.CanvasObject{x.Edit[at]}
	}
	x.body.Refresh()
}

// compare lays the fields over the built-in wording.
func (x *TemplateDialog) compare() {
	t, english, chinese := summarize.Sections(), x.Edit[0].Text, x.Edit[1].Text
	x.diff.Compare(func() *body.Doc {
		d := body.Compared(t.English, english, "")
		d.Add(body.Compared(t.Chinese, chinese, ""))
		return d
	})
}

// check says what is wrong with the wording, and its version.
func (x *TemplateDialog) check(string) {
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
	x.Keep.SetEnabled(!fatal)
	switch {
	case fatal:
		x.note.Set(kit.Failure, said[0], strings.Join(said[1:], " "))
	case len(said) > 0:
		x.note.Set(kit.Warning, said[0], strings.Join(said[1:], " "))
	case t.Name != OwnWording:
		x.note.Set(kit.Info, words.T("template.builtIn"), words.T("template.limit"))
	default:
		x.note.Set(kit.Info, words.T("template.own"), words.T("template.limit"))
	}
}

// Reset puts the built-in wording back into the fields.
func (x *TemplateDialog) Reset() {
	t := summarize.Sections()
	x.Edit[0].SetText(t.English)
	x.Edit[1].SetText(t.Chinese)
	x.Show()
	x.check("")
}

func (x *TemplateDialog) Use() {
	p := x.w.Desk.Provider()
	if t := x.template(); t.Name == OwnWording {
		p.Template = &t
	} else {
		p.Template = nil
	}
	x.w.Desk.SetProvider(p)
	x.dlg.Hide()
}
