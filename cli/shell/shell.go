// Package shell writes what a shell completes, and the man page, from the grammar of the
// verbs.
package shell

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// verb is one with its flags, as the shells take it.
type verb struct {
	name, help string
	flags      []flag
}

type flag struct {
	name, help string
	short      rune
	values     []string // there are only these; nil: any
	bare       bool     // takes none
}

// verbs lists what a person may type; of verbs with verbs of their own each is "records show".
func verbs(n *kong.Node, prefix string) (out []verb) {
	for _, c := range n.Children {
		if c.Hidden {
			continue
		}
		v := verb{name: strings.TrimSpace(prefix + " " + c.Name), help: c.Help}
		for _, list := range c.AllFlags(true) {
			for _, f := range list {
				one := flag{name: f.Name, help: f.Help, short: f.Short, bare: f.IsBool() || f.IsCounter()}
				for _, value := range strings.Split(f.Enum, ",") {
					if value != "" {
						one.values = append(one.values, value)
					}
				}
				v.flags = append(v.flags, one)
			}
		}
		out = append(out, v)
		out = append(out, verbs(c, v.name)...)
	}
	return out
}

// Forms are what Write writes.
var Forms = []string{"bash", "zsh", "fish", "powershell", "man"}

// Write writes the completion of a shell, or the man page; version is for that.
func Write(w io.Writer, form string, m *kong.Application, version string) error {
	list := verbs(m.Node, "")
	var b strings.Builder
	switch form {
	case "bash":
		bash(&b, list)
	case "zsh":
		zsh(&b, list)
	case "fish":
		fish(&b, list)
	case "powershell":
		powershell(&b, list)
	case "man":
		man(&b, list, m.Help, version)
	default:
		return fmt.Errorf("%q is no shell; there are %s", form, strings.Join(Forms, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// tops are the verbs without those below others.
func tops(list []verb) (out []verb) {
	for _, v := range list {
		if !strings.Contains(v.name, " ") {
			out = append(out, v)
		}
	}
	return out
}

// words are the flags of a verb as they are typed.
func (v *verb) words() string {
	var out []string
	for _, f := range v.flags {
		out = append(out, "--"+f.name)
	}
	return strings.Join(out, " ")
}

func bash(b *strings.Builder, list []verb) {
	b.WriteString("# palimpsest completion bash > /usr/share/bash-completion/completions/palimpsest\n" +
		"_palimpsest() {\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb= w\n" +
		"\tfor w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do [[ $w == -* ]] || { verb=$w; break; }; done\n" +
		"\tcase \"$verb $prev\" in\n")
	for _, v := range tops(list) {
		for _, f := range v.flags {
			if len(f.values) > 0 {
				fmt.Fprintf(b, "\t'%s --%s') COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n",
					v.name, f.name, strings.Join(f.values, " "))
			}
		}
	}
	b.WriteString("\tesac\n\tcase $verb in\n" +
		"\t'') [[ $cur == -* ]] && COMPREPLY=($(compgen -W '--help --version --db --color' -- \"$cur\")) ||\n" +
		"\t\tCOMPREPLY=($(compgen -W '")
	for _, v := range tops(list) {
		b.WriteString(v.name + " ")
	}
	b.WriteString("' -- \"$cur\")) ;;\n")
	for _, v := range tops(list) {
		fmt.Fprintf(b, "\t%s) [[ $cur != -* ]] || COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n", v.name, v.words())
	}
	b.WriteString("\tesac\n}\ncomplete -o default -F _palimpsest palimpsest\n")
}

// quoted is a help text in single quotes, one sentence of it.
func quoted(text, quote string) string {
	first, _, _ := strings.Cut(text, ". ")
	return strings.ReplaceAll(strings.TrimSuffix(first, "."), "'", quote)
}

func zsh(b *strings.Builder, list []verb) {
	spec := strings.NewReplacer("[", "(", "]", ")", ":", "\\:")
	b.WriteString("#compdef palimpsest\n# palimpsest completion zsh > a folder of $fpath, as _palimpsest\n" +
		"local -a verbs\nverbs=(\n")
	for _, v := range tops(list) {
		fmt.Fprintf(b, "\t'%s:%s'\n", v.name, spec.Replace(quoted(v.help, "’")))
	}
	b.WriteString(")\nif (( CURRENT == 2 )); then\n\t_describe verb verbs\n\t_files\n\treturn\nfi\ncase $words[2] in\n")
	for _, v := range tops(list) {
		fmt.Fprintf(b, "%s)\n\t_arguments '*:file:_files'", v.name)
		for _, f := range v.flags {
			fmt.Fprintf(b, " \\\n\t\t'--%s[%s]", f.name, spec.Replace(quoted(f.help, "’")))
			switch {
			case len(f.values) > 0:
				fmt.Fprintf(b, ":value:(%s)", strings.Join(f.values, " "))
			case !f.bare:
				b.WriteString(":value:_files")
			}
			b.WriteString("'")
		}
		b.WriteString(" ;;\n")
	}
	b.WriteString("esac\n")
}

func fish(b *strings.Builder, list []verb) {
	b.WriteString("# palimpsest completion fish > ~/.config/fish/completions/palimpsest.fish\n")
	for _, v := range tops(list) {
		fmt.Fprintf(b, "complete -c palimpsest -n __fish_use_subcommand -a %s -d '%s'\n", v.name, quoted(v.help, "\\'"))
		for _, f := range v.flags {
			fmt.Fprintf(b, "complete -c palimpsest -n '__fish_seen_subcommand_from %s' -l %s", v.name, f.name)
			if f.short != 0 {
				fmt.Fprintf(b, " -s %c", f.short)
			}
			switch {
			case len(f.values) > 0: // and no file
				fmt.Fprintf(b, " -x -a '%s'", strings.Join(f.values, " "))
			case !f.bare:
				b.WriteString(" -r")
			}
			fmt.Fprintf(b, " -d '%s'\n", quoted(f.help, "\\'"))
		}
	}
}

func powershell(b *strings.Builder, list []verb) {
	b.WriteString("# palimpsest completion powershell | Out-String | Invoke-Expression\n" +
		"Register-ArgumentCompleter -Native -CommandName palimpsest -ScriptBlock {\n" +
		"\tparam($word, $ast, $position)\n\t$words = @{\n\t\t'' = '")
	for i, v := range tops(list) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(v.name)
	}
	b.WriteString("'\n")
	for _, v := range tops(list) {
		fmt.Fprintf(b, "\t\t'%s' = '%s'\n", v.name, v.words())
	}
	b.WriteString("\t}\n\t$verb = \"$($ast.CommandElements[1])\"\n\tif (-not $words.ContainsKey($verb)) { $verb = '' }\n" +
		"\t$words[$verb] -split ' ' | Where-Object { $_ -like \"$word*\" } | ForEach-Object {\n" +
		"\t\t[System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)\n\t}\n}\n")
}

func man(b *strings.Builder, list []verb, about, version string) {
	roff := strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`)
	line := func(text string) string {
		text = roff.Replace(strings.ReplaceAll(text, "\n", " "))
		if strings.HasPrefix(text, ".") {
			text = `\&` + text
		}
		return text
	}
	fmt.Fprintf(b, ".TH PALIMPSEST 1 \"\" \"palimpsest %s\"\n.SH NAME\n"+
		"palimpsest \\- see, tune and undo the compaction of AI agents\\(aq histories\n"+
		".SH SYNOPSIS\n.B palimpsest\n[\\fIFILE\\fR|\\fIDIR\\fR ...]\n"+
		".br\n.B palimpsest\n\\fIVERB\\fR [\\fIARGUMENTS\\fR]\n.SH DESCRIPTION\n", version)
	for _, part := range strings.Split(about, "\n\n") {
		fmt.Fprintf(b, "%s\n.PP\n", line(part))
	}
	b.WriteString(".SH VERBS\n")
	for _, v := range list {
		fmt.Fprintf(b, ".SS %s\n%s\n", line(v.name), line(v.help))
		for _, f := range v.flags {
			short := ""
			if f.short != 0 {
				short = fmt.Sprintf("\\fB\\-%c\\fR, ", f.short)
			}
			fmt.Fprintf(b, ".TP\n%s\\fB\\-\\-%s\\fR\n%s\n", short, line(f.name), line(f.help))
		}
	}
	b.WriteString(".SH EXIT STATUS\n0: done. 1: refused or failed, with the reason. 2: called wrongly.\n" +
		".SH ENVIRONMENT\n.TP\n.B PALIMPSEST_DB\nthe database, as \\-\\-db\n.TP\n.B NO_COLOR\nno colours\n")
}
