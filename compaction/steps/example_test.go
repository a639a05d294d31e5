package steps

import (
	"context"
	"errors"
	"fmt"
	"time"

	"palimpsest/compaction/summarize"
)

// An agent that analyses, executes and supervises puts a history between its
// steps: what it has done goes in, what it is told comes out (spec A25).
func ExampleHistory() {
	settings := FixedSettings(1, 1, 5000)
	settings.Lang = summarize.English
	history, err := New(settings, Env{Clock: time.Now})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	const maxSteps = 4
	steps, completed := 0, false
	for step := 1; step <= maxSteps && !completed; step++ {
		steps = step
		prompt := history.Text() // for the analyser
		analysis, execution, err := work(step, prompt)
		if err != nil {
			if err := history.AppendStep(ctx, Input{Number: step, Analysis: &analysis, Error: err.Error()}); err != nil {
				fmt.Println(err)
			}
			continue
		}
		if err := history.Append(ctx, step, analysis, execution, "**Quality Score:** 8/10\n**Passed:** yes"); err != nil {
			fmt.Println(err)
		}
		completed = step == 3
	}
	fmt.Println(history.Text())
	fmt.Println(Report{MaxSteps: maxSteps, ActualSteps: steps, Completed: completed}.Text(summarize.English))
	// Output:
	// Summary of steps 1-1:
	// Step 1:
	//   Task status: exploring
	//   Progress: not provided
	//   Goal: find the tables
	//   Key result: 12 tables, prompt of 17 characters
	//   Quality score: 8/10
	//   Passed: yes
	//
	// Summary of steps 2-2:
	// Step 2:
	//   Task status: exploring
	//   Error: connection to db-2:5432 timed out
	//
	// === Full record of step 3 ===
	// [Analysis] **Task Status:** exploring
	// [Execution] **Execution Goal:** find the tables
	// **Execution Result:** 12 tables, prompt of 351 characters
	// [Supervision] **Quality Score:** 8/10
	// **Passed:** yes
	//
	// 📊 === Summary of the step-by-step run ====
	// 📈 Steps taken: 3
	// ✅ Task: completed
	// 📊 Steps used: 3 of 4 (75.0%)
}

// work stands for the agent.
func work(step int, prompt string) (analysis, execution string, err error) {
	analysis = "**Task Status:** exploring"
	if step == 2 {
		return analysis, "", errors.New("connection to db-2:5432 timed out")
	}
	return analysis, fmt.Sprintf("**Execution Goal:** find the tables\n**Execution Result:** 12 tables, prompt of %d characters", len(prompt)), nil
}

// A prompt with little room gets the newest steps in full and the others in a
// line each.
func ExampleHistory_Within() {
	settings := DefaultSettings()
	settings.Lang = summarize.English
	history, err := New(settings, Env{Clock: time.Now})
	if err != nil {
		fmt.Println(err)
		return
	}
	for step := 1; step <= 5; step++ {
		result := fmt.Sprintf("**Execution Result:** wrote part %d", step)
		if err := history.Append(context.Background(), step, "**Task Status:** running", result, ""); err != nil {
			fmt.Println(err)
		}
	}
	text, err := history.Within(90, func(s string) int { return len(s) / 4 }) // a rough count
	fmt.Println(text, err)
	// Output:
	// Summary of steps 1-4:
	// Step 1: running; wrote part 1
	// Step 2: running; wrote part 2
	// Step 3: running; wrote part 3
	// Step 4: running; wrote part 4
	//
	// === Full record of step 5 ===
	// [Analysis] **Task Status:** running
	// [Execution] **Execution Result:** wrote part 5
	// [Supervision] not provided <nil>
}
