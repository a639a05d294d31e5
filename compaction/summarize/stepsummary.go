package summarize

import (
	"fmt"
	"strings"

	"palimpsest/model"
)

// SummariseSteps writes the text that a step history keeps in place of steps,
// without a limit of its own, and the key point of each. The form is
// [model.Extract] (six fields of each step), [model.StructuredJSON]
// or [model.StructuredTable]; any other is an error. No steps give "".
func SummariseSteps(steps []Step, form model.Strategy, l Lang, c StepCompat) (string, []StepPoint, error) {
	if len(steps) == 0 {
		return "", nil, nil
	}
	w := wordsOf(l)
	all := make([]stepTold, len(steps))
	points := PointsOfSteps(steps, c)
	for i := range steps {
		all[i] = stepTold{n: steps[i].Number, facts: steps[i].facts(c)}
	}
	title := StepsTitle(steps[0].Number, steps[len(steps)-1].Number, l)
	switch form {
	case model.Extract:
		return strings.TrimPrefix(textLayout{w}.steps(all, errorLimit), "\n"), points, nil
	case model.StructuredJSON:
		return title + "\n{" + strings.TrimPrefix(jsonLayout{w}.steps(all, errorLimit), ",\n") + "}", points, nil
	case model.StructuredTable:
		return title + "\n" + strings.TrimPrefix(tableLayout{w}.steps(all, errorLimit), "\n\n"), points, nil
	}
	return "", nil, fmt.Errorf("summarize: strategy %q makes no text of steps here", form)
}

// StepsTitle heads the summary of a range of steps, "Summary of steps 1-3:".
func StepsTitle(from, to int, l Lang) string { return wordsOf(l).stepsTitle(from, to) }

// PointsOfSteps are the key points of steps.
func PointsOfSteps(steps []Step, c StepCompat) []StepPoint {
	points := make([]StepPoint, len(steps))
	for i := range steps {
		f := steps[i].facts(c)
		points[i] = f.point(steps[i].Number)
	}
	return points
}
