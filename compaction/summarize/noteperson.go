package summarize

import (
	"fmt"
	"slices"
	"strings"

	"palimpsest/compaction/facts"
	"palimpsest/model"
	"palimpsest/model/pattern"
)

// typedBytes bounds how much of a message is read as typed, at its beginning and at its end:
// what is between them in a longer one is pasted.
const typedBytes = 8 << 10

// person reads what a person typed, or the command with a slash in its place.
func (r *noteReader) person(t *told, e *Entry, text string) {
	switch e.Msg.Origin {
	case model.OriginTyped, model.OriginUnknown:
		said := model.Said(text)
		if _, after, ok := strings.Cut(said, "\n# User Request\n"); ok {
			said = strings.TrimSpace(after) // a program's words stand before it
		}
		said = withoutPaste(keyCodes.ReplaceAllString(ends(said, typedBytes), ""), r.w)
		said = longDots.ReplaceAllString(htmlNote.ReplaceAllString(said, ""), "…")
		if t.said = line(said, askLimit); strings.HasPrefix(t.said, "{") || isElement(t.said) {
			t.said = "" // a program's
		}
		t.said = strings.TrimSpace(t.said + " " + strings.Join(mediaNames(r.w, e.Parts), " "))
		if e.Msg.Name != "" && e.Msg.Name != e.Msg.Role.String() && !strings.HasPrefix(e.Msg.Name, "queue") && t.said != "" {
			t.said = line(e.Msg.Name, nameLimit) + r.w.colon + t.said
		}
		t.orders = standing(said)
	case model.OriginInjected:
		if m := slashCommand.FindStringSubmatch(head(text, headBytes)); m != nil && !idleCommands[m[1]] {
			args := slashArgs.FindStringSubmatch(head(text, headBytes))
			t.said = m[1]
			if args != nil {
				t.said = line(m[1]+" "+args[1], askLimit)
				t.orders = standing(args[1])
			}
		}
	}
}

// htmlNote is a comment by which programs mark what they typed, or a tag around an image.
var htmlNote = pattern.New(`<!--.*?-->|</?image\b[^>]*>`)

// longDots are more full stops than three, or some with blanks between.
var longDots = pattern.New(`\.{4,}|(?:…|\.{2,3})(?:\s*(?:…|\.\.+))+`)

// keyCodes are what a terminal sent, pasted with what it showed.
var keyCodes = pattern.New(`\^\[(?:\[[0-9;?]*[A-Za-z]|\][0-9;]*;rgb:[0-9a-f/]*(?:\^\[\\|\^G)?)`)

// isElement reports whether a text begins with an element that ends: a program's.
func isElement(text string) bool {
	name := startTag.FindStringSubmatch(text)
	return name != nil && strings.Contains(text, "</"+name[1]+">")
}

var startTag = pattern.New(`^<([\w-]+)[ >]`)

// withoutPaste leaves out most of what a person pasted: logs, code, quotations. A line says
// how much. The end of a log says as much as its beginning.
func withoutPaste(text string, w *words) string {
	if len(text) < 600 {
		return text
	}
	var b strings.Builder
	lines := slices.Collect(strings.Lines(text))
	is := pastedLines(lines)
	for i := 0; i < len(lines); i++ {
		end := i
		for end < len(lines) && is[end] {
			end++
		}
		if hidden := end - i - 2*pasteShown; hidden > 0 {
			b.WriteString(strings.Join(lines[i:i+pasteShown], ""))
			fmt.Fprintf(&b, w.either("[… %d more lines pasted]\n", "[… 另粘贴 %d 行]\n"), hidden)
			i = end - pasteShown
		}
		b.WriteString(lines[i])
	}
	return b.String()
}

// pasteShown is how many lines of a paste stay at its beginning, and at its end.
const pasteShown = 2

// pastedLines says which lines of a message are no words of the person's: logs with what stands
// between two of their lines, what is there twice, code, and quotations.
func pastedLines(lines []string) []bool {
	is, log := make([]bool, len(lines)), len(lines)
	before := map[string]int{}
	for i, l := range lines {
		bare := strings.TrimSpace(l)
		twin, again := before[bare]
		if is[i] = is[i] || pasted.MatchString(l) || bare == "" && i > 0 && is[i-1]; again && chars(bare) > leastCut {
			is[i], is[twin] = true, true
		}
		before[bare] = i
		if logLine.MatchString(l) {
			for k := max(log, i-longAgo); k <= i; k++ {
				is[k] = true
			}
			log = i
		}
	}
	return is
}

// ownWords is a message without what was pasted in it, and without a document with headings
// that follows a person's words, or is all.
func ownWords(text string) string {
	if at := docHeading.FindAllStringIndex(text, fewHeadings); len(at) == fewHeadings {
		text = text[:at[0][0]]
	}
	var b strings.Builder
	lines := slices.Collect(strings.Lines(text))
	for i, is := range pastedLines(lines) {
		if !is {
			b.WriteString(lines[i])
		}
	}
	return b.String()
}

// fewHeadings are so many that a text with them is a document.
const fewHeadings = 3

var (
	docHeading = pattern.New(`(?m)^#{1,4} \S`)
	// pasted is a line of a log, of code, or of a quotation.
	pasted = pattern.New(`^\s*(?:>|[|{}\[\]$]|\d{4}-\d\d-\d\d|\d\d:\d\d|at \S+[:(]\d*|[0-9a-f]{7,40}\b|(?:INFO|WARN\w*|ERROR|DEBUG|` +
		`commit|Author:|Date:)\b|` +
		`[+-]{1,3}\S|@@|//|import |func |const |let |var |def |class |return )|^(?: {4,}|\t)\S|[{};]\s*$`)
	// logLine is a line of a log by its time or level.
	logLine = pattern.New(`(?i)^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|` +
		`\[?(?-i:LOG|INFO|WARN\w*|ERROR|DEBUG|TRACE|FATAL)\b\]?[ :]|` +
		`(?:log|info|warn\w*|error|debug|trace|fault|default|notice)\s+\[?\d\d:\d\d)`)
)

var (
	slashCommand = pattern.New(`<command-name>(/?[\w:.-]+)</command-name>`)
	slashArgs    = pattern.New(`(?s)<command-args>(.+?)</command-args>`)
	// idleCommands change the program, not the work.
	idleCommands = map[string]bool{"/clear": true, "/compact": true, "/model": true, "/exit": true, "/config": true, "/cost": true,
		"/status": true, "/resume": true, "/login": true, "/logout": true, "/help": true, "/context": true, "/usage": true, "/mcp": true,
		"/permissions": true, "/memory": true, "/doctor": true, "/ide": true, "/hooks": true, "/agents": true, "/plugin": true}
)

// standing are the sentences in which a person orders something for good, word for word: few
// and sure ones, lasting by their words; what is in doubt belongs to its ask. A short message
// that settles something is one as a whole. Of a long text, only its ends are the person's.
func standing(text string) (orders []string) {
	if settles.MatchString(text) && chars(text) <= reportLimit {
		return []string{line(text, askLimit)}
	}
	if text = ownWords(text); len(text) > longAsk {
		text = head(text, longAsk/4) + "\n" + tail(text, longAsk/4)
	}
	text = stepRest.ReplaceAllString(text, "$1")
	facts.Sentences(text, func(s string) {
		asks := strings.HasSuffix(s, "？") || strings.HasSuffix(s, "?") && !lasts.MatchString(s) ||
			wonders.MatchString(s) && !insists.MatchString(s)
		long := func() bool { return len(strings.Fields(s)) >= leastOrder || chars(s) < len(s) }
		idle := handsOff.MatchString(s)
		if !asks && (idle || commands.MatchString(s) || forbids.MatchString(s)) && !describes.MatchString(s) &&
			(idle || !passes.MatchString(s) || insists.MatchString(s)) && long() {
			orders = append(orders, line(s, askLimit))
		}
	})
	return orders
}

// stepRest is a step of a procedure, its first sentence and the others: these are about the
// step.
var stepRest = pattern.New(`(?m)^(\s*\d{1,2}[.)] .*?[.:!]) .*$`)

// leastOrder is how many words an order has at least: "Always on" answers a question.
const leastOrder = 3

var (
	// forbids is how a person forbids within a sentence: "just leave it dont write any tests".
	// After another clause without such a word, it belongs to that one act.
	forbids = pattern.New(`(?i)\b(?:don['’]?t|do not) (?:\w+ ){1,3}?(?:any\w*|ever|again|unless|until|without)\b`)
	// wonders is how somebody asks or reproaches without a mark.
	wonders = pattern.New(`(?i)\b(?:why|how) (?:did|didn['’]?t|do|you|we|it|can)\b`)
	// describes is how somebody says what is not so.
	describes = pattern.New(`(?i)\b(?:you|i|we|they|it|that|which|who|tests|why) (?:(?:really|still|just|also) )?(?:do not|don['’]?t) ` +
		`(?:have|know|think|see|understand|get|exist|need|like|want|use|run|write)\b|don['’]?t worry|^["“]`)
	// passes is what is ordered for the moment only.
	passes = pattern.New(`(?i)\b(?:yet|just (?:explain|tell|answer|look)|for now|dont? (?:make any changes|implement anything)|` +
		`don['’]t (?:make any changes|implement anything))\b`)
)

// longAsk is how many bytes a message has that is not only a person's own words.
const longAsk = 3000
