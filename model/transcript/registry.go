package transcript

import (
	"slices"
	"sync"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/anthropic"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/coders"
	"palimpsest/model/transcript/internal/generic"
	"palimpsest/model/transcript/internal/google"
	"palimpsest/model/transcript/internal/histories"
	"palimpsest/model/transcript/internal/mapped"
	"palimpsest/model/transcript/internal/openai"
)

// formats in the order in which ties of recognition are decided: the more
// specific first. Those that are data come before the general ones of the table.
var formats = sync.OnceValue(func() []codec.Format {
	return slices.Concat(named, mapped.Shipped(), []codec.Format{anthropic.Messages{}, openai.Chat{}, generic.Format{}})
})

var named = []codec.Format{
	anthropic.ClaudeCode{}, openai.Codex{}, histories.AgentState{}, histories.StepHistory{}, histories.HistoryItems{}, histories.Steps{},
	coders.Pi{}, coders.OpenHands{}, coders.Copilot{}, google.ADK{},
	coders.OpenCode{}, openai.Responses{}, coders.SWEAgent{}, coders.MiniSWEAgent{}, coders.TauBench{}, openai.ShareGPT{},
	google.GeminiCLI{}, google.Gemini{}, anthropic.Cline{},
}

// Formats lists the formats that can be read and written.
func Formats() []codec.Info {
	out := make([]codec.Info, len(formats()))
	for i, f := range formats() {
		one := f.Info()
		one.Written = codec.Unwritten(f) == ""
		one.Proven = one.Proven || proven[one.Format]
		if where, ok := lies[one.Format]; ok {
			one.Places = where
		}
		if one.Places == nil {
			one.Places = []string{}
		}
		out[i] = one
	}
	return out
}

// Proven reports whether the live view of a document is what its tool would send, and nothing in
// the document says otherwise; see docs/formats.md.
func Proven(d *model.Document) bool {
	return !saysUnproven(d) && (proven[d.Format] || d.Codec.(codec.Format).Info().Proven)
}

func saysUnproven(d *model.Document) bool {
	return slices.ContainsFunc(d.Notes, func(n model.Note) bool { return n.Code == unproven })
}

// unproven is the code of the note that a live view is not what its tool would send.
const unproven = "live-unproven"

// noteUnproven says in the notes of a document that its live view is not proven, where it holds
// compactions: without any, all messages are live.
func noteUnproven(d *model.Document) {
	for _, c := range d.Conversations {
		if len(c.Main().Found) > 0 && !Proven(d) && !saysUnproven(d) {
			codec.Say(d, model.Note{Code: unproven,
				Reason: "it holds compactions, and which messages its tool would send after them is not proven for this format"})
			return
		}
	}
}

// proven are the formats that are not data and whose live view is what their tools would send:
// as their own code has it, as it is documented, or because the list is the request.
var proven = map[model.Format]bool{
	model.FormatClaudeCode: true, model.FormatCodex: true, model.FormatPi: true, model.FormatOpenHands: true, model.FormatCopilot: true,
	model.FormatOpenCode: true, model.FormatGeminiCLI: true, model.FormatCline: true, model.FormatADK: true,
	model.FormatOpenAI: true, model.FormatAnthropic: true, model.FormatResponses: true,
	model.FormatGemini: true, model.FormatSteps: true, model.FormatStepHistory: true, model.FormatAgentState: true,
	model.FormatHistoryItems: true, model.FormatMiniSWEAgent: true, model.FormatSWEAgent: true, model.FormatTauBench: true,
}

// lies is where the tools of formats that are not data keep their files, in the spelling of
// Linux.
var lies = map[model.Format][]string{
	model.FormatClaudeCode: {"~/.claude/projects/*/*.jsonl"},
	model.FormatCodex:      {"~/.codex/sessions/*/*/*/rollout-*.jsonl"},
	model.FormatPi:         {"~/.pi/agent/sessions/*/*.jsonl"},
	model.FormatCopilot:    {"~/.copilot/session-state/*/events.jsonl"},
	model.FormatOpenHands:  {"~/.openhands/conversations/*/events"},
	model.FormatOpenCode:   {"~/.local/share/opencode/opencode.db"},
	model.FormatGeminiCLI:  {"~/.gemini/tmp/*/chats"},
	model.FormatCline: {"~/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/*/api_conversation_history.json",
		"~/.cline/data/sessions"},
}
