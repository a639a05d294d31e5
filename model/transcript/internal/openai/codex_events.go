package openai

import (
	"hash/maphash"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// event takes in a record of the stream that is meant for a screen. Some repeat the words of a
// message.
func (r *codexReader) event(v jspan.Value, p model.Piece) {
	switch string(v.Get("type").Bytes()) {
	case "user_message":
		r.events = true
		if at, ok := r.matchEvent(r.textHash('u', v.Get("message").Bytes()), p); ok {
			r.typed[at] = true
		}
	case "agent_message":
		r.matchEvent(r.textHash('a', v.Get("message").Bytes()), p)
	case "agent_reasoning", "agent_reasoning_raw_content":
		r.matchEvent(r.textHash('r', v.Get("text").Bytes()), p)
	case "token_count":
		r.tokenCount(v.Get("info"), p)
	case "task_started":
		if n := v.Get("model_context_window").Int(); n > 0 {
			r.window = int(n)
		}
	case "thread_rolled_back":
		r.rollBack(int(v.Get("num_turns").Int()))
	case "web_search_begin", "web_search_end":
		r.search = append(r.search, p)
	default:
		if id := v.Get("call_id").Text(); id != "" {
			r.aboutCall(id, p)
		}
	}
}

// matchEvent matches an event to the message whose text it repeats, which may come
// before or after it.
func (r *codexReader) matchEvent(h uint64, p model.Piece) (int32, bool) {
	if list := r.itemTexts[h]; len(list) > 0 {
		r.itemTexts[h] = list[1:]
		r.duplicate(list[0], p)
		return list[0], true
	}
	r.eventTexts[h] = append(r.eventTexts[h], p)
	return -1, false
}

// matchText offers a text of a message, by its hash, to the events that repeat it.
func (r *codexReader) matchText(h uint64, at int32) {
	if pieces := r.eventTexts[h]; len(pieces) > 0 {
		r.eventTexts[h] = pieces[1:]
		r.duplicate(at, pieces[0])
		return
	}
	r.itemTexts[h] = append(r.itemTexts[h], at)
}

// aboutCall lets an event about a call go where the call's result goes.
func (r *codexReader) aboutCall(id string, p model.Piece) {
	if at := r.calls[id].result; at > 0 && !r.pairs.Waits(r.pairs.ID(id)) {
		r.duplicate(at-1, p)
		return
	}
	r.byCall[id] = append(r.byCall[id], p)
}

func (r *codexReader) duplicate(at int32, p model.Piece) {
	p.Duplicate = true
	r.Th.Messages[at].Pieces = append(r.Th.Messages[at].Pieces, p)
}

func (r *codexReader) duplicates(at int32, pieces []model.Piece) {
	for _, p := range pieces {
		r.duplicate(at, p)
	}
}

// tokenCount gives the usage of the latest call to the answer it made: the one
// before the event, or in rollouts of 2025 the one behind it. The event goes
// where that answer goes, or it would be taken for another one's.
func (r *codexReader) tokenCount(info jspan.Value, p model.Piece) {
	if n := info.Get("model_context_window").Int(); n > 0 {
		r.window = int(n)
	}
	last := info.Get("last_token_usage")
	if last.Kind != jspan.Object {
		return
	}
	u := &model.Usage{Input: int(last.Get("input_tokens").Int()), CacheRead: int(last.Get("cached_input_tokens").Int()),
		Output: int(last.Get("output_tokens").Int()), Reasoning: int(last.Get("reasoning_output_tokens").Int())}
	total := maphash.Bytes(r.seed, info.Get("total_token_usage").Raw())
	again := total == r.totals
	r.totals = total
	at := r.latestAnswer()
	if r.early = r.early || at < 0; r.early && !again {
		r.usage, r.counts = u, append(r.counts, p)
		return
	}
	if at < 0 {
		return
	}
	r.duplicate(at, p)
	if m := &r.Th.Messages[at]; m.Usage == nil && !again {
		m.Usage = u
	}
}

// latestAnswer is the last assistant message of the history, -1 if there is none.
func (r *codexReader) latestAnswer() int32 {
	for k := len(r.Th.History) - 1; k >= 0; k-- {
		if at := r.Th.History[k]; r.Th.Messages[at].Kind == model.KindAssistant {
			return at
		}
	}
	return -1
}

// rollBack takes the last n turns out of the history: they become a branch.
func (r *codexReader) rollBack(n int) {
	r.answer = -1
	cut := len(r.Th.History)
	for ; n > 0 && cut > 0; n-- {
		cut--
		for cut > 0 && !r.isTyped(r.Th.History[cut]) {
			cut--
		}
	}
	if cut == len(r.Th.History) {
		return
	}
	r.rolled++
	for _, at := range r.Th.History[cut:] {
		r.branch[at] = r.rolled
	}
	r.Th.History = r.Th.History[:cut]
	resets := r.Th.Resets[:0]
	for _, x := range r.Th.Resets {
		if x.At <= cut {
			resets = append(resets, x)
		}
	}
	r.Th.Resets = resets
	for i := range r.Th.Found {
		r.Th.Found[i].At = min(r.Th.Found[i].At, cut)
	}
}

func (r *codexReader) isTyped(at int32) bool {
	m := &r.Th.Messages[at]
	return m.Typed() && (!r.events || r.typed[at])
}
