package steps

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func newSteps(t testing.TB, s Settings) *History {
	t.Helper()
	return newStepsWith(t, s, Env{})
}

func newStepsWith(t testing.TB, s Settings, env Env) *History {
	t.Helper()
	if env.Clock == nil {
		env.Clock = tick()
	}
	h, err := New(s, env)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func add(t testing.TB, h *History, in Input) {
	t.Helper()
	if err := h.AppendStep(context.Background(), in); err != nil {
		t.Fatal(err)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

var (
	toldAlone = regexp.MustCompile(`(?m)^(?:=== 第 (-?\d+) 步完整记录 ===|=== Full record of step (-?\d+) ===|(?:步骤|Step )(-?\d+):.*|\{"step":(-?\d+)\D.*|\| (-?\d+) \|.*)$`)
	toldRange = regexp.MustCompile(`(?m)^\[(?:已省略步骤 (-?\d+)-(-?\d+)|steps (-?\d+)-(-?\d+) omitted)\]$`)
	titled    = regexp.MustCompile(`(?m)^(?:步骤(-?\d+)-(-?\d+)执行摘要:|Summary of steps (-?\d+)-(-?\d+):|(?:步骤|Step )(-?\d+)-(-?\d+): .*)$`)
)

// toldSteps reports whether a text tells a step, alone or in a range that it
// announces as omitted. Titles of ranges count when a model wrote the text below.
func toldSteps(text string, titles bool) func(n int) bool {
	alone := map[int]bool{}
	for _, m := range toldAlone.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(strings.Join(m[1:], ""))
		alone[n] = true
	}
	ranges := toldRange.FindAllStringSubmatch(text, -1)
	if titles {
		ranges = append(ranges, titled.FindAllStringSubmatch(text, -1)...)
	}
	var spans [][2]int
	for _, m := range ranges {
		var span []int
		for _, s := range m[1:] {
			if n, err := strconv.Atoi(s); err == nil {
				span = append(span, n)
			}
		}
		spans = append(spans, [2]int{span[0], span[1]})
	}
	return func(n int) bool {
		for _, s := range spans {
			if s[0] <= n && n <= s[1] {
				return true
			}
		}
		return alone[n]
	}
}

// checkTold fails when a step of 1 … n has gone silently.
func checkTold(t testing.TB, h *History, text string, n int) {
	t.Helper()
	told := toldSteps(text, false)
	for k := 1; k <= n; k++ {
		if !told(k) {
			t.Fatalf("step %d of %d has gone silently from\n%s\n%+v", k, n, text, h.Stats())
		}
	}
}

// tick returns a clock that advances by a second each time it is read.
func tick() func() time.Time {
	var mu sync.Mutex
	at := time.Date(2025, 1, 3, 10, 0, 0, 123456789, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Second)
		return at
	}
}
