package google

import (
	"context"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// ADK reads sessions of Google's Agent Development Kit: events with an author
// and content in Gemini's parts, spelled in snake or in camel case. All agents
// of a session see one list of events, so it is one thread; each message names
// its author. An event with several function responses is a message for each.
type ADK struct{}

func (ADK) Info() codec.Info {
	return codec.Info{Format: model.FormatADK, Title: "Google ADK session",
		How: "an object with events that have an author, an invocation id and content in parts"}
}

func isADKEvent(v jspan.Value) bool {
	m := codec.MembersOf(v, "author", "invocation_id", "invocationId", "content", "actions")
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

func (ADK) Recognise(s *codec.Sniff) (int, string) {
	switch {
	case s.JSONLines && s.Share(func(v jspan.Value) bool { return adkEvents(v).Exists() }) >= 0.5:
		return 88, "sessions with events by author, one a line"
	case s.JSONLines && s.Share(isADKEvent) >= 0.5:
		return 86, "events with author, invocation id and parts, one a line"
	case s.JSONLines:
		return 0, ""
	case adkEvents(s.Whole).Exists():
		return 88, "events with author, invocation id and parts"
	case s.Whole.Kind == jspan.Array && adkEvents(s.Whole.Index(0)).Exists():
		return 86, "an array of sessions with events by author"
	case isADKEvent(s.Whole):
		return 70, "a single event with author, invocation id and parts"
	}
	return 0, ""
}

func (ADK) Read(ctx context.Context, b *codec.Builder) error {
	if b.Whole.Exists() {
		switch {
		case adkEvents(b.Whole).Exists():
			readADK(b, b.Whole)
		case isADKEvent(b.Whole):
			newADKReader(b).event(b.Whole, b.Record(b.Whole))
		default:
			for _, e := range b.Whole.Items {
				readADK(b, e)
				if ctx.Err() != nil {
					break
				}
			}
		}
		return ctx.Err()
	}
	var bare *adkReader
	return b.Lines(ctx, func(v jspan.Value) error {
		if !isADKEvent(v) {
			readADK(b, v)
			return nil
		}
		if bare == nil {
			bare = newADKReader(b)
		}
		bare.event(v, b.Record(v))
		return nil
	})
}

func readADK(b *codec.Builder, v jspan.Value) {
	list := adkEvents(v)
	if !list.Exists() {
		b.NoteAt(v, "unknown-record", "neither a session nor an event; it is kept in place")
		return
	}
	r := newADKReader(b)
	r.Conv.ID = v.Get("id").TextN(200)
	at := b.Array(list, model.Piece{})
	for i, e := range list.Items {
		r.event(e, b.Elem(at, i))
	}
	r.Finish()
}

type adkReader struct {
	*codec.Chat
	agents map[string]bool
}

func newADKReader(b *codec.Builder) *adkReader {
	return &adkReader{Chat: b.NewChat(), agents: map[string]bool{}}
}

func (r *adkReader) event(v jspan.Value, p model.Piece) {
	r.B.Doc.Items++
	author := r.B.Intern(v.Get("author").TextN(200))
	if author != "user" {
		r.Author(r.agents, author)
	}
	m := model.Message{ID: v.Get("id").TextN(200), Name: author, Time: codec.Millis(v.Get("timestamp"))}
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
		at = r.B.Array(list, p)
	}
	for _, run := range runs {
		m := m
		m.Pieces = pieces
		if at >= 0 {
			m.Pieces = nil
			for i := run.From; i < run.To; i++ {
				m.Pieces = append(m.Pieces, r.B.Elem(at, i))
			}
		}
		r.run(v, list, run, m, author)
	}
}

// adkRuns cuts the parts of an event into messages: each response is one.
func adkRuns(list jspan.Value) (runs []codec.BlockRun) {
	for i, e := range list.Items {
		r := codec.BlockRun{From: i, To: i + 1, Kind: model.KindUser}
		if codec.Either(e, "function_response", "functionResponse").Kind == jspan.Object {
			r.Kind = model.KindResult
		} else if n := len(runs); n > 0 && runs[n-1].Kind == model.KindUser {
			runs[n-1].To = i + 1
			continue
		}
		runs = append(runs, r)
	}
	return runs
}

func (r *adkReader) run(v, list jspan.Value, run codec.BlockRun, m model.Message, author string) {
	head := ""
	list.Items(func(i int, e jspan.Value) bool {
		if i < run.From || i >= run.To {
			return i < run.To
		}
		if f := codec.Either(e, "function_response", "functionResponse"); f.Kind == jspan.Object {
			m.Answers, m.Name = f.Get("id").TextN(200), r.B.Intern(f.Get("name").TextN(200))
			m.Error = f.Get("response").Has("error")
			head = codec.SpelledHead(f.Get("response"))
		}
		if f := codec.Either(e, "function_call", "functionCall"); f.Kind == jspan.Object {
			m.Calls = append(m.Calls, model.Call{ID: f.Get("id").TextN(200), Name: r.B.Intern(f.Get("name").TextN(200))})
			if head == "" {
				head = m.Calls[0].Name + " " + codec.SpelledHead(f.Get("args"))
			}
		}
		if t := e.Get("text"); head == "" && t.Kind == jspan.String {
			head = t.TextN(codec.PreviewScan)
		}
		return true
	})
	switch {
	case run.Kind == model.KindResult:
		m.Role, m.Kind = model.RoleTool, model.KindResult
	case author == "user":
		m.Name = ""
		codec.SetUser(&m, head)
	default:
		m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
		m.Usage = adkUsage(codec.Either(v, "usage_metadata", "usageMetadata"))
		m.Model = r.B.Intern(codec.Either(v, "model_version", "modelVersion").TextN(200))
	}
	m.Preview = codec.Preview(head)
	r.Add(m, list)
}

// compaction replaces the events of a span of time by their summary.
func (r *adkReader) compaction(c jspan.Value, m model.Message, p model.Piece) {
	from, to := codec.Millis(codec.Either(c, "start_timestamp", "startTimestamp")),
		codec.Millis(codec.Either(c, "end_timestamp", "endTimestamp"))
	content := codec.Either(c, "compacted_content", "compactedContent")
	text := content.Get("parts").Index(0).Get("text")
	f := model.Found{Summary: -1, Cause: "auto", Time: m.Time}
	m.Role, m.Kind, m.Pieces = model.RoleUser, model.KindBoundary, []model.Piece{p}
	given := text.Kind == jspan.String && text.Len() > 2
	if given {
		m.Kind, m.Preview, m.Pieces = model.KindSummary, codec.Preview(text.TextN(codec.PreviewScan)), []model.Piece{r.B.TextElem(text)}
	}
	at := r.Store(m)
	if given {
		f.Summary = int(at)
	}
	var base []int32
	for _, i := range r.Live {
		if when := r.Th.Messages[i].Time; when < from || when > to || from == 0 {
			base = append(base, i)
			continue
		}
		if given && !slices.Contains(base, at) {
			base = append(base, at)
		}
	}
	if given && !slices.Contains(base, at) {
		base = append(base, at)
	}
	r.AddCompaction(base, f)
}

func adkUsage(v jspan.Value) *model.Usage {
	n := codec.Tokens(codec.Either(v, "prompt_token_count", "promptTokenCount"))
	if n == 0 {
		return nil
	}
	think := codec.Tokens(codec.Either(v, "thoughts_token_count", "thoughtsTokenCount"))
	return &model.Usage{Input: n, Output: codec.Tokens(codec.Either(v, "candidates_token_count", "candidatesTokenCount")) + think,
		Reasoning: think,
		CacheRead: codec.Tokens(codec.Either(v, "cached_content_token_count", "cachedContentTokenCount"))}
}
