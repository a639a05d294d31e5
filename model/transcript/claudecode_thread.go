package transcript

import "palimpsest/model"

// ccThread builds a thread from its records in the order of the file.
type ccThread struct {
	*model.Thread
	prompt  uint64           // of the first record
	answers map[string]int32 // message id → stored index of the answer it belongs to
	weights map[int32]uint8  // stored index of an answer → weight of its preview
	callers map[string]int32 // call id → stored index of the message that makes it
	stored  map[int32]int32  // record → stored index of its first message
	opened  map[string]int   // calls that wait for a result
	fresh   bool             // behind a boundary, before the first message of the chat
}

func (t *ccThread) add(r *ccReader, i int32) {
	if t.answers == nil {
		t.answers, t.callers, t.stored = map[string]int32{}, map[string]int32{}, map[int32]int32{}
		t.opened, t.weights = map[string]int{}, map[int32]uint8{}
	}
	rec := &r.recs[i]
	for k := range rec.messages {
		m := &rec.messages[k]
		if at, ok := t.answers[rec.msgID]; ok && rec.msgID != "" {
			t.stored[i] = at
			t.merge(at, m, rec.weight)
			continue
		}
		at := int32(len(t.Messages))
		if k == 0 {
			t.stored[i] = at
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

// merge adds a block to the answer it belongs to. Each record of an answer
// repeats its usage with the count so far: the largest is the one that counts.
func (t *ccThread) merge(at int32, m *model.Message, weight uint8) {
	a := &t.Messages[at]
	a.Pieces = append(a.Pieces, m.Pieces...)
	a.Calls = append(a.Calls, m.Calls...)
	t.calls(at, m.Calls)
	if m.Usage != nil && (a.Usage == nil || m.Usage.Output > a.Usage.Output) {
		a.Usage = m.Usage
	}
	if weight > t.weights[at] {
		a.Preview, t.weights[at] = m.Preview, weight
	}
}

func (t *ccThread) calls(at int32, calls []model.Call) {
	for _, c := range calls {
		if c.ID != "" {
			t.callers[c.ID] = at
			t.opened[c.ID]++
		}
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
	case model.KindAssistant:
		if rec.msgID != "" {
			t.answers[rec.msgID], t.weights[at] = at, rec.weight
		}
	case model.KindResult:
		if t.opened[m.Answers] > 0 {
			t.opened[m.Answers]--
		} else {
			r.noteRecord(rec, "orphan-result", "a tool result without a call before it")
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
	f := rec.bound.found
	f.At = len(t.History)
	t.Found = append(t.Found, f)
	clear(t.answers)
	if f.Clearing {
		return
	}
	t.Resets = append(t.Resets, model.Reset{At: f.At, Base: t.preserved(r, rec.bound)})
	t.fresh = true
}

// preserved finds the messages that a compaction left word for word: they stay
// where they were in the file.
func (t *ccThread) preserved(r *ccReader, b *ccBoundary) []int32 {
	var base []int32
	taken := map[int32]bool{} // the records of one answer need not stand side by side
	take := func(i int32) {
		at, ok := t.stored[i]
		if !ok || taken[at] {
			return
		}
		taken[at] = true
		switch t.Messages[at].Kind {
		case model.KindUser, model.KindAssistant, model.KindResult, model.KindSummary: // our own stands among them
			base = append(base, at)
		}
	}
	head, ok1 := r.byUUID[b.head]
	tail, ok2 := r.byUUID[b.tail]
	if b.head != "" && ok1 && ok2 {
		for i := head; i <= tail; i++ {
			take(i)
		}
		return base
	}
	for _, id := range b.kept {
		if i, ok := r.byUUID[id]; ok {
			take(i)
		}
	}
	return base
}

// summary stands at the head of what its boundary left. One without a boundary
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
	t.Found = append(t.Found, model.Found{At: here, Summary: int(at), Time: m.Time})
	t.Resets = append(t.Resets, model.Reset{At: here, Base: append(t.Live(here), at)})
}
