package gui

import (
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// exportDialog asks what of the present history goes where in which form.
type exportDialog struct {
	w       *Host
	dlg     *kit.Dialog
	what    desk.What
	format  int          // index into formats
	native  bool         // told as the source's own tool would
	how     []*kit.Check // rewritten or native; nil: there is no choice
	howNote *kit.Text
	result  *kit.Text
	note    *kit.Text
	lost    [3]*kit.Text // what the form has no place for
	target  *target
	redact  *exportRedaction
}

// formats are the forms an export can have; "" is that of the source.
var formats = []model.Format{"", transcript.FormatMarkdown, transcript.FormatHTML, transcript.FormatCSV, transcript.FormatJSON,
	model.FormatOpenAI, model.FormatAnthropic, model.FormatShareGPT}

// formNames are the names of the forms behind the first; they are names in
// every language.
var formNames = []string{"Markdown", "HTML", "CSV", "JSON", "OpenAI chat", "Anthropic Messages", "ShareGPT"}

// firstRow is how many forms stand in the first row of the dialog.
const firstRow = 5

func showExport(w *Host) *exportDialog {
	x := &exportDialog{w: w}
	x.result, x.note = kit.Label("").Fit(), kit.NewText("", kit.ColorFaint, 12).Fit()
	x.lost = [3]*kit.Text{kit.NewText("", kit.ColorFaint, 12).Fit(), kit.NewText("", kit.ColorFaint, 12).Fit(), kit.NewText("", kit.ColorFaint, 12).Fit()}
	x.redact = newExportRedaction(x)
	what := kit.NewRadio([]string{words.T("export.compacted"), words.T("export.full")}, 0, func(i int) { x.what = desk.What(i); x.update(); x.redact.look() })
	form := kit.NewRadio(append([]string{words.T("export.same", "ending", x.ending(0))}, formNames...), 0, func(i int) { x.format = i; x.update(); x.redact.look() })
	x.target = newTarget(w, func() string { return x.proposal() })
	rows := []fyne.CanvasObject{formRow(words.T("export.what"), checks(what)),
		formRow(words.T("export.format"), checks(form[:firstRow])),
		formRow("", checks(form[firstRow:]))}
	if w.d.CanExportNative() {
		rows = append(rows, x.howRows()...)
	}
	rows = append(rows, formRow("", kit.Stretch(x.redact.object())))
	body := kit.Column(0,
		kit.Pad(12, 16, 10, 16, kit.Column(6, rows...)),
		kit.NewRule(),
		kit.Pad(12, 16, 14, 16, kit.Column(6,
			formRow(words.T("export.result"), kit.Stretch(x.result)),
			formRow("", kit.Stretch(x.note)),
			formRow("", kit.Stretch(kit.Column(2, x.lost[0], x.lost[1], x.lost[2]))),
			formRow(words.T("export.to"), x.target.object()))))
	x.dlg = kit.NewDialog(words.T("export.title"), entryTitle(w.d.Current()), body, 720, 0)
	x.dlg.SetCaption(words.T("export.caption"))
	x.dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, x.dlg.Close),
		kit.NewButton(words.T("export.do"), kit.Primary, func() { x.write(false) }))
	x.update()
	x.dlg.ShowOn(w.win.Canvas())
	return x
}

func checks(list []*kit.Check) fyne.CanvasObject {
	row := kit.Row(18)
	for _, c := range list {
		row.Add(c)
	}
	return row
}

// formRow is a line of a form: its name and what belongs to it.
func formRow(name string, o fyne.CanvasObject) fyne.CanvasObject {
	return kit.Row(10, kit.Sized(92, 24, kit.NewText(name, kit.ColorMuted, 13)), o)
}

// update shows what the choice gives.
func (x *exportDialog) update() {
	d := x.w.d
	x.showHow()
	z := d.ExportSize(x.what)
	s := d.Session()
	size := words.TokensOf(z.Tokens, true, !s.Estimated())
	text := words.T("count.messages", "count", z.Messages) + " · " + words.T("count.tokens", "count", z.Tokens, "tokens", size)
	if x.what == desk.Compacted {
		text = words.T("export.sees", "what", text)
	}
	x.result.SetText(text)
	switch {
	case x.what == desk.Full:
		x.note.SetText(words.T("export.note.full"))
	case len(s.Stack()) == 0:
		x.note.SetText(words.T("export.note.none"))
	default:
		x.note.SetText(words.T("export.note.records", "count", len(s.Stack())))
	}
	lines := lossWords(formats[x.format])
	for i, t := range x.lost {
		t.SetText(lines[i])
	}
	x.target.propose()
}

// lossWords says in three lines what a form has no place for.
func lossWords(f model.Format) (lines [3]string) {
	t, ok := transcript.TargetOf(f)
	if !ok {
		return lines
	}
	each := (len(t.Loses) + len(lines) - 1) / len(lines)
	for i, l := range t.Loses {
		at := i / each
		if lines[at] != "" {
			lines[at] += words.T("export.and")
		}
		lines[at] += words.T("loss." + string(l))
	}
	lines[0] = words.T("export.loses", "what", lines[0])
	return lines
}

func (x *exportDialog) ending(i int) string {
	if t, ok := transcript.TargetOf(formats[i]); ok {
		return t.Extension
	}
	if ext := filepath.Ext(x.w.d.Current().Path); ext != "" {
		return ext
	}
	return ".jsonl"
}

// proposal is a name that says what the file holds.
func (x *exportDialog) proposal() string {
	s := x.w.d.Session()
	name := s.File().Name()
	if x.what == desk.Compacted && len(s.Stack()) > 0 {
		name += ".compacted"
	} else if formats[x.format] == "" || x.ending(x.format) == filepath.Ext(x.w.d.Current().Path) {
		name += ".copy"
	}
	return filepath.Join(exportFolder(x.w), name+x.ending(x.format))
}

// exportFolder is where exports go unless a person says otherwise: where the
// last one went, beside the source, or home.
func exportFolder(w *Host) string {
	if dir := w.set.p.String("export.folder"); dir != "" {
		return dir
	}
	if e := w.d.Current(); e != nil && e.Sample == "" {
		return filepath.Dir(e.Path)
	}
	if dir, err := os.UserHomeDir(); err == nil {
		return dir
	}
	return "."
}

func (x *exportDialog) write(force bool) {
	x.w.d.Export(x.target.path(), x.whatNow(), x.form(), force, func(out *session.Written, err error) {
		wrote(x.w, x.dlg, out, err, func() { x.write(true) })
	}, x.redact.options()...)
}

// form is the form that is chosen.
func (x *exportDialog) form() model.Format {
	if f := formats[x.format]; f != "" {
		return f
	}
	return x.w.d.Session().File().Doc.Format
}

// wrote says how an export ended, and asks before a file is replaced.
func wrote(w *Host, dlg *kit.Dialog, out *session.Written, err error, replace func()) {
	var p *model.Problem
	switch {
	case errors.As(err, &p) && p.Code == "exists":
		head, _, _ := errorWords(err)
		kit.Ask(w.win.Canvas(), words.T("export.exists"), head+" "+words.T("export.exists.ask"), words.T("export.replace"), words.T("do.cancel"), kit.Danger, replace)
		return
	case err != nil:
		dlg.Hide()
		w.d.Fail(err)
		return
	}
	dlg.Hide()
	w.set.p.SetString("export.folder", filepath.Dir(out.Path))
	text := words.T("export.saved", "name", filepath.Base(out.Path), "size", words.Bytes(out.Bytes))
	if !canShowFolder() {
		w.overlay.Toast(text+" "+filepath.Dir(out.Path), "", nil)
		return
	}
	w.overlay.Toast(text, words.T("export.folder"), func() { showFolder(w, filepath.Dir(out.Path)) })
}

// canShowFolder reports whether the desktop can show a folder.
func canShowFolder() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return true
	}
	_, err := exec.LookPath("xdg-open")
	return err == nil
}

func showFolder(w *Host, dir string) {
	if err := w.app.OpenURL(&url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}); err != nil {
		w.d.Fail(err)
	}
}

// target is the field of a file to be written, with a button for its folder.
type target struct {
	w        *Host
	field    *kit.TextField
	proposal func() string
	own      bool // a person wrote the path
}

func newTarget(w *Host, proposal func() string) *target {
	t := &target{w: w, proposal: proposal}
	t.field = kit.NewTextField("", func(string) { t.own = true }).Plain()
	return t
}

func (t *target) object() fyne.CanvasObject {
	return kit.Stretch(kit.Row(8, kit.Stretch(t.field), kit.NewButton(words.T("do.choose"), kit.Secondary, t.choose)))
}

func (t *target) path() string { return home(t.field.Text()) }

// propose puts the proposed path in, unless a person wrote one.
func (t *target) propose() {
	if !t.own {
		t.field.SetText(t.proposal())
	}
}

// choose asks for the folder; the name stays.
func (t *target) choose() {
	chooseFile(t.w, words.T("export.choose"), words.T("export.here"), filepath.Dir(t.path()), true, func(dir string) {
		t.field.SetText(filepath.Join(dir, filepath.Base(t.path())))
		t.own = true
	})
}

// showExportRecord asks what of the record looked at goes where.
func showExportRecord(w *Host) {
	r := w.d.Record()
	parts := []desk.RecordPart{desk.RecordOriginal, desk.RecordSummary, desk.RecordJSON}
	names := []string{words.T("export.original"), words.T("export.summary"), words.T("export.record")}
	if w.d.Store() == nil {
		parts, names = parts[1:], names[1:]
	}
	at := 0
	ending := func() string {
		switch parts[at] {
		case desk.RecordSummary:
			return ".summary.md"
		case desk.RecordJSON:
			return ".record.json"
		}
		return ".original" + filepath.Ext(r.Path)
	}
	to := newTarget(w, func() string {
		return filepath.Join(exportFolder(w), r.ID+ending())
	})
	radio := kit.NewRadio(names, 0, func(i int) { at = i; to.propose() })
	column := kit.Column(2)
	for _, c := range radio {
		column.Add(c)
	}
	dlg := kit.NewDialog(words.T("export.title"), r.ID+" · "+recordSession(r), kit.Pad(12, 16, 14, 16, kit.Column(8,
		formRow(words.T("export.what"), kit.Stretch(column)), formRow(words.T("export.to"), to.object()))), 680, 0)
	var write func(force bool)
	write = func(force bool) {
		w.d.ExportRecord(to.path(), parts[at], force, func(out *session.Written, err error) {
			wrote(w, dlg, out, err, func() { write(true) })
		})
	}
	dlg.SetCaption(words.T("export.caption"))
	dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, dlg.Close),
		kit.NewButton(words.T("export.do"), kit.Primary, func() { write(false) }))
	to.propose()
	dlg.ShowOn(w.win.Canvas())
}
