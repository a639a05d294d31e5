package session

import (
	"iter"
	"strings"

	"palimpsest/model"
)

// coveredTexts are the texts of the messages that a record took out of the
// history, one a message: what it shall be found by once they are gone. Only a
// record that was applied took any.
func (s *Session) coveredTexts(rec *model.Record) iter.Seq2[string, error] {
	if rec.Outcome != model.Applied {
		return nil
	}
	return func(yield func(string, error) bool) {
		for _, run := range rec.Runs {
			if run.Fate != model.Summarised.String() && run.Fate != model.Dropped.String() {
				continue
			}
			for h := run.From; h < run.To; h++ {
				text, err := s.wholeText(s.thread.History[h])
				if !yield(text, err) || err != nil {
					return
				}
			}
		}
	}
}

// wholeText is all that a stored message says, with the names of the tools it
// calls.
func (s *Session) wholeText(stored int32) (string, error) {
	parts, err := s.file.Doc.Parts(&s.thread.Messages[stored])
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, p := range parts {
		switch p.Kind {
		case model.PartMedia, model.PartOpaque:
			continue
		case model.PartCall:
			b.WriteString(p.Name)
			b.WriteByte('\n')
		}
		b.WriteString(p.Text)
		b.WriteByte('\n')
	}
	return b.String(), nil
}
