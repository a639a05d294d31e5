package transcript

import (
	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// place is at the first record of the message. When nothing of the main line is
// left behind it, it is at the last one: a branch that was written in between
// must not become the end of the chain.
func (claudeCode) place(d *model.Document, th *model.Thread, m *model.Message, dropped func(model.Piece) bool) (model.Piece, bool) {
	at := ccRecordOf(d, m.Pieces[0])
	last := at
	for i := range th.Messages {
		for _, p := range th.Messages[i].Pieces {
			p = ccRecordOf(d, p)
			if p.Off <= at.Off || p.Duplicate {
				continue
			}
			if !dropped(p) {
				return at, false
			}
			if p.Off > last.Off {
				last = p
			}
		}
	}
	return last, false
}

// ccRecordOf climbs from a block to its record.
func ccRecordOf(d *model.Document, p model.Piece) model.Piece {
	for p.Array >= 0 && d.Arrays[p.Array].Holder.Len > 0 {
		p = d.Arrays[p.Array].Holder
	}
	return p
}

// summary spells a user record as Claude Code writes one behind a compaction,
// with what its reader needs copied from the neighbour.
func (claudeCode) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parsePiece(d, like)
	if err != nil {
		return nil, err
	}
	o := newObject(d)
	if v.Has("parentUuid") || v.Has("uuid") {
		parent := s.parent
		if parent == nil {
			parent = []byte("null")
		}
		o.raw("parentUuid", parent)
	}
	for _, k := range []string{"isSidechain", "userType", "cwd", "sessionId", "version", "gitBranch", "slug", "agentId"} {
		if m := v.Get(k); m.Exists() {
			o.raw(k, m.Raw())
		}
	}
	o.str("type", "user")
	o.raw("message", newObject(d).str("role", "user").str("content", s.Text).done())
	o.raw("isVisibleInTranscriptOnly", []byte("true")).raw("isCompactSummary", []byte("true"))
	if v.Has("uuid") {
		o.str("uuid", s.UID)
	}
	o.str("timestamp", s.Time.UTC().Format("2006-01-02T15:04:05.000Z"))
	return o.done(), nil
}

// resultContent is the content of the tool_result block, and the structured copy
// beside it that the model never sees.
func (claudeCode) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	p := m.Pieces[0]
	v, err := parsePiece(d, p)
	if err != nil {
		return nil, err
	}
	var spans []model.Span
	block := v
	if v.Has("message") {
		if c := v.Get("toolUseResult"); c.Exists() {
			spans = append(spans, within(p.Span, c))
		}
		v.Get("message", "content").Items(func(_ int, b jspan.Value) bool {
			if b.Get("type").TextN(12) == "tool_result" {
				block = b
			}
			return true
		})
	}
	if c := block.Get("content"); c.Exists() {
		spans = append([]model.Span{within(p.Span, c)}, spans...)
	}
	return spans, nil
}
