package steps

import (
	"context"
	"errors"
	"math"
	"pgregory.net/rapid"
	"strings"
	"testing"
	"unicode/utf8"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// echo is a model that says little, fails now and then and sometimes says too
// much, by what it is asked.
func echo(_ context.Context, b Batch) (string, error) {
	switch n := len(b.Steps[0].Text); {
	case n%5 == 0:
		return "", errors.New("503")
	case n%7 == 0:
		return strings.Repeat("long", b.Limit), nil
	default:
		return "It went on, 步骤 and all.", nil
	}
}

func drawStepHistory(t *rapid.T) *History {
	window := rapid.SampledFrom([]int{1, 2, 3, 5, 12, 40}).Draw(t, "window")
	s := Settings{
		Window: window, Batch: rapid.IntRange(1, window).Draw(t, "batch"),
		Cap:         rapid.SampledFrom([]int{0, LeastCap, 201, 350, 1000, 5000}).Draw(t, "cap"),
		Adaptive:    rapid.Bool().Draw(t, "adaptive"),
		LeastSaving: rapid.SampledFrom([]int{0, 0, 50, 100}).Draw(t, "least saving"),
		PhaseLimit:  rapid.SampledFrom([]int{0, 0, 1, 50}).Draw(t, "phase limit"),
		Strategy:    rapid.SampledFrom([]model.Strategy{model.Extract, model.StructuredJSON, model.StructuredTable, ModelText}).Draw(t, "strategy"),
		Lang:        rapid.SampledFrom([]summarize.Lang{summarize.Auto, summarize.English, summarize.Chinese}).Draw(t, "lang"),
	}
	h, err := New(s, Env{Clock: tick(), Summarise: echo})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func drawStep(t *rapid.T) Input {
	values := []string{"", " ", "完成", "done", "生成了 **3** 个文件", "\xff\xfe", "🙂🙂", "null", "a\nb", "**", strings.Repeat("很长", 150), strings.Repeat("word ", 60), "\u00a0x\u3000"}
	phase := func(name string, markers ...string) *string {
		switch rapid.IntRange(0, 9).Draw(t, name) {
		case 0:
			return nil
		case 1:
			return new(rapid.SampledFrom([]string{"", "异常", "执行异常", "error", "boom", "**任务状态:**"}).Draw(t, name+" text"))
		}
		var b strings.Builder
		for _, m := range markers {
			if rapid.IntRange(0, 3).Draw(t, name+" has") > 0 {
				b.WriteString(m + rapid.SampledFrom(values).Draw(t, name+" value") + "\n")
			}
		}
		return new(b.String())
	}
	in := Input{
		Number:      rapid.SampledFrom([]int{1, 2, 2, 7, 100, 0, -3, math.MaxInt, math.MinInt}).Draw(t, "number"),
		Analysis:    phase("analysis", "**任务状态:** ", "**完成度评估：**", "free words "),
		Execution:   phase("execution", "**Execution Goal:** ", "**执行结果:** ", "**执行过程:** "),
		Supervision: phase("supervision", "**质量评分**: ", "是否通过: "),
		Failed:      rapid.IntRange(0, 9).Draw(t, "failed") == 0,
	}
	if rapid.IntRange(0, 9).Draw(t, "error") == 0 {
		in.Error = rapid.SampledFrom(values).Draw(t, "error text")
	}
	return in
}

// Whatever is appended under whatever settings: the layers keep their bounds
// (I12), texts are valid (I8), no step goes silently (I2), nothing is replaced by
// something longer, and the same steps give the same bytes (I9).
func TestI2I8I9I12StepHistoryProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawStepHistory(t)
		twin, err := New(h.set, Env{Clock: tick(), Summarise: echo})
		if err != nil {
			t.Fatal(err)
		}
		var steps []int
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			in := drawStep(t)
			before := length(h)
			if h.AppendStep(context.Background(), in) != nil || twin.AppendStep(context.Background(), in) != nil {
				t.Fatal("an append failed")
			}
			steps = append(steps, in.Number)
			st, text := h.Stats(), h.Text()
			if st.Detail > st.Window || h.set.Cap > 0 && st.LayerLen > h.set.Cap || st.LayerLen != utf8.RuneCountInString(h.Summaries()) {
				t.Fatalf("out of bounds: %+v", st)
			}
			if !utf8.ValidString(text) {
				t.Fatalf("not valid: %q", text)
			}
			if grown := length(h) - before - textLen(record(h, in)) - 1; grown > 0 {
				t.Fatalf("summarising made the text %d longer:\n%s", grown, text)
			}
			if h.set.Cap == 0 && st.Omitted > 0 {
				t.Fatalf("without a limit %d steps are omitted", st.Omitted)
			}
			told := toldSteps(text, h.set.Strategy == ModelText)
			for _, n := range steps {
				if !told(n) {
					t.Fatalf("step %d has gone silently from\n%s", n, text)
				}
			}
		}
		if h.Text() != twin.Text() {
			t.Fatal("the same steps gave two texts")
		}
	})
}

// length is what a history takes in code points, untrimmed.
func length(h *History) int {
	n := textSize(h.Steps())
	for _, s := range h.Layer() {
		n += textLen(s.Summary + summaryGap)
	}
	return n
}

// record is what a step takes in full.
func record(h *History, in Input) string {
	return newRecord(in, tick()(), h.style()).Text
}

// Every view within a budget is within it, valid, and silent about no step.
func TestA14WithinIsWithin(t *testing.T) {
	count := func(s string) int { return (len(s) + 3) / 4 }
	rapid.Check(t, func(t *rapid.T) {
		h := drawStepHistory(t)
		var steps []int
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			in := drawStep(t)
			if err := h.AppendStep(context.Background(), in); err != nil {
				t.Fatal(err)
			}
			steps = append(steps, in.Number)
		}
		budget := rapid.SampledFrom([]int{-1, 0, 1, 10, 25, 40, 80, 200, 500, 2000, 1 << 40}).Draw(t, "budget")
		text, err := h.Within(budget, count)
		if err != nil {
			if !errors.Is(err, ErrBudget) || text != "" || budget >= 25 {
				t.Fatalf("in %d: %q, %v", budget, text, err)
			}
			return
		}
		if count(text) > budget || !utf8.ValidString(text) {
			t.Fatalf("%d tokens for %d: %q", count(text), budget, text)
		}
		told := toldSteps(text, h.set.Strategy == ModelText)
		for _, n := range steps {
			if !told(n) {
				t.Fatalf("in %d, step %d has gone silently from\n%s\n--- of\n%s", budget, n, text, h.Text())
			}
		}
	})
}

// FuzzStepHistory appends phases that hold anything, in the careful reading and in
// that of the first authors.
func FuzzStepHistory(f *testing.F) {
	f.Add("**任务状态:** 进行中\n**完成度评估：** 40%", "**执行结果:** 生成了 **3** 个文件", "**质量评分**: 8/10", 3, uint8(0))
	f.Add("异常", "执行异常", "\xffboom", -1, uint8(255))
	f.Add("**任务状态:**", strings.Repeat("**执行目标:**", 40), "**", math.MinInt, uint8(3))
	f.Fuzz(func(t *testing.T, analysis, execution, supervision string, number int, switches uint8) {
		s := FixedSettings(2, 2, LeastCap)
		s.Strategy = []model.Strategy{model.Extract, model.StructuredJSON, model.StructuredTable}[int(switches)%3]
		s.Compat = Compat{FieldEnd: switches&4 > 0, Markers: switches&8 > 0, NullText: switches&16 > 0, Unit: switches&32 > 0}
		h := newSteps(t, s)
		for k := range 6 {
			add(t, h, Input{Number: number + k, Analysis: &analysis, Execution: &execution, Supervision: &supervision})
			st := h.Stats()
			if st.Detail > 2 || st.LayerLen > LeastCap {
				t.Fatalf("out of bounds: %+v", st)
			}
		}
		if text := h.Text(); !utf8.ValidString(text) || text == "" {
			t.Fatalf("%q", text)
		}
	})
}
