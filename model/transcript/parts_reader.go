package transcript

import (
	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// Stretch is how many bytes of a source a [PartsReader] reads at a time.
const Stretch = edit.NearSize

// PartsReader reads the parts of many messages of a document, for one goroutine. It is
// fastest in their order.
type PartsReader struct {
	doc  model.Document
	near *edit.Near
}

// NewPartsReader returns a reader of a document, which must stay as it is.
func NewPartsReader(d *model.Document) *PartsReader {
	r := &PartsReader{doc: *d, near: edit.NewNear(d.Source)}
	r.doc.Source = r.near
	return r
}

// Parts is [model.Document.Parts]; the texts are good until the next call.
func (r *PartsReader) Parts(m *model.Message) ([]model.Part, error) {
	r.near.Forget()
	return r.doc.Parts(m)
}
