package anthropic

import (
	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

func (ClaudeCode) Place(d *model.Document, th *model.Thread, m *model.Message, dropped func(model.Piece) bool) (model.Piece, bool) {
	for i := range th.Messages {
		if &th.Messages[i] == m && m.Name == queuedName && i+1 < len(th.Messages) {
			return ClaudeCode{}.Place(d, th, &th.Messages[i+1], dropped) // its own line is before the results it came with
		}
	}
	return PlaceOnChain(d, th, m, dropped), false
}

// queuedName is the name of a message that only the queue has.
const queuedName = "queue-operation"

// PlaceOnChain is the first record of the message. When nothing of the main line
// is left behind it, it is the last one: a branch that was written in between
// must not become the end of the chain.
func PlaceOnChain(d *model.Document, th *model.Thread, m *model.Message, dropped func(model.Piece) bool) model.Piece {
	at := edit.Outermost(d, m.Pieces[0])
	last := at
	for i := range th.Messages {
		for _, p := range th.Messages[i].Pieces {
			p = edit.Outermost(d, p)
			if p.Off <= at.Off || p.Duplicate {
				continue
			}
			if !dropped(p) {
				return at
			}
			if p.Off > last.Off {
				last = p
			}
		}
	}
	return last
}

// Summary spells a user record as Claude Code writes one behind a compaction,
// with what its reader needs copied from the neighbour.
func (ClaudeCode) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	o := edit.NewObject(d)
	linked := like.Has("parentUuid") || like.Has("uuid")
	if linked {
		parent := s.Parent
		if parent == nil {
			parent = []byte("null")
		}
		o.Raw("parentUuid", parent)
	}
	sessionMembers(o, like).Str("type", "user")
	o.Raw("message", edit.NewObject(d).Str("role", "user").Str("content", s.Text).Done())
	o.Raw("isVisibleInTranscriptOnly", []byte("true")).Raw("isCompactSummary", []byte("true"))
	if linked {
		o.Str("uuid", s.UID)
	}
	o.Str("timestamp", s.Time.UTC().Format("2006-01-02T15:04:05.000Z"))
	return o.Done(), nil
}

// sessionMembers copies what a record says of its session from another one.
func sessionMembers(o *edit.Object, like jspan.Value) *edit.Object {
	for _, k := range []string{"isSidechain", "userType", "cwd", "sessionId", "version", "gitBranch", "slug", "agentId"} {
		if m := like.Get(k); m.Exists() {
			o.Raw(k, m.Raw())
		}
	}
	return o
}

// Carries reports that Claude Code reads the members it knows.
func (ClaudeCode) Carries(jspan.Value) bool { return true }

// ResultContent is the content of the tool_result block, and the structured copy
// beside it that the model never sees: it holds one result, so it is left alone
// where the record has several. Copies of the record count too.
func (ClaudeCode) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	var records []model.Piece
	for _, p := range m.Pieces {
		records = append(records, edit.Outermost(d, p))
	}
	return codec.ResultSpans(d, records, func(v jspan.Value, _ model.Piece) (out []jspan.Value) {
		results := 0
		for _, b := range v.Get("message", "content").Items {
			if b.Get("type").TextN(12) == "tool_result" {
				if results++; b.Get("tool_use_id").Text() == m.Answers {
					out = append(out, b.Get("content"))
				}
			}
		}
		if results == 1 {
			out = append(out, v.Get("toolUseResult"))
		}
		return out
	})
}
