package summarize

import (
	"regexp"
	"strings"
	"sync"
)

// The fields of a step record, in the order in which they are written.
const (
	fieldStatus = iota
	fieldProgress
	fieldGoal
	fieldResult
	fieldScore
	fieldPassed
	fieldCount
)

// field knows how one field is marked in a phase's text. The first two names
// are the markers the step agents are instructed to write; the others are what models
// write instead.
type field struct {
	phase phase
	names []string
	tries []*regexp.Regexp // tried in this order
	ends  *regexp.Regexp
}

var fieldTable = [fieldCount]field{
	{phase: phaseAnalysis, names: []string{"任务状态", "Task Status", "状态", "当前状态", "Status", "Task State"}},
	{phase: phaseAnalysis, names: []string{"完成度评估", "Progress Assessment", "完成度", "进度评估", "进度", "Progress", "Completion",
		"Completion Assessment"}},
	{phase: phaseExecution, names: []string{"执行目标", "Execution Goal", "目标", "Goal", "Objective"}},
	{phase: phaseExecution, names: []string{"执行结果", "Execution Result", "Execution Results", "关键结果", "结果", "Key Result",
		"Result", "Results"}},
	{phase: phaseSupervision, names: []string{"质量评分", "Quality Score", "评分", "质量得分", "Score"}},
	{phase: phaseSupervision, names: []string{"是否通过", "Passed", "通过", "是否合格", "Pass", "Approved"}},
}

const (
	colons = `[:：]`
	blank  = `[ \t\x{a0}\x{3000}]*`
)

// anyMarker is what ends a field: at a line start, bold text with a colon in or
// after it. Bold words inside a value do not end it.
const anyMarker = `(?m:^)` + blank + `(?:(?:[-*>+]|#{1,6}|\d{1,2}[.)])[ \t]+)?(?:\*\*[^*\n]{1,60}` + colons + blank +
	`\*\*|\*\*[^*\n]{1,60}\*\*` + blank + colons + `)`

// makeFields makes the expressions, when the first step is read: few programs read any.
var makeFields = sync.OnceFunc(func() {
	var known []string
	for i := range fieldTable {
		known = append(known, fieldTable[i].names[:2]...)
	}
	// Known markers end a field anywhere, since some models write one line.
	ends := regexp.MustCompile(anyMarker + `|` + bold(known))
	plainEnds := regexp.MustCompile(anyMarker + `|` + bold(known) + `|` + plain(allNames()))
	for i := range fieldTable {
		f := &fieldTable[i]
		var exact []string
		for _, n := range f.names[:2] {
			exact = append(exact, regexp.QuoteMeta("**"+n+":**"))
		}
		f.tries = []*regexp.Regexp{
			regexp.MustCompile(strings.Join(exact, "|")),
			regexp.MustCompile(bold(f.names[:2])),
			regexp.MustCompile(`(?m:^)[^*\n]{0,8}` + bold(f.names)),
			regexp.MustCompile(plain(f.names)),
		}
		f.ends = ends
	}
	plainFieldEnds = plainEnds
})

// plainFieldEnds ends a field whose own marker is not bold.
var plainFieldEnds *regexp.Regexp

func allNames() []string {
	var all []string
	for i := range fieldTable {
		all = append(all, fieldTable[i].names...)
	}
	return all
}

func namePattern(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = strings.ReplaceAll(regexp.QuoteMeta(n), " ", `[ _\t]*`)
	}
	return `(?i:` + strings.Join(q, "|") + `)`
}

// bold matches **name:** and **name**: in any spelling of colon and spaces.
func bold(names []string) string {
	n := namePattern(names)
	return `\*\*` + blank + n + blank + `(?:` + colons + blank + `\*\*|\*\*` + blank + colons + `)`
}

// plain matches "name:" at a line start.
func plain(names []string) string {
	return `(?m:^)` + blank + `(?:(?:[-*>+]|#{1,6})[ \t]+)?` + namePattern(names) + blank + colons
}

// extract finds the field's value: that of the first marker with a value, the
// exact spelling preferred over others, but for what c
// switches off. "" is not found.
func (f *field) extract(text string, c StepCompat) string {
	makeFields()
	if c.Markers {
		return f.behind("**"+f.names[0]+":**", text, c)
	}
	for k, re := range f.tries {
		ends := f.ends
		if k == len(f.tries)-1 {
			ends = plainFieldEnds
		}
		for _, at := range re.FindAllStringIndex(text, 8) {
			if v := unopened(Trim(f.value(text[at[1]:], ends, c)), c); v != "" {
				return v
			}
		}
	}
	return ""
}

// unopened is a value without the asterisks that begin it and belong to nothing:
// "**Result:**** done" has two too many. Bold words at its start stay bold.
func unopened(v string, c StepCompat) string {
	if c.FieldEnd || !strings.HasPrefix(v, "**") || strings.Count(v, "**")%2 == 0 {
		return v
	}
	return Trim(v[len("**"):])
}

// behind is the value behind the first of a marker in one spelling.
func (f *field) behind(marker, text string, c StepCompat) string {
	_, rest, found := strings.Cut(text, marker)
	if !found {
		return ""
	}
	return Trim(f.value(rest, f.ends, c))
}

// value is the text behind a marker.
func (f *field) value(rest string, ends *regexp.Regexp, c StepCompat) string {
	if c.FieldEnd {
		v, _, _ := strings.Cut(rest, "**")
		return v
	}
	return upTo(rest, ends)
}

// upTo is the text behind a marker, to the next match.
func upTo(rest string, ends *regexp.Regexp) string {
	at := ends.FindStringIndex(rest)
	if at != nil && at[0] == 0 {
		// Right after a marker is no line start: the match counts only if it is
		// a known marker, which needs none.
		at = ends.FindStringIndex("x" + rest)
		if at != nil {
			at[0]--
		}
	}
	if at == nil {
		return rest
	}
	return rest[:at[0]]
}

// Trim strips code points up to U+0020 at both ends, as the step agents'
// language does: a no-break space stays.
func Trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
}
