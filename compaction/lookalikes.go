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
func LookAlikes() []LookAlike {
	return []LookAlike{
		lookAlike("claude-code", "Claude Code", "users' findings in issue #31806 of anthropics/claude-code; its change log", "2026-08-22",
			"Its threshold is not documented (about 83.5 % of the window). Before that it clears old tool results by a rule of its own. It keeps no tail, and reads files and instructions again after its summary.", func(p *model.Policy) {
				p.Triggers = []model.Clause{ShareClause(0.835)}
				p.Tail = model.Amount{N: 1, Unit: model.Messages}
			}),
		lookAlike("cline", "Cline", "cline/cline 21cb8d2, agentic strategy", "2026-08-22",
			"It counts 90 % of the input that the answer leaves room for, and aims at a share of it afterwards.", func(p *model.Policy) {
				p.Triggers = []model.Clause{ShareClause(0.9)}
				p.Tail = model.Amount{N: 20000, Unit: model.Tokens}
				p.Budget = model.Amount{N: 4096, Unit: model.Tokens}
			}),
		lookAlike("codex", "Codex", "openai/codex, read file by file, version not pinned", "2026-08-22",
			"It keeps no tail but the person's own messages, newest first, up to 20,000 tokens, and drops all others.", func(p *model.Policy) {
				p.Triggers = []model.Clause{ShareClause(0.9)}
				p.Tail = model.Amount{N: 1, Unit: model.Messages}
			}),
		lookAlike("gemini-cli", "Gemini CLI", "google-gemini/gemini-cli 5411f11, classic service", "2026-08-21",
			"It keeps the last 30 % by characters and cuts only at a person's message; the tail here is that of a window of 1,048,576 tokens. Old tool output over 50,000 tokens is cut to its last lines and saved to files.", func(p *model.Policy) {
				p.Triggers = []model.Clause{ShareClause(0.5)}
				p.Tail = model.Amount{N: 157286, Unit: model.Tokens} // 0.3 · 0.5 · 1,048,576
			}),
		lookAlike("goose", "Goose", "block/goose, read file by file, version not pinned", "2026-08-22",
			"It keeps the text of the last message that a person typed, and summarises old pairs of call and result one by one in the background.", func(p *model.Policy) {
				p.Triggers = []model.Clause{ShareClause(0.8)}
				p.Tail = model.Amount{N: 1, Unit: model.Turns}
			}),
		lookAlike("kimi-cli", "Kimi CLI", "MoonshotAI/kimi-cli 4a550ef", "2026-07-16",
			"It fires at 85 % of the window or 50,000 tokens before its end, whichever comes first: the second clause is that of 200,000 tokens. Only texts reach its summariser.", func(p *model.Policy) {
				p.Triggers = []model.Clause{ShareClause(0.85), TriggerAt(150000, model.Tokens)}
				p.Tail = model.Amount{N: 2, Unit: model.Steps}
			}),
		lookAlike("langchain", "LangChain", "langchain-ai/langchainjs 62fc484, summarisation middleware", "2026-08-05",
			"It has no trigger of its own: set one. It cuts what its summariser reads to 4,000 tokens, and takes the system message too.", func(p *model.Policy) {
				p.Tail = model.Amount{N: 20, Unit: model.Messages}
			}),
		lookAlike("opencode", "opencode", "sst/opencode, read file by file, version not pinned", "2026-08-22",
			"It fires when the input limit less a reserve of 20,000 tokens at most is full, and keeps turns worth a quarter of that, 2,000 to 15,000 tokens.", func(p *model.Policy) {
				p.Triggers = []model.Clause{TriggerAt(180000, model.Tokens)}
				p.Tail = model.Amount{N: 15000, Unit: model.Tokens}
			}),
		lookAlike("openhands", "OpenHands", "OpenHands/software-agent-sdk 611629e", "2026-08-22",
			"It counts events, of which a call and its result are two; it keeps the first two to four and the newest half.", func(p *model.Policy) {
				p.Triggers = []model.Clause{TriggerAt(81, model.Messages)} // more than 80
				p.Tail = model.Amount{N: 40, Unit: model.Messages}
				p.KeepFirstUser = true
			}),
		lookAlike("pi", "pi", "badlogic/pi-mono 83378aa", "2026-03-15",
			"It fires 16,384 tokens before the window's end, and gives the first part of a turn that it splits a summary of its own.", func(p *model.Policy) {
				p.Triggers = []model.Clause{TriggerAt(200000-16384+1, model.Tokens)} // more than that
				p.Tail = model.Amount{N: 20000, Unit: model.Tokens}
			}),
	}
}

func lookAlike(id, name, source, date, differs string, set func(*model.Policy)) LookAlike {
	title := name + " look-alike"
	return LookAlike{
		Preset: Preset{"like-" + id, title, "Published numbers of " + name + "; not the product. " + differs + " " + unasked, with(func(p *model.Policy) {
			p.Batch = model.Amount{Unit: model.Messages}
			p.Budget = model.Amount{N: 4000, Unit: model.Tokens}
			set(p)
		})},
		Engine: name, Source: source, Date: date, Differs: differs + " " + unasked,
	}
}
