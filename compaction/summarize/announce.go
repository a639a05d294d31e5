package summarize

import (
	"fmt"
	"strings"

	"palimpsest/model"
)

// Announcement is a summary that says only what is no longer there (spec K7):
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
