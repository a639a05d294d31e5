package summarize

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/pattern"
)

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
	pushed    int // number of the last push
}

func newWork() work {
	return work{waiting: map[string][]*waitingCall{}, files: map[string]*changedFile{}, broken: map[string]*brokenRun{}}
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
	runs          []string // what it runs whose failure matters: "go test"
	test          bool     // it runs tests
	edit          bool
	files         []string // that it changes
	todos         []task   // the whole list anew
	task          *task    // one task, made or changed; without words: changed
	background    bool
	of            string // id of what runs on, that it asks after
	old, new      string // text that it replaces
	question      string // that it asks a person
}

// toldResult is a result as a note sees it.
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
	failing string   // names of tests that failed
	task    string   // id of a task that it made
	brief   string   // all that it says, where that is a line
	branch  string   // that is checked out then
	clashes []string // files with conflicts
	tasks   []task   // that it lists
}

const commandLimit = 600

// readCall reads a call.
func readCall(p *model.Part) toldCall {
	c := toldCall{id: p.CallID, tool: line(p.Name, nameLimit)}
	c.key, c.edit = keyArgument(p.Name, p.Text)
	args := strings.TrimSpace(head(p.Text, argsBytes))
	if strings.HasPrefix(args, `"`) {
		if s, _, ok := readString(args, argsBytes); ok {
			args = s
		}
	}
	values := map[string]string{}
	if strings.HasPrefix(args, "{") {
		values, _ = readObject(args + restOf(p.Text))
	}
	c.of = pick(values, runKeys)
	name := strings.ToLower(c.tool)
	if strings.Contains(name, "todo") || strings.Contains(name, "task") || strings.Contains(name, "plan") {
		c.readTasks(name, args)
		return c
	}
	if model.Asks(c.tool) {
		c.question = line(values["question"], reportLimit)
	}
	c.background = strings.Contains(args, `"run_in_background":true`) || strings.Contains(args, `"run_in_background": true`)
	command := pick(values, commandKeys)
	if script := scripted.FindAllStringSubmatch(args, 8); script != nil {
		command = ""
		for _, m := range script {
			one, _, _ := readString(m[1], argsBytes)
			command += one + "\n"
		}
		c.key = line(command, keyLimit)
	}
	switch {
	case c.edit:
		c.old, c.new = pick(values, oldKeys), pick(values, newKeys)
		c.files = patchedFiles(args)
		if file := pick(values, pathKeys); len(c.files) == 0 && file != "" {
			c.files = []string{file}
		} else if more := patchedFiles(command + values["input"] + values["patch"] + values["patchText"]); len(more) > 0 {
			c.files = more
		}
	case command != "":
		c.command = unwrapShell(command)
		c.runs, c.test = runsOf(c.command)
	}
	return c
}

// runKeys name what runs on, oldKeys and newKeys the text that an edit replaces.
var (
	runKeys = []string{"session_id", "cell_id", "bash_id", "shell_id", "task_id"}
	oldKeys = []string{"old_string", "oldString", "oldText", "old_str"}
	newKeys = []string{"new_string", "newString", "newText", "new_str"}
	// scripted is a command within a script that calls tools.
	scripted = pattern.New(`tools\.exec_command\(\{"?cmd"?: ?("(?:[^"\\]|\\.)*")`)
)

var (
	testRun = pattern.New(`\b(?:go test|(?:npm|pnpm|yarn|bun)(?: --\w+)?(?: run)? test[\w:-]*|vitest|jest|pytest|unittest|` +
		`cargo (?:nextest|test)|make (?:test|check)[\w-]*|(?:mise|just|task)(?: run)? test[\w:-]*|\w+ playwright test|` +
		`(?:flutter|dart|dotnet|deno|swift|mix) test|gradlew? [\w: -]*test\w*|mvn [\w: -]*test|ctest|rspec|phpunit|tox|nox)\b`)
	buildRun = pattern.New(`\b(?:go (?:build|vet)|cargo (?:build|check|clippy)|tsc|tsgo|eslint|biome (?:check|lint)|ruff|mypy|` +
		`(?:npm|pnpm|yarn|bun)(?: --\w+)?(?: run)? (?:build|lint|typecheck|compile|check)[\w:-]*|golangci-lint|` +
		`make(?: [\w-]+)?|gradlew? \w+|mvn \w+|(?:flutter|dart) (?:analyze|build)|docker build|xcodebuild|swift build|cmake|` +
		`(?:mise|just|task) run [\w:-]+|git (?:commit|push|merge|rebase|pull|cherry-pick)|gh pr \w+|dotnet build)\b`)
	gitPush   = pattern.New(`\bgit\b[^|;&\n]*\bpush\b`)
	gitCommit = pattern.New(`\bgit\b.*\bcommit\b`)
	quietWord = pattern.New(`(?:-m|--message)[ =]*(?:"\$\(cat <<-?['"]?\w+['"]?\s*\n)?["']?([^"'\n]{3,160})`)
	newBranch = pattern.New(`\bgit (?:checkout -[bB]|switch -[cC]|switch --create) ([\w./-]+)`)
)

// runsOf says what a command runs whose failure matters, and whether there are tests among
// it. A command is looked at where it begins, not where it is an argument.
func runsOf(command string) (runs []string, test bool) {
	for _, one := range commandEnds.Split(head(command, commandLimit), -1) {
		one = beforeCommand.ReplaceAllString(strings.TrimSpace(one), "")
		for _, of := range []*pattern.Regexp{testRun, buildRun} {
			if at := of.FindStringIndex(one); at != nil && at[0] == 0 {
				runs, test = append(runs, strings.Join(strings.Fields(one[:at[1]]), " ")), test || of == testRun
				break
			}
		}
	}
	return runs, test
}

var (
	commandEnds   = regexp.MustCompile(`&&|\|\||[;|\n]`)
	beforeCommand = pattern.New(`^(?:\w+=\S+ +|(?:env|time|sudo|(?:npx|bunx)(?: --\w+)*|uv run|poetry run|timeout \S+|` +
		`(?:pnpm|bun|yarn) (?:exec|x|dlx)|(?:pnpm|npm|yarn) (?:-C|--filter|--prefix) \S+|` +
		`(?:[\w./~-]*/)?python3? -m) +)+|^[\w.~-]*/(?:[\w.-]+/)*`)
)

// listedTask is an entry of a list of things to do, as tools spell it.
type listedTask struct {
	Content, Step, Description, Title, Text, Subject string
	Status, State                                    string
	Done, Completed                                  bool
}

// readTasks reads what a call says of things to do.
func (c *toldCall) readTasks(name, args string) {
	var list struct {
		Todos, Plan, Items, Tasks                []listedTask
		ID, TaskID, Subject, Description, Status any
	}
	if json.Unmarshal([]byte(args), &list) != nil {
		return
	}
	word := func(v any) string {
		if v == nil {
			return ""
		}
		return line(fmt.Sprint(v), askLimit)
	}
	for _, x := range slices.Concat(list.Todos, list.Plan, list.Items, list.Tasks) {
		t := task{text: line(cmp.Or(x.Content, x.Step, x.Title, x.Subject, x.Text, x.Description), reportLimit), status: x.Status + x.State}
		if x.Done || x.Completed {
			t.status = "completed"
		}
		if t.text != "" {
			c.todos = append(c.todos, t)
		}
	}
	switch {
	case strings.HasSuffix(name, "taskcreate"), strings.HasSuffix(name, "task_create"):
		c.task = &task{text: cmp.Or(word(list.Subject), word(list.Description)), status: "pending"}
	case strings.HasSuffix(name, "taskupdate"), strings.HasSuffix(name, "task_update"):
		c.task = &task{id: cmp.Or(word(list.TaskID), word(list.ID)), text: word(list.Subject), status: word(list.Status)}
	}
}

// readResult reads a result.
func (r *noteReader) readResult(m *model.Message, p *model.Part) toldResult {
	t := toldResult{id: cmp.Or(p.CallID, m.Answers)}
	t.err, t.failed = failure(p.Text, p.Error || m.Error && m.Kind == model.KindResult, r.guess)
	ends := head(p.Text, headBytes)
	if len(p.Text) > headBytes {
		ends += "\n" + tail(p.Text, min(tailBytes, len(p.Text)-headBytes))
	}
	if said := model.Answered(m, p.Text); said != "" {
		t.answer, t.orders = r.w.answers(said), standing(said)
	}
	t.readGit(ends, p.Text)
	low := strings.ToLower(head(ends, 512))
	t.runsOn = strings.Contains(low, "status>running") || strings.Contains(low, "still running")
	if strings.Contains(low, "background with") || strings.Contains(low, "process running") || strings.Contains(low, "script running") {
		if m := startedExpr.FindStringSubmatch(ends); m != nil {
			t.started, t.runsOn = m[1]+m[2]+m[3], true
		}
	}
	if m := taskMade.FindStringSubmatch(head(ends, 200)); m != nil {
		t.task = m[1]
	}
	if strings.Contains("\n"+ends, "\n#") {
		for _, m := range taskListed.FindAllStringSubmatch(ends, 64) {
			t.tasks = append(t.tasks, task{id: m[1], status: m[2], text: line(blockedBy.ReplaceAllString(m[3], ""), reportLimit)})
		}
	}
	if !t.failed {
		t.said = otherAgent(cmp.Or(p.Name, m.Name), p.Text)
	}
	if t.brief = strings.TrimSpace(p.Text); len(t.brief) > briefResult || strings.Contains(t.brief, "\n") {
		t.brief = ""
	}
	if t.summary, t.broke = testSummary(ends); !t.failed && strings.Contains(ends, "rror") {
		t.alarm = line(strings.TrimSpace(alarm.FindString(ends)), errLimit)
	}
	if t.broke {
		t.failing = failing(ends)
	}
	return t
}

// readGit reads what git says in a result, in its ends if it is long.
func (t *toldResult) readGit(ends, text string) {
	if strings.Contains(ends, "[") {
		for _, m := range commitLine.FindAllStringSubmatch(ends, 8) {
			t.commits = append(t.commits, [3]string{m[1], m[2], line(m[3], reportLimit)})
		}
	}
	if strings.Contains(ends, "On branch ") || strings.Contains(ends, "Switched to ") { // the expression is slow
		if m := checkedOut.FindStringSubmatch(ends); m != nil {
			t.branch = m[1]
		}
	}
	if strings.Contains(ends, "CONFLICT (") {
		for _, m := range clash.FindAllStringSubmatch(text, 64) {
			t.clashes = append(t.clashes, line(m[1], 300))
		}
	}
	if strings.Contains(ends, "/pull/") || strings.Contains(ends, "/merge_requests/") {
		t.links = pullRequest.FindAllString(ends, 2)
	}
}

// otherAgent is what another agent reports in a tool's result; "": the tool is none.
func otherAgent(tool, text string) string {
	name := strings.ToLower(tool)
	if name != "task" && name != "agent" && !strings.Contains(name, "subagent") {
		return ""
	}
	said, _, _ := strings.Cut(text, "\nagentId:")
	if said = sentencesOf(withoutChatter(said), saidLimit); launched.MatchString(said) {
		return ""
	}
	return said
}

// briefResult is how long a result may be, in bytes, that is told whole.
const briefResult = 120

var (
	blockedBy   = pattern.New(`\s*\[blocked by [^\]]*\]`)
	taskListed  = pattern.New(`(?m)^#(\w+) \[(\w+)\] (.+)$`)
	commitLine  = pattern.New(`(?m)^\s*\[([\w./-]+)(?: \(root-commit\))? ([0-9a-f]{7,40})\] ([^\n]{2,200})`)
	pullRequest = pattern.New(`https://[\w.-]+/[\w./-]+/(?:pull|merge_requests)/\d+`)
	startedExpr = pattern.New(`(?i)running in (?:the )?background with id: ?(\w+)|process running with session id (\d+)|` +
		`script running with cell id (\w+)`)
	taskMade  = pattern.New(`Task #(\w+) created`)
	countLine = pattern.New(`(?i)\b\d+ (?:tests? |specs? |examples? )?(?:pass|passed|passing|fail|failed|failing|failures?)\b|` +
		`\btests?:? +\d+|\btest result:|^(?:ok|PASS|FAIL)\b|All tests passed|--- FAIL|BUILD (?:SUCCESSFUL|FAILED)|(?-i:FAILED)`)
	brokeExpr = pattern.New(`\b[1-9]\d* (?:tests? |specs? )?(?:fail|failed|failing|failures?|errors?)\b|^\s*[✗✕✖]|` +
		`(?m)^(?:FAIL|---\s*FAIL)\b|test result: FAILED|BUILD FAILED`)
)

// launched is what a call of another agent gives back that found nothing.
var launched = pattern.New(`(?i)^(?:transcript target|async agent launched|agent (?:launched|started)|the user (?:has|doesn't)|` +
	`error\b)|running in the background`)

var failedTest = pattern.New(`(?m)^\s*(?:--- FAIL: (\S+)|FAILED (\S+)|(?:✗|✕|×|●|✖) (.{3,100})$)`)

// alarm is a line of a compiler or a program that ended with an error.
var alarm = pattern.New(`(?m)^(?:(?:\w+)?Error: .+|error(?:\[\w+\])?: .+|\S+[:(]\d+[:,]\d+\)?: (?:\w+ )?(?i:error)\b.*)$`)

// failing are the names of the first tests that failed.
func failing(text string) string {
	var names []string
	for _, m := range failedTest.FindAllStringSubmatch(text, 3) {
		names = append(names, line(m[1]+m[2]+m[3], 100))
	}
	return strings.Join(unequal(names), ", ")
}

// tookTime is a line that says how long tests took.
var tookTime = pattern.New(`(?i)^(?:duration|start at|time:)`)

// countWords are words of which a line that counts has one: the expression is slow.
var countWords = []string{"test", "pass", "fail", "ok", "build"}

// testSummary is the line of a test run's output that counts, and whether it says that
// some failed.
func testSummary(text string) (summary string, broke bool) {
	left := 64
	for l := range strings.Lines(text) {
		low := strings.ToLower(l)
		may := slices.ContainsFunc(countWords, func(w string) bool { return strings.Contains(low, w) })
		if left == 0 || !may {
			continue
		}
		if l = line(l, errLimit); !countLine.MatchString(l) || tookTime.MatchString(l) {
			continue
		}
		left--
		if bad := brokeExpr.MatchString(l); bad || !broke {
			summary, broke = l, bad || broke
		}
	}
	return summary, broke
}

// call takes a call.
func (r *noteReader) call(c *toldCall, num int) {
	w := &waitingCall{toldCall: c, num: num}
	r.waiting[c.id] = append(r.waiting[c.id], w)
	r.calls = append(r.calls, w)
	r.turn.acted = true
	switch {
	case c.tool == "EnterPlanMode":
		r.plans(num)
	case c.todos != nil:
		r.setTasks(c.todos, num)
	case c.task != nil && c.task.id != "":
		r.updateTask(c.task, num)
	}
	switch name := line(c.key, 80); {
	case strings.Contains(strings.ToLower(c.tool), "kill") || strings.HasSuffix(strings.ToLower(c.tool), "stop"):
		r.running = slices.DeleteFunc(r.running, func(b runningCall) bool { return c.of == "" || b.id == c.of })
	case c.edit || c.todos != nil || c.task != nil || name == "":
	case c.command != "":
		r.turn.did = append(r.turn.did, name)
	default:
		r.turn.read = append(r.turn.read, line(path.Base(c.key), 60))
		if r.plan == "" && strings.HasSuffix(name, ".md") {
			r.plan = name
		}
	}
}

// setTasks takes a list of things to do that replaces the one before.
func (r *noteReader) setTasks(list []task, num int) {
	was := map[string]*task{}
	for _, t := range r.tasks {
		was[t.text] = t
	}
	r.tasks = nil
	for _, t := range list {
		t.from, t.to = num, num
		if old := was[t.text]; old != nil && old.status == t.status {
			t.from, t.to = old.from, old.to
		}
		r.tasks = append(r.tasks, &t)
	}
}

func (r *noteReader) updateTask(c *task, num int) {
	for i, t := range r.tasks {
		if t.id != c.id {
			continue
		}
		if c.text != "" {
			t.text = c.text
		}
		if c.status != "" {
			t.status = c.status
		}
		t.from, t.to = num, num
		if c.status == "deleted" {
			r.tasks = slices.Delete(r.tasks, i, i+1)
		}
		return
	}
}

// result takes the result of a call that waits for it.
func (r *noteReader) result(t *toldResult, num int) {
	r.turn.to = max(r.turn.to, num)
	list := r.waiting[t.id]
	k := len(list) - 1
	if t.id == "" {
		k = min(0, k)
	}
	if k < 0 {
		r.answered(t, nil, num)
		return
	}
	c := list[k]
	goesOn := r.running.take(c, t, num)
	r.answered(t, c, num)
	r.waiting[t.id], c.answered = append(list[:k:k], list[k+1:]...), true
	if c.end = c.ending(t, r.w); goesOn {
		c.end = r.w.either("still running", "仍在运行")
	}
	r.reported(t.said, c.num, num)
	if c.tool == "ExitPlanMode" && !t.failed {
		r.planning = remark{}
	}
	if len(t.tasks) > 0 && strings.HasSuffix(strings.ToLower(c.tool), "tasklist") {
		r.setTasks(t.tasks, num)
	}
	if c.task != nil && c.task.id == "" {
		made := *c.task
		made.id, made.from, made.to = t.task, c.num, num
		r.tasks = append(r.tasks, &made)
	}
	if c.command != "" && !goesOn {
		r.ran(c, t, num)
	}
	if !t.failed {
		for _, f := range c.files {
			r.undone.take(madeEdit{file: f, old: c.old, new: c.new, num: c.num})
			r.changed(f, c.num)
		}
	}
	if !t.failed && len(t.links) > 0 && (strings.Contains(c.command, "pr create") || strings.Contains(c.tool, "pull_request")) {
		r.pushed = num
		for _, l := range unequal(t.links) {
			r.commits = append(r.commits, remark{text: l, from: num, to: num})
		}
	}
}

// take takes a call with its result, and reports whether it, or what it asks after, runs on. What was
// begun says more of it.
func (l *runningCalls) take(c *waitingCall, t *toldResult, num int) bool {
	for i, b := range *l {
		if c.of == "" || b.id != c.of {
			continue
		}
		if c.toldCall = b.of; t.runsOn {
			(*l)[i].to = num
		} else {
			*l = slices.Delete(*l, i, i+1)
		}
		return t.runsOn
	}
	begun := t.started != "" || c.background && c.command != ""
	if begun {
		*l = append(*l, runningCall{remark{text: c.key, from: c.num, to: num}, t.started, c.toldCall})
	}
	return begun
}

// take takes a change, unless it takes another back.
func (u *undoing) take(e madeEdit) {
	for i := range u.edits {
		if was := &u.edits[i]; was.undone == 0 && e.old != "" && was.file == e.file && was.old == e.new && was.new == e.old {
			was.undone = e.num
			return
		}
	}
	u.edits = append(u.edits, e)
}

// unstages is a command that takes back what was staged.
var unstages = pattern.New(`\bgit (?:reset|restore --staged)\b`)

// reported takes what another agent reports.
func (r *noteReader) reported(said string, from, to int) {
	if tellsCommit(said) {
		r.toldSaved = to
	}
	if said != "" {
		r.found = append(r.found, remark{text: said, from: from, to: to})
	}
}

// answered takes a person's answer to a call; nil: to one that is not known.
func (r *noteReader) answered(t *toldResult, c *waitingCall, num int) {
	said := t.answer
	if said == "" {
		return
	}
	if c != nil && c.question != "" && isBrief(said) {
		said += r.w.asked(clip(c.question, questionLimit))
	}
	of := ""
	if c != nil {
		of = cmp.Or(c.question, clip(c.key, shortAsk/2))
	}
	r.addAsk(remark{text: said, from: num, to: num, weight: lightAsk}, t.orders, of)
}

// ending says in brief how a call ended.
func (c *waitingCall) ending(t *toldResult, w *words) string {
	switch {
	case t.failed:
		return cmp.Or(t.failing, t.err, w.fail)
	case c.test && t.summary != "":
		return t.summary
	case c.command != "" && strings.Trim(t.brief, "()") != t.brief && strings.Contains(t.brief, "utput"): // "(no output)"
	case c.command != "" && t.brief != "":
		return line(t.brief, briefResult)
	case t.alarm != "" && c.hidesError():
		return t.alarm
	}
	return w.ok
}

// hidesError reports whether a program runs of which a later command of the line hides how it ended.
func (c *toldCall) hidesError() bool {
	return strings.ContainsAny(c.command, "|;\n") && !onlyReads.MatchString(c.command)
}

// onlyReads is a command that shows text, in which errors may be told.
var onlyReads = pattern.New(`(?:^|&& |; |\n)\s*(?:cat|grep|rg|sed|head|tail|less|git|gh|find|ls|awk|jq|echo|curl|journalctl|docker logs)\b`)

// changed counts a change of a file.
func (r *noteReader) changed(file string, num int) {
	f := r.files[file]
	if f == nil {
		f = &changedFile{path: line(file, 300), from: num}
		r.files[file] = f
	}
	f.times++
	f.to = max(f.to, num)
	r.turn.changed = append(r.turn.changed, path.Base(f.path))
	r.resolved(func(clash string) bool { return strings.HasSuffix(f.path, clash) })
	if path.Ext(file) != ".md" { // it may write the plan
		r.planning, r.worked = remark{}, max(r.worked, num)
	}
	for _, b := range r.broken {
		b.edited = true
	}
	r.untested = true
}

// ran takes a command that ended.
func (r *noteReader) ran(c *waitingCall, t *toldResult, num int) {
	broke := (t.failed || c.test && t.broke || t.alarm != "" && c.hidesError()) && !harmless.MatchString(t.err)
	if !broke && len(c.runs) > 0 {
		r.mended(c.runs)
	}
	if len(t.clashes) > 0 {
		r.conflicts, r.merge = unequal(t.clashes), remark{text: c.key, from: c.num, to: num}
	} else if broke && len(c.runs) > 0 {
		r.broken[c.runs[0]] = &brokenRun{remark: remark{text: c.key + " → " + t.complaint(), from: c.num, to: num}}
	}
	if c.test && !broke {
		end := cmp.Or(t.summary, r.w.ok)
		if r.test = (remark{}); t.summary != "" || !strings.Contains(c.command, "|") { // else another command says how it ended
			r.test = remark{text: c.key + " → " + end, from: c.num, to: num}
		}
		r.untested = false
	} else if c.test {
		r.test = remark{}
	}
	if !t.failed {
		r.usedGit(c, t, num)
	}
}

// complaint is what a failed run says.
func (t *toldResult) complaint() string {
	if t.broke {
		return cmp.Or(t.failing, t.summary)
	}
	return cmp.Or(t.failing, t.err, t.alarm, t.summary)
}

// usedGit takes what a command did with git.
func (r *noteReader) usedGit(c *waitingCall, t *toldResult, num int) {
	if m := away.FindStringSubmatch(c.command); m != nil {
		r.committed(c, t, num, m[1])
		return
	}
	r.git = r.git || strings.Contains(c.command, "git ")
	if gitCommit.MatchString(c.command) {
		r.saved = num
	}
	if gitPush.MatchString(c.command) {
		r.pushed = num
	}
	r.committed(c, t, num, "")
	if m := newBranch.FindStringSubmatch(c.command); m != nil {
		t.branch = m[1]
	} else if strings.Contains(c.command, "--show-current") && !strings.Contains(t.brief, " ") {
		t.branch = t.brief
	}
	if t.branch != "" {
		r.branch = remark{text: t.branch, from: num, to: num}
	}
	r.settledConflicts(c.command)
	if unstages.MatchString(c.command) {
		r.undone.unstaged = num
	}
}

// harmless is an error that leaves nothing to mend.
var harmless = pattern.New(`(?i)already exists|no checks reported|nothing to commit|up[ -]to[ -]date|doesn't want to proceed|` +
	`interrupted|no output|aborted`)

// mended forgets the failures of what works now; with nothing named, those of all checks.
func (r *noteReader) mended(runs []string) {
	for run := range r.broken {
		if len(runs) == 0 && kindOfRun(run) == "" || slices.ContainsFunc(runs,
			func(by string) bool { return kindOfRun(by) == kindOfRun(run) }) {
			delete(r.broken, run)
		}
	}
}

// kindOfRun is what runs have in common of which one shows that another is mended: git and
// gh by their commands, all that tests and builds is one.
func kindOfRun(run string) string {
	if strings.HasPrefix(run, "git ") || strings.HasPrefix(run, "gh ") {
		return run
	}
	return ""
}

// committed takes the commits that a command made, in a copy for a while if it worked in one.
func (r *noteReader) committed(c *waitingCall, t *toldResult, num int, in string) {
	if !strings.Contains(c.command, "git") && in == "" {
		return
	}
	if strings.Contains(c.command, "--amend") && len(r.commits) > 0 && len(t.commits) > 0 {
		r.commits = r.commits[:len(r.commits)-1]
	}
	if len(t.commits) > 0 && in == "" {
		clear(r.broken) // what is committed is taken for mended
		r.conflicts = nil
	}
	for _, x := range t.commits {
		made := remark{text: x[1] + " " + x[2], from: c.num, to: num}
		if in != "" {
			made.text += inCopy + in + ")"
		} else {
			r.branch = remark{text: x[0], from: num, to: num}
		}
		r.commits = append(r.commits, made)
	}
	if len(t.commits) == 0 && gitCommit.MatchString(c.command) && (strings.Contains(c.command, " -q") || strings.Contains(c.command,
		"--quiet")) {
		if m := quietWord.FindStringSubmatch(c.command); m != nil {
			r.commits = append(r.commits, remark{text: line(m[1], reportLimit), from: c.num, to: num})
		}
	}
}

// failures are the runs that failed last, the newest first. One that was long ago, before
// other changes, is not known to be open.
func (r *noteReader) failures() (out []remark) {
	for _, b := range r.broken {
		m := b.remark
		if b.edited {
			if r.turn.to-m.to > longAgo {
				continue
			}
			m.text += r.w.either(" (files were changed since, not run again)", "（此后改过文件，未再运行）")
		}
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b remark) int { return cmp.Or(cmp.Compare(b.to, a.to), cmp.Compare(a.text, b.text)) })
	return out[:min(len(out), 3)]
}

// longAgo is how many messages ago a failure is that was probably mended, and what runs that
// has probably ended.
const longAgo = 20

// lastCalls are the last calls since the agent said something, with how they ended, the last one first.
func (r *noteReader) lastCalls(t *noteTurn) (list []remark) {
	for i := len(r.calls) - 1; i >= 0 && len(list) < 3; i-- {
		c := r.calls[i]
		if c.num < max(t.said.from, t.from) || !c.answered || c.todos != nil || c.task != nil {
			break
		}
		text := strings.TrimSpace(line(c.tool+" "+c.key, 80)) + " → " + line(c.end, 120)
		list = append(list, remark{text: text, from: c.num, to: c.num, weight: max(sureWeight/(len(list)+1), 2)})
	}
	return list
}

// reads are the files that were read where nothing was changed.
func reads(w *work) (m remark) {
	if len(w.files)+len(w.commits) > 0 {
		return m
	}
	var names []string
	for _, c := range w.calls {
		if c.answered && c.command == "" && path.Ext(c.key) != "" && !strings.ContainsAny(c.key, " *?") {
			names = append(names, path.Base(c.key))
			m.span(c.num, c.num)
		}
	}
	m.text = shortenList(unequal(names), 400, ", ")
	return m
}

// uncommitted are the files that were changed since the last commit, if git was used at all.
func (r *noteReader) uncommitted() (m remark) {
	last := max(r.lastCommit(), r.toldSaved)
	if r.lastCommit() == 0 && !r.git {
		return m
	}
	var names []string
	for _, f := range r.latestFiles() {
		if f.to > last && !inTemp.MatchString(f.path) {
			name := path.Base(f.path)
			if slices.Contains(names, name) {
				name = path.Join(path.Base(path.Dir(f.path)), name)
			}
			names = append(names, name)
			m.span(f.to, f.to)
		}
	}
	m.text = shortenList(names, 200, ", ")
	return m
}

// tellsCommit reports whether a text says that something was committed.
func tellsCommit(text string) (told bool) {
	for l := range strings.Lines(text) {
		if strings.Contains(l, "ommitted") || strings.Contains(l, "提交") {
			eachSentence(strings.ToValidUTF8(strings.TrimSpace(l), ""), func(s string) {
				told = told || saysSaved.MatchString(s) && !notSaved.MatchString(s)
			})
		}
	}
	return told
}

var (
	saysSaved = pattern.New(`(?i)\bcommitted(?:[ ,;:!)]|\.?$)|已提交`)
	notSaved  = pattern.New(`(?i)(?:\b(?:not|nothing|none|never|be|once|if|when|until|before|after)\b|n['’]t\b)` +
		`[^.;]*\bcommitted\b|[未没]提交|尚未`)
)

// unpushed are the commits after the last push, or all where there was none.
func (r *noteReader) unpushed() (m remark) {
	var list []string
	for _, c := range r.commits {
		if c.to > r.pushed && !strings.HasPrefix(c.text, "https://") && !strings.Contains(c.text, inCopy) {
			hash, _, _ := strings.Cut(c.text, " ")
			list = append(list, hash)
			m.span(c.from, c.to)
		}
	}
	slices.Reverse(list)
	m.text = shortenList(list, 60, ", ")
	return m
}

// unanswered are the last calls without a result.
func (r *noteReader) unanswered() (out []remark) {
	for i := len(r.calls) - 1; i >= 0 && len(out) < 2; i-- {
		c := r.calls[i]
		if c.num < r.turn.to-2 {
			break
		}
		if !c.answered && c.todos == nil && c.task == nil {
			out = append(out, remark{text: strings.TrimSpace(c.tool + " " + c.key), from: c.num, to: c.num})
		}
	}
	return out
}

// box is the box of a thing to do: its state.
func box(status string) string {
	switch strings.ToLower(strings.ReplaceAll(status, "-", "_")) {
	case "completed", "done", "complete", "finished", "closed":
		return "[x] "
	case "in_progress", "active", "doing", "started":
		return "[>] "
	case "cancelled", "canceled", "deleted", "skipped":
		return "[-] "
	}
	return "[ ] "
}

// boxStates are the boxes in the order of a note.
var boxStates = [...]string{"[>] ", "[ ] ", "[x] ", "[-] "}

// settled is what makes it doubtful that a thing is open that is still listed so: a later
// commit or report of the same words, or that work went on and the list did not.
func (r *noteReader) settled(t *task) string {
	if b := box(t.status); b != boxStates[0] && b != boxStates[1] {
		return ""
	}
	words := contentWords(t.text)
	for _, list := range [][]remark{r.commits, r.n[donePart], {r.turn.said}} {
		for _, m := range list {
			if n := found(words, strings.ToLower(m.text)); m.from > t.to && n >= 3 && 3*n >= 2*len(words) {
				return clip(m.text, 80)
			}
		}
	}
	return ""
}

// openFirst are the things to do with their states: those begun, those open, those done.
func (r *noteReader) openFirst() (out []remark) {
	listed := 0 // the last change of the list
	for _, t := range r.tasks {
		listed = max(listed, t.to)
	}
	stale := max(r.lastCommit(), r.lastChange()) > listed && r.turn.to-listed > longAgo
	isOpen := func(t *task) bool { return box(t.status) == boxStates[0] || box(t.status) == boxStates[1] }
	if stale && slices.ContainsFunc(r.tasks, func(t *task) bool { return isOpen(t) && !t.told }) {
		said := r.w.either("The list is of then; work went on since:", "此清单为当时所列，之后仍有工作：")
		out = append(out, remark{text: said, from: listed, to: listed})
	}
	for _, state := range boxStates {
		for _, t := range r.tasks {
			if box(t.status) != state || t.told && r.turn.to-t.to > longAgo {
				continue // what was open then may be done by now
			}
			text := state + t.text
			if by := r.settled(t); by != "" {
				text = "[?] " + t.text + " → " + by
			} else if stale && isOpen(t) {
				text = "[?] " + t.text
			}
			if t.id != "" {
				text += r.w.either(" (task ", "（任务 ") + t.id + r.w.either(")", "）")
			}
			out = append(out, remark{text: text, from: t.from, to: t.to})
		}
	}
	return out
}

// lastCommit is the number of the message with the last commit, lastChange that with the last
// change of a file; 0: there was none.
func (r *noteReader) lastCommit() (last int) {
	last = r.saved
	for _, c := range r.commits {
		if !strings.Contains(c.text, inCopy) {
			last = max(last, c.to)
		}
	}
	return last
}

func (r *noteReader) lastChange() (last int) {
	for _, f := range r.files {
		last = max(last, f.to)
	}
	return last
}

// latestFiles are the changed files, the latest first.
func (r *noteReader) latestFiles() []*changedFile {
	return slices.SortedFunc(maps.Values(r.files), func(a, b *changedFile) int {
		return cmp.Or(cmp.Compare(b.to, a.to), cmp.Compare(a.path, b.path))
	})
}

// folders are the changed files, the latest first, with how often, in groups of paths:
// src/{a.go ×3, b.go}: one of each folder, or of the folder that most are in, whichever is
// shorter.
func (r *noteReader) folders() []remark {
	files := slices.DeleteFunc(r.latestFiles(), func(f *changedFile) bool {
		return r.after != "" && strings.Contains(r.after, path.Base(f.path))
	})
	out, size := grouped(files, ""), 0
	joined := grouped(files, mostIn(files))
	for i := range out {
		size += len(out[i].text)
	}
	for i := range joined {
		size -= len(joined[i].text)
	}
	if size > 0 {
		return joined
	}
	return out
}

// mostIn is the deepest folder that most of some files are in.
func mostIn(files []*changedFile) (root string) {
	in := map[string]int{}
	for _, f := range files {
		for i, c := range f.path {
			if dir := f.path[:i+1]; c == '/' && i > 0 {
				if in[dir]++; len(dir) > len(root) && 3*in[dir] >= 2*len(files) {
					root = dir
				}
			}
		}
	}
	if strings.Count(root, "/") < leastRoot && path.IsAbs(root) {
		return ""
	}
	return root
}

// leastRoot is how many strokes an absolute folder has that is more than somebody's home.
const leastRoot = 5

// grouped are files in groups: those below a root in its groups, others in those of their folders.
func grouped(files []*changedFile, root string) (out []remark) {
	var groups []string
	at, names := map[string]int{}, map[int][]string{}
	for _, f := range files {
		dir, _ := path.Split(f.path)
		if root != "" && strings.HasPrefix(f.path, root) {
			dir = root
		}
		name := f.path[len(dir):]
		if f.times > 1 {
			name += fmt.Sprintf(" ×%d", f.times)
		}
		i, ok := at[dir]
		if !ok || len(names[i]) >= min(groupOf, firstGroup<<min(i, 4)) {
			i = len(out)
			at[dir], out, groups = i, append(out, remark{}), append(groups, dir)
		}
		names[i] = append(names[i], name)
		out[i].count++
		out[i].span(f.from, f.to)
	}
	for i := range out {
		list := strings.Join(names[i], ", ")
		if len(names[i]) > 1 && groups[i] != "" {
			list = "{" + list + "}"
		}
		out[i].text = groups[i] + list
	}
	return out
}

// groupOf is how many files a group has at most, firstGroup the first one, that twice as many
// follow.
const groupOf, firstGroup = 12, 3

// planMode finds the sentence by which a program lets an agent only plan.
var planMode = pattern.New(`(?i)\bplan mode (?:is|still) (?:still )?active\b`)

// plans notes that nothing is to be changed before a plan is approved.
func (r *noteReader) plans(num int) {
	said := r.w.either("nothing is to be changed before the person approves the plan", "用户批准计划之前不得改动")
	r.planning = remark{text: said, from: num, to: num}
}

// inTemp finds files that are not meant to be committed.
var inTemp = pattern.New(`^(?:/private)?/(?:tmp|var/folders)/`)

var (
	// away is the folder of temporary files that a command works in: what it commits there is of a copy.
	away = pattern.New(`(?:^|&&|[;\n\s])\s*(?:cd |git -C |\w+_DIR=)["']?((?:/private)?/(?:tmp|var/folders)/[^\s"';&|]+)`)
	// checkedOut is what git says of the branch.
	checkedOut = pattern.New(`(?m)^(?:On branch |Switched to (?:a new )?branch ')([\w./#-]+)`)
	clash      = regexp.MustCompile(`(?m)^CONFLICT \([^)]+\): (?:Merge conflict in )?(\S+)`)
	stagesAll  = pattern.New(`\bgit add (?:-A|--all|-u|\.)(?:\s|$)|\bgit (?:merge|rebase|cherry-pick) --(?:abort|quit)|\bgit reset --hard`)
)

// inCopy stands before the folder of a commit that was made in a copy.
const inCopy = " (in "

// resolved forgets conflicts in some files.
func (r *noteReader) resolved(in func(file string) bool) {
	r.conflicts = slices.DeleteFunc(r.conflicts, in)
}

// settledConflicts forgets the conflicts that a command settles.
func (r *noteReader) settledConflicts(command string) {
	r.resolved(func(file string) bool {
		return stagesAll.MatchString(command) || strings.Contains(command, "git ") && strings.Contains(command, file) &&
			(strings.Contains(command, " add ") || strings.Contains(command, "--ours") || strings.Contains(command, "--theirs"))
	})
}

// openConflicts are the conflicts that nothing was done about.
func (r *noteReader) openConflicts() (m remark) {
	if len(r.conflicts) == 0 {
		return m
	}
	m = r.merge
	names := make([]string, len(r.conflicts))
	for i, f := range r.conflicts {
		names[i] = path.Base(f)
	}
	m.text = shortenList(names, 300, ", ") + " (" + clip(r.merge.text, 120) + ")"
	return m
}
