// Package contexts compacts the contexts of a conversation's agents by automatic
// compaction: a context is a list of Codex history items, a compactor
// works on chat messages, and this package maps the one to the other.
//
//	agents.Conversation          Contexts                  auto.Compactor
//	context of A  ── items ──▶  an answer, a message ──▶  BeforeCall
//	Replace       ◀── items ──  kept items as they are    runtime list
//	                            spelled, a summary
//
// An agent's thoughts, words and calls in a row are one message, as in the window.
//
// A whole program:
//
//	package main
//
//	import (
//		"context"
//		"log"
//		"time"
//
//		"palimpsest/compaction/agents"
//		"palimpsest/compaction/auto"
//		"palimpsest/compaction/auto/contexts"
//		"palimpsest/compaction/session/journal"
//		"palimpsest/compaction/summarize/remote/agent"
//		"palimpsest/model"
//		"palimpsest/model/store"
//	)
//
//	func main() {
//		ctx := context.Background()
//		st, err := store.Open("agents.db")
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer st.Close()
//		talk, err := agents.Open(ctx, "weather", agents.Options{Journal: journal.Recorded(st), Now: time.Now})
//		if err != nil {
//			log.Fatal(err)
//		}
//		cfg := auto.DefaultConfig()
//		cfg.Strategy = model.NoteText // asks nobody
//		all := contexts.New(talk, cfg, auto.Options{Clock: agent.SystemClock{}})
//		if err := talk.Agents().Called(ctx, "A", "Will it rain?"); err != nil {
//			log.Fatal(err)
//		}
//		items, _, err := all.BeforeCall(ctx, "A")
//		if err != nil {
//			log.Fatal(err)
//		}
//		log.Println(len(items), "items to send")
//	}
package contexts

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"palimpsest/compaction/agents"
	"palimpsest/compaction/auto"
	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

// Contexts compacts the contexts of one conversation. All methods may be called
// from any goroutine; the calls for one agent are made one after the other.
type Contexts struct {
	conversation *agents.Conversation
	config       auto.Config
	options      auto.Options

	mu   sync.Mutex
	list map[string]*one
}

// one is the compactor of one agent.
type one struct {
	mu        sync.Mutex
	compactor *auto.Compactor
	all       [][]historyitem.Item // that its history was made of, by message
	items     []historyitem.Item   // of its list
	made      notes
}

// New compacts contexts of a conversation. Each agent has a compactor of its own
// with this configuration; Agent and Journal of the options are not used.
func New(c *agents.Conversation, cfg auto.Config, o auto.Options) *Contexts {
	cfg.SummaryFromUser = true // as Codex has it
	return &Contexts{conversation: c, config: cfg, options: o, list: map[string]*one{}}
}

func (k *Contexts) of(ctx context.Context, agent string) (*one, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if o := k.list[agent]; o != nil {
		return o, nil
	}
	o := &one{}
	opt := k.options
	opt.Agent, opt.Journal = agent, &o.made
	var err error
	if o.compactor, err = auto.Open(ctx, k.config, opt); err != nil {
		return nil, err
	}
	k.list[agent] = o
	return o, nil
}

// BeforeCall returns the items to send for an agent. If it is time to, its context
// is compacted first and replaced in the conversation, with a record where the
// journal makes records. A replacement that is refused, because another program
// was first, changes nothing and is an error.
func (k *Contexts) BeforeCall(ctx context.Context, agent string) ([]historyitem.Item, auto.Result, error) {
	o, err := k.of(ctx, agent)
	if err != nil {
		return nil, auto.Result{}, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	x, known := k.conversation.Agents().Context(agent)
	if !known {
		return nil, auto.Result{}, fmt.Errorf("the conversation has no agent %q", agent)
	}
	o.follow(x.Items)
	r := o.compactor.BeforeCall(ctx)
	items := o.itemsOf(&r)
	made := o.made.take(k.conversation, agent)
	if !slices.Equal(items, o.items) {
		err = k.conversation.Agents().Replace(ctx, x, items, made...)
	} else if len(made) > 0 {
		err = k.conversation.Note(ctx, made...)
	}
	if err != nil {
		o.forget() // the next call begins with the context as it is then
		return x.Items, r, err
	}
	o.items = items
	return items, r, nil
}

// follow brings the compactor's list to the items of the context.
func (o *one) follow(items []historyitem.Item) {
	n := len(o.items)
	if n > len(items) || !slices.Equal(o.items, items[:n]) {
		o.forget()
		n = 0
	}
	for n < len(items) {
		one := items[n : n+together(items[n:])]
		o.compactor.Append(messageOf(one))
		o.all = append(o.all, one)
		n += len(one)
	}
	o.items = slices.Clone(items)
}

func (o *one) forget() {
	o.compactor.Forget()
	o.all, o.items = nil, nil
}

// together counts the first items that are one message, as a reader of the list does:
// an agent's reasoning, words and calls in a row are one answer.
func together(items []historyitem.Item) int {
	n := 0
	for n < len(items) && ofAnswer(items[n]) {
		n++
	}
	return max(n, 1)
}

func ofAnswer(it historyitem.Item) bool {
	k := it.Kind()
	return k == historyitem.Reasoning || k == historyitem.Call || k == historyitem.Message && it.Role() == "assistant"
}

// messageOf is the chat message of some items. What is none of the known kinds weighs what
// the item weighs.
func messageOf(items []historyitem.Item) auto.ChatMessage {
	m := auto.ChatMessage{Role: "assistant"}
	for _, it := range items {
		switch it.Kind() {
		case historyitem.Message:
			m.Role = it.Role()
			m.Content += it.Text()
		case historyitem.Call:
			name, arguments := it.Call()
			m.ToolCalls = append(m.ToolCalls, auto.ChatCall{ID: it.CallID(), Name: name, Arguments: arguments})
		case historyitem.Output:
			m.Role, m.Content, m.ToolCallID = "tool", it.Text(), it.CallID()
		case historyitem.Reasoning:
			m.Reasoning += it.Text()
		default:
			m.Reasoning += it.Raw()
		}
	}
	return m
}

// itemsOf are the items of a list: those it was made of as they are spelled, and
// new ones for summaries and for outputs that were shortened.
func (o *one) itemsOf(r *auto.Result) (items []historyitem.Item) {
	for i, m := range r.Messages {
		switch at := r.Places[i]; {
		case at >= 0 && (m.Role != "tool" || m.Content == o.all[at][0].Text()):
			items = append(items, o.all[at]...)
		case m.Role == "tool":
			items = append(items, historyitem.Wrapped.Output(m.ToolCallID, m.Content))
		default:
			items = append(items, historyitem.Wrapped.Message(m.Role, m.Content))
		}
	}
	return items
}

// notes is the journal of a compactor whose history the conversation keeps: only
// what it says of compactions is taken.
type notes struct {
	mu   sync.Mutex
	list []model.Compacted
}

func (*notes) Events(context.Context, string, int64) ([]model.Event, error) { return nil, nil }

func (n *notes) Append(_ context.Context, _ string, _ int64, e model.Entry) ([]model.Event, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, e.Compacted...)
	return nil, nil
}

// take returns what was noted since it was taken last, said of the conversation's
// document as it is now.
func (n *notes) take(c *agents.Conversation, agent string) []model.Compacted {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := n.list
	n.list = nil
	if len(list) == 0 {
		return nil
	}
	doc := c.Document().Bytes()
	thread := 1 + slices.Index(c.Agents().Names(), agent)
	for i := range list { // the second of one call was made of a list that the conversation never had
		list[i].Document, list[i].Format, list[i].Thread = doc, model.FormatHistoryItems, thread
		if list[i].Outcome == model.Applied {
			break
		}
	}
	return list
}
