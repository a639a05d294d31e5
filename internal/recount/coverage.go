package recount

import (
	"bytes"
	"encoding/json"
	"index/suffixarray"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// beside are members that hold nothing of what a model sees: what they are about is in the
// comment. Those of no format are of every one.
var beside = map[string][]string{
	"": {"title", "customTitle", "display_name", "displayName", // of a conversation
		"tools", "functions"}, // definitions, beside the messages
	"claude-code":   {"toolUseResult", "fullOutput", "lastPrompt"},                // of a tool, for the screen; for the list of sessions
	"claude-stream": {"tool_use_result", "slash_commands"},                        // likewise
	"codex":         {"base_instructions"},                                        // of the program
	"crush":         {"metadata"},                                                 // of a tool's result, for the screen
	"gemini-cli":    {"description", "resultDisplay"},                             // of a tool; what the screen shows
	"letta":         {"source_code", "json_schema", "blocks"},                     // of tools; memory, which is in the system prompt
	"openai-chat":   {"test_result", "kwargs"},                                    // of a benchmark; a model's settings
	"openhands":     {"security_risk"},                                            // how an action was judged
	"who-and-when":  {"mistake_reason"},                                           // the judgement on a run
	"inspect":       {"store", "eval", "target", "plan", "events", "attachments"}, // of the task; the log of the run, beside its messages
}

// Unread is how much of the words in a source is in no text that was read of it.
type Unread struct {
	Total, Missing int // letters and digits
	By             map[string]int
}

// Share is what is missing of all.
func (u Unread) Share() float64 {
	if u.Total == 0 {
		return 0
	}
	return float64(u.Missing) / float64(u.Total)
}

const (
	window  = 24 // letters by which a piece of a text is looked for
	fewest  = 12 // letters of a text that says something
	between = 4000
)

// Cover looks for the words of a source, which is JSON or JSON Lines, in what was read of
// it. All strings of more than a word count, each once, but those [beside] the messages.
func Cover(format string, source []byte, read string) Unread {
	c := covered{u: Unread{By: map[string]int{}}, format: format, read: suffixarray.New([]byte(letters(read))), seen: map[string]bool{}}
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(source, []byte("\xef\xbb\xbf"))))
	for {
		var v any
		if d.Decode(&v) != nil {
			return c.u
		}
		c.walk("", v)
	}
}

// covered looks through a source.
type covered struct {
	u      Unread
	format string
	read   *suffixarray.Index
	seen   map[string]bool
}

func (c *covered) walk(name string, v any) {
	switch v := v.(type) {
	case string:
		if t := strings.TrimSpace(v); len(t) > 1 && (t[0] == '{' || t[0] == '[') {
			var in any
			if json.Unmarshal([]byte(t), &in) == nil {
				c.walk(name, in)
				return
			}
		}
		c.text(name, v)
	case []any:
		for _, e := range v {
			c.walk(name, e)
		}
	case map[string]any:
		for key, e := range v {
			if !slices.Contains(beside[""], key) && !slices.Contains(beside[c.format], key) {
				c.walk(key, e)
			}
		}
	}
}

func (c *covered) text(name, text string) {
	other := func(r rune) bool { return r == ' ' || r == '\n' || r >= utf8.RuneSelf }
	if strings.IndexFunc(text, other) < 0 { // an id, a path, a picture
		return
	}
	text = letters(text)
	if len(text) < fewest || c.seen[text] {
		return
	}
	c.seen[text] = true
	for at := 0; at < len(text); at += between { // a long text may be read in part
		piece := text[at:min(at+between, len(text))]
		c.u.Total += len(piece)
		n := min(window, len(piece))
		found := 0
		for _, from := range []int{0, (len(piece) - n) / 2, len(piece) - n} {
			if len(c.read.Lookup([]byte(piece[from:from+n]), 1)) > 0 {
				found++
			}
		}
		if found < 2 {
			c.u.Missing += len(piece)
			c.u.By[name] += len(piece)
		}
	}
}

var escapes = strings.NewReplacer(`\n`, " ", `\t`, " ", `\r`, " ", `\u003c`, " ", `\u003e`, " ", `\u0026`, " ")

// letters are the letters and digits of a text: how it is quoted and spaced does not matter.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, escapes.Replace(text))
}
