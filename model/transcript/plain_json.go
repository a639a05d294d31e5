package transcript

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"palimpsest/model"
)

// plainMessage is one element of the JSON export. Text holds the text of a
// message or the output of a result; the parts of one are joined by an empty
// line.
type plainMessage struct {
	Role      string      `json:"role"`
	Kind      string      `json:"kind"`
	Name      string      `json:"name,omitempty"`
	Time      string      `json:"time,omitempty"`
	Step      int32       `json:"step,omitempty"`
	Reasoning string      `json:"reasoning,omitempty"`
	Text      string      `json:"text"`
	Media     []string    `json:"media,omitempty"`
	Calls     []plainCall `json:"calls,omitempty"`
	Answers   string      `json:"answers,omitempty"`
	Error     bool        `json:"error,omitempty"`
	Cleared   bool        `json:"cleared,omitempty"`
	Record    string      `json:"record,omitempty"` // of a summary
}

type plainCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // as the source spells them
}

// writeJSON writes a live list as an array of {role, kind, name, time, text,
// calls, answers}, one element a line, the same for every source. summary gives
// the text of a record's summary. Memory is bounded by the largest message.
func writeJSON(w io.Writer, d *model.Document, th *model.Thread, items []model.Item, summary func(record string) string) error {
	return buffered(w, func(b *bufio.Writer) error {
		sep := "[\n"
		var line bytes.Buffer
		enc := json.NewEncoder(&line)
		enc.SetEscapeHTML(false)
		i := 0
		err := eachItem(d, th, items, summary, func(m *model.Message, parts []model.Part) error {
			line.Reset()
			p := plain(m, parts)
			p.Cleared, p.Record = items[i].Cleared, items[i].Record
			i++
			if err := enc.Encode(p); err != nil {
				return err
			}
			b.WriteString(sep)
			sep = ",\n"
			_, err := b.Write(bytes.TrimRight(line.Bytes(), "\n"))
			return err
		})
		if err != nil {
			return err
		}
		if i == 0 {
			b.WriteString("[")
		}
		_, err = b.WriteString("\n]\n")
		return err
	})
}

func plain(m *model.Message, parts []model.Part) plainMessage {
	p := plainMessage{Role: m.Role.String(), Kind: m.Kind.String(), Name: m.Name, Time: clock(m.Time), Step: m.Step,
		Answers: m.Answers, Error: m.Error}
	var text, reasoning []string
	for _, part := range parts {
		switch part.Kind {
		case model.PartText, model.PartResult:
			text = append(text, part.Text)
		case model.PartReasoning:
			reasoning = append(reasoning, part.Text)
		case model.PartCall:
			p.Calls = append(p.Calls, plainCall{part.CallID, part.Name, part.Text})
		case model.PartMedia:
			p.Media = append(p.Media, part.Name)
		}
	}
	p.Text, p.Reasoning = strings.Join(text, "\n\n"), strings.Join(reasoning, "\n\n")
	return p
}
