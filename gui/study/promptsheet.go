package study

import (
	"cmp"
	"errors"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// PromptSheet shows what the prompt of the agent's next request would hold at the
// message looked at, under the parameters: the same text as the verb history, with
// what the last compaction changed marked.
type PromptSheet struct {
	d *desk.Desk
	c *commands.Table

	obj  fyne.CanvasObject
	open bool
	View *kit.TextView
	Head *kit.Text
	Part *kit.Select // what of the prompt is shown: promptParts

	Shown *session.Prompt // what the view is made of; nil: nothing yet
	Text  string          // what the view holds
}

// promptParts are the parts of a prompt that can be looked at; those in tokens are
// of step histories.
var promptParts = []session.PromptView{{}, {Summaries: true}, {Last: 1}, {Last: 5}, {Last: 10}, {Within: 1_000}, {Within: 4_000}}

func promptPartNames() []string {
	var out []string
	for _, v := range promptParts {
		switch {
		case v.Summaries:
			out = append(out, words.T("prompt.part.summaries"))
		case v.Last > 0:
			out = append(out, words.T("prompt.part.last", "count", v.Last))
		case v.Within > 0:
			out = append(out, words.T("prompt.part.within", "tokens", words.Int(int64(v.Within))))
		default:
			out = append(out, words.T("prompt.part.all"))
		}
	}
	return out
}

// NewPromptSheet binds the sheet to its command.
func NewPromptSheet(d *desk.Desk, c *commands.Table) *PromptSheet {
	s := &PromptSheet{d: d, c: c, View: kit.NewTextView(false)}
	s.Head = kit.NewText("", kit.ColorMuted, 13)
	s.View.OnMetrics = s.update
	s.Part = kit.NewSelect(promptPartNames(), 0, func(int) { s.update() })
	back := kit.NewButton(words.T("preview.back"), kit.Secondary, s.Close).WithTip("preview.back.tip").WithGlyph(kit.GlyphLeft)
	copied := kit.NewButton(words.T("do.copy"), kit.Secondary, func() {
		if s.Shown != nil {
			kit.Copy(s.Text)
		}
	}).WithTip("do.copy.tip").Small()
	top := kit.NewPane("", kit.Pad(0, 10, 0, 10, kit.Row(10, back, kit.Label(words.T("prompt.title")).Bold(), s.Head, kit.Spring())))
	pane := kit.NewPane(words.T("prompt.text"), s.View, kit.Sized(170, 24, s.Part), copied)
	s.obj = kit.Panes(kit.Sized(0, 40, top), kit.Stretch(pane))
	for _, topic := range []desk.Topic{desk.TopicPlan, desk.TopicReplay} {
		d.Listen(topic, s.update)
	}
	d.Listen(desk.TopicSession, func() {
		if s.open {
			s.Close()
		}
	})
	c.Bind(commands.Prompt, func() bool { return d.Session() != nil }, func() {
		if !s.open {
			s.Show()
		}
	})
	return s
}

// Show opens the sheet.
func (s *PromptSheet) Show() {
	s.open = true
	s.update()
	s.c.Show(s.obj, s.Close)
}

// Close goes back to the work.
func (s *PromptSheet) Close() {
	s.open = false
	s.c.Hide()
}

func (s *PromptSheet) update() {
	if !s.open {
		return
	}
	m, room := s.View.Metrics()
	part := promptParts[max(0, s.Part.Selected())]
	var lines []kit.Line // made beside the window: the prompt may be long
	var text string
	prepare := func(p *session.Prompt) {
		if text = p.Text; part == (session.PromptView{}) {
			lines = promptLines(p, m, room)
			return
		}
		var err error
		text, err = p.View(part)
		lines = kit.Wrap(cmp.Or(text, noPart(err)), m, room, 0)
	}
	s.d.Prompt(prepare, func(p *session.Prompt, at int) {
		if !s.open {
			return
		}
		s.Shown, s.Text = p, text
		head := words.T("prompt.at", "at", words.Int(int64(at+1)), "compactions", words.T("count.compactions", "count", p.Firings))
		if p.Last >= 0 {
			head += " · " + words.T("prompt.changed", "at", words.Int(int64(p.Last)))
		}
		s.Head.SetText(head)
		if len(lines) == 0 {
			lines = kit.Wrap(words.T("prompt.empty"), m, room, 0)
		}
		s.View.SetLines(lines, false)
	})
}

// noPart says why a part of a prompt has no text.
func noPart(err error) string {
	switch {
	case errors.Is(err, session.ErrViewOfSteps):
		return words.T("prompt.part.stepsOnly")
	case err != nil: // a budget in which nothing has room
		return words.T("prompt.part.noRoom")
	}
	return words.T("prompt.part.none")
}

// promptLines are the entries of a prompt as lines: each with its role above it,
// what the last compaction changed as added.
func promptLines(p *session.Prompt, m kit.Measure, room float32) (out []kit.Line) {
	for i, e := range p.Entries {
		if i > 0 {
			out = append(out, kit.Line{})
		}
		kind := kit.LinePlain
		if e.Changed {
			kind = kit.LineAdded
		}
		if !p.Steps {
			out = append(out, kit.Line{Text: roleWord(e.Role), Kind: kit.LineHead})
		}
		for _, line := range kit.Wrap(strings.TrimRight(e.Text, "\n"), m, room, 0) {
			line.Kind = kind
			out = append(out, line)
		}
	}
	return out
}

func roleWord(role string) string {
	switch role {
	case "tool":
		role = "result"
	case "developer":
		role = "system"
	case "system", "user", "assistant", "summary":
	default:
		role = "other"
	}
	return words.T("role." + role)
}
