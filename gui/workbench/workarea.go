package workbench

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// workArea shows the ledger, or says why there is none: nothing open, a file
// being read, a file that can't be.
type workArea struct {
	d      *desk.Desk
	win    fyne.Window
	c      *commands.Table
	ledger fyne.CanvasObject
	box    *fyne.Container
	state  desk.State
	entry  *desk.Entry
	wait   waiting
	read   *kit.Text
	bar    *kit.Bar
	early  *earlyRows // nil: no message is known yet
	start  func(num int, above float32)
}

// waiting is for the database, which the list of sessions is read from.
type waiting struct{ opening, long bool }

// NewWorkArea shows the ledger when there is one; start is called, before it takes
// the place of a beginning which of its messages is at the top, and how much
// of that is above the edge.
func NewWorkArea(d *desk.Desk, win fyne.Window, c *commands.Table, ledger fyne.CanvasObject,
	start func(num int, above float32)) *workArea {
	a := &workArea{d: d, win: win, c: c, ledger: ledger, start: start, box: container.NewStack(ledger), state: desk.Ready}
	d.Listen(desk.TopicFiles, a.update)
	d.Listen(desk.TopicSession, a.update)
	d.Listen(desk.TopicPlan, a.update)
	a.change()
	return a
}

// Object is what the window shows.
func (a *workArea) Object() fyne.CanvasObject { return a.box }

func (a *workArea) update() {
	e := a.d.Current()
	state := desk.Closed
	if e != nil {
		state = e.State
	}
	if e == a.entry && state == desk.Ready && a.early != nil && a.d.Planning.Plan() == nil && a.d.Planning.Planning() {
		return // the rows of the beginning stay until there are others
	}
	waits := e == nil && a.waiting() != a.wait
	if e != a.entry || waits || state != a.state || state == desk.Loading && (e.Early != nil) != (a.early != nil) {
		a.change()
		return
	}
	if state == desk.Loading {
		a.progress(e)
	}
}

func (a *workArea) waiting() (w waiting) {
	w.opening, w.long = a.d.OpeningStore()
	return w
}

// change puts in what belongs to the present state.
func (a *workArea) change() {
	e := a.d.Current()
	if a.early != nil && e == a.entry && e.State == desk.Ready {
		a.start(a.early.place())
	}
	a.entry, a.state, a.early, a.wait = e, desk.Closed, nil, a.waiting()
	if e != nil {
		a.state = e.State
	}
	none := "state.noSessions"
	if a.wait.long {
		none = "state.storeWaits"
	}
	switch {
	case e == nil && a.wait.opening && !a.wait.long:
		a.put(kit.NewPane("", kit.Column(0, kit.Spring())))
	case e == nil:
		a.say(words.T(none), words.T(none+".next"),
			kit.NewButton(words.T("do.openFile"), kit.Primary, nil).Does(a.c, commands.OpenFile),
			kit.NewButton(words.T("do.openFolder"), kit.Secondary, nil).Does(a.c, commands.OpenFolder),
			kit.NewButton(words.T("do.samples"), kit.Secondary, nil).Does(a.c, commands.Samples))
	case e.State == desk.Loading:
		a.loading(e)
	case e.State == desk.Unavailable:
		a.unavailable(e)
	case e.State == desk.Closed:
		a.say(words.T("work.stopped"), words.T("work.stopped.next"),
			kit.NewButton(words.T("do.open"), kit.Primary, func() { a.d.Select(e) }))
	default:
		a.put(a.ledger)
	}
}

// unavailable says why a file can't be read. Where that is for its form, a
// person may know better.
func (a *workArea) unavailable(e *desk.Entry) {
	head, rest, details := show.ErrorWords(e.Err)
	var first []*kit.Button
	kind := kit.Primary
	switch show.ProblemCode(e.Err) {
	case "unknown-format", "no-messages":
		rest, kind = words.T("readas.offer"), kit.Secondary
		first = append(first, kit.NewButton(words.T("command.readAs"), kit.Primary, nil).Does(a.c, commands.ReadAs))
	case "binary", "empty", "not-json": // reading it again would not help
		kind = kit.Secondary
		first = append(first, kit.NewButton(words.T("do.openFile"), kit.Primary, nil).Does(a.c, commands.OpenFile))
	}
	list := a.d.RecordList.Records()
	if i := slices.IndexFunc(list, func(r model.Record) bool { return r.Path == e.Path }); i >= 0 {
		kind = kit.Secondary
		first = append(first, kit.NewButton(words.T("work.itsRecords"), kit.Primary, func() {
			a.c.Run(commands.Records)
			a.d.RecordView.SelectRecord(list[i].ID)
		}).WithTip("work.itsRecords.tip"))
	}
	a.say(head, rest, append(first,
		kit.NewButton(words.T("do.retry"), kind, func() { a.d.Select(e) }).WithTip("do.retry.tip"),
		kit.NewButton(words.T("command.remove"), kit.Secondary, func() { a.d.TakeOff(e) }),
		kit.NewButton(words.T("do.details"), kit.Secondary, func() { show.ShowDetails(a.d.Scheduler(), a.win, head, details) }).
			WithTip("do.details.tip"))...)
}

func (a *workArea) put(o fyne.CanvasObject) {
	a.box.Objects = []fyne.CanvasObject{o}
	a.box.Refresh()
}

// say shows a state: what is so, what to do next, buttons.
func (a *workArea) say(head, rest string, buttons ...*kit.Button) {
	row := []fyne.CanvasObject{kit.Spring()}
	for _, b := range buttons {
		row = append(row, b)
	}
	a.put(kit.NewPane("", kit.Column(8, kit.Spring(),
		kit.NewText(head, kit.ColorText, 16).Bold().Center().Fit(),
		kit.NewParagraph(rest, kit.ColorMuted, 13, 3).Center(),
		kit.Pad(6, 0, 0, 0, kit.Row(8, append(row, kit.Spring())...)),
		kit.NewText(words.T("work.forms"), kit.ColorFaint, 12).Center().Fit(),
		kit.Spring())))
}

func (a *workArea) loading(e *desk.Entry) {
	a.bar = kit.NewBar(0, kit.ColorAccent)
	if e.Early != nil {
		a.read = kit.NewText("", kit.ColorMuted, 12)
		a.early = newEarlyRows(show.EntryTitle(e), a.read, a.bar, a.d.CancelOpen)
		a.progress(e)
		a.put(a.early.obj)
		return
	}
	a.read = kit.NewText("", kit.ColorMuted, 13).Center().Fit()
	a.progress(e)
	a.put(kit.NewPane("", kit.Column(10, kit.Spring(),
		kit.NewText(show.EntryTitle(e), kit.ColorText, 16).Bold().Center().Fit(),
		a.read,
		kit.Row(0, kit.Spring(), kit.Sized(320, 6, a.bar), kit.Spring()),
		kit.Pad(4, 0, 0, 0, kit.Row(0, kit.Spring(), kit.NewButton(words.T("do.cancel"), kit.Secondary, a.d.CancelOpen), kit.Spring())),
		kit.Spring())))
}

func (a *workArea) progress(e *desk.Entry) {
	text := words.T("status.reading")
	switch {
	case e.Total > 0 && e.Counting:
		text = words.T("work.counting", "done", e.Done, "total", e.Total)
	case e.Total > 0:
		text = words.T("work.reading", "done", words.Bytes(e.Done), "total", words.Bytes(e.Total))
	}
	a.read.SetText(text)
	a.bar.Set(progressOf(e.Done, e.Total), kit.ColorAccent)
	if a.early != nil {
		a.early.show(e.Early)
	}
}
