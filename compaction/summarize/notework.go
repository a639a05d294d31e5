package summarize

// work is what the calls of a history show: files, commits, to-dos, what failed, what runs.
type work struct {
	waiting  map[string][]*waitingCall // for their results, by id
	calls    []*waitingCall            // in their order
	files    map[string]*changedFile
	commits  []remark
	branch   remark
	tasks    []*task
	broken   map[string]*brokenRun // by what they run
	test     remark
	untested bool         // files were changed since the test
	running  runningCalls // what was begun and goes on
	undone   undoing
	git      bool   // it was used
	planning remark // nothing is to be changed before a plan is approved
	// conflicts are the files in which a merge stopped and that nothing was done to since, merge
	// what stopped in them
	conflicts []string
	merge     remark
	saved     int // number of the last call that committed
	worked    int // number of the last call that changed a file that is no document
	// toldSaved is the number of the last message that says that something was committed, by whoever
	toldSaved int
	pushed    int // number of the last push, or of the last word of git that all is pushed
	stashed   int // number of the call that put changes away, until they are taken back
	// dirs are the folders in which commands ran, with how often, branchDir that of the branch
	dirs      map[string]int
	branchDir string
}

func newWork() work {
	return work{waiting: map[string][]*waitingCall{}, files: map[string]*changedFile{}, broken: map[string]*brokenRun{},
		dirs: map[string]int{}}
}

type waitingCall struct {
	*toldCall
	num      int
	answered bool
	end      string // how it ended
}

// runningCall is a call that goes on, by the id under which others ask after it.
type runningCall struct {
	remark
	id string
	of *toldCall
}

// madeEdit is a change of a file: one that puts back the text before takes it back.
type madeEdit struct {
	file, old, new string
	num, undone    int // numbers of its call, and of that which took it back
}

type runningCalls []runningCall

// undoing is what was changed, in its order, and what of it was taken back.
type undoing struct {
	edits    []madeEdit
	unstaged int // number of the last call that took back what was staged
}

// changedFile is a file that calls changed.
type changedFile struct {
	path            string
	times, from, to int
}

// brokenRun is a run that failed, and did not succeed later.
type brokenRun struct {
	remark
	edited bool // files were changed since
}

// task is a thing to do.
type task struct {
	id, text, status string
	from, to         int
	told             bool // by a summary's words, not by a list
}

// toldCall is a call as a note sees it.
type toldCall struct {
	id, tool, key string
	command       string
	dir           string   // that it runs in, where it says so
	runs          []string // what it runs whose failure matters: "go test"
	test          bool     // it runs tests
	edit          bool
	files         []string // that it changes
	todos         []task   // the whole list anew
	task          *task    // one task, made or changed; without words: changed
	background    bool
	of            string // id of what runs on, that it asks after
	old, new      string // text that it replaces
	shown         string // the first line that it writes anew
	question      string // that it asks a person
}

// toldResult is a result, read for a note.
type toldResult struct {
	id, err string
	failed  bool
	answer  string   // words of the person in it
	orders  []string // in these
	commits [][3]string
	links   []string // of pull requests
	summary string   // of tests
	broke   bool     // that says that some failed
	started string   // id of what runs on
	runsOn  bool     // that it runs on still
	alarm   string   // a line with an error, in a result that is not marked as one
	said    string   // by another agent
	handed  string   // text of a result that says no call: a handoff
	failing string   // names of tests that failed
	task    string   // id of a task that it made
	brief   string   // all that it says, where that is a line
	branch  string   // that is checked out then
	clashes []string // files with conflicts
	clean   bool     // git says that all is committed
	current bool     // and that all is pushed
	tasks   []task   // that it lists
}

const commandLimit = 600

// longAgo is how many messages ago a failure is that was probably mended, and what runs that
// has probably ended.
const longAgo = 20

// inCopy stands before the folder of a commit that was made in a copy.
const inCopy = " (in "

// How long, in code points, what a note quotes may be before it is cut to the budget.
const (
	askLimit    = 12000
	saidLimit   = 2400
	reportLimit = 400
)

// noteReader reads entries into a note.
type noteReader struct {
	d      *digest
	n      *note
	w      *words
	memory *Memory
	guess  bool // results carry no error marks: judge by their text

	turn  noteTurn
	last  *Entry          // of the agent, in case its words hold a call
	work                  // what the calls show
	asked map[string]bool // asks that are in the note
	known map[string]bool // sentences that are in it
	next  remark          // a next step that a former summary names
	found []remark        // what other agents reported since the last ask
	// what the agent had said before the last ask, and that ask's length: a short one goes by it
	before   remark
	askChars int
	staying  remark // the last ask, where its message stays
	after    string // the text that the note follows
	plan     string // the first document that was read
}

// noteTurn is what happened since a person spoke last.
type noteTurn struct {
	from, to     int // numbers of messages
	said         remark
	thought      remark
	reports      []remark
	findings     []remark
	changed      []string // names of files
	did          []string // other calls by their key argument
	read         []string
	acted, ended bool // the agent did something; its last message has no call
}

// told is what a message tells a note. It is read once.
type told struct {
	said, thought string
	former        string   // it is a summary
	plans         bool     // it says that nothing is to be changed before a plan is approved
	failed        bool     // it reports an error of the agent's program
	orders        []string // that a person gives for good
	report        string   // a sentence that says that something is done
	reasons       []string // sentences that give a decision or a finding with its reason
	calls         []toldCall
	results       []toldResult
}
