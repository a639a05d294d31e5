package summarize

import (
	"fmt"
	"strings"

	"palimpsest/model"
)

// phase is one of the three messages of a step record.
type phase uint8

const (
	phaseNone phase = iota
	phaseAnalysis
	phaseExecution
	phaseSupervision
)

// phaseOf is the message's phase; phaseNone for every message that is no part of
// a step record.
func phaseOf(m *model.Message) phase {
	if m.Step <= 0 {
		return phaseNone
	}
	switch m.Name {
	case "analysis":
		return phaseAnalysis
	case "execution":
		return phaseExecution
	case "supervision":
		return phaseSupervision
	}
	return phaseNone
}

// Step is the text of one step record. A phase that did not run is "".
type Step struct {
	Number                           int
	Analysis, Execution, Supervision string
	Failed                           bool   // the record says that the step ended in an error
	Error                            string // the error's own text, if the record has one; then it has failed
}

const (
	fieldLimit = 200 // code points of one field
	errorLimit = 500 // code points of an error step's message
	phaseBytes = 256 << 10
)

// stepFacts is what a summary says of a step.
type stepFacts struct {
	field [fieldCount]string
	// err is the message of a step that ended in an error, or the text of one
	// that has no field at all: six times "not provided" would say nothing.
	err    string
	failed bool
}

// facts reads the step's fields, with the corrections F6, F7, F9, F10 and F12
// but for those that c switches off.
func (s *Step) facts(c StepCompat) stepFacts {
	text := map[phase]string{phaseAnalysis: s.Analysis, phaseExecution: s.Execution, phaseSupervision: s.Supervision}
	if !c.Markers {
		for p, t := range text {
			text[p] = bounded(t)
		}
	}
	var f stepFacts
	found := map[phase]bool{}
	for i := range fieldTable {
		p := fieldTable[i].phase
		if v := fieldTable[i].extract(text[p], c); v != "" {
			f.field[i] = c.limit(i, v)
			found[p] = true
		}
	}
	if c.Markers {
		return f
	}
	f.failed = s.Failing()
	switch {
	case Trim(s.Error) != "":
		f.err = line(s.Error, errorLimit)
	case f.failed || len(found) == 0:
		f.err = message(text, found, f.failed)
	}
	return f
}

// Failing reports whether the step ended in an error: its record says so, or a
// phase holds nothing but the words that an exception branch writes.
func (s *Step) Failing() bool {
	return s.Failed || s.Error != "" || errorWord(s.Analysis) || errorWord(s.Execution)
}

// message is the literal text of a phase that has no fields and says more than that
// there was an error: of a step that failed the last one, else the execution's, which
// is the result.
func message(text map[phase]string, found map[phase]bool, failed bool) string {
	order := []phase{phaseExecution, phaseSupervision, phaseAnalysis}
	if failed {
		order = []phase{phaseSupervision, phaseExecution, phaseAnalysis}
	}
	for _, p := range order {
		if t := text[p]; !found[p] && !errorWord(t) && Trim(t) != "" {
			return line(t, errorLimit)
		}
	}
	return ""
}

// errorWord matches the fixed words that a step agent's exception branch writes
// in place of a phase.
func errorWord(s string) bool {
	if len(s) > 64 {
		return false
	}
	switch strings.ToLower(strings.Trim(s, " \t\r\n*.!。！")) {
	case "异常", "执行异常", "错误", "执行错误", "执行失败", "error", "exception", "execution error", "execution exception", "execution failed":
		return true
	}
	return false
}

// bounded takes the ends of a phase that is too long to search, without escapes
// and control characters.
func bounded(s string) string {
	return plainText(ends(s, phaseBytes/2))
}

// keyInfo is the key information of one step, a label and a value a line.
func (w *words) keyInfo(n int, f *stepFacts) string {
	var b strings.Builder
	fmt.Fprintf(&b, w.stepLabel+"\n", n)
	put := func(label, value string) {
		if value == "" {
			value = w.absent
		}
		fmt.Fprintf(&b, "  %s: %s\n", label, value)
	}
	if !f.special() {
		for i, label := range w.fields {
			put(label, f.field[i])
		}
		return b.String()
	}
	if f.failed && f.field[fieldStatus] == "" {
		put(w.fields[fieldStatus], w.errStatus)
	}
	for i, label := range w.fields {
		if f.field[i] != "" {
			put(label, f.field[i])
		}
	}
	if f.failed {
		put(w.errLabel, f.err)
	} else if f.field[fieldResult] == "" {
		put(w.fields[fieldResult], f.err)
	}
	return b.String()
}

// special reports whether the six lines would not say what happened in a step.
// That is not so for an empty step: that nothing is provided is all there is to say.
func (f *stepFacts) special() bool { return f.failed || f.err != "" }
