package cli

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"palimpsest/cli/shell"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish,powershell,man" name:"SHELL" help:"bash, zsh, fish, powershell, or man."`
}

func (c *completionCmd) Run(a *app) error {
	all, _, _ := grammarFor([]string{"--help"})
	k, err := kong.New(all, kong.Name("palimpsest"), kong.Description(description), kong.PostBuild(fillHelp))
	if err != nil {
		return err
	}
	return shell.Write(a.out, c.Shell, k.Model, BuiltFrom())
}

// examples are shown first on the page of a verb, by its name; "" is the page of all.
var examples = map[string][]string{
	"": {"session.jsonl", "inspect session.jsonl", "preview session.jsonl --trigger 80% --tail 20000tok",
		"compact session.jsonl -o shorter.jsonl", "restore R-0001 -o original.jsonl"},
	"inspect": {"inspect session.jsonl", "inspect -r ~/.claude/projects --json", "inspect - --json"},
	"preview": {"preview session.jsonl", "preview session.jsonl --trigger 80% --tail 20000tok", "preview -r sessions --preset careful"},
	"replay":  {"replay session.jsonl --trigger 70%", "replay session.jsonl --strategy ledger --recall", "replay session.jsonl --csv"},
	"history": {"history session.jsonl --at 120"},
	"sweep":   {"sweep session.jsonl", "sweep a.jsonl b.jsonl --x trigger=50..95/9 --y tail=2%,10%,20%"},
	"suggest": {"suggest session.jsonl"},
	"compact": {"compact session.jsonl -o shorter.jsonl", "compact - -o -", "compact session.jsonl --strategy model --dry-run"},
	"restore": {"restore R-0001 -o original.jsonl", "restore 1 -o -"},
	"reapply": {"reapply R-0007 session.jsonl -o shorter.jsonl"},
	"export": {"export R-0001 -f markdown -o summary.md", "export session.jsonl --redact -o shared.jsonl",
		"export -r sessions -f openai-chat -o out"},
	"records":     {"records", "records show R-0001", "records export -o records.json"},
	"presets":     {"presets", "presets balanced"},
	"use":         {"use balanced --in claude-code --context-window 200000"},
	"serve":       {"serve --upstream https://api.anthropic.com --mode ledger"},
	"find":        {"find 'file:main.go error' session.jsonl"},
	"metrics":     {"metrics"},
	"factors":     {"factors --set claude=1.25"},
	"formats":     {"formats"},
	"completion":  {"completion bash", "completion man"},
	"mcp":         {"mcp"},
	"live":        {"live"},
	"maps":        {"maps"},
	"screenshots": {"screenshots pictures session.jsonl"},

	"conversations": {"conversations", "conversations --record items.json --id talk"},
	"preferences":   {"preferences"},
	"hook":          {"hook install --in claude-code"},
}

// helpWithExamples prints a page of help, with examples before everything else.
func helpWithExamples(o kong.HelpOptions, call *kong.Context) error {
	verb := ""
	if n := call.Selected(); n != nil && n.Name != "window" {
		verb, _, _ = strings.Cut(strings.TrimPrefix(n.FullPath(), "palimpsest "), " ")
	}
	if list := examples[verb]; len(list) > 0 {
		fmt.Fprintln(call.Stdout, "Examples:")
		for _, e := range list {
			fmt.Fprintln(call.Stdout, "  palimpsest "+e)
		}
		fmt.Fprintln(call.Stdout)
	}
	return kong.DefaultHelpPrinter(o, call)
}
