package evals

import (
	"context"
	"fmt"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// WhoWhen reads the logs of Who&When, a set of failures of groups of agents:
// a history in which a message's name or role says which agent speaks. The
// group is one thread; its agents are listed.
type WhoWhen struct{ codec.InPlace }

func (WhoWhen) Info() codec.Info {
	return codec.Info{Format: model.FormatWhoWhen, Title: "Who&When multi-agent log",
		How: "an object with history, question and mistake_agent; roles are names of agents"}
}

func isWhoWhen(v jspan.Value) bool {
	m := codec.MembersOf(v, "history", "mistake_agent", "question_ID")
	return m[0].Index(0).Get("role").Kind == jspan.String && (m[1].Exists() || m[2].Exists())
}

func (WhoWhen) Recognise(s *codec.Sniff) (int, string) {
	if s.Share(isWhoWhen) >= 0.5 {
		return 88, "history, question and mistake_agent, as in Who&When"
	}
	if s.Whole.Kind == jspan.Array && isWhoWhen(s.Whole.Index(0)) {
		return 86, "an array of logs as in Who&When"
	}
	return 0, ""
}

func (f WhoWhen) Read(ctx context.Context, b *codec.Builder) error {
	return b.EachValue(ctx, func(v jspan.Value) { f.log(b, v) })
}

func (WhoWhen) log(b *codec.Builder, v jspan.Value) {
	if !isWhoWhen(v) {
		b.NoteAt(v, "unknown-record", "not a log of a group; it is kept in place")
		return
	}
	c := b.NewChat()
	c.Conv.ID = v.Get("question_ID").TextN(200)
	c.Conv.Title = codec.Title(codec.Preview(v.Get("question").TextN(codec.PreviewScan)))
	if prompts := v.Get("system_prompt"); prompts.Kind == jspan.Object {
		b.NoteAt(prompts, "not-read", "the system prompts of the agents are beside the history (system_prompt), and are kept")
	}
	seen := map[string]bool{}
	list := b.Array(v.Get("history"), model.Piece{})
	for i, e := range v.Get("history").Items {
		b.Doc.Items++
		who := whoSpeaks(e)
		head := codec.ContentHead(e.Get("content"))
		m := model.Message{Name: b.Intern(who), Preview: codec.Preview(head), Pieces: []model.Piece{b.Elem(list, i)}}
		switch {
		case codec.IsSummaryText(head):
			m.Role, m.Kind, m.Name = model.RoleUser, model.KindSummary, ""
		case who == "" || strings.EqualFold(who, "human") || strings.EqualFold(who, "user"):
			m.Role, m.Kind, m.Origin, m.Name = model.RoleUser, model.KindUser, model.OriginTyped, ""
		case strings.HasSuffix(strings.ToLower(who), "terminal"): // runs what the others write
			m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginObservation
		default:
			m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
		}
		if m.Kind == model.KindAssistant {
			c.Author(seen, who)
		}
		c.Add(m, e)
	}
	c.Finish()
}

// whoSpeaks is the agent of a message: its name, else its role without the
// note that says to whom or how it speaks.
func whoSpeaks(e jspan.Value) string {
	if n := e.Get("name").TextN(200); n != "" {
		return n
	}
	who, _, _ := strings.Cut(e.Get("role").TextN(200), " (")
	return who
}

// Parts implements [model.Codec].
func (WhoWhen) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	return codec.ReadParts(d, m, func(p *codec.Parts, v jspan.Value) { p.OpenAI(m, v) })
}

// Summary spells a message of the user's.
func (WhoWhen) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	role := "human"
	if like.Has("name") {
		role = "user"
	}
	return edit.SpellLike(d, like).Str("content", s.Text).Str("role", role).Done(), nil
}

func (WhoWhen) ResultContent(*model.Document, *model.Message) ([]model.Span, error) {
	return nil, fmt.Errorf("the log of a group holds no tool results")
}

// Relink moves mistake_step, which counts the messages of the history, with the
// message it points to, or to the summary that replaces it.
func (WhoWhen) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	if len(c.Drop) == 0 {
		return nil, nil
	}
	list := d.Arrays[th.Messages[c.Drop[0]].Pieces[0].Array]
	log, step, err := mistakeStep(d, list)
	if err != nil || !step.Exists() {
		return nil, err
	}
	old, ok := codec.WholeNumber(edit.IDText(step))
	if !ok || old < 0 || int(old) >= len(list.Elems) {
		return nil, nil
	}
	now := int64(0)
	for i, el := range list.Elems {
		for _, s := range c.Summaries {
			if th.Messages[s.Before].Pieces[0].Span == el && int64(i) <= old {
				now++
			}
		}
		if _, gone := e.Gone[el]; !gone && int64(i) < old {
			now++
		}
	}
	if _, gone := e.Gone[list.Elems[old]]; gone {
		now = max(0, now-1)
	}
	if now == old {
		return nil, nil
	}
	at := edit.Within(log, step)
	to := []byte(fmt.Sprint(now))
	if step.Kind == jspan.String {
		to = edit.Quote(d, string(to))
	}
	e.Replace(at, to)
	return []edit.Relink{{Off: at.Off, Field: "mistake_step", From: edit.IDText(step), To: fmt.Sprint(now)}}, nil
}

// mistakeStep finds the member beside a history, in the log that holds it.
func mistakeStep(d *model.Document, list model.Array) (log model.Span, step jspan.Value, err error) {
	log = model.Span{Len: d.Size}
	if d.Style.BOM {
		log = model.Span{Off: 3, Len: d.Size - 3}
	}
	if s, ok := edit.RecordAround(d, model.Piece{Span: list.Span}); ok {
		log = s
	}
	v, err := edit.ParseAt(d, log)
	if err != nil {
		return log, step, err
	}
	if v.Kind == jspan.Array {
		for _, e := range v.Items {
			if edit.Within(log, e).Off <= list.Off && list.End() <= edit.Within(log, e).End() {
				v = e
				break
			}
		}
	}
	return log, v.Get("mistake_step"), nil
}
