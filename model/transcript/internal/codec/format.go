package codec

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Info describes a format to a person.
type Info struct {
	Format model.Format `json:"format"`
	Title  string       `json:"title"`
	How    string       `json:"recognisedBy"` // how it is told from the others
}

// Format is what a file of this package knows of one transcript format.
type Format interface {
	model.Codec

	Info() Info

	// Recognise looks at the head of a source. A score of 0 is "not mine", 100
	// is certain; why says in one English sentence what gave it away.
	Recognise(s *Sniff) (score int, why string)

	// Read fills the builder's document. It fails only when nothing can be read;
	// a bad record is a note.
	Read(ctx context.Context, b *Builder) error

	// Place says where a summary that replaces message m goes: before or behind
	// which piece. m is the first message it replaces.
	Place(d *model.Document, th *model.Thread, m *model.Message, dropped func(model.Piece) bool) (at model.Piece, behind bool)

	// Summary spells the summary message as this format's own record or element.
	// like is the piece it is placed at.
	Summary(d *model.Document, th *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error)

	// ResultContent gives the spans of the values that hold a tool result's
	// output: the one the model sees first, then copies kept beside it.
	ResultContent(d *model.Document, m *model.Message) ([]model.Span, error)

	// Relink mends references of kept records to dropped ones by adding to e. It
	// runs when all drops are known and before the summaries are spelled; formats
	// whose records point to each other fill in Summary.parent.
	Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error)
}

func formatOf(d *model.Document) Format { return d.Codec.(Format) }

// Sniff is what recognition may look at.
type Sniff struct {
	Whole     jspan.Value   // the source as one JSON value; Missing for JSON Lines
	Lines     []jspan.Value // the first parsable lines, at most sniffLines; the value itself for one JSON value
	JSONLines bool          // several values, one a line

	Archive *edit.InspectArchive // the source is one; then there is neither a value nor a line

	shape   *requestShape  // Found once for the formats that are shaped like requests
	Guesses *[]model.Guess // what the formats said, once they were asked
}

const SniffLines = 50

// Share is the part of the sniffed lines that pass a test, 0–1.
func (s *Sniff) Share(test func(jspan.Value) bool) float64 {
	if len(s.Lines) == 0 {
		return 0
	}
	n := 0
	for _, l := range s.Lines {
		if test(l) {
			n++
		}
	}
	return float64(n) / float64(len(s.Lines))
}

// Any reports whether a sniffed line passes a test.
func (s *Sniff) Any(test func(jspan.Value) bool) bool { return s.Share(test) > 0 }
