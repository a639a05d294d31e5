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
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/words"
	"palimpsest/model/body"
)

// PromptSheet shows what the prompt of the agent's next request would hold at the
// message looked at, under the parameters: the same text as the verb history, with
// what the last compaction changed marked.
type PromptSheet struct {
	d *desk.Desk
	c *commands.Table

	obj  fyne.CanvasObject
	open bool
	View *reading.View
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
	s := &PromptSheet{d: d, c: c, View: reading.New(d.Scheduler())}
	s.Head = kit.NewText("", kit.ColorMuted, 13)
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
	part := promptParts[max(0, s.Part.Selected())]
	var doc *body.Doc // made beside the window: the prompt may be long
	var text string
	prepare := func(p *session.Prompt) {
		if text = p.Text; part == (session.PromptView{}) {
			doc = promptBody(p)
			return
		}
		var err error
		text, err = p.View(part)
		doc = body.Plain(cmp.Or(text, noPart(err)))
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
		if len(doc.Blocks) == 0 {
			doc = body.Plain(words.T("prompt.empty"))
		}
		s.View.Set(doc)
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

// promptBody is the entries of a prompt, each with its role above it; the text that the last
// compaction changed is shown as added.
func promptBody(p *session.Prompt) *body.Doc {
	d := &body.Doc{}
	for i, e := range p.Entries {
		text := body.Block{Kind: body.Verbatim, Prose: true, Text: strings.TrimRight(e.Text, "\n"), Tight: !p.Steps || i == 0}
		if e.Changed {
			text.Spans = []body.Span{{To: len(text.Text), Style: body.Style{Ink: body.InkAdded}}}
		}
		if !p.Steps {
			d.Blocks = append(d.Blocks, body.Block{Kind: body.Label, Text: roleWord(e.Role), Tight: i == 0})
		}
		d.Blocks = append(d.Blocks, text)
	}
	return d
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
