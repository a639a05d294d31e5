package transcript

import (
	"bufio"
	"io"
	"time"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
)

// Forms that are written but not read: for people, and for programs that want
// one shape for every source.
const (
	FormatMarkdown model.Format = "markdown"
	FormatJSON     model.Format = "json"
)

// Exports lists the forms that are only written; [Targets] lists all that a live
// list can be written in.
func Exports() []codec.Info {
	list := make([]codec.Info, len(writtenOnly))
	for i, t := range writtenOnly {
		list[i] = t.Info
	}
	return list
}

// clearedNote replaces the output of a result that was cleared.
const clearedNote = "[old tool result cleared]"

// eachItem calls f with the parts of every item in order. A summary of a record is
// a message of kind summary with one text part, a cleared result has its
// note.
func eachItem(d *model.Document, th *model.Thread, items []model.Item, summary func(record string) string,
	f func(m *model.Message, parts []model.Part) error) error {
	for _, it := range items {
		if it.Msg < 0 {
			m := model.Message{Role: model.RoleSystem, Kind: model.KindSummary, ID: it.Record}
			if err := f(&m, []model.Part{{Kind: model.PartText, Text: summary(it.Record)}}); err != nil {
				return err
			}
			continue
		}
		m := &th.Messages[it.Msg]
		parts, err := d.Parts(m)
		if err != nil {
			return err
		}
		if it.Cleared {
			parts = []model.Part{{Kind: model.PartResult, CallID: m.Answers, Name: m.Name, Error: m.Error, Text: clearedNote}}
		}
		if err := f(m, parts); err != nil {
			return err
		}
	}
	return nil
}

// buffered runs f on a buffered writer and flushes it.
func buffered(w io.Writer, f func(*bufio.Writer) error) error {
	b := bufio.NewWriterSize(w, 64<<10)
	if err := f(b); err != nil {
		return err
	}
	return b.Flush()
}

// clock spells a message's time; "" if it is unknown.
func clock(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format(time.RFC3339)
}
