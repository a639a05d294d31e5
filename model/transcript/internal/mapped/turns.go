package mapped

import (
	"context"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/generic"
)

// Turned reads by a field map whose elements are turns: each is what the user said, and
// the answer.
type Turned struct {
	Format
	fields *generic.FieldMap
}

// ByTurns returns the format that reads by such a map.
func ByTurns(m *generic.FieldMap) (codec.Format, error) {
	if _, err := generic.New(m); err != nil {
		return nil, err
	}
	at := func(s string) places {
		var p places
		if s != "" {
			_ = p.UnmarshalText([]byte(s)) // the map was parsed
		}
		return p
	}
	one := func(who, from string) (list []rule) {
		if from != "" {
			u := rule{If: []test{{at: at(from)}}, Role: role{word: who}, ID: at(m.ID), Time: at(m.Time),
				Parts: []part{{As: "text", Text: at(from)}}}
			if who == "assistant" {
				u.Model, u.Name = at(m.Model), at(m.Name)
				u.Usage = &usage{Input: at(m.Input), Output: at(m.Output)}
			}
			list = append(list, u)
		}
		return list
	}
	r := &Rules{Format: model.FormatGeneric, Title: "Turns", How: "a field map"}
	each := slices.Concat(one("system", m.System), one("user", m.User), one("assistant", m.Answer))
	r.Each = func() []rule { return each }
	r.By = at(m.By)
	where := strings.TrimPrefix(strings.TrimPrefix(m.Messages, "$"), ".")
	if before, rest, many := strings.Cut(where, "[*]"); many {
		r.Talks, r.List, r.Lone = at(before+"[*]"), at(strings.TrimPrefix(rest, ".")), rest == ""
	} else {
		r.List = at(where)
	}
	return Turned{Format{Rules: r}, m}, nil
}

// Map is the field map that a document of this format was read by.
func (t Turned) Map() *generic.FieldMap { return t.fields }

// Info implements [codec.Format].
func (t Turned) Info() codec.Info { return generic.Format{}.Info() }

// ReadOnly implements [codec.ReadOnly].
func (t Turned) ReadOnly() string {
	return "What is read as turns is not written back: an element holds more than one message."
}

// Read implements [codec.Format].
func (t Turned) Read(ctx context.Context, b *codec.Builder) error {
	err := t.Format.Read(ctx, b)
	if f, ok := b.Doc.Codec.(Format); ok {
		t.Format = f
	}
	b.Doc.Codec = t
	return err
}
