// Package shell completes the words of a line in a shell, and writes the man page, from the
// grammar of the verbs.
package shell

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// scripts ask the program itself what a word may become: it is called with the words of
// the line, of which the last, unfinished one has a stop before it.
var scripts = map[string]string{
	"bash": `# palimpsest completion bash > /usr/share/bash-completion/completions/palimpsest
_palimpsest() {
	local IFS=$'\n' word=${COMP_WORDS[COMP_CWORD]}
	COMPREPLY=($(compgen -W "$(palimpsest completion words -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" ".$word" | cut -f1)" -- "$word"))
}
complete -o default -F _palimpsest palimpsest
`,
	"zsh": `#compdef palimpsest
# palimpsest completion zsh > a folder of $fpath, as _palimpsest
local -a list
list=(${(f)"$(palimpsest completion words -- "${(@)words[2,CURRENT-1]}" ".$words[CURRENT]")"})
list=("${list[@]//:/\\:}")
list=("${list[@]//$'\t'/:}")
(( $#list )) && _describe palimpsest list || _files
`,
	"fish": `# palimpsest completion fish > ~/.config/fish/completions/palimpsest.fish
function __palimpsest
	set -l words (commandline -opc)
	set -l list (palimpsest completion words -- $words[2..] .(commandline -ct))
	count $list >/dev/null; and printf '%s\n' $list; or __fish_complete_path (commandline -ct)
end
complete -c palimpsest -f -a '(__palimpsest)'
`,
	"powershell": `# palimpsest completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName palimpsest -ScriptBlock {
	param($word, $ast, $position)
	$before = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" } | Where-Object { $_ -ne $word })
	palimpsest completion words -- @before ".$word" | ForEach-Object {
		$name, $help = $_ -split "` + "`t" + `", 2
		[System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $(if ($help) { $help } else { $name }))
	}
}
`,
}

// Write writes the completion of a shell, or the man page; version is for that.
func Write(w io.Writer, form string, m *kong.Application, version string) error {
	text := scripts[form]
	if form == "man" {
		text = man(m, version)
	}
	_, err := io.WriteString(w, text)
	return err
}

// Complete lists what the last word of a line, which has a stop before it, may become: a
// verb, a flag, or a value where there are only some; each with a tab and what it is.
func Complete(m *kong.Application, words []string) (out []string) {
	node, word, flag := m.Node, "", (*kong.Flag)(nil)
	for i, w := range words {
		if i == len(words)-1 {
			word = strings.TrimPrefix(w, ".")
			break
		}
		flag = nil
		for _, f := range flags(node) {
			if w == "--"+f.Name || f.Short != 0 && w == "-"+string(f.Short) {
				flag = f
			}
		}
		if k := slices.IndexFunc(node.Children, func(c *kong.Node) bool { return c.Name == w }); k >= 0 {
			node = node.Children[k]
		}
	}
	add := func(name, help string) {
		if first, _, _ := strings.Cut(help, ". "); strings.HasPrefix(name, word) {
			out = append(out, strings.TrimRight(name+"\t"+strings.TrimSuffix(first, "."), "\t"))
		}
	}
	switch {
	case flag != nil && !flag.IsBool() && !flag.IsCounter():
		for value := range strings.SplitSeq(flag.Enum, ",") {
			if value != "" {
				add(value, "")
			}
		}
	case strings.HasPrefix(word, "-"):
		for _, f := range flags(node) {
			add("--"+f.Name, f.Help)
		}
	default:
		for _, c := range node.Children {
			if !c.Hidden {
				add(c.Name, c.Help)
			}
		}
	}
	return out
}

// flags lists the flags of a verb, with those that all verbs have.
func flags(n *kong.Node) (out []*kong.Flag) {
	for _, list := range n.AllFlags(true) {
		out = append(out, list...)
	}
	return out
}

// verbs lists what a person may type; a verb of a verb is there as "records show".
func verbs(n *kong.Node, prefix string, yield func(name string, n *kong.Node)) {
	for _, c := range n.Children {
		if !c.Hidden {
			name := strings.TrimSpace(prefix + " " + c.Name)
			yield(name, c)
			verbs(c, name, yield)
		}
	}
}

func man(m *kong.Application, version string) string {
	var b strings.Builder
	roff := strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`)
	line := func(text string) string {
		text = roff.Replace(strings.ReplaceAll(text, "\n", " "))
		if strings.HasPrefix(text, ".") {
			text = `\&` + text
		}
		return text
	}
	fmt.Fprintf(&b, ".TH PALIMPSEST 1 \"\" \"palimpsest %s\"\n.SH NAME\n"+
		"palimpsest \\- see, tune and undo the compaction of AI agents\\(aq histories\n"+
		".SH SYNOPSIS\n.B palimpsest\n[\\fIFILE\\fR|\\fIDIR\\fR ...]\n"+
		".br\n.B palimpsest\n\\fIVERB\\fR [\\fIARGUMENTS\\fR]\n.SH DESCRIPTION\n", version)
	for _, part := range strings.Split(m.Help, "\n\n") {
		fmt.Fprintf(&b, "%s\n.PP\n", line(part))
	}
	b.WriteString(".SH VERBS\n")
	verbs(m.Node, "", func(name string, n *kong.Node) {
		fmt.Fprintf(&b, ".SS %s\n%s\n", line(name), line(n.Help))
		for _, f := range flags(n) {
			short := ""
			if f.Short != 0 {
				short = fmt.Sprintf("\\fB\\-%c\\fR, ", f.Short)
			}
			fmt.Fprintf(&b, ".TP\n%s\\fB\\-\\-%s\\fR\n%s\n", short, line(f.Name), line(f.Help))
		}
	})
	b.WriteString(".SH EXIT STATUS\n0: done. 1: refused or failed, with the reason. 2: called wrongly.\n" +
		".SH ENVIRONMENT\n.TP\n.B PALIMPSEST_DB\nthe database, as \\-\\-db\n.TP\n.B NO_COLOR\nno colours\n")
	return b.String()
}
