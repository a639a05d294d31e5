package transcript

import (
	"bytes"
	"context"
	"fmt"
	rand "math/rand/v2"
	"strings"
	"testing"
	"time"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
)

// legalCuts lists the positions k of a live list at which list[:k] and list[k:]
// share no call and its result, and no step record, beginning behind from.
func legalCuts(th *model.Thread, list []int32, from int) []int {
	last := make([]int, len(list)) // the furthest position message k is tied to
	open := map[string][]int{}
	step := map[int32]int{}
	for k, i := range list {
		last[k] = k
		m := &th.Messages[i]
		for _, c := range m.Calls {
			open[c.ID] = append(open[c.ID], k)
		}
		if o := open[m.Answers]; m.Kind == model.KindResult && len(o) > 0 {
			last[o[len(o)-1]] = k
			open[m.Answers] = o[:len(o)-1]
		}
		if m.Step > 0 {
			if at, ok := step[m.Step]; ok {
				last[at] = k
			} else {
				step[m.Step] = k
			}
		}
	}
	var cuts []int
	reach := -1
	for k := range list {
		if k > from && k > reach {
			cuts = append(cuts, k)
		}
		reach = max(reach, last[k])
	}
	return append(cuts, len(list))
}

// orphans counts results without a call and calls without a result.
func orphans(th *model.Thread, list []int32) (results, calls int) {
	open := map[string]int{}
	for _, i := range list {
		m := &th.Messages[i]
		for _, c := range m.Calls {
			open[c.ID]++
			calls++
		}
		if m.Kind == model.KindResult {
			if open[m.Answers] > 0 {
				open[m.Answers]--
				calls--
			} else {
				results++
			}
		}
	}
	return results, calls
}

// testSummary carries what is hard to spell: quotes, a line end, non-ASCII.
const testSummary = "[Conversation summary - earlier context]\nIt said \"done\" in C:\\tmp; 漢字 😀 é <&>."

// checkRewrites drops random legal ranges of the live view of the main threads,
// puts a summary there, and demands that what is read back is what was promised.
func checkRewrites(t *testing.T, d *model.Document, rounds int) {
	t.Helper()
	if checkOnlyRead(t, d) {
		return
	}
	checkDropNothing(t, d)
	rng := rand.New(rand.NewPCG(1, uint64(d.Size)))
	for range rounds {
		c := rng.IntN(len(d.Conversations))
		th := d.Conversations[c].Main()
		live := th.Live(len(th.History))
		from := 0
		for from < len(live) && th.Messages[live[from]].Kind == model.KindSystem {
			from++
		}
		if rng.IntN(3) == 0 { // keep the first user message as well
			if cuts := legalCuts(th, live, from); len(cuts) > 1 {
				from = cuts[0]
			}
		}
		cuts := legalCuts(th, live, from)
		if from >= len(live) {
			continue
		}
		checkRewrite(t, d, c, live, from, cuts[rng.IntN(len(cuts))])
	}
}

func checkDropNothing(t tb, d *model.Document) {
	t.Helper()
	r, err := Rewrite(d, &edit.Change{})
	if err != nil && ReadOnly(d) != "" {
		return // a packed form that is not written, which the error says
	} else if err != nil {
		t.Fatalf("rewrite nothing: %v", err)
	}
	file := &model.Document{}
	if file.Source, file.Size = d.File(); !bytes.Equal(written(t, r.Edits), sourceBytes(t, file)) {
		t.Fatal("a rewrite that drops nothing changes bytes")
	}
}

func written(t tb, e *edit.Edits) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := e.Write(&out); err != nil {
		t.Fatalf("write: %v", err)
	}
	return out.Bytes()
}

// checkRewrite replaces live[from:to] of a conversation's main thread by a
// summary and checks the result. It returns the document read back.
func checkRewrite(t tb, d *model.Document, conv int, live []int32, from, to int) *model.Document {
	t.Helper()
	th := d.Conversations[conv].Main()
	change := &edit.Change{Conversation: conv, Drop: live[from:to], Summaries: []edit.Summary{{
		Text: testSummary, Before: live[from], UID: "5e0c9f6a-0000-4000-8000-00000000c0de",
		Time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}}}
	r, err := Rewrite(d, change)
	if err != nil {
		t.Fatalf("rewrite %d:%d of %d: %v", from, to, len(live), err)
	}
	got := written(t, r.Edits)
	where := fmt.Sprintf("conversation %d, live %d:%d of %d", conv, from, to, len(live))
	back, err := Read(context.Background(), d.Path, bytes.NewReader(got), int64(len(got)), Rereading(d))
	if err != nil {
		t.Fatalf("%s: read back: %v", where, err)
	}
	if back.Packed != nil { // what is packed is to be like what was
		got = sourceBytes(t, back)
	}
	if d.Format == model.FormatAnthropic && strings.Contains(back.Why, "spell alike") {
		// only text is left, which looks the same in both: the user says which
		back, err = Read(context.Background(), d.Path, bytes.NewReader(got), int64(len(got)), Options{Format: d.Format})
		if err != nil {
			t.Fatalf("%s: read back: %v", where, err)
		}
	}
	if back.Format != d.Format {
		t.Fatalf("%s: read back as %s (%s), was %s", where, back.Format, back.Why, d.Format)
	}
	if len(back.Conversations) != len(d.Conversations) {
		t.Fatalf("%s: %d conversations, were %d", where, len(back.Conversations), len(d.Conversations))
	}
	checkDocument(t, back)
	checkLive(t, d, back, conv, live, from, to, where)
	th2 := back.Conversations[conv].Main()
	r1, c1 := orphans(th, live)
	r2, c2 := orphans(th2, th2.Live(len(th2.History)))
	if r2 > r1 || c2 > c1 {
		t.Fatalf("%s: %d orphan results and %d open calls, were %d and %d", where, r2, c2, r1, c1)
	}
	checkOthers(t, d, back, conv, where)
	checkUntouched(t, d, change, r, got, where)
	return back
}

// checkLive demands the kept messages word for word with the summary where the
// first dropped one was.
func checkLive(t tb, d, back *model.Document, conv int, live []int32, from, to int, where string) {
	t.Helper()
	th, th2 := d.Conversations[conv].Main(), back.Conversations[conv].Main()
	live2 := th2.Live(len(th2.History))
	if len(live2) != len(live)-(to-from)+1 {
		t.Fatalf("%s: %d live messages after it, want %d", where, len(live2), len(live)-(to-from)+1)
	}
	kept := append(append([]int32{}, live[:from]...), live[to:]...)
	kept2 := append(append([]int32{}, live2[:from]...), live2[from+1:]...)
	want, have := digests(t, d, th, kept), digests(t, back, th2, kept2)
	for i := range want {
		if want[i] != have[i] {
			t.Fatalf("%s: kept message %d is now\n%.600s\nwas\n%.600s", where, i, have[i], want[i])
		}
	}
	s := &th2.Messages[live2[from]]
	if s.Kind != model.KindSummary {
		t.Fatalf("%s: a %s stands where the summary should: %.100q", where, s.Kind, s.Preview)
	}
	if text := messageText(t, back, s); !strings.Contains(text, testSummary) {
		t.Fatalf("%s: the summary reads %q", where, text)
	}
}

// checkOthers demands that every other thread is what it was.
func checkOthers(t tb, d, back *model.Document, conv int, where string) {
	t.Helper()
	for ci, c := range d.Conversations {
		for ti, th := range c.Threads {
			if ci == conv && ti == 0 {
				continue
			}
			if ti >= len(back.Conversations[ci].Threads) {
				t.Fatalf("%s: thread %d of conversation %d is gone", where, ti, ci)
			}
			th2 := back.Conversations[ci].Threads[ti]
			if len(th.Messages) != len(th2.Messages) {
				t.Fatalf("%s: thread %d of conversation %d has %d messages, had %d", where, ti, ci, len(th2.Messages), len(th.Messages))
			}
			for i := range th.Messages {
				if a, b := digest(t, d, &th.Messages[i]), digest(t, back, &th2.Messages[i]); a != b {
					t.Fatalf("%s: message %d of thread %d of conversation %d changed", where, i, ti, ci)
				}
			}
		}
	}
}

// checkUntouched demands that records that were neither dropped nor relinked
// are there byte for byte and in order.
func checkUntouched(t tb, d *model.Document, c *edit.Change, r *codec.Rewriting, got []byte, where string) {
	t.Helper()
	touched := map[int64]bool{}
	for _, s := range segmentsOf(d, r.Edits) {
		touched[s] = true
	}
	for _, l := range r.Relinked {
		for _, s := range d.Segments {
			if s.Off <= l.Off && l.Off < s.End() {
				touched[s.Off] = true
			}
		}
	}
	at := 0
	for _, s := range d.Segments {
		if touched[s.Off] {
			continue
		}
		b, err := d.Bytes(s.Span)
		if err != nil {
			t.Fatal(err)
		}
		i := bytes.Index(got[at:], b)
		if i < 0 {
			t.Fatalf("%s: the untouched record at byte %d is not in the output in its place: %.200q", where, s.Off, b)
		}
		at += i + len(b)
	}
}

// segmentsOf lists the offsets of the segments that edits reach into.
func segmentsOf(d *model.Document, e *edit.Edits) []int64 {
	var spans []model.Span
	for s := range e.Gone {
		spans = append(spans, s)
	}
	for s := range e.Replaces {
		spans = append(spans, s)
	}
	for _, in := range e.Inserts {
		if in.At.Array >= 0 {
			spans = append(spans, d.Arrays[in.At.Array].Span)
		}
	}
	if s, ok := d.Source.(*edit.PackedSource); ok { // what is in a string touches it
		for i := range spans {
			for _, t := range s.Texts {
				if spans[i].Off >= t.Off && spans[i].Off < t.Off+t.Size {
					spans[i] = t.In
				}
			}
		}
	}
	var out []int64
	for _, s := range d.Segments {
		for _, x := range spans {
			inside := x.Off >= s.Off && x.End() <= s.End()
			around := s.Off >= x.Off && s.End() <= x.End()
			if inside || around && e.Gone[x].Len > 0 {
				out = append(out, s.Off)
				break
			}
		}
	}
	return out
}
