package desk

import (
	"cmp"
	"path/filepath"
	"slices"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state/plan"
	"palimpsest/model"
)

// What subjects need of each other is joined here.

// restacked is called when the stacks of sessions changed: what was computed on them is
// made again.
func (d *Desk) restacked(list ...*session.Session) {
	for _, s := range list {
		d.DraftSet.Outdated(s)
	}
	d.Planning.Replan()
}

// histories is the list of histories as other subjects see it.
type histories struct{ *fileList }

// LookedAt is the file of the history looked at; "": there is none.
func (d histories) LookedAt() string {
	if d.current == nil {
		return ""
	}
	return d.current.Path
}

// Made notes how many compactions are stored of each file.
func (d histories) Made(counts map[string]int) {
	changed := false
	for _, e := range d.entries {
		changed = changed || e.Made != counts[e.Path]
		e.Made = counts[e.Path]
	}
	if changed {
		d.Notify(TopicFiles)
	}
}

// OpenSessions lists the sessions that are open in the window.
func (d histories) OpenSessions() (list []*session.Session) {
	for _, e := range d.entries {
		if e.Session != nil {
			list = append(list, e.Session)
		}
		for _, s := range e.sessions {
			if s != nil && s != e.Session {
				list = append(list, s)
			}
		}
	}
	return list
}

// Show looks at a thread of a history. One that is not in the list is added from its
// file.
func (d histories) Show(path string, ref session.Ref) {
	i := slices.IndexFunc(d.entries, func(e *Entry) bool { return e.Path == path })
	switch {
	case i < 0:
		d.Add(path)
	case d.entries[i].State == Ready && d.entries[i].Ref != ref && d.entries[i].File.Has(ref):
		d.SelectThread(d.entries[i], ref)
	default:
		d.Select(d.entries[i])
	}
}

// ShowCopy looks at the stored copy of a record's file.
func (d histories) ShowCopy(r *model.Record, content []byte) {
	e := d.entry(r.ID + " · " + filepath.Base(r.Path))
	e.Sample, e.data, e.reading.Format = "sample-"+r.ID, content, r.Format
	d.Select(e)
}

// planEvents says what other subjects do when parameters change and plans are made. The
// order counts.
func (d *Desk) planEvents() plan.Events {
	rows := func(l *session.Ledger) { d.showRows(l, cmp.Or(d.away, d.selectedNum())) }
	return plan.Events{
		Outdated: d.needsOutdated,
		Changed:  func(s *session.Session, was model.Policy) { d.paramsStep(d.current, s, was) },
		Kept: func() {
			d.keepOwn()
			if !d.neededNow {
				d.measureNeeds()
			}
		},
		Begun: func(s *session.Session, p model.Policy, dragged bool) {
			d.Sched.Cancel("draft")
			start := sched.Run[*replay.Timeline]
			if dragged {
				start = sched.Follow[*replay.Timeline]
			}
			d.replay(start, s, p)
		},
		Planned: func(s *session.Session, l *session.Ledger, first, settled bool) {
			d.DraftSet.Reset()
			rows(l)
			d.selectAwaited(first)
			d.Notify(TopicPlan, TopicSelect)
			compareAgain(d, s)
			if settled { // else a newer plan is under way
				d.DraftSet.Make()
			}
			d.showHeld()
			if first && !s.Sketched() { // else when it is counted
				d.index(s)
			} else {
				d.measureSurvival()
			}
		},
		Rows: rows,
	}
}

// TogglePin pins or unpins the message of a ledger row; undoable.
func (d *Desk) TogglePin(row int) {
	s := d.Session()
	if s == nil || d.ledger == nil || row < 0 || row >= d.ledger.Len() {
		return
	}
	if r := d.ledger.Row(row); r.Num > 0 {
		d.Planning.TogglePinOf(r.Num - 1)
	}
}
