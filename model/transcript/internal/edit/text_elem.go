package edit

import (
	"fmt"

	"palimpsest/model"
)

// IsTextElem reports whether a piece is such a string.
func IsTextElem(d *model.Document, p model.Piece) (bool, error) {
	if p.Array < 0 {
		return false, nil
	}
	b, err := d.Bytes(model.Span{Off: d.Arrays[p.Array].Off, Len: 1})
	return err == nil && b[0] == '"', err
}

// EmptyTexts leaves an empty string where such a string goes without a summary
// in its place. It has room for one summary only.
func EmptyTexts(d *model.Document, th *model.Thread, c *Change, e *Edits) error {
	placed := map[model.Span]bool{}
	for _, s := range c.Summaries {
		p := th.Messages[s.Before].Pieces[0]
		if isText, err := IsTextElem(d, p); err != nil {
			return err
		} else if isText && placed[p.Span] {
			return fmt.Errorf("two summaries for message %d, whose text has room for one", s.Before)
		}
		placed[p.Span] = true
	}
	for _, i := range c.Drop {
		for _, p := range th.Messages[i].Pieces {
			isText, err := IsTextElem(d, p)
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
