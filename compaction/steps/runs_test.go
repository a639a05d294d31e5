package steps

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"palimpsest/compaction/summarize"
)

func TestA19A20FieldsInAStep(t *testing.T) {
	h := newSteps(t, FixedSettings(1, 1, 0))
	add(t, h, Input{Number: 1,
		Analysis:    new("先看再说。**任务状态:** 完成**完成度评估:** 100%\n**完成度评估:** 1%"),
		Execution:   new("**执行目标:**\n**执行结果:** " + strings.Repeat("𠮷", 201)),
		Supervision: new("没有标记的话")})
	add(t, h, done(2))
	want := "步骤1-1执行摘要:\n步骤1:\n  任务状态: 完成\n  完成度: 100%\n  执行目标: 未提供\n  关键结果: " + strings.Repeat("𠮷", 200) + "...\n  质量评分: 未提供\n  是否通过: 未提供"
	if got := h.Summaries(); got != want {
		t.Errorf("%q\nwant\n%q", got, want)
	}
}

func TestA21BadPhasesAreNoTrouble(t *testing.T) {
	huge := strings.Repeat("**", 5<<20) // ten megabytes of nothing but marks
	for name, in := range map[string]Input{
		"nothing":           {},
		"empty phases":      {Analysis: new(""), Execution: new(""), Supervision: new("")},
		"markers only":      {Analysis: new("**任务状态:**"), Execution: new("**执行目标:****执行结果:**"), Supervision: new("**")},
		"no UTF-8":          {Analysis: new("**任务状态:** \xff\xc3"), Execution: new("\x80"), Supervision: new("\xed\xa0\x80"), Error: "\xfe"},
		"controls":          {Analysis: new("**任务状态:** a\x00b\x1b[2J"), Execution: new("\r\r\n")},
		"huge of marks":     {Analysis: &huge, Execution: &huge, Supervision: &huge},
		"huge in one field": {Execution: new("**执行结果:** " + strings.Repeat("字", 3<<20))},
		"many markers":      {Execution: new(strings.Repeat("**执行结果:**\n", 1<<16))},
		"numbers at limits": {Number: math.MinInt},
	} {
		for _, compat := range []Compat{{}, {FieldEnd: true, Markers: true, NullText: true, Unit: true}} {
			s := FixedSettings(1, 1, 1000)
			s.Compat = compat
			h := newSteps(t, s)
			add(t, h, in)
			add(t, h, Input{Number: math.MaxInt})
			text := h.Text()
			if !utf8.ValidString(text) || h.Stats().Summaries != 1 || textLen(h.Summaries()) > 1000 {
				t.Errorf("%s: %+v\n%.500q", name, h.Stats(), text)
			}
			if _, err := h.Snapshot(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// What is held in memory stays bounded however long the run is: by the window, and
// by the limit of the summary layer for texts and key points together.
func TestA26MemoryIsBounded(t *testing.T) {
	h := newSteps(t, DefaultSettings())
	most := 0
	for n := 1; n <= 2000; n++ {
		add(t, h, done(n))
		if n%100 > 0 {
			continue
		}
		b, err := h.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		points := 0
		for _, s := range h.Layer() {
			points += len(s.KeyPoints)
		}
		if points > 5000/10 || cap(h.detail) > 64 {
			t.Fatalf("after %d steps: %d key points, room for %d steps", n, points, cap(h.detail))
		}
		if n > 500 && len(b) > most*11/10 {
			t.Fatalf("after %d steps the snapshot has %d bytes, up from %d", n, len(b), most)
		}
		most = max(most, len(b))
	}
}

func TestA28TwentySteps(t *testing.T) {
	h := newSteps(t, DefaultSettings())
	whole := 0
	for n := 1; n <= 20; n++ {
		in := padded(2000)(n)
		add(t, h, in)
		whole += textLen(record(h, in)) + 1
	}
	st, text := h.Stats(), h.Text()
	if st.Summaries == 0 || st.LayerLen > 5000 || st.Detail > 8 {
		t.Errorf("%+v", st)
	}
	if textLen(text) > whole*6/10 {
		t.Errorf("%d code points of %d", textLen(text), whole)
	}
	checkTold(t, h, text, 20)
}

// The extensions work together: an error step, a model that fails, a snapshot, a
// query of the restored history (spec A29: X1 to X4).
func TestA29ExtensionsTogether(t *testing.T) {
	h := newStepsWith(t, asking(2, 2, 5000), Env{Summarise: func(ctx context.Context, b Batch) (string, error) {
		return "", context.DeadlineExceeded
	}})
	add(t, h, Input{Number: 1, Analysis: new("异常"), Execution: new("执行异常"), Supervision: new("磁盘 /srv 已满")})
	addAll(t, h, 2, 5, done)
	b, err := h.Snapshot()
	if err != nil || !json.Valid(b) {
		t.Fatalf("%v: %s", err, b)
	}
	back, err := Restore(b, Env{Clock: tick(), Summarise: echo})
	if err != nil {
		t.Fatal(err)
	}
	found := back.Find(Query{Failed: true, Text: "/SRV 已满", Steps: &summarize.StepRange{From: 1, To: 1}})
	if len(found.Summaries) != 1 || !strings.Contains(found.Summaries[0].Summary, "错误: 磁盘 /srv 已满") {
		t.Errorf("%+v", found)
	}
}
