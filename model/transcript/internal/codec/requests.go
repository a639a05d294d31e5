package codec

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// requestFormat is what differs between formats that are shaped like requests.
type requestFormat interface {
	// Element adds what one element of a message list holds.
	Element(c *Chat, v jspan.Value, p model.Piece)
	// System adds the wrapper's own system prompt.
	System(c *Chat, v jspan.Value)
	// Response adds the answer of a response object. held is the piece of the
	// whole response, if it is an element of its own.
	Response(c *Chat, v jspan.Value, held model.Piece)
}

// ReadRequests reads a source in every shape that [request] describes.
func ReadRequests(ctx context.Context, b *Builder, f requestFormat) error {
	if b.Whole.Exists() {
		return readWholeRequests(ctx, b, f)
	}
	var bare *Chat
	err := b.Lines(ctx, func(v jspan.Value) error {
		if t, ok := asRequest(v); ok {
			c := b.NewChat()
			readRequest(b, c, f, t, model.Piece{})
			c.Finish()
			return nil
		}
		if !isMessage(v) {
			b.Note("unknown-record", "neither a conversation nor a message; it is kept in place")
			return nil
		}
		if bare == nil {
			bare = b.NewChat()
		}
		b.Doc.Items++
		f.Element(bare, v, b.Record(v))
		return nil
	})
	return err
}

func readWholeRequests(ctx context.Context, b *Builder, f requestFormat) error {
	if t, ok := asRequest(b.Whole); ok {
		c := b.NewChat()
		readRequest(b, c, f, t, model.Piece{})
		c.Finish()
		return ctx.Err()
	}
	if isMessage(b.Whole) {
		b.Doc.Items++
		f.Element(b.NewChat(), b.Whole, b.Record(b.Whole))
		return nil
	}
	whole := b.Span(b.Whole)
	var last *Chat
	var spans []model.Span
	outer := int32(-1)
	return b.elements(ctx, func(e jspan.Value) {
		spans = append(spans, b.Span(e))
		if outer >= 0 {
			b.Doc.Arrays[outer].Elems = spans
		}
		t, ok := asRequest(e)
		if !ok {
			b.NoteAt(e, "unknown-record", "not a conversation; it is kept in place")
			last = nil
			return
		}
		alone := !t.messages.Exists()
		var held model.Piece
		if alone {
			if outer < 0 {
				outer = int32(len(b.Doc.Arrays))
				b.Doc.Arrays = append(b.Doc.Arrays, model.Array{Span: whole, Elems: spans})
			}
			held = b.Elem(outer, len(spans)-1)
		}
		if alone && last != nil { // the answer to the request before it
			f.Response(last, t.response, held)
			last = nil
			return
		}
		last = b.NewChat()
		readRequest(b, last, f, t, held)
		last.Finish()
		if t.response.Exists() {
			last = nil
		}
	})
}

// readRequest reads one conversation.
func readRequest(b *Builder, c *Chat, f requestFormat, t request, held model.Piece) {
	ReadMeta(c, t.outer)
	if t.system.Exists() {
		f.System(c, t.system)
	}
	if t.messages.Exists() {
		c.Th.Observations = writesActionsAsText(t.messages)
		list := b.Array(t.messages, model.Piece{})
		first := len(c.Th.Messages)
		for i, e := range t.messages.Items {
			b.Doc.Items++
			f.Element(c, e, b.Elem(list, i))
		}
		readCopies(b, c.Th.Messages[first:], t.outer)
	}
	if t.response.Exists() {
		f.Response(c, t.response, held)
	}
}

// readCopies finds the second copy of a conversation that proxy logs keep for models
// without native tool calls: one raw message for each one that was sent. The
// copies go where their messages go; those of a call and its results go together.
func readCopies(b *Builder, msgs []model.Message, outer jspan.Value) {
	raw := outer.Get("raw_messages")
	if raw.Kind != jspan.Array || raw.Count() != len(msgs) || len(msgs) == 0 {
		return
	}
	list := b.Array(raw, model.Piece{})
	for _, group := range callGroups(raw) {
		for _, i := range group {
			for _, k := range group {
				p := b.Elem(list, k)
				p.Duplicate = true
				msgs[i].Pieces = append(msgs[i].Pieces, p)
			}
		}
	}
	b.Doc.Items += len(msgs)
	if outer.Get("raw_response").Kind == jspan.Object {
		b.Doc.Items++
	}
}

// callGroups splits a list of chat messages: one that calls tools is with the results
// of its calls, any other by itself. In the messages that were sent, calls and results
// are prose, so that a cut may come between them.
func callGroups(raw jspan.Value) (groups [][]int) {
	caller := map[string]int{} // id of a call → its group
	for i, m := range raw.Items {
		if id := m.Get("tool_call_id").TextN(200); id != "" {
			if g, ok := caller[id]; ok {
				groups[g] = append(groups[g], i)
				continue
			}
		}
		for _, c := range m.Get("tool_calls").Items {
			caller[c.Get("id").TextN(200)] = len(groups)
		}
		groups = append(groups, []int{i})
	}
	return groups
}

// ReadMeta reads what a wrapper says beside the messages.
func ReadMeta(c *Chat, v jspan.Value) {
	var id string
	for key, val := range v.Each {
		switch string(key) {
		case "instance_id", "sessionId", "session_id", "conversation_id", "custom_id":
			id = val.TextN(200)
		case "id":
			if id == "" {
				id = val.TextN(200)
			}
		case "title":
			c.Conv.Title = Title(Preview(val.TextN(PreviewScan)))
		case "model":
			c.Conv.Model = val.TextN(200)
		case "context_window":
			if n := val.Int(); n > 0 && n < 1<<40 {
				c.Conv.Window = int(n)
			}
		case "cwd", "workspace_root":
			c.Conv.Dir = val.TextN(1000)
		case "agent":
			if name := val.TextN(200); name != "" {
				c.Conv.Agents[0].Name = name
			}
		}
	}
	c.Conv.ID = id
}
