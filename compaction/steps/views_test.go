package steps

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction/summarize"
)

func TestA14WithinBudget(t *testing.T) {
	count := func(s string) int { return len([]rune(s)) }
	h := newSteps(t, FixedStepSettings(5, 3, 5000))
	addAll(t, h, 1, 10, padded(700))
	full := h.Text()
	if got, err := h.Within(count(full), count); got != full || err != nil {
		t.Errorf("what fits is changed: %v\n%s", err, got)
	}
	got, err := h.Within(2300, count)
	if err != nil || !strings.HasPrefix(got, "步骤1-8执行摘要:\n步骤1: 进行中; 果果") && !strings.HasPrefix(got, "步骤1-7执行摘要:\n步骤1: 进行中; 果果") ||
		!strings.HasSuffix(full, got[strings.Index(got, "=== "):]) {
		t.Errorf("%v\n%s", err, got)
	}
	got, err = h.Within(500, count) // less than one step
	if err != nil || !strings.Contains(got, "=== 第 10 步完整记录 ===\n【分析阶段】析析") || strings.Contains(got, "第 9 步") || !strings.Contains(got, "...") {
		t.Errorf("%v\n%s", err, got)
	}
	got, err = h.Within(20, count)
	if err != nil || got != "[已省略步骤 1-10]" {
		t.Errorf("%v, %q", err, got)
	}
	if got, err := h.Within(5, count); !errors.Is(err, ErrStepBudget) || got != "" {
		t.Errorf("%v, %q", err, got)
	}
	if _, err := h.Within(5, nil); err == nil {
		t.Error("counted without a count")
	}
	empty := newSteps(t, DefaultStepSettings())
	if got, err := empty.Within(100, count); got != "[First execution]" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := empty.Within(3, count); got != "" || !errors.Is(err, ErrStepBudget) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestX4Find(t *testing.T) {
	h := newSteps(t, FixedStepSettings(4, 2, 0))
	for n := 1; n <= 10; n++ {
		in := doneEN(n)
		switch n {
		case 3:
			in.Error = "disk FULL"
		case 9:
			in = StepInput{Number: n, Analysis: new("异常"), Supervision: new("timed out")}
		}
		add(t, h, in)
	}
	all := h.Steps()
	for name, c := range map[string]struct {
		q     StepQuery
		steps []int
		sums  []int // their first steps
	}{
		"everything":          {StepQuery{}, []int{7, 8, 9, 10}, []int{1, 3, 5}},
		"a range":             {StepQuery{Steps: &summarize.StepRange{From: 4, To: 7}}, []int{7}, []int{3, 5}},
		"an empty range":      {StepQuery{Steps: &summarize.StepRange{From: 20, To: 30}}, nil, nil},
		"a text in any case":  {StepQuery{Text: "Disk full"}, nil, []int{3}},
		"a text in all":       {StepQuery{Text: "/srv/out/"}, []int{7, 8, 10}, []int{1, 3, 5}},
		"errors":              {StepQuery{Failed: true}, []int{9}, []int{3}},
		"since":               {StepQuery{Since: time.UnixMilli(all[2].Timestamp)}, []int{9, 10}, nil},
		"until":               {StepQuery{Until: time.UnixMilli(h.Layer()[1].FirstAt)}, nil, []int{1}},
		"between":             {StepQuery{Since: time.UnixMilli(h.Layer()[2].LastAt), Until: time.UnixMilli(all[1].Timestamp)}, []int{7}, []int{5}},
		"errors with a text":  {StepQuery{Failed: true, Text: "timed"}, []int{9}, nil},
		"errors out of range": {StepQuery{Failed: true, Steps: &summarize.StepRange{From: 1, To: 2}}, nil, nil},
	} {
		found := h.Find(c.q)
		var steps, sums []int
		for _, r := range found.Steps {
			steps = append(steps, r.Number)
		}
		for _, s := range found.Summaries {
			sums = append(sums, s.StartStep)
		}
		if !reflect.DeepEqual(steps, c.steps) || !reflect.DeepEqual(sums, c.sums) {
			t.Errorf("%s: steps %v and summaries of %v, want %v and %v", name, steps, sums, c.steps, c.sums)
		}
	}
}
