package compaction

import (
	"slices"

	"palimpsest/model"
)

// StepWindow is a step history as a policy describes it: package steps makes one
// with these numbers. On step records such a policy does what that history does,
// at any length:
//
//	records    1 … 9 │ 10 11 12 13       13 steps, window 8, batch 3
//	live list  [ summaries of 1-2, 3-4 … in one message ] 10 11 12 13
//
// The steps in full follow from the length alone, so a list of any length is
// brought to them at once, and the message before them holds the whole layer of
// summaries.
type StepWindow struct {
	Window, Batch int
	Adaptive      bool // both follow the length
	Cap           int  // code points of all summaries together; 0: no limit
	Strategy      model.Strategy
}

// StepWindowOf is the step history of a policy that slides over steps, whatever its
// window, batch and limits are: values that no step history can have are the nearest
// that it can. False: it is none. A target, pins, clearing and strategies that a step
// history does not know make it a policy of another kind.
func StepWindowOf(p *model.Policy) (StepWindow, bool) {
	if !p.Sliding() || p.Target != 0 || len(p.Pins) > 0 || p.Clear.On {
		return StepWindow{}, false
	}
	switch p.Strategy {
	case model.Extract, model.StructuredJSON, model.StructuredTable:
	default:
		return StepWindow{}, false
	}
	w := StepWindow{Adaptive: p.Adaptive, Cap: inUnit(p.LayerInForce(), model.Chars), Strategy: p.Strategy}
	if !w.Adaptive {
		w.Window, w.Batch = slidingSizes(p)
	}
	return w, true
}

// slidingSizes are the window and the batch of a policy that slides over steps: the
// nearest that a step history can have.
func slidingSizes(p *model.Policy) (window, batch int) {
	window = max(1, p.Triggers[0].At.N)
	return window, min(max(1, p.Batch.N), window)
}

// spread is a policy that slides over steps in the terms of the others, for a history
// that is no step records: its recent tail is what stays when a batch is taken above
// the window. A tail that is set beside the window stays as it is.
func spread(p *model.Policy) {
	if !p.Sliding() || p.Tail.N != p.Triggers[0].At.N {
		return
	}
	window, batch := slidingSizes(p)
	p.Tail.N = window + 1 - batch
}

// Detail is how many of n steps are in full after the last was appended, where the first
// saved of them were in summaries from the beginning.
func (w StepWindow) Detail(saved, n int) int {
	detail, window, batch := 0, w.Window, w.Batch
	for k := saved + 1; k <= n; k++ {
		if w.Adaptive {
			t := TierOf(k)
			window, batch = t.Window, t.Batch
		}
		for detail++; detail > window; {
			detail -= min(batch, detail)
		}
		if k > steadySteps && detail == window { // from here on it repeats
			return window - (batch-(n-k)%batch)%batch
		}
	}
	return detail
}

// steadySteps is the length from which on no tier changes.
const steadySteps = 64

// slide is the policy that leaves what the step history leaves of the steps of a line,
// with its layer in one message.
func (w StepWindow) slide(p model.Policy, l *Line) model.Policy {
	p.Tail.N, p.Batch.N = w.Detail(l.savedSteps, l.totalSteps), 0
	p.Former, p.MinGain = model.MergeFormer, model.Gain{}
	p.Budget = model.Amount{N: w.Cap, Unit: model.Chars}
	return p
}

// savedSteps is how many steps of a history were in summaries when it was saved.
func savedSteps(t *model.Thread) int {
	for _, i := range t.History {
		if n := int(t.Messages[i].Step); n > 0 {
			return n - 1
		}
	}
	return 0
}

// IsStepRecords reports whether a history is step records and nothing else but a
// system prompt, or a step history that was saved: what a step history can be made of.
func IsStepRecords(t *model.Thread) bool {
	made := func(m model.Message) bool { return m.Kind == model.KindSummary } // elsewhere, of steps that are not there
	return onlySteps(t) && (t.Saved.Len > 0 || !slices.ContainsFunc(t.Messages, made))
}

// onlySteps reports whether a history is step records, and nothing beside them but
// a system prompt and summaries.
func onlySteps(t *model.Thread) bool {
	records := false
	for _, i := range t.History {
		m := &t.Messages[i]
		if m.Step <= 0 && m.Kind != model.KindSystem && m.Kind != model.KindSummary {
			return false
		}
		records = records || m.Step > 0
	}
	return records
}

// DefaultFor is the policy that a thread of a conversation is opened with: that of the
// default preset, or of a step history where there are step records, also behind summaries
// that were made of others. What a program keeps of its agents says nothing of their models,
// so its messages are counted.
func DefaultFor(c *model.Conversation, t *model.Thread) model.Policy {
	id := "balanced"
	switch {
	case onlySteps(t):
		id = "sliding-adaptive"
	case c.KeepsContexts() && c.Window == 0 && c.Model == "":
		id = "message-count"
	}
	p, _ := PresetByID(id)
	return p.Policy
}
