package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

// labSteps is how many steps the notebook holds, each in three phases.
const labSteps = 30

// labNotebook is a file of step records: what an agent with an analyst, an
// executor and a supervisor writes about the runs of an invented membrane test
// bench. Half of the steps are in Chinese, half in English.
func labNotebook() []byte {
	r := &rng{state: 90}
	var out bytes.Buffer
	clock := time.Date(2025, 10, 6, 7, 30, 0, 0, time.UTC)
	tasks := strings.Split(strings.TrimSpace(read("lab.txt")), "\n")
	for step := 1; step <= labSteps; step++ {
		f := strings.SplitN(tasks[(step-1)%len(tasks)], " | ", 3)
		if len(f) != 3 {
			panic(fmt.Sprintf("step %d has no goal or no result", step))
		}
		clock = clock.Add(time.Duration(r.between(4, 55))*time.Minute + time.Duration(r.n(60))*time.Second)
		lang, goal, result := f[0], f[1], r.line(f[2])
		if step > len(tasks) {
			again := map[string]string{"en": " (second series, membrane M-%d)", "zh": "（第二轮，膜片 M-%d）"}[lang]
			if lang == "zh" {
				r.next() // kept so that the samples stay as they were first made
			}
			goal += fmt.Sprintf(again, r.between(120, 139))
		}
		dot := map[string]any{"Step": step, "Before": step - 1, "Steps": labSteps, "Goal": goal, "Result": result,
			"Score": r.between(71, 98), "Progress": fmt.Sprintf("%d %%", step*100/labSteps)}
		record := object{{"step", step}}
		for _, phase := range []string{"analysis", "execution", "supervision"} { // with the markers that a step history searches for
			record = append(record, field{phase, r.text(phase+" "+lang, dot)})
		}
		out.Write(encode(append(record, field{"timestamp", clock.UnixMilli()})))
		out.WriteByte('\n')
	}
	return out.Bytes()
}
