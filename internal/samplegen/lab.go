package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// labSteps is how many steps the notebook holds; each is told in three phases.
const labSteps = 30

// labNotebook is a file of step records: what an agent with an analyst, an
// executor and a supervisor writes about the runs of an invented membrane test
// bench. Half of the steps are told in Chinese, half in English.
func labNotebook() ([]byte, error) {
	r := &rng{state: 90}
	var out bytes.Buffer
	clock := time.Date(2025, 10, 6, 7, 30, 0, 0, time.UTC)
	tasks := strings.Split(strings.TrimSpace(data("lab.txt")), "\n")
	for step := 1; step <= labSteps; step++ {
		f := strings.SplitN(tasks[(step-1)%len(tasks)], " | ", 3)
		if len(f) != 3 {
			return nil, fmt.Errorf("step %d has no goal or no result", step)
		}
		clock = clock.Add(time.Duration(r.between(4, 55))*time.Minute + time.Duration(r.n(60))*time.Second)
		goal, result := f[1], measured(r, f[2])
		if step > len(tasks) {
			again := fmt.Sprintf(" (second series, membrane M-%d)", r.between(120, 139))
			if f[0] == "zh" {
				again = fmt.Sprintf("（第二轮，膜片 M-%d）", r.between(120, 139))
			}
			goal += again
		}
		analysis, execution, supervision := labPhases(r, f[0], step, goal, result)
		out.Write(encode(object{{"step", step}, {"analysis", analysis}, {"execution", execution}, {"supervision", supervision}, {"timestamp", clock.UnixMilli()}}))
		out.WriteByte('\n')
	}
	return out.Bytes(), nil
}

// labPhases are the three texts of a step, with the markers that a step
// history searches for.
func labPhases(r *rng, lang string, step int, goal, result string) (analysis, execution, supervision string) {
	score, passed := r.between(71, 98), "Yes"
	progress := fmt.Sprintf("%d %%", step*100/labSteps)
	if lang == "zh" {
		passed = "是"
	}
	if score < 78 {
		passed = map[string]string{"en": "No", "zh": "否"}[lang]
	}
	if lang == "zh" {
		analysis = fmt.Sprintf("**任务状态:** 进行中，第 %d 步，共 %d 步\n**完成度评估:** %s\n**下一步:** %s。前一步的数据在 /data/flux/notes/step-%02d.md，先核对传感器 T-%d 的读数（允许偏差 ±0.%d °C）。", step, labSteps, progress, goal, step-1, r.between(1, 6), r.between(1, 5))
		execution = fmt.Sprintf("**执行目标:** %s\n**执行过程:** 运行 `bench run --step %d --hold %ds --tag %s`，等待稳定 %d 分钟，采样间隔 %d s。\n**执行结果:** %s。", goal, step, r.between(60, 1800), r.hex(6), r.between(5, 40), r.between(1, 60), result)
		supervision = fmt.Sprintf("**质量评分:** %d/100\n**是否通过:** %s\n**意见:** 两次重复之间相差 %d.%d %%，%s；校验和 %s 已写入 /data/flux/manifest.sha256。", score, passed, r.n(4), r.n(10), pick(r, "在允许范围内", "略高，需要再做一次", "与上周一致"), r.hex(16))
		return analysis, execution, supervision
	}
	analysis = fmt.Sprintf("**Task Status:** in progress, step %d of %d\n**Progress Assessment:** %s\n**Next:** %s. The data of the step before are in /data/flux/notes/step-%02d.md; check sensor T-%d first (allowed ±0.%d °C).", step, labSteps, progress, goal, step-1, r.between(1, 6), r.between(1, 5))
	execution = fmt.Sprintf("**Execution Goal:** %s\n**Procedure:** ran `bench run --step %d --hold %ds --tag %s`, waited %d min until stable, sampled every %d s.\n**Execution Result:** %s.", goal, step, r.between(60, 1800), r.hex(6), r.between(5, 40), r.between(1, 60), result)
	supervision = fmt.Sprintf("**Quality Score:** %d/100\n**Passed:** %s\n**Remarks:** two repeats differ by %d.%d %%, %s; checksum %s is in /data/flux/manifest.sha256.", score, passed, r.n(4), r.n(10), pick(r, "within the limit", "a little high, do it once more", "as last week"), r.hex(16))
	return analysis, execution, supervision
}

var quantity = regexp.MustCompile(`#\w+#`)

// measured fills the quantities of a result with values of a likely size.
func measured(r *rng, text string) string {
	decimal := func(low, high, digits int) string {
		scale := 1
		for range digits {
			scale *= 10
		}
		v := r.between(low*scale, high*scale)
		return fmt.Sprintf("%d.%0*d", v/scale, digits, v%scale)
	}
	values := map[string]func() string{
		"off": func() string { return decimal(4, 19, 1) }, "off2": func() string { return decimal(0, 2, 2) }, "temp": func() string { return decimal(19, 26, 1) },
		"p": func() string { return "1.9" + fmt.Sprint(r.between(10, 98)) }, "leak": func() string { return "0.0" + fmt.Sprint(r.between(11, 48)) }, "bp": func() string { return decimal(2, 4, 2) },
		"perm": func() string { return decimal(3, 7, 2) }, "tc": func() string { return decimal(2, 3, 2) }, "cond": func() string { return fmt.Sprint(r.between(3790, 3960)) },
		"perme": func() string { return decimal(31, 190, 1) }, "flow": func() string { return decimal(6, 28, 2) }, "flux": func() string { return decimal(22, 41, 1) },
		"flux2": func() string { return decimal(11, 19, 1) }, "drop": func() string { return decimal(18, 52, 1) }, "cond2": func() string { return fmt.Sprint(r.between(1398, 1431)) },
		"slope": func() string { return "0.99" + fmt.Sprint(r.between(10, 99)) }, "cur": func() string { return decimal(1, 3, 2) }, "k": func() string { return decimal(1, 8, 3) },
		"aic": func() string { return "−" + decimal(210, 380, 1) }, "aic2": func() string { return "−" + decimal(90, 200, 1) }, "hash": func() string { return r.hex(7) },
		"res": func() string { return decimal(1, 9, 2) }, "freq": func() string { return decimal(9, 49, 1) }, "pow": func() string { return decimal(31, 88, 1) },
		"kwh": func() string { return decimal(2, 6, 2) }, "run": func() string { return fmt.Sprintf("%03d", r.between(140, 199)) }, "kb": func() string { return fmt.Sprint(r.between(12, 980)) },
		"n": func() string { return fmt.Sprint(r.between(120, 4800)) }, "line": func() string { return fmt.Sprint(r.between(18, 310)) }, "d1": func() string { return fmt.Sprint(r.between(1, 9)) },
		"d2": func() string { return fmt.Sprint(r.n(10)) },
	}
	return quantity.ReplaceAllStringFunc(text, func(name string) string {
		if f, ok := values[strings.Trim(name, "#")]; ok {
			return f()
		}
		return name
	})
}
