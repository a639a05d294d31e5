package anthropic

import (
	"palimpsest/model"
)

// ccThread builds a thread from its records in the order of the file.
type ccThread struct {
	*model.Thread
	no      int32               // among the threads of the file
	size    int                 // messages of its records, before blocks of one answer are merged
	prompt  uint64              // of the first record
	answers map[string]ccAnswer // by message id
	pairs   model.NamedPairing
	fresh   bool    // behind a boundary, before the first message of the chat
	queued  []int32 // records of the queue that the next answer sees
}

// ccAnswer is an answer that more records may add to.
type ccAnswer struct {
	at     int32 // its stored index
	weight uint8 // of its preview
}

func (t *ccThread) add(r *ccReader, i int32) {
	if t.answers == nil {
		t.Messages = make([]model.Message, 0, t.size)
		t.answers = map[string]ccAnswer{}
	}
	rec := &r.recs[i]
	messages, msgID := rec.messages, rec.msgID
	_, goesOn := t.answers[msgID]
	if rec.bound != nil || rec.kind == ccAssistant && !goesOn || rec.kind == ccUser && !rec.answers() {
		t.showQueued(r)
	}
	for k := range messages {
		m := &messages[k]
		if a, ok := t.answers[msgID]; ok && msgID != "" {
			rec.stored = a.at
			t.merge(a.at, m)
			if rec.weight > a.weight {
				t.Messages[a.at].Preview = m.Preview
				t.answers[msgID] = ccAnswer{a.at, rec.weight}
			}
			continue
		}
		at := int32(len(t.Messages))
		if k == 0 {
			rec.stored = at
		}
		if m.Kind == model.KindUser && t.Kind != model.ThreadMain && len(t.Messages) == 0 && rec.parent == "" {
			m.Origin = model.OriginTyped // the task: what a person's first words are to the main line
		}
		t.Messages = append(t.Messages, *m)
		t.calls(at, m.Calls)
		t.place(r, rec, at)
	}
	rec.messages = nil
}

// showQueued puts prompts of the queue where the model sees them: behind the results of
// the calls that it waits for.
func (t *ccThread) showQueued(r *ccReader) {
	for _, i := range t.queued {
		rec := &r.recs[i]
		for _, m := range rec.messages {
			rec.stored = int32(len(t.Messages))
			t.Messages = append(t.Messages, m)
			t.place(r, rec, rec.stored)
		}
		rec.messages = nil
	}
	t.queued = nil
}

// merge adds a block to the answer it belongs to. Each record of an answer
// repeats its usage with the count so far: the largest is the one that counts.
func (t *ccThread) merge(at int32, m *model.Message) {
	a := &t.Messages[at]
	a.Pieces = append(a.Pieces, m.Pieces...)
	a.Calls = append(a.Calls, m.Calls...)
	a.Links = append(a.Links, m.Links...)
	a.Signed = a.Signed || m.Signed
	t.calls(at, m.Calls)
	if m.Usage != nil && (a.Usage == nil || m.Usage.Output > a.Usage.Output) {
		a.Usage = m.Usage
	}
}

func (t *ccThread) calls(at int32, calls []model.Call) {
	for _, c := range calls {
		t.pairs.Call(t.pairs.ID(c.ID), at)
	}
}

func (t *ccThread) duplicate(at int32, p model.Piece) {
	p.Duplicate = true
	t.Messages[at].Pieces = append(t.Messages[at].Pieces, p)
}

// place gives a stored message its place in the history, or in what a
// compaction left.
func (t *ccThread) place(r *ccReader, rec *ccRecord, at int32) {
	m := &t.Messages[at]
	switch m.Kind {
	case model.KindBoundary:
		t.boundary(r, rec)
		return
	case model.KindSummary:
		t.summary(at, m)
		return
	case model.KindOther: // no request has it
		return
	case model.KindAssistant:
		if rec.msgID != "" {
			t.answers[rec.msgID] = ccAnswer{at, rec.weight}
		}
	case model.KindResult:
		switch _, tie := t.pairs.Result(t.pairs.ID(m.Answers), at); tie {
		case model.TieNone:
			r.noteRecord(rec, "orphan-result", "a tool result without a call before it")
		case model.TieFurther:
			r.noteRecord(rec, "second-result", "a further result of a call that has one")
		}
	}
	if m.Typed() {
		clear(t.answers)
	}
	if t.fresh && rec.kind == ccAttachment { // shown again by the compaction
		k := len(t.Resets) - 1
		t.Resets[k].Base = append(t.Resets[k].Base, at)
		return
	}
	t.fresh = false
	t.History = append(t.History, at)
}

func (t *ccThread) boundary(r *ccReader, rec *ccRecord) {
	b := rec.bound
	f := b.found
	f.At = len(t.History)
	t.Found = append(t.Found, f)
	clear(t.answers)
	if f.Clearing {
		return
	}
	t.Resets = append(t.Resets, model.Reset{At: f.At, Base: t.preserved(r, b)})
	t.fresh = true
}

// preserved finds the messages that a compaction left word for word: they stay
// where they were in the file. A list that names them says more than a segment,
// which has only one of several calls that an answer makes at once.
func (t *ccThread) preserved(r *ccReader, b *ccBoundary) []int32 {
	var base []int32
	taken := map[int32]bool{} // the records of one answer need not be side by side
	take := func(from, to int32) {
		for at := from; at < to; at++ {
			if k := t.Messages[at].Kind; !taken[at] && (k == model.KindUser || k == model.KindAssistant ||
				k == model.KindResult || k == model.KindSummary) { // our own summary is among them
				base = append(base, at)
			}
			taken[at] = true
		}
	}
	stored := func(uuid string) (from, to int32) { // the messages of a record, as results and what a person said beside them
		i, ok := r.byUUID(uuid)
		if !ok || uuid == "" || r.recs[i].thread != t.no || r.recs[i].stored < 0 {
			return 0, 0
		}
		from = r.recs[i].stored
		for to = from + 1; int(to) < len(t.Messages) && t.Messages[to].Pieces[0].Off < r.recs[i].piece.End() &&
			t.Messages[to].Pieces[0].Off >= r.recs[i].piece.Off; {
			to++
		}
		return from, to
	}
	for _, id := range b.kept {
		take(stored(id))
	}
	head, headEnd := stored(b.head)
	if _, end := stored(b.tail); len(base) == 0 && headEnd > head {
		take(head, end)
	}
	return base
}

// summary is at the head of what its boundary left. One without a boundary
// cuts nothing off: Claude Code walks past it, so it is one more message of the
// live list.
func (t *ccThread) summary(at int32, m *model.Message) {
	here := len(t.History)
	if k := len(t.Resets) - 1; t.fresh && t.Resets[k].At == here {
		f := &t.Found[len(t.Found)-1]
		if f.Summary < 0 {
			f.Summary = int(at)
			t.Resets[k].Base = append([]int32{at}, t.Resets[k].Base...)
			return
		}
		t.Resets[k].Base = append(t.Resets[k].Base, at)
		return
	}
	if f := t.unsummarised(); f != nil {
		f.Summary = int(at)
	} else {
		t.Found = append(t.Found, model.Found{At: here, Summary: int(at), Time: m.Time})
	}
	t.Resets = append(t.Resets, model.Reset{At: here, Base: append(t.Live(here), at)})
}

// unsummarised is the last compaction if it has no summary and the model said nothing since:
// a plugin's compaction leaves the messages that began the session before its summary.
func (t *ccThread) unsummarised() *model.Found {
	if len(t.Found) == 0 {
		return nil
	}
	f := &t.Found[len(t.Found)-1]
	if f.Clearing || f.Summary >= 0 {
		return nil
	}
	for _, i := range t.History[f.At:] {
		if t.Messages[i].Kind == model.KindAssistant {
			return nil
		}
	}
	return f
}
