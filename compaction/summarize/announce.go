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
	var users, agents, calls, results int
	for i := range entries {
		if entries[i].Msg == nil {
			continue
		}
		switch entries[i].Msg.Kind {
		case model.KindUser:
			users++
		case model.KindAssistant:
			agents++
		case model.KindResult:
			results++
		}
		calls += len(entries[i].Msg.Calls)
	}
	w := wordsOf(l)
	said := w.announced(first, last, users, agents, calls, results)
	formers, _ := aside(entries)
	for i, f := range formers {
		formers[i] = strings.TrimSpace(f[prefixOf(f):])
	}
	return strings.Join(append([]string{promptWordsOf(l).prefix + separator(promptWordsOf(l)) + said}, formers...), "\n")
}

// announced says what a summary without content stands for.
func (w *words) announced(first, last, users, agents, calls, results int) string {
	if w.lang == Chinese {
		return fmt.Sprintf("消息 %s 已移出上下文（用户消息 %d 条，助手消息 %d 条，工具调用 %d 次，工具结果 %d 条）。未能生成摘要；原文保留在完整历史中。",
			span(first, last), users, agents, calls, results)
	}
	return fmt.Sprintf("messages %s are no longer in the context (%s, %s, %s, %s). No summary could be made; the originals are kept in the full history.",
		span(first, last), plural(users, "user message"), plural(agents, "agent message"), plural(calls, "tool call"), plural(results, "tool result"))
}
