package desk

import (
	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/online"
	"palimpsest/gui/desk/watch"
	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/tokens"
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
	TopicCompare              // the two sides that are compared, or what came of them
	TopicReplay               // the history was lived under other parameters
	TopicAgents               // the agents of the conversation, or their own parameters
	TopicFacts                // what survives or was needed later is known, or how far that is
	topics
)

// Desk is the state of a window. See the package comment for the threading rule.
type Desk struct {
	dispatch func(func())
	sched    *sched.Scheduler
	store    *store.Store // nil: records are kept in memory only
	unopened string       // path of the database that could not be opened
	openErr  error        // why

	listeners [topics][]func()

	entries []*Entry
	recents []Recent
	current *Entry

	params    model.Policy // as on the screen; the session's own until a drag ends
	view      session.View
	plan      *compaction.Plan
	planned   model.Policy // that the plan was made with
	moved     bool         // the parameters, since the last frame
	ledger    *session.Ledger
	next      []compaction.Rule
	timeline  *replay.Timeline // see Timeline
	lived     model.Policy     // the parameters of timeline
	draft     *session.Draft   // of the plan, made in the background; nil while it is made
	filter    Filter
	survival  *Survival
	needed    *session.Needed
	neededNow bool               // needed is that of the parameters
	indexed   sched.Progress     // of the facts
	indexes   []*session.Session // that keep their index, the latest last

	rows []int // ledger rows that pass the filter; nil: all
	row  int   // selected ledger row; -1: none

	lookAt    string  // UID of the record whose summary is to be selected
	lookAtNum int     // message to be selected in the history that is being opened, from 1; 0: none
	detail    *Detail // text of the selected row
	detailOf  detailKey
	curve     curve
	presets   []store.Preset

	query       store.Filter          // what the list of records shall be
	list        *recordList           // what it is
	record      *model.Record         // the one looked at, whole
	recordFacts []model.FactTally     // worked out for it, see RecordFacts
	recordAgain *session.CutBehaviour // what the agent did after it, if its file tells of it, see RecordAgain
	nested      *session.Nested       // what its summary stands for
	origins     *Origins              // its history as it was, see RecordOrigins
	reading     *model.Record         // whose history is being read for that
	reapply     *Reapply              // see Reapplying
	ticked      map[string]bool       // IDs of the records that are chosen together
	tickAnchor  int                   // row that was ticked last; -1: none
	pair        *RecordPair           // see ComparedRecords

	job    *Job
	asks   online.Connection // who makes summaries; nothing is sent unasked
	asking *Asking
	drafts []made

	factors tokens.Factors // see SetFactors

	draftFacts   []*facts.Survival // see DraftFacts
	draftFactsOf []*session.Draft

	notices []*Notice

	following bool // files that are open are watched and read on
	watcher   *watch.Watcher
	folders   []string   // watched for new sessions
	standing  []standing // those that are watched in every window
	unscanned []string   // what changed in them and was not looked at yet
	sweep     *Sweep
	compare   Comparing
	agents    *Agents
	own       map[string]session.Own // agents' own parameters, by file and thread; replaced as a whole
}

// New makes an empty desk. dispatch runs a function on the goroutine that owns
// the window; st may be nil.
func New(dispatch func(func()), st *store.Store) *Desk {
	d := &Desk{
		dispatch: dispatch, sched: sched.New(dispatch), store: st,
		row: -1, tickAnchor: -1, params: compaction.Default(), list: &recordList{},
	}
	d.sched.OnProgress(d.progress)
	d.loadOwn()
	d.loadFactors()
	return d
}

// Scheduler runs the desk's background work; tests wait for it.
func (d *Desk) Scheduler() *sched.Scheduler { return d.sched }

// Store is where records, presets, settings and recent files are kept; nil when
// there is none.
func (d *Desk) Store() *store.Store { return d.store }

// Listen calls f whenever the topic changed.
func (d *Desk) Listen(t Topic, f func()) { d.listeners[t] = append(d.listeners[t], f) }

// Deafen forgets all listeners, when the panes are built anew.
func (d *Desk) Deafen() { d.listeners = [topics][]func(){} }

// Announce tells every topic, to panes that were built anew.
func (d *Desk) Announce() {
	for t := range topics {
		d.tell(t)
	}
}

func (d *Desk) tell(list ...Topic) {
	for _, t := range list {
		for _, f := range d.listeners[t] {
			f()
		}
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

// Session is the history looked at; nil when there is none.
func (d *Desk) Session() *session.Session {
	if d.current == nil {
		return nil
	}
	return d.current.Session
}

// Current is its entry in the list; nil when there is none.
func (d *Desk) Current() *Entry { return d.current }

// Plan is what the parameters would do now; nil while there is no session or
// its first plan is under way.
func (d *Desk) Plan() *compaction.Plan { return d.plan }

// Planned are the parameters that the plan was made with: those on the screen, or,
// while these are dragged, others that they were a moment ago.
func (d *Desk) Planned() model.Policy { return d.planned }

// Next tells when the rule of the parameters and those of the presets would fire
// at the plan's position, the parameters' own first; empty while there is no
// plan.
func (d *Desk) Next() []compaction.Rule { return d.next }

// Draft is the plan with its real text; nil while it is being made, when the
// plan does not apply, or when the text could not be made.
func (d *Desk) Draft() *session.Draft { return d.draft }

// Params are the parameters on the screen.
func (d *Desk) Params() model.Policy { return d.params }

// View tells which list the ledger shows.
func (d *Desk) View() session.View { return d.view }
