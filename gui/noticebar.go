package gui

import (
	"errors"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/sched"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/store"
)

// noticeBar shows under the menu what has to be said and needs no answer: the
// desk's notices, and the lines of the present file that were skipped.
type noticeBar struct {
	d     *desk.Desk
	win   fyne.Window
	c     *commands
	box   *fyne.Container
	quiet map[*desk.Entry]bool // whose skipped lines were read and closed
	known map[*desk.Entry]bool // of which a person knows that they were read by a guess
	// changed is told that banners came or went.
	changed func()
}

func newNoticeBar(d *desk.Desk, win fyne.Window, c *commands) *noticeBar {
	b := &noticeBar{d: d, win: win, c: c, box: kit.Column(0), quiet: map[*desk.Entry]bool{}, known: map[*desk.Entry]bool{}, changed: func() {}}
	d.Listen(desk.TopicNotice, b.update)
	d.Listen(desk.TopicSession, b.update)
	b.update()
	return b
}

// Object is what the window shows.
func (b *noticeBar) Object() fyne.CanvasObject { return b.box }

func (b *noticeBar) update() {
	var list []fyne.CanvasObject
	for _, n := range b.d.Notices() {
		list = append(list, b.banner(n))
	}
	if e := b.d.Current(); e != nil && e.State == desk.Ready && e.Damaged > 0 && !b.quiet[e] {
		list = append(list, b.damaged(e))
	}
	if e := b.d.Current(); e != nil && e.State == desk.Ready && e.File.Doc.Unconfirmed && !b.known[e] {
		ban := kit.NewBanner(kit.Warning, words.T("readas.banner"), "",
			kit.NewButton(words.T("command.readAs"), kit.Secondary, func() { b.c.run("readAs") }).Small())
		ban.OnClose = func() { b.known[e] = true; b.update() }
		list = append(list, ban)
	}
	b.box.Objects = list
	if len(list) > 0 {
		b.box.Show()
	} else {
		b.box.Hide()
	}
	b.changed()
}

func (b *noticeBar) banner(n *desk.Notice) *kit.Banner {
	head, rest, details := noticeWords(n)
	var buttons []fyne.CanvasObject
	if details != "" {
		buttons = append(buttons, kit.NewButton(words.T("do.details"), kit.Secondary, func() { showDetails(b.win, head, details) }).Small())
	}
	if n.Code == "askFailed" {
		buttons = append(buttons, kit.NewButton(words.T("asking.retry"), kit.Secondary, func() { b.d.CloseNotice(n); b.c.run("ask") }).Small(),
			kit.NewButton(words.T("asking.settings"), kit.Secondary, func() { b.c.run("summaryModel") }).Small())
	}
	if n.Code == "pastKeeping" || n.Err != nil && aboutStore(n.Err) {
		buttons = append(buttons, kit.NewButton(words.T("storage.open"), kit.Secondary, func() { b.d.CloseNotice(n); b.c.run("storage") }).Small())
	}
	if n.Code == "fileRewritten" || n.Code == "fileTruncated" {
		buttons = append(buttons, kit.NewButton(words.T("command.reload"), kit.Secondary, func() { b.d.CloseNotice(n); b.c.run("reload") }).Small())
	}
	ban := kit.NewBanner(kit.Severity(n.Severity), head, rest, buttons...)
	ban.OnClose = func() { b.d.CloseNotice(n) }
	return ban
}

// damaged is the banner about lines that were skipped.
func (b *noticeBar) damaged(e *desk.Entry) *kit.Banner {
	head := words.T("state.skipped", "count", e.Damaged, "total", e.Lines)
	rest := "(" + skippedNumbers(e) + "). " + words.T("state.restLoaded")
	ban := kit.NewBanner(kit.Warning, head, rest,
		kit.NewButton(words.T("do.showLines"), kit.Secondary, func() { showSkipped(b.d, b.win) }).Small(),
		kit.NewButton(words.T("do.copyDetails"), kit.Secondary, func() {
			fyne.CurrentApp().Clipboard().SetContent(skippedText(e))
			b.c.toast(words.T("shell.copied"), "", nil)
		}).Small())
	ban.OnClose = func() { b.quiet[e] = true; b.update() }
	return ban
}

// aboutStore reports an error that the storage settings help with: what can be
// read is backed up and repaired there, and another database is chosen.
func aboutStore(err error) bool {
	for _, kind := range []error{store.ErrCorrupt, store.ErrNotDatabase, store.ErrCantOpen, store.ErrNewer, store.ErrServer, store.ErrFull} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// storeProblems are the causes that a database names, by the key of their words.
var storeProblems = []struct {
	kind error
	key  string
}{
	{store.ErrReadOnly, "readOnly"}, {store.ErrLocked, "locked"}, {store.ErrNewer, "newer"}, {store.ErrNotDatabase, "notDatabase"},
	{store.ErrCantOpen, "cantOpen"}, {store.ErrServer, "server"}, {store.ErrFull, "full"}, {store.ErrDisk, "disk"}, {store.ErrCorrupt, "corrupt"},
	{store.ErrChanged, "changed"}, {store.ErrNoOriginals, "noOriginals"}, {store.ErrNotExport, "notExport"},
}

// storeWords is what a database said in the words of the window's language.
func storeWords(err error) (head, rest string, ok bool) {
	for _, p := range storeProblems {
		if errors.Is(err, p.kind) {
			head, rest, _ = strings.Cut(words.T("storeProblem."+p.key), "\n")
			return head, rest, true
		}
	}
	return "", "", false
}

// noticeWords puts a notice into words: the fact, what follows, and the details
// of an error.
func noticeWords(n *desk.Notice) (head, rest, details string) {
	if n.Err == nil {
		head, rest, _ = strings.Cut(words.T("notice."+n.Code, n.Args...), "\n")
		return head, rest, ""
	}
	return errorWords(n.Err)
}

// errorWords puts an error into words. A problem has a translation under its
// code; English keeps its own sentences, which name the file and the reason.
func errorWords(err error) (head, rest, details string) {
	var p *model.Problem
	var s *store.Error
	var crash *sched.Panic
	switch {
	case errors.As(err, &p):
		head, rest = p.What, strings.TrimSpace(p.Why+" "+p.Next)
		if words.Language() != words.English {
			if t, ok := translated("problem." + p.Code); ok {
				head, rest, _ = strings.Cut(t, "\n")
			}
		}
	case errors.As(err, &crash):
		return words.T("state.internal"), words.T("state.nothingChanged"), crash.Details()
	case errors.As(err, &s):
		if words.Language() != words.English {
			if head, rest, ok := storeWords(err); ok {
				return head, rest, errorDetails(err)
			}
		}
		head, rest = upperFirst(s.Error()), s.Next()
		if r, ok := strings.CutSuffix(head, rest); ok && rest != "" {
			head = strings.TrimSpace(r)
		}
	default:
		head = upperFirst(err.Error())
	}
	return head, rest, errorDetails(err)
}

// translated is the words of a key that may have none.
func translated(key string) (string, bool) {
	t := words.T(key)
	return t, t != key
}

// errorDetails is the whole chain of an error, one cause a line.
func errorDetails(err error) string {
	var lines []string
	for err != nil {
		if t := err.Error(); len(lines) == 0 || lines[len(lines)-1] != t {
			lines = append(lines, t)
		}
		err = errors.Unwrap(err)
	}
	return strings.Join(lines, "\n\n")
}

func upperFirst(s string) string {
	r := []rune(s)
	if len(r) > 0 && r[0] >= 'a' && r[0] <= 'z' {
		r[0] += 'A' - 'a'
	}
	return string(r)
}

// showDetails shows text that may be copied.
func showDetails(win fyne.Window, title, text string) {
	view := kit.NewTextView(true, false)
	view.SetText(text, 1)
	dlg := kit.NewDialog(words.T("do.details"), title, kit.Pad(8, 12, 8, 12, view), 760, 420)
	dlg.SetButtons(
		kit.NewButton(words.T("do.copy"), kit.Secondary, func() { fyne.CurrentApp().Clipboard().SetContent(text) }),
		kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
	dlg.ShowOn(win.Canvas())
}
