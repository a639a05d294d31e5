package codec

import (
	"fmt"
	"io"
	"time"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// Native is a compaction to be written as the source's own tool writes one:
// behind the history, which stays whole.
type Native struct {
	Conversation, Thread int
	Items                []model.Item               // the live list after it
	Thinking             []int32                    // messages that stay without their signed thinking
	Summary              func(record string) string // text of a record's summary
	Note                 func(stored int32) string  // replaces a cleared output
	Time                 time.Time
	UIDs                 [2]string // of the boundary and of the summary, for formats whose records have ids
	Before, After        int       // tokens, as far as counted
}

// nativeFormat is a format whose own compactions are known well enough to be
// written.
type nativeFormat interface {
	Format

	// Native spells the lines to append.
	Native(d *model.Document, th *model.Thread, n *Native) ([][]byte, error)
}

// HasNative reports whether a format's own compactions can be written.
func HasNative(d *model.Document) bool {
	_, ok := d.Codec.(nativeFormat)
	return ok && d.Style.JSONLines
}

// WriteNative copies a document and appends a compaction as its own tool would
// write it. What that has no words for is refused with a *model.Problem.
func WriteNative(w io.Writer, d *model.Document, n *Native) error {
	f, ok := d.Codec.(nativeFormat)
	if !ok || !d.Style.JSONLines {
		return NoNative(d, "it is not known how its own tool writes a compaction")
	}
	if n.Thread != 0 {
		return NoNative(d, "its own tool compacts the main line only")
	}
	lines, err := f.Native(d, d.Conversations[n.Conversation].Threads[n.Thread], n)
	if err != nil {
		return err
	}
	if err := edit.Copy(w, d); err != nil {
		return err
	}
	if last, err := d.Bytes(model.Span{Off: d.Size - 1, Len: 1}); err != nil {
		return err
	} else if last[0] != '\n' {
		lines[0] = append([]byte(d.Style.EOL), lines[0]...)
	}
	for _, l := range lines {
		if _, err := w.Write(append(l, d.Style.EOL...)); err != nil {
			return fmt.Errorf("write: %w", err)
		}
	}
	return nil
}

// NoNative is the problem that a document cannot be compacted as its tool does.
func NoNative(d *model.Document, why string) error {
	return &model.Problem{Code: "no-native", What: fmt.Sprintf("%s can't be compacted in its own tool's form.", d.Path),
		Why: "In " + string(d.Format) + ", " + why + ".", Next: "Export it without --native: then it is rewritten."}
}
