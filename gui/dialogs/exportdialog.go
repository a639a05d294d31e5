package dialogs

import (
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	staterecords "palimpsest/gui/state/records"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// exportDialog asks what of the present history goes where in which form.
type exportDialog struct {
	Saving
	w       *screen.Host
	what    desk.What
	parts   []*kit.Check // what can be exported, as exportParts
	format  int          // index into formats
	native  bool         // shown as the source's own tool would
	how     []*kit.Check // rewritten or native; nil: there is no choice
	howNote *kit.Paragraph
	result  *kit.Text
	note    *kit.Paragraph
	lost    [3]*kit.Text // what the file loses in the form
	tried   int          // rehearsals so far; only the answer to the last one counts
	Redact  *exportRedaction
}

// formats are the forms an export can have; "" is that of the source.
var formats = []model.Format{"", transcript.FormatMarkdown, transcript.FormatHTML, transcript.FormatJSON,
	model.FormatOpenAI, model.FormatAnthropic}

// formNames are the names of the forms behind the first; they are names in
// every language.
var formNames = []string{"Markdown", "HTML", "JSON", "OpenAI chat", "Anthropic Messages"}

// firstRow is how many forms are in the first row of the dialog.
const firstRow = 4

func ShowExport(w *screen.Host) *exportDialog {
	x := &exportDialog{w: w}
	x.result, x.note = kit.Label("").Fit(), kit.NewParagraph("", kit.ColorFaint, 12, 3)
	x.lost = [3]*kit.Text{kit.NewText("", kit.ColorFaint, 12).Fit(), kit.NewText("", kit.ColorFaint, 12).Fit(),
		kit.NewText("", kit.ColorFaint, 12).Fit()}
	x.Redact = newExportRedaction(x)
	x.choose()
	form := kit.NewRadio(append([]string{words.T("export.same", "ending", x.ending(0))}, formNames...), 0,
		func(i int) { x.format = i; x.update(); x.Redact.look() })
	x.To = NewTarget(w, func() string { return x.proposal() })
	rows := kit.NewForm()
	for i := range x.parts {
		rows.Row([]string{words.T("export.what"), "", ""}[i], Checks(x.parts[i:i+1]))
	}
	rows.Row(words.T("export.format"), Checks(form[:firstRow])).
		Row("", Checks(form[firstRow:]))
	if w.Desk.CanExportNative() {
		x.howRows(rows)
	}
	rows.Wide("", kit.Column(4, x.Redact.On, x.Redact.found))
	rows.Add(kit.NewRule()).
		Wide(words.T("export.result"), kit.Means(x.result, "preview.counts.means")).
		Wide("", x.note).
		Wide("", kit.Column(2, x.lost[0], x.lost[1], x.lost[2]))
	x.Saving = Saving{W: w, Title: words.T("export.title"), About: show.EntryTitle(w.Desk.Current()), Caption: words.T("export.caption"),
		Do: words.T("export.do"), Form: rows, To: x.To, Write: x.write}
	x.update()
	x.Show()
	return x
}

// exportParts are what can be exported, in the order in which it is offered: what is
// seen comes first.
var exportParts = []struct {
	what desk.What
	word string
}{{desk.Previewed, "export.previewed"}, {desk.Compacted, "export.compacted"}, {desk.Full, "export.full"}}

// choose makes the choice of what is exported. The first part that there is is
// chosen: what is seen.
func (x *exportDialog) choose() {
	d := x.w.Desk
	var names []string
	first := -1
	for i, part := range exportParts {
		why := d.CanExport(part.what)
		if why != "" {
			names = append(names, words.T(part.word)+" · "+words.T("export.not."+why))
			continue
		}
		names = append(names, words.T(part.word)+" ("+partSize(d, part.what)+")")
		if first < 0 || part.what == desk.Compacted { // what was applied comes before what is only previewed
			first = i
		}
	}
	x.what = exportParts[first].what // the whole history is always there
	x.parts = kit.NewRadio(names, first, func(i int) { x.what = exportParts[i].what; x.update(); x.Redact.look() })
	for i, c := range x.parts {
		c.SetEnabled(d.CanExport(exportParts[i].what) == "")
	}
}

// partSize is the size of a part as the choice has it: what is previewed as the preview
// has it, though messages follow it in the file.
func partSize(d *desk.Desk, what desk.What) string {
	pl := d.Planning.Plan()
	if what != desk.Previewed || follow(d) == 0 {
		return show.ContextTokens(d, d.ExportSize(what).Tokens, d.Planning.Params().Fixed)
	}
	return words.T("export.previewed.at", "tokens", show.ContextTokens(d, pl.After.Tokens, pl.Policy.Fixed), "n", pl.Line.At())
}

// follow is how many messages of the history come after the place of the plan.
func follow(d *desk.Desk) int { return len(d.Session().Thread().History) - d.Planning.Plan().Line.At() }

func Checks(list []*kit.Check) fyne.CanvasObject {
	row := kit.Row(18)
	for _, c := range list {
		row.Add(c)
	}
	return row
}

// update shows what the choice gives.
func (x *exportDialog) update() {
	d := x.w.Desk
	x.showHow()
	z := d.ExportSize(x.what)
	size := show.ContextTokens(d, z.Tokens, d.Planning.Params().Fixed)
	text := words.T("count.messages", "count", z.Messages) + " · " + words.T("count.tokens", "count", z.Tokens, "tokens", size)
	later := 0
	switch {
	case x.what == desk.Full:
	case x.what == desk.Previewed && follow(d) > 0:
		later = follow(d)
		text = words.T("export.sees.end", "what", text)
	default:
		text = words.T("export.sees", "what", text)
	}
	x.result.SetText(text)
	switch {
	case x.what == desk.Full:
		x.note.SetText(words.T("export.note.full"))
	case x.what == desk.Previewed && (formats[x.format] != "" || !d.CanStore()):
		x.note.SetText(words.T("export.note.previewed"))
	case x.what == desk.Previewed:
		x.note.SetText(words.T("export.note.recorded"))
	default:
		x.note.SetText(words.T("export.note.records", "count", len(d.Session().Stack())))
	}
	if later > 0 {
		after := words.T("export.note.follow", "count", later)
		if th := d.Session().Thread(); th.LiveFrom(len(th.History)) > d.Planning.Plan().Line.At() {
			after = words.T("export.note.held", "count", later)
		}
		x.note.SetText(x.note.Text() + " " + after)
	}
	x.rehearse(size)
	x.To.Propose()
}

// rehearse says what the file will hold in a form other than the source's, and what it
// loses, once that was tried.
func (x *exportDialog) rehearse(here string) {
	x.tried++
	f, tried := formats[x.format], x.tried
	say := func(lines [3]string) {
		for i, t := range x.lost {
			t.SetText(lines[i])
		}
	}
	if say([3]string{}); f == "" {
		return
	}
	opened := f == model.FormatOpenAI || f == model.FormatAnthropic // which this program opens again
	x.w.Desk.Rehearse(desk.Export{What: x.what, Format: f}, opened, func(out *session.Written, size model.Size, err error) {
		if tried != x.tried || err != nil { // an error is said when it is written
			return
		}
		if say(lossWords(out.Lost)); opened { // without what is in no message
			x.result.SetText(words.T("export.opened", "messages", words.T("count.messages", "count", size.Messages),
				"tokens", words.Estimate(size.Tokens), "here", here))
		}
	})
}

// lossWords says in three lines what a file loses in another form, with how often.
func lossWords(lost transcript.Losses) (lines [3]string) {
	list := lost.List()
	if len(list) == 0 {
		return [3]string{words.T("export.losesNothing")}
	}
	each := (len(list) + len(lines) - 1) / len(lines)
	for i, l := range list {
		at := i / each
		if lines[at] != "" {
			lines[at] += words.T("export.and")
		}
		lines[at] += words.Int(int64(lost[l])) + " × " + words.T("loss."+string(l))
	}
	lines[0] = words.T("export.loses", "what", lines[0])
	return lines
}

func (x *exportDialog) ending(i int) string {
	if t, ok := transcript.TargetOf(formats[i]); ok {
		return t.Extension
	}
	if ext := filepath.Ext(session.BaseName(x.w.Desk.Current().Path)); ext != "" {
		return ext
	}
	return ".jsonl"
}

// proposal is a name that says what the file holds.
func (x *exportDialog) proposal() string {
	s := x.w.Desk.Session()
	name := s.File().Name()
	if _, recorded := session.ConversationID(name); recorded {
		name = strings.TrimSuffix(session.BaseName(name), ".json")
	}
	switch {
	case x.what == desk.Previewed:
		name += ".previewed"
	case x.what == desk.Compacted:
		name += ".compacted"
	case formats[x.format] == "" || x.ending(x.format) == filepath.Ext(x.w.Desk.Current().Path):
		name += ".copy"
	}
	return filepath.Join(ExportFolder(x.w), name+x.ending(x.format))
}

// ExportFolder is where exports go unless a person says otherwise: where the last one
// went, or beside the source, but never into a folder where a tool keeps its histories;
// else the folder for documents, or home.
func ExportFolder(w *screen.Host) string {
	if dir := w.Settings.P.String("export.folder"); dir != "" && !desk.OfTool(dir) {
		return dir
	}
	if e := w.Desk.Current(); e != nil && e.Sample == "" && filepath.IsAbs(e.Path) { // a recorded conversation lies in no folder
		if dir := filepath.Dir(e.Path); !desk.OfTool(dir) {
			return dir
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "."
	}
	if st, err := os.Stat(filepath.Join(home, "Documents")); err == nil && st.IsDir() {
		return filepath.Join(home, "Documents")
	}
	return home
}

func (x *exportDialog) write(path string, force bool, done func(*session.Written, error)) {
	to := desk.Export{What: x.whatNow(), Format: x.form(),
		Output: session.Output{Path: path, Force: force, Redact: x.Redact.On.On(), Keep: x.Redact.Keep, Also: x.Redact.also()}}
	x.w.Desk.Export(to, done)
}

// form is the form that is chosen.
func (x *exportDialog) form() model.Format {
	if f := formats[x.format]; f != "" {
		return f
	}
	return x.w.Desk.Session().File().Doc.Format
}

// Saving is a dialog that asks where a file goes, and writes it.
type Saving struct {
	W            *screen.Host
	Title, About string
	Caption, Do  string
	Form         *kit.Form // what is asked besides the place
	To           *target
	Write        func(path string, force bool, done func(*session.Written, error))

	dlg *kit.Dialog
}

// Show opens the dialog.
func (s *Saving) Show() *Saving {
	body := s.Form.Row(words.T("export.to"), s.To.Object()).Rows()
	s.dlg = kit.NewDialog(s.Title, s.About, kit.Pad(12, 16, 14, 16, body), 720, 0)
	s.dlg.SetCaption(s.Caption)
	s.dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, s.dlg.Close),
		kit.NewButton(s.Do, kit.Primary, func() { s.Save(false) }))
	s.To.Propose()
	s.dlg.ShowOn(s.W.Win.Canvas())
	return s
}

// Save writes the file and says how that ended; it asks before a file is replaced. After
// a failure the dialog stays, with all that was chosen.
func (s *Saving) Save(force bool) {
	s.Write(s.To.Path(), force, func(out *session.Written, err error) {
		var p *model.Problem
		switch {
		case errors.As(err, &p) && p.Code == "exists":
			head, _, _ := show.ErrorWords(err)
			kit.Ask(s.W.Win.Canvas(), words.T("export.exists"), head+" "+words.T("export.exists.ask"), words.T("export.replace"),
				words.T("do.cancel"), kit.Danger, func() { s.Save(true) })
			return
		case err != nil:
			s.To.fail(err)
			return
		}
		s.dlg.Hide()
		if dir := filepath.Dir(out.Path); !desk.OfTool(dir) {
			s.W.Settings.P.SetString("export.folder", dir)
		}
		undo := func() { undoExport(s.W, out) }
		if force { // the file that was replaced is gone
			undo = nil
		}
		offerWritten(s.W, out, undo)
	})
}

// offerWritten says what was written, and offers its folder, its path and to undo it; nil:
// that can't be done.
func offerWritten(w *screen.Host, out *session.Written, undo func()) {
	text := words.T("export.saved", "name", filepath.Base(out.Path), "size", words.Bytes(out.Bytes))
	var offers []kit.Action
	if canShowFolder() {
		offers = append(offers, kit.Action{Text: words.T("export.folder"), Do: func() {
			if err := w.App.OpenURL(&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Dir(out.Path))}); err != nil {
				w.Desk.Fail(err)
			}
		}})
	} else {
		text += " " + filepath.Dir(out.Path)
	}
	offers = append(offers, kit.Action{Text: words.T("sessions.copyPath"),
		Do: func() { kit.Copy(out.Path) }})
	if undo != nil {
		offers = append(offers, kit.Action{Text: words.T("do.undo"), Do: undo})
	}
	w.Overlay.Offer(text, offers...)
}

// undoExport removes the file that was written, and the record that was stored with it.
func undoExport(w *screen.Host, out *session.Written) {
	w.Desk.RemoveExport(out, func(err error) {
		if err != nil {
			w.Desk.Fail(err)
			return
		}
		w.Overlay.Toast(words.T("export.removed", "name", filepath.Base(out.Path)), "", nil)
	})
}

// canShowFolder reports whether the desktop can show a folder.
func canShowFolder() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return true
	}
	_, err := exec.LookPath("xdg-open")
	return err == nil
}

// target is the field of a file to be written, with a button for its folder.
type target struct {
	w        *screen.Host
	Field    *kit.TextField
	fault    *kit.Paragraph // why it could not be written; its place is kept
	proposal func() string
	own      bool // a person wrote the path
}

func NewTarget(w *screen.Host, proposal func() string) *target {
	t := &target{w: w, proposal: proposal, fault: kit.NewParagraph("", kit.ColorError, 12, 2)}
	t.Field = kit.NewTextField("", func(string) {
		t.own = true
		t.Field.SetBad(false)
		t.fault.SetText("")
	}).Plain()
	return t
}

func (t *target) Object() fyne.CanvasObject {
	return kit.Stretch(kit.Column(3, kit.Row(8, kit.Stretch(t.Field), kit.NewButton(words.T("do.choose"), kit.Secondary, t.choose).
		WithTip("do.choose.tip")),
		kit.Sized(0, 33, t.fault)))
}

// fail says under the field why nothing was written.
func (t *target) fail(err error) {
	head, rest, _ := show.ErrorWords(err)
	t.Field.SetBad(true)
	t.fault.SetText(strings.TrimSpace(head + " " + rest))
}

func (t *target) Path() string { return show.Home(t.Field.Text()) }

// Propose puts the proposed path in, unless a person wrote one.
func (t *target) Propose() {
	if !t.own {
		t.Field.SetText(t.proposal())
	}
}

// choose asks for the folder; the name stays.
func (t *target) choose() {
	q := FileQuestion{Title: words.T("export.choose"), Do: words.T("export.here"), Dir: filepath.Dir(t.Path()), Folder: true}
	ChooseFile(t.w, q, func(dir string) {
		t.Field.SetText(filepath.Join(dir, filepath.Base(t.Path())))
		t.own = true
	})
}

// ShowExportRecord asks what of the record looked at goes where.
func ShowExportRecord(w *screen.Host) {
	r := w.Desk.RecordView.Record()
	parts := []staterecords.RecordPart{staterecords.RecordOriginal, staterecords.RecordSummary, staterecords.RecordJSON}
	names := []string{words.T("export.original"), words.T("export.summary"), words.T("export.record")}
	if w.Desk.Store() == nil {
		parts, names = parts[1:], names[1:]
	}
	endings := map[staterecords.RecordPart]string{staterecords.RecordSummary: ".summary.md", staterecords.RecordJSON: ".record.json",
		staterecords.RecordOriginal: ".original" + filepath.Ext(session.BaseName(r.Path))}
	s := &Saving{W: w, Title: words.T("export.title"), About: r.ID + " · " + show.RecordSession(r), Caption: words.T("export.caption"),
		Do: words.T("export.do")}
	s.OneOf("export.what", names, 1, func(i int) string { return r.ID + endings[parts[i]] },
		func(i int, path string, force bool, done func(*session.Written, error)) {
			w.Desk.RecordView.ExportRecord(path, parts[i], force, done)
		})
}

// OneOf opens the dialog with a choice of what is written, or in which form, so many in a
// row; name proposes a name for the chosen one, and write writes it.
func (s *Saving) OneOf(key string, names []string, row int, name func(i int) string,
	write func(i int, path string, force bool, done func(*session.Written, error))) {
	at := 0
	s.To = NewTarget(s.W, func() string { return filepath.Join(ExportFolder(s.W), name(at)) })
	s.Form = kit.NewFormOf(92, 24, 8)
	caption := words.T(key)
	for list := range slices.Chunk(kit.NewRadio(names, 0, func(i int) { at = i; s.To.Propose() }), row) {
		s.Form.Row(caption, Checks(list))
		caption = ""
	}
	s.Write = func(path string, force bool, done func(*session.Written, error)) { write(at, path, force, done) }
	s.Show()
}

// ShowExportPicked asks in which form the messages that are selected together go where.
func ShowExportPicked(w *screen.Host) {
	if picked, many := w.Desk.Range(); many {
		ShowExportMessages(w, picked.Messages, words.T("range.selected", "count", picked.Rows), ".selection")
	}
}

// ShowExportMessages asks in which form messages of the history looked at go where.
// about names them, suffix is part of the name that is proposed.
func ShowExportMessages(w *screen.Host, messages []int, about, suffix string) {
	if len(messages) == 0 {
		return
	}
	s := &Saving{W: w, Title: words.T("export.title"), About: about, Caption: words.T("export.caption"), Do: words.T("export.do")}
	s.OneOf("export.format", formNames, firstRow-1, func(i int) string {
		t, _ := transcript.TargetOf(formats[i+1])
		return w.Desk.Session().File().Name() + suffix + t.Extension
	}, func(i int, path string, force bool, done func(*session.Written, error)) {
		w.Desk.ExportPicked(path, session.Form{Format: formats[i+1], Only: messages}, force, done)
	})
}
