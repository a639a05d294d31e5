package transcript

import (
	"fmt"
	"io"
	"slices"
	"time"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Native is a compaction to be told in the way the source's own tool tells one:
// behind the history, which stays whole.
type Native struct {
	Conversation, Thread int
	Items                []model.Item               // the live list after it
	Summary              func(record string) string // text of a record's summary
	Note                 func(stored int32) string  // stands for a cleared output
	Time                 time.Time
	UIDs                 [2]string // of the boundary and of the summary, for formats whose records have ids
	Before, After        int       // tokens, as far as counted
}

// nativeFormat is a format whose own compactions are known well enough to be
// written.
type nativeFormat interface {
	format

	// native spells the lines to append.
	native(d *model.Document, th *model.Thread, n *Native) ([][]byte, error)
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
		return noNative(d, "it is not known how its own tool writes a compaction")
	}
	if n.Thread != 0 {
		return noNative(d, "its own tool compacts the main line only")
	}
	lines, err := f.native(d, d.Conversations[n.Conversation].Threads[n.Thread], n)
	if err != nil {
		return err
	}
	if err := Copy(w, d); err != nil {
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

func noNative(d *model.Document, why string) error {
	return &model.Problem{Code: "no-native", What: fmt.Sprintf("%s can't be compacted in its own tool's form.", d.Path),
		Why: "In " + string(d.Format) + ", " + why + ".", Next: "Export it without --native: then it is rewritten."}
}

// native writes a compacted record with what replaces the history, and the event
// behind it, as recent versions of Codex do; summaries are readable messages.
func (f codex) native(d *model.Document, th *model.Thread, n *Native) ([][]byte, error) {
	list := []byte{'['}
	add := func(item []byte) {
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = append(list, item...)
	}
	for _, it := range n.Items {
		if it.Msg < 0 {
			add(codexMessage(d, n.Summary(it.Record)))
			continue
		}
		m := &th.Messages[it.Msg]
		for _, p := range m.Pieces {
			if p.Duplicate {
				continue
			}
			note := ""
			if it.Cleared {
				note = n.Note(it.Msg)
			}
			item, err := f.itemBytes(d, p, note)
			if err != nil {
				return nil, err
			}
			add(item)
		}
	}
	list = append(list, ']')
	when := n.Time.UTC().Format("2006-01-02T15:04:05.000Z")
	payload := newObject(d).str("message", "").raw("replacement_history", list).done()
	event := newObject(d).str("type", "context_compacted").done()
	return [][]byte{
		newObject(d).str("timestamp", when).str("type", "compacted").raw("payload", payload).done(),
		newObject(d).str("timestamp", when).str("type", "event_msg").raw("payload", event).done(),
	}, nil
}

// codexMessage spells a user message.
func codexMessage(d *model.Document, text string) []byte {
	content := append(append([]byte{'['}, newObject(d).str("type", "input_text").str("text", text).done()...), ']')
	return newObject(d).str("type", "message").str("role", "user").raw("content", content).done()
}

// itemBytes is the item of a piece as the source spells it. A note, if there is
// one, stands for its output.
func (codex) itemBytes(d *model.Document, p model.Piece, note string) ([]byte, error) {
	isText, err := inText(d, p)
	if err != nil {
		return nil, err
	}
	v, err := parsePiece(d, p)
	if err != nil {
		return nil, err
	}
	if isText {
		return codexMessage(d, v.Text()), nil
	}
	if pl := v.Get("payload"); pl.Kind == jspan.Object {
		v = pl
	}
	raw := v.Raw()
	if o := v.Get("output"); note != "" && o.Exists() {
		at := o.Off - v.Off
		return slices.Concat(raw[:at], quote(d, note), raw[at+o.Len():]), nil
	}
	return raw, nil
}
