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
	How    string       `json:"recognisedBy"` // how it is recognised

	Proven  bool     `json:"proven"`  // the live view is what its tool would send, as far as a file says
	Written bool     `json:"written"` // a changed history is written in the same form
	Places  []string `json:"places"`  // where its files usually lie; none where that is not known
}

// Format is one transcript format. A new format is a type with these methods in
// a package of its family and a line in the registry of package transcript.
// Values are shared by all documents: a format that has to know something about
// one document sets a copy of itself as the document's Codec while it reads.
//
// The methods, and then those of [Writer], come in the order in which they are called. Many formats
// embed another one, or [InPlace] or [Unlinked] for what they have in common.
type Format interface {
	// Parts (of model.Codec) decodes the text, calls and results of one message.
	// It reads the message's pieces back from the source whenever somebody looks
	// at it, from any goroutine. See [ReadParts].
	model.Codec

	// Info returns the format's name and how a person recognises it.
	Info() Info

	// Recognise scores the head of a source: 0 is "not mine", 100 is certain.
	// why is the sign that decided, in English. It must not read the source and
	// is called for every file, so it is quick to say no. Where several formats
	// have the same score, the order of the registry decides.
	Recognise(s *Sniff) (score int, why string)

	// Read fills b.Doc with conversations, threads and messages, and covers every
	// byte of the source with segments ([Builder.Lines] does, and for a single
	// value the caller does from the registered arrays). A bad record is a note;
	// an error means that nothing can be read, or that ctx was cancelled.
	Read(ctx context.Context, b *Builder) error
}

// Writer is a format in which a changed history is written back. One that has only the methods of
// [Format] is read, and a compaction of it is written in another form: no program takes a file of
// it that another one changed.
type Writer interface {
	Format

	// Relink repairs what a change breaks, by adding to e: references of kept
	// records to dropped ones, counts, texts that have to stay as empty ones. It
	// returns the references it changed, for people. All pieces of dropped
	// messages are in e already, and summaries are not; it may fill in the
	// fields of c.Summaries that say so (Parent, Role, Steps).
	Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error)

	// Place returns the piece that a summary goes before, or behind. m is the
	// first message that the summary replaces, and has at least one piece;
	// dropped reports which pieces go.
	Place(d *model.Document, th *model.Thread, m *model.Message, dropped func(model.Piece) bool) (at model.Piece, behind bool)

	// Summary spells the summary as a record or an element of this format, with
	// neither a line end nor a comma. like is what is at the piece that Place
	// returned, for its spelling and the members that every record has.
	Summary(d *model.Document, th *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error)

	// ResultContent returns the spans of the values that hold a tool result's
	// output: the one the model sees first, then copies of it. A cleared result
	// has a note there. See [ResultSpan]; m.Kind is KindResult.
	ResultContent(d *model.Document, m *model.Message) ([]model.Span, error)
}

// Unwritten is why a format is not written back, as an English sentence; "" if it is.
func Unwritten(f Format) string {
	if r, ok := f.(ReadOnly); ok {
		return r.ReadOnly()
	}
	if _, ok := f.(Writer); ok {
		return ""
	}
	return f.Info().Title + " is a format that is read, and not written: no program takes back a file that another one changed."
}

// Sniff is what recognition may look at.
type Sniff struct {
	Whole     jspan.Value   // the source as one JSON value; Missing for JSON Lines
	Lines     []jspan.Value // the first parsable lines, at most sniffLines; the value itself for one JSON value
	JSONLines bool          // several values, one a line

	shape   *requestShape  // Found once for the formats that are shaped like requests
	Guesses *[]model.Guess // what the formats said, once they were asked
}

// SniffLines is how many lines or elements of a source recognition looks at.
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

// ReadOnly is a [Writer] that writes some of its documents only.
type ReadOnly interface {
	// ReadOnly is why, as an English sentence; "" if it is written back.
	ReadOnly() string
}

// SealedPart is the name of an opaque part that holds nothing to read: a signature, an
// encrypted text, a reference.
const SealedPart = "sealed"
