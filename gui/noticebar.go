package gui

import (
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/state/undo"
	"palimpsest/gui/words"
	"palimpsest/model/store"
)

// noticeBar shows what has to be said and needs no answer: what went well in a
// toast; what did not, and the lines of the present file that were skipped, in
// banners that float over the lower edge, where they move nothing.
type noticeBar struct {
	w     *window
	d     *desk.Desk
	win   fyne.Window
	c     *commands.Table
	box   *fyne.Container
	quiet map[*desk.Entry]bool // whose skipped lines were read and closed
	known map[*desk.Entry]bool // of which a person knows that they were read by a guess
	// changed is called when banners came or went.
	changed func()

	said   *undo.Step // in the last toast about a step
	undone bool
}

func newNoticeBar(w *window) *noticeBar {
	d, c := w.Desk, w.Commands
	b := &noticeBar{w: w, d: d, win: w.Win, c: c, box: kit.Column(0),
		quiet: map[*desk.Entry]bool{}, known: map[*desk.Entry]bool{},
		changed: func() {}}
	d.Listen(desk.TopicNotice, b.update)
	d.Listen(desk.TopicSession, b.update)
	if s := d.LastStep(); s != nil {
		b.said, b.undone = s, s.Undone
	}
	d.Listen(desk.TopicHistory, b.step)
	b.update()
	return b
}

// Object is what the window shows.
func (b *noticeBar) Object() fyne.CanvasObject { return b.box }

// step says that a step was done, undone or redone, and offers its opposite.
func (b *noticeBar) step() {
	s := b.d.LastStep()
	if s == nil || s == b.said && s.Undone == b.undone {
		return
	}
	before := b.said
	b.said, b.undone = s, s.Undone
	switch {
	case !s.Kept() && show.StepDone(s) == "": // what changed is seen
		b.c.Hush()
	case s.Undone:
		b.c.Toast(words.T("step.undone", "step", show.StepName(s)), words.T("command.redo"), b.d.Redo)
	case s == before:
		b.c.Toast(words.T("step.redone", "step", show.StepName(s)), words.T("do.undo"), b.d.Undo)
	case show.StepDone(s) != "":
		b.c.Toast(show.StepDone(s), words.T("do.undo"), func() { b.d.UndoStep(s) })
	}
}

// toast says what needs no banner.
func (b *noticeBar) toast(n *desk.Notice) {
	head, rest, _ := noticeWords(n)
	if rest != "" {
		head += " " + rest
	}
	if n.Code == "pastKeeping" {
		b.c.Toast(head, words.T("storage.open"), func() { b.c.Run(commands.Storage) })
		return
	}
	b.c.Toast(head, "", nil)
}

func (b *noticeBar) update() {
	var list []fyne.CanvasObject
	for _, n := range slices.Clone(b.d.Notices()) {
		switch {
		case n.Severity == desk.Info:
			b.toast(n)
			b.d.CloseNotice(n) // which shows the others
			return
		case b.damagedStore(n) && b.w.sheet() == commands.Records: // which says it above its list
		case n.With(b.d.Current()) || n.Err != nil && aboutStore(n.Err):
			list = append(list, b.banner(n))
		}
	}
	e := b.d.Current()
	if e == nil || e.State != desk.Ready || b.w.InSheet() { // over a sheet nothing is said of the file that is not new
		e = nil
	}
	if e != nil && (e.Damaged > 0 || e.Stops > 0) && !b.quiet[e] {
		list = append(list, b.damaged(e))
	}
	if e != nil && e.File.Doc.Unconfirmed && !b.known[e] {
		ban := kit.NewBanner(kit.Warning, words.T("readas.banner"), "",
			kit.NewButton(words.T("command.readAs"), kit.Secondary, nil).Does(b.c, commands.ReadAs).Small())
		ban.OnClose = func() { b.known[e] = true; b.update() }
		list = append(list, ban)
	}
	b.box.Objects = list
	b.box.Refresh()
	if len(list) > 0 {
		b.box.Show()
	} else {
		b.box.Hide()
	}
	b.changed()
}

// does makes a button that closes a notice and does a command.
func (b *noticeBar) does(n *desk.Notice, text, id string) *kit.Button {
	do := kit.NewButton(text, kit.Secondary, nil).Does(b.c, id).Small()
	run := do.OnTapped
	do.OnTapped = func() { b.d.CloseNotice(n); run() }
	return do
}

func (b *noticeBar) banner(n *desk.Notice) *kit.Banner {
	head, rest, details := noticeWords(n)
	var buttons []fyne.CanvasObject
	damaged := b.damagedStore(n)
	if damaged {
		r, _ := b.d.Store().Rest()
		head, rest = show.DamagedWords(r), ""
	}
	if details != "" {
		buttons = append(buttons,
			kit.NewButton(words.T("do.details"), kit.Secondary, func() { show.ShowDetails(b.d.Scheduler(), b.win, head, details) }).
				WithTip("do.details.tip").Small())
	}
	if n.Code == "askFailed" {
		buttons = append(buttons,
			b.does(n, words.T("asking.retry"), commands.Ask),
			kit.NewButton(words.T("asking.settings"), kit.Secondary, nil).Does(b.c, commands.SummaryModel).Small())
	}
	if n.Err != nil && aboutStore(n.Err) {
		do := words.T("storage.open")
		if damaged {
			do = words.T("storage.repair")
		}
		buttons = append(buttons, b.does(n, do, commands.Storage))
	}
	if b.d.CanOpenStore() && (errors.Is(n.Err, store.ErrLocked) || errors.Is(n.Err, store.ErrServer)) {
		buttons = append(buttons,
			kit.NewButton(words.T("do.retry"), kit.Secondary, b.d.OpenStoreAgain).WithTip("storage.retry.tip").Small())
	}
	if n.Code == "fileRewritten" || n.Code == "fileTruncated" {
		buttons = append(buttons, b.does(n, words.T("command.reload"), commands.Reload))
	}
	ban := kit.NewBanner(kit.Severity(n.Severity), head, rest, buttons...)
	ban.OnClose = func() { b.d.CloseNotice(n) }
	return ban
}

// damagedStore reports a notice of damage to the database whose rest is open.
func (b *noticeBar) damagedStore(n *desk.Notice) (damaged bool) {
	if st := b.d.Store(); st != nil && errors.Is(n.Err, store.ErrCorrupt) {
		_, damaged = st.Rest()
	}
	return damaged
}

// damaged is the banner about lines that were skipped.
func (b *noticeBar) damaged(e *desk.Entry) *kit.Banner {
	if e.Damaged == 0 {
		return b.stopped(e)
	}
	head := words.T("state.skipped", "count", e.Damaged, "total", e.Lines)
	rest := "(" + show.SkippedNumbers(e) + "). " + words.T("state.restLoaded")
	if e.Stops > 0 {
		rest += " " + words.T("repair.stops", "count", e.Stops) + "."
	}
	ban := kit.NewBanner(kit.Warning, head, rest,
		kit.NewButton(words.T("do.showLines"), kit.Secondary, func() { dialogs.ShowSkipped(b.d, b.win) }).
			WithTip("do.showLines.tip").Small(),
		kit.NewButton(words.T("command.repair"), kit.Secondary, nil).Does(b.c, commands.Repair).Small(),
		kit.NewButton(words.T("do.copyDetails"), kit.Secondary, func() {
			kit.Copy(show.SkippedText(e))
			b.c.Toast(words.T("shell.copied"), "", nil)
		}).WithTip("do.copyDetails.tip").Small())
	ban.OnClose = func() { b.quiet[e] = true; b.update() }
	return ban
}

// stopped is the banner about a session that can't be resumed.
func (b *noticeBar) stopped(e *desk.Entry) *kit.Banner {
	ban := kit.NewBanner(kit.Warning, words.T("repair.stops", "count", e.Stops)+".", "",
		kit.NewButton(words.T("command.repair"), kit.Secondary, nil).Does(b.c, commands.Repair).Small())
	ban.OnClose = func() { b.quiet[e] = true; b.update() }
	return ban
}

// aboutStore reports an error that the storage settings help with: what can be
// read is backed up and repaired there, and another database is chosen.
func aboutStore(err error) bool {
	for _, kind := range []error{store.ErrCorrupt, store.ErrNotDatabase, store.ErrCantOpen, store.ErrNewer, store.ErrServer,
		store.ErrFull, store.ErrReadOnly} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// noticeWords puts a notice into words: the fact, what follows, and the details
// of an error.
func noticeWords(n *desk.Notice) (head, rest, details string) {
	if n.Err == nil {
		head, rest, _ = strings.Cut(words.T("notice."+n.Code, n.Args...), "\n")
		return head, rest, ""
	}
	return show.ErrorWords(n.Err)
}
