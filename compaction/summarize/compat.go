package summarize

import (
	"fmt"
	"strings"
)

// CompatStepText is [StepText] exactly as the first authors' program made it, in
// Chinese: markers in one spelling, a field ends at the next "**", only goal and
// result are limited, an error step loses its message, and a limit counts
// UTF-16 units. It is for comparison only.
func CompatStepText(steps []Step) string {
	if len(steps) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(chinese.stepsTitle(steps[0].Number, steps[len(steps)-1].Number) + "\n")
	for i := range steps {
		b.WriteString(compatKeyInfo(&steps[i]) + "\n\n")
	}
	return trim(b.String())
}

func compatKeyInfo(s *Step) string {
	text := map[phase]string{phaseAnalysis: s.Analysis, phaseExecution: s.Execution, phaseSupervision: s.Supervision}
	var b strings.Builder
	fmt.Fprintf(&b, chinese.stepLabel+"\n", s.Number)
	for i := range fieldTable {
		v := compatField(text[fieldTable[i].phase], "**"+fieldTable[i].names[0]+":**")
		if i == fieldGoal || i == fieldResult {
			v = truncateUTF16(v, fieldLimit)
		}
		if v == "" {
			v = chinese.absent
		}
		fmt.Fprintf(&b, "  %s: %s\n", chinese.fields[i], v)
	}
	return b.String()
}

// compatField is spec A19 as written.
func compatField(text, marker string) string {
	_, rest, ok := strings.Cut(text, marker)
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, "**")
	return trim(value)
}

// truncateUTF16 is spec A20 as written. Where the limit falls inside a
// surrogate pair the pair is dropped, since half of one is no text.
func truncateUTF16(s string, limit int) string {
	units := 0
	for i, r := range s {
		width := 1
		if r > 0xffff {
			width = 2
		}
		if units+width > limit {
			return s[:i] + "..."
		}
		units += width
	}
	return s
}
