package anthropic

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// ClaudeCode reads the sessions of Claude Code: JSON Lines of records that point
// to their parents (user, assistant, system, attachment, progress) among loose
// ones (titles, snapshots, queue operations), and the web export of the same
// records in {"loglines":[…]}.
//
// The file is an append-only log. What the model sees is the chain from the last
// record up; claudecode_chain.go finds it.
type ClaudeCode struct{}

func (ClaudeCode) Info() codec.Info {
	return codec.Info{Format: model.FormatClaudeCode, Title: "Claude Code session",
		How: "records with sessionId, uuid and parentUuid of type user, assistant, system …; or an object with loglines"}
}

func (ClaudeCode) Recognise(s *codec.Sniff) (int, string) {
	if s.Whole.Exists() {
		if l := s.Whole.Get("loglines"); l.Kind == jspan.Array {
			return 95, "It is an object with loglines, as Claude Code's web export writes it."
		}
	}
	if s.Any(func(v jspan.Value) bool {
		return v.Get("sessionId").Kind == jspan.String && (v.Has("parentUuid") || v.Has("uuid")) && ccType(v) != ccLoose
	}) {
		return 95, "Records have sessionId, uuid and parentUuid, and a type as Claude Code's have."
	}
	if s.Any(func(v jspan.Value) bool {
		t := ccType(v)
		return (t == ccUser || t == ccAssistant) && v.Get("message", "content").Exists() && !v.Has("role")
	}) {
		return 60, "Records of type user and assistant hold a message, as Claude Code's do."
	}
	return 0, ""
}

func (f ClaudeCode) Read(ctx context.Context, b *codec.Builder) error {
	r := newCCReader(b)
	err := codec.EachRecord(ctx, b, b.Whole.Get("loglines"), func(v jspan.Value, p model.Piece) {
		if v.Kind == jspan.Object {
			r.Record(v, p)
		}
	})
	if err != nil {
		return err
	}
	b.Doc.Items = r.items
	r.conversation()
	return nil
}

// Record takes one record in.
func (r *ccReader) Record(v jspan.Value, p model.Piece) {
	parent, session := v.Get("parentUuid"), v.Get("sessionId")
	rec := ccRecord{kind: ccType(v), side: v.Get("isSidechain").Bool(), dup: -1, line: int32(r.Line), piece: p, thread: -1, stored: -1,
		agent: r.agentOf(v.Get("agentId").Bytes()), root: parent.Kind == jspan.Null}
	rec.parent, rec.up = r.parentOf(parent.Bytes())
	if !session.Exists() {
		session = v.Get("session_id")
	}
	if s := session.Bytes(); len(s) > 0 && codec.ViewOf(s) != r.session {
		r.session = codec.FirstOf(r.TextOf(s), r.session)
	}
	if s := v.Get("cwd").Bytes(); len(s) > 0 && (!rec.side || r.dir == "") && codec.ViewOf(s) != r.dir {
		r.dir = codec.FirstOf(r.TextOf(s), r.dir)
	}
	if rec.kind == ccLoose || v.Get("customTitle").Exists() {
		r.titles(v)
	}
	switch rec.kind {
	case ccUser, ccAssistant:
		r.items++
		// Some programs keep what a tool said as what the model does.
		if rec.kind == ccAssistant && !v.Get("message", "content").Index(0).Get("type").Is("tool_result") {
			r.assistant(&rec, v)
		} else {
			r.user(&rec, v)
		}
	case ccLoose:
		if v.Get("type").Is(queuedName) {
			r.queue(v, p)
			return
		}
		if len(v.Get("uuid").Bytes()) == 0 {
			return
		}
	case ccSystem:
		r.system(&rec, v)
	case ccAttachment:
		r.attachment(&rec, v)
	case ccProgress:
		tool := v.Get("parentToolUseID").Text()
		if _, known := r.tools[tool]; !known {
			tool = v.Get("toolUseID").Text()
		}
		rec.tool = tool
	}
	r.register(&rec, v)
	r.recs = append(r.recs, rec)
}

// Parts reads the message's records or blocks back.
func (ClaudeCode) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	var parts []model.Part
	if err := codec.EachPiece(d, m, func(v jspan.Value) { parts = ccPieceParts(v, parts) }); err != nil {
		return nil, err
	}
	for i := range parts {
		if parts[i].Kind == model.PartResult && parts[i].Name == "" {
			parts[i].Name = m.Name
		}
	}
	return parts, nil
}

// ccPieceParts appends the parts of one record.
func ccPieceParts(v jspan.Value, parts []model.Part) []model.Part {
	switch {
	case v.Has("message"):
		msg := v.Get("message")
		if msg.Kind == jspan.Object {
			msg = msg.Get("content")
		}
		return codec.BlockParts(msg, parts)
	case v.Has("attachment"):
		return append(parts, model.Part{Kind: model.PartText, Text: ccAttachmentText(v.Get("attachment"), v.Get("rendered"))})
	case v.Get("type").TextN(8) == "system", v.Get("type").Is(queuedName):
		return codec.BlockParts(v.Get("content"), parts)
	}
	return codec.BlockPart(v, parts)
}
