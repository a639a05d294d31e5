package gui

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/settings"
	"palimpsest/gui/words"
)

// welcomeStrip is three steps for a beginner above the ledger of a sample,
// closed for good by its cross.
type welcomeStrip struct {
	d    *desk.Desk
	set  settings.Settings
	box  *fyne.Container
	open bool // asked for from the menu
	// changed is called when the strip came or went.
	changed func()
}

func newWelcomeStrip(d *desk.Desk, c *commands.Table, set settings.Settings) *welcomeStrip {
	s := &welcomeStrip{d: d, set: set, changed: func() {}}
	step := func(n int, words string) fyne.CanvasObject {
		return kit.Row(6, kit.NewTag(strconv.Itoa(n), kit.ColorAccent), kit.NewText(words, kit.ColorText, 12))
	}
	steps := container.New(stripLayout{},
		kit.NewText(words.T("welcome.head"), kit.ColorMuted, 12),
		step(1, words.T("welcome.one")),
		step(2, words.T("welcome.two", "key", c.Key(commands.Preview))),
		step(3, words.T("welcome.three")))
	row := kit.Row(8, kit.Stretch(steps), kit.NewIconButton(kit.GlyphClose, words.T("welcome.close"), s.hide))
	pane := kit.NewPane("", kit.Pad(4, 6, 4, 10, row))
	s.box = container.NewStack(kit.Margin(0, 0, 6, 0, pane))
	d.Listen(desk.TopicSession, s.update)
	s.update()
	return s
}

// Object is what the window shows.
func (s *welcomeStrip) Object() fyne.CanvasObject { return s.box }

func (s *welcomeStrip) update() {
	e := s.d.Current()
	on := s.open || !s.set.Welcomed() && e != nil && e.Sample != ""
	if s.box.Visible() == on {
		return
	}
	s.box.Hidden = !on
	s.changed()
}

func (s *welcomeStrip) hide() {
	s.open = false
	s.set.SetWelcomed()
	s.update()
}

func (s *welcomeStrip) show() {
	s.open = true
	s.update()
}

// stripLayout puts the steps beside each other. Where there is no room for
// all, the words before the steps go first, then the steps from the right.
type stripLayout struct{}

// MinSize is Fyne's.
func (stripLayout) MinSize(o []fyne.CanvasObject) (m fyne.Size) {
	for _, x := range o {
		m.Height = max(m.Height, x.MinSize().Height)
	}
	return m
}

// Layout is Fyne's.
func (stripLayout) Layout(o []fyne.CanvasObject, s fyne.Size) {
	gap := kit.Px(18)
	need := -gap
	for _, x := range o {
		need += x.MinSize().Width + gap
	}
	at := float32(0)
	for i, x := range o {
		m := x.MinSize()
		x.Resize(m)
		if i == 0 && need > s.Width || at+m.Width > s.Width {
			x.Move(fyne.NewPos(-20000, 0))
			continue
		}
		x.Move(fyne.NewPos(at, (s.Height-m.Height)/2))
		at += m.Width + gap
	}
}
