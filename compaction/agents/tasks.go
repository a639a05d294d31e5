package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
	"palimpsest/model/transcript/jspan"
)

// CallAgentTool is the name of the function by which an agent calls another.
const CallAgentTool = "call_agent"

// Task is one thing an agent is asked to do, by a person or by another agent. It
// ends once, with an answer or a failure.
//
// A person's task is in the shared history and in the agent's context. An agent's
// is in both agents' contexts only: as a function call with its output in the
// caller's, as a message with its answer in the other's.
type Task struct {
	ID     string // unique in the conversation
	Agent  string // who is asked
	Input  string
	Caller string // the agent that asks; "": a person
	CallID string // of the caller's function call; "": the task's ID

	// Of a task that [Conversation.Tasks] lists: when it was given and ended, zero where it was
	// not, and how its answer begins.
	CalledAt, EndedAt time.Time
	Answer            string
}

// taskState is a task that was begun.
type taskState struct {
	Task
	done bool
}

// foldTask keeps what an event says about its task.
func (d *delta) foldTask(e *entry, text string) {
	if e.Task == "" {
		return
	}
	t, begun := d.tasks[e.Task]
	if !begun {
		t, begun = d.was.tasks[e.Task]
	}
	switch {
	case !begun:
		t.ID, t.CalledAt = e.Task, e.Time
		if e.Kind == model.EventToolCalled { // it is written before the question to the other agent
			t.Caller, t.CallID = e.Agent, e.items[0].CallID()
		}
	case !t.done && (e.Kind == model.EventResponded || e.Kind == model.EventFailed):
		t.Input, t.EndedAt, t.Answer, t.done = digest(t.Input), e.Time, digest(text), true
	case e.Kind == model.EventToolReturned: // to the caller
		t.EndedAt = e.Time
	}
	if e.Kind == model.EventCalled && !t.done {
		t.Agent, t.Input = e.Agent, text
	}
	d.tasks[e.Task] = t
}

// Begin writes that a task was given.
func (c *Conversation) Begin(ctx context.Context, t Task) error {
	if t.ID == "" {
		return &model.Problem{Code: "no-task", What: "The task has no ID.", Next: "Give it one that no other has."}
	}
	if t.Agent == "" {
		return noAgent()
	}
	t.CallID = cmp.Or(t.CallID, t.ID)
	form := c.opt.Form
	return c.commit(ctx, func(s *state) ([]entry, error) {
		if _, ok := s.tasks[t.ID]; ok {
			return nil, &model.Problem{Code: "task-known", What: fmt.Sprintf("Task %s was begun before.", t.ID),
				Next: "Give this one another ID."}
		}
		input := form.Message("user", t.Input)
		first := newEntry("", model.EventCalled, input)
		if t.Caller != "" {
			first = newEntry(t.Caller, model.EventToolCalled, form.Call(t.CallID, CallAgentTool, callAgentArguments(t)))
		}
		second := newEntry(t.Agent, model.EventCalled, input)
		second.Caller = t.Caller
		return ofTask(t.ID, first, second), nil
	})
}

func callAgentArguments(t Task) string {
	b := jspan.AppendQuote([]byte(`{"agent":`), t.Agent, false)
	b = jspan.AppendQuote(append(b, `,"message":`...), t.Input, false)
	return string(append(b, '}'))
}

func ofTask(id string, entries ...entry) []entry {
	for i := range entries {
		entries[i].Task = id
	}
	return entries
}

// Finish writes the answer of a task, once. An answer to a task that has ended,
// or an empty one, is not written; the result is false then.
func (c *Conversation) Finish(ctx context.Context, task, answer string) (recorded bool, err error) {
	if answer == "" {
		return false, nil
	}
	form := c.opt.Form
	return c.end(ctx, task, func(s *state, t Task) []entry {
		return t.ending(model.EventResponded, form, answer)
	})
}

// Fail writes that a task failed, and why, so that neither a question nor a call
// is left without an answer. A task that has ended is not changed.
func (c *Conversation) Fail(ctx context.Context, task string, reason error) (recorded bool, err error) {
	if reason == nil {
		reason = ErrNoAnswer
	}
	return c.end(ctx, task, func(s *state, t Task) []entry {
		return t.ending(model.EventFailed, s.opt.Form, failureText(reason.Error(), s.language()))
	})
}

// ending is the entries for the text that ends a task.
func (t Task) ending(kind model.EventKind, form historyitem.Form, text string) []entry {
	message := form.Message("assistant", text)
	last := newEntry(t.Agent, kind, message)
	if t.Caller != "" {
		return []entry{last, newEntry(t.Caller, model.EventToolReturned, form.Output(t.CallID, text))}
	}
	return []entry{newEntry("", kind, message), last}
}

// end writes the entries that end a task, if it has not ended.
func (c *Conversation) end(ctx context.Context, task string, entries func(*state, Task) []entry) (recorded bool, err error) {
	err = c.commit(ctx, func(s *state) ([]entry, error) {
		t, ok := s.tasks[task]
		if recorded = ok && !t.done; !ok {
			return nil, &model.Problem{Code: "unknown-task", What: fmt.Sprintf("There is no task %q in this conversation.", task),
				Next: "Begin it first."}
		}
		if t.done {
			return nil, nil
		}
		return ofTask(task, entries(s, t.Task)...), nil
	})
	return recorded && err == nil, err
}

// Unfinished lists the tasks that were begun and have not ended, by their IDs:
// after a restart those that were under way when the program ended.
func (c *Conversation) Unfinished() []Task { return c.tasks(func(t taskState) bool { return !t.done }) }

// Tasks lists all tasks, in the order in which they were given; of one that has ended only the
// beginning of its input is kept.
func (c *Conversation) Tasks() []Task { return c.tasks(func(taskState) bool { return true }) }

func (c *Conversation) tasks(wanted func(taskState) bool) (list []Task) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, t := range c.state.tasks {
		if wanted(t) {
			list = append(list, t.Task)
		}
	}
	slices.SortFunc(list, func(a, b Task) int { return cmp.Or(a.CalledAt.Compare(b.CalledAt), strings.Compare(a.ID, b.ID)) })
	return list
}

// Response is one thing a running agent returns.
type Response struct {
	Final string // the answer; "" while the agent is still at work
	Event any    // whatever else there is for the observer
}

// ErrNoAnswer says that an agent ended without an answer.
var ErrNoAnswer = errors.New("the agent ended without an answer")

// Execute (executeTask of the document) gives a task to an agent: the task is written, the agent run, and its
// first answer written before observe, which may be nil, gets it; later ones are
// passed on and not written again. When run fails, panics, is cancelled or ends
// without an answer, that is written instead of one. The error is that of run,
// or of writing.
func (c *Conversation) Execute(ctx context.Context, t Task,
	run func(ctx context.Context, respond func(Response) error) error, observe func(Response)) (err error) {
	if err := c.Begin(ctx, t); err != nil {
		return err
	}
	err = errors.New("the agent's program broke off") // if run never returns
	defer func() {
		// That a run was cancelled is written, too.
		recorded, failed := c.Fail(context.WithoutCancel(ctx), t.ID, err)
		if recorded && err == nil {
			err = ErrNoAnswer
		}
		err = errors.Join(err, failed)
	}()
	err = run(ctx, func(r Response) error {
		if _, err := c.Finish(ctx, t.ID, r.Final); err != nil {
			return err
		}
		if observe != nil {
			observe(r)
		}
		return nil
	})
	return err
}
