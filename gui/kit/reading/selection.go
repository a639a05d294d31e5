package reading

import (
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model/body"
)

// selection is a range of the body that a person selected.
type selection struct {
	from, to body.Place // from is not behind to
	anchor   [2]body.Place
	unit     int // what a drag selects: 1 characters, 2 words, 3 lines
	on       bool
	last     time.Time
	where    fyne.Position
	pressed  bool
	moved    bool
}

// covers reports whether a place is selected.
func (s *selection) covers(p body.Place) bool {
	return s.from != s.to && !p.Before(s.from) && p.Before(s.to)
}

// within is the part of a range that is selected.
func (s *selection) within(block, from, to int) (a, z int, ok bool) {
	if s.from == s.to || block < s.from.Block || block > s.to.Block {
		return 0, 0, false
	}
	a, z = from, to
	if block == s.from.Block {
		a = max(a, s.from.At)
	}
	if block == s.to.Block {
		z = min(z, s.to.At)
	}
	return a, z, a < z
}

// selected is the selected text; "": none is.
func (v *View) selected() string {
	if v.sel.from == v.sel.to {
		return ""
	}
	return v.doc.Text(v.sel.from, v.sel.to)
}

// Select selects a range of the body.
func (v *View) Select(from, to body.Place) {
	if to.Before(from) {
		from, to = to, from
	}
	if v.sel.from != from || v.sel.to != to {
		v.sel.from, v.sel.to = from, to
		v.gen++
		v.place()
		canvas.Refresh(v.field)
	}
}

// at is the row and the place at a position of the view.
func (v *View) at(p fyne.Position) (*row, body.Place) {
	y := p.Y - v.clip.Position().Y - kit.Px(topRoom)
	i := int(v.top + float64(y/v.paper.Pitch))
	if y < 0 {
		i = int(v.top)
	}
	i = max(0, min(i, len(v.lay.Rows)-1))
	r := v.rows[i]
	if r == nil {
		if i < len(v.lay.Rows) {
			x := v.lay.Rows[i]
			return nil, body.Place{Block: int(x.Block), At: int(x.To)}
		}
		return nil, body.Place{}
	}
	return r, body.Place{Block: int(v.lay.Rows[i].Block), At: r.placeAt(p.X)}
}

// unitAt is the character, the word or the line at a place.
func (v *View) unitAt(p body.Place, unit int) (from, to body.Place) {
	if unit == 1 || p.Block >= len(v.doc.Blocks) {
		return p, p
	}
	s := v.doc.Blocks[p.Block].Text
	a, z := min(p.At, len(s)), min(p.At, len(s))
	if unit == 3 {
		a = strings.LastIndexByte(s[:a], '\n') + 1
		if i := strings.IndexByte(s[z:], '\n'); i >= 0 {
			z += i
		} else {
			z = len(s)
		}
		return body.Place{Block: p.Block, At: a}, body.Place{Block: p.Block, At: z}
	}
	is := func(r rune) int {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || unicode.Is(unicode.M, r):
			return 1
		case unicode.IsSpace(r):
			return 2
		}
		return 3
	}
	r, n := utf8.DecodeRuneInString(s[a:])
	if n == 0 {
		r, n = utf8.DecodeLastRuneInString(s[:a])
		a -= n
		z = a
	}
	kind := is(r)
	for a > 0 {
		if r, n := utf8.DecodeLastRuneInString(s[:a]); is(r) == kind {
			a -= n
			continue
		}
		break
	}
	for z < len(s) {
		if r, n := utf8.DecodeRuneInString(s[z:]); is(r) == kind && r != '\n' {
			z += n
			continue
		}
		break
	}
	return body.Place{Block: p.Block, At: a}, body.Place{Block: p.Block, At: z}
}

// doubleTime is how soon after a press another one selects more.
const doubleTime = 400 * time.Millisecond

// MouseDown begins a selection: of characters, on the second press of words, on the
// third of lines; with Shift it extends the one there is.
func (v *View) MouseDown(e *desktop.MouseEvent) {
	v.focus()
	kit.HideTipOf(v)
	if len(v.lay.Rows) == 0 {
		return
	}
	_, p := v.at(e.Position)
	if e.Button == desktop.MouseButtonSecondary {
		v.menu(p, e.AbsolutePosition)
		return
	}
	if e.Button != desktop.MouseButtonPrimary {
		return
	}
	s := &v.sel
	now := time.Now()
	near := max(s.where.X-e.Position.X, e.Position.X-s.where.X) < 4 && max(s.where.Y-e.Position.Y, e.Position.Y-s.where.Y) < 4
	if near && now.Sub(s.last) < doubleTime {
		s.unit = s.unit%3 + 1
	} else {
		s.unit = 1
	}
	s.last, s.where, s.pressed, s.moved = now, e.Position, true, false
	if e.Modifier&fyne.KeyModifierShift != 0 && s.on {
		s.unit = 1
		v.extend(p)
		s.moved = true
		return
	}
	from, to := v.unitAt(p, s.unit)
	s.anchor, s.on = [2]body.Place{from, to}, true
	v.Select(from, to)
}

// extend selects from where the selection began to a place.
func (v *View) extend(p body.Place) {
	from, to := v.unitAt(p, v.sel.unit)
	if v.sel.anchor[0].Before(from) {
		from = v.sel.anchor[0]
	}
	if to.Before(v.sel.anchor[1]) {
		to = v.sel.anchor[1]
	}
	v.Select(from, to)
}

// MouseUp follows a link, opens a fold, or picks a place.
func (v *View) MouseUp(e *desktop.MouseEvent) {
	pressed := v.sel.pressed
	v.sel.pressed = false
	if !pressed || v.sel.moved || e.Button != desktop.MouseButtonPrimary || v.sel.unit != 1 {
		return
	}
	r, p := v.at(e.Position)
	if r == nil {
		return
	}
	if t := r.tap; t.is && e.Position.X >= t.from && e.Position.X < t.to {
		if t.sides {
			look := v.Look()
			v.Choose(Look{look.Numbers, !look.Sides})
		} else {
			v.setOpen(t.fold, t.open)
		}
		return
	}
	if to := r.linkAt(e.Position.X); to != "" {
		v.follow(to, e.AbsolutePosition)
		return
	}
	if v.OnPick != nil {
		v.OnPick(p)
	}
}

// follow offers what can be done with a link: nothing leaves the program unasked.
func (v *View) follow(target string, at fyne.Position) {
	if v.OnLink != nil && v.OnLink(target) {
		return
	}
	c := fyne.CurrentApp().Driver().CanvasForObject(v)
	if c == nil {
		return
	}
	u, err := url.Parse(target)
	web := err == nil && (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "mailto")
	kit.ShowMenu(c, []kit.MenuItem{
		{Text: shortened(target), Disabled: true},
		kit.Rule,
		{Text: words.T("reading.openLink"), Disabled: !web, Run: func() { _ = fyne.CurrentApp().OpenURL(u) }},
		{Text: words.T("reading.copyLink"), Run: func() { v.copy(target) }},
	}, at, 0)
}

func shortened(s string) string {
	s = kit.Clean(s)
	if r := []rune(s); len(r) > 90 {
		return string(r[:60]) + "…" + string(r[len(r)-28:])
	}
	return s
}

// Dragged selects.
func (v *View) Dragged(e *fyne.DragEvent) {
	if !v.sel.pressed {
		return
	}
	v.sel.moved = true
	switch y := e.Position.Y - v.clip.Position().Y; {
	case y < 0:
		v.scrollTo(v.top - 1)
	case y > v.clip.Size().Height:
		v.scrollTo(v.top + 1)
	}
	_, p := v.at(e.Position)
	v.extend(p)
}

// DragEnd implements fyne.Draggable.
func (v *View) DragEnd() {}

// Scrolled implements fyne.Scrollable.
func (v *View) Scrolled(e *fyne.ScrollEvent) {
	v.scrollTo(v.top - float64(e.Scrolled.DY/v.paper.Pitch))
}

// MouseIn implements desktop.Hoverable.
func (v *View) MouseIn(*desktop.MouseEvent) {}

// MouseMoved shows where the link under the pointer leads.
func (v *View) MouseMoved(e *desktop.MouseEvent) {
	to := ""
	if r, _ := v.at(e.Position); r != nil {
		to = r.linkAt(e.Position.X)
		if t := r.tap; t.is && e.Position.X >= t.from && e.Position.X < t.to {
			to = foldTarget
		}
	}
	if to == v.hover {
		return
	}
	v.hover = to
	kit.HideTipOf(v)
	if to != "" && to != foldTarget && strings.Contains(to, ":") && (v.OnLink == nil || !strings.HasPrefix(to, "message:")) {
		kit.ShowTip(v, shortened(to), e.AbsolutePosition)
	}
}

// foldTarget is in the place of a link where a press opens or closes a fold.
const foldTarget = "\x00fold"

// MouseOut implements desktop.Hoverable.
func (v *View) MouseOut() {
	if v.hover != "" {
		v.hover = ""
		kit.HideTipOf(v)
	}
}

// Cursor implements desktop.Cursorable.
func (v *View) Cursor() desktop.Cursor {
	if v.hover != "" {
		return desktop.PointerCursor
	}
	return desktop.TextCursor
}

func (v *View) focus() {
	if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil {
		c.Focus(v)
	}
}

// FocusGained implements fyne.Focusable.
func (v *View) FocusGained() { v.focused = true; v.Refresh() }

// FocusLost implements fyne.Focusable.
func (v *View) FocusLost() { v.focused = false; v.Refresh() }

// TypedRune hands single letters on to the window's shortcuts.
func (v *View) TypedRune(r rune) { kit.PassRune(v, r) }

// TypedKey scrolls, and walks through the hits while the find bar is open.
func (v *View) TypedKey(e *fyne.KeyEvent) {
	kit.HideTipOf(v)
	switch e.Name {
	case fyne.KeyDown:
		v.scrollTo(v.top + 1)
	case fyne.KeyUp:
		v.scrollTo(v.top - 1)
	case fyne.KeyPageDown, fyne.KeySpace:
		v.scrollTo(v.top + max(1, v.page()-1))
	case fyne.KeyPageUp:
		v.scrollTo(v.top - max(1, v.page()-1))
	case fyne.KeyHome:
		v.scrollTo(0)
	case fyne.KeyEnd:
		v.scrollTo(float64(len(v.lay.Rows)))
	case fyne.KeyReturn, fyne.KeyEnter:
		v.openFirst()
	case fyne.KeyEscape:
		switch {
		case v.find.box.Visible():
			v.find.close()
		case v.sel.from != v.sel.to:
			v.Select(body.Place{}, body.Place{})
		default:
			kit.PassKey(v, e)
		}
	case fyne.KeyF3:
		if !v.find.box.Visible() {
			kit.PassKey(v, e)
			return
		}
		v.find.step(1)
	default:
		kit.PassKey(v, e)
	}
}

// openFirst opens the first fold that is seen, so that keys alone can do it.
func (v *View) openFirst() {
	for i := int(v.top); i < int(v.top+v.page())+1; i++ {
		if r := v.rows[i]; r != nil && r.tap.is && r.tap.open {
			v.setOpen(r.tap.fold, true)
			return
		}
	}
}

// TypedShortcut copies, selects all, and finds.
func (v *View) TypedShortcut(s fyne.Shortcut) {
	switch x := s.(type) {
	case *fyne.ShortcutSelectAll:
		v.Select(v.doc.All())
		return
	case *fyne.ShortcutCopy:
		v.copyText()
		return
	case *desktop.CustomShortcut:
		switch {
		case x.KeyName == fyne.KeyF && x.Modifier == fyne.KeyModifierShortcutDefault:
			v.Find()
			return
		case x.KeyName == fyne.KeyF3 && x.Modifier == fyne.KeyModifierShift && v.find.box.Visible():
			v.find.step(-1)
			return
		}
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil {
		if t, ok := c.(fyne.Shortcutable); ok {
			t.TypedShortcut(s)
		}
	}
}

func (v *View) copy(s string) {
	if v.OnCopy != nil {
		v.OnCopy(s)
		return
	}
	kit.Copy(s)
}

// copyText copies what is selected, or all.
func (v *View) copyText() {
	s := v.selected()
	if s == "" {
		s = v.doc.Text(v.doc.All())
	}
	v.copy(s)
}

// menu offers what can be done with the text.
func (v *View) menu(p body.Place, at fyne.Position) {
	c := fyne.CurrentApp().Driver().CanvasForObject(v)
	if c == nil {
		return
	}
	kit.ShowMenu(c, v.menuItems(p), at, 0)
}

// menuItems is the menu of a place of the text.
func (v *View) menuItems(p body.Place) []kit.MenuItem {
	copied := words.T("reading.copyAll")
	if v.selected() != "" {
		copied = words.T("reading.copySelected")
	}
	look := v.Look()
	items := []kit.MenuItem{
		{Text: copied, Shortcut: words.T("reading.key.copy"), Run: v.copyText},
		{Text: words.T("reading.selectAll"), Shortcut: words.T("reading.key.selectAll"), Run: func() { v.Select(v.doc.All()) }},
		kit.Rule,
		{Text: words.T("reading.find"), Shortcut: words.T("reading.key.find"), Run: v.Find},
		{Text: words.T("reading.numbers"), Checked: look.Numbers, Run: func() { v.Choose(Look{!look.Numbers, look.Sides}) }},
		{Text: words.T("reading.sides"), Checked: look.Sides, Run: func() { v.Choose(Look{look.Numbers, !look.Sides}) }},
	}
	if v.doc.Markdown() != "" { // else the body has no source
		items = slices.Insert(items, 1, kit.MenuItem{Text: words.T("reading.copyMarkdown"), Run: func() { v.copy(v.doc.Markdown()) }},
			kit.MenuItem{Text: words.T("reading.copyJSON"), Run: func() { v.copy(v.doc.JSON()) }})
	}
	if v.Menu != nil {
		if more := v.Menu(p); len(more) > 0 {
			items = append(append(items, kit.Rule), more...)
		}
	}
	return items
}
