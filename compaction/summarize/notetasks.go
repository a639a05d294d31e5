package summarize

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"palimpsest/model/pattern"
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

// planMode finds the sentence by which a program lets an agent only plan.
var planMode = pattern.New(`(?i)\bplan mode (?:is|still) (?:still )?active\b`)

// plans notes that nothing is to be changed before a plan is approved.
func (r *noteReader) plans(num int) {
	said := r.w.either("nothing is to be changed before the person approves the plan", "用户批准计划之前不得改动")
	r.planning = remark{text: said, from: num, to: num}
}
