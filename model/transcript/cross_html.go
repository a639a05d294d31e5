package transcript

import (
	_ "embed"
	"html/template"
	"strings"

	"palimpsest/model"
)

//go:embed report.html.tmpl
var reportText string

// report is the page: it loads nothing and runs nothing, and what a transcript
// holds is text in it, never markup.
var report = template.Must(template.New("report").Parse(reportText))

type reportHead struct {
	Title, Format, How string
	Messages           int
}

type reportMessage struct {
	N                        int
	Class, Who, Name, Time   string
	Model                    string
	Tokens                   int
	Counted, Failed, Cleared bool
	Usage                    *model.Usage
	Record                   string
	Parts                    []reportPart
}

type reportPart struct {
	Kind, Name, Text string
	Folded           bool
	Lines            int
}

// foldFrom is the number of lines from which a part is folded.
const foldFrom = 30

// html writes a report for people in one file.
func (c *crossWriter) html() error {
	head := reportHead{Title: oneLine(c.Title), Format: string(c.Doc.Format), How: c.How, Messages: len(c.Items)}
	if head.Title == "" {
		head.Title = "Conversation" // not its path, which may name the machine
	}
	if err := report.ExecuteTemplate(c.Writer, "head", head); err != nil {
		return err
	}
	n := 0
	err := c.each(func(it model.Item, m *model.Message, parts []model.Part) error {
		n++
		r := reportMessage{N: n, Class: reportClass(m), Who: strings.TrimPrefix(markdownWho(m), "## "), Name: m.Name, Time: clock(m.Time),
			Model: m.Model, Failed: m.Error, Cleared: it.Cleared, Record: it.Record, Usage: m.Usage}
		if c.Tokens != nil {
			r.Tokens, r.Counted = c.Tokens(it), true
		}
		for _, p := range parts {
			if rp := reportPartOf(p); rp.Text != "" {
				r.Parts = append(r.Parts, rp)
			}
		}
		return report.ExecuteTemplate(c.Writer, "message", r)
	})
	if err != nil {
		return err
	}
	return report.ExecuteTemplate(c.Writer, "foot", nil)
}

// markdownWho is who speaks, in words.
func markdownWho(m *model.Message) string {
	who, _, _ := strings.Cut(markdownHeading(m), " · ")
	return who
}

func reportClass(m *model.Message) string { return strings.ReplaceAll(m.Kind.String(), " ", "-") }

func reportPartOf(p model.Part) reportPart {
	r := reportPart{Name: oneLine(p.Name), Text: strings.TrimRight(p.Text, "\n")}
	switch p.Kind {
	case model.PartText:
		r.Kind = "text"
	case model.PartReasoning:
		r.Kind = "reasoning"
	case model.PartCall:
		r.Kind = "call"
		if r.Text == "" {
			r.Text = " "
		}
	case model.PartResult:
		r.Kind = "result"
	case model.PartMedia:
		r.Kind, r.Text = "media", mediaNote(p)
	default:
		return reportPart{}
	}
	r.Lines = strings.Count(r.Text, "\n") + 1
	r.Folded = r.Kind == "reasoning" || r.Lines >= foldFrom
	return r
}
