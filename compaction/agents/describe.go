package agents

import (
	"strings"

	"palimpsest/compaction/summarize"
)

// DigestRunes is how much of one text a state description has, in code points;
// three dots say that there is more.
const DigestRunes = 50

// digest is a text as a state description has it: on one line, and only its
// beginning if it is long.
func digest(text string) string {
	text = summarize.Truncate(text, 2*DigestRunes+1) // a line end may be two code points
	text = lineEnds.Replace(string([]rune(text)))    // invalid bytes as U+FFFD
	return summarize.Truncate(text, DigestRunes)
}

var lineEnds = strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ")

// phase is one part of a state description.
type phase struct {
	kind phaseKind
	text string
}

type phaseKind uint8

const (
	phaseInput phaseKind = iota
	phaseOutput
	phaseTool
	phaseFailure
)

var (
	chinesePhases = [...]string{"输入: ", "输出: ", "调用工具: ", "错误: "}
	englishPhases = [...]string{"Input: ", "Output: ", "Calling tool: ", "Error: "}
)

func phaseLabels(lang summarize.Lang) *[4]string {
	if lang == summarize.Chinese {
		return &chinesePhases
	}
	return &englishPhases
}

// describe writes a state description.
func describe(phases []phase, lang summarize.Lang) string {
	labels := phaseLabels(lang)
	var b strings.Builder
	for i, p := range phases {
		if i > 0 {
			b.WriteString(" | ")
		}
		b.WriteString(labels[p.kind] + p.text)
	}
	return b.String()
}

// enter begins a phase. The state keeps the latest input and the current phase,
// so that it stays short however long the agent works.
func (x *contextState) enter(p phase, compat Compat) {
	switch {
	case compat.StateAppend:
		x.phases = append(x.phases, p)
	case p.kind != phaseInput && len(x.phases) > 0 && x.phases[0].kind == phaseInput:
		x.phases = []phase{x.phases[0], p}
	default:
		x.phases = []phase{p}
	}
}

// failureText is the text of a failure in a context.
func failureText(reason string, lang summarize.Lang) string {
	return phaseLabels(lang)[phaseFailure] + reason
}

// cutFailure is the text of a failure without its label, which may be in either
// language.
func cutFailure(text string) string {
	for _, lang := range []summarize.Lang{summarize.Chinese, summarize.English} {
		if rest, ok := strings.CutPrefix(text, phaseLabels(lang)[phaseFailure]); ok {
			return rest
		}
	}
	return text
}
