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

// ParamPane is the parameters, below them what they would do, and at its foot
// the two things to do with that.
type ParamPane struct {
	d *desk.Desk
	w fyne.Window
	c *commands.Table

	Obj     *kit.Pane
	Preset  *kit.Link
	form    *fyne.Container
	wrongs  *fyne.Container // over the form: what is wrong with values, each below its row
	stack   *fyne.Container
	clauses *fyne.Container
	Rows    []*ParamRow // all but the clauses
	Trigger []*ParamRow
	window  *ParamRow // in the place of the trigger where the policy slides over steps
	others  []func(q *model.Policy)

	more     *fyne.Container
	moreLink *kit.Link
	models   *kit.Link // beside the context window
	Result   *resultPane
	Advice   *adviceLine
	studies  []*kit.Button // why, sweep, compare
	preview  *kit.Button
	compact  *kit.Button
	height   float32
	least    bool // it is as low as can be
}

func NewParamPane(d *desk.Desk, w fyne.Window, c *commands.Table) *ParamPane {
	p := &ParamPane{d: d, w: w, c: c}
	p.wrongs = container.New(&wrongsLayout{p})
	p.Preset = kit.NewMenuLink("", p.presetMenu)
	p.clauses = kit.Flow(7)
	p.more = kit.Flow(7, p.paramRows(false)...)
	p.more.Hide()
	p.moreLink = kit.NewMenuLink(words.T("parameters.more"), p.toggleMore).WithTip("parameters.more.tip")
	form := append(p.paramRows(true), kit.Row(0, p.moreLink, kit.Spring()), p.more)
	p.form = kit.Flow(7, form...)
	p.Result = newResultPane(d, p)
	p.Advice = newAdviceLine(p)
	p.preview = kit.NewButton(words.T("do.preview"), kit.Secondary, nil).Does(c, commands.Preview).Large()
	p.compact = kit.NewButton(words.T("do.compactNow"), kit.Primary, nil).Does(c, commands.Compact).Large()
	foot := kit.Row(8, kit.Sized(138, 0, p.preview), kit.Stretch(p.compact))
	studies := kit.Row(6)
	for _, id := range studyIDs {
		b := kit.NewButton(words.T("do."+id), kit.Secondary, nil).Does(c, id).Small()
		p.studies = append(p.studies, b)
		studies.Add(b)
	}
	scroll := container.NewVScroll(container.NewStack(kit.Pad(8, 6, 10, 12, p.form), p.wrongs))
	scroll.OnScrolled = func(fyne.Position) { kit.HideTipOf(scroll) }
	result := container.NewVScroll(p.Result.obj)
	result.OnScrolled = func(fyne.Position) { kit.HideTipOf(result) }
	p.stack = container.New(&paramLayout{p}, scroll, result, p.Advice.obj,
		kit.NewRule(), kit.Pad(9, 12, 0, 12, studies), kit.Pad(9, 12, 10, 12, foot))
	p.Obj = kit.NewPane(words.T("parameters.title"), p.stack, p.Preset)
	d.Listen(desk.TopicParams, p.update)
	d.Listen(desk.TopicPlan, p.update)
	d.Listen(desk.TopicSession, p.update)
	d.Listen(desk.TopicJob, p.update)
	for _, t := range []desk.Topic{desk.TopicReplay, desk.TopicFacts} {
		d.Listen(t, func() { p.Result.update(); p.Offer(); p.relayout() })
	}
	d.Planning.LoadPresets()
	p.update()
	return p
}

// studyIDs are the commands that look closer at what the parameters would do.
var studyIDs = []string{"why", "sweep", "compare"}

// Object is what is in the window.
func (p *ParamPane) Object() fyne.CanvasObject { return p.Obj }

// paramLayout gives the buttons their place at the foot, the parameters the
// height they need, as far as it is there, the result below them what is left,
// and the suggestion below that. What is too high for its
// part is scrolled.
type paramLayout struct{ p *ParamPane }

const (
	lowPane   = 640 // the height below which the whole run is one line, in units of the design
	leastPane = 440 // and below which of the rest only what is left over is seen
	first     = 6   // how many parameters are seen before the result takes room; one less in a low pane
)

// height is that of the form as far as its first parameters.
func (l *paramLayout) height(low bool) float32 {
	objs, h, n := l.p.form.Objects, kit.Px(8), first
	if low {
		n--
	}
	for _, o := range objs[:min(n, len(objs))] {
		h += o.MinSize().Height + kit.Px(7)
	}
	return h
}

// MinSize is Fyne's.
func (l *paramLayout) MinSize(objs []fyne.CanvasObject) fyne.Size {
	w := max(objs[0].MinSize().Width, l.p.Result.obj.MinSize().Width)
	return fyne.NewSize(w, kit.Px(260)+objs[3].MinSize().Height+objs[4].MinSize().Height+objs[5].MinSize().Height)
}

// Layout is Fyne's.
func (l *paramLayout) Layout(objs []fyne.CanvasObject, s fyne.Size) {
	low, least := s.Height < kit.Px(lowPane), s.Height < kit.Px(leastPane)
	l.p.fold(low, least)
	share := float32(.66)
	if least {
		share = 1
	}
	for range 2 { // the height of a paragraph follows its width
		result, advice := l.p.Result.obj.MinSize().Height, kit.Px(adviceHeight)
		if low {
			advice = 0
		}
		rule, studies, foot := objs[3].MinSize().Height, objs[4].MinSize().Height, objs[5].MinSize().Height
		need := objs[0].(*container.Scroll).Content.MinSize().Height
		foot += rule + studies
		room := s.Height - foot - advice
		top := min(need, max(room-result, min(l.height(low && !least), room*share)))
		result = max(0, min(result, room-top))
		at := float32(0)
		for i, h := range []float32{top, result, s.Height - foot - top - result, rule, studies, foot - rule - studies} {
			objs[i].Move(fyne.NewPos(0, at))
			objs[i].Resize(fyne.NewSize(s.Width, max(0, h)))
			at += h
		}
	}
}

// fold leaves out what there is no room for where the pane is low, and more where it is
// as low as can be.
func (p *ParamPane) fold(low, least bool) {
	p.Result.fold(low, least)
	show.SetVisible(p.Advice.obj, !low)
	if p.least != least {
		p.least = least
		q := p.d.Planning.Params()
		for _, r := range slices.Concat(p.Trigger, p.Rows) {
			r.show(&q)
		}
	}
}

func (p *ParamPane) update() {
	s := p.d.Session()
	open := s != nil
	q := p.d.Planning.Params()
	if title := p.PresetTitle(); title != p.Preset.Text() {
		p.Preset.SetText(title)
		p.Obj.SetRight(p.Preset)
	}
	p.Preset.SetEnabled(open)
	if n := max(1, len(q.Triggers)); n != len(p.Trigger) {
		p.listClauses(n)
	}
	for _, r := range p.Trigger {
		r.show(&q)
	}
	show.SetVisible(p.clauses, !q.Sliding()) // which acts above its window
	for _, r := range p.Rows {
		r.show(&q)
	}
	for _, f := range p.others {
		f(&q)
	}
	p.Result.update()
	p.Advice.update()
	p.Offer()
	p.relayout()
}

// Offer enables the buttons of what can be done now.
func (p *ParamPane) Offer() {
	for i, b := range p.studies {
		p.can(b, studyIDs[i])
	}
	p.can(p.preview, commands.Preview)
	p.can(p.compact, commands.Compact)
}

// can enables the button of a command, whose tip says what it does or why it
// can't.
func (p *ParamPane) can(b *kit.Button, id string) {
	on := p.d.Session() != nil && p.c.Enabled(id)
	b.SetEnabled(on)
	b.SetTip(p.c.Tip(id))
}

// wrongsLayout places what is wrong with a value below its row, over the rows that
// follow, so that no field moves.
type wrongsLayout struct{ p *ParamPane }

// MinSize is Fyne's.
func (l *wrongsLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// Layout is Fyne's.
func (l *wrongsLayout) Layout(_ []fyne.CanvasObject, s fyne.Size) {
	d := fyne.CurrentApp().Driver()
	at := d.AbsolutePositionForObject(l.p.wrongs)
	for _, r := range append(slices.Clone(l.p.Trigger), l.p.Rows...) {
		if !r.Wrong.Obj.Visible() {
			continue
		}
		below := d.AbsolutePositionForObject(r.line).Subtract(at).AddXY(0, r.line.Size().Height+kit.Px(2))
		box := r.Wrong.Obj
		box.Resize(fyne.NewSize(r.line.Size().Width, 0)) // its height follows
		h := box.MinSize().Height
		box.Move(fyne.NewPos(below.X, max(0, min(below.Y, s.Height-h))))
		box.Resize(fyne.NewSize(r.line.Size().Width, h))
	}
}

// showWrongs puts what is wrong over the form.
func (p *ParamPane) showWrongs() {
	before := len(p.wrongs.Objects)
	p.wrongs.Objects = p.wrongs.Objects[:0]
	for _, r := range slices.Concat(p.Trigger, p.Rows) {
		if r.Wrong.Obj.Visible() {
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
	if p.stack == nil {
		return
	}
	defer p.showWrongs()
	if h := p.form.MinSize().Height + p.Result.obj.MinSize().Height; h != p.height {
		p.height = h
		for range 2 { // what is scrolled has the height it needs, which the heights of the scrolls follow
			p.stack.Layout.Layout(p.stack.Objects, p.stack.Size())
			for _, o := range p.stack.Objects[:2] {
				s := o.(*container.Scroll)
				s.Content.Resize(s.Content.MinSize().Max(s.Size()))
			}
		}
	}
}

func (p *ParamPane) toggleMore() {
	show.SetVisible(p.more, !p.more.Visible())
	text := words.T("parameters.more")
	if p.more.Visible() {
		text = words.T("parameters.less")
	}
	p.moreLink.SetText(text)
	p.relayout()
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
