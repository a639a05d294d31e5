package summarize

import (
	"strings"

	"palimpsest/model/pattern"
)

const (
	headBytes = 4096 // read of a result's beginning
	tailBytes = 2048 // read of its end
	errLimit  = 200  // code points of an error line
)

var (
	// failedFirst is a first line that says that a call failed, for formats that
	// have no error mark of their own.
	failedFirst = pattern.New(`(?i)^(?:\w*error\b|\w*exception\b|traceback \(|fatal:|panic:|fail(?:ed|ure)\b|` +
		`command failed|(?:ba|z)?sh: |no such file|permission denied|cannot |could not |错误|失败|异常)`)
	// exitCode is a status other than 0.
	exitCode = pattern.New(`(?i)(?:exit(?:ed)?(?: with)?(?: code| status)|returncode|exit_code|` +
		`exitcode)["'>:= ]{0,4}([1-9][0-9]{0,4})\b`)
	// telling is a line that says what went wrong.
	telling = pattern.New(`(?i)\b\w*error\b|\bfatal\b|\bpanic\b|\bFAIL\b|\bfailed\b|cannot|could not|not found|` +
		`no such file|denied|undefined|unexpected|invalid|refused|timed? ?out|exception|错误|失败|异常|无法|未找到`)
	// wrapper is a tag that a program puts around a result.
	wrapper   = pattern.New(`^(?:<[a-z_]+>\s*)+|(?:</[a-z_]+>\s*)+$`)
	traceback = pattern.New(`^Traceback \(most recent call last\)`)
	// onlyStatus is a line that gives a status and nothing else.
	onlyStatus = pattern.New(`(?i)^[\[(<{]*"?(?:process |command |the command )?(?:finished |` +
		`failed )?(?:with )?(?:exit(?:ed)?(?: with)?(?: code| status)|returncode|exit_code|error|output|` +
		`stdout|stderr|result)?["'>:= ]*-?\d*[\])>}.:]*$|^(?:chunk id|wall time|original token count|` +
		`total output lines|duration|cwd)\b`)
)

// unwrap takes the envelope off a result that is a JSON object of output and
// status.
func unwrap(text string) (body, envelope string) {
	begin := strings.TrimLeft(head(text, 64), " \t\r\n")
	if !strings.HasPrefix(begin, "{") {
		return text, ""
	}
	h := strings.TrimLeft(head(text, headBytes), " \t\r\n")
	values, _ := readObject(h)
	for _, k := range []string{"error", "stderr", "output", "content", "result", "message"} {
		if v := values[k]; strings.TrimSpace(v) != "" {
			return v, h + "\n" + tail(text, 512)
		}
	}
	return text, ""
}

// failure reports whether a result describes a failure and returns its first
// informative line, at most errLimit code points. flagged is the source's own mark; without
// one the text is judged, if guess allows.
func failure(text string, flagged, guess bool) (string, bool) {
	if !flagged && !guess {
		return "", false
	}
	body, envelope := unwrap(text)
	status := exitStatus(head(envelope, 512), tail(envelope, 512), head(body, 512), tail(body, 512))
	if !flagged && status == "" && !failedFirst.MatchString(firstLine(body)) && !errorObject(text) {
		return "", false
	}
	said := tellingLine(resultLines(body))
	if status != "" && (said == "" || onlyStatus.MatchString(said)) {
		return "exit " + status, true
	}
	if status != "" && !exitCode.MatchString(said) && (status != "1" || !telling.MatchString(said)) {
		said = "exit " + status + ": " + said
	}
	return shorten(said, errLimit), true
}

// exitStatus finds a status other than 0; "" is none. The plain search before
// the pattern is for speed: most results name no status at all.
func exitStatus(texts ...string) string {
	for _, t := range texts {
		if !strings.Contains(t, "xit") && !strings.Contains(t, "XIT") && !strings.Contains(t, "eturn") && !strings.Contains(t, "ETURN") {
			continue
		}
		if m := exitCode.FindStringSubmatch(t); m != nil {
			return m[1]
		}
	}
	return ""
}

var errorObjectStart = pattern.New(`^\s*\{\s*"error"\s*:\s*["{]`)

// errorObject reports whether a result is {"error": …}.
func errorObject(text string) bool { return errorObjectStart.MatchString(head(text, 128)) }

// resultLines returns the clean non-empty lines of a result's ends.
func resultLines(text string) []string {
	s := head(text, headBytes)
	if len(text) > headBytes {
		s += "\n" + tail(text, min(tailBytes, len(text)-headBytes))
	}
	var out []string
	for _, l := range strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if l = bareLine(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// firstLine is the first clean non-empty line of a result.
func firstLine(text string) string {
	for l := range strings.Lines(head(text, headBytes)) {
		if l = bareLine(l); l != "" {
			return l
		}
	}
	return ""
}

// bareLine cleans a line of a result and takes tags around it off.
func bareLine(l string) string {
	l = line(l, 2*errLimit)
	if strings.Contains(l, "<") {
		l = strings.TrimSpace(wrapper.ReplaceAllString(l, ""))
	}
	return l
}

// tellingLine is the first line, unless it only announces an error that a later
// line describes.
func tellingLine(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	first := lines[0]
	if traceback.MatchString(first) {
		return lines[len(lines)-1]
	}
	if failedFirst.MatchString(first) && !onlyStatus.MatchString(first) && !exitCode.MatchString(first) {
		return first
	}
	for i, l := range lines {
		if traceback.MatchString(l) {
			return lines[len(lines)-1]
		}
		if telling.MatchString(l) && !onlyStatus.MatchString(l) && !(i == 0 && exitCode.MatchString(l)) {
			return l
		}
	}
	for _, l := range lines {
		if !onlyStatus.MatchString(l) {
			return l
		}
	}
	return first
}

var (
	fence        = pattern.New("(?s)```[a-zA-Z_]*[ \t]*\n(.*?)\n?```")
	functionCall = pattern.New(`(?s)<function=([A-Za-z_][\w.-]{0,60})>(.*)`)
	parameter    = pattern.New(`(?s)<parameter=(\w{1,60})>(.*?)</parameter>`)
)

// action reads the call that an agent of a text protocol writes in its words:
// the last fenced block, or a function tag. words is the text without it.
func action(text string) (tool, key string, edit bool, words string, ok bool) {
	text = tail(text, 16<<10)
	if at := functionCall.FindStringIndex(text); at != nil {
		m := functionCall.FindStringSubmatch(text)
		values := map[string]string{}
		first := ""
		for _, p := range parameter.FindAllStringSubmatch(m[2], 16) {
			values[p[1]] = p[2]
			if first == "" {
				first = p[2]
			}
		}
		key, edit = keyOf(m[1], values, first)
		return m[1], key, edit, text[:at[0]], true
	}
	blocks := fence.FindAllStringSubmatchIndex(text, -1)
	if len(blocks) == 0 {
		return "", "", false, "", false
	}
	at := blocks[len(blocks)-1]
	last := strings.TrimSpace(text[at[2]:at[3]])
	if last == "" {
		return "", "", false, "", false
	}
	words = text[:at[0]] + text[at[1]:]
	if p := patched(last); p != "" {
		return "run", line(p, keyLimit), true, words, true
	}
	return "run", line(last, keyLimit), false, words, true
}
