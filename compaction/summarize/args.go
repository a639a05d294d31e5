package summarize

import (
	"encoding/json"
	"path"
	"strings"
	"unicode/utf8"

	"palimpsest/model/pattern"
)

const (
	argsBytes = 64 << 10 // read of a call's arguments
	keyLimit  = 160      // code points of a key argument
)

// Names of arguments that show what a call is about, the most informative first.
var (
	pathKeys = []string{"file_path", "path", "filepath", "filePath", "file", "filename", "absolute_path", "target_file",
		"relative_path", "relative_workspace_path", "notebook_path", "paths", "files", "directory", "dir", "folder"}
	commandKeys = []string{"command", "cmd", "commands", "script", "shell_command", "code", "keystrokes"}
	queryKeys   = []string{"pattern", "query", "q", "regex", "search", "search_term", "glob"}
	urlKeys     = []string{"url", "uri", "link", "href"}
	titleKeys   = []string{"description", "title", "name", "subject", "task", "prompt", "question", "message", "id"}
)

// keyArgument chooses the informative argument of a call and reports whether the
// call changes files. The arguments are as the source spells them: JSON, a JSON
// string that holds JSON, a patch, or anything else.
func keyArgument(tool, args string) (key string, edit bool) {
	edit = editTool(tool)
	args = strings.TrimLeft(head(args, argsBytes)+restOf(args), " \t\r\n")
	if strings.HasPrefix(args, `"`) {
		if s, _, ok := readString(args, argsBytes); ok {
			args = strings.TrimLeft(s, " \t\r\n")
		}
	}
	if p := patched(args); p != "" && !strings.HasPrefix(args, "{") {
		return line(p, keyLimit), true
	}
	if !strings.HasPrefix(args, "{") {
		if strings.HasPrefix(args, "[") {
			if list, _ := readList(args, 0); len(list) > 0 {
				return line(strings.Join(list, " "), keyLimit), edit
			}
		}
		return line(args, keyLimit), edit
	}
	values, first := readObject(args)
	return keyOf(tool, values, first)
}

// keyOf chooses among read arguments; first is taken when none has a telling
// name.
func keyOf(tool string, values map[string]string, first string) (key string, edit bool) {
	edit = editTool(tool)
	file, command := pick(values, pathKeys), pick(values, commandKeys)
	query, url := pick(values, queryKeys), pick(values, urlKeys)
	switch {
	case patched(command) != "":
		return line(patched(command), keyLimit), true
	case patched(values["input"]) != "":
		return line(patched(values["input"]), keyLimit), true
	case patched(values["patch"]) != "":
		return line(patched(values["patch"]), keyLimit), true
	case file != "" && command != "" && !strings.ContainsAny(strings.TrimSpace(command), " \n\t/"):
		// An editor whose command is a verb: "view /src/a.go".
		return line(command+" "+file, keyLimit), edit && !reading[command] || writing[command]
	case query != "" && file != "":
		return line(`"`+line(query, keyLimit/2)+`" `+file, keyLimit), false
	case command != "" && !edit:
		return line(unwrapShell(command), keyLimit), false
	}
	for _, v := range []string{file, command, query, url, pick(values, titleKeys), first} {
		if v != "" {
			return line(v, keyLimit), edit
		}
	}
	return "", edit
}

// restOf looks for a path at the end of arguments that are too long to be read
// whole: some models write the content of a file before its name.
func restOf(args string) string {
	if len(args) <= argsBytes {
		return ""
	}
	at := lastPath.FindString(tail(args, 2048))
	if at == "" || strings.Contains(head(args, 512), `path"`) {
		return ""
	}
	return `",` + at + `"}`
}

var lastPath = pattern.New(`"(?:file_path|path|filename|filePath|target_file|cmd|command)"\s*:\s*"[^"\\]{1,300}`)

var (
	reading = map[string]bool{"view": true, "read": true, "open": true, "list": true, "undo_edit": false}
	writing = map[string]bool{"create": true, "write": true, "str_replace": true, "insert": true, "edit": true, "delete": true,
		"rename": true, "append": true}
)

// editNames are parts of the names of tools that change files.
var editNames = []string{"edit", "write", "patch", "replace", "insert", "create_file", "createfile", "new_file", "newfile",
	"delete_file", "deletefile", "rename_file", "renamefile", "apply_diff", "save_file"}

// editTool reports whether a tool changes files, by its name.
func editTool(name string) bool {
	name = strings.ToLower(head(name, 200))
	if strings.Contains(name, "todo") {
		return false
	}
	for _, n := range editNames {
		if strings.Contains(name, n) {
			return true
		}
	}
	return false
}

var patchFile = pattern.New(`(?m)^\*\*\* (?:Update|Add|Delete) File: ([^\r\n]+)`)

// patched names the first files of a patch.
func patched(s string) string {
	files := patchedFiles(s)
	return strings.Join(files[:min(len(files), 8)], ", ")
}

// patchedFiles are the files of a patch in the "*** Begin Patch" form.
func patchedFiles(s string) (files []string) {
	if strings.Contains(s, "*** ") {
		for _, m := range patchFile.FindAllStringSubmatch(strings.ReplaceAll(s, `\n`, "\n"), -1) {
			files = append(files, strings.TrimSpace(m[1]))
		}
	}
	return files
}

// unwrapShell takes the shell off a command: bash -lc "ls" is ls.
func unwrapShell(command string) string {
	first, rest, ok := strings.Cut(strings.TrimSpace(command), " ")
	if !ok {
		return command
	}
	switch path.Base(first) {
	case "bash", "sh", "zsh":
		flag, line, ok := strings.Cut(rest, " ")
		if ok && (flag == "-lc" || flag == "-c" || flag == "-cl") {
			return line
		}
	}
	return command
}

func pick(values map[string]string, keys []string) string {
	for _, k := range keys {
		if v := values[k]; strings.TrimSpace(v) != "" {
			return v
		}
	}
	return ""
}

// readObject reads the top level of a JSON object and is content with what it
// can read: of a cut or broken object, the part before the break. Values are
// strings, numbers as spelled, and lists of strings joined by spaces. first is
// the first short string found at any depth.
func readObject(s string) (values map[string]string, first string) {
	values = map[string]string{}
	i := 1
	for i < len(s) {
		i = skipBlank(s, i)
		if i >= len(s) || s[i] != '"' {
			break
		}
		key, n, ok := readString(s[i:], 200)
		if !ok {
			break
		}
		i = skipBlank(s, i+n)
		if i >= len(s) || s[i] != ':' {
			break
		}
		i = skipBlank(s, i+1)
		value, inner, end := readValue(s, i)
		if _, dup := values[key]; !dup && value != "" {
			values[key] = value
		}
		if first == "" && inner != "" && utf8.RuneCountInString(inner) <= 300 {
			first = inner
		}
		if end <= i {
			break
		}
		i = skipBlank(s, end)
		if i < len(s) && s[i] == ',' {
			i++
		}
	}
	return values, first
}

// readValue reads the value at i; inner is the first string in it.
func readValue(s string, i int) (value, inner string, end int) {
	if i >= len(s) {
		return "", "", i
	}
	switch s[i] {
	case '"':
		v, n, ok := readString(s[i:], argsBytes)
		if !ok {
			return v, v, len(s)
		}
		return v, v, i + n
	case '[':
		list, end := readList(s, i)
		if len(list) > 0 {
			return strings.Join(list, " "), list[0], end
		}
		end, inner = skipNested(s, i)
		return "", inner, end
	case '{':
		end, inner = skipNested(s, i)
		return "", inner, end
	}
	end = i
	for end < len(s) && !strings.ContainsRune(",}] \t\r\n", rune(s[end])) {
		end++
	}
	v := s[i:end]
	if v == "null" || v == "true" || v == "false" {
		v = ""
	}
	return v, "", end
}

// readList reads a list of nothing but strings; anything else gives none.
func readList(s string, i int) (list []string, end int) {
	i++
	for {
		i = skipBlank(s, i)
		if i >= len(s) || s[i] != '"' {
			break
		}
		v, n, ok := readString(s[i:], argsBytes)
		list = append(list, v)
		if !ok || len(list) > 64 {
			return list, len(s)
		}
		i = skipBlank(s, i+n)
		if i < len(s) && s[i] == ',' {
			i++
		}
	}
	if i < len(s) && s[i] == ']' {
		return list, i + 1
	}
	if i >= len(s) {
		return list, i
	}
	return nil, i
}

// skipNested finds the end of an object or list and the first string value in it.
func skipNested(s string, i int) (end int, inner string) {
	depth := 0
	for i < len(s) {
		switch s[i] {
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
			if depth == 0 {
				return i, inner
			}
		case '"':
			v, n, ok := readString(s[i:], 400)
			if !ok {
				return len(s), inner
			}
			i += n
			isKey := strings.HasPrefix(s[skipBlank(s, i):], ":")
			if inner == "" && !isKey && v != "" {
				inner = v
			}
		default:
			i++
		}
	}
	return i, inner
}

func skipBlank(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\r' || s[i] == '\t') {
		i++
	}
	return i
}

// readString reads the JSON string at the start of s: its text, of at most limit bytes in s,
// and its length in s. Not ended: ok is false and the text is what there is.
func readString(s string, limit int) (text string, n int, ok bool) {
	for n = 1; n < len(s) && s[n] != '"'; n++ {
		if s[n] == '\\' {
			n++
		}
	}
	ok = n < len(s)
	raw := head(s[:min(n, len(s))], limit+1)
	if json.Unmarshal([]byte(raw+`"`), &text) != nil { // cut, or with line ends as they are
		text = escapes.Replace(raw[1:])
	}
	return text, min(n+1, len(s)), ok
}

var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\"`, `"`, `\/`, "/", `\\`, `\`)
