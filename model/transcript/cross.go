package transcript

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/anthropic"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/internal/openai"
	"palimpsest/model/visible"
)

// FormatHTML is written only.
const FormatHTML model.Format = "html"

// Loss names something that a form of export has no place for.
type Loss string

// What may be lost. Each is counted in messages or parts, as its sentence says.
const (
	LossReasoning Loss = "reasoning"   // what a model thought
	LossOpaque    Loss = "opaque"      // signatures, encrypted items
	LossMedia     Loss = "media"       // the bytes of images and files; a note replaces them
	LossTimes     Loss = "times"       // when a message was written
	LossIDs       Loss = "ids"         // the ids and parents of messages
	LossModels    Loss = "models"      // which model answered
	LossUsage     Loss = "usage"       // what the provider reported
	LossErrors    Loss = "errors"      // that a tool call failed
	LossSystem    Loss = "system"      // the place of a later system message: it becomes the user's
	LossCallIDs   Loss = "call-ids"    // which call a result answers
	LossArguments Loss = "arguments"   // the spelling of a call's arguments
	LossResults   Loss = "results"     // results that the source has not; a note replaces each
	LossUnsent    Loss = "unsent"      // records that no model sees: events, boundaries
	LossRoles     Loss = "roles"       // roles the form does not know; they become the user's
	LossCompacted Loss = "compactions" // what compactions took away, and that they were
)

var lossTexts = map[Loss]string{
	LossReasoning: "reasoning", LossOpaque: "signatures and encrypted items",
	LossMedia: "the bytes of images and files (a note replaces each)",
	LossTimes: "times", LossIDs: "ids and parents of messages", LossModels: "which model answered", LossUsage: "reported usage",
	LossErrors: "that a tool call failed", LossSystem: "the place of later system messages (they become the user's)",
	LossCallIDs:   "which call a result answers",
	LossArguments: "arguments that are no JSON object (they are wrapped)",
	LossResults:   "results of calls that have none (a note replaces each)",
	LossUnsent:    "records that no model sees",
	LossRoles:     "roles it does not know (they become the user's)",
	LossCompacted: "what compactions took away",
}

// Text is the loss as the end of an English sentence.
func (l Loss) Text() string { return lossTexts[l] }

// Losses counts what an export left out.
type Losses map[Loss]int

// List returns what was lost in a fixed order.
func (n Losses) List() []Loss {
	var out []Loss
	for l, k := range n {
		if k > 0 {
			out = append(out, l)
		}
	}
	slices.Sort(out)
	return out
}

func (n Losses) add(l Loss, lost bool) {
	if lost {
		n[l]++
	}
}

// Target is a form that any history can be written in.
type Target struct {
	codec.Info
	Extension string // with its dot
	Loses     []Loss // what it has no place for, whether a history has it or not
	write     func(*crossWriter) error
}

// writtenOnly are the forms that no reader takes in.
var writtenOnly = []Target{
	{Info: codec.Info{Format: FormatMarkdown, Title: "Markdown", How: "written only: headings by role, calls and results in fences"},
		Extension: ".md",
		write:     (*crossWriter).markdown,
		Loses:     []Loss{LossMedia, LossOpaque, LossIDs, LossModels, LossUsage, LossCallIDs, LossCompacted}},
	{Info: codec.Info{Format: FormatHTML, Title: "HTML report", How: "written only: one file that loads and runs nothing"},
		Extension: ".html",
		write:     (*crossWriter).html, Loses: []Loss{LossMedia, LossOpaque, LossIDs, LossCallIDs, LossCompacted}},
	{Info: codec.Info{Format: FormatJSON, Title: "JSON",
		How: "written only: an array of {role, kind, name, time, text, calls, answers}"}, Extension: ".json",
		write: (*crossWriter).json, Loses: []Loss{LossMedia, LossOpaque, LossIDs, LossModels, LossUsage, LossCompacted}},
}

// Targets lists the forms that a live list of any format can be written in.
func Targets() []Target {
	return append([]Target{
		{Info: openai.Chat{}.Info(), Extension: ".json", write: (*crossWriter).openAI,
			Loses: []Loss{LossMedia, LossOpaque, LossTimes, LossIDs, LossModels, LossUsage, LossErrors, LossUnsent, LossRoles,
				LossResults, LossCompacted}},
		{Info: anthropic.Messages{}.Info(), Extension: ".json", write: (*crossWriter).anthropic,
			Loses: []Loss{LossReasoning, LossMedia, LossOpaque, LossTimes, LossIDs, LossModels, LossUsage, LossSystem, LossArguments,
				LossResults, LossUnsent, LossRoles, LossCompacted}},
	}, writtenOnly...)
}

// TargetOf finds a form by its name.
func TargetOf(f model.Format) (Target, bool) {
	list := Targets()
	i := slices.IndexFunc(list, func(t Target) bool { return t.Format == f })
	if i < 0 {
		return Target{}, false
	}
	return list[i], true
}

// Cross is a live list to be written in another form.
type Cross struct {
	Doc     *model.Document
	Thread  *model.Thread
	Items   []model.Item
	Summary func(record string) string // text of a record's summary

	Title  string               // "": the conversation's own
	Tokens func(model.Item) int // what an item weighs; nil: not known
	How    string               // how those tokens were counted
}

// forPeople reports whether a form of export is read by people, and by no program that
// takes it for a history.
func forPeople(f model.Format) bool {
	return f == FormatMarkdown || f == FormatHTML
}

// WriteCross writes a live list in another form and counts what that has no
// place for. Memory is bounded by the largest message, and for forms that join
// neighbours by the largest run of them.
func WriteCross(w io.Writer, f model.Format, x Cross) (Losses, error) {
	t, ok := TargetOf(f)
	if !ok {
		return nil, fmt.Errorf("there is no form of export %q", f)
	}
	c := &crossWriter{Cross: x, lost: Losses{}, loses: map[Loss]bool{}}
	for _, l := range t.Loses {
		c.loses[l] = true
	}
	if c.Title == "" {
		c.Title = edit.ConversationOf(x.Doc, x.Thread).Title
	}
	shown := visible.JSON(w)
	if forPeople(f) {
		shown = visible.To(w)
	}
	err := buffered(shown, func(b *bufio.Writer) error {
		c.Writer = b
		return t.write(c)
	})
	return c.lost, errors.Join(err, shown.Close())
}

// crossWriter is one export on its way.
type crossWriter struct {
	*bufio.Writer
	Cross
	lost  Losses
	loses map[Loss]bool
	named int // calls that got an id
}

// each calls f with every item and its parts, and counts what the form loses of
// each message.
func (c *crossWriter) each(f func(it model.Item, m *model.Message, parts []model.Part) error) error {
	i := 0
	return eachItem(c.Doc, c.Thread, c.Items, c.Summary, func(m *model.Message, parts []model.Part) error {
		it := c.Items[i]
		i++
		c.counts(it, m, parts)
		return f(it, m, parts)
	})
}

// counts notes what the form loses of a message.
func (c *crossWriter) counts(it model.Item, m *model.Message, parts []model.Part) {
	c.count(LossTimes, m.Time != 0)
	c.count(LossIDs, len(m.Pieces) > 0 && m.ID != "")
	c.count(LossModels, m.Model != "")
	c.count(LossUsage, m.Usage != nil)
	c.count(LossErrors, m.Kind == model.KindResult && m.Error)
	c.count(LossCallIDs, m.Answers != "")
	c.count(LossCompacted, it.Msg < 0 || it.Cleared)
	for _, p := range parts {
		c.count(LossReasoning, p.Kind == model.PartReasoning && p.Text != "")
		c.count(LossMedia, p.Kind == model.PartMedia)
		c.count(LossOpaque, p.Kind == model.PartOpaque)
	}
}

// count notes a loss, if lost and the form has no place for it.
func (c *crossWriter) count(l Loss, lost bool) { c.lost.add(l, lost && c.loses[l]) }

// sent reports whether a message is one that a model sees, and counts it as lost
// if not.
func (c *crossWriter) sent(m *model.Message) bool {
	unseen := m.Kind == model.KindBoundary || m.Kind == model.KindOther && m.Role != model.RoleOther
	c.count(LossUnsent, unseen)
	return !unseen
}

// mediaNote replaces what can't be taken along.
func mediaNote(p model.Part) string { return fmt.Sprintf("[%s, %d bytes]", oneLine(p.Name), p.Bytes) }

// wordsOf is the text of a message, with notes for media.
func wordsOf(parts []model.Part) string {
	var out []byte
	for _, p := range parts {
		text := ""
		switch p.Kind {
		case model.PartText, model.PartResult:
			text = p.Text
		case model.PartMedia:
			text = mediaNote(p)
		}
		if text == "" {
			continue
		}
		if len(out) > 0 {
			out = append(out, "\n\n"...)
		}
		out = append(out, text...)
	}
	return string(out)
}

func reasoningOf(parts []model.Part) string {
	var out []byte
	for _, p := range parts {
		if p.Kind == model.PartReasoning && p.Text != "" {
			if len(out) > 0 {
				out = append(out, "\n\n"...)
			}
			out = append(out, p.Text...)
		}
	}
	return string(out)
}

// callsOf returns the calls among the parts of a message.
func callsOf(parts []model.Part) []model.Part {
	return slices.DeleteFunc(slices.Clone(parts), func(p model.Part) bool { return p.Kind != model.PartCall })
}

func (c *crossWriter) markdown() error {
	return writeMarkdown(c.Writer, c.Doc, c.Thread, c.Items, c.counted())
}

func (c *crossWriter) json() error {
	return writeJSON(c.Writer, c.Doc, c.Thread, c.Items, c.counted())
}

// counted counts the losses of a form that walks the list itself, and returns
// Summary.
func (c *crossWriter) counted() func(string) string {
	_ = c.each(func(model.Item, *model.Message, []model.Part) error { return nil }) // the writer meets the same error
	return c.Summary
}
