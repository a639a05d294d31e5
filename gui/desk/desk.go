package desk

import (
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/gui/state/drafts"
	"palimpsest/gui/state/plan"
	"palimpsest/gui/state/records"
	"palimpsest/gui/state/undo"
	"palimpsest/model/store"
)

// Topic is a part of the state that panes listen to.
type Topic = state.Topic

// The topics.
const (
	TopicFiles   = state.TopicFiles
	TopicSession = state.TopicSession
	TopicParams  = state.TopicParams
	TopicPlan    = state.TopicPlan
	TopicSelect  = state.TopicSelect
	TopicRecords = state.TopicRecords
	TopicJob     = state.TopicJob
	TopicNotice  = state.TopicNotice
	TopicDetail  = state.TopicDetail
	TopicAsking  = state.TopicAsking
	TopicSweep   = state.TopicSweep
	TopicCompare = state.TopicCompare
	TopicReplay  = state.TopicReplay
	TopicAgents  = state.TopicAgents
	TopicHistory = state.TopicHistory
	TopicFacts   = state.TopicFacts
	TopicAdvice  = state.TopicAdvice
	topics       = state.Topics
)

// Desk is the state of a window: it joins its subjects, each a type with its own
// fields in a file of its own, and calls panes when a topic changed. A subject
// reaches another one through the desk, and never assigns its fields. See the
// package comment for the threading rule.
//
//	Desk ── core: scheduler, store, topics; embedded by every subject
//	  ├─ fileList, library, watching    histories: open, known, followed
//	  ├─ planning, rowList              parameters → plan → rows
//	  ├─ draftSet, drafting             plan → drafts, asked for and applied
//	  ├─ compacting                     one compaction of each of several histories
//	  ├─ study, advising                replay, facts, sweep, comparison; settings that suit better
//	  ├─ foundStudy                     what the compactions that a file holds kept
//	  ├─ recordTable, recordView        the list of records, and the one looked at
//	  ├─ agentTree, database            agents of a conversation; upkeep of the store
//	  └─ history                        what a person did, to be undone
type Desk struct {
	*core
	fileList
	library
	watching
	running
	Planning *plan.Plan
	rowList
	finder
	DraftSet *drafts.Set
	drafting
	compacting
	study
	foundStudy
	advising
	RecordList *records.List
	RecordView *records.View
	database
	agentTree
	history

	notices []*Notice
}

// core is what every subject of a desk uses.
type core = state.Core

// subject is the part that all subjects of a desk have: what they share, and
// the way to the others.
type subject struct {
	*core
	desk *Desk
}

// New makes an empty desk. dispatch runs a function on the goroutine that owns
// the window; st may be nil.
func New(dispatch func(func()), st *store.Store) *Desk {
	d := &Desk{core: state.New(dispatch, st)}
	d.core.Fail = d.Fail
	to := subject{d.core, d}
	d.fileList.subject, d.library.subject, d.watching.subject, d.running.subject = to, to, to, to
	d.Planning = plan.New(d.core, d.fileList.Session, d.planEvents())
	d.DraftSet = drafts.New(d.core, d.fileList.Session, d.Planning, func(s *session.Session, x *undo.Step) {
		x.Of = d.stepKey(s)
		d.Did(x)
	}, func() {
		compareAgain(d, d.Session())
		d.measureSurvival()
	})
	d.rowList, d.finder = rowList{subject: to, row: -1}, finder{to}
	d.drafting.subject, d.compacting.subject = to, to
	d.study.subject, d.advising.subject, d.foundStudy.subject = to, to, to
	d.RecordList, d.RecordView = records.New(d.core, histories{&d.fileList}, &d.history, d.restacked)
	d.database.subject, d.agentTree.subject = to, to
	d.history.subject = to
	d.Sched.OnProgress(d.progress)
	d.library.load()
	return d
}

// Scheduler runs the desk's background work; tests wait for it.
func (d *Desk) Scheduler() *sched.Scheduler { return d.Sched }

// Store is where records, presets, settings and recent files are kept; nil when
// there is none.
func (d *Desk) Store() *store.Store { return d.core.Store }

// Announce calls the listeners of these topics; of every one, after the panes were
// built again, if none is named.
func (d *Desk) Announce(list ...Topic) {
	if len(list) > 0 {
		d.Notify(list...)
		return
	}
	for t := range topics {
		d.Notify(t)
	}
}

// Close ends all work and closes the files.
func (d *Desk) Close() {
	d.Sched.Close()
	d.core.Flush()
	d.stopWatching()
	d.asks.Close()
	for _, e := range d.entries {
		if e.File != nil {
			e.File.Close()
		}
	}
}

// progress passes a report of the scheduler to the subject whose work it is.
func (d *Desk) progress(key string, p sched.Progress) {
	switch key {
	case "compact":
		if d.job.Running() {
			d.job.Phase, d.job.Done, d.job.Total = session.Phase(p.Text), p.Done, p.Total
			d.Notify(TopicJob)
		}
	case "ask":
		d.Notify(TopicAsking)
	case "sweep":
		d.sweepProgress(p)
	case "advice":
		if a := d.advice; a != nil && a.Advice == nil {
			a.Done, a.Total = int(p.Done), int(p.Total)
			d.Notify(TopicAdvice)
		}
	case "agents":
		if a := d.agents; a != nil && a.Running {
			a.Done, a.Total = int(p.Done), int(p.Total)
			d.Notify(TopicAgents)
		}
	case "facts":
		d.indexed = p
		d.Notify(TopicFacts)
	case "open", "count":
		if e := d.current; e != nil {
			e.Done, e.Total, e.Counting = p.Done, p.Total, p.Text == "count"
			d.Notify(TopicFiles)
		}
	}
}
