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
}

// Question is a request for a summary, in words.
type Question struct {
	Guard  string // what the model is told apart from the text: that the text is data
	Prompt string // the user's message (spec C9)
	Lang   Lang   // English or Chinese
}

// Prompt words the request. Former summaries stand in a section of their own,
// to be merged, and so do system messages from inside the range; both, like the
// transcript, stand between fences. It is [ErrEmpty] when there is nothing that
// a model could summarise.
func Prompt(a Ask) (Question, error) {
	lang := a.Lang
	if lang != English && lang != Chinese {
		lang = detect(a.Entries)
	}
	w := promptWordsOf(lang)
	formers, notes := aside(a.Entries)
	talk := transcript(a.Entries, lang, transcriptLimit)
	if talk == "" && len(notes) == 0 {
		return Question{}, ErrEmpty
	}
	var b strings.Builder
	b.WriteString(strings.Replace(w.ask, "%s", w.limit(a.MaxChars, a.MaxTokens), 1))
	if len(formers) > 0 {
		b.WriteString(w.merge)
	}
	section := func(title string, texts []string) {
		if len(texts) > 0 {
			b.WriteString("\n" + title + "\n" + frameLine + "\n" + strings.Join(texts, "\n\n") + "\n" + frameLine + "\n")
		}
	}
	section(w.existing, formers)
	section(w.notes, notes)
	b.WriteString("\n" + frameLine + "\n" + talk + "\n" + frameLine)
	return Question{Guard: w.guard, Prompt: b.String(), Lang: lang}, nil
}

// asideLimit bounds one former summary or system message in a prompt, in code
// points. A former summary was held to its own budget when it was made.
const asideLimit = 6000

// aside collects what is told beside the transcript: former summaries, each
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
		text, _ = stripHeading(text)
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
