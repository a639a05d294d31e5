package transcript

import (
	"context"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// adk reads sessions of Google's Agent Development Kit: events with an author
// and content in Gemini's parts, spelled in snake or in camel case. All agents
// of a session see one list of events, so it is one thread; each message names
// its author. An event with several function responses is a message for each.
type adk struct{}

func (adk) info() Info {
	return Info{model.FormatADK, "Google ADK session",
		"an object with events that have an author, an invocation id and content in parts"}
}

// either is the member of an object that is spelled one way or the other.
func either(v jspan.Value, snake, camel string) jspan.Value {
	if x := v.Get(snake); x.Exists() {
		return x
	}
	return v.Get(camel)
}

func isADKEvent(v jspan.Value) bool {
	m := members(v, "author", "invocation_id", "invocationId", "content", "actions")
	return m[0].Kind == jspan.String && (m[1].Kind == jspan.String || m[2].Kind == jspan.String) &&
		(m[3].Get("parts").Kind == jspan.Array || m[4].Exists())
}

// adkEvents is the list of events in a session, or the value itself.
func adkEvents(v jspan.Value) jspan.Value {
	list := v
	if v.Kind == jspan.Object {
		list = v.Get("events")
	}
	if list.Kind == jspan.Array && isADKEvent(list.Index(0)) {
		return list
	}
	return jspan.Value{}
}

func (adk) recognise(s *sniff) (int, string) {
	switch {
	case s.jsonl && s.share(func(v jspan.Value) bool { return adkEvents(v).Exists() }) >= 0.5:
		return 88, "sessions with events by author, one a line"
	case s.jsonl && s.share(isADKEvent) >= 0.5:
		return 86, "events with author, invocation id and parts, one a line"
	case s.jsonl:
		return 0, ""
	case adkEvents(s.whole).Exists():
		return 88, "events with author, invocation id and parts"
	case s.whole.Kind == jspan.Array && adkEvents(s.whole.Index(0)).Exists():
		return 86, "an array of sessions with events by author"
	case isADKEvent(s.whole):
		return 70, "a single event with author, invocation id and parts"
	}
	return 0, ""
}

func (adk) read(ctx context.Context, b *builder) error {
	if b.whole.Exists() {
		switch {
		case adkEvents(b.whole).Exists():
			readADK(b, b.whole)
		case isADKEvent(b.whole):
			newADKReader(b).event(b.whole, b.record(b.whole))
		default:
			b.whole.Items(func(_ int, e jspan.Value) bool {
				readADK(b, e)
				return ctx.Err() == nil
			})
		}
		return ctx.Err()
	}
	var bare *adkReader
	return b.lines(ctx, func(v jspan.Value) error {
		if !isADKEvent(v) {
			readADK(b, v)
			return nil
		}
		if bare == nil {
			bare = newADKReader(b)
		}
		bare.event(v, b.record(v))
		return nil
	})
}

func readADK(b *builder, v jspan.Value) {
	list := adkEvents(v)
	if !list.Exists() {
		b.noteAt(v, "unknown-record", "neither a session nor an event; it is kept where it stands")
		return
	}
	r := newADKReader(b)
	r.conv.ID = v.Get("id").TextN(200)
	at := b.array(list, model.Piece{})
	list.Items(func(i int, e jspan.Value) bool {
		r.event(e, b.elem(at, i))
		return true
	})
	r.finish()
}

type adkReader struct {
	*chat
	agents map[string]bool
}

func newADKReader(b *builder) *adkReader {
	return &adkReader{chat: b.newChat(), agents: map[string]bool{}}
}

// author lists an agent when it first speaks. The first one is the thread's.
func (c *chat) author(seen map[string]bool, name string) {
	if seen[name] || name == "" {
		return
	}
	seen[name] = true
	if len(seen) == 1 {
		c.conv.Agents[0].Name = name
		return
	}
	c.conv.Agents = append(c.conv.Agents, model.Agent{ID: name, Name: name, Parent: c.conv.Agents[0].ID})
}

func (r *adkReader) event(v jspan.Value, p model.Piece) {
	r.b.doc.Items++
	author := r.b.intern(v.Get("author").TextN(200))
	if author != "user" {
		r.author(r.agents, author)
	}
	m := model.Message{ID: v.Get("id").TextN(200), Name: author, Time: millis(v.Get("timestamp"))}
	if c := v.Get("actions", "compaction"); c.Kind == jspan.Object {
		r.compaction(c, m, p)
		return
	}
	list := v.Get("content", "parts")
	runs := adkRuns(list)
	if len(runs) == 0 {
		return // a change of state only
	}
	pieces := []model.Piece{p}
	at := int32(-1)
	if len(runs) > 1 {
		at = r.b.array(list, p)
	}
	for _, run := range runs {
		m := m
		m.Pieces = pieces
		if at >= 0 {
			m.Pieces = nil
			for i := run.from; i < run.to; i++ {
				m.Pieces = append(m.Pieces, r.b.elem(at, i))
			}
		}
		r.run(v, list, run, m, author)
	}
}

// adkRuns cuts the parts of an event into messages: each response is one.
func adkRuns(list jspan.Value) (runs []blockRun) {
	list.Items(func(i int, e jspan.Value) bool {
		r := blockRun{from: i, to: i + 1, kind: model.KindUser}
		if either(e, "function_response", "functionResponse").Kind == jspan.Object {
			r.kind = model.KindResult
		} else if n := len(runs); n > 0 && runs[n-1].kind == model.KindUser {
			runs[n-1].to = i + 1
			return true
		}
		runs = append(runs, r)
		return true
	})
	return runs
}

func (r *adkReader) run(v, list jspan.Value, run blockRun, m model.Message, author string) {
	head := ""
	list.Items(func(i int, e jspan.Value) bool {
		if i < run.from || i >= run.to {
			return i < run.to
		}
		if f := either(e, "function_response", "functionResponse"); f.Kind == jspan.Object {
			m.Answers, m.Name = f.Get("id").TextN(200), r.b.intern(f.Get("name").TextN(200))
			m.Error = f.Get("response").Has("error")
			head = spelledHead(f.Get("response"))
		}
		if f := either(e, "function_call", "functionCall"); f.Kind == jspan.Object {
			m.Calls = append(m.Calls, model.Call{ID: f.Get("id").TextN(200), Name: r.b.intern(f.Get("name").TextN(200))})
			if head == "" {
				head = m.Calls[0].Name + " " + spelledHead(f.Get("args"))
			}
		}
		if t := e.Get("text"); head == "" && t.Kind == jspan.String {
			head = t.TextN(previewScan)
		}
		return true
	})
	switch {
	case run.kind == model.KindResult:
		m.Role, m.Kind = model.RoleTool, model.KindResult
	case author == "user":
		m.Role, m.Kind, m.Origin, m.Name = model.RoleUser, model.KindUser, model.OriginTyped, ""
		if isSummaryText(head) {
			m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
		} else if isInjectedText(head) {
			m.Origin = model.OriginInjected
		}
	default:
		m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
		m.Usage = adkUsage(either(v, "usage_metadata", "usageMetadata"))
		m.Model = r.b.intern(either(v, "model_version", "modelVersion").TextN(200))
	}
	m.Preview = preview(head)
	r.add(m, list)
}

// compaction replaces the events of a span of time by their summary.
func (r *adkReader) compaction(c jspan.Value, m model.Message, p model.Piece) {
	from, to := millis(either(c, "start_timestamp", "startTimestamp")), millis(either(c, "end_timestamp", "endTimestamp"))
	content := either(c, "compacted_content", "compactedContent")
	text := content.Get("parts").Index(0).Get("text")
	f := model.Found{Summary: -1, Cause: "auto", Time: m.Time}
	m.Role, m.Kind, m.Pieces = model.RoleUser, model.KindBoundary, []model.Piece{p}
	told := text.Kind == jspan.String && text.Len() > 2
	if told {
		m.Kind, m.Preview, m.Pieces = model.KindSummary, preview(text.TextN(previewScan)), []model.Piece{r.b.textElem(text)}
	}
	at := r.store(m)
	if told {
		f.Summary = int(at)
	}
	var base []int32
	for _, i := range r.live {
		if when := r.th.Messages[i].Time; when < from || when > to || from == 0 {
			base = append(base, i)
			continue
		}
		if told && !slices.Contains(base, at) {
			base = append(base, at)
		}
	}
	if told && !slices.Contains(base, at) {
		base = append(base, at)
	}
	r.compacted(base, f)
}

func adkUsage(v jspan.Value) *model.Usage {
	n := tokens(either(v, "prompt_token_count", "promptTokenCount"))
	if n == 0 {
		return nil
	}
	think := tokens(either(v, "thoughts_token_count", "thoughtsTokenCount"))
	return &model.Usage{Input: n, Output: tokens(either(v, "candidates_token_count", "candidatesTokenCount")) + think, Reasoning: think,
		CacheRead: tokens(either(v, "cached_content_token_count", "cachedContentTokenCount"))}
}
