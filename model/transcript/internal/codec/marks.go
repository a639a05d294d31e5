package codec

import (
	"strings"
)

// SummaryMarks are the first words of summaries that are in a history as
// plain messages, where the format has no mark of its own.
var SummaryMarks = []string{
	"[对话摘要 - 早期上下文]",
	"[Conversation summary - earlier context]",
	"This session is being continued from a previous conversation that ran out of context",
	"<state_snapshot>", // Gemini CLI's and its descendants'
}

// IsSummaryText reports whether a text begins as a summary does.
func IsSummaryText(s string) bool { return HasMark(s, SummaryMarks) }

// HasMark compares the head of a text; white space in front does not count.
func HasMark(s string, marks []string) bool {
	s = strings.TrimLeft(s, " \t\r\n")
	for _, m := range marks {
		if strings.HasPrefix(s, m) {
			return true
		}
	}
	return false
}

// MarkScan is how many code points of a text the marks need.
const MarkScan = 128
