package coders

import (
	"strconv"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// piReader collects the entries of a session and then follows its tree.
type piReader struct {
	*codec.Builder
	entries []piEntry
	byID    map[string]int
	leaf    int // the last entry: where the session is

	id, dir, name string
	unknown       codec.Tally
}

// piEntry is one record. Entries of version 1, which have no ids, are given
// some, each following the one before it.
type piEntry struct {
	piece      model.Piece
	line       int
	id, parent string
	kind       piKind
	msg        model.Message
	kept       string // of a compaction: id of the first kept entry
	before     *int   // of a compaction: tokens
}

type piKind uint8

const (
	piLoose      piKind = iota // says nothing to a model
	piMessage                  // part of the context
	piAside                    // a message that the model does not get
	piCompaction               // hides what came before it
)

// impliedID is the id of an entry that has none.
func impliedID(index int) string { return "#" + strconv.Itoa(index) }

func (r *piReader) entry(v jspan.Value) {
	n := len(r.entries)
	e := piEntry{piece: r.Record(v), line: r.Line, id: v.Get("id").TextN(200), parent: v.Get("parentId").TextN(200)}
	kind := v.Get("type").TextN(40)
	if kind == "session" {
		if r.id == "" {
			r.id, r.dir = e.id, v.Get("cwd").TextN(1000)
		}
		e.id = ""
	}
	if e.id == "" || r.has(e.id) {
		if e.id != "" {
			r.Note("duplicate-id", "an id that an entry before it has")
		}
		e.id = impliedID(n)
	}
	if !v.Has("parentId") && n > 0 {
		e.parent = r.entries[n-1].id
	}
	r.classify(&e, kind, v)
	r.byID[e.id] = n
	r.entries = append(r.entries, e)
	if kind != "session" {
		r.leaf = n
	}
}

func (r *piReader) has(id string) bool { _, ok := r.byID[id]; return ok }

func (r *piReader) classify(e *piEntry, kind string, v jspan.Value) {
	m := &e.msg
	m.ID, m.Time, m.Pieces = v.Get("id").TextN(200), codec.Millis(v.Get("timestamp")), []model.Piece{e.piece}
	switch kind {
	case "message":
		r.Doc.Items++
		e.kind = r.message(m, v.Get("message"))
	case "custom_message":
		e.kind = piMessage
		m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginInjected
		m.Preview = codec.Preview(codec.ContentHead(v.Get("content")))
	case "branch_summary": // what an abandoned branch was about
		e.kind = piMessage
		m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginInjected
		m.Preview = codec.Preview(v.Get("summary").TextN(codec.PreviewScan))
	case "compaction":
		e.kind = piCompaction
		r.compaction(e, v)
	case "session_info":
		r.name = v.Get("name").TextN(200)
	case "session", "model_change", "thinking_level_change", "custom", "label":
	default:
		r.unknown.Add(r.Builder, kind)
	}
}

// message reads what a message entry wraps.
func (r *piReader) message(m *model.Message, v jspan.Value) piKind {
	if when := codec.Millis(v.Get("timestamp")); when > 0 {
		m.Time = when
	}
	content := v.Get("content")
	head := codec.ContentHead(content)
	kind := piMessage
	switch role := v.Get("role").TextN(40); role {
	case "user":
		codec.SetUser(m, head)
	case "assistant":
		m.Role, m.Kind, m.Model = model.RoleAssistant, model.KindAssistant, r.Intern(v.Get("model").TextN(200))
		m.Usage = piUsage(v.Get("usage"))
		if stop := v.Get("stopReason").TextN(12); stop == "error" || stop == "aborted" { // pi sends no answer that was cut off
			kind = piAside
		}
		for _, e := range content.Items {
			m.Signed = m.Signed || codec.SignedThinking(e)
			if e.Get("type").TextN(12) == "toolCall" {
				m.Calls = append(m.Calls, model.Call{ID: e.Get("id").TextN(200), Name: r.Intern(e.Get("name").TextN(200))})
				if head == "" && len(m.Calls) == 1 {
					m.Preview = codec.Preview(m.Calls[0].Name + " " + codec.SpelledHead(e.Get("arguments")))
				}
			}
		}
	case "toolResult":
		m.Role, m.Kind, m.Answers = model.RoleTool, model.KindResult, v.Get("toolCallId").TextN(200)
		m.Name, m.Error = r.Intern(v.Get("toolName").TextN(200)), v.Get("isError").Bool()
	case "bashExecution": // a command the person ran: sent to the model unless it says otherwise
		m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginInjected
		head = v.Get("command").TextN(codec.PreviewScan)
		if v.Get("excludeFromContext").Bool() {
			kind = piAside
		}
	case "custom", "hookMessage":
		m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginInjected
	default:
		m.Role, m.Kind, kind = model.RoleOther, model.KindOther, piAside
		r.Note("unknown-role", "unknown role "+string(edit.Quote(r.Doc, role))+"; the message is kept")
	}
	if m.Preview == "" {
		m.Preview = codec.Preview(head)
	}
	return kind
}

func (r *piReader) compaction(e *piEntry, v jspan.Value) {
	m := &e.msg
	m.Role, m.Kind = model.RoleUser, model.KindSummary
	if text := v.Get("summary"); text.Kind == jspan.String && text.Len() > 2 {
		m.Preview = codec.Preview(text.TextN(codec.PreviewScan))
		m.Pieces = []model.Piece{r.TextElem(text)}
	} else {
		m.Kind = model.KindBoundary
	}
	if n := v.Get("tokensBefore"); n.Kind == jspan.Number {
		before := codec.Tokens(n)
		e.before = &before
	}
	e.kept = v.Get("firstKeptEntryId").TextN(200)
	if i := v.Get("firstKeptEntryIndex"); e.kept == "" && i.Kind == jspan.Number {
		if n := i.Int(); n >= 0 && n < int64(len(r.entries)) {
			e.kept = r.entries[n].id
		}
	}
}

// piUsage reads the tokens of an answer; input does not count what was cached.
func piUsage(v jspan.Value) *model.Usage {
	u := &model.Usage{CacheRead: codec.Tokens(v.Get("cacheRead")), CacheWrite: codec.Tokens(v.Get("cacheWrite")),
		Output: codec.Tokens(v.Get("output"))}
	if u.Input = codec.Tokens(v.Get("input")) + u.CacheRead + u.CacheWrite; u.Input == 0 {
		return nil
	}
	return u
}

// finish walks from the leaf to the root and builds the threads.
func (r *piReader) finish() {
	r.unknown.Report(r.Builder)
	if r.leaf < 0 {
		return
	}
	onMain := make([]bool, len(r.entries))
	var path []int
	for i, ok := r.leaf, true; ok; i, ok = r.byID[r.entries[i].parent] {
		if onMain[i] {
			r.at(i)
			r.Note("cycle", "parents that lead back to this entry; the walk stops here")
			break
		}
		onMain[i] = true
		path = append(path, i)
		if r.entries[i].parent == "" {
			break
		}
	}
	c := r.NewChat()
	defer c.Finish()
	c.Conv.ID, c.Conv.Dir = r.id, r.dir
	r.follow(c, path)
	r.branches(c, onMain)
	if r.name != "" {
		c.Conv.Title = r.name
	}
}

// at makes entry i the one that notes are about.
func (r *piReader) at(i int) { r.Base, r.Line = r.entries[i].piece.Off, r.entries[i].line }

// follow adds the entries of a path, given from its end to its beginning.
func (r *piReader) follow(c *codec.Chat, path []int) {
	stored := map[string]int32{} // id of an entry → its message
	var order []string           // of the entries so far
	for k := len(path) - 1; k >= 0; k-- {
		e := &r.entries[path[k]]
		r.at(path[k])
		switch e.kind {
		case piMessage:
			stored[e.id] = c.Add(e.msg, jspan.Value{})
		case piAside:
			c.Store(e.msg)
		case piCompaction:
			at := c.Store(e.msg)
			f := model.Found{Summary: -1, Before: e.before, Time: e.msg.Time}
			var base []int32
			if e.msg.Kind == model.KindSummary {
				f.Summary = int(at)
				base = append(base, at)
			}
			kept := false
			for _, id := range order {
				if kept = kept || id == e.kept; kept {
					if i, ok := stored[id]; ok {
						base = append(base, i)
					}
				}
			}
			c.AddCompaction(base, f)
		}
		order = append(order, e.id)
	}
}

// branches puts what is not on the path into threads of its own, one for each
// place where the path was left.
func (r *piReader) branches(c *codec.Chat, onMain []bool) {
	byTop := map[int]*model.Thread{}
	top := make([]int, len(r.entries))
	for i := range r.entries {
		e := &r.entries[i]
		top[i] = i
		if p, ok := r.byID[e.parent]; ok && p < i && !onMain[p] {
			top[i] = top[p]
		}
		if onMain[i] || e.kind == piLoose {
			continue
		}
		t := byTop[top[i]]
		if t == nil {
			t = &model.Thread{ID: r.entries[top[i]].id, AgentID: "main", Kind: model.ThreadBranch}
			byTop[top[i]] = t
			c.Conv.Threads = append(c.Conv.Threads, t)
		}
		if k := e.msg.Kind; e.kind == piMessage && k != model.KindSummary {
			t.History = append(t.History, int32(len(t.Messages)))
		}
		t.Messages = append(t.Messages, e.msg)
	}
}
