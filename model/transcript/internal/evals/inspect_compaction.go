package evals

import (
	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// The messages of a sample are all that was said: a compaction takes nothing out
// of them, and only adds the summary it made. What it left is what the model
// event behind it sent. So the events show which messages a model saw first
// when, and a compaction hides those that had been sent or answered before it
// and are not sent behind it. A message that is in no event was put into the
// file later, and is not hidden.

// inspectCompactions is the compactions of a sample, in order, that are still to
// come while its messages are read.
type inspectCompactions struct {
	list       []*inspectCompaction
	firstEvent map[string]int // id of a message → number of the first model event that has it
}

// inspectCompaction is one compaction.
type inspectCompaction struct {
	model.Found
	event         int // its number among the events
	before, after *inspectRequest
	at            int // it takes effect before the message of this index
}

// inspectRequest is a model event: what was sent and who answered.
type inspectRequest struct {
	sent    map[string]bool // ids
	results map[string]bool // the call ids of the results that were sent: an edited result has another id
	answer  string
}

func (q *inspectRequest) has(id string) bool { return q != nil && (q.sent[id] || q.answer == id) }

// readInspectCompactions reads the events of a sample, if there is a compaction among them.
func readInspectCompactions(sample jspan.Value) *inspectCompactions {
	l := &inspectCompactions{firstEvent: map[string]int{}}
	events := sample.Get("events")
	any := false
	for _, e := range events.Items {
		any = any || e.Get("event").TextN(12) == "compaction"
		if any {
			break
		}
	}
	if !any {
		return l
	}
	var pool []jspan.Value // the messages that requests refer to, in newer logs
	for _, list := range []jspan.Value{sample.Get("message_pool"), sample.Get("events_data", "messages")} {
		for _, e := range list.Items {
			pool = append(pool, e)
		}
	}
	var last *inspectRequest
	open := 0 // the first compaction without a request behind it
	for i, e := range events.Items {
		switch e.Get("event").TextN(12) {
		case "compaction":
			l.list = append(l.list, &inspectCompaction{Found: inspectFound(e), event: i, before: last})
		case "model":
			last = l.request(i, e, pool)
			for ; open < len(l.list); open++ {
				l.list[open].after = last
			}
		}
	}
	return l
}

func inspectFound(e jspan.Value) model.Found {
	f := model.Found{Summary: -1, Cause: "auto", Time: codec.Millis(e.Get("timestamp"))}
	for k, to := range map[string]**int{"tokens_before": &f.Before, "tokens_after": &f.After} {
		if n := e.Get(k); n.Kind == jspan.Number {
			t := codec.Tokens(n)
			*to = &t
		}
	}
	return f
}

// request reads model event i.
func (l *inspectCompactions) request(i int, e jspan.Value, pool []jspan.Value) *inspectRequest {
	q := &inspectRequest{sent: map[string]bool{}, results: map[string]bool{}}
	tell := func(id string) {
		if _, before := l.firstEvent[id]; !before && id != "" {
			l.firstEvent[id] = i
		}
	}
	take := func(m jspan.Value) {
		id := m.Get("id").TextN(200)
		q.sent[id] = true
		tell(id)
		if call := m.Get("tool_call_id").TextN(200); call != "" {
			q.results[call] = true
		}
	}
	for _, m := range e.Get("input").Items {
		take(m)
	}
	left := len(pool) // a request holds no message twice
	for _, r := range e.Get("input_refs").Items {
		from, to := max(r.Index(0).Int(), 0), min(r.Index(1).Int(), int64(len(pool)))
		for ; from < to && left > 0; from++ {
			take(pool[from])
			left--
		}
		if left <= 0 {
			break
		}
	}
	q.answer = e.Get("output", "choices").Index(0).Get("message", "id").TextN(200)
	tell(q.answer)
	return q
}

// place finds where in the list of messages each compaction took effect, and
// leaves out those of agents whose messages are not in the list.
func (l *inspectCompactions) place(list jspan.Value) {
	if len(l.list) == 0 {
		return
	}
	var ids []string
	named := false
	for _, e := range list.Items {
		ids = append(ids, e.Get("id").TextN(200))
		named = named || ids[len(ids)-1] != ""
	}
	kept := l.list[:0]
	least := 0
	for _, c := range l.list {
		mine := !named // without IDs nothing shows it
		for _, id := range ids {
			mine = mine || id != "" && (c.before.has(id) || c.after.has(id))
		}
		if mine {
			c.at = max(l.indexOf(c, ids), least)
			least = c.at
			kept = append(kept, c)
		}
	}
	l.list = kept
}

// indexOf is the index of the answer that followed a compaction. If that one is
// not there, it is behind the last message that was there before it or was sent
// then; the end, if nothing shows it.
func (l *inspectCompactions) indexOf(c *inspectCompaction, ids []string) int {
	at := -1
	for i, id := range ids {
		if c.after != nil && c.after.answer == id && id != "" {
			return i
		}
		if first, ever := l.firstEvent[id]; ever && first < c.event || c.after != nil && id != "" && c.after.sent[id] {
			at = i + 1
		}
	}
	if at < 0 {
		return len(ids)
	}
	return at
}

// isSummaryOfNext reports whether the summary of this id, message i, was made by the next
// compaction.
func (l *inspectCompactions) isSummaryOfNext(id string, i int) bool {
	if len(l.list) == 0 || i >= l.list[0].at || l.list[0].Summary >= 0 {
		return false
	}
	first, ever := l.firstEvent[id]
	return ever && first > l.list[0].event && l.list[0].after.has(id)
}

// applyCompactions lets the compactions take effect that are before message i.
func (r *inspectReader) applyCompactions(i int) {
	for l := r.compactions; len(l.list) > 0 && l.list[0].at <= i; l.list = l.list[1:] {
		c := l.list[0]
		if c.after == nil || len(c.after.sent) == 0 { // what it left is not recorded
			c.At = len(r.Th.History)
			r.Th.Found = append(r.Th.Found, c.Found)
			continue
		}
		var base []int32
		for _, k := range r.Live {
			m := &r.Th.Messages[k]
			_, ever := l.firstEvent[m.ID]
			if !ever || c.after.sent[m.ID] || m.Answers != "" && c.after.results[m.Answers] {
				base = append(base, k)
			}
		}
		if c.Summary >= 0 {
			base = append(base, int32(c.Summary))
		}
		r.AddCompaction(base, c.Found)
	}
}
