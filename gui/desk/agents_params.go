package desk

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"palimpsest/compaction/session"
	"palimpsest/gui/state"
	"palimpsest/model"
)

// An agent that another one called takes its parameters over from its caller,
// but for those that a person has set for it. They are kept in the store.

// ownSetting is the setting that the agents' own parameters are kept in, by file
// and thread.
const ownSetting = "agent parameters"

func (d *agentTree) ownKey(e *Entry, ref session.Ref) string {
	if e.Sample != "" {
		return pathKey("sample:"+e.Sample, ref)
	}
	return pathKey(e.Path, ref)
}

func pathKey(path string, ref session.Ref) string {
	return fmt.Sprintf("%s#%d.%d", path, ref.Conversation, ref.Thread)
}

// loadOwn reads the agents' own parameters when the store is there.
func (d *agentTree) loadOwn() {
	st := d.Store
	state.Run(d.core, "own parameters", func(ctx context.Context) (map[string]session.Overrides, error) {
		own := map[string]session.Overrides{}
		_, err := st.Setting(ctx, ownSetting, &own)
		return own, err
	}, func(own map[string]session.Overrides) {
		maps.Copy(own, d.own) // what was set meanwhile is newer
		d.own = own
		if e := d.desk.current; e != nil && e.Session != nil && d.inherit(e, e.Ref, e.Session) {
			d.takeInherited()
		}
	})
}

// callerOf is the thread of the file that called another; false for the first
// one, for branches, and where it is unknown.
func callerOf(f *session.File, ref session.Ref) (session.Ref, bool) {
	c := f.Doc.Conversations[ref.Conversation]
	t := c.Threads[ref.Thread]
	if ref.Thread == 0 || t.Kind == model.ThreadBranch {
		return session.Ref{}, false
	}
	caller := session.Ref{Conversation: ref.Conversation}
	for _, a := range c.Agents {
		if a.ID != t.AgentID || a.Parent == "" {
			continue
		}
		for i, x := range c.Threads {
			if x.AgentID == a.Parent && i != ref.Thread {
				caller.Thread = i
				return caller, true
			}
		}
	}
	return caller, !c.KeepsContexts()
}

// maxDepth ends the way up in a file whose agents call each other in a circle.
const maxDepth = 100

// callerParams are the parameters that a thread inherits from; false when it has
// no caller.
func (d *agentTree) callerParams(e *Entry, ref session.Ref, depth int) (model.Policy, bool) {
	if depth > maxDepth {
		return model.Policy{}, false
	}
	if caller, ok := callerOf(e.File, ref); ok {
		return d.paramsOf(e, caller, depth), true
	}
	if ref.Thread > 0 {
		return model.Policy{}, false
	}
	for _, r := range e.Related {
		if !r.Parent {
			continue
		}
		for _, x := range d.desk.entries {
			if x.Path == r.Path && x.File != nil && x != e {
				return d.paramsOf(x, session.Ref{}, depth), true
			}
		}
	}
	return model.Policy{}, false
}

// paramsOf are the parameters of a thread, whether it is open or not.
func (d *agentTree) paramsOf(e *Entry, ref session.Ref, depth int) model.Policy {
	if s := e.sessions[ref]; s != nil {
		if e == d.desk.current && s == e.Session {
			return d.desk.Planning.Params()
		}
		return s.Policy()
	}
	base, ok := d.callerParams(e, ref, depth+1)
	if !ok {
		base = e.File.OpensWith(ref)
	}
	return d.own[d.ownKey(e, ref)].Over(base)
}

// inherit gives a session its caller's parameters, but for its own; false when
// that changes nothing.
func (d *agentTree) inherit(e *Entry, ref session.Ref, s *session.Session) bool {
	base, ok := d.callerParams(e, ref, 0)
	if !ok {
		return false
	}
	p := d.own[d.ownKey(e, ref)].Over(s.Inherited(base))
	if len(session.Differences(s.Policy(), p)) == 0 {
		return false
	}
	s.SetPolicy(p)
	return true
}

// takeInherited shows the parameters that the session looked at now has.
func (d *agentTree) takeInherited() {
	d.desk.Planning.ReadParams()
	d.desk.Planning.Replan()
	d.Notify(TopicParams)
}

// keepOwn notes what the thread looked at sets otherwise than its caller.
func (d *agentTree) keepOwn() {
	e := d.desk.current
	if e == nil || e.Session == nil {
		return
	}
	base, ok := d.callerParams(e, e.Ref, 0)
	if !ok {
		return
	}
	d.setOwn(d.ownKey(e, e.Ref), session.Differences(e.Session.Inherited(base), e.Session.Policy()))
}

func (d *agentTree) setOwn(key string, own session.Overrides) {
	was := d.own[key]
	if len(was) == 0 && len(own) == 0 || maps.EqualFunc(was, own, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
		return
	}
	all := maps.Clone(d.own)
	if all == nil {
		all = map[string]session.Overrides{}
	}
	if all[key] = own; len(own) == 0 {
		delete(all, key)
	}
	d.own = all
	d.Notify(TopicAgents)
	d.Keep(ownSetting, all)
}

// InheritAll makes an agent of the tree take all parameters over from its caller.
func (d *agentTree) InheritAll(i int) {
	a := d.Agents()
	if a == nil || i < 0 || i >= len(a.List) || a.List[i].Parent < 0 {
		return
	}
	setOwnOf(d, a, &a.List[i], nil)
}

// setOwnOf sets what is an agent's own, in its session too if it is open.
func setOwnOf(d *agentTree, a *Agents, x *session.Agent, own session.Overrides) {
	if x.Path != "" {
		d.setOwn(pathKey(x.Path, session.Ref{}), own)
		return
	}
	d.setOwn(d.ownKey(a.of, x.Ref), own)
	if s := a.of.sessions[x.Ref]; s != nil && d.inherit(a.of, x.Ref, s) && s == a.of.Session {
		d.takeInherited()
	}
}
