package codec

import (
	"palimpsest/model"
)

// InPlace is what formats have in common whose records do not point to each
// other: the summary stands where the first message it replaces stood, and
// there is nothing to mend.
type InPlace struct{}

func (InPlace) Place(_ *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return m.Pieces[0], false
}

func (InPlace) Relink(*model.Document, *model.Thread, *Change, *Edits) ([]Relink, error) {
	return nil, nil
}

// noteSpeller is a format in which the output of a result is more than a
// string. spellNote spells a note that takes the place of the value at a span
// that resultContent gave.
type noteSpeller interface {
	SpellNote(d *model.Document, at model.Span, note string) ([]byte, error)
}

// spellNote spells a note as the format wants it: a string, if it doesn't say.
func spellNote(f Format, d *model.Document, at model.Span, note string) ([]byte, error) {
	if s, ok := f.(noteSpeller); ok {
		return s.SpellNote(d, at, note)
	}
	return Quote(d, note), nil
}

// BlocksNote is spellNote for readers that take a list of text blocks where
// one stood, and nothing else.
type BlocksNote struct{}

func (BlocksNote) SpellNote(d *model.Document, at model.Span, note string) ([]byte, error) {
	first, err := d.Bytes(model.Span{Off: at.Off, Len: 1})
	if err != nil {
		return nil, err
	}
	if first[0] == '[' {
		return TextBlocks(d, "text", note), nil
	}
	return Quote(d, note), nil
}
