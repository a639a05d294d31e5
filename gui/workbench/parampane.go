package workbench

import (
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
	stack   *fyne.Container
	clauses *fyne.Container
	Rows    []*ParamRow // all but the clauses
	Trigger []*ParamRow
	others  []func(q *model.Policy)

	more     *fyne.Container
	moreLink *kit.Link
	models   *kit.Link // beside the context window
	Result   *resultPane
	Advice   *advicePane
	Rules    *rulesPane
	studies  []*kit.Button // why, sweep, compare
	preview  *kit.Button
	compact  *kit.Button
	height   float32
}

func NewParamPane(d *desk.Desk, w fyne.Window, c *commands.Table) *ParamPane {
	p := &ParamPane{d: d, w: w, c: c}
	p.Preset = kit.NewMenuLink("", p.presetMenu)
	p.clauses = kit.Flow(7)
	p.more = kit.Flow(7, p.paramRows(false)...)
	p.more.Hide()
	p.moreLink = kit.NewMenuLink(words.T("parameters.more"), p.toggleMore)
	form := append(p.paramRows(true), kit.Row(0, p.moreLink, kit.Spring()), p.more)
	p.form = kit.Flow(7, form...)
	p.Result = newResultPane(d, p)
	p.Rules = newRulesPane(p)
	p.Advice = newAdvicePane(p, p.Rules.obj)
	p.preview = kit.NewButton(words.T("do.preview"), kit.Secondary, func() { c.Run(commands.Preview) }).Large()
	p.compact = kit.NewButton(words.T("do.compactNow"), kit.Primary, func() { c.Run(commands.Compact) }).Large()
	foot := kit.Row(8, kit.Sized(138, 0, p.preview), kit.Stretch(p.compact))
	studies := kit.Row(6)
	for _, id := range studyIDs {
		b := kit.NewButton(words.T("do."+id), kit.Secondary, func() { c.Run(id) }).Small()
		p.studies = append(p.studies, b)
		studies.Add(b)
	}
	scroll := container.NewVScroll(kit.Pad(8, 6, 10, 12, p.form))
	scroll.OnScrolled = func(fyne.Position) { kit.HideTipOf(scroll) }
	p.stack = container.New(&paramLayout{p}, scroll, p.Result.obj, p.Advice.obj,
		kit.NewRule(), kit.Pad(9, 12, 0, 12, studies), kit.Pad(9, 12, 10, 12, foot))
	p.Obj = kit.NewPane(words.T("parameters.title"), p.stack, p.Preset)
	d.Listen(desk.TopicParams, p.update)
	d.Listen(desk.TopicPlan, p.update)
	d.Listen(desk.TopicSession, p.update)
	d.Listen(desk.TopicJob, p.update)
	for _, t := range []desk.Topic{desk.TopicReplay, desk.TopicFacts} {
		d.Listen(t, func() { p.Result.update(); p.offer(); p.relayout() })
	}
	d.LoadPresets()
	p.update()
	return p
}

// studyIDs are the commands that look closer at what the parameters would do.
var studyIDs = []string{"why", "sweep", "compare"}

// Object is what is in the window.
func (p *ParamPane) Object() fyne.CanvasObject { return p.Obj }

// paramLayout gives the parameters the height they need, as far as it is there,
// the result below them what it needs, the buttons the foot, and what is left to
// the rules. The studies are above the foot where nothing has to give way for
// them; they are in the menu too.
type paramLayout struct{ p *ParamPane }

// lowPane is the height below which the whole run is one line, in units of the
// design.
const lowPane = 640

// MinSize is Fyne's.
func (l *paramLayout) MinSize(objs []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(objs[0].MinSize().Width,
		kit.Px(140)+objs[1].MinSize().Height+objs[2].MinSize().Height+objs[3].MinSize().Height+objs[5].MinSize().Height)
}

// Layout is Fyne's.
func (l *paramLayout) Layout(objs []fyne.CanvasObject, s fyne.Size) {
	l.p.Result.fold(s.Height < kit.Px(lowPane))
	for range 2 { // the height of a paragraph follows its width
		result, rules := objs[1].MinSize().Height, objs[2].MinSize().Height
		rule, studies, foot := objs[3].MinSize().Height, objs[4].MinSize().Height, objs[5].MinSize().Height
		need := objs[0].(*container.Scroll).Content.MinSize().Height
		roomy := s.Height >= need+result+rules+rule+studies+foot
		if show.SetVisible(objs[4], roomy); !roomy {
			studies = 0
		}
		foot += rule + studies
		top := min(need, max(s.Height-foot-rules-result, kit.Px(120)))
		result = max(0, min(result, s.Height-foot-rules-top))
		at := float32(0)
		for i, h := range []float32{top, result, s.Height - foot - top - result, rule, studies, foot - rule - studies} {
			objs[i].Move(fyne.NewPos(0, at))
			objs[i].Resize(fyne.NewSize(s.Width, max(0, h)))
			at += h
		}
	}
}

func (p *ParamPane) update() {
	s := p.d.Session()
	open := s != nil
	q := p.d.Params()
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
	for _, r := range p.Rows {
		r.show(&q)
	}
	for _, f := range p.others {
		f(&q)
	}
	p.Result.update()
	p.Rules.update()
	p.Advice.update()
	p.offer()
	p.preview.SetEnabled(open && p.c.Enabled(commands.Preview))
	p.compact.SetEnabled(open && p.c.Enabled(commands.Compact))
	p.relayout()
}

// offer lets the studies be opened that there is something to look at for.
func (p *ParamPane) offer() {
	for i, b := range p.studies {
		b.SetEnabled(p.d.Session() != nil && p.c.Enabled(studyIDs[i]))
	}
}

// relayout makes room where a line appeared or went.
func (p *ParamPane) relayout() {
	if p.stack == nil {
		return
	}
	if h := p.form.MinSize().Height + p.Result.obj.MinSize().Height; h != p.height {
		p.height = h
		p.form.Refresh()
		p.Result.obj.Refresh()
		p.stack.Refresh()
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

// row adds a parameter that is a number.
func (p *ParamPane) row(spec number) fyne.CanvasObject {
	r := newParamRow(p, spec)
	p.Rows = append(p.Rows, r)
	return r.obj
}
