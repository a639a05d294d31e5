package google

import (
	"context"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// ADK reads sessions of Google's Agent Development Kit: events with an author
// and content in Gemini's parts, spelled in snake or in camel case. All agents
// of a session see one list of events, so it is one thread; each message names
// its author. An event with several function responses is a message for each.
type ADK struct{ codec.Unlinked }

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

func isADKSession(v jspan.Value) bool { return adkEvents(v).Exists() }

func (ADK) Recognise(s *codec.Sniff) (int, string) {
	if score, why := s.ScoreLayout(88, isADKSession, "events by author"); score > 0 {
		return score, why
	}
	return s.ScoreLayout(86, isADKEvent, "author, invocation id and parts")
}

func (ADK) Read(ctx context.Context, b *codec.Builder) error {
	var bare *adkReader
	return b.ReadConversations(ctx, func(v jspan.Value) bool { return isADKEvent(v) || isADKSession(v) }, func(v jspan.Value) {
		if !isADKEvent(v) {
			readADK(b, v)
			return
		}
		if bare == nil {
			bare = newADKReader(b)
		}
		bare.event(v, b.Record(v))
	})
}

func readADK(b *codec.Builder, v jspan.Value) {
	list := adkEvents(v)
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
	if list.Count() == 0 {
		return // a change of state only
	}
	if author == "user" {
		m.Role, m.Kind, m.Name = model.RoleUser, model.KindUser, ""
	} else {
		m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
		m.Usage = geminiUsage(codec.Either(v, "usage_metadata", "usageMetadata"))
		m.Model = r.B.Intern(codec.Either(v, "model_version", "modelVersion").TextN(200))
	}
	addParts(r.Chat, m, v, list, p)
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

// Parts implements [model.Codec]. A piece is an event, one of its parts, or the
// text of a compaction.
func (ADK) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	return Gemini{}.Parts(d, m)
}

func (ADK) Place(d *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return edit.Outermost(d, m.Pieces[0]), false
}

// Summary spells an event of the user's, with the invocation and the time of
// the one it replaces.
func (ADK) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	text := edit.List(edit.NewObject(d).Str("text", s.Text).Done())
	o := edit.SpellLike(d, like)
	for _, k := range []string{"invocation_id", "invocationId"} {
		if x := like.Get(k); x.Exists() {
			o.Raw(k, x.Raw())
		}
	}
	o.Str("author", "user").Raw("content", edit.NewObject(d).Raw("parts", text).Str("role", "user").Done()).Str("id", s.UID)
	if when := like.Get("timestamp"); when.Exists() {
		o.Raw("timestamp", when.Raw())
	}
	return o.Done(), nil
}

// ResultContent is the response of the function.
func (ADK) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpan(d, m.Pieces[:1], func(v jspan.Value) jspan.Value {
		if v.Has("author") {
			v = v.Get("content", "parts").Index(0)
		}
		return codec.Either(v, "function_response", "functionResponse").Get("response")
	})
}

// SpellNote wraps a note as the kit wraps what a function returns: a response
// has to be an object.
func (ADK) SpellNote(d *model.Document, _ model.Span, note string) ([]byte, error) {
	return edit.NewObject(d).Str("result", note).Done(), nil
}
