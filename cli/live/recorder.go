package live

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
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

// writing is the file of one conversation.
type writing struct {
	model.LiveSession
	api   *api
	now   time.Time
	key   [32]byte
	last  [32]byte // the hash of the last message that it holds
	lines []line   // to be written
	made  bool     // the file is there
	long  bool     // what it held was too long to wait for a second call, which brings it again
}

// mostWaiting bounds what is kept of a call that waits for a second one.
const mostWaiting = 1 << 20

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
	t.last, t.Client = b.sums[len(b.sums)-1], cmp.Or(clientOf(b.header), t.Client)
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

// clientOf is the number that the client itself gives a session, by which its hooks name it;
// "": it says none.
func clientOf(h http.Header) string {
	return cmp.Or(h.Get("X-Claude-Code-Session-Id"), h.Get("Thread-Id"), h.Get("X-Session-Id"))
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
	var u struct {
		Input      int `json:"input_tokens"`
		CacheRead  int `json:"cache_read_input_tokens"`     // beside input_tokens
		CacheWrite int `json:"cache_creation_input_tokens"` // beside input_tokens
		Output     int `json:"output_tokens"`
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		geminiUsage
	}
	_ = json.Unmarshal(b, &u)
	return usage{u.Input + u.CacheRead + u.CacheWrite + u.Prompt + u.Sent, u.Output + u.Completion + u.Said + u.Thought}
}

// Session is the session that a request belongs to, with what a person wants of it;
// without an ID: it is new.
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

// findStored finds a conversation of a gateway that ended.
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
	t := &writing{LiveSession: s, api: b.api, made: true}
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
	t := &writing{api: b.api, now: now}
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

// line is a line of JSON: an object, or the beginning of one that ends with a message, or a
// message. The message is that of the request and not copied.
type line struct{ head, message []byte }

// write appends the lines to the file.
func (t *writing) write(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(t.Path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	t.made, t.long = true, false
	w := bufio.NewWriterSize(f, 64<<10)
	for _, l := range t.lines {
		w.Write(l.head)
		compactTo(w, l.message)
		if l.message != nil && l.head != nil {
			w.WriteByte('}')
		}
		w.WriteByte('\n')
	}
	t.lines = nil
	return errors.Join(w.Flush(), f.Close())
}

// wait keeps the lines until a second call, without the request that they are of.
func (t *writing) wait() {
	n := 0
	for i, l := range t.lines {
		n += len(l.message)
		if n > mostWaiting {
			t.lines, t.long = nil, true
			return
		}
		t.lines[i].message = bytes.Clone(l.message)
	}
}

// compactTo writes JSON without the white space between its values.
func compactTo(w *bufio.Writer, raw []byte) {
	from, inText := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			inText = !inText
		case inText && c == '\\':
			i++
		case !inText && (c == ' ' || c == '\n' || c == '\r' || c == '\t'):
			w.Write(raw[from:i])
			from = i + 1
		}
	}
	w.Write(raw[from:])
}

// line adds one line of JSON.
func (t *writing) line(v any) { t.lines = append(t.lines, line{head: spell(v)}) }

// lineWith adds an object with one more member, a message as it is spelled.
func (t *writing) lineWith(v map[string]any, name string, message json.RawMessage) {
	head := spell(v)
	t.lines = append(t.lines, line{fmt.Appendf(head[:len(head)-1], ",%q:", name), message})
}

// spell is JSON as the sources spell it.
func spell(v any) []byte {
	b, _ := model.PlainJSON(v) // made of what was decoded
	return b
}

func (t *writing) stamp() string { return t.now.UTC().Format("2006-01-02T15:04:05.000Z") }

// recordClaude writes records as Claude Code does.
func recordClaude(t *writing, messages []json.RawMessage, a *answer) {
	record := func(kind string, m json.RawMessage) {
		id := session.NewUID()
		var parent any
		if t.Parent != "" {
			parent = t.Parent
		}
		t.lineWith(map[string]any{"parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": "", "sessionId": t.ID,
			"version": "gateway", "type": kind, "uuid": id, "timestamp": t.stamp()}, "message", m)
		t.Parent = id
	}
	for _, m := range messages {
		var x struct {
			Role string `json:"role"`
		}
		_ = json.Unmarshal(m, &x)
		if x.Role == "assistant" {
			record("assistant", m)
		} else {
			record("user", m)
		}
	}
	for _, m := range a.messages {
		record("assistant", m)
	}
}

// compactedClaude writes the boundary of a compaction and the summary, as Claude Code does.
// Messages that the client kept are in the transcript before it.
func compactedClaude(t *writing, messages []json.RawMessage, summary int) {
	id := session.NewUID()
	t.line(map[string]any{"parentUuid": nil, "logicalParentUuid": t.Parent, "isSidechain": false, "userType": "external", "cwd": "",
		"sessionId": t.ID, "version": "gateway", "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted",
		"uuid": id, "timestamp": t.stamp(), "compactMetadata": map[string]any{"trigger": "auto", "preTokens": t.Used}})
	t.Parent = id
	for i, m := range messages[:summary+1] {
		from := len(t.lines)
		recordClaude(t, []json.RawMessage{m}, &answer{})
		if head := t.lines[from].head; i == summary {
			t.lines[from].head = append([]byte(`{"isCompactSummary":true,`), head[1:]...)
		}
	}
}

// compactedChat writes the summary: these transcripts have no other sign of a compaction.
func compactedChat(t *writing, messages []json.RawMessage, summary int) {
	t.lines = append(t.lines, line{message: messages[summary]})
}

// recordChat writes one message a line; the model's carry the usage.
func recordChat(t *writing, messages []json.RawMessage, a *answer) {
	for _, m := range messages {
		t.lines = append(t.lines, line{message: m})
	}
	for _, m := range a.messages {
		var fields map[string]json.RawMessage
		if json.Unmarshal(m, &fields) != nil {
			continue
		}
		if a.usage != nil {
			fields["usage"] = a.usage
		}
		if a.model != "" {
			fields["model"], _ = json.Marshal(a.model)
		}
		t.line(fields)
	}
}

// geminiUsage is what Gemini's API reports of a call.
type geminiUsage struct {
	Sent    int `json:"promptTokenCount"` // the cached ones among them
	Cached  int `json:"cachedContentTokenCount"`
	Said    int `json:"candidatesTokenCount"`
	Thought int `json:"thoughtsTokenCount"`
}

// recordGemini writes a session as Gemini CLI does.
func recordGemini(t *writing, messages []json.RawMessage, a *answer) {
	if t.Parent == "" {
		t.Parent = t.ID
		t.line(map[string]any{"sessionId": t.ID, "projectHash": "", "startTime": t.stamp(), "lastUpdated": t.stamp(), "kind": "main"})
	}
	for _, m := range messages {
		t.line(t.gemini(m))
	}
	for _, m := range a.messages {
		var u geminiUsage
		_ = json.Unmarshal(a.usage, &u) // else nothing is reported
		v := t.gemini(m)
		v["model"], v["tokens"] = a.model, map[string]int{"input": u.Sent, "cached": u.Cached,
			"output": u.Said, "thoughts": u.Thought, "total": u.Sent + u.Said + u.Thought}
		t.line(v)
	}
}

// gemini is a content as Gemini CLI records it.
func (t *writing) gemini(m json.RawMessage) map[string]any {
	var content struct {
		Role  string          `json:"role"`
		Parts json.RawMessage `json:"parts"`
	}
	_ = json.Unmarshal(m, &content) // else it is recorded empty
	kind := "user"
	if content.Role == "model" {
		kind = "gemini"
	}
	return map[string]any{"id": session.NewUID(), "timestamp": t.stamp(), "type": kind, "content": content.Parts}
}

// compactedGemini sets what a compaction left, as Gemini CLI does.
func compactedGemini(t *writing, messages []json.RawMessage, _ int) {
	list := make([]any, len(messages))
	for i, m := range messages {
		list[i] = t.gemini(m)
	}
	t.line(map[string]any{"$set": map[string]any{"messages": list}})
}

// recordCodex writes a rollout as Codex does.
func recordCodex(t *writing, messages []json.RawMessage, a *answer) {
	put := func(kind string, payload any) {
		t.line(map[string]any{"timestamp": t.stamp(), "type": kind, "payload": payload})
	}
	if t.Parent == "" {
		t.Parent = t.ID
		put("session_meta", map[string]any{"id": t.ID, "timestamp": t.stamp(), "cwd": "", "originator": "palimpsest gateway",
			"cli_version": ""})
	}
	put("turn_context", map[string]any{"model": a.model})
	for _, m := range slices.Concat(messages, a.messages) {
		t.lineWith(map[string]any{"timestamp": t.stamp(), "type": "response_item"}, "payload", m)
	}
	if a.usage != nil {
		last := codexUsage(a.usage)
		if t.Spent == nil {
			t.Spent = map[string]int64{}
		}
		for k, n := range last {
			t.Spent[k] += n
		}
		put("event_msg", map[string]any{"type": "token_count",
			"info": map[string]any{"last_token_usage": last, "total_token_usage": t.Spent}})
	}
}

// compactedCodex writes what a compaction left, as Codex does.
func compactedCodex(t *writing, messages []json.RawMessage, summary int) {
	v, _ := jspan.Parse(messages[summary], 0) // it was cut out of what was parsed
	t.line(map[string]any{"timestamp": t.stamp(), "type": "compacted",
		"payload": map[string]any{"message": wholeText(said(v)), "replacement_history": messages}})
}

// codexUsage is the usage of a response in Codex's words.
func codexUsage(b json.RawMessage) map[string]int64 {
	var u struct {
		Input   int64 `json:"input_tokens"`
		Output  int64 `json:"output_tokens"`
		Total   int64 `json:"total_tokens"`
		Details struct {
			Cached int64 `json:"cached_tokens"`
		} `json:"input_tokens_details"`
		Out struct {
			Reasoning int64 `json:"reasoning_tokens"`
		} `json:"output_tokens_details"`
	}
	_ = json.Unmarshal(b, &u)
	return map[string]int64{"input_tokens": u.Input, "cached_input_tokens": u.Details.Cached, "output_tokens": u.Output,
		"reasoning_output_tokens": u.Out.Reasoning, "total_tokens": u.Total}
}
