package openai

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// ShareGPT reads conversations of {from, value} as training sets keep them,
// many in a file. A function_call holds its call as JSON in its value; the
// observation behind it answers it. Where none is open (calls that are written
// into the text) an observation is what came of an action, not a result.
//
// Its readers want the two sides to alternate, so a summary speaks for the side
// whose turn it is.
type ShareGPT struct{ codec.InPlace }

func (ShareGPT) Info() codec.Info {
	return codec.Info{Format: model.FormatShareGPT, Title: "ShareGPT", How: "objects with conversations, a list of {from, value}"}
}

// turnsOf is the list of a conversation; Missing if there is none.
func turnsOf(v jspan.Value) jspan.Value {
	if v.Has("chosen") && v.Has("rejected") {
		return jspan.Value{} // answers to choose from, not a history
	}
	for _, key := range []string{"conversations", "conversation"} {
		list, good := v.Get(key), 0
		for i, e := range list.Items {
			if from, value := turnOf(e); from.Kind == jspan.String && value.Exists() {
				good++
			}
			if i >= 9 {
				break
			}
		}
		if good > 0 && good*2 >= min(list.Count(), 10) {
			return list
		}
	}
	return jspan.Value{}
}

// turnOf is who speaks and what, in either spelling.
func turnOf(v jspan.Value) (from, value jspan.Value) {
	return codec.Either(v, "from", "role"), codec.Either(v, "value", "content")
}

func isShareGPT(v jspan.Value) bool { return turnsOf(v).Exists() }

func (ShareGPT) Recognise(s *codec.Sniff) (int, string) {
	return s.ScoreLayout(88, isShareGPT, "conversations of {from, value}")
}

func (f ShareGPT) Read(ctx context.Context, b *codec.Builder) error {
	return b.ReadChats(ctx, isShareGPT, func(c *codec.Chat, v jspan.Value) {
		c.Conv.ID = codec.NumberText(v.Get("id"))
		if system := v.Get("system"); system.Kind == jspan.String && system.Len() > 2 {
			codec.AddSystem(c, system)
		}
		b.EachMessage(turnsOf(v), func(e jspan.Value, p model.Piece) { f.element(c, e, p) })
	})
}

func (ShareGPT) element(c *codec.Chat, v jspan.Value, p model.Piece) {
	from, value := turnOf(v)
	head := value.TextN(codec.PreviewScan)
	m := model.Message{Pieces: []model.Piece{p}, Preview: codec.Preview(head)}
	switch from.TextN(20) {
	case "human", "user":
		codec.SetUser(&m, head)
	case "gpt", "assistant", "chatgpt", "bing", "bard", "model":
		m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
	case "system":
		m.Role, m.Kind = model.RoleSystem, model.KindSystem
	case "function_call":
		m.Role, m.Kind, m.Calls = model.RoleAssistant, model.KindAssistant, calledIn(c.B, value)
	case "observation", "tool", "function_response", "ipython":
		m.Role, m.Kind = model.RoleTool, model.KindResult
		if !c.AwaitsResult() {
			m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginObservation
		}
	default:
		m.Role, m.Kind = model.RoleOther, model.KindOther
		c.B.NoteRole(v, "speaker", from.TextN(40))
	}
	if m.Kind != model.KindResult && codec.IsSummaryText(head) { // of either side
		m.Kind, m.Origin, m.Calls = model.KindSummary, model.OriginUnknown, nil
	}
	c.Add(m, v)
}

// calledIn lists the calls that a value spells: an object, or a list of them,
// as JSON in a string or not. What can't be understood is one call without a
// name.
func calledIn(b *codec.Builder, v jspan.Value) (calls []model.Call) {
	eachCalled(v, func(e jspan.Value) {
		calls = append(calls, model.Call{Name: b.Intern(e.Get("name").TextN(200))})
	})
	return calls
}

func eachCalled(v jspan.Value, f func(jspan.Value)) {
	if v.Kind == jspan.String {
		if in, err := jspan.Parse([]byte(v.Text()), 0); err == nil {
			v = in
		}
	}
	if v.Kind != jspan.Array || v.Count() == 0 {
		f(v)
		return
	}
	for _, e := range v.Items {
		f(e)
	}
}

// Parts implements [model.Codec].
func (ShareGPT) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	return codec.ReadParts(d, m, func(p *codec.Parts, v jspan.Value) {
		_, value := turnOf(v)
		switch {
		case v.Kind == jspan.String: // the wrapper's system prompt
			p.Text(m, v.Text())
		case len(m.Calls) > 0:
			eachCalled(value, func(e jspan.Value) {
				args := e.Get("arguments")
				if !args.Exists() {
					args = e
				}
				p.Call(m, e.Get("name").Text(), args)
			})
		default:
			p.Text(m, codec.TextOrRaw(value))
		}
	})
}

// sideOf is whose turn a message is: 'u' the user's, 'a' the assistant's, 0
// nobody's.
func sideOf(m *model.Message) byte {
	switch m.Role {
	case model.RoleUser, model.RoleTool:
		return 'u'
	case model.RoleAssistant:
		return 'a'
	}
	return 0
}

// Relink finds who has to say each summary for the turns to alternate. At the
// beginning, before a user's turn, it is the system, if there is none yet. Where
// nothing fits it is the user.
func (ShareGPT) Relink(_ *model.Document, th *model.Thread, c *edit.Change, _ *edit.Edits) ([]edit.Relink, error) {
	live, drop := th.Live(len(th.History)), edit.IndexSet(c.Drop)
	for k := range c.Summaries {
		s := &c.Summaries[k]
		before, after := byte(0), byte(0)
		behind, first := false, true
		for _, i := range live {
			behind = behind || i == s.Before
			switch {
			case drop[i]:
			case !behind:
				before, first = sideOf(&th.Messages[i]), false
			case after == 0:
				after = sideOf(&th.Messages[i])
			}
		}
		s.Role = model.RoleUser
		switch {
		case before == 'u' && after != 'a':
			s.Role = model.RoleAssistant
		case first && after == 'u':
			s.Role = model.RoleSystem
		}
	}
	return nil, nil
}

// Summary spells one more saying, with the names that its neighbour has.
func (ShareGPT) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	names := map[model.Role]string{model.RoleUser: "human", model.RoleAssistant: "gpt", model.RoleSystem: "system"}
	from, _ := turnOf(like)
	switch from.TextN(12) {
	case "user", "assistant":
		names[model.RoleUser], names[model.RoleAssistant] = "user", "assistant"
	}
	who, what := "from", "value"
	if !like.Has("from") {
		who = "role"
	}
	if !like.Has("value") {
		what = "content"
	}
	o := edit.SpellLike(d, like)
	if edit.FirstKey(like) == what {
		return o.Str(what, s.Text).Str(who, names[s.Role]).Done(), nil
	}
	return o.Str(who, names[s.Role]).Str(what, s.Text).Done(), nil
}

// ResultContent is the value of the observation.
func (ShareGPT) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpan(d, m.Pieces[:1], func(v jspan.Value) jspan.Value {
		_, value := turnOf(v)
		return value
	})
}
