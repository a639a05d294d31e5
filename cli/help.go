package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"palimpsest/cli/shell"
	"palimpsest/model/program"
)

// helpTexts are the help texts that are too long for a tag, by the name under which the tag
// asks for them.
var helpTexts = map[string]string{
	"helpAll": "Show help with all flags.",
	"batchQueue": "Put the files into a queue in the database, which has to be on a server (--db postgres://…); palimpsest " +
		"work does them, on any number of machines. A strategy that asks a model needs --endpoint and --model, which all ask.",
	"workLimit":  "How long a file may take. What a worker that died had begun is given to another in 15 seconds.",
	"mcp":        "Serve an agent over the Model Context Protocol: it finds again what compactions took away.",
	"metrics":    sweepMetrics(),
	"completion": "Print what completes verbs and flags in a shell (bash, zsh, fish, powershell), or the man page (man).",
	"color":      "Colours: auto (on a terminal, unless NO_COLOR is set), always or never.",
	"findQuery": "What to find: words, \"exact words\", /regexp/, and role: tool: tokens> fate: is: has: file: in: message:, with - " +
		"before what must not be; see docs/find.md. Begin with -- where it begins with -.",
	"findIn": "Where: history (of the files), lost (what records took out: their originals), or summaries (of records).",
	"findIndex": "Bring the index of these files up to date first, as the window does in the background; later searches read " +
		"only what may hold a hit.",
	"policyFile": "Start from a built-in preset, one stored in the database, or a JSON file (default: balanced). " +
		"The other flags change it.",
	"run":     "Start an agent that asks its model through a gateway, with our tools and hooks; everything ends with it.",
	"runTool": "The agent: " + strings.Join(programs(), ", ") + ".",
	"serve":   "Pass an agent's calls on to its model's server, write the sessions down, and compact requests if you say how.",
	"serveMode": "What is done to requests: nothing (watch), old tool results are cleared (clear), " +
		"or older messages give way to a ledger of their facts (ledger) or to a summary by a model (model).",
	"serveDir":  "Folder for the transcripts; watch it in the window to see them grow. Default: gateway, beside the database.",
	"live":      "List the sessions that run, and steer what a gateway does with them. No agent is interrupted.",
	"hookTool":  "The tool: " + strings.Join(hookTools(), ", ") + ".",
	"hook":      "Work with a running agent's compactions: record what goes, and give the agent the facts of it afterwards.",
	"usePolicy": "Policy to use: a preset, a preset's file or a record (default: as --preset).",
	"useTool":   "The tool; without it the tools are listed.",
	"useWrite": "Change this file and keep the former one as PATH.before-palimpsest. Everything else in it stays as it " +
		"is. Without it the configuration is printed.",
	"pin":      "Messages that stay, by the numbers preview prints.",
	"database": "Database of records, presets and settings: a file, or postgres://… on a server. Default: " + defaultDBText + ".",
	"talks":    "List the recorded conversations of agents; conversation:ID opens one as a file.",
	"output": "Write the compacted transcript here; a folder for several files. Without it only the record is " +
		"written.",
	"native": "With -o: write the whole history, with the compaction behind it as the source's own tool writes one " +
		"(Claude Code, Codex), instead of a history without what went.",
	"writeBack": "Put the result in the place of what a recorded conversation (conversation:ID) holds; its originals " +
		"stay in the journal.",
	"format":      "same (the source's own), openai-chat, anthropic, markdown, html or json.",
	"keepDamaged": "Copy lines that could not be read into the compacted file, too; the tool that wrote them may stop at them.",
	"exportNative": "Of a record: the whole history, with the compaction behind it as the source's own tool writes one " +
		"(Claude Code, Codex).",
	"endpoint": "Server that speaks OpenAI's protocol, up to and with /v1, or a known one: ollama, llama.cpp, vllm, " +
		"lmstudio, openai. Default: as set in the window.",
	"model": "Model that makes the summary; means --strategy model (model+ledger asks it, too).",
	"modelWindow": "The summary model's limit in tokens, if its name does not say it; a longer range is sent in " +
		"parts.",
	"acceptFlaws": "Apply the model's answer even if it is cut off, refuses, or lost instructions; its flaws are " +
		"recorded.",
	"search": "Only those with the text in ID, session, path, agent, model, preset, hash or reason, or its words " +
		"in the summary, the key points or the originals.",
	"redact": "Take secrets, e-mail addresses and the names of home folders out of what is written, and list what " +
		"was found; ids stay.",
	"let": "With --redact: let a finding through, by its rule (email), by its stand-in in the list " +
		"(email-1), or by its text. Repeatable.",
	"also": "Besides secrets, addresses and home folders also withhold: phone (telephone numbers), address (of " +
		"private networks). In what is redacted, and in what a model is sent.",
	"dryRun": "Print what would happen, with every text that a model would be sent and what is withheld from it; " +
		"nothing is sent, stored or written.",
	"replaceSource": "With -o: let the output take the place of the transcript itself. The record, which is printed first, " +
		"has the original.",
	"repair": "Find what keeps sessions from being resumed, and mend it: beside the file, or in its place when asked.",
	"repairOnly": "Look for these rules alone, and make their mends, also those that are not made unasked. Repeatable; " +
		"docs/repair.md lists them.",
	"repairOutput": "Write the mended file here; a folder for several. Default: beside the file, as NAME.repaired.EXT.",
	"repairReplace": "Put the mended file in the place of its source. The record, which is printed, has the original; " +
		"palimpsest restore gives it back.",
	"showSent": "Keep the exact texts that the model was sent in the record (records show --sent).",
	"texts":    "Make the real summaries, offline: the default. No model is asked: extract's words take the place of a model's.",
	"recorded": "Show what the compactions that the file records kept of what the agent used afterwards, beside a ledger of the " +
		"same size and a ledger behind their summary. Of a folder a line for each of its files, and all of them together.",
	"probeRecorded": "Take only the places where the file was compacted with a summary that can be read, and compare that " +
		"summary, alone and with a note after it.",
	"recall": "Show what the agent needed after the firings, and whether it was still there. " +
		"Always with the real summaries.",
	"x": "First parameter: " + paramNames() + ". A range with the number of values, or values: threshold=50..95/9, " +
		"window=2%,10%,20%, strategy=extract,ledger, preset=balanced,careful. Default: threshold, over what the history reaches.",
	"metric": "What the table shows: " + sweepMetrics() + ". Default: recall or, where nothing was needed again, input.",
	"against": "What it is weighed against in the best trade-offs. Default: input for what is kept, recall for all " +
		"else: nothing is ranked by cost alone.",
	"expected": "Take summaries for their expected size also for recall, misses and survives: what only a summary " +
		"would hold then counts as gone, so that recall and survives are lower bounds.",
	"map": "Read JSON that no format claims: where its messages are and what a message's fields are called, as " +
		"messages=$.log,role=who,text=body (also name=, id=, time=; calls= for tool calls and answers= for " +
		"the call that a result belongs to). $ is the document, JSON Lines the array of their lines; .name " +
		"is a member, [0] an element, [*] every one. @NAME is a map that was saved in the window (palimpsest " +
		"maps).",
	"readAs": "Read the file as this format (see palimpsest formats) instead of recognising one; generic confirms " +
		"the guess that is made where no format fits.",
	"factor": "Estimate the tokens of a family of models with this factor, as claude=1.25; the window " +
		"keeps one for good. A file that reports usage has its own. Repeatable.",
}

// fillHelp puts the long texts where a tag names one. The parser's variables would take ten
// times as long as the start of a verb.
func fillHelp(k *kong.Kong) error {
	return kong.Visit(k.Model, func(v kong.Visitable, next kong.Next) error {
		var texts []*string
		switch v := v.(type) {
		case *kong.Flag:
			texts = []*string{&v.Help, &v.Enum}
		case *kong.Value:
			texts = []*string{&v.Help}
		case *kong.Node:
			texts = []*string{&v.Help}
		}
		for _, text := range texts {
			if name, named := strings.CutPrefix(*text, "${"); named {
				name, rest, _ := strings.Cut(name, "}")
				long, there := helpTexts[name]
				if !there {
					return fmt.Errorf("there is no text %s", *text)
				}
				*text = long + rest
			}
		}
		return next(nil)
	})
}

// examples are shown first on the page of a verb, by its name; "" is the page of all.
var examples = map[string][]string{
	"": {"session.jsonl", "inspect session.jsonl", "preview session.jsonl --threshold 80% --window 20000tok",
		"compact session.jsonl -o shorter.jsonl", "restore R-0001 -o original.jsonl"},
	"inspect": {"inspect session.jsonl", "inspect -r ~/.claude/projects", "inspect - --json"},
	"preview": {"preview session.jsonl", "preview session.jsonl --threshold 80% --window 20000tok", "preview -r sessions --preset careful"},
	"replay": {"replay session.jsonl --threshold 70%", "replay session.jsonl --preset balanced,careful --recall",
		"replay session.jsonl --csv"},
	"history": {"history session.jsonl --at 120"},
	"sweep":   {"sweep session.jsonl", "sweep a.jsonl b.jsonl --x threshold=50..95/9 --y window=2%,10%,20%"},
	"probe": {"probe session.jsonl --questions", "probe sessions --endpoint ollama --model qwen3 --presets balanced,careful --recorded",
		"probe session.jsonl --endpoint ollama --model qwen3 --dry-run"},
	"suggest": {"suggest session.jsonl", "suggest -r sessions --preset careful"},
	"compact": {"compact session.jsonl -o shorter.jsonl", "compact session.jsonl -o session.jsonl --replace-source", "compact - -o -",
		"compact session.jsonl --strategy model --dry-run"},
	"repair": {"repair session.jsonl --check", "repair session.jsonl", "repair session.jsonl --replace-source",
		"repair ~/.copilot/session-state --check"},
	"batch":   {"batch -r ~/.claude/projects --preset careful", "batch -r sessions --db postgres://… --queue --wait"},
	"work":    {"work --db postgres://…", "work --db postgres://… --status"},
	"restore": {"restore R-0001 -o original.jsonl", "restore 1 -o -"},
	"reapply": {"reapply R-0007 session.jsonl -o shorter.jsonl"},
	"export": {"export R-0001 -f markdown -o summary.md", "export session.jsonl --redact -o shared.jsonl",
		"export -r sessions -f openai-chat -o out"},
	"records": {"records", "records show R-0001", "records export -o records.json"},
	"presets": {"presets", "presets balanced"},
	"use":     {"use balanced --in claude-code --model-limit 200000"},
	"run":     {"run claude", "run --preset careful codex -- resume --last"},
	"doctor":  {"doctor"},
	"unwrap":  {"unwrap --dry-run"},
	"serve":   {"serve --upstream https://api.anthropic.com --mode ledger"},
	"find": {"find 'file:main.go error' session.jsonl", "find 'role:tool is:error \"no such file\"' ~/.claude/projects",
		"find 'database password' --in lost"},
	"metrics":    {"metrics"},
	"formats":    {"formats"},
	"completion": {"completion bash", "completion man"},
	"mcp":        {"mcp"},
	"live":       {"live"},
	"maps":       {"maps"},

	"conversations": {"conversations", "conversations --record items.json --id talk"},
	"hook":          {"hook install --in claude-code"},
}

// helpOptions say how a page of help looks.
var helpOptions = kong.HelpOptions{Compact: true, WrapUpperBound: 100, ValueFormatter: kong.DefaultHelpValueFormatter}

// helpWithExamples prints a page of help, with examples before everything else. Of a verb
// with many flags it has the commonest, each with its first sentence.
func helpWithExamples(o kong.HelpOptions, call *kong.Context) error {
	return helpPage(o, call, false)
}

func helpPage(o kong.HelpOptions, call *kong.Context, all bool) error {
	verb := ""
	n := call.Selected()
	if all && (n == nil || n.Name == "window") { // of no verb: the page of all
		page, err := kong.Trace(call.Kong, []string{"--help"})
		if err != nil {
			return err
		}
		call, n = page, nil
	}
	if n != nil && n.Name != "window" {
		verb, _, _ = strings.Cut(strings.TrimPrefix(n.FullPath(), "palimpsest "), " ")
	}
	if list := examples[verb]; len(list) > 0 {
		fmt.Fprintln(call.Stdout, "Examples:")
		for _, e := range list {
			fmt.Fprintln(call.Stdout, "  palimpsest "+e)
		}
		fmt.Fprintln(call.Stdout)
	}
	hidden := 0
	if verb != "" && !all {
		hidden = shorten(n)
	}
	err := kong.DefaultHelpPrinter(o, call)
	if hidden > 0 {
		fmt.Fprintf(call.Stdout, "\n%s, and more about these: palimpsest %s --help-all\n", plural(hidden, "more flag"), verb)
	}
	return err
}

// helpAllFlag prints the page of help with everything in it.
type helpAllFlag bool

// BeforeReset is called by kong when the flag is given.
func (helpAllFlag) BeforeReset(call *kong.Context) error {
	if err := helpPage(helpOptions, call, true); err != nil {
		return err
	}
	call.Kong.Exit(0)
	return nil
}

// mostFlags is how many flags a page of help has that is not asked for all.
const mostFlags = 12

// common are the flags that are wanted most often, the commonest first.
var common = strings.Fields(`help output upstream mode listen policy in write read preset threshold window strategy json recursive
	force queue presets questions model-limit conversation recall format x y against metric model if-triggered endpoint
	wait dry-run redact jobs quiet db`)

// shorten leaves the commonest flags of a verb on its page, with their first sentences, and
// returns how many it took away.
func shorten(n *kong.Node) (hidden int) {
	var flags []*kong.Flag
	for _, group := range n.AllFlags(true) {
		flags = append(flags, group...)
	}
	if len(flags) <= mostFlags {
		return 0
	}
	rank := func(f *kong.Flag) int {
		if i := slices.Index(common, f.Name); i >= 0 {
			return i
		}
		return len(common)
	}
	ranked := slices.Clone(flags)
	slices.SortStableFunc(ranked, func(f, g *kong.Flag) int { return rank(f) - rank(g) })
	for i, f := range ranked {
		if i >= mostFlags {
			f.Hidden = true
			hidden++
		} else if first, _, more := strings.Cut(f.Help, ". "); more {
			f.Help = first + "."
		}
	}
	return hidden
}

type completionCmd struct {
	Shell string   `arg:"" enum:"bash,zsh,fish,powershell,man,words" name:"SHELL" help:"bash, zsh, fish, powershell, or man."`
	Words []string `arg:"" optional:"" hidden:"" help:"Of a line, which the scripts ask about."`
}

func (c *completionCmd) Run(a *app) error {
	k, err := newParser(newGrammar())
	if err != nil {
		return err
	}
	if c.Shell != "words" {
		return shell.Write(a.out, c.Shell, k.Model, program.BuiltFrom())
	}
	for _, line := range shell.Complete(k.Model, c.Words) {
		fmt.Fprintln(a.out, line)
	}
	return nil
}
