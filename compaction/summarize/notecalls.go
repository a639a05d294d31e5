package summarize

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/pattern"
)

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
		patch := command + values["input"] + values["patch"] + values["patchText"]
		c.old, c.new = pick(values, oldKeys), pick(values, newKeys)
		c.files = patchedFiles(args)
		if file := pick(values, pathKeys); len(c.files) == 0 && file != "" {
			c.files = []string{file}
		} else if more := patchedFiles(patch); len(more) > 0 {
			c.files = more
		}
		c.shown = written(c.old, cmp.Or(c.new, values["content"], addedLines(args+patch)))
	case command != "":
		c.command = unwrapShell(command)
		c.runs, c.test = runsOf(c.command)
		if c.dir = pick(values, dirKeys); c.dir == "" {
			if m := worksIn.FindStringSubmatch(c.command); m != nil {
				c.dir = m[1]
			}
		}
	}
	return c
}

// addedLines are the lines that a patch adds.
func addedLines(patch string) string {
	var b strings.Builder
	for l := range strings.Lines(patch) {
		if strings.HasPrefix(l, "+") && !strings.HasPrefix(l, "+++") {
			b.WriteString(l[1:])
		}
	}
	return b.String()
}

// written is the first line of a text that says something and that the text before had not.
func written(old, text string) string {
	for l := range strings.Lines(text) {
		said := strings.TrimSpace(l)
		if l = strings.TrimRight(said, "{([;,:= "); len(l) >= leastWritten && !strings.Contains(old, said) && !needsOther.MatchString(l) {
			return line(l, 100)
		}
	}
	return ""
}

// needsOther is a line that only names what a file needs of others.
var needsOther = pattern.New(`^(?:import\b|from \S+ import|package |use |#include|@import|(?:const|var|let) .*= require\(|"use )`)

// leastWritten is how long, in bytes, a line is that says something.
const leastWritten = 8

// runKeys name what runs on, oldKeys and newKeys the text that an edit replaces, dirKeys the folder of a command.
var (
	runKeys = []string{"session_id", "cell_id", "bash_id", "shell_id", "task_id"}
	oldKeys = []string{"old_string", "oldString", "oldText", "old_str"}
	newKeys = []string{"new_string", "newString", "newText", "new_str"}
	dirKeys = []string{"workdir", "cwd", "working_directory", "dir_path"}
	// scripted is a command within a script that calls tools.
	scripted = pattern.New(`tools\.exec_command\(\{"?cmd"?: ?("(?:[^"\\]|\\.)*")`)
)

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
	if cmp.Or(t.id, t.answer) == "" {
		t.handed = sentencesOf(p.Text, reportLimit)
	}
	if t.brief = strings.TrimSpace(p.Text); len(t.brief) > briefResult || strings.Contains(t.brief, "\n") {
		t.brief = ""
	}
	if t.summary, t.broke = testSummary(ends); !t.failed && mayAlarm(ends) {
		t.alarm = line(strings.TrimSpace(alarm.FindString(ends)), errLimit)
	}
	if t.broke {
		t.failing = failing(ends)
	}
	return t
}

// mayAlarm looks for what each alarm holds: the expression is slow.
func mayAlarm(text string) bool {
	return strings.Contains(text, "rror") || strings.Contains(text, "sh:") || strings.Contains(text, "(eval):")
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

// call takes a call.
func (r *noteReader) call(c *toldCall, num int) {
	w := &waitingCall{toldCall: c, num: num}
	r.waiting[c.id] = append(r.waiting[c.id], w)
	r.calls = append(r.calls, w)
	r.turn.acted = true
	if c.dir != "" {
		r.dirs[c.dir]++
	}
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
		r.tell(donePart, remark{text: t.handed, from: num, to: num, weight: 2})
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
		return cmp.Or(t.complaint(), w.fail)
	case c.test && t.summary != "":
		return t.summary
	case c.command != "" && strings.Trim(t.brief, "()") != t.brief && strings.Contains(t.brief, "utput"): // "(no output)"
	case c.command != "" && t.brief != "":
		return line(t.brief, briefResult)
	case t.alarm != "" && (c.hidesError() || shellSays.MatchString(t.alarm)):
		return t.alarm
	}
	return w.ok
}

// shellSays is a line of a shell that could not run a command.
var shellSays = pattern.New(`^(?:\(eval\)|(?:ba|z)?sh):`)

// hidesError reports whether a program runs of which a later command of the line hides how it ended.
func (c *toldCall) hidesError() bool {
	return strings.ContainsAny(c.command, "|;\n") && !onlyReads.MatchString(c.command)
}

// onlyReads is a command that shows text, in which errors may be told.
var onlyReads = pattern.New(`(?:^|&& |; |\n)\s*(?:cat|grep|rg|sed|head|tail|less|git|gh|find|ls|awk|jq|echo|curl|journalctl|docker logs)\b`)
