package facts

import (
	"strings"
	"unicode/utf8"
)

const commandRunes = 200 // code points of the longest command

// commands splits a shell text into simple commands and hands each to yield: cut
// at line ends, && || ; and &, of a pipeline the first, redirections at its end
// taken off, the content of here-documents passed over. Quotes are respected.
func commands(s string, yield func(string)) {
	start, skip := 0, false // skip: inside the rest of a pipeline
	emit := func(end int) {
		if !skip {
			if c, ok := simple(s[start:end]); ok {
				yield(c)
			}
		}
	}
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '#' && (i == 0 || s[i-1] == '\n' || s[i-1] == ' '):
			emit(i)
			if i = nextLine(s, i); i == len(s) {
				return
			}
			start, skip = i, false
			i--
		case c == '\n' || c == ';':
			emit(i)
			start, skip = i+1, false
		case c == '&' && i+1 < len(s) && s[i+1] == '&', c == '|' && i+1 < len(s) && s[i+1] == '|':
			emit(i)
			i++
			start, skip = i+1, false
		case c == '&' && i > 0 && s[i-1] == ' ' && (i+1 == len(s) || s[i+1] != '>'):
			emit(i)
			start, skip = i+1, false
		case c == '|':
			emit(i)
			start, skip = i+1, true
		case c == '<' && strings.HasPrefix(s[i:], "<<") && !strings.HasPrefix(s[i:], "<<<"):
			emit(i)
			i = hereEnd(s, i)
			start, skip = i, false
			i--
		}
	}
	if start < len(s) {
		emit(len(s))
	}
}

func nextLine(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(s)
}

// hereEnd is the end of the here-document that is announced at i.
func hereEnd(s string, i int) int {
	word := strings.TrimLeft(s[i+2:nextLine(s, i)], "-~ ")
	word = strings.Trim(word[:len(word)-len(strings.TrimLeft(word, "'\"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"))], "'\"")
	for j := nextLine(s, i); j < len(s); {
		next := nextLine(s, j)
		if word != "" && strings.TrimSpace(s[j:next]) == word {
			return next
		}
		j = next
	}
	return len(s)
}

// simple cleans one simple command; ok is false for what tells nothing: a single
// word, a change of folder, an echo.
func simple(c string) (string, bool) {
	c = strings.TrimSpace(c)
	if at := strings.IndexByte(c, '\n'); at >= 0 { // a quoted text of several lines
		c = strings.TrimSpace(c[:at])
	}
	if len(c) > 8*commandRunes {
		return "", false
	}
	for {
		cut := strings.TrimRight(c, " ")
		for _, r := range redirections {
			if at := strings.LastIndex(cut, r); at > 0 && strings.Count(cut[at+1:], " ") <= 1 && !strings.ContainsAny(cut[at:], "\"'") {
				cut = strings.TrimRight(cut[:at], " ")
			}
		}
		if cut == c {
			break
		}
		c = cut
	}
	c = strings.TrimRight(strings.TrimLeft(c, "({!$ "), " ")
	if n := len(c) - 1; n > 0 && (c[n] == '"' || c[n] == '\'') && strings.Count(c, c[n:])%2 == 1 {
		return "", false // the program in quotes that begins here is on other lines
	}
	first, rest, _ := strings.Cut(c, " ")
	if rest == "" && !strings.HasPrefix(first, "./") || dullCommands[first] || !utf8.ValidString(c) || utf8.RuneCountInString(c) > commandRunes {
		return "", false
	}
	if strings.IndexByte(first, '=') > 0 || !isLetter(first[0]) && strings.IndexByte("./~_\"", first[0]) < 0 {
		return "", false
	}
	return c, true
}

var (
	redirections = []string{" 2>&1", " 2>/dev/null", " >/dev/null", " > /dev/null", " 2> /dev/null", " >>", " >", " &>"}
	dullCommands = set("cd echo true false exit export set unset printf sleep then else fi do done if while for return pwd source local read : [ [[ test")
	programs     = set(`go git npm npx pnpm yarn bun deno node pip pip3 python python3 pytest poetry uv ruff mypy black tox make cmake ninja cargo rustc
		rustup docker docker-compose podman kubectl helm terraform ansible aws gcloud az gh hub curl wget ssh scp rsync tar unzip cat ls cp mv rm mkdir
		grep rg find sed awk head tail less wc sort diff chmod chown ps kill systemctl journalctl apt apt-get brew conda mamba java javac mvn gradle
		dotnet swift ruby bundle rake gem rails php composer psql mysql sqlite3 redis-cli mongosh ffmpeg jq tsc eslint prettier vitest jest gofmt
		golangci-lint staticcheck sudo bash sh zsh nl mise just workmux bd vim nvim tmux env xargs tee touch ln`)
	shells = set("bash sh zsh fish /bin/bash /bin/sh /usr/bin/bash /usr/bin/env pwsh powershell cmd cmd.exe")
)

// spanCommand reports whether a span of code in a text is a command.
func spanCommand(span string) bool {
	first, rest, _ := strings.Cut(span, " ")
	return rest != "" && (programs[first] || strings.HasPrefix(first, "./")) && strings.IndexByte(span, '\n') < 0
}

// readers are programs and tools that show a file.
var readers = set(`cat head tail less more nl bat sed view view_file read read_file readfile open_file read_many_files notebookread get_file_contents
	read_text_file fileread file_read`)

// readsFile tells a call that reads files by the tool's name, or by the verb of
// an editor that does several things.
func readsFile(tool, verb string) bool {
	return readers[strings.ToLower(tool)] || verb == "view" || verb == "read" || verb == "cat"
}

// readsIn tells a simple command that shows files.
func readsIn(command string) bool {
	first, rest, _ := strings.Cut(command, " ")
	return readers[first] && (first != "sed" || strings.HasPrefix(rest, "-n"))
}
