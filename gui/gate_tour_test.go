package gui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"

	"palimpsest/assets"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/preferences"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// tour goes through every screen, dialog and menu of one window, and looks at
// each in both themes: it switches while the screen is open, and each screen is
// opened under the theme that the one before was left in, so that those which
// were hidden at a switch are seen after it.
type tour struct {
	*stage
	j     *judge
	mode  kit.Mode
	only  string // part of the name of the screens to look at; "" all
	found map[string]fault
	seen  map[string]bool
	looks int
	pose  string // language, size and scale
	sizes map[fyne.CanvasObject]fyne.Size

	figures int  // that were pointed at
	advised bool // settings were tried on the history: it takes seconds, and what is found stays for the next pose
}

// pose is how the window is set up during a tour.
type pose struct {
	lang  string
	size  fyne.Size
	scale float32
}

func (p pose) String() string {
	return fmt.Sprintf("%s %.0f×%.0f %.0f%%", p.lang, p.size.Width, p.size.Height, p.scale*100)
}

// poses are each language in one size of the window; with GATE=all every combination
// of language, size of the window and size of the text.
func poses() (list []pose) {
	for _, lang := range words.Languages {
		for _, size := range []fyne.Size{large, small} {
			for _, scale := range []float32{1, 1.5} {
				if scale == 1 && (lang == words.Chinese) == (size == small) || os.Getenv("GATE") == "all" {
					list = append(list, pose{lang, size, scale})
				}
			}
		}
	}
	return list
}

// TestEveryScreenCanBeRead is the gate of the screens. Each screen, dialog and
// menu that can be reached through the table of commands is held against the
// rules of judge.
func TestEveryScreenCanBeRead(t *testing.T) {
	// What is offered of a person's folders is the same on every machine.
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".claude", "projects"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	x := newTour(t)
	for i, p := range poses() {
		if n := os.Getenv("POSE"); n == "" || n == fmt.Sprint(i) {
			x.take(p)
		}
	}
	known := map[string]bool{}
	for _, k := range knownFaults {
		known[k] = true
	}
	for k, f := range x.found {
		switch {
		case !known[k]:
			t.Errorf("%s\n\tkey %q", f, k)
		case testing.Verbose():
			t.Logf("known %q", k)
		}
	}
	if x.only == "" && os.Getenv("GATE") == "" && os.Getenv("POSE") == "" {
		for k := range known {
			if _, ok := x.found[k]; !ok {
				t.Errorf("known, and not there any more: take it out of the list: %q", k)
			}
		}
	}
	t.Logf("%d looks at %d screens", x.looks, len(x.seen))
}

func newTour(t *testing.T) *tour {
	x := &tour{stage: newStage(t), mode: kit.Dark, only: os.Getenv("SCREEN"), found: map[string]fault{}, seen: map[string]bool{},
		sizes: map[fyne.CanvasObject]fyne.Size{}}
	var corpus strings.Builder
	for _, s := range assets.Samples {
		corpus.Write(s.Bytes())
		fmt.Fprint(&corpus, " ", s.File, " ")
	}
	fmt.Fprint(&corpus, os.TempDir(), t.TempDir(), x.Desk.Store().Path())
	x.j = newJudge(corpus.String())
	return x
}

// studio is the same window as that of the pictures, which know how to bring it
// to each screen.
func (x *tour) studio() *studio {
	return &studio{w: x.window, canvas: x.Win.Canvas().(software.WindowlessCanvas), queue: x.q, blind: true}
}

// take goes through all screens in one pose.
func (x *tour) take(p pose) {
	x.pose = p.String()
	x.LeaveSheet()
	x.setScale(p.scale)
	x.setLanguage(p.lang)
	x.Win.Resize(p.size)
	x.settle()
	x.workbench()
	x.sheets()
	if (p.lang == words.Chinese) == (x.mode == kit.Dark) {
		x.turn()
	}
	x.dialogs()
	for i, m := range menus {
		x.menu.Open(i)
		x.glance("menu " + m.name)
		x.closeAll()
	}
}

// see looks at what is open, switches the theme, and looks again.
func (x *tour) see(screen string) {
	x.look(screen, "")
	x.turn()
	x.look(screen, ", switched")
}

// glance is see for what there is much of: it looks once, in a theme that is another
// one in the next pose.
func (x *tour) glance(screen string) {
	if os.Getenv("GATE") == "all" {
		x.see(screen)
		return
	}
	x.look(screen, "")
}

// turn switches to the other theme.
func (x *tour) turn() {
	x.mode = map[kit.Mode]kit.Mode{kit.Dark: kit.Light, kit.Light: kit.Dark}[x.mode]
	x.setMode(x.mode)
}

// look notes the faults of what is open.
func (x *tour) look(screen, how string) {
	x.seen[screen] = true
	x.settle()
	if x.only != "" && !strings.Contains(screen, x.only) {
		return
	}
	x.fit()
	x.looks++
	for _, f := range x.j.judge(screen, x.Win.Canvas(), x.mode) {
		f.detail += " [" + x.pose + " " + string(x.mode) + how + "]"
		if _, ok := x.found[f.key()]; !ok {
			x.found[f.key()] = f
		}
	}
	x.draw(screen)
}

// draw keeps a picture of what is looked at, in the folder GATEPICTURES.
func (x *tour) draw(screen string) {
	dir := os.Getenv("GATEPICTURES")
	if dir == "" {
		return
	}
	name := strings.NewReplacer(" ", "-", "/", "-", "×", "x", "%", "").Replace(x.pose + " " + screen + " " + string(x.mode))
	if err := savePNG(filepath.Join(dir, name+".png"), x.Win.Canvas().Capture()); err != nil {
		x.t.Fatal(err)
	}
}

// fit lays out again what has grown, as a canvas on the screen does before each
// frame and one in memory does not.
func (x *tour) fit() {
	c := x.Win.Canvas()
	for range 4 {
		changed := x.fitIn(c.Content(), nil)
		for _, o := range c.Overlays().List() {
			changed = x.fitIn(o, nil) || changed
		}
		if !changed {
			return
		}
	}
}

func (x *tour) fitIn(o fyne.CanvasObject, parent func()) (changed bool) {
	if o == nil || !o.Visible() {
		return false
	}
	switch w := o.(type) {
	case *fyne.Container:
		again := func() {
			if w.Layout != nil {
				w.Layout.Layout(w.Objects, w.Size())
			}
		}
		for _, c := range w.Objects {
			changed = x.fitIn(c, again) || changed
		}
	case fyne.Widget:
		r := test.WidgetRenderer(w)
		again := func() { r.Layout(w.Size()) }
		for _, c := range slices.Clone(r.Objects()) {
			changed = x.fitIn(c, again) || changed
		}
	}
	m := o.MinSize()
	was := x.sizes[o]
	x.sizes[o] = m
	if was != m && parent != nil {
		parent()
		return true
	}
	return changed
}

// closeAll closes dialogs and menus, the topmost first.
func (x *tour) closeAll() {
	c := x.Win.Canvas()
	for range 8 {
		top := c.Overlays().Top()
		if top == nil {
			break
		}
		if f, ok := top.(fyne.Focusable); ok {
			f.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		}
		if c.Overlays().Top() == top {
			c.Overlays().Remove(top)
		}
		x.settle()
	}
	x.settle()
}

// workbench looks at the panes in their states.
func (x *tour) workbench() {
	d := x.Desk
	x.studio().sample("long-coding-run")
	x.settle()
	x.Commands.Run("welcome")
	x.settle()
	x.see("workbench, first start")
	x.HideSheet()
	d.SelectMessage(100)
	x.see("workbench")
	x.Commands.Run(commands.Note)
	x.settle()
	x.glance("dialog note")
	x.closeAll()
	x.segments("workbench", x.panesOf())
	x.Commands.Run(commands.History)
	x.see("workbench, history")
	x.Commands.Run(commands.History)
	x.Commands.Run("only.dropped")
	x.see("workbench, one fate")
	d.SetFilter(desk.Filter{Text: "qqzzxx"})
	x.see("workbench, nothing found")
	d.SetFilter(desk.Filter{})
	for range 3 {
		d.Say(desk.Notice{Severity: desk.Warning, Code: "fileRewritten", Args: []any{"title", "a.jsonl"}})
	}
	x.Overlay.Toast(words.T("shell.copied"), words.T("do.undo"), func() {})
	x.see("workbench, banners")
	for _, n := range slices.Clone(d.Notices()) {
		d.CloseNotice(n)
	}
	x.Overlay.HideToast()
	d.Planning.Set(func(p *model.Policy) { p.Window = 10_000 })
	x.see("workbench, parameters in conflict")
	d.Undo()
	x.studio().sample("mixed-languages")
	x.see("workbench, mixed languages")
	x.studio().sample("damaged")
	x.see("workbench, damaged lines")
	x.studio().sample("long-coding-run")
	x.settle()
}

func (x *tour) panesOf() fyne.CanvasObject { return x.Win.Content() }

// segments looks at each choice of each row of choices that is on the screen.
func (x *tour) segments(screen string, in fyne.CanvasObject) {
	var all []*kit.Segments
	each(in, func(o fyne.CanvasObject) {
		if s, ok := o.(*kit.Segments); ok && !s.Disabled() {
			all = append(all, s)
		}
	})
	for k, s := range all {
		was := s.Selected()
		for i := range s.Len() {
			if i == was {
				continue
			}
			s.Choose(i)
			x.settle()
			x.glance(fmt.Sprintf("%s, choice %d.%d", screen, k+1, i+1))
		}
		s.Choose(was)
		x.settle()
	}
}

// each calls f for every object that is shown below o, and o.
func each(o fyne.CanvasObject, f func(fyne.CanvasObject)) {
	if o == nil || !o.Visible() {
		return
	}
	f(o)
	switch w := o.(type) {
	case *fyne.Container:
		for _, c := range w.Objects {
			each(c, f)
		}
	case fyne.Widget:
		for _, c := range slices.Clone(test.WidgetRenderer(w).Objects()) {
			each(c, f)
		}
	}
}

// sheet is a screen that replaces the panes, and how it is opened.
type sheet struct {
	name string
	open func()
}

func (x *tour) allSheets() []sheet {
	s := x.studio()
	return []sheet{
		{"preview", func() { x.Commands.Run(commands.Preview) }},
		{"preview of an earlier place", s.previewEarlier},
		{"end", func() { x.Desk.Planning.SetAt(len(x.Desk.Session().Thread().History)) }},
		{"why", func() { x.Commands.Run(commands.Why) }},
		{"what their summary kept", func() { x.Commands.Run(commands.Recorded) }},
		{"records", func() {
			if x.Desk.Session() != nil && len(x.Desk.Session().Stack()) == 0 {
				s.records()
			} else {
				x.showRecords()
			}
		}},
		{"records beside each other", func() { x.Commands.Run(commands.CompareRecords) }},
		{"sweep", s.sweep},
		{"compare", x.showCompare},
		{"agents", s.agents},
		{"sessions", x.showSessions},
		{"search", func() { x.FindAll(desk.Asked{Text: "role:tool"}) }},
	}
}

// sheets looks at the screens that replace the panes, once more after all
// of them were hidden during a switch.
func (x *tour) sheets() {
	s := x.studio()
	for _, sh := range x.allSheets() {
		sh.open()
		x.settle()
		if !x.InSheet() {
			continue
		}
		x.see(sh.name)
		x.segments(sh.name, x.Win.Content())
		x.LeaveSheet()
		x.settle()
	}
	s.sample("long-coding-run")
	x.settle()
	for _, id := range []string{commands.Preview, commands.Why, commands.Recorded, commands.Records, "sweep", "compare"} {
		x.Commands.Run(id)
		x.settle()
		x.see(id + " again")
		x.LeaveSheet()
	}
}

// passedOver are the commands that open no dialog: they act.
var passedOver = []string{"quit", "fullScreen", commands.Undo, "redo", commands.ApplyDraft, commands.Compact, "cancelJob", "remove",
	"writeBack", "undoWriteBack", "textLarger", "textSmaller", "textNormal", commands.Reload, "workbench", "restore"}

// dialogs looks at whatever dialog a command opens.
func (x *tour) dialogs() {
	do := func(prefix string, from ...string) {
		for _, cmd := range slices.Clone(x.Commands.List) {
			if slices.Contains(passedOver, cmd.ID) || strings.HasPrefix(cmd.ID, "language.") || strings.HasPrefix(cmd.ID, "theme.") ||
				strings.HasPrefix(cmd.ID, "preset.") || strings.HasPrefix(cmd.ID, "hide") || !cmd.Can() || cmd.ID == "menu" || cmd.ID == commands.History ||
				cmd.ID == "advice" && x.advised {
				continue
			}
			x.advised = x.advised || cmd.ID == "advice"
			if len(from) > 0 && cmd.Menu != from[0] {
				continue
			}
			sheet := x.Back != nil
			cmd.Run()
			x.settle()
			if x.Win.Canvas().Overlays().Top() != nil {
				x.glance(prefix + "dialog " + cmd.ID)
				x.closeAll()
			}
			if !sheet {
				x.LeaveSheet()
			}
			x.settle()
		}
	}
	do("")
	for _, p := range preferences.Pages {
		settingsAt(x.window, p)()
		x.settle()
		x.glance("settings, " + p)
		x.closeAll()
	}
	x.showRecords()
	x.settle()
	for _, id := range []string{"restore", "deleteRecords", "exportRecord"} {
		x.Commands.Run(id)
		x.settle()
		if x.Win.Canvas().Overlays().Top() != nil {
			x.glance("dialog " + id)
			x.closeAll()
		}
	}
	x.LeaveSheet()
	x.Desk.SetFilter(desk.Filter{})
	x.settle()
}
