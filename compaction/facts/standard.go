package facts

import (
	"strings"

	"palimpsest/model"
)

// Extractor names the rules by which facts are lifted, with their version. It grows with any
// change of what is lifted; figures fitted to one version do not hold for another.
const Extractor = "standard-3"

// Lift calls yield with each fact of a message, a repeated one possibly several times. Strings
// are parts of the message's texts: keep a copy.
func Lift(m *Message, yield func(Lifted)) {
	for i := range m.Parts {
		p := &m.Parts[i]
		switch p.Kind {
		case model.PartText:
			l := lifter{InText, m.Author, yield}
			l.text(p.Text)
		case model.PartReasoning:
			l := lifter{InReasoning, m.Author, yield}
			l.text(p.Text)
		case model.PartCall:
			l := lifter{InCall, m.Author, yield}
			l.call(p)
		case model.PartResult:
			l := lifter{InResult, Tool, yield}
			l.result(p)
		}
	}
}

// lifter lifts from one part.
type lifter struct {
	where  Where
	author Author
	yield  func(Lifted)
}

func (l *lifter) fact(k Kind, text string, also Where) {
	l.yield(Lifted{Fact: Fact{k, text}, Where: l.where | also})
}

// quoted yields a string that a text quotes.
func (l *lifter) quoted(q, in string) {
	l.yield(Lifted{Fact: Fact{Quoted, q}, Where: l.where, in: in, at: max(0, strings.Index(in, q))})
}

func (l *lifter) atoms(s string, also Where) {
	atoms(s, func(k Kind, t string, at int) {
		f := Lifted{Fact: Fact{k, t}, Where: l.where, in: s, at: at}
		if k == Path {
			f.Where |= also
		}
		l.yield(f)
	})
	Grouped(s, func(t string, _, _ int) {
		if wholePath(t) {
			l.fact(Path, t, also)
		}
	})
}

// text lifts from what somebody says.
func (l *lifter) text(s string) {
	l.plain(s, false)
	if l.author == Tool {
		return
	}
	quotedStrings(s, func(q string) {
		if !plainWord(q) { // a word in quotes stands everywhere
			l.quoted(q, s)
		}
	})
	Sentences(s, func(t string) {
		if q := strings.TrimRight(t, "?？"); l.author == User && l.where == InText {
			if instructs(t) {
				l.fact(Instruction, q, 0)
			}
		} else if decides(t) {
			l.fact(Decision, t, 0)
		}
	})
}

// result lifts from what a tool gave back: plain text, or JSON with its strings
// decoded.
func (l *lifter) result(p *model.Part) {
	s := p.Text
	if jsonLike(s) {
		jsonStrings(s, true, func(key, v string) { l.plain(v, p.Error && toldIn[key]) })
		return
	}
	l.plain(s, p.Error)
}

// toldIn are the fields in which a failed call reports what went wrong.
var toldIn = set("error message stderr output")

// jsonLike reports whether a text is one JSON object or array, by its ends.
func jsonLike(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) > 1 && (strings.HasPrefix(s, `{`) && strings.HasSuffix(s, "}") && strings.HasPrefix(strings.TrimSpace(s[1:]), `"`) ||
		strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && strings.IndexByte("{\"[", strings.TrimSpace(s[1:])[0]) >= 0)
}

// plain lifts what every text may hold: atoms, commands that are marked as such,
// error messages.
func (l *lifter) plain(s string, failed bool) {
	l.atoms(s, 0)
	l.spans(s)
	l.prompts(s)
	l.parameters(s)
	errorLines(s, failed, func(e string) { l.fact(Error, e, 0) })
}

// spans lifts the commands in code spans and fenced blocks.
func (l *lifter) spans(s string) {
	for i := 0; i < len(s); {
		at := strings.IndexByte(s[i:], '`')
		if at < 0 {
			return
		}
		i += at
		if strings.HasPrefix(s[i:], "```") {
			end := strings.Index(s[i+3:], "```")
			if end < 0 {
				return
			}
			l.fenced(s[i+3 : i+3+end])
			i += end + 6
			continue
		}
		end := strings.IndexByte(s[i+1:min(len(s), i+4*commandRunes)], '`')
		if end < 0 {
			i++
			continue
		}
		span := strings.TrimSpace(s[i+1 : i+1+end])
		switch {
		case strings.IndexByte(span, '\n') >= 0:
			i++ // a stray mark
			continue
		case spanCommand(span):
			simple(span, func(c string) { l.fact(Command, c, 0) })
		case l.author == User && strings.IndexByte(span, ' ') > 0 && quotable(span):
			if _, failed := errorIn(span); !failed {
				l.quoted(span, s)
			}
		}
		i += end + 2
	}
}

// fenced lifts the commands of a fenced block; of an agent they are what it runs.
func (l *lifter) fenced(block string) {
	lang, body, _ := strings.Cut(block, "\n")
	also := Where(0)
	if l.author == Agent && l.where == InText {
		also = Run
	}
	switch strings.TrimSpace(lang) {
	case "bash", "sh", "shell", "zsh", "console":
		commands(body, func(c string) { l.command(strings.TrimPrefix(c, "$ "), also) })
	case "":
		commands(body, func(c string) {
			if spanCommand(c) {
				l.command(c, also)
			}
		})
	}
}

// command lifts a command that is run, and the files it shows.
func (l *lifter) command(c string, also Where) {
	l.fact(Command, c, also)
	if also&Run != 0 && readsIn(c) {
		l.atoms(c, Read)
	}
}

// prompts lifts the commands that follow a shell prompt.
func (l *lifter) prompts(s string) {
	for i := 0; i < len(s); {
		at := strings.Index(s[i:], "$ ")
		if at < 0 {
			return
		}
		at += i
		begin := strings.LastIndexByte(s[max(0, at-80):at], '\n') + 1 + max(0, at-80)
		end := nextLine(s, at)
		before := strings.TrimSpace(s[begin:at])
		prompt := before == "" || strings.HasSuffix(before, "]") || strings.IndexByte(before, '@') > 0
		if prompt && (begin == 0 || s[begin-1] == '\n') {
			commands(strings.TrimSuffix(s[at+2:end], "\n"), func(c string) { l.fact(Command, c, 0) })
		}
		i = end
	}
}

// parameters lifts the commands of calls that an agent writes in its words, as
// <parameter=command>.
func (l *lifter) parameters(s string) {
	const tag = "<parameter=command>"
	for l.author == Agent {
		at := strings.Index(s, tag)
		if at < 0 {
			return
		}
		s = s[at+len(tag):]
		end := strings.Index(s, "</parameter>")
		if end < 0 {
			end = len(s)
		}
		commands(s[:end], func(c string) { l.command(c, Run) })
		s = s[end:]
	}
}

// call lifts from the name and the arguments of a call.
func (l *lifter) call(p *model.Part) {
	l.atoms(p.Name, 0)
	args := strings.TrimSpace(p.Text)
	if strings.HasPrefix(args, `"`) {
		args, _ = jsonString(args, 0)
		args = strings.TrimSpace(args)
	}
	if !strings.HasPrefix(args, "{") && !strings.HasPrefix(args, "[") {
		l.atoms(args, 0)
		if shellTool(p.Name) {
			commands(args, func(c string) { l.command(c, Run) })
		}
		return
	}
	verb := ""
	words := []string{} // of a command that is given as a list
	jsonStrings(args, false, func(key, v string) {
		also := Where(0)
		switch {
		case commandKeys[key] && strings.IndexByte(v, ' ') < 0 && !strings.HasPrefix(v, "./"):
			verb = v
			words = append(words, v)
		case commandKeys[key]:
			words = append(words, v)
		case pathKeys[key] && readsFile(p.Name, verb):
			also = Read
		}
		l.atoms(v, also)
	})
	if line := commandLine(words); line != "" {
		commands(line, func(c string) { l.command(c, Run) })
	}
}

// commandLine joins a command that is given as a list, and takes the shell off
// it: bash -lc "ls -l" is ls -l.
func commandLine(words []string) string {
	if len(words) > 2 && shells[words[0]] && strings.HasPrefix(words[1], "-") {
		return words[2]
	}
	return strings.Join(words, " ")
}

// shellTool reports whether the bare argument of a tool is a command.
func shellTool(name string) bool {
	switch strings.ToLower(name) {
	case "bash", "shell", "sh", "run", "terminal", "exec", "execute_bash", "run_command":
		return true
	}
	return false
}
