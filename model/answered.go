package model

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// asking are the tools by which agents ask a person.
var asking = []string{"AskUserQuestion", "ask_user", "ask_user_question", "ask_question", "ask_questions", "ask_followup_question",
	"mcp__conductor__AskUserQuestion", "ask_human", "question", "request_user_input", "vscode_askQuestions", "clarify", "requestUserInput"}

// Asks reports whether a call of a tool asks a person: its result holds the answer.
func Asks(tool string) bool { return slices.Contains(asking, tool) }

// What Claude Code puts around a person's words in a result.
var (
	answerHeads = []string{"User has answered your questions: ", "Your questions have been answered: ", "User responses:\n",
		"User selected: "}
	answerEnd, refusal = ". You can now continue", "The user doesn't want to proceed with this tool use."
	refusalSaid        = "the user said:\n"
	refusalEnd         = "\n\nNote: The user's next message"
	refusalBare        = "The user wants to clarify these questions."
)

// Answered is what a person said in the result of a call, "" where a person said nothing:
// the answer to a question of the agent (a line for each, "question → answer"), or how
// to go on where a person refused the call.
func Answered(m *Message, text string) string {
	if strings.HasPrefix(text, refusal) {
		_, said, _ := strings.Cut(text, refusalSaid)
		said, _, _ = strings.Cut(said, refusalEnd)
		if strings.HasPrefix(said, refusalBare) {
			return ""
		}
		return strings.TrimSpace(said)
	}
	if m.Error || !Asks(m.Name) {
		return ""
	}
	for _, head := range answerHeads {
		if body, ok := strings.CutPrefix(text, head); ok {
			return answers(body)
		}
	}
	if filled := map[string]any{}; json.Unmarshal([]byte(text), &filled) == nil && filled["answers"] != nil {
		return strings.Join(chosen(filled["answers"]), "\n")
	}
	return Said(text)
}

// chosen are the answers in a value: one, a list, or those by question.
func chosen(v any) (list []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			list = append(list, chosen(e)...)
		}
	case map[string]any:
		for _, question := range slices.Sorted(maps.Keys(v)) {
			said := strings.Join(chosen(v[question]), ", ")
			if strings.Contains(question, " ") { // no id
				said = question + " → " + said
			}
			list = append(list, said)
		}
	}
	return list
}

// answers are the pairs of "question"="answer" with commas between them.
func answers(body string) string {
	if i := strings.LastIndex(body, answerEnd); i >= 0 {
		body = body[:i]
	}
	const is, next = `"="`, `", "`
	var out []string
	for {
		question, answer, ok := strings.Cut(strings.TrimPrefix(body, `"`), is)
		if !ok {
			break
		}
		body = ""
		if i := strings.Index(answer, is); i >= 0 {
			if k := strings.LastIndex(answer[:i], next); k >= 0 {
				answer, body = answer[:k], answer[k+len(next):]
			}
		}
		out = append(out, question+" → "+strings.TrimSuffix(strings.TrimSuffix(answer, "."), `"`))
	}
	if len(out) == 0 {
		return strings.TrimSpace(body)
	}
	return strings.Join(out, "\n")
}
