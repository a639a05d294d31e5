package transcript

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Info describes a format to a person.
type Info struct {
	Format model.Format `json:"format"`
	Title  string       `json:"title"`
	How    string       `json:"recognisedBy"` // how it is told from the others
}

// format is what a file of this package knows of one transcript format.
type format interface {
	model.Codec

	info() Info

	// recognise looks at the head of a source. A score of 0 is "not mine", 100
	// is certain; why says in one English sentence what gave it away.
	recognise(s *sniff) (score int, why string)

	// read fills the builder's document. It fails only when nothing can be read;
	// a bad record is a note.
	read(ctx context.Context, b *builder) error

	// place says where a summary that replaces message m goes: before or behind
	// which piece. m is the first message it replaces.
	place(d *model.Document, th *model.Thread, m *model.Message, dropped func(model.Piece) bool) (at model.Piece, behind bool)

	// summary spells the summary message as this format's own record or element.
	// like is the piece it is placed at.
	summary(d *model.Document, th *model.Thread, s Summary, like model.Piece) ([]byte, error)

	// resultContent gives the spans of the values that hold a tool result's
	// output: the one the model sees first, then copies kept beside it.
	resultContent(d *model.Document, m *model.Message) ([]model.Span, error)

	// relink mends references of kept records to dropped ones by adding to e. It
	// runs when all drops are known and before the summaries are spelled; formats
	// whose records point to each other fill in Summary.parent.
	relink(d *model.Document, th *model.Thread, c *Change, e *Edits) ([]Relink, error)
}

// formats in the order in which ties of recognition are decided: the more
// specific first.
var formats = []format{
	claudeCode{}, codex{}, agentState{}, historyItems{}, steps{},
	pi{}, openHands{}, copilot{}, langChain{}, inspect{}, atif{}, adk{}, whoWhen{}, openCode{},
	responses{}, sweAgent{}, miniSWEAgent{}, tauBench{}, tau2{}, shareGPT{},
	geminiCLI{}, gemini{}, cline{},
	chatGPT{}, claudeAI{}, aiSDK{}, otel{},
	anthropic{}, openAI{}, generic{},
}

// Formats lists the formats that can be read and written.
func Formats() []Info {
	out := make([]Info, len(formats))
	for i, f := range formats {
		out[i] = f.info()
	}
	return out
}

func formatOf(d *model.Document) format { return d.Codec.(format) }

// sniff is what recognition may look at.
type sniff struct {
	whole jspan.Value   // the source as one JSON value; Missing for JSON Lines
	lines []jspan.Value // the first parsable lines, at most sniffLines; the value itself for one JSON value
	jsonl bool          // several values, one a line

	archive *inspectArchive // the source is one; then there is neither a value nor a line

	shape *requestShape  // found once for the formats that are shaped like requests
	found *[]model.Guess // what the formats said, once they were asked
}

const sniffLines = 50

// share is the part of the sniffed lines that pass a test, 0–1.
func (s *sniff) share(test func(jspan.Value) bool) float64 {
	if len(s.lines) == 0 {
		return 0
	}
	n := 0
	for _, l := range s.lines {
		if test(l) {
			n++
		}
	}
	return float64(n) / float64(len(s.lines))
}

// any reports whether a sniffed line passes a test.
func (s *sniff) any(test func(jspan.Value) bool) bool { return s.share(test) > 0 }
