package session

import (
	"slices"
	"unicode/utf8"

	"palimpsest/compaction"
	"palimpsest/compaction/auto"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Overlay is a thread with records applied, looked at from a position of its
// history. Neither the thread nor the records change. For example, with one
// record made at position 6 that summarised the messages 0 to 3:
//
//	history    0  1  2  3  4  5  6  7  8
//	record     [  S  ]     4  5             its Live list, At 6
//	items      S           4  5  6  7  8    at position 9
type Overlay struct {
	*CountedThread
	stack []*model.Record // bottom first
	at    int
}

// With returns the thread with these records applied, bottom first, at its end.
func (t *CountedThread) With(stack []*model.Record) Overlay {
	return Overlay{CountedThread: t, stack: stack, at: len(t.thread.History)}
}

// push is the overlay with one record more.
func (o Overlay) push(rec *model.Record) Overlay {
	o.stack = append(slices.Clip(o.stack), rec)
	return o
}

// upTo is the overlay at another position.
func (o Overlay) upTo(at int) Overlay {
	o.at = min(at, len(o.thread.History))
	return o
}

// top is the ID of the record on top; "" without records.
func (o Overlay) top() string {
	if len(o.stack) == 0 {
		return ""
	}
	return o.stack[len(o.stack)-1].ID
}

// Later is the record that was made later in the history than a plan, which would be
// lost behind it and so can't be applied; nil: none.
func (o Overlay) Later(pl *compaction.Plan) *model.Record {
	if k := len(o.stack); k > 0 && pl.Line.At() < o.stack[k-1].At {
		return o.stack[k-1]
	}
	return nil
}

// Items is the live list before the position. It is never nil: an empty list is
// not an unknown one.
func (o Overlay) Items() []model.Item {
	for k := len(o.stack) - 1; k >= 0; k-- {
		r := o.stack[k]
		if r.At > o.at {
			continue
		}
		if o.thread.LiveFrom(o.at) > r.At {
			o.stack = o.stack[:k+1]
			return o.itemsAfterReset()
		}
		items := append(make([]model.Item, 0, len(r.Live)+o.at-r.At), r.Live...)
		return append(items, storedItems(o.thread.History[r.At:o.at])...)
	}
	return storedItems(o.thread.Live(o.at))
}

func storedItems(stored []int32) []model.Item {
	items := make([]model.Item, len(stored))
	for i, m := range stored {
		items[i].Msg = m
	}
	return items
}

// itemsAfterReset is the live list at a position behind a later compaction or
// rewind of the file: what the records left out stays out, and a summary is in
// it only if the message it is placed before was still live.
func (o Overlay) itemsAfterReset() []model.Item {
	c := o.change()
	live := o.thread.Live(o.at)
	items := make([]model.Item, 0, len(live))
	dropped, cleared := setOf(c.Drop), setOf(c.Clear)
	for _, m := range live {
		for _, sum := range c.Summaries {
			if sum.Before == m {
				items = append(items, model.Item{Msg: -1, Record: sum.UID})
			}
		}
		if !dropped[m] {
			items = append(items, model.Item{Msg: m, Cleared: cleared[m]})
		}
	}
	return items
}

func setOf(list []int32) map[int32]bool {
	set := make(map[int32]bool, len(list))
	for _, m := range list {
		set[m] = true
	}
	return set
}

// change is what the records do to the document.
func (o Overlay) change() *transcript.Change {
	c := &transcript.Change{Conversation: o.ref.Conversation, Thread: o.ref.Thread, Note: o.clearedNote}
	if len(o.stack) == 0 {
		return c
	}
	top := o.stack[len(o.stack)-1]
	live := o.thread.Live(top.At)
	place := make(map[int32]int, len(live))
	for i, m := range live {
		place[m] = i
	}
	kept := make([]bool, len(live))
	for _, it := range top.Live {
		if p, ok := place[it.Msg]; ok && it.Msg >= 0 {
			kept[p] = true
		}
	}
	next := 0 // place behind the latest entry of the list
	for _, it := range top.Live {
		if it.Msg < 0 {
			if r := o.record(it.Record); r != nil && next < len(live) {
				same, layer, settings := savedLayer(o.CountedThread, r)
				if _, ok := o.file.SavedConfig(o.ref); ok {
					settings = auto.Retuned(o.file.saved(o.ref), top.Policy)
				}
				c.Summaries = append(c.Summaries, transcript.Summary{Text: r.Summary, Before: live[next], UID: r.UID, Time: r.Time,
					Made: noteOf(o.CountedThread, r), Layer: layer, Settings: settings})
				for p, m := range live { // compactions of the file come first
					kept[p] = kept[p] || p < same && o.thread.Messages[m].Kind == model.KindSummary
				}
				if !kept[next] {
					next++ // each takes the place of a message of its own: a place may have room for one
				}
			}
			continue
		}
		if p, ok := place[it.Msg]; ok {
			next = p + 1
		}
		if it.Cleared {
			c.Clear = append(c.Clear, it.Msg)
		}
	}
	for i, m := range live {
		if !kept[i] {
			c.Drop = append(c.Drop, m)
		}
	}
	if top.Policy.NoThinking {
		c.Thinking = staleThinking(o.thread, top, live)
	}
	return c
}

// staleThinking are the messages with signed thinking that follow a message which a record took
// or cleared.
func staleThinking(th *model.Thread, top *model.Record, live []int32) (list []int32) {
	same := true
	for i, it := range append(slices.Clone(top.Live), storedItems(th.History[top.At:])...) {
		same = same && i < len(live) && it == model.Item{Msg: live[i]}
		if !same && it.Msg >= 0 && th.Messages[it.Msg].Signed {
			list = append(list, it.Msg)
		}
	}
	return list
}

// clearedNote is what is written in place of a cleared result.
func (t *CountedThread) clearedNote(stored int32) string {
	return compaction.ClearedNote(t.Tokens(stored))
}

// record is a record of the stack by its UID, or nil.
func (o Overlay) record(uid string) *model.Record {
	i := slices.IndexFunc(o.stack, func(r *model.Record) bool { return r.UID == uid })
	if i < 0 {
		return nil
	}
	return o.stack[i]
}

// summaryRecord is the record whose summary an entry of a list is, of the stack or
// of one that the file was written from; nil: none that is known.
func (o Overlay) summaryRecord(it model.Item) *model.Record {
	switch {
	case it.Msg < 0:
		return o.record(it.Record)
	case o.CountedThread == nil:
		return nil
	}
	return o.lineage.records[it.Msg]
}

// summary is the summary of a record of the stack; "" if it is not in it.
func (o Overlay) summary(uid string) string {
	if r := o.record(uid); r != nil {
		return r.Summary
	}
	return ""
}

// texts are the texts of an entry. One that can't be read has none.
func (o Overlay) texts(it model.Item) []string {
	if it.Msg < 0 {
		return []string{o.summary(it.Record)}
	}
	parts, _ := o.parts(it.Msg) // a source that can't be read shows when it is summarised
	texts := make([]string, len(parts))
	for i := range parts {
		texts[i] = parts[i].Text
	}
	return texts
}

// tokens is the size of an entry.
func (o Overlay) tokens(it model.Item) int {
	if it.Msg < 0 {
		return o.CountText(o.summary(it.Record))
	}
	return int(o.itemTokens(it.Msg, it.Cleared))
}

// Size is that of the live list, with the fixed part of a policy.
func (o Overlay) Size(p model.Policy) model.Size { return o.size(max(0, p.Fixed)) }

// size is that of the live list and a fixed part.
func (o Overlay) size(fixed int) model.Size {
	items := o.Items()
	z := model.Size{Messages: len(items), Tokens: o.fit.Beyond(o.at, fixed)}
	for _, it := range items {
		z.Tokens += int64(o.tokens(it))
	}
	return z
}

// newLine is the line of the live list.
func (o Overlay) newLine(fixed int) *compaction.Line {
	return compaction.NewLine(compaction.Source{
		Thread: o.thread, At: o.at, Items: o.Items(), Fixed: int(o.fit.Beyond(o.at, fixed)),
		Said:          o.CrossCheck(fixed).said(),
		Tokens:        o.itemTokens,
		SummaryTokens: func(uid string) int32 { return int32(o.CountText(o.summary(uid))) },
		SummaryChars: func(it model.Item) int { // of a record, or found in the file
			n := 0
			for _, text := range o.texts(it) {
				n += utf8.RuneCountInString(text)
			}
			return n
		},
	})
}
