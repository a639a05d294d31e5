package transcript

import (
	"io"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
)

// Rewrite plans the export of a compacted thread in the document's own format:
// the dropped records are gone, the summary is in their place, a kept
// record changes only in references to removed ones. When that fails because
// the source is no longer what was read, the problem says so. A reading that is
// not [Confirmed] is refused.
func Rewrite(d *model.Document, c *edit.Change) (*codec.Rewriting, error) {
	if err := Confirmed(d); err != nil {
		return nil, err
	}
	r, err := codec.Plan(d, c)
	if err != nil {
		if gone := edit.Copy(io.Discard, d); gone != nil {
			return nil, gone
		}
		return nil, err
	}
	return r, nil
}
