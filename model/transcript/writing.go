package transcript

import (
	"io"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/internal/generic"
	"palimpsest/model/transcript/jspan"
)

// The formats live in internal packages; these are their types that callers
// use.
type (
	// Info describes a format to people.
	Info = codec.Info
	// Change is what a compaction does to one thread, in stored indices.
	Change = edit.Change
	// Summary is a summary message to be written into a history.
	Summary = edit.Summary
	// Relink is a reference of a kept record that had to change because what it
	// pointed to is gone.
	Relink = edit.Relink
	// Edits is what changes in a source, Splice one span of it; everything else is copied.
	Edits  = edit.Edits
	Splice = edit.Splice
	// Native is a compaction to be appended as the source's own tool writes one.
	Native = codec.Native
	// FieldMap says where a generic JSON source keeps its messages and their
	// parts, by paths.
	FieldMap = generic.FieldMap
)

// ThinkingLeftOut stands where a block of thinking was all that a record held.
const ThinkingLeftOut = codec.ThinkingLeftOut

// Copy writes the untouched document, if its source still is what was opened.
func Copy(w io.Writer, d *model.Document) error { return edit.Copy(w, d) }

// HasNative reports whether compactions can be written as the document's own
// tool writes them.
func HasNative(d *model.Document) bool { return codec.HasNative(d) }

// WriteNative copies a document and appends a compaction as its own tool would
// write it. What the tool's format cannot express is refused with a
// *model.Problem.
func WriteNative(w io.Writer, d *model.Document, n *Native) error { return codec.WriteNative(w, d, n) }

// Made is what this program says in a file of how a summary was made, a JSON object. It
// does not exist where it says nothing, or where the format has no room for it.
func Made(d *model.Document, m *model.Message) (jspan.Value, error) { return codec.Made(d, m) }

// ParseMap reads a field map as a person writes it: parts like role=who with
// commas between them. messages, role and text must be there.
func ParseMap(s string) (*FieldMap, error) { return generic.ParseMap(s) }

// MapOf returns the field map that a document was read by, as ParseMap reads
// it; "" if none was used.
func MapOf(d *model.Document) string {
	if m := generic.MapOf(d); m != nil {
		return m.String()
	}
	return ""
}

// BrokenLine looks for the record of a line that is not whole, as reading does; text begins with
// the line. cut: it ends in the middle.
func BrokenLine(text []byte) (b codec.Broken, cut bool) { return codec.BrokenLine(text) }

// NewEdits starts an empty list of edits of d.
func NewEdits(d *model.Document) *Edits { return edit.NewEdits(d) }

// Outermost is the element of an outermost array, or the record, that holds a piece.
func Outermost(d *model.Document, p model.Piece) model.Piece { return edit.Outermost(d, p) }
