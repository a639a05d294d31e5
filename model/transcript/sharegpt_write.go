package transcript

import (
	"fmt"

	"palimpsest/model"
)

// place puts the summary where the first message stood that it replaces.
func (shareGPT) place(_ *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
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

// relink finds who has to say each summary for the turns to alternate. At the
// beginning, before a user's turn, it is the system, if there is none yet. Where
// nothing fits it is the user.
func (shareGPT) relink(_ *model.Document, th *model.Thread, c *Change, _ *Edits) ([]Relink, error) {
	live, drop := th.Live(len(th.History)), indexSet(c.Drop)
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
		s.role = model.RoleUser
		switch {
		case before == 'u' && after != 'a':
			s.role = model.RoleAssistant
		case first && after == 'u':
			s.role = model.RoleSystem
		}
	}
	return nil, nil
}

// summary spells one more saying, with the names that its neighbour has.
func (shareGPT) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	names := map[model.Role]string{model.RoleUser: "human", model.RoleAssistant: "gpt", model.RoleSystem: "system"}
	from, _ := sayingOf(v)
	switch from.TextN(12) {
	case "user", "assistant":
		names[model.RoleUser], names[model.RoleAssistant] = "user", "assistant"
	}
	who, what := "from", "value"
	if !v.Has("from") {
		who = "role"
	}
	if !v.Has("value") {
		what = "content"
	}
	o := spellLike(d, v)
	if firstKey(v) == what {
		return o.str(what, s.Text).str(who, names[s.role]).done(), nil
	}
	return o.str(who, names[s.role]).str(what, s.Text).done(), nil
}

// resultContent is the value of the observation.
func (shareGPT) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	p := m.Pieces[0]
	v, err := parseAt(d, p.Span)
	if err != nil {
		return nil, err
	}
	_, value := sayingOf(v)
	if !value.Exists() {
		return nil, fmt.Errorf("the observation has no value")
	}
	return []model.Span{within(p.Span, value)}, nil
}
