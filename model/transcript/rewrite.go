package transcript

import (
	"fmt"
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
	if why := ReadOnly(d); why != "" {
		return nil, &model.Problem{Code: "read-only-format", What: fmt.Sprintf("%s was not written in its own form.", d.Path), Why: why,
			Next: "Write it in another form: -f openai-chat, or -f markdown."}
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

// ReadOnly is why a compaction of a document is not written in the document's own form,
// as an English sentence; "" if it is. It is written in one of [Targets] then.
func ReadOnly(d *model.Document) string {
	if p := d.Packed; p != nil && p.Pack == nil {
		return p.Why
	}
	return codec.Unwritten(d.Codec.(codec.Format))
}
