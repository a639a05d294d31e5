package agents

import (
	"strings"

	"palimpsest/compaction/summarize"
)

// DigestRunes bounds what a state description tells of one text, in code
// points; three dots say that there is more.
const DigestRunes = 50

// digest is a text as a state description tells it: on one line, and its
// beginning if it is long.
func digest(text string) string {
	var b strings.Builder
	n := 0
	cr := false
	for _, r := range text {
		if r == '\n' && cr {
			cr = false // "\r\n" is one line end
			continue
		}
		if cr = r == '\r'; cr || r == '\n' {
			r = ' '
		}
		if n == DigestRunes {
			b.WriteString("...")
			break
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// phase is one thing a state description tells.
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

// describe spells a state description.
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

// enter begins a phase. A state is the latest input and the current phase, so
// that it stays short however long the agent works.
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

// failureText is how a context tells of a failure.
func failureText(reason string, lang summarize.Lang) string {
	return phaseLabels(lang)[phaseFailure] + reason
}

// cutFailure takes the label off again, in whatever language it was written.
func cutFailure(text string) string {
	for _, lang := range []summarize.Lang{summarize.Chinese, summarize.English} {
		if rest, ok := strings.CutPrefix(text, phaseLabels(lang)[phaseFailure]); ok {
			return rest
		}
	}
	return text
}
