package model_test

import (
	"testing"

	"palimpsest/model"
)

func TestAnswered(t *testing.T) {
	for _, c := range []struct {
		tool, text, want string
		failed           bool
	}{
		{"AskUserQuestion", `User has answered your questions: "Which colour?"="Blue (Recommended)", "Say "why", please"="because", he said". You can now continue with the user's answers in mind.`,
			"Which colour? → Blue (Recommended)\nSay \"why\", please → because\", he said", false},
		{"AskUserQuestion", `User has answered your questions: "Where?"="Local file in repo". You can now continue with the user's answers in mind.`,
			"Where? → Local file in repo", false},
		{"Bash", "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. …). To tell you how to proceed, the user said:\nuse make instead\n\nNote: The user's next message may contain a correction", "use make instead", true},
		{"AskUserQuestion", "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n    This means they may", "", true},
		{"AskUserQuestion", "InputValidationError: no questions", "", true},
		{"ask_followup_question", "<answer>\nthe second one\n</answer>", "the second one", false},
		{"request_user_input", `{"answers":{"q":{"answers":["yes","now"]}}}`, "yes, now", false},
		{"AskUserQuestion", `{"answers":{"Which tree?":"larch","Where to?":["gate","wall"]}}`, "Where to? → gate, wall\nWhich tree? → larch", false},
		{"ask_user", `{"answers":{"0":"larch"}}`, "larch", false},
		{"ask_user", "User responded: fine", "User responded: fine", false},
		{"Read", "a file", "", false},
	} {
		m := &model.Message{Kind: model.KindResult, Name: c.tool, Error: c.failed}
		if got := model.Answered(m, c.text); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.tool, c.text, got, c.want)
		}
	}
}
