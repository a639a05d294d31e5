package desk

import (
	"slices"
	"testing"

	"palimpsest/assets"
	"palimpsest/compaction/session"
	"palimpsest/model"
)

// openCrew opens the sample whose lead calls four agents, one of them nested.
func openCrew(t *testing.T, d *window) *Entry {
	t.Helper()
	i := slices.IndexFunc(assets.Samples, func(s assets.Sample) bool { return s.File == "crew-of-four.jsonl" })
	e := d.AddSample(assets.Samples[i].ID, "Crew", assets.Samples[i].File, assets.Samples[i].Bytes())
	d.Select(e)
	d.settle()
	if d.Session() == nil || !d.HasAgents() {
		t.Fatalf("%+v", e)
	}
	return e
}

func TestAgentsAreListedAndOpened(t *testing.T) {
	d := newWindow(t)
	e := openCrew(t, d)
	if d.Agents() != nil {
		t.Error("nobody asked for the agents")
	}
	d.LoadAgents()
	if a := d.Agents(); a == nil || !a.Running {
		t.Fatalf("%+v", a)
	}
	d.settle()
	a := d.Agents()
	if a == nil || a.Running || len(a.List) != 5 {
		t.Fatalf("%+v", a)
	}
	nested := slices.IndexFunc(a.List, func(x session.Agent) bool { return x.Depth == 2 })
	d.OpenAgent(nested)
	d.settle()
	if e.Ref != a.List[nested].Ref || d.Session().Thread() != a.List[nested].Session.Thread() {
		t.Errorf("looks at %+v", e.Ref)
	}
	d.LoadAgents()
	if d.Agents() != a {
		t.Error("the tree is read again although nothing changed")
	}
	d.OpenAgent(0)
	d.settle()
	d.Planning.Set(func(p *model.Policy) { p.Tail, p.MinGain = model.Amount{N: 1, Unit: model.Messages}, model.Gain{} })
	d.CompactNow()
	d.settle()
	d.LoadAgents()
	d.settle()
	if list := d.Agents().List; len(list[0].Records) != 1 {
		t.Errorf("after a compaction the first agent has %d records", len(list[0].Records))
	}
	d.OpenAgent(99)
	d.OpenAgent(-1)
}

// An agent follows its caller, but for what a person has set for it; that is
// kept when the window is closed, and can be given up again.
func TestAgentsInheritParameters(t *testing.T) {
	d := newWindow(t)
	e := openCrew(t, d)
	d.LoadAgents()
	d.settle()
	a := d.Agents()
	nested := slices.IndexFunc(a.List, func(x session.Agent) bool { return x.Depth == 2 })
	child := a.List[nested].Parent

	d.Planning.Set(func(p *model.Policy) { p.Reserve = 7000 }) // at the lead
	p, own, inherits := d.AgentParams(nested)
	if p.Reserve != 7000 || len(own) != 0 || !inherits {
		t.Errorf("reserve %d, own %v, %v", p.Reserve, own, inherits)
	}
	if _, _, inherits := d.AgentParams(0); inherits {
		t.Error("the lead inherits from nobody")
	}
	d.OpenAgent(child)
	d.settle()
	if got := d.Planning.Params().Reserve; got != 7000 {
		t.Errorf("reserve %d was not inherited", got)
	}
	d.Planning.Set(func(p *model.Policy) { p.Budget = model.Amount{N: 333, Unit: model.Tokens} })
	d.settle()
	if _, own, _ = d.AgentParams(child); len(own) != 1 || own["summaryBudget"] == nil {
		t.Errorf("own: %v", own)
	}
	if p, own, _ = d.AgentParams(nested); p.Budget.N != 333 || len(own) != 0 {
		t.Errorf("the nested agent has %v, own %v", p.Budget, own)
	}

	again := newWindowOn(t, d.Store()) // as after a restart
	openCrew(t, again)
	again.LoadAgents()
	again.settle()
	if p, own, _ = again.AgentParams(child); p.Budget.N != 333 || len(own) != 1 {
		t.Errorf("after a restart: %v, own %v", p.Budget, own)
	}
	again.OpenAgent(child)
	again.settle()
	if again.Planning.Params().Budget.N != 333 {
		t.Errorf("after a restart: %v", again.Planning.Params().Budget)
	}

	d.InheritAll(child)
	d.settle()
	if _, own, _ = d.AgentParams(child); len(own) != 0 || d.Planning.Params().Budget.N == 333 || d.Planning.Params().Reserve != 7000 {
		t.Errorf("own: %v, %+v", own, d.Planning.Params())
	}
	if d.Undo(); d.Planning.Params().Budget.N == 0 {
		t.Error("undo broke the parameters")
	}
	_ = e
}
