package records

import (
	"cmp"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/originals"
	"palimpsest/gui/show"
	staterecords "palimpsest/gui/state/records"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// recordRestore shows what bringing originals back does to the context and
// whether it fits, record by record down the stack, before it does it; and of a
// record that is not applied, what applying it again would do.
type recordRestore struct {
	p    *RecordsPane
	d    *State
	pane *kit.Pane

	state   *kit.Text
	body    *fyne.Container
	foot    *kit.Text
	buttons *fyne.Container
	do      *kit.Button

	locate, open, write *kit.Button // what can always be done with originals

	Ladder []session.RestoreEffect
	step   int
	shown  *model.Record // whose ladder is shown
	rungs  int           // that it had
	asked  askedAgain
}

// askedAgain is what applying again was last worked out for.
type askedAgain struct {
	record  *model.Record
	session *session.Session
	stack   int
}

func newRecordRestore(p *RecordsPane) *recordRestore {
	r := &recordRestore{p: p, d: p.d}
	r.state, r.foot = kit.NewText("", kit.ColorMuted, 12), kit.NewText("", kit.ColorFaint, 12).Fit()
	r.body = kit.Column(0)
	r.do = kit.NewButton(words.T("restore.do"), kit.Primary, r.run).WithTip("restore.do.tip")
	r.buttons = kit.Row(8, kit.Stretch(kit.Label("")), r.do)
	record := r.d.RecordView.Record
	r.locate = kit.NewButton(words.T("copies.locate"), kit.Secondary, func() {
		rec := record()
		q := dialogs.FileQuestion{Title: words.T("copies.locate"), Do: words.T("do.open"), Dir: filepath.Dir(rec.Path), All: true}
		dialogs.ChooseFile(p.w, q, func(path string) { r.d.RecordList.Locate(rec, path) })
	}).WithTip("copies.locate.tip")
	r.open = kit.NewButton(words.T("copies.open"), kit.Secondary, func() {
		p.w.LeaveSheet()
		r.d.RecordList.OpenCopy(record())
	}).WithTip("copies.open.tip")
	r.write = kit.NewButton(words.T("copies.write"), kit.Secondary, func() { dialogs.ShowExportRecord(p.w) }).WithTip("copies.write.tip")
	ways := kit.Lines(8, r.locate, r.open, r.write)
	foot := kit.Pad(6, 10, 8, 12, kit.Column(6, ways, r.foot, r.buttons))
	r.pane = kit.NewPane(words.T("restore.title"), kit.Column(0, kit.Stretch(container.NewVScroll(r.body)), kit.NewRule(), foot), r.state)
	return r
}

// update shows what can be done with the record looked at.
func (r *recordRestore) update() {
	rec, s := r.d.RecordView.Record(), r.d.Session()
	r.body.Objects = nil
	r.Ladder = nil
	r.foot.SetText("")
	r.do.WithTip("restore.do.tip").SetText(words.T("restore.do"))
	r.do.SetEnabled(false)
	r.state.SetText("")
	var c *originals.Copies
	if rec != nil {
		c = r.d.RecordList.Copies(rec)
	}
	for _, b := range []*kit.Button{r.locate, r.open, r.write} {
		b.SetEnabled(c != nil)
	}
	r.locate.Hidden = c != nil && c.Disk == originals.NoFile
	switch {
	case rec == nil:
		r.say(kit.Info, words.T("records.none"), words.T("restore.choose"))
	case rec.Cause == model.CauseFound:
		r.say(kit.Info, words.T("restore.found"), words.T("restore.found.next"))
	case rec.Outcome != model.Applied:
		r.say(kit.Info, words.T("records.why.nothing"), "")
	case !r.d.RecordView.SameHistory(rec):
		if c == nil || c.Holds() || c.Disk == originals.NoFile {
			r.say(kit.Info, words.T("restore.elsewhere"), words.T("records.why.elsewhere"))
			r.do.WithTip("records.open.tip").SetText(words.T("restore.open"))
			r.do.SetEnabled(true)
		}
	case r.d.RecordView.BuiltOn(rec):
		r.showLadder(rec)
	case r.d.RecordView.RecordState(rec) == model.WrittenBack:
		r.showWritten(rec)
	default:
		r.showAgain(rec, s)
	}
	r.showCopies(rec)
	r.pane.SetRight(r.state)
	r.buttons.Refresh()
	r.body.Refresh()
	r.pane.Refresh()
}

func (r *recordRestore) say(v kit.Severity, head, rest string) {
	r.body.Add(kit.Pad(8, 10, 8, 10, kit.NewNotice(v, head, rest)))
}

// showLadder lists how far down the stack originals can be brought back.
func (r *recordRestore) showLadder(rec *model.Record) {
	r.Ladder = r.d.RecordView.Ladder()
	r.d.RecordView.ReadOrigins()
	if r.shown != rec || r.rungs != len(r.Ladder) {
		r.step = max(0, slices.IndexFunc(r.Ladder, func(e session.RestoreEffect) bool { return e.Undone[0].UID == rec.UID }))
		r.shown, r.rungs = rec, len(r.Ladder)
	}
	limit := int64(r.d.Params().Window)
	r.state.SetText(words.T("restore.unchanged"))
	r.body.Add(kit.Sized(0, 22,
		kit.Pad(0, 12, 0, 12, ladderCells(kit.Caption(words.T("restore.downTo")), kit.Caption(words.T("restore.adds.head")).Right(),
			kit.Caption(words.T("restore.after")).Right(), kit.Means(kit.Caption(windowHead(limit)), "agents.window.means")))))
	names := make([]string, len(r.Ladder))
	for i, e := range r.Ladder {
		names[i] = words.T("restore.and", "record", e.Undone[0].ID)
		if i == 0 {
			names[i] = words.T("restore.only", "record", e.Undone[0].ID)
		}
	}
	radio := kit.NewRadio(names, r.step, func(i int) { r.step = i; r.update() })
	for i, e := range r.Ladder {
		fit, ink := fitWords(e.Then.Tokens, limit)
		r.body.Add(kit.Sized(0, 24,
			kit.Pad(0, 12, 0, 12,
				ladderCells(radio[i],
					r.counted(kit.NewText(show.TokensApart(r.d, e.Now.Tokens, e.Then.Tokens), kit.ColorText, 12).Right().Fit()),
					r.counted(kit.NewText(r.tokens(e.Then.Tokens), kit.ColorText, 12).Right().Fit()),
					r.counted(kit.NewText(fit, ink, 12).Fit())))))
	}
	e := r.Ladder[r.step]
	r.bars(e.Now, e.Then, limit, words.T("restore.then"))
	r.do.SetText(words.T("restore.messages", "what", show.Went(e.Back())))
	r.do.SetEnabled(true)
	r.foot.SetText(words.T("restore.stays", "count", len(e.Undone), "record", e.Undone[0].ID))
}

// showWritten says that a record was written back, and offers to undo it.
func (r *recordRestore) showWritten(rec *model.Record) {
	rest := words.T("written.later")
	if rec.Format != model.FormatHistoryItems {
		rest = words.T("written.program")
	} else if r.d.Unwritable(rec) {
		rest = words.T("written.rest")
		r.do.WithTip("written.tip").SetText(words.T("command.undoWriteBack"))
		r.do.SetEnabled(true)
	}
	r.say(kit.Info, words.T("written.head", "record", rec.ID), rest)
}

// counted adds to sizes how they were counted.
func (r *recordRestore) counted(o fyne.CanvasObject) fyne.CanvasObject {
	return kit.Hinted(o, func() string { return words.T("status.counted", "method", show.CounterOf(r.d.Session())) })
}

func ladderCells(name, adds, after, fit fyne.CanvasObject) fyne.CanvasObject {
	return kit.Row(8, kit.Stretch(name), kit.Sized(62, 0, adds), kit.Sized(58, 0, after), kit.Sized(96, 0, fit))
}

func windowHead(limit int64) string {
	if limit == 0 {
		return words.T("restore.ofUnknown")
	}
	return words.T("restore.of", "window", words.TokensShort(limit))
}

// fitWords shows what share of the window a context takes, and whether a model
// can take it.
func fitWords(n, limit int64) (string, fyne.ThemeColorName) {
	switch {
	case limit == 0:
		return words.Unknown, kit.ColorMuted
	case n > limit:
		return words.Percent(float64(n)/float64(limit)) + " " + words.T("restore.viewOnly"), kit.ColorError
	}
	return words.Percent(float64(n)/float64(limit)) + " " + words.T("restore.fit"), kit.ColorKept
}

// tokens writes a whole context.
func (r *recordRestore) tokens(n int64) string { return show.ContextTokens(r.d, n, r.d.Params().Fixed) }

// bars sets both contexts beside each other, and says what the new one means for
// window and trigger.
func (r *recordRestore) bars(now, then model.Size, limit int64, name string) {
	trigger := int64(show.TriggerTokens(r.d.Params()))
	rows := kit.Column(2)
	scale := float64(max(now.Tokens, then.Tokens, limit, trigger, 1))
	bar := func(name string, n int64, ink fyne.ThemeColorName) {
		b := kit.NewBar(float64(n)/scale, ink)
		if at := cmp.Or(limit, trigger); at > 0 {
			b.SetTick(float64(at) / scale)
		}
		rows.Add(kit.Row(8, kit.Sized(56, 18, kit.NewText(name, kit.ColorMuted, 12).Fit()), kit.Stretch(b),
			kit.Sized(58, 0, kit.NewText(r.tokens(n), kit.ColorText, 12).Right().Fit())))
	}
	_, ink := fitWords(then.Tokens, limit)
	bar(words.T("restore.now"), now.Tokens, kit.ColorFaint)
	bar(name, then.Tokens, ink)
	var marks []string
	if trigger > 0 {
		marks = append(marks, words.T("context.trigger", "tokens", words.TokensShort(trigger)))
	}
	if limit > 0 {
		marks = append(marks, words.T("context.window", "tokens", words.TokensShort(limit)))
	}
	rows.Add(kit.NewText(show.Joined(marks), kit.ColorMuted, 11).Right().Fit())
	r.body.Add(kit.Pad(6, 12, 2, 12, r.counted(rows)))
	switch {
	case limit > 0 && then.Tokens > limit:
		r.say(kit.Warning, words.T("restore.over"),
			words.T("state.doesNotFit", "tokens", r.tokens(then.Tokens), "window", words.TokensShort(limit)))
	case trigger > 0 && then.Tokens >= trigger:
		r.say(kit.Warning, words.T("restore.again", "tokens", r.tokens(then.Tokens-trigger)), "")
	case limit == 0:
		r.say(kit.Info, words.T("restore.unknown"), "")
	}
}

// showAgain shows what applying a record that is not in force would do.
func (r *recordRestore) showAgain(rec *model.Record, s *session.Session) {
	if now := (askedAgain{rec, s, len(s.Stack())}); r.asked != now {
		r.asked = now
		r.d.RecordView.PreviewReapply()
	}
	again := r.d.RecordView.Reapplying()
	r.state.SetText(words.T("restore.unchanged"))
	switch {
	case again == nil:
		r.say(kit.Info, words.T("again.looking"), "")
	case again.Err != nil:
		head, rest, _ := show.ErrorWords(again.Err)
		r.say(kit.Warning, head, rest)
	default:
		e := again.Effect
		text := words.T("again.record", "record", rec.ID)
		if rec.Cause == model.CauseRestore {
			text = words.T("again.undo", "record", rec.ID)
		}
		r.say(kit.Info, text, words.T("again.checked", "count", len(e.Of)))
		r.bars(e.Now, e.Then, int64(r.d.Params().Window), words.T("again.then"))
		r.do.SetText(words.T("again.do"))
		r.do.WithTip("again.do.tip")
		r.do.SetEnabled(true)
		r.foot.SetText(words.T("again.stays", "record", rec.ID))
	}
}

// showCopies says where the originals are: the stored copy and the file, as both are now.
func (r *recordRestore) showCopies(rec *model.Record) {
	if rec == nil || !staterecords.HasOriginals(rec) {
		return
	}
	c, o := r.d.RecordList.Copies(rec), r.d.RecordView.RecordOrigins()
	r.body.Add(kit.NewRule())
	title := kit.Caption(show.Upper(words.T("copies.title", "record", rec.ID))).Bold()
	again := kit.NewLink(words.T("copies.again"), func() {
		r.d.RecordList.ReadCopies(true)
		r.d.RecordView.ReadOrigins()
		r.update()
	}).WithTip("copies.again.tip")
	if c == nil {
		r.body.Add(kit.Pad(6, 12, 6, 12, kit.Row(8, kit.Stretch(title), kit.NewText(words.T("copies.hashing"), kit.ColorMuted, 12))))
		return
	}
	r.body.Add(kit.Pad(6, 12, 2, 12, kit.Row(8, kit.Stretch(title),
		kit.NewText(words.T("copies.at", "time", c.At.Local().Format("15:04:05")), kit.ColorMuted, 12), again)))
	equal := ""
	if o != nil && o.Err == nil && rec.RangeSHA != "" && o.Proof.Range.Equal() {
		n, m := provedWords(o.Proof.Messages, o.Proof.Formers), provedWords(rec.Messages(), rec.Formers)
		equal = words.T("proof.messages", "n", n, "m", m)
	}
	if c.Intact(rec) {
		r.copy(words.T("copies.stored"), look{kit.GlyphTick, kit.ColorSuccess, words.T("copies.intact")}, equal, c.Stored)
	} else {
		r.copy(words.T("copies.stored"), look{kit.GlyphError, kit.ColorError, words.T("copies.damaged")}, "", c.Stored)
	}
	r.copy(words.T("copies.file"), diskLook(c), "", c.File)
	if c.Disk != originals.NoFile {
		r.body.Add(kit.Pad(0, 12, 2, 104, kit.NewParagraph(show.Shortened(rec.Path, 200), kit.ColorMuted, 12, 2)))
	}
	switch holds := c.Holds() || c.Disk == originals.NoFile; {
	case c.Lost != nil:
		head, rest, _ := show.ErrorWords(c.Lost)
		r.say(kit.Failure, head, rest)
	case !c.Intact(rec) && !holds:
		r.say(kit.Failure, words.T("copies.nothing"), "")
	case c.Why != nil:
		r.say(kit.Warning, show.UpperFirst(c.Why.Error()), words.T("copies.all", "count", rec.Messages()))
	case !holds:
		r.say(kit.Warning, words.T("copies.aside", "record", rec.ID), words.T("copies.all", "count", rec.Messages()))
	}
	if o != nil && o.Err != nil {
		head, rest, _ := show.ErrorWords(o.Err)
		r.say(kit.Failure, head, rest)
	}
	r.chain(rec)
}

// look is a state in a sign and words.
type look struct {
	glyph kit.Glyph
	ink   fyne.ThemeColorName
	text  string
}

// diskLook is the state of a file.
func diskLook(c *originals.Copies) look {
	text := words.T("disk."+string(c.Disk), "line", words.Int(int64(c.Line)))
	switch {
	case c.Disk == originals.NoFile:
		return look{kit.GlyphNone, kit.ColorMuted, text}
	case c.Holds():
		return look{kit.GlyphTick, kit.ColorSuccess, text}
	case c.Disk == originals.Changed:
		if c.Line == 0 {
			text = words.T("disk.changed.somewhere")
		}
		return look{kit.GlyphWarning, kit.ColorWarning, text}
	}
	return look{kit.GlyphError, kit.ColorError, text}
}

// copy adds a row of what became of a copy.
func (r *recordRestore) copy(name string, l look, means, hash string) {
	r.body.Add(kit.Pad(0, 12, 2, 12, kit.Means(kit.Row(8, kit.Sized(84, 18, kit.NewText(name, kit.ColorMuted, 12).Fit()),
		kit.NewSign(l.glyph, l.ink, 12), kit.NewText(l.text, kit.ColorText, 12).Bold(),
		kit.Stretch(kit.NewText(means, kit.ColorMuted, 12).Fit()),
		kit.NewText(shortHash(hash), kit.ColorText, 11).Mono()), "proof.means")))
}

// provedWords count messages and former summaries.
func provedWords(messages, formers int) string {
	if formers <= 0 {
		return words.Int(int64(messages))
	}
	return words.Int(int64(messages)) + " + " + words.Int(int64(formers))
}

// chain says that a record below this one is not there.
func (r *recordRestore) chain(rec *model.Record) {
	n := r.d.RecordView.Nested()
	if n == nil || len(rec.Parents) == 0 {
		return
	}
	if gone := goneRecords(n); gone > 0 {
		r.say(kit.Warning, words.T("proof.chain.gone", "count", gone), "")
	}
}

// goneRecords counts the records of a tree that were deleted.
func goneRecords(n *session.Nested) (gone int) {
	if n.Record == nil {
		return 1
	}
	for _, in := range n.Inner {
		gone += goneRecords(in)
	}
	return gone
}

// shortHash is as much of a hash as distinguishes it from others at a glance.
func shortHash(s string) string {
	return s[:min(8, len(s))]
}

// Ask shows the effect once more, for who does not look at the pane, before it
// is done.
func (r *recordRestore) Ask() {
	if len(r.Ladder) == 0 {
		return
	}
	e := r.Ladder[r.step]
	fit, _ := fitWords(e.Then.Tokens, int64(r.d.Params().Window))
	kit.Ask(r.p.w.Win.Canvas(), words.T("restore.title"),
		words.T("restore.ask", "record", e.Undone[0].ID, "now", r.tokens(e.Now.Tokens), "then", r.tokens(e.Then.Tokens), "fit", fit)+" "+
			words.T("restore.stays", "count", len(e.Undone), "record",
				e.Undone[0].ID)+".", words.T("restore.do"), words.T("do.cancel"), kit.Primary,
		func() { r.d.RecordView.Restore(e.Undone[0].ID) })
}

// run does what the pane shows.
func (r *recordRestore) run() {
	switch rec := r.d.RecordView.Record(); {
	case len(r.Ladder) > 0:
		r.d.RecordView.Restore(r.Ladder[r.step].Undone[0].ID)
	case rec != nil && !r.d.RecordView.SameHistory(rec):
		r.p.OpenInWorkbench()
	case rec != nil && r.d.RecordView.RecordState(rec) == model.WrittenBack:
		r.d.Unwrite()
	default:
		r.d.RecordView.ReapplyRecord()
	}
}
