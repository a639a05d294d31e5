package openai

import (
	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Place puts the summary where the first message stood that it replaces.
func (ShareGPT) Place(_ *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return m.Pieces[0], false
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
	return codec.ResultSpan(d, m, func(v jspan.Value) jspan.Value {
		_, value := turnOf(v)
		return value
	})
}
