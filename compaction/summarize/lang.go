package summarize

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"palimpsest/model"
)

// Lang is the language of the summary's own words. What a history says stays in
// the language it was said in.
type Lang string

const (
	Auto    Lang = ""   // that of the history
	English Lang = "en" // also for every language without labels of its own
	Chinese Lang = "zh"
)

const (
	sampleTotal = 20000 // code points read to detect the language
	samplePart  = 400   // of these from one part, so that one pasted file does not decide
)

// letters counts what distinguishes Chinese from the rest: Han letters against Latin
// words, two letters making about one word. Kana shows that Han letters are
// Japanese.
type letters struct{ han, kana, words, read int }

func (l *letters) add(s string) {
	inWord := false
	n := 0
	for _, r := range s {
		if n++; n > samplePart || l.read > sampleTotal {
			return
		}
		l.read++
		latin := false
		switch {
		case r < utf8.RuneSelf:
			latin = r|0x20 >= 'a' && r|0x20 <= 'z'
		case unicode.Is(unicode.Han, r):
			l.han++
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			l.kana++
		case unicode.Is(unicode.Latin, r):
			latin = true
		}
		if latin && !inWord {
			l.words++
		}
		inWord = latin
	}
}

func (l *letters) lang() Lang {
	if l.han > 2*l.words && l.kana*5 < l.han {
		return Chinese
	}
	return English
}

// LangOf is the language of texts: [Auto] when they hold no word to detect it by.
func LangOf(texts ...string) Lang {
	var l letters
	for _, s := range texts {
		l.add(s)
	}
	if l.han == 0 && l.words == 0 {
		return Auto
	}
	return l.lang()
}

// HistoryLang is the language a summary of the entries is written in when none is
// set: English or Chinese.
func HistoryLang(entries []Entry) Lang { return detect(entries) }

// detect returns the language of a history. People's and agents' words count;
// tool output does not.
func detect(entries []Entry) Lang {
	var l letters
	for i := range entries {
		e := &entries[i]
		l.add(e.Former)
		if e.Msg == nil || e.Msg.Kind == model.KindResult {
			continue
		}
		for _, p := range e.Parts {
			if p.Kind == model.PartText {
				l.add(p.Text)
			}
		}
		if l.read > sampleTotal {
			break
		}
	}
	return l.lang()
}

// The kinds of remarks about how things are.
const (
	stateSaid = iota
	stateThought
	stateBefore
	stateFound
	stateCall
	stateCallBefore
	stateRead
	statePlanning
	stateConflicts
	stateUncommitted
	stateStashed
	stateUnpushed
	stateFailed
	stateTest
	stateRunning
	stateOpen
	stateBranch
	stateNext
	stateKinds
)

// words are the summary's own words in one language.
type words struct {
	lang    Lang
	heading string
	earlier string // the section of former summaries
	user    string
	agent   string
	failed  string // title of the failed calls
	last    string // title of the last calls
	ok      string
	fail    string // outcome without its message
	colon   string

	absent    string // a field of a step that is not given
	stepLabel string
	fields    [fieldCount]string
	errLabel  string
	errStatus string

	noteColumns []string
	stepColumns []string

	parts [noteParts]string // heads of the parts of a note
	state [stateKinds]string
}

var english = &words{
	lang: English, heading: "[Conversation summary - earlier context]", earlier: "Earlier:",
	user: "User: ", agent: "Agent: ", failed: "Failed:", last: "Last:",
	ok: "ok", fail: "failed", colon: ": ",
	absent: "not provided", stepLabel: "Step %d:",
	fields:   [fieldCount]string{"Task status", "Progress", "Goal", "Key result", "Quality score", "Passed"},
	errLabel: "Error", errStatus: "error",
	noteColumns: []string{"Messages", "Part", "What"},
	stepColumns: []string{"Step", "Status", "Progress", "Goal", "Result", "Score", "Passed", "Error"},
	parts: [noteParts]string{"## Goal and asks", "## Standing orders", "## To-dos", "## State now",
		"## Done, oldest first: later lines overrule",
		"## Decisions and findings, oldest first: later lines overrule", "## Files changed", "## Commits"},
	state: [stateKinds]string{"Last said: ", "Last thought: ", "Said before the last ask: ", "Found: ",
		"Last call: ", "Earlier call: ", "No change seen, read so far: ", "Plan mode: ", "Conflicts to resolve: ",
		"Changed and not committed: ",
		"Changed and put away by git stash, not taken back: ",
		"Committed, no push seen since: ", "Failed, not seen to work later: ",
		"Last test: ", "Running: ", "No result yet: ", "Branch: ", "Next: "},
}

var chinese = &words{
	lang: Chinese, heading: "[对话摘要 - 早期上下文]", earlier: "更早：",
	user: "用户：", agent: "助手：", failed: "失败：", last: "最后：",
	ok: "成功", fail: "失败", colon: "：",
	absent: "未提供", stepLabel: "步骤%d:",
	fields:   [fieldCount]string{"任务状态", "完成度", "执行目标", "关键结果", "质量评分", "是否通过"},
	errLabel: "错误", errStatus: "异常",
	noteColumns: []string{"消息", "部分", "内容"},
	stepColumns: []string{"步骤", "状态", "完成度", "目标", "结果", "评分", "通过", "错误"},
	parts: [noteParts]string{"## 目标与请求", "## 长期指令", "## 待办", "## 当前状态", "## 已完成（由早到晚，以后者为准）",
		"## 决定与发现（由早到晚，以后者为准）", "## 改动的文件", "## 提交"},
	state: [stateKinds]string{"最后所说：", "最后所想：", "最后请求之前所说：", "查到：", "最后的调用：", "较早的调用：", "未见改动，已读：", "计划模式：",
		"待解决的冲突：", "已改动未提交：", "改动已被 git stash 收起，尚未取回：", "已提交，此后未见推送：", "失败且未见修复：", "最近的测试：", "正在运行：", "尚无结果：", "分支：", "下一步："},
}

// shortHead is a head without what it says of the order of its lines.
func shortHead(head string) string {
	head, _, _ = strings.Cut(head, ", ")
	head, _, _ = strings.Cut(head, "（")
	return head
}

func wordsOf(l Lang) *words {
	if l == Chinese {
		return chinese
	}
	return english
}

// Absent is the words for what a step does not say.
func Absent(l Lang) string { return wordsOf(l).absent }

// span writes a range of numbers: "3" or "3–8".
func span(a, b int) string {
	if a == b {
		return strconv.Itoa(a)
	}
	return strconv.Itoa(a) + "–" + strconv.Itoa(b)
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}

// turns names turns a–b and their messages.
func (w *words) turns(a, b, first, last int) string {
	if w.lang == Chinese {
		return fmt.Sprintf("第 %s 轮（消息 %s）", span(a, b), span(first, last))
	}
	turn, message := "Turn", "message"
	if a != b {
		turn = "Turns"
	}
	if first != last {
		message = "messages"
	}
	return turn + " " + span(a, b) + " (" + message + " " + span(first, last) + ")"
}

// tally counts calls and failures; "" when there is neither.
func (w *words) tally(calls, failed int) string {
	zh := w.lang == Chinese
	switch {
	case calls == 0 && failed == 0:
		return ""
	case calls == 0 && zh:
		return fmt.Sprintf("%d 个错误", failed)
	case calls == 0:
		return plural(failed, "error")
	case failed == 0 && zh:
		return fmt.Sprintf("%d 次调用", calls)
	case failed == 0:
		return plural(calls, "call")
	case zh:
		return fmt.Sprintf("%d 次调用，%d 次失败", calls, failed)
	}
	return fmt.Sprintf("%s, %d failed", plural(calls, "call"), failed)
}

// count is the shortest honest line.
func (w *words) count(messages, formers int) string {
	var s []string
	if messages > 0 || formers == 0 {
		s = append(s, w.either(plural(messages, "message"), fmt.Sprintf("%d 条消息", messages)))
	}
	switch {
	case formers == 1:
		s = append(s, w.either("1 summary", "1 份摘要"))
	case formers > 1:
		s = append(s, fmt.Sprintf(w.either("%d summaries", "%d 份摘要"), formers))
	}
	return strings.Join(s, w.either(", ", "，"))
}

// either chooses by the language.
func (w *words) either(english, chinese string) string {
	if w.lang == Chinese {
		return chinese
	}
	return english
}

// stepsGone marks steps that are omitted.
func (w *words) stepsGone(a, b int) string {
	return fmt.Sprintf(w.either("[steps %d-%d omitted]", "[已省略步骤 %d-%d]"), a, b)
}

// stepsTitle heads a run of step records.
func (w *words) stepsTitle(a, b int) string {
	return fmt.Sprintf(w.either("Summary of steps %d-%d:", "步骤%d-%d执行摘要:"), a, b)
}
