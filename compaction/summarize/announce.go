package summarize

import (
	"fmt"
	"strings"

	"palimpsest/model"
	"palimpsest/model/pattern"
)

// Announcement is a summary that says only what is no longer there:
// how many messages of which kind, and that the originals are kept. Former
// summaries are carried on word for word, since nothing else holds them. It
// invents nothing. first and last are numbers shown to people.
func Announcement(entries []Entry, l Lang, first, last int) string {
	n := map[model.Kind]int{}
	calls := 0
	for i := range entries {
		if m := entries[i].Msg; m != nil {
			n[m.Kind]++
			calls += len(m.Calls)
		}
	}
	users, agents, results := n[model.KindUser], n[model.KindAssistant], n[model.KindResult]
	w := promptWordsOf(l)
	text := fmt.Sprintf("messages %s are no longer in the context (%s, %s, %s, %s). "+
		"No summary could be made; the originals are kept in the full history.", span(first, last),
		plural(users, "user message"), plural(agents, "agent message"), plural(calls, "tool call"), plural(results, "tool result"))
	if l == Chinese {
		text = fmt.Sprintf("消息 %s 已移出上下文（用户消息 %d 条，助手消息 %d 条，工具调用 %d 次，工具结果 %d 条）。未能生成摘要；原文保留在完整历史中。",
			span(first, last), users, agents, calls, results)
	}
	lines := []string{w.prefix + separator(w) + text}
	formers, _ := aside(entries)
	for _, f := range formers {
		lines = append(lines, strings.TrimSpace(f[prefixOf(f):]))
	}
	return strings.Join(lines, "\n")
}

// LeftOutRange is what was left out of a list unsummarised: numbers shown to
// people, from 1, both ends inclusive. No turns: zero.
type LeftOutRange struct {
	Messages, Turns model.Range
}

// LeftOut is the notice in the place of messages that a hard limit left out
// without a summary. Like every line that says which messages it covers, a later
// summary carries it on.
func LeftOut(l Lang, r LeftOutRange) string {
	n, messages, turns := r.Messages.To-r.Messages.From+1, span(r.Messages.From, r.Messages.To), ""
	if l == Chinese {
		if r.Turns.To > 0 {
			turns = fmt.Sprintf("（第 %s 轮）", span(r.Turns.From, r.Turns.To))
		}
		return fmt.Sprintf("消息 %s%s共 %d 条%s；原文保留在完整历史中。", messages, turns, n, leftOutChinese)
	}
	if r.Turns.To > 0 {
		turns = fmt.Sprintf(" (turn %s)", span(r.Turns.From, r.Turns.To))
		if r.Turns.From < r.Turns.To {
			turns = strings.Replace(turns, "turn", "turns", 1)
		}
	}
	return fmt.Sprintf("Messages %s%s %s (%s); the full history keeps them.", messages, turns, leftOutEnglish, plural(n, "message"))
}

const leftOutEnglish, leftOutChinese = "were left out without a summary", "已移出上下文，未做摘要"

var leftOutNotice = pattern.New(`^(?:Messages \d+(?:–\d+)?(?: \(turns? [\d–]+\))? ` + leftOutEnglish +
	`|消息 \d+(?:–\d+)?(?:（第 [\d–]+ 轮）)?共 \d+ 条` + leftOutChinese + `)`)

// IsLeftOut reports whether a message text is such a notice, with or without the
// heading of a summary.
func IsLeftOut(text string) bool {
	text, _ = StripHeading(text)
	return leftOutNotice.MatchString(strings.TrimSpace(text))
}
