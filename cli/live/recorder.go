package live

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/toolconfig"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript/jspan"
)

// Recorder writes down conversations, one transcript each. It knows a conversation
// by the hash of its messages: a request belongs to the one whose last request it
// continues. So sub-agents and side calls are transcripts of their own.
//
//	request 1   m1 m2              hash(m1 m2) ──▶ transcript A
//	request 2   m1 m2 a2 m3        begins with them: A goes on with m3
//	request 3   n1                 begins with nothing known: transcript B
//
// A call that nothing may ever continue, one without tools, gets its file when it
// is continued.
type Recorder struct {
	Dir string
	Now func() time.Time
	// Store keeps how far each conversation is, and knows where those of a gateway
	// that ended go on; nil: it is not kept.
	Store *store.Store
	// Patience is how long a call waits until the store has noted it, beside others, too; 0:
	// 20 ms, and not beside another. A store that another program has locked notes it later.
	Patience time.Duration

	mu      sync.Mutex
	last    map[[32]byte]*writing  // by the messages of the last request
	answers map[string]*writing    // by the id of the last answer, for previous_response_id
	order   []*writing             // the oldest first
	sent    recent[[32]byte, bool] // the hashes of requests
	own     []ownSummary           // of clients' own compactions, the oldest first
	notes   notes
}

// notes are sessions that the store is about to note.
type notes struct {
	sync.Mutex
	waiting map[string]model.LiveSession
	written chan struct{} // closed when none waits; nil: none does
	failed  error         // the last time, and not yet said
}

// Behind reports whether the store has not noted all sessions: another program has it
// locked, and who would write into it would wait.
func (r *Recorder) Behind() bool {
	r.notes.Lock()
	defer r.notes.Unlock()
	return r.notes.written != nil
}

// Flush waits until the store has noted all sessions.
func (r *Recorder) Flush() {
	r.notes.Lock()
	written := r.notes.written
	r.notes.Unlock()
	if written != nil {
		<-written
	}
}

// put has the store note a session, and waits a moment for it.
func (r *Recorder) put(s model.LiveSession) error {
	n := &r.notes
	s.Spent = maps.Clone(s.Spent)
	n.Lock()
	wait := n.written == nil || r.Patience > 0 // one call waits at most
	if n.written == nil {
		n.waiting, n.written = map[string]model.LiveSession{}, make(chan struct{})
		go r.writeNotes()
	}
	n.waiting[s.ID] = s
	written := n.written
	n.Unlock()
	if wait {
		select {
		case <-written:
		case <-time.After(cmp.Or(r.Patience, 20*time.Millisecond)):
		}
	}
	n.Lock()
	defer n.Unlock()
	err := n.failed
	n.failed = nil
	return err
}

// triesToNote is how often a store is asked that is locked, which each time waits by itself.
const triesToNote = 12

// writeNotes notes sessions until none waits.
func (r *Recorder) writeNotes() {
	n := &r.notes
	for {
		n.Lock()
		list := n.waiting
		n.waiting = map[string]model.LiveSession{}
		if len(list) == 0 {
			close(n.written)
			n.written = nil
			n.Unlock()
			return
		}
		n.Unlock()
		for _, s := range list {
			var err error
			for range triesToNote {
				if err = r.Store.PutLive(context.Background(), s); !errors.Is(err, store.ErrLocked) {
					break
				}
			}
			if err != nil {
				n.Lock()
				n.failed = err
				n.Unlock()
			}
		}
	}
}

// mostOpen bounds how many conversations are remembered.
const mostOpen = 1000

// Record writes down one call.
func (r *Recorder) Record(e *exchange) error {
	b := e.body
	a, err := e.api.answer(e.answer, e.stream)
	if err != nil {
		return err
	}
	used := reportedUsage(a.usage)
	e.reported = used.sent
	r.mu.Lock()
	defer r.mu.Unlock()
	t, known := r.find(b)
	if b.compactsItself() {
		return r.asked(b, a, t, known)
	}
	messages, continued := b.messages(), t != nil
	if _, again := r.sent.get(b.end()); again && !continued && b.previous == "" {
		return nil // an earlier request of a conversation
	}
	summary := -1
	if !continued {
		t, summary, known = r.resumed(b)
		continued = t != nil
	}
	switch {
	case !continued:
		t = r.begin(b)
	case summary >= 0:
		e.api.compacted(t, messages[:known], summary)
	case known == len(messages) && b.previous == "":
		return nil // the same request again
	default:
		r.sent.put(b.end(), true) // not the first of one: another may begin with the same words
	}
	t.now = r.Now()
	fresh := messages[known:]
	switch {
	case b.previous != "":
	case t.long:
		fresh = messages
	case t.Answer != "":
		fresh = fresh[answered(fresh):]
	}
	e.api.record(t, fresh, a)
	r.keep(t, b.end(), a.id)
	t.last, t.Client = b.sums[len(b.sums)-1], cmp.Or(toolconfig.SessionOf(b.header.Get), t.Client)
	t.note(e, a, used, len(messages))
	if !t.made && !b.hasTools() && !continued {
		t.wait()
		return nil
	}
	if err := t.write(r.Dir); err != nil || r.Store == nil {
		return err
	}
	return r.put(t.LiveSession)
}

// note takes over how far the conversation is.
func (t *writing) note(e *exchange, a *answer, u usage, messages int) {
	d := &e.decision
	t.Changed, t.Model, t.Window, t.Trigger, t.Mode = t.now, a.model, d.policy.Window, compaction.LowestTrigger(&d.policy), string(d.mode)
	if t.Doubt = d.doubt; d.doubt != "" {
		t.DoubtAt = messages
	}
	if d.by != nil {
		t.Record = d.by.record
	}
	if d.granted == model.RestoreNext {
		t.Course, t.At = nil, nil // what came back is no growth
	}
	used := u.sent + u.said
	if used == 0 {
		used = d.size.tokens
	}
	if e.body.previous != "" {
		messages += t.Messages
	}
	t.Called(used, messages)
}

// usage is what a server reports of a call, in tokens: what was sent, also from the cache,
// and what was said. Both are 0 where it reports nothing.
type usage struct{ sent, said int }

func reportedUsage(b json.RawMessage) usage {
	n := numbers(b)
	return usage{n("input_tokens") + n("cache_read_input_tokens") + n("cache_creation_input_tokens") + n("prompt_tokens") +
		n("promptTokenCount"), n("output_tokens") + n("completion_tokens") + n("candidatesTokenCount") + n("thoughtsTokenCount")}
}

// Session is the stored session of a request, with a person's wishes for it; no ID:
// there is none.
func (r *Recorder) Session(ctx context.Context, b *body) model.LiveSession {
	if r.Store == nil {
		return model.LiveSession{}
	}
	r.mu.Lock()
	t, _ := r.find(b)
	if t == nil {
		t, _, _ = r.resumed(b)
	}
	r.mu.Unlock()
	if t == nil {
		return model.LiveSession{}
	}
	s, err := r.Store.LiveSession(ctx, t.ID)
	if err != nil {
		return model.LiveSession{} // it was not written down yet
	}
	return s
}

// grant notes that a wish was done. Originals that were asked for go on being sent
// until a person wants otherwise.
func (r *Recorder) grant(ctx context.Context, s model.LiveSession, wish model.LiveWish) {
	ctx = context.WithoutCancel(ctx)
	if wish == model.RestoreNext {
		_ = r.Store.SetLive(ctx, s.ID, true, "")
		return
	}
	_ = r.Store.Granted(ctx, s.ID, wish)
}

// find is the conversation that a request continues, and how many of its messages
// are written down.
func (r *Recorder) find(b *body) (*writing, int) {
	if b.previous != "" {
		if t := r.answers[b.previous]; t != nil {
			return t, 0 // all it brings is new
		}
	}
	for i := len(b.keys) - 1; i > 0; i-- {
		if t := r.last[b.keys[i]]; t != nil {
			return t, i
		}
	}
	return r.findStored(b)
}

// mostBack is how far back a stored conversation is looked for: a call brings the
// answer and results, and few messages beside them.
const mostBack = 64

// findStored is find for conversations of ended gateways.
func (r *Recorder) findStored(b *body) (*writing, int) {
	if r.Store == nil {
		return nil, 0
	}
	var chains [][]byte
	for i := len(b.keys) - 1; i > 0 && len(chains) < mostBack; i-- {
		chains = append(chains, b.keys[i][:])
	}
	s, back, err := r.Store.LiveByChain(context.Background(), chains...)
	known := len(b.keys) - 1 - back
	if err != nil && b.previous != "" {
		s, err = r.Store.LiveByAnswer(context.Background(), b.previous)
		known = 0
	}
	if err != nil || s.API != b.api.name {
		return nil, 0
	}
	if _, err := os.Stat(s.Path); err != nil {
		return nil, 0
	}
	t := &writing{LiveSession: s, made: true}
	copy(t.key[:], s.Chain)
	r.remember(t)
	r.keep(t, t.key, t.Answer)
	return t, known
}

// answered counts the messages at the beginning that are the model's: they are
// written down as the server spelled them.
func answered(fresh []json.RawMessage) int {
	for i, m := range fresh {
		if v, err := jspan.Parse(m, 0); err != nil || !isModels(v) {
			return i
		}
	}
	return len(fresh)
}

// begin makes a new conversation.
func (r *Recorder) begin(b *body) *writing {
	now := r.Now()
	t := &writing{now: now}
	t.ID = session.NewUID()
	t.Source, t.API, t.Title = model.LiveGateway, b.api.name, b.title()
	name := fmt.Sprintf("%s-%s-%s.jsonl", now.UTC().Format("20060102-150405"), b.api.name, t.ID[:8])
	t.Path = filepath.Join(r.Dir, name)
	r.remember(t)
	return t
}

// title is the beginning of the first thing that a person says: not of what the program
// put before it in tags, in blocks of their own or not.
func (b *body) title() string {
	for _, e := range b.items {
		if e.Get("role").TextN(10) != "user" {
			continue
		}
		content := said(e)
		if said := titleOf(content.TextN(mostTitle * 4)); said != "" {
			return said
		}
		for _, block := range content.Items {
			if said := titleOf(block.Get("text").TextN(mostTitle * 4)); said != "" {
				return said
			}
		}
	}
	return ""
}

// mostTitle is how many characters of a title are kept.
const mostTitle = 80

// titleOf is the beginning of a text; "" for one that begins with a tag.
func titleOf(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if strings.HasPrefix(text, "<") {
		return ""
	}
	r := []rune(text)
	return string(r[:min(len(r), mostTitle)])
}

// remember lets go of the oldest conversation where there are too many.
func (r *Recorder) remember(t *writing) {
	r.order = append(r.order, t)
	if len(r.order) > mostOpen {
		old := r.order[0]
		r.order = r.order[1:]
		delete(r.last, old.key)
		delete(r.answers, old.Answer)
	}
}

// keep remembers where a conversation goes on.
func (r *Recorder) keep(t *writing, key [32]byte, answer string) {
	if r.last == nil {
		r.last, r.answers = map[[32]byte]*writing{}, map[string]*writing{}
	}
	if r.last[t.key] == t {
		delete(r.last, t.key)
	}
	delete(r.answers, t.Answer)
	t.key, t.Chain, t.Answer = key, key[:], answer
	r.last[key] = t
	if answer != "" {
		r.answers[answer] = t
	}
}

// A client that compacts by itself asks a model for a summary, and begins its next request
// with that. The session goes on, in one transcript:
//
//	request   m1 … m9 "Summarize"   the client's own compaction: answered S, which is kept here
//	request   S m8 m9 m10           begins with nothing known, and says S: m10 is new

// ownSummary is what a model answered to a client's own compaction.
type ownSummary struct {
	words string // that only this summary has
	api   *api
	of    *writing // nil: the request did not show of which
}

// mostOwn bounds how many are kept.
const mostOwn = 100

// asked takes over a client's own compaction. What the request asks for and its answer are
// not the session's; what the client had added before is.
func (r *Recorder) asked(b *body, a *answer, t *writing, known int) error {
	words := ""
	for _, m := range a.messages {
		v, err := jspan.Parse(m, 0)
		if err != nil {
			return err
		}
		for _, line := range strings.FieldsFunc(wholeText(said(v)), func(c rune) bool { return strings.ContainsRune("<>\n", c) }) {
			if line = strings.TrimSpace(line); len(line) > len(words) {
				words = line
			}
		}
	}
	for _, x := range r.order { // a client may send other messages for it, as Claude Code does
		if id := toolconfig.SessionOf(b.header.Get); known == 0 && id != "" && id == x.Client && (t == nil || x.Messages > t.Messages) {
			t = x
		}
	}
	if words != "" {
		r.own = append(r.own, ownSummary{words, b.api, t})
		r.own = r.own[max(0, len(r.own)-mostOwn):]
	}
	messages := b.messages()
	if t == nil || known == 0 || known >= len(messages)-1 {
		return nil
	}
	fresh := messages[known : len(messages)-1]
	t.now = r.Now()
	b.api.record(t, fresh[answered(fresh):], &answer{model: a.model})
	r.keep(t, b.keys[len(messages)-1], "")
	t.last = b.sums[len(messages)-2]
	return t.write(r.Dir)
}

// resumed is the conversation that a request goes on with after the client compacted it, the
// message that is the summary, and how many messages stand in the place of all before.
func (r *Recorder) resumed(b *body) (t *writing, summary, known int) {
	if len(r.own) == 0 {
		return nil, -1, 0
	}
	texts := make([]string, len(b.items))
	for i, m := range b.items {
		texts[i] = wholeText(said(m))
	}
	for i, s := range slices.Backward(r.own) {
		summary = slices.IndexFunc(texts, func(text string) bool { return strings.Contains(text, s.words) })
		if summary < 0 || s.api != b.api {
			continue
		}
		t, known = s.of, summary+1
		for _, x := range slices.Backward(r.order) { // a client that keeps messages keeps the last
			for at := len(b.sums) - 1; at > summary && x.API == b.api.name && (t == nil || t == x); at-- {
				if b.sums[at] == x.last {
					t, known = x, max(known, at+1)
				}
			}
		}
		if t != nil {
			r.own[i].of = t
			return t, summary, known
		}
	}
	return nil, -1, 0
}
