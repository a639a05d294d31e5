package summarize

import (
	"strconv"
	"strings"
	"unicode"

	"palimpsest/model/pattern"
)

const (
	formerBytes = 256 << 10 // read of one former summary
	formerLine0 = 4000      // code points of one line
	maxTurn     = 1 << 24
)

var (
	// bullet is the marks of a list, its numbers too: what is carried on is another list,
	// in which they would have gaps.
	bullet   = pattern.New(`^(?:(?:[-*•]|\d{1,2}[.)])\s+)+`)
	loneTag  = pattern.New(`^</?[A-Za-z_]{1,40}>$`)
	turnName = pattern.New(`(?:^|\b)[Tt]urns? (\d{1,8})(?:[–-](\d{1,8}))? \(messages? \d|` +
		`[Tt]urns (\d{1,8})[–-](\d{1,8}),|[Tt]urn (\d{1,8}),|第 (\d{1,8})(?:–(\d{1,8}))? 轮`)
	rule = pattern.New(`^\|[\s:|-]*\|$`)
	// label is a line that only announces those below it: "4. Errors and fixes:".
	label = pattern.New(`^(?:#{1,6}\s+|\d{1,2}[.)]\s+|\*\*)*\pL[\pL\d '&/,()（）-]{0,60}(?:[:：]\**|\*\*[:：]?)$|` +
		`^#{1,6}\s+[\pL '&/,-]{1,40}(?:: later lines overrule|（[^（）]{1,20}）)?$|^\[\pL[\pL ]{0,40}\]$`)
	// logged is a line of a log of calls, which other programs add to a model's words.
	logged = pattern.New(`^(?:\.{0,3}\(\d+ earlier (?:tool|lines)|<!--|[a-z_]{2,30} ".*"(?:\.\.\.)?(?: \(#[\d#, ]+\))?(?: x\d+)?$)`)
	// failedCall heads what a call gave back that failed.
	failedCall = pattern.New(`^\[tool_?error\]`)
	// framing is what a program says around the summary that a model wrote.
	framing = pattern.New(`^(?:This session is being continued from a previous conversation|` +
		`(?:Please )?[Cc]ontinue the conversation from where (?:we|it) left|If you need specific details from before compaction)`)
)

// rawLine is what a line of a former summary is by itself.
type rawLine struct {
	text   string // clean, without marks of lists
	said   string // that without emphasis
	indent int
	marked bool // it is of a list
	label  bool // it only announces those below it
	turn   bool // it is the head line of a turn
	named  bool // it names a turn

	carried  bool // it says something itself
	lastTurn int  // the highest turn number that it names then
}

func readLine(raw string, w *words) rawLine {
	l := line(raw, formerLine0)
	out := rawLine{indent: len(raw) - len(strings.TrimLeft(raw, " \t")), marked: bullet.MatchString(l)}
	if out.marked {
		l = bullet.ReplaceAllString(l, "")
	}
	if strings.HasPrefix(l, "|") {
		l = tableCells(l, w)
	}
	out.text, out.label = l, label.MatchString(l)
	out.said = emphasis.ReplaceAllString(l, "$1$2")
	out.turn, out.named = turnHead.MatchString(out.said), turnName.MatchString(head(out.said, 60))
	out.weigh()
	return out
}

// turnHead is the head line of a turn that has lines of its own.
var turnHead = pattern.New(`^(?:Turn \d+ \(messages? [\d–-]+\)|第 \d+ 轮（消息 [\d–-]+）)$`)

// weigh says what the line is worth to the next summary.
func (out *rawLine) weigh() {
	l := out.said
	out.carried = !loneTag.MatchString(l) && !logged.MatchString(l) && !framing.MatchString(l) &&
		l != english.heading && l != chinese.heading &&
		strings.ContainsFunc(l, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	if !out.carried {
		return
	}
	for _, m := range turnName.FindAllStringSubmatch(head(l, 200), 4) {
		for _, g := range m[1:] {
			if n, err := strconv.Atoi(g); err == nil && n < maxTurn {
				out.lastTurn = max(out.lastTurn, n)
			}
		}
	}
}

// Numbered returns the highest message and turn that the text of a summary names,
// as the summaries made here do; 0: none. What follows the summary in its
// history is numbered on from there.
func Numbered(text string) (message, turn int) {
	text, _ = StripHeading(text)
	for raw := range strings.Lines(head(text, formerBytes)) {
		l := readLine(raw, english)
		if l.label || !l.carried {
			continue
		}
		if m := messageName.FindStringSubmatch(l.said); m != nil {
			message = max(message, min(numbers(m[1:3])[1], maxTurn))
		}
		turn = max(turn, l.lastTurn)
	}
	return message, turn
}

// messageName is how a line of a summary made here begins that names the messages
// it is about.
var messageName = pattern.New(`^(?:[Tt]urns? [\d–-]+ \(|第 [\d–-]+ 轮（)?(?:[Mm]essages? |消息 )(\d{1,8})(?:[–-](\d{1,8}))?`)

// tableCells returns a table row without its bars; the heads of columns of our own and
// rules give "".
func tableCells(l string, w *words) string {
	if rule.MatchString(l) {
		return ""
	}
	cells := strings.Split(strings.Trim(strings.ReplaceAll(l, `\|`, "\x00"), "|"), "|")
	var out []string
	for _, c := range cells {
		if c = strings.TrimSpace(c); c != "" {
			out = append(out, c)
		}
	}
	joined := strings.Join(out, " · ")
	for _, own := range []*words{english, chinese} {
		if joined == strings.Join(own.noteColumns, " · ") || joined == strings.Join(own.stepColumns, " · ") {
			return ""
		}
	}
	return strings.ReplaceAll(joined, "\x00", "|")
}
