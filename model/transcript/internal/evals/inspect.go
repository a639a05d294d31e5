package evals

import (
	"context"
	"strconv"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Inspect reads the logs of Inspect: every sample of an evaluation is a conversation. Its messages
// are the history; the events beside them record how it came about and are left alone. Long
// strings are among the sample's attachments under a hash; they are looked up where they are named.
//
// The value in the registry is empty; that of a document knows its attachments.
type Inspect struct {
	attached map[int32]model.Span // index of a list of messages → the sample's attachments
}

func (Inspect) Info() codec.Info {
	return codec.Info{Format: model.FormatInspect, Title: "Inspect log",
		How: "an object with version, eval and samples that hold messages, or an archive (.eval) with an entry for each sample"}
}

// inspectMark begins a string that names an attachment.
const inspectMark = "attachment://"

func isInspect(v jspan.Value) bool {
	m := codec.MembersOf(v, "version", "eval", "samples")
	return m[0].Exists() && m[1].Kind == jspan.Object && m[2].Exists()
}

// isInspectSample recognises a sample on its own, as an archive of a log
// keeps them.
func isInspectSample(v jspan.Value) bool {
	m := codec.MembersOf(v, "epoch", "messages", "input", "output")
	return m[0].Exists() && m[1].Kind == jspan.Array && m[2].Exists() && m[3].Exists()
}

func (Inspect) Recognise(s *codec.Sniff) (int, string) {
	switch {
	case s.JSONLines && s.Share(isInspectSample) >= 0.5:
		return 90, "samples of an Inspect log, one a line"
	case s.JSONLines:
		return 0, ""
	case isInspect(s.Whole):
		return 95, "version, eval and samples, as in an Inspect log"
	case isInspectSample(s.Whole):
		return 90, "a sample of an Inspect log"
	}
	return 0, ""
}

func (f Inspect) Read(ctx context.Context, b *codec.Builder) error {
	f.attached = map[int32]model.Span{}
	b.Doc.Codec = f
	if !b.Whole.Exists() {
		return b.Lines(ctx, func(v jspan.Value) error {
			if isInspectSample(v) {
				f.sample(b, v, "")
			} else {
				b.Note("unknown-record", "not a sample; it is kept in place")
			}
			return nil
		})
	}
	if isInspectSample(b.Whole) {
		f.sample(b, b.Whole, "")
		return nil
	}
	name := b.Whole.Get("eval", "model").TextN(200)
	for _, e := range b.Whole.Get("samples").Items {
		if b.Progress != nil {
			b.Progress(int64(e.Off), b.Doc.Size)
		}
		f.sample(b, e, name)
		if ctx.Err() != nil {
			break
		}
	}
	return ctx.Err()
}

func (f Inspect) sample(b *codec.Builder, v jspan.Value, name string) {
	list := v.Get("messages")
	if list.Kind != jspan.Array {
		b.NoteAt(v, "unknown-record", "a sample without messages; it is kept in place")
		return
	}
	c := b.NewChat()
	defer c.Finish()
	c.Conv.ID = edit.IDText(v.Get("id"))
	if epoch := edit.IDText(v.Get("epoch")); epoch != "" && epoch != "1" {
		c.Conv.ID += " epoch " + epoch
	}
	c.Conv.Model = name
	r := &inspectReader{Chat: c, attachments: v.Get("attachments"), usage: inspectUsage(v),
		model: codec.FirstOf(v.Get("output", "model").TextN(200), name)}
	at := b.Array(list, model.Piece{})
	if r.attachments.Kind == jspan.Object {
		f.attached[at] = b.Span(r.attachments)
	}
	r.compactions = readInspectCompactions(v)
	r.compactions.place(list)
	for i, e := range list.Items {
		r.applyCompactions(i)
		r.element(e, b.Elem(at, i))
	}
	r.applyCompactions(len(r.Th.Messages))
}

type inspectReader struct {
	*codec.Chat
	attachments jspan.Value
	usage       map[string]*model.Usage // id of an answer → what it took; "#n" of the n-th answer, where they have none
	model       string                  // that answered, where an answer does not say
	answers     int
	compactions *inspectCompactions
}

// head is the beginning of a text, looked up if it is attached.
func (r *inspectReader) head(v jspan.Value) string {
	s := codec.ContentHead(v)
	if hash, ok := strings.CutPrefix(s, inspectMark); ok {
		return r.attachments.Get(hash).TextN(codec.PreviewScan)
	}
	return s
}

func (r *inspectReader) element(v jspan.Value, p model.Piece) {
	r.B.Doc.Items++
	m := model.Message{ID: v.Get("id").TextN(200), Model: r.B.Intern(v.Get("model").TextN(200)), Pieces: []model.Piece{p}}
	m.Role, m.Kind = codec.RoleOf(v.Get("role"))
	head := r.head(inspectContent(v))
	switch m.Kind {
	case model.KindSystem:
		codec.MarkSummary(&m, head)
	case model.KindUser:
		codec.SetUser(&m, head)
		if v.Get("metadata", "summary").Bool() {
			m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
		}
	case model.KindAssistant:
		m.Usage = r.usage[m.ID]
		if m.Usage == nil {
			m.Usage = r.usage["#"+strconv.Itoa(r.answers)]
		}
		r.answers++
		m.Model = r.B.Intern(codec.FirstOf(m.Model, r.model))
		for _, e := range v.Get("tool_calls").Items {
			c := model.Call{ID: e.Get("id").TextN(200), Name: r.B.Intern(inspectFunction(e))}
			m.Calls = append(m.Calls, c)
			if head == "" {
				head = c.Name + " " + codec.SpelledHead(e.Get("arguments"))
			}
		}
	case model.KindResult:
		m.Answers, m.Name = v.Get("tool_call_id").TextN(200), r.B.Intern(v.Get("function").TextN(200))
		m.Error = v.Get("error").Kind == jspan.Object
	case model.KindOther:
		r.B.NoteAt(v, "unknown-role", "a message of a role that is not known; it is kept")
	}
	m.Preview = codec.Preview(head)
	if m.Kind == model.KindSummary && r.compactions.isSummaryOfNext(m.ID, len(r.Th.Messages)) {
		r.compactions.list[0].Summary = int(r.Store(m)) // it enters the live list with its compaction
		return
	}
	r.Add(m, v)
}

// inspectFunction is the name of a called function, an object in old logs.
func inspectFunction(e jspan.Value) string {
	fn := e.Get("function")
	if fn.Kind == jspan.Object {
		fn = fn.Get("name")
	}
	return fn.TextN(200)
}

// inspectUsage finds in the model events what each answer took.
func inspectUsage(sample jspan.Value) map[string]*model.Usage {
	out := map[string]*model.Usage{}
	seen := 0
	take := func(output jspan.Value) {
		id := output.Get("choices").Index(0).Get("message", "id").TextN(200)
		if id == "" { // logs of old versions: the answers are in the order of the calls
			id = "#" + strconv.Itoa(seen)
			seen++
		}
		u := output.Get("usage")
		n := codec.Tokens(u.Get("input_tokens"))
		if id == "" || n == 0 || out[id] != nil {
			return
		}
		x := &model.Usage{Input: n, Output: codec.Tokens(u.Get("output_tokens")), CacheRead: codec.Tokens(u.Get("input_tokens_cache_read")),
			CacheWrite: codec.Tokens(u.Get("input_tokens_cache_write")), Reasoning: codec.Tokens(u.Get("reasoning_tokens"))}
		// a total shows whether what was cached is counted in the input
		if total := codec.Tokens(u.Get("total_tokens")); total >= n+x.Output+x.CacheRead+x.CacheWrite {
			x.Input += x.CacheRead + x.CacheWrite
		}
		out[id] = x
	}
	for _, e := range sample.Get("events").Items {
		if e.Get("event").TextN(8) == "model" {
			take(e.Get("output"))
		}
	}
	if seen == 0 {
		take(sample.Get("output"))
	}
	return out
}
