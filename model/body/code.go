package body

import (
	"embed"
	"path"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
)

// The lexers are chroma's, as its files; see lexers/LICENSE. Its own package of
// them would read 270 files at every start of the program.
//
//go:embed lexers
var lexerFiles embed.FS

// lexers are read when the first code is coloured.
var lexers = sync.OnceValue(func() *chroma.LexerRegistry {
	reg := chroma.NewLexerRegistry()
	reg.Register(chroma.MustNewLexer(&chroma.Config{Name: "Go", Aliases: []string{"go", "golang"}, Filenames: []string{"*.go"}}, goRules))
	list, _ := lexerFiles.ReadDir("lexers")
	for _, f := range list {
		if !strings.HasSuffix(f.Name(), ".xml") {
			continue
		}
		if l, err := chroma.NewXMLLexer(lexerFiles, "lexers/"+f.Name()); err == nil {
			reg.Register(l)
		}
	}
	return reg
})

// goRules are the rules of Go, for which chroma has no file.
func goRules() chroma.Rules {
	group := chroma.ByGroups
	return chroma.Rules{"root": {
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: `//[^\n]*`, Type: chroma.CommentSingle},
		{Pattern: `/\*(.|\n)*?\*/`, Type: chroma.CommentMultiline},
		{Pattern: chroma.Words(``, `\b`, `break`, `case`, `chan`, `const`, `continue`, `default`, `defer`, `else`, `fallthrough`, `for`,
			`func`, `go`, `goto`, `if`, `import`, `interface`, `map`, `package`, `range`, `return`, `select`, `struct`, `switch`,
			`type`, `var`), Type: chroma.Keyword},
		{Pattern: `(true|false|iota|nil)\b`, Type: chroma.KeywordConstant},
		{Pattern: chroma.Words(``, `\b`, `any`, `bool`, `byte`, `comparable`, `complex64`, `complex128`, `error`, `float32`, `float64`,
			`int`, `int8`, `int16`, `int32`, `int64`, `rune`, `string`, `uint`, `uint8`, `uint16`, `uint32`, `uint64`, `uintptr`),
			Type: chroma.KeywordType},
		{Pattern: `0[xXbBoO][0-9a-fA-F_]+|(\d[\d_]*(\.[\d_]*)?|\.\d[\d_]*)([eE][+-]?\d+)?i?`, Type: chroma.LiteralNumber},
		{Pattern: `'(\\.[^']*|[^\\'])'`, Type: chroma.LiteralStringChar},
		{Pattern: "`[^`]*`", Type: chroma.LiteralString},
		{Pattern: `"(\\.|[^"\\\n])*"`, Type: chroma.LiteralString},
		{Pattern: `([a-zA-Z_]\w*)(\s*)(\()`, Type: group(chroma.NameFunction, chroma.Text, chroma.Punctuation)},
		{Pattern: `[^\W\d]\w*`, Type: chroma.Name},
		{Pattern: `.`, Type: chroma.Punctuation},
	}}
}

// lexerOf finds the language by its name or by the name of a file.
func lexerOf(lang string) chroma.Lexer {
	lang = strings.ToLower(strings.Trim(lang, "{}. "))
	if lang == "" {
		return nil
	}
	if alias, ok := map[string]string{"tsx": "typescript", "shell": "bash", "console": "bash", "jsonc": "json", "json5": "json",
		"jsonl": "json", "golang": "go", "mjs": "javascript", "cjs": "javascript"}[strings.TrimPrefix(path.Ext("."+lang), ".")]; ok {
		lang = alias
	}
	if l := lexers().Get(lang); l != nil {
		return l
	}
	return lexers().Match(path.Base(strings.ReplaceAll(lang, `\`, "/")))
}

// highlight gives code its colours; lang is the name of a language or of a file.
// Code in a language that isn't known, or too large, has none.
func highlight(code, lang string) (spans []Span) {
	if len(code) > colourLimit || !utf8.ValidString(code) || strings.ContainsRune(code, '\r') {
		return nil
	}
	l := lexerOf(lang)
	if l == nil {
		return nil
	}
	defer func() {
		if recover() != nil { // a rule of a language that fails costs the colours, not the text
			spans = nil
		}
	}()
	it, err := l.Tokenise(&chroma.TokeniseOptions{State: "root"}, code)
	if err != nil {
		return nil
	}
	at := 0
	for t := it(); t != chroma.EOF; t = it() {
		end := at + len(t.Value)
		if end > len(code) || code[at:end] != t.Value {
			if strings.TrimSpace(t.Value) == "" {
				break // a line feed that it adds at the end
			}
			return nil
		}
		if st := styleOf(t.Type); st != (Style{}) && strings.TrimSpace(t.Value) != "" {
			if n := len(spans); n > 0 && spans[n-1].To == at && spans[n-1].Style == st {
				spans[n-1].To = end
			} else {
				spans = append(spans, Span{From: at, To: end, Style: st})
			}
		}
		at = end
	}
	return spans
}

func styleOf(t chroma.TokenType) Style {
	switch {
	case t.InCategory(chroma.Comment):
		return Style{Ink: InkComment, Italic: true}
	case t == chroma.KeywordType, t == chroma.NameClass, t == chroma.NameBuiltin, t == chroma.NameBuiltinPseudo, t == chroma.NameException:
		return Style{Ink: InkType}
	case t == chroma.KeywordConstant, t.InSubCategory(chroma.LiteralNumber):
		return Style{Ink: InkNumber}
	case t.InCategory(chroma.Keyword), t == chroma.OperatorWord, t == chroma.NameTag:
		return Style{Ink: InkKeyword}
	case t == chroma.NameFunction, t == chroma.NameFunctionMagic, t == chroma.NameDecorator, t == chroma.NameAttribute:
		return Style{Ink: InkFunction}
	case t.InCategory(chroma.Literal):
		return Style{Ink: InkString}
	case t == chroma.NameVariable, t == chroma.NameVariableGlobal:
		return Style{Ink: InkNumber}
	case t == chroma.GenericInserted:
		return Style{Ink: InkAdded}
	case t == chroma.GenericDeleted:
		return Style{Ink: InkRemoved}
	}
	return Style{}
}

// codeBlock is a block of code in a language, or of a diff.
func codeBlock(code, lang, title string) Block {
	code = strings.TrimSuffix(code, "\n")
	if lang == "diff" || lang == "patch" {
		if b, ok := unified(code, ""); ok {
			return b
		}
	}
	return Block{Kind: Code, Text: code, Title: title, Spans: highlight(code, lang)}
}

// numbered finds the first run of lines with numbers in front, as tools show
// files ("     1→package main"), and returns what is before it, its lines without
// the numbers, the first number, and what follows.
func numbered(s string) (before, code string, first int, after string) {
	for at := 0; at < len(s); {
		if n, _, ok := lineNumber(s[at:]); ok {
			var b strings.Builder
			end, next, lines := at, n, 0
			for {
				no, skip, ok := lineNumber(s[end:])
				if !ok || no != next {
					break
				}
				line, rest, _ := strings.Cut(s[end+skip:], "\n")
				if lines > 0 {
					b.WriteByte('\n')
				}
				b.WriteString(line)
				end = len(s) - len(rest)
				next++
				lines++
			}
			if lines >= 3 {
				return s[:at], b.String(), n, s[end:]
			}
		}
		i := strings.IndexByte(s[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return s, "", 0, ""
}

// lineNumber reads the number in front of a line and how many bytes it takes.
func lineNumber(s string) (no, skip int, ok bool) {
	i := 0
	for i < len(s) && i < 12 && s[i] == ' ' {
		i++
	}
	from := i
	for i < len(s) && i-from < 7 && s[i] >= '0' && s[i] <= '9' {
		no = no*10 + int(s[i]-'0')
		i++
	}
	if i == from {
		return 0, 0, false
	}
	for _, sep := range []string{"→", "\t"} {
		if strings.HasPrefix(s[i:], sep) {
			return no, i + len(sep), true
		}
	}
	return 0, 0, false
}
