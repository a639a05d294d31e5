package dialogs

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// readAsDialog lets a person say how a file is to be read: in one of the formats
// that it may be in, by a field map, or in any other format. It shows the first
// messages as they would then be.
type readAsDialog struct {
	w     *screen.Host
	e     *desk.Entry
	look  *transcript.Survey
	saved []store.FieldMap

	lines []readingLine
	at    int // chosen line; -1: none

	dlg     *kit.Dialog
	list    *kit.List
	form    *mapForm
	preview *kit.List
	trial   *desk.Trial // what the list shows; nil: nothing
	note    *kit.Text
	empty   *kit.Paragraph
	problem *fyne.Container // says why there is nothing to preview
	right   *fyne.Container
	use     *kit.Button
	save    *kit.Button
	remove  *kit.Button
}

// readingLine is one way to read the file, or a heading.
type readingLine struct {
	heading    string
	title      string
	why        string
	confidence int          // 0: a person's own choice
	format     model.Format // "" for a field map
	saved      string       // name of a saved map
	mapped     string       // the map as it is spelled; "" for one that is still to be made
}

func (l *readingLine) isMap() bool { return l.heading == "" && l.format == "" }

// ShowReadAs opens the dialog on the present history.
func ShowReadAs(w *screen.Host) { readAs(w, w.Desk.Current(), "") }

// readAs opens it on a history; why says, if it was not asked for, why it opens.
func readAs(w *screen.Host, e *desk.Entry, why string) {
	r := &readAsDialog{w: w, e: e, at: -1}
	r.list = kit.NewRows(46, func() int { return len(r.lines) }, r.readingRow)
	r.list.SetHeights(func(i int) float32 {
		switch l := r.lines[i]; {
		case l.heading != "":
			return 28
		case l.why == "":
			return 26
		}
		return 46
	})
	r.list.Choosable = func(i int) bool { return r.lines[i].heading == "" }
	r.list.OnSelect = r.choose
	r.preview = kit.NewRows(25, r.length, r.trialRow)
	r.note = kit.NewText(words.T("status.reading"), kit.ColorMuted, 12).Fit()
	r.empty = kit.NewParagraph("", kit.ColorWarning, 13, 6)
	r.problem = kit.Pad(14, 16, 0, 16, r.empty)
	r.problem.Hide()
	r.form = newMapForm(r.tryMap)
	r.form.obj.Hide()
	r.right = kit.Column(0, r.form.obj, r.problem, kit.Stretch(r.preview), kit.NewRule(), kit.Pad(5, 12, 5, 12, r.note))
	side := container.New(layout.NewCustomPaddedLayout(4, 0, 0, 0), kit.Sized(310, 0, r.list))
	body := container.NewBorder(nil, nil, container.NewBorder(nil, nil, nil, kit.NewRule(), side), nil, r.right)
	r.dlg = kit.NewDialog(words.T("readas.title"), show.EntryTitle(e), body, 1060, 620)
	r.dlg.SetCaption(why)
	r.use = kit.NewButton(words.T("readas.use"), kit.Primary, r.take)
	r.save = kit.NewButton(words.T("readas.save"), kit.Secondary, r.askName).WithTip("readas.save.tip")
	r.remove = kit.NewButton(words.T("readas.delete"), kit.Secondary, r.askDelete).WithTip("readas.delete.tip")
	r.dlg.SetButtons(r.remove, r.save, kit.NewButton(words.T("do.cancel"), kit.Secondary, r.dlg.Close), r.use)
	r.dlg.OnClose = w.Desk.StopTrying
	r.enable(false)
	r.dlg.OnKey = func(k *fyne.KeyEvent) bool { return r.list.Key(k.Name) }
	r.dlg.ShowOn(w.Win.Canvas())
	w.Desk.Readings(e, func(look *transcript.Survey, err error) {
		if err != nil {
			look = &transcript.Survey{}
			r.fail(err)
		}
		r.look = look
		r.form.lists = look.Lists
		w.Desk.FieldMaps(func(list []store.FieldMap) { r.fill(list); r.begin() })
	})
}

// fill makes the lines of the list.
func (r *readAsDialog) fill(saved []store.FieldMap) {
	r.saved = saved
	r.lines = nil
	for _, g := range r.look.Guesses {
		r.lines = append(r.lines,
			readingLine{title: show.FormatTitle(g.Format), why: show.GuessReason(g), confidence: g.Confidence, format: g.Format})
	}
	if len(r.look.Guesses) > 0 {
		r.lines = slices.Insert(r.lines, 0, readingLine{heading: words.T("readas.recognised")})
	}
	r.lines = append(r.lines, readingLine{heading: words.T("readas.maps")})
	own := readingLine{title: words.T("readas.map"), why: words.T("readas.mapAbout")}
	if r.look.Map != nil {
		own.mapped = r.look.Map.String()
		own.why = words.T("readas.guessed", "map", own.mapped)
	}
	r.lines = append(r.lines, own)
	for _, m := range saved {
		r.lines = append(r.lines, readingLine{title: "@" + m.Name, why: m.Map, saved: m.Name, mapped: m.Map})
	}
	r.lines = append(r.lines, readingLine{heading: words.T("readas.others")})
	for _, f := range transcript.Formats() {
		if f.Format != model.FormatGeneric && !slices.ContainsFunc(r.look.Guesses,
			func(g model.Guess) bool { return g.Format == f.Format }) {
			r.lines = append(r.lines, readingLine{title: show.FormatTitle(f.Format), format: f.Format})
		}
	}
	r.list.Update()
}

// begin chooses how the file is read now, else the likeliest reading.
func (r *readAsDialog) begin() {
	at := slices.IndexFunc(r.lines, func(l readingLine) bool { return l.heading == "" })
	if r.e.State == desk.Ready {
		doc := r.e.File.Doc
		for i, l := range r.lines {
			if l.heading == "" &&
				(l.format != "" && l.format == doc.Format || l.isMap() && l.mapped != "" && l.mapped == transcript.MapOf(doc)) {
				at = i
				break
			}
		}
	}
	r.list.Select(at)
	r.choose(at)
	r.w.Win.Canvas().Focus(r.list)
}

// choose shows what a way of reading gives.
func (r *readAsDialog) choose(i int) {
	r.at = i
	l := r.lines[i]
	show.SetVisible(r.form.obj, l.isMap())
	r.right.Refresh()
	if !l.isMap() {
		r.try(transcript.Options{Format: l.format})
		return
	}
	r.form.set(l.mapped)
	r.tryMap(l.mapped)
}

// tryMap shows what a field map gives; text is the map as it is written now.
func (r *readAsDialog) tryMap(text string) {
	m, err := transcript.ParseMap(text)
	if err != nil {
		r.w.Desk.StopTrying()
		if strings.TrimSpace(text) == "" {
			r.say(words.T("readas.mapAbout"), kit.ColorMuted)
			return
		}
		r.fail(err)
		return
	}
	r.try(transcript.Options{Map: m})
}

func (r *readAsDialog) try(o transcript.Options) {
	r.note.SetText(words.T("status.reading"))
	r.enable(false)
	r.w.Desk.TryReading(r.e, o, func(t *desk.Trial, err error) {
		switch {
		case !r.dlg.Shown():
		case err != nil:
			r.fail(err)
		default:
			r.shown(t)
		}
	})
}

// shown puts the first messages of a trial in.
func (r *readAsDialog) shown(t *desk.Trial) {
	r.show(t)
	text := words.T("readas.first", "count", t.Len())
	if t.Whole {
		text = words.T("readas.all", "count", t.Len())
	}
	if t.Conversations > 1 {
		text += " · " + words.T("readas.conversations", "count", t.Conversations)
	}
	if t.Left > 0 {
		text += " · " + words.T("readas.left", "count", t.Left)
	}
	r.note.SetText(text)
	r.enable(true)
}

func (r *readAsDialog) length() int {
	if r.trial == nil {
		return 0
	}
	return r.trial.Len()
}

// show fills the list, or clears it for the problem above.
func (r *readAsDialog) show(t *desk.Trial) {
	r.trial = t
	show.SetVisible(r.problem, t == nil)
	r.preview.Update()
	r.right.Refresh()
}

// fail says why a reading does not work.
func (r *readAsDialog) fail(err error) {
	if show.ProblemCode(err) == "no-messages" {
		r.say(words.T("readas.noMessages"), kit.ColorMuted)
		return
	}
	head, rest, _ := show.ErrorWords(err)
	r.say(strings.TrimSpace(head+" "+rest), kit.ColorWarning)
}

func (r *readAsDialog) say(text string, color fyne.ThemeColorName) {
	r.empty.Set(text, color)
	r.show(nil)
	r.note.SetText(words.T("readas.nothing"))
	r.enable(false)
}

// enable sets what can be done: a reading that gives messages can be used, and a
// map of that kind be kept.
func (r *readAsDialog) enable(good bool) {
	l := readingLine{heading: "-"}
	if r.at >= 0 {
		l = r.lines[r.at]
	}
	r.use.SetEnabled(good)
	if l.isMap() {
		r.use.SetText(words.T("readas.useMap"))
	} else {
		r.use.SetText(words.T("readas.use"))
	}
	r.save.SetEnabled(good && l.isMap() && r.w.Desk.Planning.CanSavePresets())
	r.remove.SetEnabled(l.saved != "" && r.w.Desk.Planning.CanSavePresets())
}

// take reads the file as chosen.
func (r *readAsDialog) take() {
	l := r.lines[r.at]
	o := transcript.Options{Format: l.format}
	if l.isMap() {
		m, err := transcript.ParseMap(r.form.text())
		if err != nil {
			r.fail(err)
			return
		}
		o.Map = m
	}
	r.dlg.Hide()
	r.w.Desk.StopTrying()
	r.w.Desk.ReadAs(r.e, o)
}
