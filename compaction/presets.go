package compaction

import (
	"reflect"

	"palimpsest/model"
)

// Preset is a policy with a name.
type Preset struct {
	ID     string       `json:"id"`
	Title  string       `json:"title"`
	About  string       `json:"about"` // one English sentence
	Policy model.Policy `json:"policy"`
}

// BasePolicy is what the presets share.
func BasePolicy() model.Policy {
	return model.Policy{
		MinGain:     model.Gain{Messages: 2, Tokens: 1},
		Strategy:    model.Extract,
		Former:      model.MergeFormer,
		OnFailure:   model.KeepEverything,
		Checkpoints: model.CheckpointsStay,
		BackOff:     5,
	}
}

// ShareClause fires at a share of the context window, 0 to 1.
func ShareClause(f float64) model.Clause { return model.Clause{Share: f} }

// ShareOfWindow is an amount in percent of the context window; see
// [model.Amount.Of].
func ShareOfWindow(percent int) model.Amount {
	return model.Amount{N: percent, Unit: model.Percent}
}

// TriggerAt is a clause in a unit; see [Gauge] for when it fires.
func TriggerAt(n int, u model.Unit) model.Clause {
	return model.Clause{At: model.Amount{N: n, Unit: u}}
}

// Presets lists the built-in presets, the default first. The values of the four
// histories are those of their first authors (docs/requirements.md A4, A9, C1, D5).
func Presets() []Preset {
	return []Preset{
		{"balanced", "Balanced", "Fires at 67 % of the model limit and keeps its last 2 %, with a summary of up to 8 %.",
			with(func(p *model.Policy) {
				ofLimit(p, 0.67, 2, 8)
				p.Strategy = model.NoteText
			})},
		{"careful", "Careful", "Fires late, keeps a long window and a large summary.", with(func(p *model.Policy) {
			ofLimit(p, 0.88, 24, 4)
		})},
		{"cheap", "Cheap", "Fires early and keeps a short window and a short summary.", with(func(p *model.Policy) {
			ofLimit(p, 0.5, 4, 1)
		})},
		{"tools-only", "Tools only", "Clears old tool results and summarises nothing.", with(func(p *model.Policy) {
			ofLimit(p, 0.6, 10, 2)
			p.Strategy = model.ClearOnly
			p.Clear = model.Clearing{On: true, Keep: 5, Above: 200}
			// Once the rest alone is over the trigger it fires whenever one more
			// result is old, and each time the provider's cache is lost for it.
			p.MinGain.Tokens = 2000
		})},
		{"sliding-adaptive", "Sliding window (adaptive)", "Step history whose window and batch follow the length so far.",
			with(func(p *model.Policy) {
				slidingWindow(p, 5, 2)
				p.Adaptive = true
			})},
		{"sliding-fixed", "Sliding window (fixed)", "Step history with window 5 and batch 3.", with(func(p *model.Policy) {
			slidingWindow(p, 5, 3)
		})},
		{"message-count", "Message count", "Fires at 40 messages, summarises 30 and keeps at least 10.", with(func(p *model.Policy) {
			p.Triggers = []model.Clause{TriggerAt(40, model.Messages)}
			p.Tail = model.Amount{N: 10, Unit: model.Messages}
			p.Batch = model.Amount{N: 30, Unit: model.Messages}
			p.Budget = model.Amount{N: 1500, Unit: model.Chars}
			p.OnFailure, p.MaxMessages = model.TruncateAtHard, 50
			p.MinGain.Messages = 1
		})},
		{"token-share", "Token share", "Fires at 80 % of the model limit and keeps the last 10 messages.", with(func(p *model.Policy) {
			p.Triggers = []model.Clause{ShareClause(0.8)}
			p.Tail = model.Amount{N: 10, Unit: model.Messages}
			p.Batch = model.Amount{Unit: model.Messages}
			p.Budget = model.Amount{N: 1000, Unit: model.Tokens}
			p.MinGain.Messages = 1
		})},
	}
}

func with(set func(*model.Policy)) model.Policy {
	p := BasePolicy()
	set(&p)
	if p.LayerBudget.N == 0 { // for when a person stops merging former summaries
		p.LayerBudget = model.Amount{N: 3 * p.Budget.N, Unit: p.Budget.Unit}
	}
	return p
}

// ofLimit fires at a share of the model limit, and has window and budget in percent of it.
func ofLimit(p *model.Policy, at float64, tail, budget int) {
	p.Triggers, p.Tail, p.Budget = []model.Clause{ShareClause(at)}, ShareOfWindow(tail), ShareOfWindow(budget)
	p.Batch, p.KeepFirstUser = model.Amount{Unit: model.Messages}, true
}

// slidingWindow is "window w, batch b" over steps: see [model.Policy.Sliding].
func slidingWindow(p *model.Policy, w, b int) {
	p.Triggers = []model.Clause{TriggerAt(w, model.Steps)}
	p.Tail = model.Amount{N: w, Unit: model.Steps}
	p.Batch = model.Amount{N: b, Unit: model.Steps}
	p.Former = model.LayerFormer
	p.Budget = model.Amount{N: 1500, Unit: model.Chars}
	p.LayerBudget = model.Amount{N: 5000, Unit: model.Chars}
	p.MinGain.Messages = 1
}

// PresetByID finds a built-in preset or look-alike; its policy carries the ID.
func PresetByID(id string) (Preset, bool) {
	for _, p := range Presets() {
		if p.ID == id {
			p.Policy.Preset = id
			return p, true
		}
	}
	for _, l := range LookAlikes() {
		if l.ID == id {
			l.Policy.Preset = id
			return l.Preset, true
		}
	}
	return Preset{}, false
}

// Default is the policy of the default preset.
func Default() model.Policy {
	p, _ := PresetByID("balanced")
	return p.Policy
}

// Differing are the parameters in which two policies differ, but for those that
// belong to a history.
func Differing(a, b model.Policy) (list []*model.Param) {
	for _, x := range model.Params() {
		offA, offB := x.SwitchedOff(&a), x.SwitchedOff(&b)
		if x.Own || offA && offB || offA == offB && reflect.DeepEqual(x.Value(&a), x.Value(&b)) {
			continue
		}
		list = append(list, x)
	}
	return list
}

// Changed are the parameters in which a policy differs from the built-in preset
// that it names; false where it names none.
func Changed(p model.Policy) (list []*model.Param, ok bool) {
	preset, ok := PresetByID(p.Preset)
	if !ok {
		return nil, false
	}
	return Differing(preset.Policy, p), true
}

// ClearingOnly is a policy that clears old tool results and replaces nothing. Where it
// did not clear any the newest 3 stay, as with the API's own clearing.
func ClearingOnly(p model.Policy) model.Policy {
	p.Strategy = model.ClearOnly
	if !p.Clear.On {
		p.Clear = model.Clearing{On: true, Keep: 3}
	}
	return p
}
