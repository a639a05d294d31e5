package session

import (
	"context"
	"fmt"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
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
	records map[int32]*model.Record // of the summaries of ours that are live, by stored index
	number  []int32                 // of each message of the history
	turn    []int32                 // that it belongs to; 0: before the first
}

// Parent is the record that the thread was written from: its summary is in the
// file. nil: there is none, or it is not in the database.
func (t *CountedThread) Parent() *model.Record { return t.lineage.parent }

// Number is the 1-based number of a message, given its place in the history, in
// the history that the file was first made from.
func (t *CountedThread) Number(h int) int {
	if n := t.lineage.number; h < len(n) {
		return int(n[h])
	}
	return h + 1
}

// turnAt is the number of the turn that a message belongs to; 0: it comes before
// the first one.
func (t *CountedThread) turnAt(h int) int {
	if n := t.lineage.turn; h < len(n) {
		return int(n[h])
	}
	x := t.History() // which has them counted: a replay asks at every firing
	return x.Turns(min(h+1, x.Len()))
}

// trace finds out what the file says of the history it was made from: from the
// record that it was written from, else from the words of its summaries.
func (t *CountedThread) trace(ctx context.Context) error {
	own := t.ownSummaries()
	if len(own) == 0 {
		return nil
	}
	l := &lineage{records: map[int32]*model.Record{}}
	if err := t.findRecords(ctx, l, own); err != nil {
		return err
	}
	t.numberOn(l, own)
	t.lineage = *l
	return nil
}

// ownSummaries are the live summaries that this program made, by their place in
// the live list.
func (t *CountedThread) ownSummaries() map[int]int32 {
	own := map[int]int32{}
	for i, m := range t.thread.Live(len(t.thread.History)) {
		if ownSummary(&t.thread.Messages[m]) {
			own[i] = m
		}
	}
	return own
}

// findRecords finds the records of the live summaries: by the hash of the file,
// which nothing was added to then, or by the names that the format keeps.
func (t *CountedThread) findRecords(ctx context.Context, l *lineage, own map[int]int32) error {
	st := t.file.opt.Lookup
	if st == nil {
		return nil
	}
	parent, ok, err := st.ByOutput(ctx, t.file.Doc.Hash())
	if err != nil {
		return fmt.Errorf("look for the record this file was written from: %w", err)
	}
	if ok && t.writtenFrom(parent, own) {
		l.parent = parent
		for i, m := range own {
			if i < len(parent.Live) {
				l.records[m] = named(ctx, st, parent, parent.Live[i].Record)
			}
		}
	}
	for _, m := range own {
		switch id := t.thread.Messages[m].ID; {
		case l.records[m] != nil:
		case t.file.recorded != nil:
			rec, _, err := st.ByOutput(ctx, t.file.summaryHash(t.ownText(m)))
			if err != nil {
				return fmt.Errorf("look for the record that was written back: %w", err)
			}
			l.records[m] = rec
		case id != "":
			l.records[m] = named(ctx, st, l.parent, id)
		}
	}
	if l.parent != nil {
		return nil
	}
	for _, rec := range l.records { // that on top of the others is the parent
		if rec != nil && t.writtenFrom(rec, own) && (l.parent == nil || rec.Time.After(l.parent.Time)) {
			l.parent = rec
		}
	}
	return nil
}

// ownText is the text of a summary in the file.
func (t *CountedThread) ownText(stored int32) string {
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
func (t *CountedThread) writtenFrom(rec *model.Record, own map[int]int32) bool {
	live, summaries := t.thread.Live(len(t.thread.History)), 0
	if len(live) < len(rec.Live) {
		return false
	}
	for i, it := range rec.Live {
		if it.Msg >= 0 {
			continue
		}
		if _, ok := own[i]; !ok {
			return false
		}
		summaries++
	}
	return summaries > 0
}

// numberOn numbers the messages of the history.
func (t *CountedThread) numberOn(l *lineage, own map[int]int32) {
	n := len(t.thread.History)
	l.number, l.turn = make([]int32, n), make([]int32, n)
	told := map[int32]numbering{} // what the record says of the messages that it kept
	if l.parent != nil {
		told = t.places(l.parent)
	}
	isOwn := make(map[int32]bool, len(own))
	for _, m := range own {
		isOwn[m] = true
	}
	now, resets := numbering{}, t.thread.Resets
	for h, m := range t.thread.History {
		for ; len(resets) > 0 && resets[0].At <= h; resets = resets[1:] {
			for _, b := range resets[0].Base {
				if isOwn[b] {
					now = now.behind(t.summaryEnd(l, b))
				}
			}
		}
		now.number++
		if t.thread.Messages[m].Typed() {
			now.turn++
		}
		if p, ok := told[m]; ok {
			now = p
		}
		l.number[h], l.turn[h] = now.number, now.turn
	}
}

// numbering is the numbers of a message and of its turn.
type numbering struct{ number, turn int32 }

func (p numbering) behind(q numbering) numbering {
	return numbering{max(p.number, q.number), max(p.turn, q.turn)}
}

// summaryEnd is the last message that a summary stands for.
func (t *CountedThread) summaryEnd(l *lineage, stored int32) (last numbering) {
	text := t.ownText(stored)
	if rec := l.records[stored]; rec != nil {
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
func (t *CountedThread) places(rec *model.Record) map[int32]numbering {
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
func (t *CountedThread) numbered(runs []model.RecordRun) []model.RecordRun {
	out := make([]model.RecordRun, 0, len(runs))
	for _, run := range runs {
		for from := run.From; from < run.To; {
			to := from + 1
			for to < run.To && t.Number(to) == t.Number(to-1)+1 {
				to++
			}
			part := run
			part.From, part.To, part.Number, part.Turn = from, to, 0, t.turnAt(from)
			if n := t.Number(from); n != from+1 {
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
