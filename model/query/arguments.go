package query

import (
	"strings"

	"palimpsest/model/transcript/jspan"
)

// mostArguments bounds the arguments that are taken apart; larger ones are looked
// through as they are spelled.
const mostArguments = 64 << 20

// arguments is the text of a call: the tool's name, then each argument on lines of
// its own, its name and its value, without quotation marks and escapes. Arguments that are no JSON
// stay as they are.
func (s *Scratch) arguments(tool, args string) string {
	if len(args) > mostArguments {
		return tool + "\n" + args
	}
	s.args = append(s.args[:0], args...)
	v, ok := parse(s.args)
	if !ok {
		return tool + "\n" + args
	}
	s.leaves = appendLeaves(append(append(s.leaves[:0], tool...), '\n'), v)
	return string(s.leaves)
}

func parse(args []byte) (jspan.Value, bool) {
	v, err := jspan.Parse(args, jspan.Space(args, 0))
	return v, err == nil && (v.Kind == jspan.Object || v.Kind == jspan.Array)
}

func appendLeaves(b []byte, v jspan.Value) []byte {
	switch v.Kind {
	case jspan.Object:
		for key, val := range v.Each {
			b = appendLeaves(append(append(b, key...), '\n'), val)
		}
	case jspan.Array:
		for _, val := range v.Items {
			b = appendLeaves(b, val)
		}
	case jspan.String:
		b = append(v.AppendText(b), '\n')
	default:
		b = append(append(b, v.Raw()...), '\n')
	}
	return b
}

// patchHeads begin the lines of a patch that name a file.
var patchHeads = []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "}

// NamesFile reports whether the arguments of a call name a file whose path holds a
// text: in a field that is called file or path, in a patch, or as a word of a command
// that looks like a path.
func NamesFile(args, part string) bool {
	if len(args) > mostArguments {
		return inPatch(args, part)
	}
	v, ok := parse([]byte(args))
	if !ok {
		return inPatch(args, part)
	}
	return fileIn("", v, foldText(part))
}

func fileIn(key string, v jspan.Value, part string) (found bool) {
	switch v.Kind {
	case jspan.Object:
		for k, val := range v.Each {
			found = found || fileIn(string(k), val, part)
		}
	case jspan.Array:
		for _, val := range v.Items {
			found = found || fileIn(key, val, part)
		}
	case jspan.String:
		k, text := strings.ToLower(key), v.Text()
		switch {
		case strings.Contains(k, "file") || strings.Contains(k, "path") || strings.Contains(k, "uri"):
			return strings.Contains(foldText(text), part)
		case strings.Contains(k, "command") || k == "cmd" || k == "script" || k == "input" || k == "patch":
			return inCommand(text, part) || inPatch(text, part)
		}
	}
	return found
}

// inCommand reports whether a word of a command looks like a path and holds a text.
func inCommand(text, part string) bool {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`;|&<>()=", r) }) {
		if (strings.ContainsRune(w, '/') || strings.Contains(strings.TrimLeft(w, "."), ".")) && strings.Contains(foldText(w), part) {
			return true
		}
	}
	return false
}

func inPatch(text, part string) bool {
	for line := range strings.Lines(text) {
		for _, head := range patchHeads {
			if path, ok := strings.CutPrefix(line, head); ok && contains(path, part) {
				return true
			}
		}
	}
	return false
}

// FileNeedle is what the bytes of a call hold that names a file of that path.
func FileNeedle(part string) Needle { return needle(part) }
