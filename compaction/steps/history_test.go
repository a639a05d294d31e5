package steps

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// done is a step in Chinese that tells all six fields.
func done(n int) Input {
	return Input{Number: n, Analysis: new("**任务状态:** 进行中\n**完成度评估:** 40%"),
		Execution:   new("**执行目标:** 迁移数据库\n**执行结果:** 写入 /srv/out/表.csv，12 行"),
		Supervision: new("**质量评分:** 8/10\n**是否通过:** 通过")}
}

// doneEN is the same in English.
func doneEN(n int) Input {
	return Input{Number: n, Analysis: new("**Task Status:** running\n**Progress Assessment:** 40%"),
		Execution:   new("**Execution Goal:** migrate the database\n**Execution Result:** wrote /srv/out/t.csv, 12 rows"),
		Supervision: new("**Quality Score:** 8/10\n**Passed:** yes")}
}

func addAll(t testing.TB, h *History, from, to int, step func(int) Input) {
	t.Helper()
	for n := from; n <= to; n++ {
		add(t, h, step(n))
	}
}

func numbers(list []Record) []int {
	out := make([]int, len(list))
	for i := range list {
		out[i] = list[i].Number
	}
	return out
}

func TestA1StepRecordIsSerialisable(t *testing.T) {
	h := newSteps(t, DefaultSettings())
	add(t, h, Input{Number: 7, Analysis: new("看"), Supervision: new("")})
	got, err := json.Marshal(h.Steps()[0])
	want := `{"stepNumber":7,"analysisResult":"看","executionResult":null,"supervisionResult":"","timestamp":1735898401123,` +
		`"stepSummary":"=== 第 7 步完整记录 ===\n【分析阶段】看\n【执行阶段】未提供\n【监督阶段】未提供\n"}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v\nwant\n%s", got, err, want)
	}
	var back Record
	if err := json.Unmarshal(got, &back); err != nil || !reflect.DeepEqual(back, h.Steps()[0]) {
		t.Errorf("read back: %+v, %v", back, err)
	}
}

func TestA2SummaryRecordIsSerialisable(t *testing.T) {
	h := newSteps(t, FixedSettings(2, 2, 0))
	addAll(t, h, 3, 5, done)
	got, err := json.Marshal(h.Layer()[0])
	for _, want := range []string{`"startStep":3`, `"endStep":4`, `"summary":"步骤3-4执行摘要:\n`, `"timestamp":1735898404123`,
		`"firstTimestamp":1735898401123,"lastTimestamp":1735898402123`,
		`"keyPoints":[{"step":3,"status":"进行中","result":"写入 /srv/out/表.csv，12 行"},{"step":4,`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s, %v\nhas no %s", got, err, want)
		}
	}
	var back Summary
	if err := json.Unmarshal(got, &back); err != nil || !reflect.DeepEqual(back, h.Layer()[0]) {
		t.Errorf("read back: %+v, %v", back, err)
	}
}

func TestA3LayersKeepTheirOrder(t *testing.T) {
	h := newSteps(t, FixedSettings(5, 3, 0))
	addAll(t, h, 1, 12, done)
	if got := numbers(h.Steps()); !reflect.DeepEqual(got, []int{10, 11, 12}) {
		t.Errorf("steps in full: %v", got)
	}
	for i, s := range h.Layer() {
		if s.StartStep != 3*i+1 || s.EndStep != 3*i+3 {
			t.Errorf("summary %d is of %d to %d", i, s.StartStep, s.EndStep)
		}
	}
}

func TestA4Defaults(t *testing.T) {
	s := DefaultSettings()
	if s.Window != 5 || s.Batch != 3 || s.Cap != 5000 || !s.Adaptive || s.Strategy != model.Extract || s.Compat != (Compat{}) {
		t.Errorf("%+v", s)
	}
	h := newSteps(t, s)
	addAll(t, h, 1, 6, func(n int) Input {
		return Input{Number: n, Execution: new("**执行结果:** " + strings.Repeat("数", 201) + strings.Repeat("据", 400))}
	})
	if got := h.Layer()[0].Summary; !strings.Contains(got, strings.Repeat("数", 200)+"...\n") {
		t.Errorf("a field is not cut at 200:\n%s", got)
	}
	for _, window := range []int{5, 6, 7, 8, 9, 10} {
		for batch := 3; batch <= 5; batch++ {
			for _, limit := range []int{5000, 10000} {
				newSteps(t, FixedSettings(window, batch, limit)) // the ranges that are suggested are legal
			}
		}
	}
}

func TestA5F1ConstructorValuesHold(t *testing.T) {
	h := newSteps(t, FixedSettings(4, 1, 900))
	for n := 1; n <= 60; n++ {
		add(t, h, done(n))
		if st := h.Stats(); st.Window != 4 || st.Batch != 1 || st.Detail != min(n, 4) || st.LayerLen > 900 {
			t.Fatalf("after %d steps: %+v", n, st)
		}
	}
}

func TestA6Strategies(t *testing.T) {
	for strategy, want := range map[model.Strategy]string{
		model.Extract:         "步骤1-3执行摘要:\n步骤1:\n  任务状态: 进行中\n",
		model.StructuredJSON:  "步骤1-3执行摘要:\n{\"steps\":[\n{\"step\":1,\"status\":\"进行中\",",
		model.StructuredTable: "步骤1-3执行摘要:\n| 步骤 | 状态 |",
		ModelText:             "步骤1-3执行摘要:\n数据库已迁移",
	} {
		s := FixedSettings(5, 3, 5000)
		s.Strategy = strategy
		h := newStepsWith(t, s, Env{Summarise: func(context.Context, Batch) (string, error) { return "数据库已迁移", nil }})
		addAll(t, h, 1, 6, done)
		sum := h.Layer()[0]
		if !strings.HasPrefix(sum.Summary, want) || sum.Strategy != strategy {
			t.Errorf("%s made (%s)\n%s", strategy, sum.Strategy, sum.Summary)
		}
		if len(sum.KeyPoints) != 3 {
			t.Errorf("%s gave key points %v", strategy, sum.KeyPoints)
		}
	}
}

func TestA7AppendsThenAdaptsThenSummarises(t *testing.T) {
	h := newSteps(t, DefaultSettings())
	addAll(t, h, 1, 5, done)
	if st := h.Stats(); st.Summaries != 0 || st.Batch != 2 {
		t.Errorf("at the window: %+v", st)
	}
	add(t, h, done(6))
	if st := h.Stats(); st.Summaries != 1 || st.Detail != 4 {
		t.Errorf("above it: %+v", st)
	}
	// The eleventh step widens the window before the size is looked at.
	addAll(t, h, 7, 10, done)
	before := h.Stats()
	add(t, h, done(11))
	if st := h.Stats(); st.Window != 8 || st.Summaries != before.Summaries || st.Detail != before.Detail+1 {
		t.Errorf("at eleven: %+v after %+v", st, before)
	}
}

func TestA8FullRecord(t *testing.T) {
	for lang, want := range map[summarize.Lang]string{
		summarize.Chinese: "=== 第 3 步完整记录 ===\n【分析阶段】a\n【执行阶段】b\n【监督阶段】c\n",
		summarize.English: "=== Full record of step 3 ===\n[Analysis] a\n[Execution] b\n[Supervision] c\n",
	} {
		s := DefaultSettings()
		s.Lang = lang
		h := newSteps(t, s)
		if err := h.Append(context.Background(), 3, "a", "b", "c"); err != nil {
			t.Fatal(err)
		}
		if got := h.Steps()[0].Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestA9AdaptiveTiers(t *testing.T) {
	h := newSteps(t, DefaultSettings())
	for n := 1; n <= 120; n++ {
		add(t, h, done(n))
		window, batch := 12, 5
		switch {
		case n <= 10:
			window, batch = 5, 2
		case n <= 20:
			window, batch = 8, 3
		case n <= 50:
			window, batch = 10, 4
		}
		if st := h.Stats(); st.Window != window || st.Batch != batch || st.Detail > window {
			t.Fatalf("after %d steps: %+v", n, st)
		}
	}
}

func TestA10AnyStepNumbers(t *testing.T) {
	h := newSteps(t, FixedSettings(3, 3, 0))
	for _, n := range []int{5, 5, -2, 9000000000000000000, -9000000000000000000, 0, 5} {
		add(t, h, doneEN(n))
	}
	if s := h.Layer()[0]; s.StartStep != 5 || s.EndStep != -2 || !strings.HasPrefix(s.Summary, "Summary of steps 5--2:\nStep 5:\n") {
		t.Errorf("%d to %d: %s", s.StartStep, s.EndStep, s.Summary)
	}
	if s := h.Layer()[1]; s.StartStep != 9000000000000000000 || s.EndStep != 0 {
		t.Errorf("%d to %d", s.StartStep, s.EndStep)
	}
	if got := numbers(h.Steps()); !reflect.DeepEqual(got, []int{5}) {
		t.Errorf("in full: %v", got)
	}
}

func TestA11FirstExecution(t *testing.T) {
	for lang, want := range map[summarize.Lang]string{summarize.Chinese: "[首次执行]", summarize.English: "[First execution]", summarize.Auto: "[First execution]"} {
		s := DefaultSettings()
		s.Lang = lang
		h := newSteps(t, s)
		if got := h.Text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if h.Summaries() != "" || h.Last(3) != want {
			t.Errorf("views of nothing: %q, %q", h.Summaries(), h.Last(3))
		}
	}
}

func TestA12TextIsTrimmedAndSpaced(t *testing.T) {
	h := newSteps(t, FixedSettings(2, 1, 0))
	add(t, h, Input{Number: 1, Analysis: new("**任务状态:** 甲"), Execution: new(strings.Repeat("长", 300))})
	add(t, h, Input{Number: 2, Analysis: new("乙"), Execution: new("丙"), Supervision: new("丁")})
	add(t, h, Input{Number: 3, Analysis: new("乙"), Execution: new("丙"), Supervision: new("丁\u3000\u00a0 \n\t")})
	want := "步骤1-1执行摘要:\n步骤1:\n  任务状态: 甲\n  完成度: 未提供\n  执行目标: 未提供\n  关键结果: 未提供\n  质量评分: 未提供\n  是否通过: 未提供\n\n" +
		"=== 第 2 步完整记录 ===\n【分析阶段】乙\n【执行阶段】丙\n【监督阶段】丁\n\n" +
		"=== 第 3 步完整记录 ===\n【分析阶段】乙\n【执行阶段】丙\n【监督阶段】丁\u3000\u00a0"
	if got := h.Text(); got != want {
		t.Errorf("%q\nwant\n%q", got, want)
	}
}

func TestA13TextServesPromptAndReport(t *testing.T) {
	h := newSteps(t, DefaultSettings())
	for n := 1; n <= 30; n++ {
		before := h.Text() // what the analyser of step n is given
		add(t, h, done(n))
		if n > 1 && !strings.Contains(before, "第 "+itoa(n-1)+" 步") {
			t.Fatalf("before step %d the prompt lacks the last one:\n%s", n, before)
		}
	}
	if first, again := h.Text(), h.Text(); first != again || !strings.Contains(first, "步骤1") {
		t.Errorf("the report:\n%s", first)
	}
}

// The places in a host program at which it meets the history: the analyser's
// prompt, the end of a step, the exception branch, the final report.
func TestA25AHostProgramFromItsFirstStepToItsReport(t *testing.T) {
	h := newSteps(t, DefaultSettings())
	const steps = 14
	var prompts []string
	for n := 1; n <= steps; n++ {
		prompts = append(prompts, h.Text())
		if n%6 == 0 { // an exception, without and with a message
			in := Input{Number: n, Analysis: new("异常"), Execution: new("执行异常")}
			if n == 12 {
				in.Supervision = new("连接被拒绝: 10.0.0.7:5432")
			}
			add(t, h, in)
			continue
		}
		add(t, h, done(n))
	}
	report := h.Text()
	if prompts[0] != "[首次执行]" && prompts[0] != "[First execution]" {
		t.Errorf("the first prompt holds %q", prompts[0])
	}
	for k, p := range append(prompts[1:], report) {
		checkTold(t, h, p, k+1)
	}
	for _, want := range []string{"执行异常", "连接被拒绝: 10.0.0.7:5432"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %s:\n%s", want, report)
		}
	}
	if strings.Contains(report, "null") {
		t.Errorf("a missing message is told as null:\n%s", report)
	}
}

func TestA14Views(t *testing.T) {
	h := newSteps(t, FixedSettings(5, 3, 5000))
	addAll(t, h, 1, 10, doneEN)
	full := h.Text()
	if got := numbers(h.Steps()); !reflect.DeepEqual(got, []int{7, 8, 9, 10}) {
		t.Fatalf("in full: %v", got)
	}
	if sums := h.Summaries(); !strings.HasPrefix(full, sums+"\n\n=== Full record of step 7 ===") {
		t.Errorf("summaries only:\n%s", sums)
	}
	if got := h.Last(2); !strings.HasPrefix(got, "=== Full record of step 9 ===") || !strings.HasSuffix(full, got) {
		t.Errorf("the last two:\n%s", got)
	}
	if got := h.Last(0); got != "" {
		t.Errorf("the last none: %q", got)
	}
	if got := h.Last(-5); got != "" {
		t.Errorf("the last minus five: %q", got)
	}
	if got := h.Last(6); !strings.HasPrefix(got, "Summary of steps 5-6:\nStep 5: running; wrote /srv/out/t.csv, 12 rows\nStep 6: running; wrote /srv/out/t.csv, 12 rows\n\n=== Full record of step 7 ===") {
		t.Errorf("the last six:\n%s", got)
	}
	if got, all := h.Last(1<<62), h.Last(10); got != all || !strings.Contains(got, "Step 1: running") {
		t.Errorf("more than there are:\n%s", got)
	}
}

func TestA23TotalIsNotTold(t *testing.T) {
	for _, v := range []any{&History{}, Stats{}} {
		typ := reflect.TypeOf(v)
		for i := range typ.NumMethod() {
			if name := typ.Method(i).Name; strings.Contains(name, "Total") {
				t.Errorf("%v has %s", typ, name)
			}
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Stats]()) {
		if strings.Contains(f.Name, "Total") {
			t.Errorf("Stats has %s", f.Name)
		}
	}
}

func TestA24F11Report(t *testing.T) {
	for _, c := range []struct {
		r    Report
		lang summarize.Lang
		want string
	}{
		{Report{10, 7, true}, summarize.Chinese, "\n📊 === 动态多轮执行总结 ====\n📈 总执行步数: 7 步\n✅ 任务完成状态: 已完成\n📊 步数使用率: 7/10 (70.0%)"},
		{Report{10, 10, false}, summarize.Chinese, "\n📊 === 动态多轮执行总结 ====\n📈 总执行步数: 10 步\n⏸️ 任务完成状态: 未完成（达到最大步数限制）\n📊 步数使用率: 10/10 (100.0%)"},
		{Report{3, 1, false}, summarize.English, "\n📊 === Summary of the step-by-step run ====\n📈 Steps taken: 1\n⏸️ Task: not completed\n📊 Steps used: 1 of 3 (33.3%)"},
		{Report{0, 0, false}, summarize.English, "\n📊 === Summary of the step-by-step run ====\n📈 Steps taken: 0\n⏸️ Task: not completed (step limit reached)\n📊 Steps used: 0 of 0 (0.0%)"},
		{Report{0, 5, true}, summarize.English, "\n📊 === Summary of the step-by-step run ====\n📈 Steps taken: 5\n✅ Task: completed\n📊 Steps used: 5 of 0 (0.0%)"},
	} {
		if got := c.r.Text(c.lang); got != c.want {
			t.Errorf("%+v:\n%s\nwant\n%s", c.r, got, c.want)
		}
	}
}

func TestF4SettingsAreCheckedAndTheNearestNamed(t *testing.T) {
	for _, c := range []struct {
		name    string
		set     Settings
		nearest Settings
		says    string
	}{
		{"window 0", FixedSettings(0, 1, 5000), FixedSettings(1, 1, 5000), "window 0"},
		{"negative", FixedSettings(-3, -1, -7), FixedSettings(1, 1, LeastCap), "batch -1"},
		{"batch 0", FixedSettings(5, 0, 5000), FixedSettings(5, 1, 5000), "batch 0"},
		{"batch over window", FixedSettings(5, 9, 5000), FixedSettings(5, 5, 5000), "the nearest legal value is 5"},
		{"no room", FixedSettings(5, 3, 1), FixedSettings(5, 3, LeastCap), "summary limit 1"},
		{"the least int", FixedSettings(-1<<63, -1<<63, -1<<63), FixedSettings(1, 1, LeastCap), "window"},
	} {
		if _, err := New(c.set, Env{Clock: time.Now}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want %q in it", c.name, err, c.says)
		}
		near, err := c.set.Legal()
		if near != c.nearest || err == nil {
			t.Errorf("%s: nearest %+v, %v", c.name, near, err)
		}
		if again, err := near.Legal(); err != nil || again != near {
			t.Errorf("%s: the nearest is not legal: %v", c.name, err)
		}
	}
	for _, ok := range []Settings{DefaultSettings(), FixedSettings(1, 1, 0), FixedSettings(1<<62, 1<<62, 1<<62), FixedSettings(1, 1, LeastCap)} {
		if _, err := ok.Legal(); err != nil {
			t.Errorf("%+v: %v", ok, err)
		}
	}
	for _, bad := range []Settings{{Window: 5, Batch: 3}, {Window: 5, Batch: 3, Strategy: model.Drop}, {Window: 5, Batch: 3, Strategy: model.Extract, Lang: "fr"},
		{Window: 5, Batch: 3, Strategy: model.Extract, PhaseLimit: -1}} {
		if _, err := bad.Legal(); err == nil {
			t.Errorf("%+v is legal", bad)
		}
	}
	if _, err := New(DefaultSettings(), Env{}); err == nil {
		t.Error("a history without a clock")
	}
	asks := DefaultSettings()
	asks.Strategy = ModelText
	if _, err := New(asks, Env{Clock: time.Now}); err == nil {
		t.Error("a history that asks no model")
	}
}

func TestF5LowerWindowTakesAllPasses(t *testing.T) {
	h := newSteps(t, FixedSettings(20, 2, 0))
	addAll(t, h, 1, 20, done)
	if err := h.SetWindow(context.Background(), 5, 3); err != nil {
		t.Fatal(err)
	}
	if st := h.Stats(); st.Detail != 5 || st.Summaries != 5 || st.Window != 5 {
		t.Errorf("%+v", st)
	}
	if err := h.SetWindow(context.Background(), 5, 6); err == nil {
		t.Error("a batch above the window was taken")
	}
	if st := h.Stats(); st.Window != 5 || st.Batch != 3 {
		t.Errorf("a refused change changed: %+v", st)
	}
	adaptive := newSteps(t, DefaultSettings())
	addAll(t, adaptive, 1, 30, done)
	if err := adaptive.SetWindow(context.Background(), 3, 1); err != nil {
		t.Fatal(err)
	}
	add(t, adaptive, done(31))
	if st := adaptive.Stats(); st.Window != 3 || st.Batch != 1 || st.Detail != 3 {
		t.Errorf("sizes that were set did not hold: %+v", st)
	}
}

func TestF8MissingPhaseIsNotNull(t *testing.T) {
	h := newSteps(t, DefaultSettings())
	add(t, h, Input{Number: 1, Analysis: new("null"), Execution: nil, Supervision: new("质量很好")})
	want := "=== 第 1 步完整记录 ===\n【分析阶段】null\n【执行阶段】未提供\n【监督阶段】质量很好"
	if got := h.Text(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestF9PhaseLimit(t *testing.T) {
	s := FixedSettings(1, 1, 0)
	s.PhaseLimit = 10
	h := newSteps(t, s)
	add(t, h, Input{Number: 1, Analysis: new(strings.Repeat("🙂", 11)), Execution: new(strings.Repeat("文", 30) + "**执行结果:** 全部完成"), Supervision: new(strings.Repeat("好", 10))})
	want := "=== 第 1 步完整记录 ===\n【分析阶段】" + strings.Repeat("🙂", 10) + "...\n【执行阶段】" + strings.Repeat("文", 10) + "...\n【监督阶段】" + strings.Repeat("好", 10)
	if got := h.Text(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	add(t, h, done(2))
	if got := h.Summaries(); !strings.Contains(got, "全部完成") {
		t.Errorf("the summary is not of the whole phase: %q", got)
	}
}

func TestLanguageIsThatOfTheFirstWords(t *testing.T) {
	h := newSteps(t, FixedSettings(9, 1, 0))
	add(t, h, Input{Number: 1, Execution: new("42")})
	if got := h.Text(); !strings.HasPrefix(got, "=== Full record of step 1 ===") {
		t.Errorf("a number alone: %q", got)
	}
	add(t, h, done(2))
	add(t, h, doneEN(3))
	if got := h.Text(); strings.Contains(got, "Full record") || !strings.HasPrefix(got, "=== 第 1 步完整记录 ===\n【分析阶段】未提供") {
		t.Errorf("the language was not settled:\n%s", got)
	}
}
