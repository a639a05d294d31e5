package transcript

import (
	"hash/maphash"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// ccRecord is what the chain needs to know of a record. No text is kept.
type ccRecord struct {
	kind                  ccKind
	side                  bool // isSidechain
	dup                   int32
	line                  int
	piece                 model.Piece
	uuid, parent, logical string
	agent                 string
	msgID                 string // of the model's answer; blocks of one answer share it
	tool                  string // the call a progress record is about
	hash                  uint64 // of the message, to tell copies from namesakes
	prompt                uint64 // of the text of a user record, 0: none
	messages              []model.Message
	bound                 *ccBoundary
	thread                int32 // -1: of no thread yet
}

// ccBoundary is a compaction that the file tells of.
type ccBoundary struct {
	found      model.Found
	head, tail string   // first and last record that stay word for word
	kept       []string // records that stay word for word
}

// ccTask is a call that starts an agent.
type ccTask struct {
	call, name string
	rec        int32 // the record that makes the call
}

type ccReader struct {
	*builder
	recs   []ccRecord
	byUUID map[string]int32
	tools  map[string]string // call id → tool name
	tasks  map[uint64]*ccTask
	byCall map[string]*ccTask
	agents map[string]string // agent id → type, as results tell
	seed   maphash.Seed
	items  int

	session, dir, model string
	custom, ai, summary string // titles, the better first
	leaf                string // the record a summary title is about
}

func newCCReader(b *builder) *ccReader {
	return &ccReader{builder: b, byUUID: map[string]int32{}, tools: map[string]string{}, tasks: map[uint64]*ccTask{},
		byCall: map[string]*ccTask{}, agents: map[string]string{}, seed: maphash.MakeSeed()}
}

// ccFields are the members of a record that reading looks at.
type ccFields struct {
	kind, subtype, uuid, parent, logical, side, agent, session, cwd, message, time, meta, summary jspan.Value
	compact, micro, attachment, tool, parentTool, content, origin, result                         jspan.Value
	customTitle, aiTitle, leaf, summaryText                                                       jspan.Value
}

func (f *ccFields) set(key string, v jspan.Value) {
	switch key {
	case "type":
		f.kind = v
	case "subtype":
		f.subtype = v
	case "uuid":
		f.uuid = v
	case "parentUuid":
		f.parent = v
	case "logicalParentUuid":
		f.logical = v
	case "isSidechain":
		f.side = v
	case "agentId":
		f.agent = v
	case "sessionId", "session_id":
		f.session = v
	case "cwd":
		f.cwd = v
	case "message":
		f.message = v
	case "timestamp":
		f.time = v
	case "isMeta":
		f.meta = v
	case "isCompactSummary":
		f.summary = v
	case "compactMetadata":
		f.compact = v
	case "microcompactMetadata":
		f.micro = v
	case "attachment":
		f.attachment = v
	case "toolUseID":
		f.tool = v
	case "parentToolUseID":
		f.parentTool = v
	case "content":
		f.content = v
	case "origin":
		f.origin = v
	case "toolUseResult":
		f.result = v
	case "customTitle":
		f.customTitle = v
	case "aiTitle", "title":
		f.aiTitle = v
	case "leafUuid":
		f.leaf = v
	case "summary":
		f.summaryText = v
	}
}

// record takes one record in.
func (r *ccReader) record(v jspan.Value, p model.Piece) {
	var f ccFields
	v.Each(func(key []byte, val jspan.Value) bool {
		f.set(string(key), val)
		return true
	})
	rec := ccRecord{kind: ccType(v), side: f.side.Bool(), dup: -1, line: r.line, piece: p, thread: -1,
		uuid: f.uuid.Text(), parent: r.intern(f.parent.Text()), agent: r.intern(f.agent.Text())}
	if s := f.session.Text(); s != "" {
		r.session = r.intern(s)
	}
	if s := f.cwd.Text(); s != "" && !rec.side {
		r.dir = r.intern(s)
	}
	r.titles(&f)
	switch rec.kind {
	case ccUser:
		r.items++
		r.user(&rec, &f)
	case ccAssistant:
		r.items++
		r.assistant(&rec, &f)
	case ccSystem:
		r.system(&rec, &f)
	case ccAttachment:
		r.attachment(&rec, &f)
	case ccProgress:
		rec.tool = f.parentTool.Text()
		if _, ok := r.tools[rec.tool]; !ok {
			rec.tool = f.tool.Text()
		}
	default:
		if rec.uuid == "" {
			return
		}
	}
	when := millis(f.time)
	for i := range rec.messages {
		m := &rec.messages[i]
		m.ID, m.ParentID, m.Time = rec.uuid, rec.parent, when
	}
	r.know(&rec, &f)
	r.recs = append(r.recs, rec)
}

// know files a record under its uuid, or tells that the uuid was there before.
func (r *ccReader) know(rec *ccRecord, f *ccFields) {
	if f.message.Exists() {
		rec.hash = maphash.Bytes(r.seed, f.message.Raw())
	}
	if rec.uuid == "" {
		return
	}
	rec.uuid = r.intern(rec.uuid)
	first, ok := r.byUUID[rec.uuid]
	if !ok {
		r.byUUID[rec.uuid] = int32(len(r.recs))
		return
	}
	why := "another record with the same uuid; both are kept, the first one counts in the chain"
	if old := &r.recs[first]; old.kind == rec.kind && old.hash == rec.hash {
		rec.dup = first
		why = "a copy of an earlier record with the same uuid; kept, and not counted twice"
	}
	r.note("duplicate-id", why)
}

func (r *ccReader) titles(f *ccFields) {
	if s := f.customTitle.TextN(200); s != "" {
		r.custom = preview(s)
	}
	switch f.kind.TextN(12) {
	case "ai-title":
		if s := f.aiTitle.TextN(200); s != "" {
			r.ai = preview(s)
		}
	case "summary":
		if s := f.summaryText.TextN(200); s != "" {
			r.summary, r.leaf = preview(s), f.leaf.Text()
		}
	}
}

// user makes the messages of a user record: one for each tool result in it, and
// one for what else it holds.
func (r *ccReader) user(rec *ccRecord, f *ccFields) {
	content := f.message
	if content.Kind == jspan.Object {
		if role := content.Get("role").TextN(20); role != "" && role != "user" {
			r.note("unknown-role", "a user record whose message has the role "+role)
		}
		content = content.Get("content")
	}
	n, results := 0, 0
	content.Items(func(_ int, b jspan.Value) bool {
		n++
		if b.Get("type").TextN(12) == "tool_result" {
			results++
		}
		return true
	})
	if results == 0 {
		rec.messages = []model.Message{r.userMessage(rec, f, content)}
		return
	}
	pieces := func(int) model.Piece { return rec.piece }
	if n > 1 {
		at := r.array(content, rec.piece)
		pieces = func(i int) model.Piece { return r.elem(at, i) }
	}
	rest := -1
	content.Items(func(i int, b jspan.Value) bool {
		if b.Get("type").TextN(12) == "tool_result" {
			m := r.result(b)
			m.Pieces = []model.Piece{pieces(i)}
			rec.messages = append(rec.messages, m)
			return true
		}
		if rest < 0 {
			rest = len(rec.messages)
			rec.messages = append(rec.messages, r.userMessage(rec, f, content))
			rec.messages[rest].Pieces = nil
		}
		rec.messages[rest].Pieces = append(rec.messages[rest].Pieces, pieces(i))
		return true
	})
	if id := f.result.Get("agentId").Text(); id != "" {
		r.agents[id] = r.intern(f.result.Get("agentType").Text())
		if t := r.byCall[rec.messages[0].Answers]; t != nil && r.agents[id] == "" {
			r.agents[id] = t.name
		}
	}
}

func (r *ccReader) result(b jspan.Value) model.Message {
	id := r.intern(b.Get("tool_use_id").Text())
	return model.Message{Role: model.RoleTool, Kind: model.KindResult, Answers: id, Name: r.tools[id],
		Error: b.Get("is_error").Bool(), Preview: preview(firstText(b.Get("content")))}
}

func (r *ccReader) userMessage(rec *ccRecord, f *ccFields, content jspan.Value) model.Message {
	m := model.Message{Role: model.RoleUser, Kind: model.KindUser, Origin: model.OriginInjected, Pieces: []model.Piece{rec.piece}}
	typed, first, image := "", "", false
	each := func(text jspan.Value) {
		if first == "" {
			first = text.TextN(previewScan)
		}
		if typed == "" {
			typed = typedHead(text)
		}
	}
	if content.Kind == jspan.String {
		each(content)
	}
	content.Items(func(_ int, b jspan.Value) bool {
		switch {
		case b.Kind == jspan.String:
			each(b)
		case b.Get("type").TextN(8) == "text":
			each(b.Get("text"))
		case b.Get("type").TextN(8) == "image":
			image = true
		}
		return true
	})
	switch {
	case f.summary.Bool() || isSummaryText(first):
		m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
	case f.meta.Bool() || f.origin.Has("kind") && f.origin.Get("kind").TextN(8) != "human":
	case typed != "" || image && first == "":
		m.Origin = model.OriginTyped
		first = typed
	}
	if rec.prompt == 0 && content.Kind == jspan.String {
		rec.prompt = r.promptHash(content.Text())
	} else if rec.prompt == 0 {
		rec.prompt = r.promptHash(content.Index(0).Get("text").Text())
	}
	if first == "" && image {
		first = "[image]"
	}
	m.Preview = preview(first)
	return m
}

// typedHead is the beginning of what is left of a text when the context that
// the program wrapped into it is taken off; "" if nothing is.
func typedHead(text jspan.Value) string {
	head := text.TextN(previewScan)
	if !isInjectedText(head) {
		return strings.TrimSpace(head)
	}
	s := strings.TrimSpace(text.Text())
	for isInjectedText(s) && strings.HasPrefix(s, "<") {
		tag, _, _ := strings.Cut(s[1:], ">")
		tag, _, _ = strings.Cut(tag, " ")
		_, rest, ok := strings.Cut(s, "</"+tag+">")
		if !ok {
			return ""
		}
		s = strings.TrimSpace(rest)
	}
	if isInjectedText(s) {
		return ""
	}
	return s[:cutRunes(s, previewScan)]
}

// cutRunes is the length of the first n code points of s.
func cutRunes(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

func (r *ccReader) promptHash(s string) uint64 {
	if s = strings.TrimSpace(s); s == "" {
		return 0
	}
	return maphash.String(r.seed, s) | 1
}

// firstText is the head of the first text of a content value.
func firstText(content jspan.Value) string {
	if content.Kind == jspan.String {
		return content.TextN(previewScan)
	}
	text := ""
	content.Items(func(_ int, b jspan.Value) bool {
		if b.Kind == jspan.String {
			text = b.TextN(previewScan)
		} else if b.Get("type").TextN(8) == "text" {
			text = b.Get("text").TextN(previewScan)
		}
		return text == ""
	})
	return text
}

// assistant makes the message of an assistant record, which mostly holds one
// block of the model's answer.
func (r *ccReader) assistant(rec *ccRecord, f *ccFields) {
	msg := f.message
	m := model.Message{Role: model.RoleAssistant, Kind: model.KindAssistant, Pieces: []model.Piece{rec.piece}}
	content := msg
	if msg.Kind == jspan.Object {
		content = msg.Get("content")
		rec.msgID = r.intern(msg.Get("id").Text())
		m.Usage = ccUsage(msg.Get("usage"))
		if name := msg.Get("model").Text(); name != "" {
			m.Model = r.intern(name)
			if name != "<synthetic>" && !rec.side {
				r.model = m.Model
			}
		}
	}
	first, reasoning, call := firstText(content), "", ""
	content.Items(func(_ int, b jspan.Value) bool {
		switch b.Get("type").TextN(20) {
		case "tool_use":
			c := r.call(b)
			m.Calls = append(m.Calls, c)
			call = c.Name + " " + string(b.Get("input").Raw()[:min(b.Get("input").Len(), previewScan)])
		case "server_tool_use", "mcp_tool_use": // run by the provider: its result is in the same message
			m.Calls = append(m.Calls, model.Call{Name: r.intern(b.Get("name").Text())})
		case "thinking":
			reasoning = b.Get("thinking").TextN(previewScan)
		}
		return true
	})
	m.Preview = preview(firstOf(first, call, reasoning))
	rec.messages = []model.Message{m}
}

func firstOf(texts ...string) string {
	for _, s := range texts {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

func (r *ccReader) call(b jspan.Value) model.Call {
	c := model.Call{ID: r.intern(b.Get("id").Text()), Name: r.intern(b.Get("name").Text())}
	r.tools[c.ID] = c.Name
	if c.Name == "Task" || c.Name == "Agent" {
		input := b.Get("input")
		t := &ccTask{call: c.ID, name: r.intern(input.Get("subagent_type").Text()), rec: int32(len(r.recs))}
		r.byCall[c.ID] = t
		if h := r.promptHash(input.Get("prompt").Text()); h != 0 {
			r.tasks[h] = t
		}
	}
	return c
}

// ccUsage reads a usage object; nil when nothing was counted.
func ccUsage(v jspan.Value) *model.Usage {
	if v.Kind != jspan.Object {
		return nil
	}
	var u model.Usage
	v.Each(func(key []byte, n jspan.Value) bool {
		switch string(key) {
		case "input_tokens":
			u.Input += int(n.Int())
		case "cache_read_input_tokens":
			u.CacheRead = int(n.Int())
			u.Input += u.CacheRead
		case "cache_creation_input_tokens":
			u.CacheWrite = int(n.Int())
			u.Input += u.CacheWrite
		case "output_tokens":
			u.Output = int(n.Int())
		}
		return true
	})
	if u == (model.Usage{}) {
		return nil
	}
	return &u
}

func (r *ccReader) system(rec *ccRecord, f *ccFields) {
	m := model.Message{Role: model.RoleSystem, Kind: model.KindBoundary, Preview: preview(f.content.TextN(previewScan)), Pieces: []model.Piece{rec.piece}}
	switch f.subtype.TextN(24) {
	case "compact_boundary":
		rec.logical = f.logical.Text()
		seg, kept := f.compact.Get("preservedSegment"), f.compact.Get("preservedMessages")
		rec.bound = &ccBoundary{head: seg.Get("headUuid").Text(), tail: seg.Get("tailUuid").Text(), found: model.Found{
			Cause: f.compact.Get("trigger").Text(), Before: optionalInt(f.compact.Get("preTokens")), After: optionalInt(f.compact.Get("postTokens")),
			Summary: -1, Time: millis(f.time)}}
		kept.Get("uuids").Items(func(_ int, v jspan.Value) bool {
			rec.bound.kept = append(rec.bound.kept, v.Text())
			return true
		})
	case "microcompact_boundary":
		found := model.Found{Cause: f.micro.Get("trigger").Text(), Before: optionalInt(f.micro.Get("preTokens")),
			Summary: -1, Clearing: true, Time: millis(f.time)}
		if saved := optionalInt(f.micro.Get("tokensSaved")); saved != nil && found.Before != nil {
			after := *found.Before - *saved
			found.After = &after
		}
		rec.bound = &ccBoundary{found: found}
	case "local_command":
		m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginInjected
	default:
		return // a note for the screen
	}
	rec.messages = []model.Message{m}
}

// optionalInt is a number that may be absent.
func optionalInt(v jspan.Value) *int {
	if v.Kind != jspan.Number {
		return nil
	}
	n := int(v.Int())
	return &n
}

// attachment makes a message of what Claude Code shows the model as a reminder.
func (r *ccReader) attachment(rec *ccRecord, f *ccFields) {
	a := f.attachment
	origin := model.OriginInjected
	switch a.Get("type").TextN(24) {
	case "hook_success": // only these two are shown to the model, and only if they said something
		if e := a.Get("hookEvent").TextN(20); e != "SessionStart" && e != "UserPromptSubmit" || a.Get("content").Len() <= 2 {
			return
		}
	case "hook_cancelled", "hook_error_during_execution", "hook_non_blocking_error", "command_permissions", "":
		return
	case "queued_command": // typed while the agent was working, unless a background task speaks
		if p := a.Get("prompt"); p.Kind == jspan.String && typedHead(p) != "" && a.Get("commandMode").TextN(8) == "prompt" {
			origin = model.OriginTyped
		}
	}
	rec.messages = []model.Message{{Role: model.RoleUser, Kind: model.KindUser, Origin: origin, Name: r.intern(a.Get("type").Text()),
		Preview: preview(ccAttachmentText(a)), Pieces: []model.Piece{rec.piece}}}
}

// ccAttachmentText is the readable part of an attachment: its content in one of
// the spellings that occur, else the attachment as it is spelled.
func ccAttachmentText(a jspan.Value) string {
	for _, v := range []jspan.Value{a.Get("content"), a.Get("prompt"), a.Get("snippet"), a.Get("text"), a.Get("addedBlocks"),
		a.Get("content", "file", "content"), a.Get("content", "content")} {
		var texts []string
		for _, p := range blockParts(v, nil) {
			if p.Kind == model.PartText && p.Text != "" {
				texts = append(texts, p.Text)
			}
		}
		if len(texts) > 0 {
			return strings.Join(texts, "\n")
		}
	}
	return rawText(a)
}
