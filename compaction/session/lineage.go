package session

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// lineage is what is known of the history that a file was made from, when this
// program wrote the file. Summaries name messages and turns by their numbers in
// that first history, so that numbers mean the same however often a file is
// compacted, written and opened again:
//
//	messages of the file       1   2   §   3   4   5
//	numbers of the history     1   2   ·  97  98  99
type lineage struct {
	parent  *model.Record           // whose output the thread is; nil: not in this database
	cut     bool                    // parent left no summary: it dropped messages or cleared results
	records map[int32]*model.Record // of the summaries of ours that are live, by stored index
	noted   map[int32]*model.Record // what the file says of the record of each, which may be in another database
	number  []int32                 // of each message of the history
	turn    []int32                 // that it belongs to; 0: before the first
}

// Parent is the record that the thread was written from: its summary is in the
// file. nil: there is none, or it is not in the database.
func (s *Session) Parent() *model.Record { return s.lineage.parent }

// made is the record of a summary of ours, or what the file says of it; nil: nothing is
// known.
func (l *lineage) made(stored int32) *model.Record { return cmp.Or(l.records[stored], l.noted[stored]) }

// found are the compactions that a file holds. Where the summary of one is ours, as in a
// file whose own summary was compacted again, what its record says of it takes the place
// of what the producer said of the former summary.
func (l *lineage) found(list []model.Found) []model.Found {
	list = slices.Clone(list)
	for i := range list {
		f, rec := &list[i], l.made(int32(list[i].Summary))
		if rec == nil {
			continue
		}
		before, after := int(rec.Before.Tokens), int(rec.After.Tokens)
		f.Cause, f.Before, f.After, f.Counted = CauseOwn, &before, &after, rec.Counted
		if !rec.Time.IsZero() {
			f.Time = rec.Time.UnixMilli()
		}
	}
	return list
}

// CauseOwn is the cause of a compaction in a file that this program made.
const CauseOwn = "Palimpsest"

// from is the record that the thread was written from, or what the file says of it.
func (l *lineage) from() *model.Record {
	if l.parent != nil {
		return l.parent
	}
	var last *model.Record
	for _, m := range slices.Sorted(maps.Keys(l.noted)) {
		if r := l.noted[m]; last == nil || r.Time.After(last.Time) {
			last = r
		}
	}
	return last
}

// numberAt is the 1-based number of a message, given its place in the history, in
// the history that the file was first made from.
func (l *lineage) numberAt(h int) int {
	if h < len(l.number) {
		return int(l.number[h])
	}
	return h + 1
}

// Numbered are the messages of the history that a summary calls by these numbers; none, where
// they are not in this file.
func Numbered(s *Session, r model.Range) model.Range {
	n := s.lineage.number
	if n == nil {
		return model.Range{From: min(r.From, len(s.thread.History)), To: min(r.To, len(s.thread.History))}
	}
	called := func(x int32) bool { return int(x) > r.From && int(x) <= r.To }
	from := max(0, slices.IndexFunc(n, called))
	to := from
	for to < len(n) && called(n[to]) {
		to++
	}
	return model.Range{From: from, To: to}
}

// turnAt is the number of the turn that a message belongs to; 0: it comes before
// the first one.
func turnAt(t *CountedThread, h int) int {
	if n := t.lineage.turn; h < len(n) {
		return int(n[h])
	}
	x := t.History() // which has them counted: a replay asks at every firing
	return x.Turns(min(h+1, x.Len()))
}

// trace finds out what a file says of the history it was made from: from the
// record that it was written from, else from the words of its summaries.
func trace(ctx context.Context, t *CountedThread) error {
	t.found = t.thread.Found
	x := tracer{CountedThread: t, own: map[int]int32{}}
	for i, m := range t.thread.Live(len(t.thread.History)) {
		if ownSummary(&t.thread.Messages[m]) {
			x.own[i] = m
		}
	}
	if len(x.own) == 0 {
		return x.findCut(ctx)
	}
	x.records = map[int32]*model.Record{}
	x.noted = x.readNotes()
	if err := x.findRecords(ctx); err != nil {
		return err
	}
	x.numberOn()
	t.lineage, t.found = x.lineage, x.lineage.found(t.thread.Found)
	return nil
}

// tracer finds the lineage of a thread.
type tracer struct {
	*CountedThread
	lineage
	own map[int]int32 // live summaries that this program made, by their place in the live list
}

// findRecords finds the records of the live summaries: by the hash of the file,
// which nothing was added to then, or by the names that the format keeps.
func (t *tracer) findRecords(ctx context.Context) error {
	st := t.file.opt.Lookup
	if st == nil {
		return nil
	}
	parent, ok, err := st.ByOutput(ctx, t.file.Doc.Hash())
	if err != nil {
		return fmt.Errorf("look for the record this file was written from: %w", err)
	}
	if ok && t.writtenFrom(parent) {
		t.parent = parent
		for i, m := range t.own {
			if i < len(parent.Live) {
				t.records[m] = named(ctx, st, parent, parent.Live[i].Record)
			}
		}
	}
	for _, m := range t.own {
		_, recorded := ConversationID(t.file.Doc.Path)
		id := t.thread.Messages[m].ID
		if r := t.noted[m]; r != nil {
			id = r.UID
		}
		switch {
		case t.records[m] != nil:
		case recorded:
			rec, _, err := st.ByOutput(ctx, t.file.summaryHash(t.ownText(m)))
			if err != nil {
				return fmt.Errorf("look for the record that was written back: %w", err)
			}
			t.records[m] = rec
		case id != "":
			t.records[m] = named(ctx, st, t.parent, id)
		}
	}
	if t.parent != nil {
		return nil
	}
	for _, rec := range t.records { // that on top of the others is the parent
		if rec != nil && t.writtenFrom(rec) && (t.parent == nil || rec.Time.After(t.parent.Time)) {
			t.parent = rec
		}
	}
	return nil
}

// findCut finds the record of a file without a summary of ours: by its hash alone.
func (t *tracer) findCut(ctx context.Context) error {
	st := t.file.opt.Lookup
	if st == nil {
		return nil
	}
	rec, ok, err := st.ByOutput(ctx, t.file.Doc.Hash())
	if err != nil {
		return fmt.Errorf("look for the record this file was written from: %w", err)
	}
	if !ok || rec.Conversation != t.ref.Conversation || rec.Thread != t.ref.Thread || len(rec.Live) == 0 ||
		len(rec.Live) > len(t.thread.Live(len(t.thread.History))) ||
		slices.ContainsFunc(rec.Live, func(it model.Item) bool { return it.Msg < 0 }) {
		return nil
	}
	t.parent, t.cut = rec, true
	t.numberOn()
	t.CountedThread.lineage = t.lineage
	return nil
}

// note is what a file says of the record of a summary, so that its numbers mean the same
// where the record is not, and where the file has grown.
type note struct {
	UID     string        `json:"uid"`
	Time    time.Time     `json:"time"`
	Counted string        `json:"counted"`
	Before  int64         `json:"before"` // tokens
	After   int64         `json:"after"`
	Could   int64         `json:"compactable,omitempty"` // of those before
	Fixed   int           `json:"fixed,omitempty"`       // tokens of system prompt and tools
	Model   string        `json:"model,omitempty"`       // that answered last: nothing that is left may say so
	Largest int64         `json:"largest,omitempty"`     // tokens of the largest reported call, likewise
	Fitted  *model.Fitted `json:"fitted,omitempty"`
}

// noteOf is what a file that is written from a record of a thread says of it.
func noteOf(t *CountedThread, r *model.Record) []byte {
	b, err := json.Marshal(note{UID: r.UID, Time: r.Time.UTC(), Counted: r.Counted, Before: r.Before.Tokens, After: r.After.Tokens,
		Could: r.Compactable, Fixed: r.Policy.Fixed, Fitted: r.Fitted, Model: t.modelName, Largest: t.window.Largest})
	if err != nil {
		return nil // no number of a record is infinite
	}
	return bytes.ReplaceAll(b, []byte("×"), []byte(`\u00d7`)) // which any encoding of a source can hold
}

// readNotes reads what the file says of its live summaries. Somebody else's member of
// that name, and numbers that can't be, say nothing. A record that holds several of them
// says it of the last.
func (t *tracer) readNotes() map[int32]*model.Record {
	out, last := map[int32]*model.Record{}, map[string]int32{}
	for _, place := range slices.Sorted(maps.Keys(t.own)) {
		m := t.own[place]
		if x, ok := readNote(t.file.Doc, &t.thread.Messages[m]); ok {
			if before, ok := last[x.UID]; ok {
				delete(out, before)
			}
			last[x.UID] = m
			out[m] = &model.Record{UID: x.UID, Time: x.Time, Counted: x.Counted, Before: model.Size{Tokens: x.Before},
				After: model.Size{Tokens: x.After}, Compactable: x.Could, Policy: model.Policy{Fixed: x.Fixed}, Fitted: x.Fitted}
		}
	}
	return out
}

// readNote reads what the file says of a summary.
func readNote(d *model.Document, m *model.Message) (x note, ok bool) {
	v, err := transcript.Made(d, m)
	return x, err == nil && v.Exists() && json.Unmarshal(v.Raw(), &x) == nil && x.legal()
}

// latestNote is what the file says of the latest of its live summaries.
func latestNote(d *model.Document, t *model.Thread) (latest note) {
	for _, m := range t.Live(len(t.History)) {
		if !ownSummary(&t.Messages[m]) {
			continue
		}
		if x, ok := readNote(d, &t.Messages[m]); ok && !x.Time.Before(latest.Time) {
			latest = x
		}
	}
	return latest
}

// legal reports whether the numbers can be those of a record.
func (x *note) legal() bool {
	const most = 1 << 31
	size := func(n int64) bool { return n >= 0 && n < most }
	f := x.Fitted
	return size(x.Before) && size(x.After) && size(x.Could) && size(int64(x.Fixed)) && size(x.Largest) &&
		(f == nil || (f.Factor == 0 || f.Factor > .2 && f.Factor < 5) && f.Calls >= 0 && f.Unseen > -most && f.Unseen < most)
}

// ownText is the text of a summary in the file.
func (t *tracer) ownText(stored int32) string {
	parts, err := t.parts(stored)
	if err != nil || len(parts) == 0 {
		return t.thread.Messages[stored].Preview
	}
	return parts[0].Text
}

// named finds a record by its UID; nil: it is not in the store any more.
func named(ctx context.Context, st Lookup, parent *model.Record, uid string) *model.Record {
	if parent != nil && parent.UID == uid {
		return parent
	}
	rec, err := st.Record(ctx, uid)
	if err != nil {
		return nil // deleted, or not a name of ours: the summary is one like any other
	}
	return rec
}

// writtenFrom reports whether the live list begins as a record left it.
func (t *tracer) writtenFrom(rec *model.Record) bool {
	live, summaries := t.thread.Live(len(t.thread.History)), 0
	if len(live) < len(rec.Live) {
		return false
	}
	for i, it := range rec.Live {
		if it.Msg >= 0 {
			continue
		}
		if _, ok := t.own[i]; !ok {
			return false
		}
		summaries++
	}
	return summaries > 0
}

// numberOn numbers the messages of the history.
func (t *tracer) numberOn() {
	n := len(t.thread.History)
	t.number, t.turn = make([]int32, n), make([]int32, n)
	stated := map[int32]numbering{} // what the record says of the messages that it kept
	if t.parent != nil {
		stated = t.places(t.parent)
	}
	isOwn := make(map[int32]bool, len(t.own))
	for _, m := range t.own {
		isOwn[m] = true
	}
	now, resets := numbering{}, t.thread.Resets
	for h, m := range t.thread.History {
		for ; len(resets) > 0 && resets[0].At <= h; resets = resets[1:] {
			for _, b := range resets[0].Base {
				if isOwn[b] {
					now = now.behind(t.summaryEnd(b))
				}
			}
		}
		now.number++
		if t.thread.Messages[m].Typed() {
			now.turn++
		}
		if p, ok := stated[m]; ok {
			now = p
		}
		t.number[h], t.turn[h] = now.number, now.turn
	}
}

// numbering is the numbers of a message and of its turn.
type numbering struct{ number, turn int32 }

func (p numbering) behind(q numbering) numbering {
	return numbering{max(p.number, q.number), max(p.turn, q.turn)}
}

// summaryEnd is the last message that a summary replaces.
func (t *tracer) summaryEnd(stored int32) (last numbering) {
	text := t.ownText(stored)
	if rec := t.records[stored]; rec != nil {
		text = rec.Summary
		for _, run := range rec.Runs {
			if run.Taken() && run.To > run.From {
				last = last.behind(numbering{int32(run.First() + run.To - run.From - 1), int32(run.Turn)})
			}
		}
	}
	message, turn := summarize.Numbered(text)
	return last.behind(numbering{int32(message), int32(turn)})
}

// places are the numbers of the messages that a record kept, by their stored
// index in the file that was written from it.
func (t *tracer) places(rec *model.Record) map[int32]numbering {
	type entry struct {
		numbering
		first bool // of its run: the turns of the others follow
	}
	var kept []entry
	for _, run := range rec.Runs {
		switch {
		case run.Taken():
		case run.From == run.To: // a former summary, or a copy without a place
			kept = append(kept, entry{})
		default:
			for k := range run.To - run.From {
				kept = append(kept, entry{numbering{int32(run.First() + k), int32(run.Turn)}, k == 0})
			}
		}
	}
	live, out, turn, next := t.thread.Live(len(t.thread.History)), map[int32]numbering{}, int32(0), 0
	for i, it := range rec.Live {
		if it.Msg < 0 && it.Record == rec.UID {
			continue
		}
		if next == len(kept) {
			return nil // its runs are not those of its list: an older version noted them otherwise
		}
		e := kept[next]
		next++
		switch {
		case e.number == 0:
			continue
		case e.first:
			turn = e.turn
		case t.thread.Messages[live[i]].Typed():
			turn++
		}
		out[live[i]] = numbering{e.number, turn}
	}
	if next < len(kept) {
		return nil
	}
	return out
}

// numbered sets the numbers of runs, and parts those that are not counted through.
func numbered(t *CountedThread, runs []model.RecordRun) []model.RecordRun {
	out := make([]model.RecordRun, 0, len(runs))
	for _, run := range runs {
		for from := run.From; from < run.To; {
			to := from + 1
			for to < run.To && t.lineage.numberAt(to) == t.lineage.numberAt(to-1)+1 {
				to++
			}
			part := run
			part.From, part.To, part.Number, part.Turn = from, to, 0, turnAt(t, from)
			if n := t.lineage.numberAt(from); n != from+1 {
				part.Number = n
			}
			if to-from < run.To-run.From {
				part.Tokens = 0
				for _, m := range t.thread.History[from:to] {
					part.Tokens += int64(t.itemTokens(m, run.Fate == model.Cleared.String()))
				}
			}
			out, from = append(out, part), to
		}
		if run.From == run.To {
			out = append(out, run)
		}
	}
	return out
}
