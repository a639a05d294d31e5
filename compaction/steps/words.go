package steps

import (
	"palimpsest/compaction/summarize"
)

// words are what a step history's text is written with, in one language.
type words struct {
	none   string // of a history without steps
	record string
	phases [3]string
	err    string

	report, total, used       string // lines of the report
	completed, limit, stopped string // how the run ended
}

var wordsIn = map[summarize.Lang]*words{
	summarize.English: {
		none: "[First execution]", record: "=== Full record of step %d ===",
		phases: [3]string{"[Analysis] ", "[Execution] ", "[Supervision] "}, err: "[Error] ",
		report: "📊 === Summary of the step-by-step run ====", total: "📈 Steps taken: %d", used: "📊 Steps used: %d of %d (%.1f%%)",
		completed: "✅ Task: completed", limit: "⏸️ Task: not completed (step limit reached)", stopped: "⏸️ Task: not completed",
	},
	summarize.Chinese: {
		none: "[首次执行]", record: "=== 第 %d 步完整记录 ===",
		phases: [3]string{"【分析阶段】", "【执行阶段】", "【监督阶段】"}, err: "【错误】",
		report: "📊 === 动态多轮执行总结 ====", total: "📈 总执行步数: %d 步", used: "📊 步数使用率: %d/%d (%.1f%%)",
		completed: "✅ 任务完成状态: 已完成", limit: "⏸️ 任务完成状态: 未完成（达到最大步数限制）", stopped: "⏸️ 任务完成状态: 未完成",
	},
}

func wordsOf(l summarize.Lang) *words {
	if l == summarize.Chinese {
		return wordsIn[summarize.Chinese]
	}
	return wordsIn[summarize.English]
}
