package openai

import (
	"bytes"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// A compacted record replaces the live list by items of its own:
//
//	record    user1 answer1 user2 answer2 [compacted: user1 summary] user3 answer3
//	history   user1 answer1 user2 answer2                            user3 answer3
//	live      user1 answer1 user2 answer2 | user1' summary' user3 answer3
//	                                       reset
//
// user1' and summary' are messages of the stored view only. Older records have
// a text in place of items: then what a person typed stays beside it.

// compacted reads a compaction: from here on the live list is what the record
// holds. Its items are messages of the stored view only; the record itself
// stays when they go, or what came before it would be live again.
func (r *codexReader) compacted(v jspan.Value, p model.Piece, when int64) {
	r.answer = -1
	text := v.Get("message")
	r.add(model.Message{Role: model.RoleOther, Kind: model.KindBoundary, Time: when, Preview: codec.Preview(text.TextN(codec.PreviewScan)),
		Pieces: []model.Piece{p}})
	found := model.Found{At: len(r.Th.History), Summary: -1, Time: when}
	var base []int32
	if items := v.Get("replacement_history"); items.Kind == jspan.Array {
		base = r.replacement(items, when, text)
		for _, i := range base {
			if r.Th.Messages[i].Kind == model.KindSummary {
				found.Summary = int(i)
			}
		}
	} else {
		base = r.keptUsers()
		if text.Kind == jspan.String && text.Len() > 2 {
			found.Summary = int(r.add(model.Message{Role: model.RoleAssistant, Kind: model.KindSummary, Time: when,
				Preview: codec.Preview(text.TextN(codec.PreviewScan)), Pieces: []model.Piece{r.TextElem(text)}}))
			base = append(base, int32(found.Summary))
		}
	}
	r.Th.Found = append(r.Th.Found, found)
	r.Th.Resets = append(r.Th.Resets, model.Reset{At: found.At, Base: base})
}

// keptUsers are the messages that an older compaction leaves beside its summary:
// what a person typed.
func (r *codexReader) keptUsers() []int32 {
	var kept []int32
	for _, i := range r.Th.Live(len(r.Th.History)) {
		m := &r.Th.Messages[i]
		if r.isTyped(i) || m.Kind == model.KindSummary && m.Role == model.RoleUser {
			kept = append(kept, i)
		}
	}
	return kept
}

// replacement makes messages of the items that a compaction left. The record says the
// summary once more beside them, in the words that the model gets.
func (r *codexReader) replacement(items jspan.Value, when int64, summary jspan.Value) []int32 {
	array := r.Array(items, model.Piece{})
	var base []int32
	open := int32(-1)
	for i, v := range items.Items {
		m := model.Message{ID: r.Intern(v.Get("id").Text()), Time: when, Pieces: []model.Piece{r.Elem(array, i)}}
		kind := codec.KindOfItem(v)
		assistant := kind == codec.ItemAnswer || kind == codec.ItemMessage && v.Get("role").TextN(12) == "assistant"
		if assistant && open >= 0 {
			a := &r.Th.Messages[open]
			a.Pieces = append(a.Pieces, m.Pieces...)
			r.baseCall(v, a)
			continue
		}
		switch kind {
		case codec.ItemMessage:
			if r.shape(v, &m); m.Kind == model.KindUser && summary.Len() > 2 && sameText(v.Get("content").Index(0).Get("text"), summary) {
				m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
			}
		case codec.ItemAnswer:
			m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
		case codec.ItemResult:
			id := string(v.Get("call_id").Bytes())
			m.Role, m.Kind, m.Answers, m.Error = model.RoleTool, model.KindResult, id, r.Failed(v)
			m.Name = codec.FirstOf(r.calls[id].name, r.Text(v.Get("name")))
			m.Loads = codec.LoadsTools(v)
			m.Preview = codec.Preview(codec.ContentHead(codec.OutputOf(v)))
		case codec.ItemSummary:
			summaryItem(v, &m)
		case codec.ItemAgent:
			m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginInjected
			m.Name, m.Preview = r.Intern(v.Get("author").Text()), codec.Preview(itemText(v))
		default:
			m.Role, m.Kind, m.Preview = model.RoleOther, model.KindOther, codec.Preview(string(v.Raw()[:min(v.Len(), codec.PreviewScan)]))
		}
		at := r.add(m)
		base = append(base, at)
		if open = -1; assistant {
			open = at
			r.baseCall(v, &r.Th.Messages[at])
		}
	}
	return base
}

// sameText reports whether two strings read the same.
func sameText(a, b jspan.Value) bool {
	return a.Kind == jspan.String && b.Kind == jspan.String && bytes.Equal(a.Bytes(), b.Bytes())
}

func (r *codexReader) baseCall(v jspan.Value, a *model.Message) {
	if c, ok := r.CallOf(v); ok {
		a.Calls = append(a.Calls, c)
		known := r.calls[c.ID]
		known.name = c.Name
		r.calls[c.ID] = known
	}
	if t := itemText(v); a.Preview == "" {
		a.Preview = codec.Preview(t)
	}
}

// finish builds the conversation's threads.
func (r *codexReader) finish() {
	if len(r.Th.Messages) == 0 {
		return
	}
	for id, pieces := range r.byCall { // about a call that got no result
		if by := r.calls[id].by; by > 0 {
			r.duplicates(by-1, pieces)
		}
	}
	for i := range r.Th.Messages {
		if m := &r.Th.Messages[i]; r.events && m.Typed() && !r.typed[int32(i)] && len(m.Pieces) > 0 && m.Pieces[0].Array < 0 {
			m.Origin = model.OriginInjected
		}
	}
	c := r.Conv
	c.Model, c.Window = r.model, r.window
	if len(c.Agents) == 0 {
		c.Agents = []model.Agent{{ID: "main", Name: "main"}}
		r.Th.AgentID = "main"
	}
	c.Threads = r.split()
	for _, i := range c.Threads[0].History {
		if m := &c.Threads[0].Messages[i]; m.Typed() {
			c.Title = codec.Title(m.Preview)
			break
		}
	}
	r.Doc.Conversations = []*model.Conversation{c}
}

// split gives the rolled-back turns threads of their own.
func (r *codexReader) split() []*model.Thread {
	threads := []*model.Thread{r.Th}
	for range r.rolled {
		threads = append(threads, &model.Thread{ID: r.Th.ID, AgentID: r.Th.AgentID, Kind: model.ThreadBranch})
	}
	if r.rolled == 0 {
		return threads
	}
	all := r.Th.Messages
	r.Th.Messages = nil
	moved := make([]int32, len(all))
	for i := range all {
		t := threads[r.branch[i]]
		moved[i] = int32(len(t.Messages))
		t.Messages = append(t.Messages, all[i])
		if r.branch[i] > 0 {
			t.History = append(t.History, moved[i])
		}
	}
	for k, i := range r.Th.History {
		r.Th.History[k] = moved[i]
	}
	for k := range r.Th.Resets {
		base := r.Th.Resets[k].Base
		for j, i := range base {
			base[j] = moved[i]
		}
	}
	for k := range r.Th.Found {
		if f := &r.Th.Found[k]; f.Summary >= 0 {
			f.Summary = int(moved[f.Summary])
		}
	}
	return threads
}
