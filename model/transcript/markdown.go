package transcript

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// writeMarkdown writes a live list for people to read: a heading for every
// message, calls and results in fences that nothing inside them can close,
// summaries marked. Nothing in it does anything when it is shown (see harmless).
// summary gives the text of a record's summary. Memory is
// bounded by the largest message.
func writeMarkdown(w io.Writer, d *model.Document, th *model.Thread, items []model.Item, summary func(record string) string) error {
	return buffered(w, func(b *bufio.Writer) error {
		md := markdown{b}
		if t := edit.ConversationOf(d, th).Title; t != "" {
			md.paragraph("# " + harmless(oneLine(t)))
		}
		return eachItem(d, th, items, summary, func(m *model.Message, parts []model.Part) error {
			md.paragraph(harmless(markdownHeading(m)))
			for _, p := range parts {
				md.part(p)
			}
			return nil
		})
	})
}

func markdownHeading(m *model.Message) string {
	var b strings.Builder
	b.WriteString("## ")
	switch m.Kind {
	case model.KindSummary:
		b.WriteString("Summary of earlier messages")
		if len(m.Pieces) == 0 && m.ID != "" { // a record's; those of the source have native ids
			fmt.Fprintf(&b, " (%s)", oneLine(m.ID))
		}
	case model.KindResult:
		b.WriteString("Tool result")
	case model.KindOther, model.KindBoundary:
		b.WriteString(strings.ToUpper(m.Kind.String()[:1]) + m.Kind.String()[1:])
	default:
		b.WriteString(strings.ToUpper(m.Role.String()[:1]) + m.Role.String()[1:])
	}
	if m.Step > 0 {
		fmt.Fprintf(&b, " · step %d", m.Step)
	}
	if m.Name != "" {
		b.WriteString(" · " + oneLine(m.Name))
	}
	switch m.Origin {
	case model.OriginInjected:
		b.WriteString(" · injected")
	case model.OriginObservation:
		b.WriteString(" · observation")
	}
	if t := clock(m.Time); t != "" {
		b.WriteString(" · " + t)
	}
	return b.String()
}

// oneLine keeps a name from breaking out of its heading.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

type markdown struct{ *bufio.Writer }

// paragraph writes a block and the empty line behind it. The writer keeps the
// first error and gives it when it is flushed.
func (w markdown) paragraph(s string) {
	w.WriteString(s)
	w.WriteString("\n\n")
}

func (w markdown) part(p model.Part) {
	switch p.Kind {
	case model.PartText:
		w.paragraph(harmless(strings.TrimRight(p.Text, "\n")))
	case model.PartReasoning:
		w.paragraph("> " + strings.ReplaceAll(harmless(strings.TrimRight(p.Text, "\n")), "\n", "\n> "))
	case model.PartCall:
		w.paragraph("**Call** `" + strings.ReplaceAll(oneLine(p.Name), "`", "'") + "`")
		lang := "text"
		if json.Valid([]byte(p.Text)) {
			lang = "json"
		}
		w.fence(lang, p.Text)
	case model.PartResult:
		if p.Error {
			w.paragraph("**Failed**")
		}
		w.fence("text", p.Text)
	case model.PartMedia:
		w.paragraph(harmless(fmt.Sprintf("*[%s, %d bytes]*", oneLine(p.Name), p.Bytes)))
	}
}

// fence writes a code block whose fence is longer than any run of backquotes
// inside.
func (w markdown) fence(lang, text string) {
	longest, run := 0, 0
	for _, r := range text {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", max(3, longest+1))
	w.WriteString(fence + lang + "\n" + text)
	if !strings.HasSuffix(text, "\n") {
		w.WriteByte('\n')
	}
	w.paragraph(fence)
}
