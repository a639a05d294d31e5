package summarize

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"palimpsest/model/pattern"
)

// cover is what the first line of a summary says: which messages it covers, and
// how much happened in them.
type cover struct {
	first, last   int // messages
	turns, steps  [2]int
	calls, failed int
}

var (
	coverEN = pattern.New(`^Messages? (\d{1,8})(?:–(\d{1,8}))?(?:: (.+))?\.$`)
	coverZH = pattern.New(`^消息 (\d{1,8})(?:–(\d{1,8}))?(?:：(.+))?。$`)
	// One part of such a line; which group holds says what is counted.
	coverPart = pattern.New(`^(?:turns? (\d{1,8})(?:–(\d{1,8}))?|第 (\d{1,8})(?:–(\d{1,8}))? 轮` +
		`|steps? (\d{1,8})(?:–(\d{1,8}))?|步骤 (\d{1,8})(?:–(\d{1,8}))?` +
		`|(\d{1,8}) calls?|(\d{1,8}) 次调用|(\d{1,8}) (?:failed|errors?)|(\d{1,8}) (?:次失败|个错误))$`)
)

// readCover reads the line that [words.overview] wrote; false for any other.
func readCover(l string) (cover, bool) {
	m, sep := coverEN.FindStringSubmatch(l), ", "
	if m == nil {
		if m, sep = coverZH.FindStringSubmatch(l), "，"; m == nil {
			return cover{}, false
		}
	}
	r := numbers(m[1:3])
	c := cover{first: r[0], last: r[1]}
	if m[3] == "" {
		return c, c.first <= c.last
	}
	for _, part := range strings.Split(m[3], sep) {
		p := coverPart.FindStringSubmatch(part)
		if p == nil {
			return cover{}, false
		}
		switch {
		case p[1]+p[3] != "":
			c.turns = numbers([]string{p[1] + p[3], p[2] + p[4]})
		case p[5]+p[7] != "":
			c.steps = numbers([]string{p[5] + p[7], p[6] + p[8]})
		case p[9]+p[10] != "":
			c.calls = numbers([]string{p[9] + p[10], ""})[0]
		default:
			c.failed = numbers([]string{p[11] + p[12], ""})[0]
		}
	}
	return c, c.first <= c.last
}

// numbers reads a range whose end may be missing.
func numbers(s []string) [2]int {
	a, _ := strconv.Atoi(s[0])
	b, err := strconv.Atoi(s[1])
	if err != nil {
		b = a
	}
	return [2]int{a, b}
}

// join adds a cover that begins no earlier and follows directly or overlaps; one
// inside was counted before.
func (c *cover) join(o cover) {
	if o.last <= c.last {
		return
	}
	c.last = o.last
	c.calls, c.failed = c.calls+o.calls, c.failed+o.failed
	widen := func(a *[2]int, b [2]int) {
		if *a == [2]int{} {
			*a = b
		} else if b != [2]int{} {
			*a = [2]int{min(a[0], b[0]), max(a[1], b[1])}
		}
	}
	widen(&c.turns, o.turns)
	widen(&c.steps, o.steps)
}

// joinCovers makes one of adjacent covers, so that a summary of many summaries does not
// consist of their first lines.
func joinCovers(covers []cover) (joined []cover) {
	slices.SortStableFunc(covers, func(a, b cover) int { return a.first - b.first })
	for _, c := range covers {
		if k := len(joined) - 1; k >= 0 && c.first <= joined[k].last+1 {
			joined[k].join(c)
		} else {
			joined = append(joined, c)
		}
	}
	return joined
}

// overviewLine is the first line of a summary; [readCover] reads it.
func (w *words) overviewLine(c cover) string {
	var parts []string
	if c.turns != [2]int{} {
		parts = append(parts, w.counted(c.turns, "turn", "第 %s 轮"))
	}
	if c.steps != [2]int{} {
		parts = append(parts, w.counted(c.steps, "step", "步骤 %s"))
	}
	if t := w.tally(c.calls, c.failed); t != "" {
		parts = append(parts, t)
	}
	if w.lang == Chinese {
		return "消息 " + span(c.first, c.last) + strings.TrimSuffix("："+strings.Join(parts, "，"), "：") + "。"
	}
	m := "Message "
	if c.first != c.last {
		m = "Messages "
	}
	return m + span(c.first, c.last) + strings.TrimSuffix(": "+strings.Join(parts, ", "), ": ") + "."
}

// counted names a range of turns or steps.
func (w *words) counted(r [2]int, one, chinese string) string {
	switch {
	case w.lang == Chinese:
		return fmt.Sprintf(chinese, span(r[0], r[1]))
	case r[0] != r[1]:
		one += "s"
	}
	return one + " " + span(r[0], r[1])
}
