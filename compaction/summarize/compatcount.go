package summarize

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"palimpsest/model"
)

// ErrCompatEmpty is how the first authors' program reported an answer without
// text.
var ErrCompatEmpty = errors.New("LLM 返回空摘要")

// CompatPrompt is the request for a summary exactly as the first authors of
// message-count compaction worded it, in Chinese: former summaries and all other
// system messages skipped, arguments not shown, a long transcript cut to its
// beginning, nothing shielded. With inBytes limits count UTF-8 bytes; where
// their program then stopped because a cut fell inside a character, there is an
// error. It is for comparison only.
func CompatPrompt(entries []Entry, maxChars int, inBytes bool) (string, error) {
	talk, err := compatTranscript(entries, inBytes)
	if err != nil {
		return "", err
	}
	if talk, err = compatCut(talk, transcriptLimit, "...[已截断]", inBytes); err != nil {
		return "", err
	}
	w := promptChinese
	return strings.Replace(w.ask, "%s", fmt.Sprintf(w.chars, maxChars), 1) +
		"\n" + frameLine + "\n" + talk + "\n" + frameLine, nil
}

// compatTranscript is the transcript of [CompatPrompt], before it is cut.
func compatTranscript(entries []Entry, inBytes bool) (string, error) {
	w := promptChinese
	var b strings.Builder
	put := func(label, text string, limit int) error {
		text, err := compatCut(text, limit, "...", inBytes)
		if err != nil {
			return err
		}
		b.WriteString(label + text + "\n\n")
		return nil
	}
	for i := range entries {
		e := &entries[i]
		if e.Msg == nil {
			continue // a former summary, which is a system message
		}
		var err error
		switch _, calls := callNames(e.Parts); {
		case e.Msg.Kind == model.KindResult:
			err = put(w.result, resultText(e.Parts), resultLimit)
		case e.Msg.Role == model.RoleSystem || e.Msg.Kind == model.KindSummary:
		case calls:
			if text := joinText(e.Parts); text != "" {
				b.WriteString(w.agent + text + "\n")
			}
			b.WriteString(w.call + bareNames(e.Parts) + "\n\n")
		case e.Msg.Kind == model.KindUser:
			err = put(w.user, joinText(e.Parts), chatLimit)
		default:
			err = put(w.agent, joinText(e.Parts), chatLimit)
		}
		if err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

func bareNames(parts []model.Part) string {
	var names []string
	for i := range parts {
		if parts[i].Kind == model.PartCall {
			names = append(names, parts[i].Name)
		}
	}
	return strings.Join(names, ", ")
}

func compatCut(s string, limit int, mark string, inBytes bool) (string, error) {
	if !inBytes {
		if utf8.RuneCountInString(s) <= limit {
			return s, nil
		}
		return strings.TrimSuffix(Truncate(s, limit), "...") + mark, nil
	}
	if len(s) <= limit {
		return s, nil
	}
	if !utf8.RuneStart(s[limit]) {
		return "", fmt.Errorf("end byte index %d is not a char boundary", limit)
	}
	return s[:limit] + mark, nil
}

// CompatAnswer is what the first authors' program made of a model's answer:
// the answer, cut to its first maxChars code points; the helper it calls for
// that is not in its text.
func CompatAnswer(text string, maxChars int) (string, error) {
	if text == "" {
		return "", ErrCompatEmpty
	}
	return compatCut(text, maxChars, "", false)
}
