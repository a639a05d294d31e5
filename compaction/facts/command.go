package facts

import (
	"strings"
	"unicode/utf8"
)

const commandRunes = 200 // code points of the longest command

// commands splits a shell text into simple commands and hands each to yield: cut
// at line ends, && || ; and &, of a pipeline the first, redirections at its end
// taken off, comments and the content of here-documents passed over. Quotes are
// respected.
func commands(s string, yield func(string)) {
	start, piped := 0, false // piped: inside the rest of a pipeline
	quote := byte(0)
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '\\' && quote != '\'':
			i += 2
			continue
		case quote != 0:
			if c == quote {
				quote = 0
			}
			i++
			continue
		case c == '\'' || c == '"' || c == '`':
			quote = c
		}
		next := separator(s, i)
		if next == i {
			i++
			continue
		}
		if !piped {
			simple(s[start:i], yield)
		}
		piped = c == '|' && next == i+1
		start, i = next, next
	}
	if start < len(s) && !piped {
		simple(s[start:], yield)
	}
}

// separator is where the text goes on behind what parts two commands at i: an
// operator, a line end, a comment or a here-document; i when there is none.
func separator(s string, i int) int {
	next := byte(0)
	if i+1 < len(s) {
		next = s[i+1]
	}
	switch c := s[i]; c {
	case '\n', ';':
		return i + 1
	case '#':
		if i == 0 || s[i-1] == '\n' || s[i-1] == ' ' {
			return nextLine(s, i)
		}
	case '|':
		if next == '|' {
			return i + 2
		}
		return i + 1
	case '&':
		if next == '&' {
			return i + 2
		}
		if i > 0 && s[i-1] == ' ' && next != '>' {
			return i + 1
		}
	case '<':
		if next == '<' && !strings.HasPrefix(s[i:], "<<<") {
			return hereEnd(s, i)
		}
	}
	return i
}

func nextLine(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(s)
}

// hereEnd is the end of the here-document that is announced at i.
func hereEnd(s string, i int) int {
	end := strings.TrimLeft(s[i+2:nextLine(s, i)], "-~ ")
	n := 0
	for n < len(end) && (word(end[n]) || end[n] == '\'' || end[n] == '"') {
		n++
	}
	end = strings.Trim(end[:n], "'\"")
	for j := nextLine(s, i); j < len(s); {
		next := nextLine(s, j)
		if end != "" && strings.TrimSpace(s[j:next]) == end {
			return next
		}
		j = next
	}
	return len(s)
}

// simple cleans one simple command and hands it to yield, unless it says
// nothing: a single word, a change of folder, an echo.
func simple(c string, yield func(string)) {
	c = strings.TrimSpace(c)
	if at := strings.IndexByte(c, '\n'); at >= 0 { // a quoted text of several lines
		c = strings.TrimSpace(c[:at])
	}
	if len(c) > 8*commandRunes {
		return
	}
	c = strings.TrimRight(strings.TrimLeft(withoutRedirections(c), "({!$ "), " ")
	if n := len(c) - 1; n > 0 && (c[n] == '"' || c[n] == '\'') && strings.Count(c, c[n:])%2 == 1 {
		return // the program in quotes that begins here is on other lines
	}
	first, rest, _ := strings.Cut(c, " ")
	switch {
	case rest == "" && !strings.HasPrefix(first, "./") || dullCommands[first]:
	case !utf8.ValidString(c) || utf8.RuneCountInString(c) > commandRunes:
	case strings.IndexByte(first, '=') > 0 || !isLetter(first[0]) && strings.IndexByte("./~_\"", first[0]) < 0:
	default:
		yield(c)
	}
}

// withoutRedirections takes redirections off the end of a command.
func withoutRedirections(c string) string {
	for {
		cut := strings.TrimRight(c, " ")
		for _, r := range redirections {
			at := strings.LastIndex(cut, r)
			if at > 0 && strings.Count(cut[at+1:], " ") <= 1 && !strings.ContainsAny(cut[at:], "\"'") {
				cut = strings.TrimRight(cut[:at], " ")
			}
		}
		if cut == c {
			return c
		}
		c = cut
	}
}

// spanCommand reports whether a span of code in a text is a command.
func spanCommand(span string) bool {
	first, rest, _ := strings.Cut(span, " ")
	return rest != "" && (programs[first] || strings.HasPrefix(first, "./")) && strings.IndexByte(span, '\n') < 0
}

// readsFile reports whether a call reads files, by the tool's name, or by the verb of
// an editor that does several things.
func readsFile(tool, verb string) bool {
	return readers[strings.ToLower(tool)] || verb == "view" || verb == "read" || verb == "cat"
}

// readsIn reports whether a simple command shows files.
func readsIn(command string) bool {
	first, rest, _ := strings.Cut(command, " ")
	return readers[first] && (first != "sed" || strings.HasPrefix(rest, "-n"))
}
