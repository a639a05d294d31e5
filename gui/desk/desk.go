package desk

import (
	"palimpsest/compaction"
	"palimpsest/gui/sched"
	"palimpsest/model/store"
)

// Topic is a part of the state that panes listen to.
type Topic uint8

const (
	TopicFiles   Topic = iota // the list of histories, or one's state in it
	TopicSession              // another history or thread is looked at
	TopicParams               // the parameters changed
	TopicPlan                 // plan, draft or ledger changed
	TopicSelect               // another row is selected
	TopicRecords              // the list of records, or the one looked at
	TopicJob                  // a compaction began, moved on or ended
	TopicNotice               // something to say appeared or was closed
	TopicDetail               // the text of the selected row was read
	TopicAsking               // a model is to be asked, is being asked or answered, or who is asked
	TopicSweep                // a sweep began, moved on or ended
	TopicCompare              // the two sides that are compared, or the result
	TopicReplay               // the history was replayed under other parameters
	TopicAgents               // the agents of the conversation, or their own parameters
	TopicHistory              // a step was done, undone or redone
	TopicFacts                // what survives or was needed later is known, or how far that is
	TopicAdvice               // settings that suit better are being sought, or were found
	topics
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
	planning
	rowList
	finder
	draftSet
	drafting
	compacting
	study
	foundStudy
	advising
	recordTable
	recordView
	database
	agentTree
	history

	notices []*Notice
}

// core is what every subject of a desk uses.
type core struct {
	dispatch  func(func()) // runs a function on the goroutine that owns the window
	sched     *sched.Scheduler
	hand      sched.Hand   // that drags a parameter
	store     *store.Store // nil: records are kept in memory only
	listeners [topics][]func()
}

// notify calls the listeners of the topics.
func (c *core) notify(list ...Topic) {
	for _, t := range list {
		for _, f := range c.listeners[t] {
			f()
		}
	}
}

// subject is the part that all subjects of a desk have: what they share, and
// the way to the others.
type subject struct {
	*core
	desk *Desk
}

// New makes an empty desk. dispatch runs a function on the goroutine that owns
// the window; st may be nil.
func New(dispatch func(func()), st *store.Store) *Desk {
	d := &Desk{core: &core{dispatch: dispatch, sched: sched.New(dispatch), store: st}}
	to := subject{d.core, d}
	d.fileList.subject, d.library.subject, d.watching.subject, d.running.subject = to, to, to, to
	d.planning = planning{subject: to, params: compaction.Default()}
	d.rowList, d.finder = rowList{subject: to, row: -1}, finder{to}
	d.draftSet.subject, d.drafting.subject, d.compacting.subject = to, to, to
	d.study.subject, d.advising.subject, d.foundStudy.subject = to, to, to
	d.recordTable = recordTable{subject: to, list: &recordList{}, tickAnchor: -1, query: FirstQuery()}
	d.recordView.subject, d.database.subject, d.agentTree.subject = to, to, to
	d.history.subject = to
	d.sched.OnProgress(d.progress)
	d.loadOwn()
	d.loadFactors()
	d.loadSteps()
	d.loadShelf()
	return d
}

// Scheduler runs the desk's background work; tests wait for it.
func (d *Desk) Scheduler() *sched.Scheduler { return d.sched }

// Store is where records, presets, settings and recent files are kept; nil when
// there is none.
func (d *Desk) Store() *store.Store { return d.store }

// Listen calls f whenever the topic changed.
func (d *Desk) Listen(t Topic, f func()) { d.listeners[t] = append(d.listeners[t], f) }

// StopListening forgets all listeners, before the panes are built again.
func (d *Desk) StopListening() { d.listeners = [topics][]func(){} }

// Announce calls the listeners of these topics; of every one, after the panes were
// built again, if none is named.
func (d *Desk) Announce(list ...Topic) {
	if len(list) > 0 {
		d.notify(list...)
		return
	}
	for t := range topics {
		d.notify(t)
	}
}

// Close ends all work and closes the files.
func (d *Desk) Close() {
	d.sched.Close()
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
		d.jobProgress(p)
	case "ask":
		d.notify(TopicAsking)
	case "sweep":
		d.sweepProgress(p)
	case "advice":
		d.adviceProgress(p)
	case "agents":
		d.agentProgress(p)
	case "facts":
		d.indexProgress(p)
	case "recordedStudy":
		d.studyProgress(p)
	case "open", "count":
		d.readProgress(p)
	}
}
