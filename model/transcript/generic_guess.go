package transcript

import "palimpsest/model/transcript/jspan"

// The names that a guess takes for a role, for a text and for calls, best first.
var (
	roleNames = []string{"role", "from", "speaker", "sender", "author", "source", "who", "type"}
	textNames = []string{"content", "text", "value", "message", "body", "utterance", "msg", "parts"}
	callNames = []string{"tool_calls", "toolCalls", "calls", "tool_call"} // and for calls
)

// guessDepth bounds how deep a guess looks for a list.
const guessDepth = 4

// guess finds what looks most like a list of messages: the longest array of
// objects with something like a role and a text.
func (s *sniff) guess() *FieldMap {
	g := guesser{least: 2}
	if s.jsonl {
		g.list("$", s.lines)
		if g.found == nil {
			for _, l := range s.lines {
				g.look("$[*]", l, guessDepth)
			}
		}
		return g.found
	}
	g.look("$", s.whole, guessDepth)
	if g.found == nil && s.whole.Kind == jspan.Array {
		g.look("$[*]", s.whole.Index(0), guessDepth)
	}
	return g.found
}

type guesser struct {
	found *FieldMap
	least int // messages that a list must have to be better than the one found
}

// look searches a value and what is in it.
func (g *guesser) look(at string, v jspan.Value, depth int) {
	if v.Kind == jspan.Array {
		first, n := firstElements(v)
		if n >= g.least && g.list(at, first) {
			g.least = n + 1
		}
		return
	}
	if depth == 0 {
		return
	}
	v.Each(func(key []byte, val jspan.Value) bool {
		if name := string(key); plainName(name) {
			g.look(at+"."+name, val, depth-1)
		}
		return true
	})
}

// plainName reports whether a path can name a member.
func plainName(name string) bool {
	for _, r := range name {
		switch r {
		case '.', '[', ']', '\\', ',', '=', ' ':
			return false
		}
	}
	return name != ""
}

// list takes a list whose objects mostly have a role and a text.
func (g *guesser) list(at string, elems []jspan.Value) bool {
	for _, role := range roleNames {
		for _, text := range textNames {
			good, silent := 0, 0 // one that only calls a tool may have a text of null
			words := map[string]bool{}
			for _, e := range elems {
				r, t := e.Get(role), e.Get(text)
				if r.Kind == jspan.String && (t.Kind == jspan.String || t.Kind == jspan.Array) {
					good++
					words[r.TextN(200)] = true
				} else if r.Kind == jspan.String && t.Kind == jspan.Null {
					silent++
				}
			}
			// who speaks is one of few
			if good >= 2 && good >= silent && (good+silent)*5 >= len(elems)*4 && len(words) <= max(2, good/2) {
				g.found = &FieldMap{Messages: at, Role: role, Text: text, Calls: callsOf(elems)}
				return true
			}
		}
	}
	return false
}

// callsOf is the member in which messages have objects that look like calls; ""
// if there is none.
func callsOf(elems []jspan.Value) string {
	for _, name := range callNames {
		for _, e := range elems {
			v := e.Get(name)
			if v.Kind == jspan.Array {
				v = v.Index(0)
			}
			if v.Kind == jspan.Object && callName(v) != "" {
				return name
			}
		}
	}
	return ""
}
