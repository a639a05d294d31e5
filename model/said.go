package model

import (
	"slices"
	"strings"
)

// Programs put texts of their own into a person's message: before the words, after
// them, or in their place.
//
//	<system-reminder>…</system-reminder>            goes, wherever it occurs
//	# Context from my IDE setup: … ## My request for Codex:   goes, with all above it
//	<task>fix the parser</task>                     only the tags go
//
// This file is the only place that lists them. Formats ask it who wrote a message,
// summaries and titles what the person said.

// putIn are the elements that hold a program's words.
var putIn = []string{
	"environment_context", "environment_details", "permissions instructions", "user_instructions", "skills_instructions",
	"INSTRUCTIONS", "skill", "turn_aborted", "system-reminder", "SYSTEM_NOTICE", "subagent_notification", "task-notification",
	"teammate-message", "user_shell_command", "user-prompt-submit-hook", "command-name", "command-message", "command-args",
	"command-contents", "local-command-stdout", "local-command-stderr", "local-command-caveat", "bash-input", "bash-stdout",
	"bash-stderr", "ide_opened_file", "ide_selection",
}

// beside are elements that a program puts beside what a person asks, in the
// same text: a message that begins with one is the person's all the same.
var beside = []string{"uploaded_files", "current_datetime", "system_instruction", "system-instruction", "system_reminder", "sql_tables"}

// around are elements that a program puts around what a person said.
var around = []string{"task", "answer", "feedback", "user_message", "user_query", "pr_description", "issue_description", "task_description"}

// noted are the first words of a program's lines that are no element; what belongs
// to them ends with a blank line.
var noted = []string{"# AGENTS.md instructions", "Caveat: The messages below were generated", "[Request interrupted by user",
	"Read the output file to retrieve the result: ", "Full transcript available at: "}

// The headings that an editor puts above what a person asks, and the one after
// which it begins.
var (
	editorHeads   = []string{"# Context from my IDE setup:", "# In app browser:", "# Files mentioned by the user:"}
	editorRequest = "## My request for "
)

// Injected reports whether a text begins as one that a program put into a user's
// message does; white space before it does not count.
func Injected(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	if hasAny(text, noted) {
		return true
	}
	name, ok := elementAt(text)
	return ok && slices.Contains(putIn, name)
}

func hasAny(text string, heads []string) bool {
	return slices.ContainsFunc(heads, func(h string) bool { return strings.HasPrefix(text, h) })
}

// elementAt is the element that a text begins with, if it is one of the lists.
func elementAt(text string) (string, bool) {
	if !strings.HasPrefix(text, "<") {
		return "", false
	}
	for _, list := range [][]string{putIn, beside, around} {
		for _, name := range list {
			if rest, ok := strings.CutPrefix(text[1:], name); ok && rest != "" && (rest[0] == '>' || rest[0] == ' ' || rest[0] == '\n') {
				return name, true
			}
		}
	}
	return "", false
}

// Said is what a person said in a text, without what programs put around it; ""
// if nothing is left. An element that never ends ends the text. It changes nothing
// else, and returns a text without such additions as it is.
func Said(text string) string {
	if !strings.ContainsAny(text, "<#[") && !strings.Contains(text, noted[1]) {
		return text
	}
	out := afterHeadings(text)
	var b strings.Builder
	for out != "" {
		line, rest, _ := strings.Cut(out, "\n")
		at := 0
		if strings.TrimSpace(line) != "" {
			at = len(out) - len(strings.TrimLeft(out, " \t\r\n"))
		}
		if hasAny(out[at:], noted) {
			out = afterParagraph(out[at:])
			continue
		}
		from, to, inner := len(out)-len(rest), len(out)-len(rest), ""
		if f, t, in, found := elementIn(out, len(line)); found {
			from, to, inner = f, t, in
		}
		b.WriteString(out[:from])
		b.WriteString(inner)
		out = out[to:]
	}
	if b.Len() == len(text) {
		return text
	}
	return strings.TrimSpace(b.String())
}

// afterHeadings is what follows an editor's headings; "" if no request follows.
func afterHeadings(text string) string {
	start := strings.TrimLeft(text, " \t\r\n")
	if !strings.HasPrefix(start, "# ") && !hasAny(start, editorHeads) {
		return text
	}
	if i := strings.Index(start, "\n"+editorRequest); i >= 0 {
		_, after, _ := strings.Cut(start[i+1:], "\n")
		return strings.TrimSpace(after)
	}
	if hasAny(start, editorHeads) {
		return ""
	}
	return text
}

// afterParagraph is what follows the first blank line. A heading's element belongs
// to it.
func afterParagraph(text string) string {
	_, rest, found := strings.Cut(text, "\n")
	for found && strings.TrimSpace(rest) != "" {
		var line string
		line, after, more := strings.Cut(rest, "\n")
		if strings.TrimSpace(line) == "" {
			break
		}
		if _, element := elementAt(strings.TrimSpace(line)); element {
			break
		}
		rest, found = after, more
	}
	if !found {
		return ""
	}
	return rest
}

// elementIn finds the first element of the lists that begins within so many bytes
// of a text, at its start or after white space or another tag: where it begins and
// ends, and what of it stays.
func elementIn(text string, within int) (from, to int, inner string, found bool) {
	for i := 0; i < within; {
		k := strings.IndexByte(text[i:within], '<')
		if k < 0 {
			return 0, 0, "", false
		}
		i += k
		if name, ok := elementAt(text[i:]); ok && (i == 0 || strings.IndexByte(" \t\r\n>", text[i-1]) >= 0) {
			open := strings.IndexByte(text[i:], '>')
			if open < 0 {
				return i, len(text), "", true
			}
			body := text[i+open+1:]
			end := strings.Index(body, closing(name))
			if slices.Contains(around, name) {
				if end < 0 { // a tag that means something else here
					i++
					continue
				}
				return i, i + open + 1 + end + len(closing(name)), Said(body[:end]), true
			}
			if end < 0 {
				return i, len(text), "", true
			}
			return i, i + open + 1 + end + len(closing(name)), "", true
		}
		i++
	}
	return 0, 0, "", false
}

func closing(name string) string { return "</" + name + ">" }
