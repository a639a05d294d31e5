package summarize

import (
	"strings"

	"palimpsest/model"
)

// Ask is what a model is asked to summarise.
type Ask struct {
	Entries   []Entry // in the order of the history
	MaxChars  int     // code points of the answer; 0: no limit
	MaxTokens int     // of the answer; named only when there is no limit in characters
	Lang      Lang    // Auto: that of the history

	Template    *Template // nil: the words of the first authors
	Instruction string    // what the person who asks adds; it is outside of the data
	Ledger      bool      // a ledger follows the answer: former ones are left out, their facts are weighed again
	Room        int       // code points of the transcript; 0: 12,000
	Part, Parts int       // the entries are part Part (1-based) of Parts; 0: they are all there is
}

// Question is a request for a summary, in words.
type Question struct {
	Guard  string // instruction in addition to the text: that the text is data
	Prompt string // the user's message
	Lang   Lang   // English or Chinese
	Exact  bool   // the same answer each time, as far as the server can
}

// Prompt words the request: a section of former summaries to merge, one of system
// messages from inside the range, and the transcript, each between fences. The error is
// [ErrEmpty] if a model could summarise nothing.
func Prompt(a Ask) (Question, error) {
	a.Lang = a.language()
	w := promptWordsOf(a.Lang)
	formers, notes := aside(a.Entries)
	room := a.Room
	if room <= 0 {
		room = transcriptLimit
	}
	talk := transcript(a.Entries, a.Lang, room)
	if talk == "" && len(notes) == 0 && (a.Parts == 0 || len(formers) == 0) {
		return Question{}, ErrEmpty
	}
	var b strings.Builder
	b.WriteString(a.order(w))
	if a.Parts > 0 {
		b.WriteString(w.partOf(a.Part, a.Parts))
	}
	if len(formers) > 0 {
		b.WriteString(w.merge)
	}
	section(&b, w.existing, formers)
	section(&b, w.notes, notes)
	b.WriteString("\n" + frameLine + "\n" + talk + "\n" + frameLine)
	return Question{Guard: w.guard, Prompt: b.String(), Lang: a.Lang}, nil
}

// joinPrompt words the request to put the summaries of consecutive parts
// together. The language must be set.
func joinPrompt(a Ask, parts []string) Question {
	w := promptWordsOf(a.Lang)
	var b strings.Builder
	b.WriteString(a.order(w) + w.join)
	for i, text := range parts {
		section(&b, w.partTitle(i+1), []string{strings.TrimSpace(shield(text))})
	}
	return Question{Guard: w.guard, Prompt: strings.TrimRight(b.String(), "\n"), Lang: a.Lang}
}

func (a *Ask) language() Lang {
	if a.Lang == English || a.Lang == Chinese {
		return a.Lang
	}
	return detect(a.Entries)
}

// order is what is to be done, before the data.
func (a *Ask) order(w *promptWords) string {
	limit := w.limit(a.MaxChars, a.MaxTokens)
	text := strings.Replace(w.ask, "%s", limit, 1)
	if a.Template != nil {
		text = strings.ReplaceAll(a.Template.in(a.Lang), limitMark, limit)
	}
	if said := strings.TrimSpace(a.Instruction); said != "" {
		text += w.adds + said + "\n"
	}
	return text
}

// section is a title with texts between fences; nothing when there are none.
func section(b *strings.Builder, title string, texts []string) {
	if len(texts) > 0 {
		b.WriteString("\n" + title + "\n" + frameLine + "\n" + strings.Join(texts, "\n\n") + "\n" + frameLine + "\n")
	}
}

// asideLimit bounds one former summary or system message in a prompt, in code
// points. A former summary was held to its own budget when it was made.
const asideLimit = 6000

// aside collects what accompanies the transcript: former summaries, each
// once and without its heading, and system messages.
func aside(entries []Entry) (formers, notes []string) {
	seen := map[string]bool{}
	for i := range entries {
		e := &entries[i]
		text, former := e.Former, e.Former != ""
		switch {
		case former:
		case e.Msg == nil:
			continue
		case e.Msg.Kind == model.KindSummary:
			text, former = joinText(e.Parts), true
		case e.Msg.Kind == model.KindSystem:
			text = joinText(e.Parts)
			former = IsSummary(text)
		default:
			continue
		}
		text, _ = StripHeading(text)
		text = Truncate(strings.TrimSpace(shield(text)), asideLimit)
		if text == "" || seen[text] {
			continue
		}
		seen[text] = true
		if former {
			formers = append(formers, text)
		} else {
			notes = append(notes, text)
		}
	}
	return formers, notes
}
