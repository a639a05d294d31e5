package steps

import (
	rand "math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/tokens"
)

// words that step agents write, in the mixture of the golden vectors.
var savingWords = strings.Fields("数据库 连接 超时 重试 配置 参数 索引 查询 迁移 脚本 报告 监控 告警 权限 证书 缓存 接口 测试 部署 回滚 完成 失败 输出 输入 分析 优化 构建 版本 依赖 网络 日志 内存 线程 服务 文档 路径 用户 任务 检查 结果 " +
	"database service /etc/app.conf v1.2.3 --force config retry cache index report build")

// savingSteps makes steps of about size code points with all six fields.
func savingSteps(n, size int) []Input {
	r := rand.New(rand.NewPCG(uint64(size), 3))
	text := func(size int) string {
		var b strings.Builder
		for textLen(b.String()) < size {
			b.WriteString(savingWords[r.IntN(len(savingWords))])
			if r.IntN(9) == 0 {
				b.WriteString("，")
			}
		}
		return string([]rune(b.String())[:size])
	}
	free := max(0, size-230) // without the record's frame, markers and short fields
	goal, result := 30+min(170, free/8), 60+min(140, free/4)
	rest := max(0, free-goal-result+90)
	out := make([]Input, n)
	for i := range out {
		out[i] = Input{Number: i + 1,
			Analysis:    new("**任务状态:** 进行中\n**完成度评估:** " + strconv.Itoa(r.IntN(100)) + "%\n**分析:** " + text(rest/4)),
			Execution:   new("**执行目标:** " + text(goal) + "\n**执行过程:** " + text(rest/2) + "\n**执行结果:** " + text(result)),
			Supervision: new("**质量评分:** " + strconv.Itoa(r.IntN(11)) + "/10\n**是否通过:** 通过\n**问题识别:** " + text(rest/4))}
	}
	return out
}

// firstTold is the lowest step that a history tells or announces, in any form.
func firstTold(text string, n int) int {
	told := toldSteps(text, false)
	for k := 1; k <= n; k++ {
		if told(k) {
			return k
		}
	}
	return 0
}

// saving is what a text saves of the whole, in percent of characters and tokens.
func saving(text, whole string) (chars, toks int) {
	of := func(a, b int) int { return (200*(b-a)/b + 1) / 2 }
	return of(textLen(text), textLen(whole)), of(tokens.Count(tokens.O200k, text), tokens.Count(tokens.O200k, whole))
}

// The saving of the adaptive history against telling every step in full, beside
// what its first authors' program saves on the same steps. No step goes
// silently, so that at 50 and more steps less can be saved than by throwing old
// summaries away; the least that must be saved is what was measured, less two.
func TestA27Saving(t *testing.T) {
	t.Log("chars a step, steps: theirs, chars and tokens [first step told]; ours, chars and tokens [first step told]; with a least saving of 60 %")
	for _, c := range []struct{ size, steps, least int }{
		{280, 20, 16}, {280, 50, 42}, {280, 100, 70},
		{680, 20, 27}, {680, 50, 63}, {680, 100, 80},
		{2080, 20, 47}, {2080, 50, 73}, {2080, 100, 85},
		{4080, 20, 52}, {4080, 50, 75}, {4080, 100, 87},
	} {
		compat := DefaultSettings()
		compat.Compat = AllCompat()
		terse := DefaultSettings()
		terse.LeastSaving = 60
		ours, theirs, lines := newSteps(t, DefaultSettings()), newSteps(t, compat), newSteps(t, terse)
		var whole strings.Builder
		for _, in := range savingSteps(c.steps, c.size) {
			add(t, ours, in)
			add(t, theirs, in)
			add(t, lines, in)
			whole.WriteString(record(ours, in) + "\n")
		}
		chars, toks := saving(ours.Text(), whole.String())
		theirChars, theirToks := saving(theirs.Text(), whole.String())
		lineChars, lineToks := saving(lines.Text(), whole.String())
		t.Logf("%d (%d), %d: %d %% %d %% [%d]; %d %% %d %% [%d]; %d %% %d %%", c.size, textLen(whole.String())/c.steps, c.steps,
			theirChars, theirToks, firstTold(theirs.Text(), c.steps), chars, toks, firstTold(ours.Text(), c.steps), lineChars, lineToks)
		for _, h := range []*History{ours, lines} {
			checkTold(t, h, h.Text(), c.steps)
			if n := h.Stats().Omitted; n > 0 {
				t.Errorf("%d characters, %d steps: %d steps have no line", c.size, c.steps, n)
			}
		}
		if chars < c.least || toks < c.least {
			t.Errorf("%d characters, %d steps: %d %% and %d %% saved, want %d %%", c.size, c.steps, chars, toks, c.least)
		}
	}
}

func BenchmarkStepHistory(b *testing.B) {
	steps := savingSteps(100, 2080)
	b.ReportAllocs()
	for b.Loop() {
		h := newSteps(b, DefaultSettings())
		for _, in := range steps {
			add(b, h, in)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(steps)), "µs/step")
}

func BenchmarkStepHistoryText(b *testing.B) {
	h := newSteps(b, DefaultSettings())
	for _, in := range savingSteps(100, 2080) {
		add(b, h, in)
	}
	b.ReportAllocs()
	for b.Loop() {
		_ = h.Text()
	}
}

// A step of ten megabytes, as a tool's output makes one.
func BenchmarkStepHistoryHugeField(b *testing.B) {
	huge := "**执行目标:** 读日志\n" + strings.Repeat("2025-01-03 行 ok\n", 10<<20/19) + "**执行结果:** 完成"
	b.SetBytes(int64(len(huge)))
	for b.Loop() {
		h := newSteps(b, FixedSettings(1, 1, 5000))
		add(b, h, Input{Number: 1, Execution: &huge})
		add(b, h, Input{Number: 2})
	}
}

// A summary has no more tokens than its steps have in the text, whatever makes it.
func TestASummaryHasNoMoreTokensThanItsSteps(t *testing.T) {
	rewritten := 0
	for _, strategy := range []model.Strategy{model.Extract, model.StructuredJSON, model.StructuredTable} {
		for size := range 3 {
			set := FixedSettings(12, 3, 0)
			set.Strategy = strategy
			h := newSteps(t, set)
			for n := 1; n <= 12; n++ {
				add(t, h, Input{Number: n, Analysis: new("**Task Status:** in progress\n**Progress Assessment:** 4 %"),
					Execution:   new("**Execution Goal:** move " + itoa(n) + "\n**Execution Result:** " + strings.Repeat("ok ", 1+n*size)),
					Supervision: new("**Quality Score:** 8/10\n**Passed:** yes")})
			}
			for k := 1; k <= 5; k++ {
				s, err := h.summary(t.Context(), h.detail[:k])
				if err != nil {
					t.Fatal(err)
				}
				most := 0
				for i := range k {
					most += tokens.Count(tokens.O200k, h.detail[i].Text+"\n")
				}
				if n := tokens.Count(tokens.O200k, s.Summary); n > most {
					t.Errorf("%s, %d steps: %d tokens for %d\n%s", strategy, k, n, most, s.Summary)
				}
				if s.Strategy == "" {
					rewritten++
				}
			}
		}
	}
	if rewritten == 0 {
		t.Error("no summary was too long")
	}
}
