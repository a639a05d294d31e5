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

// ParamPane is how to compact: four settings and the strategy, below them what they would
// do, and at its foot the two things to do with that. All settings are a page in the same place.
type ParamPane struct {
	d *desk.Desk
	w fyne.Window
	c *commands.Table

	Obj     *kit.Pane
	Preset  *kit.Link
	page    *fyne.Container // the settings of the page, and on the first one the result
	wrongs  *fyne.Container // over them: what is wrong with values, each below its row
	scroll  *container.Scroll
	All     bool // all settings are shown
	rows    map[string]fyne.CanvasObject
	clauses *fyne.Container
	Rows    []*ParamRow // all but the clauses
	Trigger []*ParamRow
	window  *ParamRow // in the place of the trigger where the policy slides over steps
	others  []func(q *model.Policy)

	models  *kit.Button    // above the model limit
	rest    *kit.Text      // how many settings are on the other page
	saved   *kit.Paragraph // what its program saved beside them
	Result  *resultPane
	Advice  *adviceLine
	preview *kit.Button
	compact *kit.Button
	least   bool // the pane is low: captions go first
	height  float32
}

// knobs are the settings of the first page.
var knobs = []string{"window", "trigger", "tail", "batch", "strategy"}

// groups are all settings, by what they are about.
var groups = []struct {
	word string
	keys []string
}{
	{"parameters.group.when", []string{"window", "reserve", "trigger", "target", "gain", "gainTokens"}},
	{"parameters.group.stays", []string{"tail", "tiers", "firstUser", "noThinking", "pins"}},
	{"parameters.group.goes", []string{"batch", "keep", "above", "checkpoints", "fixed"}},
	{"parameters.group.note", []string{"strategy", "budget", "former", "layer", "failure", "hard", "backoff"}},
}

func NewParamPane(d *desk.Desk, w fyne.Window, c *commands.Table) *ParamPane {
	p := &ParamPane{d: d, w: w, c: c, rows: map[string]fyne.CanvasObject{}, page: kit.Flow(7), clauses: kit.Flow(7)}
	p.wrongs = container.New(&wrongsLayout{p})
	p.Preset = kit.NewMenuLink("", p.presetMenu)
	p.rest = kit.NewText("", kit.ColorFaint, 11).Right().Fit()
	p.saved = kit.NewParagraph("", kit.ColorMuted, 12, 6)
	for _, x := range model.Params() {
		row, focus := p.paramRow(x)
		p.rows[x.Key] = row
		c.Bind(commands.Param+x.Key, p.open, func() { p.reach(x.Key, row, focus) })
	}
	p.Result, p.Advice = newResultPane(d, p), newAdviceLine(p)
	p.preview = kit.NewButton(words.T("do.preview"), kit.Secondary, nil).Does(c, commands.Preview).Large()
	p.compact = kit.NewButton(words.T("do.compactNow"), kit.Primary, nil).Does(c, commands.Compact).Large()
	foot := kit.Row(8, kit.Sized(138, 0, p.preview), kit.Stretch(p.compact))
	p.scroll = container.NewVScroll(container.NewStack(p.page, p.wrongs))
	p.scroll.OnScrolled = func(fyne.Position) { kit.HideTipOf(p.scroll) }
	p.Obj = kit.NewPane(words.T("parameters.title"), container.New(&paramLayout{p}, p.scroll, p.Advice.obj,
		kit.Column(0, kit.NewRule(), kit.Pad(9, 12, 10, 12, foot))), p.Preset)
	for _, t := range []desk.Topic{desk.TopicParams, desk.TopicPlan, desk.TopicSession, desk.TopicJob} {
		d.Listen(t, p.update)
	}
	for _, t := range []desk.Topic{desk.TopicReplay, desk.TopicFacts} {
		d.Listen(t, func() { p.Result.update(); p.Offer(); p.relayout() })
	}
	d.Planning.LoadPresets()
	p.Show(false)
	return p
}

// Object is what is in the window.
func (p *ParamPane) Object() fyne.CanvasObject { return p.Obj }

// Show shows all settings, by groups, or the first page.
func (p *ParamPane) Show(all bool) {
	p.All = all
	form := kit.Flow(7)
	if all {
		form = kit.Flow(1) // so that all of them are seen at once in a window 1,000 high
	}
	for _, key := range knobs {
		if !all {
			form.Add(p.rows[key])
		}
	}
	link := kit.NewLink(words.T("parameters.all.open"), func() { p.Show(!p.All) }).WithTip("parameters.all.tip")
	if all {
		link.SetText(words.T("parameters.all.back"))
		form.Add(kit.Row(0, link, kit.Spring()))
		for _, g := range groups {
			form.Add(kit.NewText(words.T(g.word), kit.ColorMuted, 12).Bold())
			for _, key := range g.keys {
				form.Add(p.rows[key])
			}
		}
		form.Add(p.saved)
		p.page.Objects = []fyne.CanvasObject{kit.Pad(8, 6, 10, 12, form)}
	} else {
		form.Add(kit.Row(8, link, kit.Stretch(p.rest)))
		form.Add(p.saved)
		p.page.Objects = []fyne.CanvasObject{kit.Pad(8, 6, 6, 12, form), kit.NewRule(), p.Result.obj}
	}
	p.height = 0
	p.update()
	p.scroll.ScrollToTop()
	p.Obj.Refresh()
}

// paramLayout gives the buttons their place at the foot and the suggestion the one above;
// where the settings with their result need it, the suggestion goes, then the captions.
type paramLayout struct{ p *ParamPane }

// leastPane is the height below which captions go, in units of the design.
const leastPane = 470

// MinSize is Fyne's.
func (l *paramLayout) MinSize(objs []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(kit.Px(280), kit.Px(200)+objs[2].MinSize().Height)
}

// Layout is Fyne's.
func (l *paramLayout) Layout(objs []fyne.CanvasObject, s fyne.Size) {
	p := l.p
	if least := s.Height < kit.Px(leastPane); p.least != least {
		p.least = least
		p.showRows()
	}
	foot := objs[2].MinSize().Height
	p.scroll.Content.Resize(fyne.NewSize(s.Width, p.scroll.Content.MinSize().Height)) // a paragraph's height follows its width
	advice := kit.Px(adviceHeight)
	if show.SetVisible(p.Advice.obj, !p.All && p.scroll.Content.MinSize().Height <= s.Height-foot-advice); !p.Advice.obj.Visible() {
		advice = 0
	}
	at := float32(0)
	for i, h := range []float32{s.Height - foot - advice, advice, foot} {
		objs[i].Move(fyne.NewPos(0, at))
		objs[i].Resize(fyne.NewSize(s.Width, max(0, h)))
		at += h
	}
}

// showRows has the rows take over the settings.
func (p *ParamPane) showRows() {
	q := p.d.Planning.Params()
	for _, r := range slices.Concat(p.Trigger, p.Rows) {
		r.show(&q)
	}
	for _, f := range p.others {
		f(&q)
	}
}

func (p *ParamPane) update() {
	open := p.d.Session() != nil
	q := p.d.Planning.Params()
	if title := p.PresetTitle(); title != p.Preset.Text() {
		p.Preset.SetText(title)
		p.Obj.SetRight(p.Preset)
	}
	p.Preset.SetEnabled(open)
	p.saved.Set(p.savedWords(), kit.ColorMuted)
	show.SetVisible(p.saved, p.saved.Text() != "")
	p.rest.SetText(words.T("parameters.all.rest", "n", len(p.rows)-len(knobs), "preset", show.PresetName(q.Preset)))
	if n := max(1, len(q.Triggers)); n != len(p.Trigger) {
		p.listClauses(n)
	}
	show.SetVisible(p.clauses, !q.Sliding()) // which acts above its window
	p.showRows()
	p.Result.update()
	p.Advice.update()
	p.Offer()
	p.relayout()
}

// savedWords says what a program saved beside its settings: whether it compacts by itself, and
// with which model; "": nothing.
func (p *ParamPane) savedWords() string {
	e, s := p.d.Current(), p.d.Session()
	if s == nil {
		return ""
	}
	c, ok := e.File.SavedConfig(s.Ref())
	if !ok {
		return ""
	}
	enabled, name := "compare.no", c.SummaryModel
	if c.Enabled {
		enabled = "compare.yes"
	}
	switch {
	case name == "" && c.UseAgentModel:
		name = words.T("parameters.saved.agents")
	case name == "":
		name = words.T("result.none")
	}
	return words.T("parameters.saved.means", "enabled", words.T(enabled), "model", name,
		"seconds", words.Int(int64(c.SummaryTimeout)/1000))
}

// Offer enables the buttons of what can be done now.
func (p *ParamPane) Offer() {
	for b, id := range map[*kit.Button]string{p.preview: commands.Preview, p.compact: commands.Compact} {
		b.SetEnabled(p.open() && p.c.Enabled(id))
		b.SetTip(p.c.Tip(id))
	}
}

// wrongsLayout places what is wrong with a value below its row, over the rows that
// follow, so that no field moves.
type wrongsLayout struct{ p *ParamPane }

// MinSize is Fyne's.
func (l *wrongsLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// Layout is Fyne's.
func (l *wrongsLayout) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	d := fyne.CurrentApp().Driver()
	at, free := d.AbsolutePositionForObject(l.p.wrongs), float32(0) // no box covers another
	for _, r := range slices.Concat(l.p.Trigger, l.p.Rows) {
		if !r.Wrong.Obj.Visible() {
			continue
		}
		below := d.AbsolutePositionForObject(r.line).Subtract(at).AddXY(0, r.line.Size().Height+kit.Px(2))
		box := r.Wrong.Obj
		box.Resize(fyne.NewSize(r.line.Size().Width, 0)) // its height follows
		h := box.MinSize().Height
		y := max(free, min(below.Y, s.Height-h))
		box.Move(fyne.NewPos(below.X, y))
		free = y + h + kit.Px(2)
		box.Resize(fyne.NewSize(r.line.Size().Width, h))
	}
}

// showWrongs puts what is wrong over the form.
func (p *ParamPane) showWrongs() {
	before := len(p.wrongs.Objects)
	p.wrongs.Objects = p.wrongs.Objects[:0]
	for _, r := range slices.Concat(p.Trigger, p.Rows) {
		if r.Wrong.Obj.Visible() && (p.All || slices.Contains(knobs, r.Spec.key)) {
			p.wrongs.Objects = append(p.wrongs.Objects, r.Wrong.Obj)
		}
	}
	if before+len(p.wrongs.Objects) > 0 {
		p.wrongs.Refresh()
	}
}

// relayout makes room where a line appeared or went. Nothing is painted anew for that:
// it happens while a slider is dragged.
func (p *ParamPane) relayout() {
	if p.Obj == nil {
		return
	}
	defer p.showWrongs()
	if h := p.page.MinSize().Height; h != p.height {
		p.height = h
		for range 2 { // the height of a paragraph follows its width
			p.page.Layout.Layout(p.page.Objects, p.page.Size())
			p.scroll.Content.Resize(p.scroll.Content.MinSize().Max(p.scroll.Size()))
		}
	}
}

// listClauses makes a row for each clause of the trigger.
func (p *ParamPane) listClauses(n int) {
	p.Trigger = p.Trigger[:0]
	p.clauses.Objects = nil
	for k := range n {
		r := newParamRow(p, p.clauseSpec(k))
		p.Trigger = append(p.Trigger, r)
		p.clauses.Objects = append(p.clauses.Objects, r.obj)
	}
	p.height = 0
}
