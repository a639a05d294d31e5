package toolconfig

import (
	"palimpsest/compaction"
	"palimpsest/model"
)

// tools is the table, by ID. Each rule was read in the source or the documents
// that Checked names.
var tools = []*Tool{{
	ID: "anthropic-api", Name: "Anthropic Messages API",
	Checked: "beta headers compact-2026-01-12 and context-management-2025-06-27, documents of October 2026",
	Notes: []string{"The text is a part of the request's body.",
		"It compacts no earlier than at 50,000 tokens and keeps nothing of the history word for word.",
		"To have tools of your choice left alone, add exclude_tools."},
	kind: jsonc{}, say: sayAnthropic, read: readAnthropic,
	base: func() model.Policy {
		return own(func(p *model.Policy) { p.Tail = model.Amount{N: 1, Unit: model.Messages} })
	},
}, {
	ID: "claude-code", Name: "Claude Code", File: "~/.claude/settings.json",
	Checked: "2.1.303, October 2026, and run with 2.1.330",
	Notes: []string{"It fires 33,000 tokens before the end of its window: 13,000 as a buffer and 20,000 for the summary.",
		"It keeps no tail, but reads files and instructions again after its summary.",
		"The variable CLAUDE_CODE_AUTO_COMPACT_WINDOW in the shell goes before the setting."},
	kind: jsonc{}, say: sayClaudeCode, read: readClaudeCode,
	base: lookAlike("like-claude-code", nil),
}, {
	ID: "codex", Name: "Codex", File: "~/.codex/config.toml",
	Checked: "openai/codex, configuration reference of October 2026, and run with 0.169.0",
	Notes: []string{"The limit only lowers the built-in 90 % of the window.",
		"It keeps no tail but the person's own messages, newest first, up to 20,000 tokens."},
	kind: tomlFile, say: sayCodex, read: readCodex,
	base: lookAlike("like-codex", nil),
}, {
	ID: "gemini-cli", Name: "Gemini CLI", File: "~/.gemini/settings.json",
	Checked: "google-gemini/gemini-cli 5411f11, August 2026, and run with 0.61.0",
	Notes: []string{"It keeps the last 30 % by characters; that can't be set.",
		"It cuts only before what a person typed: within one long turn nothing happens, however full the context is.",
		"It has no switch to turn compaction off; 1 is as late as it goes."},
	kind: jsonc{}, say: shareSetting("model.compressionThreshold", 1), read: readShare("model.compressionThreshold", 1, nil),
	base: lookAlike("like-gemini-cli", nil),
}, {
	ID: "goose", Name: "Goose", File: "~/.config/goose/config.yaml",
	Checked: "block/goose, August 2026",
	Notes: []string{"It keeps the last message that a person typed.",
		"The variable of the same name in the shell goes before the file."},
	kind: yamlFile, say: shareSetting("GOOSE_AUTO_COMPACT_THRESHOLD", 0), read: readShare("GOOSE_AUTO_COMPACT_THRESHOLD", .8, offOutside),
	base: lookAlike("like-goose", nil),
}, {
	ID: "kilo", Name: "Kilo Code", File: "~/.config/kilo/kilo.json",
	Checked: "Kilo-Org/kilocode 8941515, pull request 10218",
	Notes:   []string{"It fires at the share or where its reserve begins, whichever comes first.", opencodePrune},
	kind:    jsonc{}, say: sayKilo, read: readKilo,
	base: lookAlike("like-opencode", func(p *model.Policy) { p.Tail.N = 8000 }),
}, {
	ID: "langchain", Name: "LangChain and deepagents",
	Checked: "langchain 1.2, reference of October 2026",
	Notes: []string{"The text is Python: pass compaction_middleware(model) as middleware to create_agent.",
		"Its summariser reads only the last 4,000 tokens of what goes, unless trim_tokens_to_summarize is set.",
		"A result is cleared only when the context has that many tokens."},
	kind: langChain, say: sayLangChain, read: readLangChain,
	base: lookAlike("like-langchain", func(p *model.Policy) { p.Triggers = nil }),
}, {
	ID: "openai-api", Name: "OpenAI Responses API",
	Checked: "developers.openai.com, compaction guide of October 2026",
	Notes: []string{"The text is a part of the request's body.",
		"The compacted item is encrypted: what survives can't be known."},
	kind: jsonc{}, say: sayOpenAI, read: readOpenAI,
	base: func() model.Policy {
		return own(func(p *model.Policy) { p.Tail = model.Amount{N: 1, Unit: model.Messages} })
	},
}, {
	ID: "opencode", Name: "opencode 1", File: "~/.config/opencode/opencode.json",
	Checked: "packages/opencode/src/session/{overflow,compaction}.ts, August 2026, and run with 1.18.33",
	Notes: []string{"It fires when the input limit less the reserve is full: the reserve holds for one context window.",
		"Without an input limit of the model (limit.input) it ignores the reserve: it fires at the window less the longest answer.",
		opencodePrune},
	kind: jsonc{}, say: sayOpencode, read: readOpencode,
	base: lookAlike("like-opencode", func(p *model.Policy) { p.Tail.N = 8000 }),
}, {
	ID: "opencode2", Name: "opencode 2", File: "~/.config/opencode/opencode.json",
	Checked: "packages/core/src/config/compaction.ts, June 2026",
	Notes: []string{"It fires when the context window less the buffer is full: the buffer holds for one context window.",
		"Its summary has at most 4,096 tokens; that can't be set.", opencodePrune},
	kind: jsonc{}, say: sayOpencode2, read: readOpencode2,
	base: lookAlike("like-opencode", func(p *model.Policy) {
		p.Tail.N, p.Budget = 8000, model.Amount{N: 4096, Unit: model.Tokens}
	}),
}, {
	ID: "openhands", Name: "OpenHands", File: "config.toml",
	Checked: "OpenHands 156d068, November 2025, openhands/core/config/condenser_config.py",
	Notes: []string{"It counts events: a call and its result are two.",
		"After a firing half of max_size is left, the kept first events among them."},
	kind: tomlFile, say: sayOpenHands, read: readOpenHands,
	base: lookAlike("like-openhands", nil),
}, {
	ID: "vercel-ai", Name: "Vercel AI SDK",
	Checked: "ai 6.0.326, generate-text/prune-messages.ts, and run with it",
	Notes: []string{"The text is TypeScript: pass prepareStep to generateText or streamText.",
		"It writes no summary: old calls and results are taken out whole, texts stay.",
		"From the step that fires on every later one of the run is pruned, too: the SDK keeps its messages whole."},
	kind: vercelPrune, say: sayVercel, read: readVercel,
	base: func() model.Policy { return own(func(p *model.Policy) { p.Strategy = model.ClearOnly }) },
}}

const opencodePrune = "Its pruning protects the newest 40,000 tokens of tool output; the number can't be set."

// own is what a tool without a look-alike does that has no setting for it.
func own(change func(*model.Policy)) model.Policy {
	p := compaction.BasePolicy()
	p.Strategy = model.ModelText
	p.Batch, p.Budget = model.Amount{Unit: model.Messages}, model.Amount{Unit: model.Tokens}
	p.Tail = model.Amount{N: 1, Unit: model.Messages}
	change(&p)
	return p
}
