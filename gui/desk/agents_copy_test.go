package desk

import (
	"slices"
	"testing"

	"palimpsest/compaction/session"
	"palimpsest/model"
)

// What is copied is what an agent is set to, not what its thread is: context
// window, fixed part and pins stay. It is kept like what a person sets by hand,
// and the caller's own is not touched.
func TestParametersAreCopiedToOtherAgents(t *testing.T) {
	d := newWindow(t)
	openCrew(t, d)
	d.LoadAgents()
	d.settle()
	a := d.Agents()
	nested := slices.IndexFunc(a.List, func(x session.Agent) bool { return x.Depth == 2 })
	caller := a.List[nested].Parent

	d.OpenAgent(nested)
	d.settle()
	d.Planning.Set(func(p *model.Policy) {
		p.Budget, p.Reserve, p.Pins, p.Window = model.Amount{N: 777, Unit: model.Tokens}, 4321, []model.Range{{From: 1, To: 2}}, 50_000
	})
	d.settle()
	before, _, _ := d.AgentParams(caller)
	if n := len(d.CopyDiffers(nested, caller)); n != 2 {
		t.Errorf("%d settings differ", n)
	}
	d.CopyParams(nested, []int{caller, 0, nested, 99, -1})
	d.settle()
	for _, i := range []int{0, caller} {
		p, _, _ := d.AgentParams(i)
		if p.Budget.N != 777 || p.Reserve != 4321 || len(p.Pins) != 0 || p.Window != before.Window {
			t.Errorf("agent %d has budget %v, reserve %d, pins %v, window %d", i, p.Budget, p.Reserve, p.Pins, p.Window)
		}
		if n := len(d.CopyDiffers(nested, i)); n != 0 {
			t.Errorf("%d settings of agent %d differ still", n, i)
		}
	}
	if p, own, _ := d.AgentParams(nested); p.Window != 50_000 || len(p.Pins) != 1 || own["contextWindow"] == nil {
		t.Errorf("copying changed whom it was copied from: %+v, own %v", p, own)
	}
	if _, own, _ := d.AgentParams(caller); len(own) != 0 {
		t.Errorf("it is set like its caller and has of its own %v", own)
	}
	d.OpenAgent(0)
	d.settle()
	if d.Planning.Params().Budget.N != 777 {
		t.Errorf("the first agent is opened with %v", d.Planning.Params().Budget)
	}
	if d.Undo(); d.Planning.Params().Budget.N == 777 {
		t.Error("what was copied to the first agent can't be undone")
	}
}
