package session

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"palimpsest/compaction/agents"
	"palimpsest/model"
	"palimpsest/model/transcript"
	"palimpsest/model/transcript/historyitem"
)

// Conversations keeps recorded conversations of agents. The store package
// implements it.
type Conversations interface {
	model.Journal

	// Conversations lists them, the one that changed last first.
	Conversations(ctx context.Context) ([]model.ConversationInfo, error)
}

// ConversationName is what [Open] opens a recorded conversation by. A file that
// is really called so is opened as ./conversation:…
func ConversationName(id string) string { return model.ConversationPrefix + id }

// ConversationID is the ID in the name of a recorded conversation; false for
// any other path.
func ConversationID(name string) (id string, ok bool) {
	return strings.CutPrefix(name, model.ConversationPrefix)
}

// BaseName is the name for a file written from path in another folder; a recorded
// conversation gets one that every system takes.
func BaseName(path string) string {
	if _, ok := ConversationID(path); !ok {
		return filepath.Base(path)
	}
	safe := func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '-'
	}
	return strings.Map(safe, path) + ".json"
}

// OpenConversation opens a recorded conversation as it is now, like a file: the
// shared history is the main thread, the context of each agent a thread of its
// own. The history of automatic compaction opens as an agent's state, a step
// history as its snapshot. Later messages do not change it.
func OpenConversation(ctx context.Context, from Conversations, id string, opt Options) (*File, error) {
	opt = opt.withDefaults()
	b, err := embeddedDocument(ctx, from, id)
	var c *agents.Conversation
	if err == nil && b == nil {
		c, err = agents.Open(ctx, id, agents.Options{Journal: from, Now: opt.Now})
	}
	switch {
	case err != nil:
		return nil, err
	case c == nil:
	case c.Events() == 0:
		return nil, &model.Problem{Code: "no-conversation", What: fmt.Sprintf("There is no recorded conversation %q.", id),
			Next: "palimpsest conversations lists those there are."}
	default:
		b = c.Document().Bytes()
	}
	d, err := transcript.Read(ctx, ConversationName(id), bytes.NewReader(b), int64(len(b)), transcript.Options{})
	if err != nil {
		return nil, err
	}
	f := NewFile(d, opt)
	if c != nil {
		f.recorded, err = newRecorded(c), tellTimes(ctx, from, id, d)
	}
	return f, err
}

// tellTimes gives the messages of a recorded conversation the times at which their
// items were appended, which the items don't hold; those that only a compaction put in
// have its time.
func tellTimes(ctx context.Context, from Conversations, id string, d *model.Document) error {
	type item struct{ agent, raw string }
	came, replaced := map[item][]time.Time{}, map[string]time.Time{}
	for ev, err := range model.EventsOf(ctx, from.Events, id, 0) {
		if err != nil {
			return err
		}
		if ev.Kind == model.EventReplaced {
			replaced[ev.Agent] = ev.Time
			continue
		}
		key := item{ev.Agent, ev.Items}
		came[key] = append(came[key], ev.Time)
	}
	for _, th := range d.Conversations[0].Threads {
		for i := range slices.Backward(th.Messages) { // what is spelled alike came in this order
			m := &th.Messages[i]
			for _, p := range slices.Backward(m.Pieces) {
				raw, err := d.Bytes(p.Span)
				if err != nil {
					return err
				}
				key, at := item{th.AgentID, string(raw)}, replaced[th.AgentID]
				if n := len(came[key]); n > 0 {
					at, came[key] = came[key][n-1], came[key][:n-1]
				}
				if !at.IsZero() {
					m.Time = at.UnixMilli()
				}
			}
		}
	}
	return nil
}

// recorded is what a file was opened from: a conversation with its contexts as
// they were, in the order of the file's threads.
type recorded struct {
	conversation *agents.Conversation
	contexts     []agents.Context
}

func newRecorded(c *agents.Conversation) *recorded {
	r := &recorded{c, []agents.Context{c.History().Context()}}
	for _, agent := range c.Agents().Names() {
		x, _ := c.Agents().Context(agent)
		r.contexts = append(r.contexts, x)
	}
	return r
}

// WriteBack puts what the records leave of a thread in the place of
// the context it was opened from, in the recorded conversation. Messages that
// came meanwhile stay behind it, and the originals stay in the journal. It is
// refused when another compaction came first: see
// [agents.Contexts.Replace].
func (o Overlay) WriteBack(ctx context.Context) error {
	r := o.file.recorded
	if r == nil {
		return &model.Problem{Code: "not-recorded", What: "There is nothing to write back to.",
			Why: fmt.Sprintf("%s is no recorded conversation.", o.file.Doc.Path), Next: "Export it to a file instead."}
	}
	if len(o.stack) == 0 {
		return &model.Problem{Code: "nothing-compacted", What: "There is nothing to write back.", Why: "Nothing was compacted.",
			Next: "Compact it first."}
	}
	items, err := o.contextItems(ctx)
	if err != nil {
		return err
	}
	replace := r.conversation.History().Replace
	if o.ref.Thread > 0 {
		replace = r.conversation.Agents().Replace
	}
	if err := replace(ctx, r.contexts[o.ref.Thread], items); err != nil {
		return err
	}
	st := o.file.opt.Store
	for _, it := range o.upTo(len(o.thread.History)).Items() {
		rec := o.record(it.Record)
		if it.Msg >= 0 || rec == nil || st == nil {
			continue
		}
		if err := st.SetOutput(ctx, rec.ID, o.file.Doc.Path, o.file.summaryHash(rec.Summary)); err != nil {
			return fmt.Errorf("note where record %s was written: %w", rec.ID, err)
		}
	}
	return nil
}

// summaryHash names a summary that is in a recorded conversation: the
// conversation as a whole changes with every message.
func (f *File) summaryHash(text string) string {
	sum := sha256.Sum256([]byte(f.Doc.Path + "\n" + text))
	return hex.EncodeToString(sum[:])
}

// CanUnwrite reports whether the thread is of a recorded conversation that a
// record was written back to, and is still there.
func (s *Session) CanUnwrite() bool {
	rec := s.lineage.parent
	return s.file.recorded != nil && rec != nil && rec.Output == s.file.Doc.Path
}

// Unwrite undoes a write-back: what the compaction took is in the recorded
// conversation again, with the messages that came since behind it. The record
// stays.
func (s *Session) Unwrite(ctx context.Context) error {
	if !s.CanUnwrite() {
		return &model.Problem{Code: "not-written-back", What: "There is no write-back to undo.",
			Why: fmt.Sprintf("%s holds the summary of no known record.", s.file.Doc.Path), Next: "Choose another conversation."}
	}
	made := func(items []historyitem.Item) bool {
		return slices.ContainsFunc(items, func(it historyitem.Item) bool { return it.Text() == s.lineage.parent.Summary })
	}
	c := s.file.recorded.conversation
	var err error
	if s.ref.Thread == 0 {
		err = c.History().Unreplace(ctx, made)
	} else {
		err = c.Agents().Unreplace(ctx, c.Agents().Names()[s.ref.Thread-1], made)
	}
	if st := s.file.opt.Store; err == nil && st != nil {
		err = st.SetOutput(ctx, s.lineage.parent.ID, "", "")
	}
	return err
}

// contextItems are the items of the thread as its records leave it, those that
// no message is made of included.
func (o Overlay) contextItems(ctx context.Context) ([]historyitem.Item, error) {
	var b bytes.Buffer
	if _, err := o.Export(&b); err != nil {
		return nil, err
	}
	doc := o.file.Doc
	d, err := transcript.Read(ctx, doc.Path, bytes.NewReader(b.Bytes()), int64(b.Len()), transcript.Options{Format: doc.Format})
	if err != nil {
		return nil, err
	}
	return itemsOf(d, d.Conversations[o.ref.Conversation].Threads[o.ref.Thread])
}

// itemsOf are the items of a thread as they are spelled, in their order.
func itemsOf(d *model.Document, th *model.Thread) ([]historyitem.Item, error) {
	var pieces []model.Piece
	for i := range th.Messages {
		pieces = append(pieces, th.Messages[i].Pieces...)
	}
	slices.SortFunc(pieces, func(a, b model.Piece) int { return int(a.Off - b.Off) })
	items := make([]historyitem.Item, len(pieces))
	for i, p := range pieces {
		raw, err := d.Bytes(p.Span)
		if err != nil {
			return nil, err
		}
		if items[i], err = historyitem.Parse(string(raw)); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// callerIn is the agent that called another one first, as its conversation has it.
func callerIn(c *model.Conversation, agent string) string {
	if i := slices.IndexFunc(c.Agents, func(x model.Agent) bool { return x.ID == agent }); i >= 0 {
		return c.Agents[i].Parent
	}
	return ""
}

// RecordConversation keeps a file of history items as a recorded conversation:
// the shared history, or a bare list, as the one that all share, every other thread as
// the context of its agent, each item as it is spelled. An ID that is taken is refused.
func RecordConversation(ctx context.Context, in Conversations, id string, f *File) error {
	d := f.Doc
	if d.Format != model.FormatHistoryItems {
		return &model.Problem{Code: "no-history-items", What: fmt.Sprintf("%s can't be recorded.", d.Path),
			Why: "It holds no history items.", Next: "Export it as history items first, or record another file."}
	}
	c, err := agents.Open(ctx, id, agents.Options{Journal: in, Now: time.Now})
	if err != nil {
		return err
	}
	if c.Events() > 0 {
		return &model.Problem{Code: "conversation-exists", What: fmt.Sprintf("There is a recorded conversation %q already.", id),
			Next: "Give this one another ID."}
	}
	talk := d.Conversations[0]
	for _, th := range talk.Threads {
		items, err := itemsOf(d, th)
		if err != nil {
			return err
		}
		if th.Kind == model.ThreadShared || !talk.KeepsContexts() { // a bare list is no agent's
			err = c.History().AppendItems(ctx, items)
		} else {
			err = c.Agents().Import(ctx, th.AgentID, callerIn(talk, th.AgentID), items)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
