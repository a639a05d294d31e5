package transcript

import (
	"context"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// inspect reads the logs of Inspect, as JSON or as archives: every sample of an evaluation is a
// conversation. Its messages are the history; the events beside them tell how
// it came about and are left alone. Long strings stand among the sample's
// attachments under a hash; they are looked up where they are named.
//
// The value in [formats] is empty; that of a document knows its attachments.
type inspect struct {
	inPlace
	attached map[int32]model.Span // index of a list of messages → the sample's attachments
}

func (inspect) info() Info {
	return Info{model.FormatInspect, "Inspect log",
		"an object with version, eval and samples that hold messages, or an archive (.eval) with an entry for each sample"}
}

// inspectMark begins a string that stands for an attachment.
const inspectMark = "attachment://"

func isInspect(v jspan.Value) bool {
	m := members(v, "version", "eval", "samples")
	return m[0].Exists() && m[1].Kind == jspan.Object && m[2].Exists()
}

// isInspectSample recognises a sample on its own, as an archive of a log
// keeps them.
func isInspectSample(v jspan.Value) bool {
	m := members(v, "epoch", "messages", "input", "output")
	return m[0].Exists() && m[1].Kind == jspan.Array && m[2].Exists() && m[3].Exists()
}

func (inspect) recognise(s *sniff) (int, string) {
	switch {
	case s.archive != nil:
		return 95, "an archive with samples, as Inspect writes its logs"
	case s.jsonl && s.share(isInspectSample) >= 0.5:
		return 90, "samples of an Inspect log, one a line"
	case s.jsonl:
		return 0, ""
	case isInspect(s.whole):
		return 95, "version, eval and samples, as in an Inspect log"
	case isInspectSample(s.whole):
		return 90, "a sample of an Inspect log"
	}
	return 0, ""
}

func (f inspect) read(ctx context.Context, b *builder) error {
	f.attached = map[int32]model.Span{}
	b.doc.Codec = f
	if b.archive != nil {
		return f.readArchive(ctx, b, b.archive)
	}
	if !b.whole.Exists() {
		return b.lines(ctx, func(v jspan.Value) error {
			if isInspectSample(v) {
				f.sample(b, v, "")
			} else {
				b.note("unknown-record", "not a sample; it is kept where it stands")
			}
			return nil
		})
	}
	if isInspectSample(b.whole) {
		f.sample(b, b.whole, "")
		return nil
	}
	name := b.whole.Get("eval", "model").TextN(200)
	b.whole.Get("samples").Items(func(_ int, e jspan.Value) bool {
		if b.progress != nil {
			b.progress(int64(e.Off), b.doc.Size)
		}
		f.sample(b, e, name)
		return ctx.Err() == nil
	})
	return ctx.Err()
}

func (f inspect) sample(b *builder, v jspan.Value, name string) {
	list := v.Get("messages")
	if list.Kind != jspan.Array {
		b.noteAt(v, "unknown-record", "a sample without messages; it is kept where it stands")
		return
	}
	c := b.newChat()
	defer c.finish()
	c.conv.ID = idText(v.Get("id"))
	if epoch := idText(v.Get("epoch")); epoch != "" && epoch != "1" {
		c.conv.ID += " epoch " + epoch
	}
	c.conv.Model = name
	r := &inspectReader{chat: c, attachments: v.Get("attachments"), usage: inspectUsage(v)}
	at := b.array(list, model.Piece{})
	if r.attachments.Kind == jspan.Object {
		f.attached[at] = b.span(r.attachments)
	}
	r.cuts = inspectCuts(v)
	r.cuts.settle(list)
	list.Items(func(i int, e jspan.Value) bool {
		r.cut(i)
		r.element(e, b.elem(at, i))
		return true
	})
	r.cut(len(r.th.Messages))
}

type inspectReader struct {
	*chat
	attachments jspan.Value
	usage       map[string]*model.Usage // id of an answer → what it took
	cuts        *inspectCutList
}

// head is the beginning of a text, looked up if it is attached.
func (r *inspectReader) head(v jspan.Value) string {
	s := contentHead(v)
	if hash, ok := strings.CutPrefix(s, inspectMark); ok {
		return r.attachments.Get(hash).TextN(previewScan)
	}
	return s
}

func (r *inspectReader) element(v jspan.Value, p model.Piece) {
	r.b.doc.Items++
	m := model.Message{ID: v.Get("id").TextN(200), Model: r.b.intern(v.Get("model").TextN(200)), Pieces: []model.Piece{p}}
	m.Role, m.Kind = roleOf(v.Get("role"))
	head := r.head(inspectContent(v))
	switch m.Kind {
	case model.KindSystem:
		if isSummaryText(head) {
			m.Kind = model.KindSummary
		}
	case model.KindUser:
		m.Origin = model.OriginTyped
		switch {
		case isSummaryText(head), v.Get("metadata", "summary").Bool():
			m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
		case isInjectedText(head):
			m.Origin = model.OriginInjected
		}
	case model.KindAssistant:
		m.Usage = r.usage[m.ID]
		v.Get("tool_calls").Items(func(_ int, e jspan.Value) bool {
			c := model.Call{ID: e.Get("id").TextN(200), Name: r.b.intern(inspectFunction(e))}
			m.Calls = append(m.Calls, c)
			if head == "" {
				head = c.Name + " " + spelledHead(e.Get("arguments"))
			}
			return true
		})
	case model.KindResult:
		m.Answers, m.Name = v.Get("tool_call_id").TextN(200), r.b.intern(v.Get("function").TextN(200))
		m.Error = v.Get("error").Kind == jspan.Object
	case model.KindOther:
		r.b.noteAt(v, "unknown-role", "a message of a role that is not known; it is kept")
	}
	m.Preview = preview(head)
	if m.Kind == model.KindSummary && r.cuts.made(m.ID, len(r.th.Messages)) {
		r.cuts.list[0].Summary = int(r.store(m)) // it enters the live list with its compaction
		return
	}
	r.add(m, v)
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
	take := func(output jspan.Value) {
		id := output.Get("choices").Index(0).Get("message", "id").TextN(200)
		u := output.Get("usage")
		n := tokens(u.Get("input_tokens"))
		if id == "" || n == 0 || out[id] != nil {
			return
		}
		x := &model.Usage{Input: n, Output: tokens(u.Get("output_tokens")), CacheRead: tokens(u.Get("input_tokens_cache_read")),
			CacheWrite: tokens(u.Get("input_tokens_cache_write")), Reasoning: tokens(u.Get("reasoning_tokens"))}
		// a total tells whether what was cached is counted in the input
		if total := tokens(u.Get("total_tokens")); total >= n+x.Output+x.CacheRead+x.CacheWrite {
			x.Input += x.CacheRead + x.CacheWrite
		}
		out[id] = x
	}
	sample.Get("events").Items(func(_ int, e jspan.Value) bool {
		if e.Get("event").TextN(8) == "model" {
			take(e.Get("output"))
		}
		return true
	})
	take(sample.Get("output"))
	return out
}
