package transcript

import (
	"context"
	"fmt"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// whoWhen reads the logs of Who&When, a set of failures of groups of agents:
// a history in which a message's name or role says which agent speaks. The
// group is one thread; its agents are listed.
type whoWhen struct{ inPlace }

func (whoWhen) info() Info {
	return Info{model.FormatWhoWhen, "Who&When multi-agent log",
		"an object with history, question and mistake_agent; roles are names of agents"}
}

func isWhoWhen(v jspan.Value) bool {
	m := members(v, "history", "mistake_agent", "question_ID")
	return m[0].Index(0).Get("role").Kind == jspan.String && (m[1].Exists() || m[2].Exists())
}

func (whoWhen) recognise(s *sniff) (int, string) {
	if s.share(isWhoWhen) >= 0.5 {
		return 88, "history, question and mistake_agent, as in Who&When"
	}
	if s.whole.Kind == jspan.Array && isWhoWhen(s.whole.Index(0)) {
		return 86, "an array of logs as in Who&When"
	}
	return 0, ""
}

func (f whoWhen) read(ctx context.Context, b *builder) error {
	if !b.whole.Exists() {
		return b.lines(ctx, func(v jspan.Value) error {
			f.log(b, v)
			return nil
		})
	}
	if b.whole.Kind == jspan.Object {
		f.log(b, b.whole)
		return nil
	}
	b.whole.Items(func(_ int, v jspan.Value) bool {
		f.log(b, v)
		return ctx.Err() == nil
	})
	return ctx.Err()
}

func (whoWhen) log(b *builder, v jspan.Value) {
	if !isWhoWhen(v) {
		b.noteAt(v, "unknown-record", "not a log of a group; it is kept where it stands")
		return
	}
	c := b.newChat()
	c.conv.ID = v.Get("question_ID").TextN(200)
	c.conv.Title = title(preview(v.Get("question").TextN(previewScan)))
	seen := map[string]bool{}
	list := b.array(v.Get("history"), model.Piece{})
	v.Get("history").Items(func(i int, e jspan.Value) bool {
		b.doc.Items++
		who := whoSpeaks(e)
		head := contentHead(e.Get("content"))
		m := model.Message{Name: b.intern(who), Preview: preview(head), Pieces: []model.Piece{b.elem(list, i)}}
		switch {
		case isSummaryText(head):
			m.Role, m.Kind, m.Name = model.RoleUser, model.KindSummary, ""
		case who == "" || strings.EqualFold(who, "human") || strings.EqualFold(who, "user"):
			m.Role, m.Kind, m.Origin, m.Name = model.RoleUser, model.KindUser, model.OriginTyped, ""
		case strings.HasSuffix(strings.ToLower(who), "terminal"): // runs what the others write
			m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginObservation
		default:
			m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
		}
		if m.Kind == model.KindAssistant {
			c.author(seen, who)
		}
		c.add(m, e)
		return true
	})
	c.finish()
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
func (whoWhen) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	v, err := parseAt(d, m.Pieces[0].Span)
	if err != nil {
		return nil, err
	}
	var p parts
	p.openAI(m, v)
	return p.done(), nil
}

// summary spells a message of the user's.
func (whoWhen) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	role := "human"
	if v.Has("name") {
		role = "user"
	}
	return spellLike(d, v).str("content", s.Text).str("role", role).done(), nil
}

func (whoWhen) resultContent(*model.Document, *model.Message) ([]model.Span, error) {
	return nil, fmt.Errorf("the log of a group holds no tool results")
}

// relink moves mistake_step, which counts the messages of the history, with the
// message it points to, or to the summary that stands for it.
func (whoWhen) relink(d *model.Document, th *model.Thread, c *Change, e *Edits) ([]Relink, error) {
	if len(c.Drop) == 0 {
		return nil, nil
	}
	list := d.Arrays[th.Messages[c.Drop[0]].Pieces[0].Array]
	log, step, err := mistakeStep(d, list)
	if err != nil || !step.Exists() {
		return nil, err
	}
	old, ok := wholeNumber(idText(step))
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
	at := within(log, step)
	to := []byte(fmt.Sprint(now))
	if step.Kind == jspan.String {
		to = quote(d, string(to))
	}
	e.Replace(at, to)
	return []Relink{{Off: at.Off, Field: "mistake_step", From: idText(step), To: fmt.Sprint(now)}}, nil
}

// mistakeStep finds the member beside a history, in the log that holds it.
func mistakeStep(d *model.Document, list model.Array) (log model.Span, step jspan.Value, err error) {
	log = model.Span{Len: d.Size}
	if d.Style.BOM {
		log = model.Span{Off: 3, Len: d.Size - 3}
	}
	if s, ok := holding(d, model.Piece{Span: list.Span}); ok {
		log = s
	}
	v, err := parseAt(d, log)
	if err != nil {
		return log, step, err
	}
	if v.Kind == jspan.Array {
		v.Items(func(_ int, e jspan.Value) bool {
			if within(log, e).Off <= list.Off && list.End() <= within(log, e).End() {
				v = e
				return false
			}
			return true
		})
	}
	return log, v.Get("mistake_step"), nil
}
