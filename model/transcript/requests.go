package transcript

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// dialect is what differs between formats that are shaped like requests.
type dialect interface {
	// element adds what one element of a message list holds.
	element(c *chat, v jspan.Value, p model.Piece)
	// system adds the wrapper's own system prompt.
	system(c *chat, v jspan.Value)
	// response adds the answer of a response object. held is the piece of the
	// whole response, if it is an element of its own.
	response(c *chat, v jspan.Value, held model.Piece)
}

// readRequests reads every shape of shape.go.
func readRequests(ctx context.Context, b *builder, f dialect) error {
	if b.whole.Exists() {
		return readWholeRequests(ctx, b, f)
	}
	var bare *chat
	err := b.lines(ctx, func(v jspan.Value) error {
		if t, ok := asTalk(v); ok {
			c := b.newChat()
			readTalk(b, c, f, t, model.Piece{})
			c.finish()
			return nil
		}
		if !isMessage(v) {
			b.note("unknown-record", "neither a conversation nor a message; it is kept where it stands")
			return nil
		}
		if bare == nil {
			bare = b.newChat()
		}
		b.doc.Items++
		f.element(bare, v, b.record(v))
		return nil
	})
	return err
}

func readWholeRequests(ctx context.Context, b *builder, f dialect) error {
	if t, ok := asTalk(b.whole); ok {
		c := b.newChat()
		readTalk(b, c, f, t, model.Piece{})
		c.finish()
		return ctx.Err()
	}
	if isMessage(b.whole) {
		b.doc.Items++
		f.element(b.newChat(), b.whole, b.record(b.whole))
		return nil
	}
	var err error
	var last *chat
	outer := int32(-1)
	b.whole.Items(func(i int, e jspan.Value) bool {
		if err = ctx.Err(); err != nil {
			return false
		}
		if b.progress != nil {
			b.progress(int64(e.Off), b.doc.Size)
		}
		t, ok := asTalk(e)
		if !ok {
			b.noteAt(e, "unknown-record", "not a conversation; it is kept where it stands")
			last = nil
			return true
		}
		alone := !t.messages.Exists()
		var held model.Piece
		if alone {
			if outer < 0 {
				outer = b.array(b.whole, model.Piece{})
			}
			held = b.elem(outer, i)
		}
		if alone && last != nil { // the answer to the request before it
			f.response(last, t.response, held)
			last = nil
			return true
		}
		last = b.newChat()
		readTalk(b, last, f, t, held)
		last.finish()
		if t.response.Exists() {
			last = nil
		}
		return true
	})
	return err
}

// readTalk reads one conversation.
func readTalk(b *builder, c *chat, f dialect, t talk, held model.Piece) {
	readTalkMeta(c, t)
	if t.system.Exists() {
		f.system(c, t.system)
	}
	if t.messages.Exists() {
		c.th.Observations = speaksText(t.messages)
		list := b.array(t.messages, model.Piece{})
		first := len(c.th.Messages)
		t.messages.Items(func(i int, e jspan.Value) bool {
			b.doc.Items++
			f.element(c, e, b.elem(list, i))
			return true
		})
		readCopies(b, c.th.Messages[first:], t.outer)
	}
	if t.response.Exists() {
		f.response(c, t.response, held)
	}
}

// readCopies finds the second telling of a talk that proxy logs keep for models
// without native tool calls: one raw message for each one that was sent. The
// copies go where their messages go.
func readCopies(b *builder, msgs []model.Message, outer jspan.Value) {
	raw := outer.Get("raw_messages")
	if raw.Kind != jspan.Array || raw.Count() != len(msgs) || len(msgs) == 0 {
		return
	}
	list := b.array(raw, model.Piece{})
	for i := range msgs {
		p := b.elem(list, i)
		p.Duplicate = true
		msgs[i].Pieces = append(msgs[i].Pieces, p)
	}
	b.doc.Items += len(msgs)
	if outer.Get("raw_response").Kind == jspan.Object {
		b.doc.Items++
	}
}

// readTalkMeta reads what a wrapper tells beside the messages.
func readTalkMeta(c *chat, t talk) {
	var id string
	t.outer.Each(func(key []byte, val jspan.Value) bool {
		switch string(key) {
		case "instance_id", "sessionId", "session_id", "conversation_id", "custom_id":
			id = val.TextN(200)
		case "id":
			if id == "" {
				id = val.TextN(200)
			}
		case "title":
			c.conv.Title = title(preview(val.TextN(previewScan)))
		case "model":
			c.conv.Model = val.TextN(200)
		case "context_window":
			if n := val.Int(); n > 0 && n < 1<<40 {
				c.conv.Window = int(n)
			}
		case "cwd", "workspace_root":
			c.conv.Dir = val.TextN(1000)
		case "agent":
			if name := val.TextN(200); name != "" {
				c.conv.Agents[0].Name = name
			}
		}
		return true
	})
	c.conv.ID = id
}
