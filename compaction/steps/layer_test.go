package steps

import (
	"bytes"
	"context"
	"log/slog"
	"math"
	"reflect"
	"strings"
	"testing"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

func TestA15TakesTheOldestBatch(t *testing.T) {
	h := newSteps(t, FixedSettings(5, 3, 0))
	addAll(t, h, 1, 6, done)
	if s := h.Layer()[0]; s.StartStep != 1 || s.EndStep != 3 {
		t.Errorf("taken: %d to %d", s.StartStep, s.EndStep)
	}
	if got := numbers(h.Steps()); !reflect.DeepEqual(got, []int{4, 5, 6}) {
		t.Errorf("left: %v", got)
	}
	one := newSteps(t, FixedSettings(1, 1, 0))
	addAll(t, one, 1, 2, done)
	if got := numbers(one.Steps()); !reflect.DeepEqual(got, []int{2}) {
		t.Errorf("window 1 leaves %v", got)
	}
}

func TestA16A18SummaryText(t *testing.T) {
	h := newSteps(t, FixedSettings(2, 2, 0))
	addAll(t, h, 1, 3, padded(700))
	goal, result := strings.Repeat("标", 50), strings.Repeat("果", 100)
	info := func(n string) string {
		return "步骤" + n + ":\n  任务状态: 进行中\n  完成度: 40%\n" + "  执行目标: " + goal + "\n  关键结果: " + result + "\n  质量评分: 8/10\n  是否通过: 通过"
	}
	if got, want := h.Layer()[0].Summary, "步骤1-2执行摘要:\n"+info("1")+"\n\n\n"+info("2"); got != want {
		t.Errorf("%q\nwant\n%q", got, want)
	}
}

func TestA17LayerAndDetailHoldEachStepOnce(t *testing.T) {
	h := newSteps(t, FixedSettings(4, 2, 0))
	for n := 1; n <= 25; n++ {
		add(t, h, done(n))
		seen := map[int]int{}
		for _, s := range h.Layer() {
			for _, p := range s.KeyPoints {
				seen[p.Number]++
			}
		}
		for _, r := range h.Steps() {
			seen[r.Number]++
		}
		for k := 1; k <= n; k++ {
			if seen[k] != 1 {
				t.Fatalf("after %d steps, step %d is there %d times", n, k, seen[k])
			}
		}
	}
}

// padded is a step of about n code points whose fields are n/14 long.
func padded(size int) func(int) Input {
	return func(n int) Input {
		k := size / 14
		return Input{Number: n, Analysis: new(strings.Repeat("析", 3*k) + "\n**任务状态:** 进行中\n**完成度评估:** 40%"),
			Execution:   new("**执行目标:** " + strings.Repeat("标", k) + "\n**执行结果:** " + strings.Repeat("果", 2*k) + "\n**执行过程:** " + strings.Repeat("行", 6*k)),
			Supervision: new(strings.Repeat("督", 2*k) + "\n**质量评分:** 8/10\n**是否通过:** 通过")}
	}
}

func TestA22X13OverflowMergesTheOldest(t *testing.T) {
	h := newSteps(t, FixedSettings(5, 3, 2000))
	for n := 1; n <= 120; n++ {
		add(t, h, padded(1000)(n))
		text := h.Text()
		checkTold(t, h, text, n)
		if st := h.Stats(); st.LayerLen > 2000 || st.LayerLen != len([]rune(h.Summaries())) {
			t.Fatalf("after %d steps: %+v", n, st)
		}
	}
	layer := h.Layer()
	if len(layer) < 2 || layer[0].Strategy != "" || layer[len(layer)-1].Strategy != model.Extract {
		t.Errorf("the oldest are not merged, or the newest is: %+v", layer)
	}
}

// A merged summary tells every step in a line while there is room, so a fact
// outlives many merges (I5).
func TestX13MergedSummariesKeepTheirSteps(t *testing.T) {
	h := newSteps(t, FixedSettings(2, 2, 3000))
	for n := 1; n <= 40; n++ {
		in := doneEN(n)
		in.Execution = new("**Execution Goal:** " + strings.Repeat("because ", 20) + "\n**Execution Result:** wrote part" + itoa(n) + ".csv " + strings.Repeat("and more ", 18))
		add(t, h, in)
	}
	if st := h.Stats(); st.Omitted != 0 {
		t.Fatalf("%d steps are omitted", st.Omitted)
	}
	for n := 1; n <= 40; n++ {
		if !strings.Contains(h.Text(), "wrote part"+itoa(n)+".csv") {
			t.Errorf("step %d has lost its result", n)
		}
	}
}

func TestF2NewestSummaryStaysShortened(t *testing.T) {
	for _, limit := range []int{LeastCap, 300, 500} {
		h := newSteps(t, FixedSettings(6, 6, limit))
		addAll(t, h, 1, 7, padded(3000))
		s := h.Layer()[0]
		if s.EndStep != 6 || s.Summary == "" || len([]rune(s.Summary)) > limit || !strings.Contains(s.Summary, "步骤6: 进行中; 果") {
			t.Errorf("in %d: %q", limit, s.Summary)
		}
		checkTold(t, h, h.Text(), 7)
	}
}

func TestF3DroppingIsAnnouncedLoggedAndCounted(t *testing.T) {
	var log bytes.Buffer
	h := newStepsWith(t, FixedSettings(3, 2, 300), Env{Log: slog.New(slog.NewTextHandler(&log, nil))})
	addAll(t, h, 1, 100, done)
	st, text := h.Stats(), h.Text()
	if st.Omitted == 0 || !strings.HasPrefix(text, "[已省略步骤 1-"+itoa(st.Omitted)+"]\n步骤"+itoa(st.Omitted+1)+": ") {
		t.Errorf("%d are omitted:\n%s", st.Omitted, text)
	}
	if !strings.Contains(log.String(), `level=WARN msg="steps omitted from the summaries" count=`) || strings.Contains(log.String(), "/srv/out") {
		t.Errorf("the log: %s", log.String())
	}
	if o := h.Layer()[0].Omitted; o == nil || *o != (summarize.StepRange{From: 1, To: st.Omitted}) {
		t.Errorf("the summary says it omits %v", o)
	}
	told := 0
	for _, s := range h.Layer() {
		told += len(s.KeyPoints)
	}
	if told+st.Omitted != st.Summarised {
		t.Errorf("%d told and %d omitted of %d", told, st.Omitted, st.Summarised)
	}
}

func TestF13JoinedTextIsCounted(t *testing.T) {
	h := newSteps(t, FixedSettings(1, 1, 400))
	for n := 1; n <= 200; n++ {
		add(t, h, Input{Number: n, Analysis: new("**任务状态:** 完成，" + strings.Repeat("细节", n%7))})
		if got := len([]rune(h.Summaries())); got > 400 {
			t.Fatalf("after %d steps the joined summaries have %d code points", n, got)
		}
	}
}

// No summary is longer than what it stands for, whatever the step holds (T, A27).
func TestSummaryIsNeverLongerThanItsSteps(t *testing.T) {
	for _, in := range []Input{
		{}, {Failed: true}, {Error: "x"}, {Analysis: new("异常")}, {Analysis: new("error"), Execution: new("boom")},
		{Number: math.MinInt}, {Number: math.MinInt, Failed: true}, {Number: math.MaxInt, Execution: new("**执行结果:** a")},
		done(1), doneEN(1), padded(200)(1), {Execution: new(strings.Repeat("x", 500))},
		{Number: math.MinInt, Analysis: new("**任务状态:** 甲**完成度评估:** 乙"), Execution: new("**执行目标:** 丙**执行结果:** 丁"), Supervision: new("**质量评分:** 1**是否通过:** 否")},
	} {
		for _, form := range []model.Strategy{model.Extract, model.StructuredJSON, model.StructuredTable} {
			for batch := 1; batch <= 3; batch++ {
				for _, lang := range []summarize.Lang{summarize.Chinese, summarize.English} {
					s := FixedSettings(batch, batch, 0)
					s.Strategy, s.Lang = form, lang
					h := newSteps(t, s)
					for range batch {
						add(t, h, in)
					}
					before := h.Text()
					add(t, h, in)
					if after := h.Summaries(); len([]rune(after)) > len([]rune(before)) {
						t.Errorf("%s of %d: %d code points for %d:\n%s\nfor\n%s", form, batch, len([]rune(after)), len([]rune(before)), after, before)
					}
				}
			}
		}
	}
}

func TestK2KeyPointsAreALineAStep(t *testing.T) {
	for _, form := range []model.Strategy{model.Extract, model.StructuredJSON, model.StructuredTable, ModelText} {
		s := asking(2, 2, 0)
		s.Strategy = form
		h := newStepsWith(t, s, Env{Summarise: func(context.Context, Batch) (string, error) { return "好", nil }})
		add(t, h, done(1))
		add(t, h, Input{Number: 2, Analysis: new("异常"), Supervision: new("连接\n超时")})
		add(t, h, done(3))
		var got []string
		for _, p := range h.Layer()[0].KeyPoints {
			got = append(got, p.Line(summarize.Chinese))
		}
		want := []string{"步骤1: 任务状态: 进行中; 关键结果: 写入 /srv/out/表.csv，12 行", "步骤2: 任务状态: 异常; 错误: 连接 超时"}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", form, got, want)
		}
	}
}

func TestX1F10ErrorStepKeepsItsText(t *testing.T) {
	for name, c := range map[string]struct {
		in   Input
		want string
	}{
		"the exception branch": {Input{Number: 1, Analysis: new("异常"), Execution: new("执行异常"), Supervision: new("连接超时 db-2:5432")}, "步骤1:\n  任务状态: 异常\n  错误: 连接超时 db-2:5432"},
		"without a message":    {Input{Number: 1, Analysis: new("异常"), Execution: new("执行异常")}, "步骤1:\n  任务状态: 异常\n  错误: 未提供"},
		"an explicit text":     {Input{Number: 1, Analysis: new("**任务状态:** 进行中"), Execution: new("写到一半"), Error: "磁盘已满"}, "步骤1:\n  任务状态: 进行中\n  错误: 磁盘已满"},
		"a flag":               {Input{Number: 1, Execution: new("写到一半停了"), Failed: true}, "步骤1:\n  任务状态: 异常\n  错误: 写到一半停了"},
	} {
		s := FixedSettings(1, 1, 0)
		s.Lang = summarize.Chinese
		h := newSteps(t, s)
		add(t, h, c.in)
		if full := h.Text(); c.in.Error != "" && !strings.Contains(full, "\n【错误】"+c.in.Error) {
			t.Errorf("%s: in full\n%s", name, full)
		}
		add(t, h, done(2))
		sum := h.Layer()[0]
		if !strings.Contains(sum.Summary, c.want) || strings.Count(sum.Summary, "未提供") > 1 || !sum.KeyPoints[0].Failed {
			t.Errorf("%s:\n%s\nwant\n%s", name, sum.Summary, c.want)
		}
	}
}

func TestCompatSwitchesActAlone(t *testing.T) {
	text := func(set func(*Compat), steps ...Input) string {
		s := FixedSettings(1, 1, 0)
		s.Lang = summarize.Chinese
		set(&s.Compat)
		h := newSteps(t, s)
		for _, in := range steps {
			add(t, h, in)
		}
		return h.Text()
	}
	pad := strings.Repeat("长", 200)
	bold := Input{Number: 1, Analysis: new(pad), Execution: new("**执行结果:** 生成了 **3** 个文件")}
	wide := Input{Number: 1, Analysis: new("**任务状态：** 完成" + pad + pad)}
	astral := Input{Number: 1, Analysis: new(pad), Execution: new("**执行结果:** " + strings.Repeat("🙂", 300))}
	last := Input{Number: 2}
	for _, c := range []struct {
		name string
		set  func(*Compat)
		in   Input
		with string // in the text with the switch, and not without
	}{
		{"fieldEnd", func(c *Compat) { c.FieldEnd = true }, bold, "关键结果: 生成了\n"},
		{"markers", func(c *Compat) { c.Markers = true }, wide, "任务状态: 未提供"},
		{"nullText", func(c *Compat) { c.NullText = true }, last, "【分析阶段】null"},
		{"unit", func(c *Compat) { c.Unit = true }, astral, "关键结果: " + strings.Repeat("🙂", 100) + "..."},
		{"adaptive", func(c *Compat) { c.Adaptive = true }, bold, "第 1 步完整记录"},
	} {
		if got := text(c.set, c.in, last); !strings.Contains(got, c.with) {
			t.Errorf("%s:\n%s\nhas no %q", c.name, got, c.with)
		}
		if got := text(func(*Compat) {}, c.in, last); strings.Contains(got, c.with) {
			t.Errorf("without %s:\n%s\nhas %q", c.name, got, c.with)
		}
	}
	s := FixedSettings(3, 1, 10)
	s.Compat = Compat{Overflow: true, Passes: true}
	h := newSteps(t, s)
	addAll(t, h, 1, 3, done)
	if err := h.SetWindow(context.Background(), 0, 1); err != nil {
		t.Fatal(err)
	}
	if st := h.Stats(); st.Detail != 2 || st.Summaries != 0 {
		t.Errorf("one pass, everything thrown away: %+v", st)
	}
}

// The first authors' program drops summaries above the limit, and none at it.
func TestCompatOverflowKeepsWhatIsExactlyTheLimit(t *testing.T) {
	at := func(limit int) *History {
		s := FixedSettings(1, 1, limit)
		s.Compat = Compat{Overflow: true}
		h := newSteps(t, s)
		addAll(t, h, 1, 4, done)
		return h
	}
	total := 0
	for _, s := range at(1 << 20).Layer() {
		total += textLen(s.Summary) // their separators do not count
	}
	for limit, want := range map[int]int{total: 3, total - 1: 2} {
		if got := len(at(limit).Layer()); got != want {
			t.Errorf("limit %d of %d: %d summaries, want %d", limit, total, got, want)
		}
	}
}

// The oldest 2, 4 and then 8 summaries are merged, until the layer is as long as its limit.
func TestTheOldestSummariesAreMergedByTwoFourEight(t *testing.T) {
	fitted := func(limit int) *History {
		h := newSteps(t, FixedSettings(5, 3, 0))
		for n := 1; n <= 16; n++ {
			h.layer = append(h.layer, Summary{StartStep: n, EndStep: n, Summary: strings.Repeat("析", 300), Strategy: model.Extract,
				KeyPoints: []summarize.StepPoint{{Number: n}}})
		}
		h.set.Cap = limit
		h.fitLayer(t.Context())
		return h
	}
	h := fitted(2000)
	if len(h.layer) != 5 || h.layer[0].EndStep != 12 || layerLen(h.layer) > 2000 {
		t.Fatalf("%d summaries of %d characters, the oldest to step %d", len(h.layer), layerLen(h.layer), h.layer[0].EndStep)
	}
	if exact := fitted(layerLen(h.layer)); len(exact.layer) != 5 {
		t.Errorf("at its very length there are %d summaries", len(exact.layer))
	}
}

// A budget of exactly the tokens of the text leaves the text whole, one less does not.
func TestABudgetOfTheTextItself(t *testing.T) {
	h := newSteps(t, FixedSettings(8, 2, 0))
	addAll(t, h, 1, 12, padded(300))
	whole := h.Text()
	if text, err := h.Within(textLen(whole), textLen); err != nil || text != whole {
		t.Errorf("%v, %d of %d characters", err, textLen(text), textLen(whole))
	}
	if text, err := h.Within(textLen(whole)-1, textLen); err != nil || textLen(text) >= textLen(whole) {
		t.Errorf("%v, %d of %d characters", err, textLen(text), textLen(whole)-1)
	}
}

// The newest summary stays as it is where it has just the half that it may have.
func TestANewestSummaryOfHalfTheLayerStays(t *testing.T) {
	for more, stays := range map[int]bool{0: true, 1: false} {
		h := newSteps(t, Settings{Window: 5, Batch: 3, Cap: 400, Strategy: "extract"})
		point := func(n int) []summarize.StepPoint {
			return []summarize.StepPoint{{Number: n, Status: "done", Result: strings.Repeat("word ", 40)}}
		}
		newest := strings.Repeat("n", 200+more)
		h.layer = []Summary{{StartStep: 1, EndStep: 1, Summary: strings.Repeat("o", 300), KeyPoints: point(1)},
			{StartStep: 2, EndStep: 2, Summary: newest, KeyPoints: point(2)}}
		h.fitLayer(t.Context())
		if got := h.layer[len(h.layer)-1].Summary; (got == newest) != stays {
			t.Errorf("of %d code points: %q", len(newest), got)
		}
	}
}
