package google

import (
	"context"
	"crypto/sha256"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// geminiLog replays the log form of a session. What a record does depends on
// those before it, and a later one may change the messages of an earlier one
// (its results, mostly), so entries are gathered first and threads made of them
// at the end.
type geminiLog struct {
	b       *codec.Builder
	id      string
	entries []geminiEntry  // by first appearance
	current []int          // what the program holds: indices of entries
	byID    map[string]int // of current
	history []int
	resets  []geminiReset
	rewinds int
}

// geminiEntry is one recorded message in its latest version.
type geminiEntry struct {
	messages []model.Message
	older    []model.Piece // versions that were replaced
	branch   int           // 0: the main line; n: taken back by the n-th rewind
	inserted bool          // put in by a $set or a summary, not part of the history
	said     [32]byte      // hash of what it says, whatever its id
}

// replace takes a later version of the message.
func (e *geminiEntry) replace(msgs []model.Message, said [32]byte) {
	older := e.messages[0].Pieces[0]
	older.Duplicate = true
	e.messages, e.older, e.said = msgs, append(e.older, older), said
}

// saidBy is the hash of what a message says.
func saidBy(v jspan.Value) [32]byte {
	h := sha256.New()
	for _, key := range []string{"type", "content", "toolCalls"} {
		h.Write(v.Get(key).Raw())
		h.Write([]byte{0})
	}
	return [32]byte(h.Sum(nil))
}

type geminiReset struct {
	at      int   // entries of the history before it
	base    []int // entries
	summary int   // entry; -1: none
}

// isGeminiPatch recognises what changes a session other than by a message.
func isGeminiPatch(v jspan.Value) bool { return v.Has("$set") || v.Has("$rewindTo") }

func readGeminiLog(ctx context.Context, b *codec.Builder) error {
	l := &geminiLog{b: b, byID: map[string]int{}}
	err := b.Lines(ctx, func(v jspan.Value) error {
		switch {
		case v.Has("$rewindTo"):
			l.rewind(v.Get("$rewindTo").TextN(200))
		case isGeminiMessage(v):
			b.Doc.Items++
			l.message(v, b.Record(v))
		case v.Has("$set"):
			l.set(v.Get("$set", "messages"))
		case v.Has("sessionId"):
			l.id = v.Get("sessionId").TextN(200)
			l.set(v.Get("messages"))
		default:
			b.Note("unknown-record", "neither a message nor a change of the session; it is kept in place")
		}
		return nil
	})
	if err != nil {
		return err
	}
	l.finish()
	return nil
}

// message takes a recorded message: in the place of the one with its id, or at
// the end.
func (l *geminiLog) message(v jspan.Value, p model.Piece) {
	msgs := geminiMessages(l.b, v, p)
	if k, ok := l.byID[msgs[0].ID]; ok && msgs[0].ID != "" {
		l.entries[k].replace(msgs, saidBy(v))
		return
	}
	k := l.add(msgs, saidBy(v))
	if msgs[0].Kind == model.KindSummary {
		l.entries[k].inserted = true
		l.resets = append(l.resets, geminiReset{len(l.history), slices.Clone(l.current), k})
		return
	}
	l.history = append(l.history, k)
}

func (l *geminiLog) add(msgs []model.Message, said [32]byte) int {
	k := len(l.entries)
	l.entries = append(l.entries, geminiEntry{messages: msgs, said: said})
	l.current = append(l.current, k)
	if id := msgs[0].ID; id != "" {
		l.byID[id] = k
	}
	return k
}

// set puts other messages in the place of all. At the beginning they are the
// history; later they are what a compression, a restored checkpoint or the masking of
// old outputs left. The program writes all of them anew, under other ids: those that say
// what one that it holds says are that one.
func (l *geminiLog) set(messages jspan.Value) {
	if messages.Kind != jspan.Array || messages.Count() == 0 && len(l.current) == 0 {
		return
	}
	list, summary := l.b.Array(messages, model.Piece{}), -1
	if len(l.entries) == 0 {
		for i, e := range messages.Items {
			l.b.Doc.Items++
			l.message(e, l.b.Elem(list, i))
		}
		return
	}
	l.takeOutCopies(messages)
	held, next := l.current, 0
	l.current, l.byID = nil, map[string]int{}
	for i, e := range messages.Items {
		said := saidBy(e)
		at := slices.IndexFunc(held[next:], func(k int) bool { return l.entries[k].said == said })
		piece := l.b.Elem(list, i)
		if at >= 0 {
			next += at + 1
			k := held[next-1]
			l.entries[k].replace(geminiMessages(l.b, e, piece), said)
			l.current = append(l.current, k)
			l.byID[e.Get("id").TextN(200)] = k
			continue
		}
		l.b.Doc.Items++
		k := l.add(geminiMessages(l.b, e, piece), said)
		l.entries[k].inserted = true
		if l.entries[k].messages[0].Kind == model.KindSummary {
			summary = k
		}
	}
	if !slices.Equal(l.current, held) {
		l.resets = append(l.resets, geminiReset{len(l.history), slices.Clone(l.current), summary})
	}
}

// takeOutCopies takes out of the history what the program recorded only to set it: it
// appends its whole list once more, message by message, before it puts it in the place
// of all.
func (l *geminiLog) takeOutCopies(messages jspan.Value) {
	n := messages.Count()
	from := len(l.current) - n
	if n < 2 || from < 1 || l.entries[l.current[from]].said != l.entries[l.current[0]].said {
		return
	}
	for i, e := range messages.Items {
		if l.entries[l.current[from+i]].messages[0].ID != e.Get("id").TextN(200) {
			return
		}
	}
	for _, k := range l.current[from:] {
		l.entries[k].inserted = true
	}
	l.history = slices.DeleteFunc(l.history, func(k int) bool { return slices.Contains(l.current[from:], k) })
}

// rewind takes back a message and all behind it; an unknown id takes back all.
func (l *geminiLog) rewind(id string) {
	from := 0
	if k, ok := l.byID[id]; ok {
		from = slices.Index(l.current, k)
	}
	gone := l.current[from:]
	l.current = slices.Clone(l.current[:from])
	if len(gone) == 0 {
		return
	}
	l.rewinds++
	rebase := false
	for _, k := range gone {
		e := &l.entries[k]
		delete(l.byID, e.messages[0].ID)
		rebase = rebase || e.inserted
		if !e.inserted {
			e.branch = l.rewinds
		}
	}
	l.history = slices.DeleteFunc(l.history, func(k int) bool { return l.entries[k].branch > 0 })
	if rebase { // what a compression left is no longer all there
		l.resets = append(l.resets, geminiReset{len(l.history), slices.Clone(l.current), -1})
	}
}

// finish makes the threads: the main line, and one branch for each rewind.
func (l *geminiLog) finish() {
	main := &model.Thread{ID: "main", AgentID: "main"}
	threads, answered := []*model.Thread{main}, []geminiAnswers{{}}
	for range l.rewinds {
		answered = append(answered, geminiAnswers{})
		threads = append(threads, &model.Thread{ID: "rewind", AgentID: "main", Kind: model.ThreadBranch})
	}
	conv := &model.Conversation{ID: l.id, Agents: []model.Agent{{ID: "main"}}}
	where := make([][]int32, len(l.entries)) // messages of each entry that a model is sent
	for k, e := range l.entries {
		th := threads[e.branch]
		e.messages[0].Pieces = append(e.messages[0].Pieces, e.older...)
		for _, m := range e.messages {
			at := int32(len(th.Messages))
			if answered[e.branch].copies(th, &m) {
				continue
			}
			th.Messages = append(th.Messages, m)
			if m.Kind == model.KindOther {
				continue
			}
			where[k] = append(where[k], at)
			if e.branch > 0 {
				th.History = append(th.History, at)
			}
			if m.Model != "" && e.branch == 0 {
				conv.Model = m.Model
			}
		}
	}
	expand := func(entries []int) (list []int32) {
		for _, k := range entries {
			if l.entries[k].branch == 0 { // not taken back since
				list = append(list, where[k]...)
			}
		}
		return list
	}
	main.History = expand(l.history)
	for _, r := range l.resets {
		at := len(expand(l.history[:min(r.at, len(l.history))]))
		main.Resets = append(main.Resets, model.Reset{At: at, Base: expand(r.base)})
		if r.summary >= 0 {
			i := where[r.summary][0]
			main.Found = append(main.Found, model.Found{At: at, Summary: int(i), Time: main.Messages[i].Time})
		}
	}
	for _, i := range main.History {
		if m := &main.Messages[i]; m.Typed() {
			conv.Title = codec.Title(m.Preview)
			break
		}
	}
	conv.Threads = slices.DeleteFunc(threads, func(t *model.Thread) bool { return t != main && len(t.Messages) == 0 })
	if len(main.Messages) > 0 || len(conv.Threads) > 1 {
		l.b.Doc.Conversations = []*model.Conversation{conv}
	}
}
