package show

import (
	"strconv"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/about"
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
		said, _, _ := ErrorWords(t.Err)
		return body.Note(words.T("detail.failed"), said)
	}
	o := body.Options{Label: partLabel, Plain: how == ReadText, Bytes: t.Raw, Tool: t.Tool, Args: t.Args}
	if t.Row.Kind == session.RowSummary || t.Row.Record != "" {
		o.Links = func(text string) []body.Span { return summaryLinks(text, t.Numbered) }
	}
	d := body.Read(t.Texts, o)
	if t.Written {
		said := body.Note(words.T("asking.running"), "")
		said.Add(d)
		return said
	}
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

// Together makes one body of several messages, each under its number and speaker.
func Together(list []*desk.Detail, how Reading) *body.Doc {
	d := &body.Doc{}
	for _, t := range list {
		d.Add(body.Note("#"+words.Int(int64(t.Row.Num))+" "+WhoSays(t.Row), ""))
		d.Add(Body(t, how))
	}
	return d
}

// messageLink begins the target of a link to a message.
const messageLink = "message:"

// SummaryLinks are the links of a record's summary to the messages that it refers to.
func SummaryLinks(text string) []body.Span {
	return summaryLinks(text, func(r model.Range) model.Range { return r })
}

// summaryLinks are those to messages that are found by their numbers; the others are words.
func summaryLinks(text string, found func(model.Range) model.Range) (list []body.Span) {
	for _, r := range about.Refs(text) {
		if at := found(r.Messages); at.To > at.From {
			list = append(list, body.Span{From: r.From, To: r.To, Link: messageLink + strconv.Itoa(at.From)})
		}
	}
	return list
}

// MessageOf is the history position that a link of a summary leads to.
func MessageOf(target string) (at int, ok bool) {
	s, ok := strings.CutPrefix(target, messageLink)
	at, err := strconv.Atoi(s)
	return at, ok && err == nil
}

// partLabel is the line over a part of a message; a message of one text has none.
func partLabel(p model.Part, parts int) string {
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
		return words.T("detail.opaque", "name", opaqueName(p.Name), "size", words.Bytes(int64(p.Bytes)))
	case model.PartText:
		if parts > 1 {
			return words.T("detail.text")
		}
	}
	return ""
}

// opaqueName is what a part is that nobody can read; one that only some files have is
// called as the file calls it.
func opaqueName(name string) string {
	switch name {
	case "signature":
		return words.T("detail.opaque.signature")
	case "encrypted_content":
		return words.T("detail.opaque.encrypted")
	case "call of the user":
		return words.T("detail.opaque.call")
	}
	return name
}
