package codec

import (
	"strings"
)

// SummaryMarks are the first words of summaries that stand in a history as
// plain messages, where the format has no mark of its own.
var SummaryMarks = []string{
	"[对话摘要 - 早期上下文]",
	"[Conversation summary - earlier context]",
	"This session is being continued from a previous conversation that ran out of context",
	"<state_snapshot>", // Gemini CLI's and its descendants'
}

// IsSummaryText reports whether a text begins as a summary does.
func IsSummaryText(s string) bool { return HasMark(s, SummaryMarks) }

// injectedMarks are the first words of texts that a program put into a user
// message beside, or in place of, what a person typed.
var injectedMarks = []string{
	"<environment_context>", "<permissions instructions>", "<user_instructions>", "<skills_instructions>",
	"<turn_aborted>", "# AGENTS.md instructions", "<system-reminder>", "<command-name>", "<command-message>",
	"<command-args>", "<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>",
	"<bash-stdout>", "<bash-stderr>", "<task-notification>", "Caveat: The messages below were generated",
	"[Request interrupted by user", "<SYSTEM_NOTICE>", "<environment_details>",
	"<bash-input>", "<command-contents>", "<user-prompt-submit-hook>", "<ide_opened_file>", "<ide_selection>", "<teammate-message",
}

// IsInjectedText reports whether a user text begins as injected context does.
func IsInjectedText(s string) bool { return HasMark(s, injectedMarks) }

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
