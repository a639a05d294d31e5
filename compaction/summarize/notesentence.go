package summarize

import (
	"strings"

	"palimpsest/compaction/facts"
	"palimpsest/model/pattern"
)

var (
	// settles is how a person decides between ways.
	settles = pattern.New(`(?i)\b(?:final answer|off the table|new plan|total reset|ignore everything|scratch that|let'?s not do|` +
		`not up for debate|red line|swap the approach|under no circumstances|only direction|we(?:'re| are) going with)\b|最终决定|就这么定|推翻`)
	// commands is how a person orders or forbids for good: at the beginning of a clause, "don't"
	// only at the beginning of a sentence.
	commands = pattern.New(`(?i)^(?:(?:please|also|and|but|so|just|then|ok(?:ay)?|yes|no|you|remember),? )*` +
		`(?:do not|don['’]?t)\b|(?:^|[,;:.—–(]\s*|-\s+|` +
		`\b(?:and|but|so|please|also|just|then|ok(?:ay)?|yes|no|you|i want you to|make sure (?:to|you|that you)) )` +
		`(?:please |also |should )*` +
		`(?:never|always|avoid|must (?:not|never|always|be)|mustn['’]t|no need (?:to|for)|from now on|` +
		`going forward|no new|only (?:use|edit|change|touch|when|if)|use only|without asking|every time|each time|` +
		`whenever|keep (?:\S+ ){1,3}(?:scoped|small|minimal|short|simple|unless)|` +
		`prefer|use \S+ (?:\S+ )?(?:for (?:all|every|each)|everywhere))\b|` +
		`\b(?:not allowed|forbidden|under no circumstances|in (?:the )?future)\b|不要\p{Han}|必须|務必|务必|禁止|不得|只能|不许|一定要|以后|从现在起|每次|` +
		`ないで|しないこと|マセヨ|마세요|반드시`)
	insists = pattern.New(`(?i)\b(?:never|always)\b`)
	lasts   = pattern.New(`(?i)\b(?:from now on|going forward|every time|each time|never again)\b`)
)

// sentence judges a sentence that the agent said or thought: a report, or a decision or
// finding.
func (t *told) sentence(s string, said bool) {
	s = strings.ReplaceAll(s, "**", "")
	n := chars(s)
	if n < 30 || n > reportLimit || strings.HasSuffix(s, "?") || strings.Contains(s, " · ") ||
		announces.MatchString(s) || chatter.MatchString(s) {
		return
	}
	if speaksOn.MatchString(s) {
		return
	}
	if said && t.report == "" && reports.MatchString(s) && !onTheWay.MatchString(s) {
		t.report = line(s, reportLimit)
	}
	if len(t.reasons) < 3 && concludes.MatchString(s) && gives.MatchString(s) && !muses.MatchString(s) {
		t.reasons = append(t.reasons, line(s, reportLimit))
	}
}

// muses is how somebody thinks aloud: what comes of it is not known.
var muses = pattern.New(`(?i)\bi['’]m (?:\w+ )?\w+ing\b|^(?:but\b|and\b|yet\b|however\b|rather than keep\b|at that point|` +
	`wait\b|actually\b|or\b|maybe|perhaps|so\b|then\b|let me|once\b|try\b|if\b|alternatively|` +
	`i (?:should|could|need|can|might|think|guess|want)|we (?:could|should|might|need)|the user|(?:it|that|this) (?:might|could|may|` +
	`seems|looks))|` +
	`\b(?:might|maybe|perhaps|probably|likely|could be|i wonder|not sure|may (?:be|have)|i think|i(?:'ll| will)? need to|seems? (?:to|` +
	`like)|strange|should (?:be (?:fine|smart|stable|preserved|automatically)|work|evaluate))\b|\b(?:but|because|that|the)$|也许|可能|似乎`)

var (
	reports = pattern.New(`(?i)\b(?:fixed|added|done|complete[d]?|pass(?:es|ed)|(?:tests?|checks?|all) pass|committed|pushed|created|` +
		`implemented|updated|removed|` +
		`renamed|replaced|verified|confirmed|works|merged|released|deployed|all (?:tests|green))\b|已|完成|通过|修复|修好`)
	// onTheWay is a remark on the way, not what came about.
	onTheWay = pattern.New(`(?i)\b(?:already|but|should|needs?|i['’]?ll|i will|because|since|earlier|when i|said|used to|now that)\b|` +
		`^(?:first|marking|so|next)\b`)
	// concludes is a finding or a decision, gives its reason.
	concludes = pattern.New(`(?i)\b(?:root cause|turns out|the (?:bug|issue|problem|cause|reason|culprit) (?:is|was)|` +
		`found (?:that|the|a|an|\d)|confirmed|decided|chose|going with|we(?:'ll| will) use|i(?:'ll| will) (?:use|keep)|` +
		`should (?:be|stay|use)|instead of|rather than|caused by|because|means that|never|doesn't|does not|isn't|wasn't|missing)\b|` +
		`原因|决定|发现|改用|因此|问题是`)
	gives = pattern.New(`(?i)\b(?:because|since|so that|instead of|rather than|caused by|due to|which means|means that|root cause|` +
		`turns out|` +
		`the (?:bug|issue|problem|cause|reason|culprit) (?:is|was)|found that|to (?:avoid|keep))\b|因为|由于|所以|原因|发现|问题是`)
)

// chatter is a sentence that only leads to the next one.
var chatter = pattern.New(`(?i)^(?:here(?:'s| is| are) |let me know|perfect\b|great[!,.]|excellent\b|good[!,.]|done[!.]?$|all set|` +
	`now i (?:have|understand|can see)|now (?:mark|update|populate|add|create|fix|run|check|commit|move|write|replace)\b|` +
	`(?:i )?found (?:it|the (?:issue|problem|bug|cause))[!.:]*$|yes\b.{0,20}[.!]$|exactly\b.{0,60}$|all done[.!]?$|` +
	`good (?:clarification|question|instinct|point|call)\b.{0,20}[.!]?$|` +
	`now [a-z]+[^s\s] (?:the|a|an|it|them|this|that|all|\x60)|(?:so |then |but )?i need to\b|this is a continuation|` +
	`i (?:now )?have a (?:complete|full|good|clear)|i (?:now )?(?:have|understand|see)\b.{0,30}$|meanwhile|wait,|hmm|` +
	`ok(?:ay)?[,.]|think about|(?:final )?summary\b.{0,20}$|no response requested|i(?:['’]m| am) (?:now |also |just )?\w+ing\b|` +
	`i['’]ll\b|this is just|(?:still |now )?waiting|while (?:they|it|those|these|the) |anything else|\(?that's just|好的|下面是|以下是)`)

// lastSentences are the last sentences of a text within a limit.
func lastSentences(text string, limit int) string {
	out := ""
	facts.Sentences(tail(text, 8*limit), func(s string) {
		if out != "" {
			out += ". "
		}
		out += s
	})
	for chars(out) > limit {
		_, rest, more := strings.Cut(out, ". ")
		if !more {
			return ""
		}
		out = rest
	}
	return out
}

// withoutChatter is a text without the lines that only lead to the next one, but for its
// last, and with the rows of its tables as lines: they hold the findings of many a report.
func withoutChatter(text string) string {
	var b strings.Builder
	left := len(text)
	for l := range strings.Lines(text) {
		left -= len(l)
		row := strings.TrimSpace(l)
		if strings.HasPrefix(row, "|") {
			if l = tableCells(row, english) + "\n"; l == "\n" {
				continue
			}
		} else if left > courtesy {
			bare := strings.TrimSpace(strings.TrimLeft(row, "#*- "))
			if end := strings.IndexAny(bare, ".!:"); chatter.MatchString(bare) && end >= 0 && end < 120 {
				bare = strings.TrimLeft(bare[end+1:], " *")
				l = bare + "\n"
			}
		}
		b.WriteString(l)
	}
	return b.String()
}
