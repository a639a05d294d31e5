package transcript

import (
	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// A compaction that a tool recorded hides what came before it. Its record has
// to stay when its summary goes, or the hidden messages would be live again. So
// the summary's piece is only its text: one string, told as an array of one,
// in whose place another string can stand.

// textElem is the piece for a string of a record.
func (b *builder) textElem(v jspan.Value) model.Piece {
	s := b.span(v)
	b.doc.Arrays = append(b.doc.Arrays, model.Array{Span: s, Elems: []model.Span{s}})
	return b.elem(int32(len(b.doc.Arrays)-1), 0)
}

// inText reports whether a piece is such a string.
func inText(d *model.Document, p model.Piece) (bool, error) {
	if p.Array < 0 {
		return false, nil
	}
	b, err := d.Bytes(model.Span{Off: d.Arrays[p.Array].Off, Len: 1})
	return err == nil && b[0] == '"', err
}

// emptyTexts leaves an empty string where such a string goes without a summary
// in its place.
func emptyTexts(d *model.Document, th *model.Thread, c *Change, e *Edits) error {
	placed := map[model.Span]bool{}
	for _, s := range c.Summaries {
		placed[th.Messages[s.Before].Pieces[0].Span] = true
	}
	for _, i := range c.Drop {
		for _, p := range th.Messages[i].Pieces {
			isText, err := inText(d, p)
			if err != nil {
				return err
			}
			if isText && !placed[p.Span] {
				e.Insert(p, false, []byte(`""`))
			}
		}
	}
	return nil
}
