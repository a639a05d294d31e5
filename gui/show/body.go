package show

import (
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/body"
)

// Reading is how a body is shown.
type Reading int

// The ways to show a body.
const (
	ReadRendered Reading = iota // Markdown, diffs, trees
	ReadText                    // as it is spelled
	ReadRaw                     // the bytes of the source
)

// ReadingNames are the words of the ways to show a body.
func ReadingNames() []string {
	return []string{words.T("detail.rendered"), words.T("reading.text"), words.T("detail.raw")}
}

// Body makes a body of the text of a row. Any goroutine may call it.
func Body(t *desk.Detail, how Reading) *body.Doc {
	if t == nil {
		return &body.Doc{}
	}
	if t.Err != nil {
		return body.Note(words.T("detail.failed"), t.Err.Error())
	}
	d := body.Read(t.Texts, body.Options{Label: PartLabel, Plain: how == ReadText, Bytes: t.Raw, Tool: t.Tool, Args: t.Args})
	switch {
	case t.More > 0:
		d.Add(body.Note(words.T("detail.leftOut", "size", words.Bytes(t.More)), ""))
	case len(d.Blocks) > 0:
	case t.Row.Kind == session.RowSummary:
		return body.Note(words.T("detail.noSummary"), "")
	default:
		return body.Note(words.T("detail.empty"), "")
	}
	return d
}

// PartLabel is the line over a part of a message; a message of one text has none.
func PartLabel(p model.Part, parts int) string {
	switch p.Kind {
	case model.PartReasoning:
		return words.T("detail.reasoning")
	case model.PartCall:
		return words.T("detail.call", "tool", p.Name)
	case model.PartResult:
		if p.Error {
			return words.T("detail.errorResult")
		}
		if parts > 1 {
			return words.T("role.result")
		}
	case model.PartOpaque:
		return "[" + p.Name + ", " + words.Bytes(int64(p.Bytes)) + "]"
	case model.PartText:
		if parts > 1 {
			return words.T("detail.text")
		}
	}
	return ""
}
