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
	h := newSteps(t, FixedSettings(5, 3, 5000))
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
	if got, err := h.Within(5, count); !errors.Is(err, ErrBudget) || got != "" {
		t.Errorf("%v, %q", err, got)
	}
	if _, err := h.Within(5, nil); err == nil {
		t.Error("counted without a count")
	}
	empty := newSteps(t, DefaultSettings())
	if got, err := empty.Within(100, count); got != "[First execution]" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := empty.Within(3, count); got != "" || !errors.Is(err, ErrBudget) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestX4Find(t *testing.T) {
	h := newSteps(t, FixedSettings(4, 2, 0))
	for n := 1; n <= 10; n++ {
		in := doneEN(n)
		switch n {
		case 3:
			in.Error = "disk FULL"
		case 9:
			in = Input{Number: n, Analysis: new("异常"), Supervision: new("timed out")}
		}
		add(t, h, in)
	}
	all := h.Steps()
	for name, c := range map[string]struct {
		q     Query
		steps []int
		sums  []int // their first steps
	}{
		"everything":          {Query{}, []int{7, 8, 9, 10}, []int{1, 3, 5}},
		"a range":             {Query{Steps: &summarize.StepRange{From: 4, To: 7}}, []int{7}, []int{3, 5}},
		"an empty range":      {Query{Steps: &summarize.StepRange{From: 20, To: 30}}, nil, nil},
		"a text in any case":  {Query{Text: "Disk full"}, nil, []int{3}},
		"a text in all":       {Query{Text: "/srv/out/"}, []int{7, 8, 10}, []int{1, 3, 5}},
		"errors":              {Query{Failed: true}, []int{9}, []int{3}},
		"since":               {Query{Since: time.UnixMilli(all[2].Timestamp)}, []int{9, 10}, nil},
		"until":               {Query{Until: time.UnixMilli(h.Layer()[1].FirstAt)}, nil, []int{1}},
		"between":             {Query{Since: time.UnixMilli(h.Layer()[2].LastAt), Until: time.UnixMilli(all[1].Timestamp)}, []int{7}, []int{5}},
		"errors with a text":  {Query{Failed: true, Text: "timed"}, []int{9}, nil},
		"errors out of range": {Query{Failed: true, Steps: &summarize.StepRange{From: 1, To: 2}}, nil, nil},
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
