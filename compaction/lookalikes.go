package compaction

import (
	"palimpsest/model"
)

// LookAlike is a preset after a well-known engine: its published numbers in this
// program's terms. It is not that engine, and says where it differs.
type LookAlike struct {
	Preset
	Engine  string // its name
	Source  string // where the numbers were read
	Date    string // of what was read; where no version is pinned, of the survey that read it
	Differs string // what the engine does and this preset does not
}

// unasked is a difference of every look-alike: their engines ask a model.
const unasked = "It asks a model for its summary; this preset makes one offline."

// LookAlikes lists them by title. Where an engine's number depends on the
// context window, it is that of 200,000 tokens if nothing else is said.
//
//revive:disable-next-line:function-length it is a table
func LookAlikes() []LookAlike {
	out := []LookAlike{
		{
			Preset: Preset{ID: "like-claude-code", Policy: published(nil, 1, model.Messages, ShareClause(0.835))},
			Engine: "Claude Code", Source: "users' findings in issue #31806 of anthropics/claude-code; its change log", Date: "2026-08-22",
			Differs: "Its threshold is not documented (about 83.5 % of the model limit). Before that it clears old tool results by a " +
				"rule of its own. It keeps no window, and reads files and instructions again after its summary.",
		},
		{
			Preset: Preset{ID: "like-cline", Policy: published(func(p *model.Policy) {
				p.Budget = model.Amount{N: 4096, Unit: model.Tokens}
			}, 20000, model.Tokens, ShareClause(0.9))},
			Engine: "Cline", Source: "cline/cline 21cb8d2, agentic strategy", Date: "2026-08-22",
			Differs: "It counts 90 % of the input that the answer leaves room for, and aims at a share of it afterwards.",
		},
		{
			Preset: Preset{ID: "like-codex", Policy: published(nil, 1, model.Messages, ShareClause(0.9))},
			Engine: "Codex", Source: "openai/codex, read file by file, version not pinned", Date: "2026-08-22",
			Differs: "It keeps no window but the person's own messages, newest first, up to 20,000 tokens, and drops all others.",
		},
		{
			Preset: Preset{ID: "like-gemini-cli", Policy: published(nil, 157286, model.Tokens, ShareClause(0.5))}, // 0.3 · 0.5 · 1,048,576
			Engine: "Gemini CLI", Source: "google-gemini/gemini-cli 5411f11, classic service", Date: "2026-08-21",
			Differs: "It keeps the last 30 % by characters and cuts only at a person's message; the window here is that of a model " +
				"limit of " +
				"1,048,576 tokens. Old tool output over 50,000 tokens is cut to its last lines and saved to files.",
		},
		{
			Preset: Preset{ID: "like-goose", Policy: published(nil, 1, model.Turns, ShareClause(0.8))},
			Engine: "Goose", Source: "block/goose, read file by file, version not pinned", Date: "2026-08-22",
			Differs: "It keeps the text of the last message that a person typed, and summarises old pairs of call and result one by " +
				"one in the background.",
		},
		{
			Preset: Preset{ID: "like-kimi-cli", Policy: published(nil, 2, model.Steps, ShareClause(0.85), TriggerAt(150000, model.Tokens))},
			Engine: "Kimi CLI", Source: "MoonshotAI/kimi-cli 4a550ef", Date: "2026-07-16",
			Differs: "It fires at 85 % of the window or 50,000 tokens before its end, whichever comes first: the second clause is that " +
				"of 200,000 tokens. Only texts reach its summariser.",
		},
		{
			Preset: Preset{ID: "like-langchain", Policy: published(nil, 20, model.Messages)},
			Engine: "LangChain", Source: "langchain-ai/langchainjs 62fc484, summarisation middleware", Date: "2026-08-05",
			Differs: "It has no threshold of its own: set one. It cuts what its summariser reads to 4,000 tokens, and takes the system " +
				"message too.",
		},
		{
			Preset: Preset{ID: "like-opencode", Policy: published(nil, 15000, model.Tokens, TriggerAt(180000, model.Tokens))},
			Engine: "opencode", Source: "sst/opencode, read file by file, version not pinned", Date: "2026-08-22",
			Differs: "It fires when the input limit less a reserve of 20,000 tokens at most is full, and keeps turns worth a quarter " +
				"of that, 2,000 to 15,000 tokens.",
		},
		{
			Preset: Preset{ID: "like-openhands", Policy: published(func(p *model.Policy) {
				p.KeepFirstUser = true
			}, 40, model.Messages, TriggerAt(81, model.Messages))}, // more than 80
			Engine: "OpenHands", Source: "OpenHands/software-agent-sdk 611629e", Date: "2026-08-22",
			Differs: "It counts events, of which a call and its result are two; it keeps the first two to four and the newest half.",
		},
		{
			// more than that
			Preset: Preset{ID: "like-pi", Policy: published(nil, 20000, model.Tokens, TriggerAt(200000-16384+1, model.Tokens))},
			Engine: "pi", Source: "badlogic/pi-mono 83378aa", Date: "2026-03-15",
			Differs: "It fires 16,384 tokens before the window's end, and gives the first part of a turn that it splits a summary of " +
				"its own.",
		},
	}
	for i := range out {
		l := &out[i]
		l.Differs += " " + unasked
		l.Title, l.About = l.Engine+" look-alike", "Published numbers of "+l.Engine+"; not the product. "+l.Differs
	}
	return out
}

// published is a policy of an engine's published numbers: its window and its clauses.
func published(also func(*model.Policy), window int, of model.Unit, clauses ...model.Clause) model.Policy {
	return with(func(p *model.Policy) {
		p.Tail, p.Triggers = model.Amount{N: window, Unit: of}, clauses
		p.Batch = model.Amount{Unit: model.Messages}
		p.Budget = model.Amount{N: 4000, Unit: model.Tokens}
		if also != nil {
			also(p)
		}
	})
}
