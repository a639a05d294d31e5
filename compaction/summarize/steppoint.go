package summarize

import (
	"fmt"
	"strings"
)

// StepPoint is the key point of a step: what is left to say of it
// when there is room for one line. Its texts are single lines.
type StepPoint struct {
	Number int    `json:"step"`
	To     *int   `json:"to,omitempty"` // the last step, when the point is for a run of steps; that may be 0
	Status string `json:"status,omitempty"`
	Result string `json:"result,omitempty"` // or the error's text
	Failed bool   `json:"failed,omitempty"`
}

// pointLimit bounds a key point on its line, in code points, "..." not counted.
const pointLimit = 200

// point is the key point of a step whose fields have been read.
func (f *stepFacts) point(n int) StepPoint {
	p := StepPoint{Number: n, Status: line(f.field[fieldStatus], errorLimit), Result: line(f.field[fieldResult], errorLimit),
		Failed: f.failed}
	if f.failed || p.Result == "" {
		p.Result = line(f.err, errorLimit)
	}
	return p
}

// PointOf is a text as the point of a run of steps, next to the points of the
// steps themselves, which follow it.
func PointOf(from, to int, text string) StepPoint {
	return StepPoint{Number: from, To: new(to), Result: line(text, errorLimit)}
}

// Line is the point with its labels, "Step 3: Task status: …; Key result: …".
func (p StepPoint) Line(l Lang) string { return wordsOf(l).pointLine(p) }

func (w *words) pointLine(p StepPoint) string {
	status, result, label := p.Status, p.Result, w.fields[fieldResult]
	if p.Failed {
		label = w.errLabel
		if status == "" {
			status = w.errStatus
		}
	}
	if status == "" {
		status = w.absent
	}
	if result == "" {
		result = w.absent
	}
	return Truncate(fmt.Sprintf("%s %s: %s; %s: %s", w.pointLabel(p), w.fields[fieldStatus], status, label, result), pointLimit)
}

// pointBrief is the point without labels, "Step 3: …; …".
func (w *words) pointBrief(p StepPoint) string {
	status, result := p.Status, p.Result
	if p.Failed && status == "" {
		status = w.errStatus
	}
	if status == "" && result == "" {
		return w.pointLabel(p) + " " + w.absent
	}
	return w.pointLabel(p) + " " + strings.Trim(line(status, fieldLimit)+"; "+line(result, fieldLimit), "; ")
}

// pointLabel names the steps of a point, "Step 3:".
func (w *words) pointLabel(p StepPoint) string {
	if p.To == nil {
		return fmt.Sprintf(w.stepLabel, p.Number)
	}
	return strings.Replace(fmt.Sprintf(w.stepLabel, p.Number), ":", fmt.Sprintf("-%d:", *p.To), 1)
}

// StepRange is a range of step numbers, both ends in it.
type StepRange struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Include widens the range by step n.
func (r StepRange) Include(n int) StepRange {
	return StepRange{min(r.From, n), max(r.To, n)}
}

// Omitted announces that the steps of a range are left out,
// "[steps 1-9 omitted]".
func (r StepRange) Omitted(l Lang) string { return wordsOf(l).stepsGone(r.From, r.To) }
