package toolconfig

// tools is the table, by ID. Each rule was read in the source or the documents
// that Checked names, and the program itself took a written file.
var tools = []*Tool{{
	ID: "claude-code", Name: "Claude Code", File: "~/.claude/settings.json",
	Checked: "2.1.303, October 2026, and run with 2.1.330",
	Notes: []string{"It fires 33,000 tokens below the limit of its model: 13,000 as a buffer and 20,000 for the summary.",
		"It keeps no window, but reads files and instructions again after its summary.",
		"The variable CLAUDE_CODE_AUTO_COMPACT_WINDOW in the shell goes before the setting."},
	kind: jsonc{}, say: sayClaudeCode, read: readClaudeCode,
}, {
	ID: "codex", Name: "Codex", File: "~/.codex/config.toml",
	Checked: "openai/codex, configuration reference of October 2026, and run with 0.169.0",
	Notes: []string{"This limit only lowers the built-in 90 % of the model limit.",
		"It keeps no window but the person's own messages, newest first, up to 20,000 tokens."},
	kind: tomlFile{}, say: sayCodex, read: readCodex,
}, {
	ID: "gemini-cli", Name: "Gemini CLI", File: "~/.gemini/settings.json",
	Checked: "google-gemini/gemini-cli 5411f11, August 2026, and run with 0.61.0",
	Notes: []string{"It keeps the last 30 % by characters; that can't be set.",
		"It cuts only before what a person typed: within one long turn nothing happens, however full the context is.",
		"It has no switch to turn compaction off; 1 is as late as it goes."},
	kind: jsonc{}, say: sayGemini, read: readGemini,
}, {
	ID: "opencode", Name: "opencode 1", File: "~/.config/opencode/opencode.json",
	Checked: "packages/opencode/src/session/{overflow,compaction}.ts, August 2026, and run with 1.18.33",
	Notes: []string{"It fires when the input limit less the reserve is full: the reserve holds for one model limit.",
		"Without an input limit of the model (limit.input) it ignores the reserve: it fires at the model limit less the longest answer.",
		"Its pruning protects the newest 40,000 tokens of tool output; the number can't be set."},
	kind: jsonc{}, say: sayOpencode, read: readOpencode,
}}
