// Package toolconfig writes a policy as the configuration of another program
// that compacts, and reads such a configuration back into a policy.
//
//	policy ──say──▶ settings ──patch──▶ configuration file
//	   ▲                                        │
//	   └──────────────── read ◀─────────────────┘
//	   └─ compare: a parameter that comes back different is one the program can't do
//
// A configuration is patched, not rewritten: comments, order and everything else
// stay as they are. What a program can't do is found by reading back what was
// written and comparing parameter by parameter, so nothing is lost silently.
//
// The package is pure: it reads no file and no clock.
package toolconfig

import (
	"cmp"
	"slices"
	"strings"
)

// The events at which a record is begun, facts are given, and the record is finished. Claude Code, Codex and Qwen Code share their form.
var before, facts, after = HookEvent{"PreCompact", ""}, HookEvent{"SessionStart", "compact"}, HookEvent{"PostCompact", ""}

// Words that several programs ask in.
const (
	asksTitled   = "tasked with summarizing conversations"
	asksSnapshot = "component that summarizes internal chat history"
)

// otherSummaries are the words in which programs ask that the table does not have.
var otherSummaries = []string{
	"detailed summary of the conversation so far",                // Cline, Roo Code, Kilo Code
	"a detailed summary of our conversation above",               // Crush
	"to compact this conversation context according to",          // Kimi CLI
	"llm context limit was reached when a user was in a working", // Goose
	"You are maintaining a context-aware state summary",          // OpenHands
	"most relevant context from your conversation history",       // LangChain
	"Write a continuation summary that will allow you",           // the SDK of Anthropic
}

// tools is the table. Each rule was read in the source or the documents that Checked
// names, and the program itself took a written file and was started as start says.
var tools = []*Tool{{
	ID: "claude-code", Name: "Claude Code", Program: "claude", Folder: "~/.claude", start: startClaude,
	session: "X-Claude-Code-Session-Id", summary: []string{"detailed summary of the conversation so far", asksTitled,
		"detailed summary of the RECENT portion of the conversation", "detailed summary of this conversation. This summary"},
	servers: []place{{"~/.claude.json", "mcpServers"}, {"~/.claude/.claude.json", "mcpServers"}, {".mcp.json", "mcpServers"}},
	// Versions that don't know PostCompact may take no file that names it.
	Hooks: "~/.claude/settings.json", Events: []HookEvent{before, facts}, wait: 5,
	File:    "~/.claude/settings.json",
	Checked: "2.1.303, October 2026, and run with 2.1.330",
	Notes: []string{"It fires 33,000 tokens below the limit of its model: 13,000 as a buffer and 20,000 for the summary.",
		"It keeps no window, but reads files and instructions again after its summary.",
		"The variable CLAUDE_CODE_AUTO_COMPACT_WINDOW in the shell goes before the setting."},
	kind: jsonc{}, say: sayClaudeCode, read: readClaudeCode,
}, {
	ID: "codex", Name: "Codex", Program: "codex", Folder: "~/.codex", start: startCodex,
	session: "Thread-Id", summary: []string{"CONTEXT CHECKPOINT COMPACTION"},
	servers: []place{{"~/.codex/config.toml", "mcp_servers"}},
	Hooks:   "~/.codex/hooks.json", Events: []HookEvent{before, after, facts}, wait: 5,
	Then:    "Codex runs a hook only after it was reviewed: start Codex and allow it there.",
	File:    "~/.codex/config.toml",
	Checked: "openai/codex, configuration reference of October 2026, and run with 0.169.0",
	Notes: []string{"This limit only lowers the built-in 90 % of the model limit.",
		"It keeps no window but the person's own messages, newest first, up to 20,000 tokens."},
	kind: tomlFile{}, say: sayCodex, read: readCodex,
}, {
	ID: "gemini-cli", Name: "Gemini CLI", Program: "gemini", Folder: "~/.gemini", start: startGemini,
	summary: []string{"responsible for distilling chat history into a structured", asksSnapshot},
	servers: []place{{"~/.gemini/settings.json", "mcpServers"}},
	File:    "~/.gemini/settings.json",
	Checked: "google-gemini/gemini-cli 5411f11, August 2026, and run with 0.61.0",
	Notes: []string{"It keeps the last 30 % by characters; that can't be set.",
		"It cuts only before what a person typed: within one long turn nothing happens, however full the context is.",
		"It has no switch to turn compaction off; 1 is as late as it goes."},
	kind: jsonc{}, say: sayGemini, read: readGemini,
}, {
	ID: "opencode", Name: "opencode 1", Program: "opencode", Folder: "~/.local/share/opencode", start: startOpencode,
	session: "X-Session-Id", summary: []string{"a detailed prompt for continuing our conversation above", asksTitled,
		"a detailed summary for continuing our conversation above", "You are an anchored context summarization assistant",
		"new anchored summary from the conversation history", "Update the anchored summary below",
		"Construct a new summary that combines both"},
	servers: []place{{"~/.config/opencode/opencode.json", "mcp"}, {"opencode.json", "mcp"}},
	File:    "~/.config/opencode/opencode.json",
	Checked: "packages/opencode/src/session/{overflow,compaction}.ts, August 2026, and run with 1.18.33",
	Notes: []string{"It fires when the input limit less the reserve is full: the reserve holds for one model limit.",
		"Without an input limit of the model (limit.input) it ignores the reserve: it fires at the model limit less the longest answer.",
		"Its pruning protects the newest 40,000 tokens of tool output; the number can't be set."},
	kind: jsonc{}, say: sayOpencode, read: readOpencode,
}, {
	Name: "Qwen Code", Program: "qwen", Folder: "~/.qwen", start: startQwen,
	summary: []string{asksSnapshot},
	Hooks:   "~/.qwen/settings.json", Events: []HookEvent{before, facts, after}, wait: 5000,
	servers: []place{{"~/.qwen/settings.json", "mcpServers"}},
}, {
	Name: "pi", Program: "pi", Folder: "~/.pi/agent", start: startPi,
	summary: []string{"You are a context summarization assistant", "messages above are a conversation to summarize",
		"NEW conversation messages to incorporate into the existing"},
}, {
	Name: "Copilot CLI", Program: "copilot", Folder: "~/.copilot", start: startCopilot,
	summary: []string{"detailed summary of the entire conversation"},
	servers: []place{{"~/.copilot/mcp-config.json", "mcpServers"}},
}, {
	Name: "Cline CLI", Program: "cline", Folder: "~/.cline/data", start: startCline,
	summary: []string{"provided coding session into a concise continuation note"},
	servers: []place{{"~/.cline/data/settings/cline_mcp_settings.json", "mcpServers"}},
}}

// Key is the word by which a person names a tool.
func (t *Tool) Key() string { return cmp.Or(t.ID, t.Program) }

// Find returns the tool with an ID, or the name of its program, in any case; nil: there is
// none.
func Find(id string) *Tool {
	if i := slices.IndexFunc(tools, func(t *Tool) bool { return strings.EqualFold(t.ID, id) || strings.EqualFold(t.Program, id) }); i >= 0 {
		return tools[i]
	}
	return nil
}

// All lists all tools. It must not be written to.
func All() []*Tool { return tools }

// Tools lists those whose compaction can be configured.
func Tools() []*Tool {
	return slices.DeleteFunc(slices.Clone(tools), func(t *Tool) bool { return t.say == nil })
}

// AsksForSummary reports whether a request is a program's own compaction, by the words of its
// last message and of its system prompt.
func AsksForSummary(last, system string) bool {
	asks := func(words string) bool { return strings.Contains(last, words) || strings.Contains(system, words) }
	return slices.ContainsFunc(otherSummaries, asks) ||
		slices.ContainsFunc(tools, func(t *Tool) bool { return slices.ContainsFunc(t.summary, asks) })
}

// SessionOf is the number that a program gives its session in the header of its requests, by
// which its hooks name it; "": it says none.
func SessionOf(header func(name string) string) (number string) {
	for _, t := range tools {
		number = cmp.Or(number, header(t.session))
	}
	return number
}

// HookFiles lists the programs whose hooks are known, to call a command.
func HookFiles(command string) (list []HookFile) {
	for _, t := range tools {
		if t.Events != nil {
			list = append(list, t.HookFile(command))
		}
	}
	return list
}
