package agents

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// CallAgentTool is the name of the function by which an agent calls another.
const CallAgentTool = "call_agent"

// Task is one thing an agent is asked to do, by a person or by another agent. It
// ends once, with an answer or a failure.
//
// A person's task stands in the shared history and in the agent's context. An
// agent's stands in both agents' contexts only: as a function call with its
// output in the caller's, as a message with its answer in the other's.
type Task struct {
	ID     string // unique in the conversation
	Agent  string // who is asked
	Input  string
	Caller string // the agent that asks; "": a person
	CallID string // of the caller's function call; "": the task's ID
}

// taskState is a task that was begun.
type taskState struct {
	Task
	done bool
}

// foldTask notes what an event tells of its task.
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
		t.ID = e.Task
		if e.Kind == model.EventToolCalled { // comes before the call it makes
			t.Caller, t.CallID = e.Agent, e.items[0].CallID()
		}
	case e.Kind == model.EventResponded || e.Kind == model.EventFailed:
		t = taskState{Task: Task{ID: t.ID, Agent: t.Agent}, done: true}
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
	if t.CallID == "" {
		t.CallID = t.ID
	}
	form := c.opt.Form
	return c.commit(ctx, func(s *state) ([]entry, error) {
		if _, ok := s.tasks[t.ID]; ok {
			return nil, &model.Problem{Code: "task-known", What: fmt.Sprintf("Task %s was begun before.", t.ID), Next: "Give this one another ID."}
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

// Finish writes the answer of a task, once: of an answer to a task that has
// ended, and of an empty one, nothing is written and the result is false.
func (c *Conversation) Finish(ctx context.Context, task, answer string) (recorded bool, err error) {
	if answer == "" {
		return false, nil
	}
	form := c.opt.Form
	return c.end(ctx, task, func(s *state, t Task) []entry {
		said := form.Message("assistant", answer)
		if t.Caller != "" {
			return []entry{newEntry(t.Agent, model.EventResponded, said),
				newEntry(t.Caller, model.EventToolReturned, form.Output(t.CallID, answer))}
		}
		return []entry{newEntry("", model.EventResponded, said), newEntry(t.Agent, model.EventResponded, said)}
	})
}

// Fail writes that a task came to nothing, and why, so that neither a question
// nor a call stays without an answer. A task that has ended stays as it is.
func (c *Conversation) Fail(ctx context.Context, task string, reason error) (recorded bool, err error) {
	if reason == nil {
		reason = ErrNoAnswer
	}
	return c.end(ctx, task, func(s *state, t Task) []entry {
		told := s.failure(reason.Error())
		if t.Caller != "" {
			return []entry{newEntry(t.Agent, model.EventFailed, told),
				newEntry(t.Caller, model.EventToolReturned, s.opt.Form.Output(t.CallID, told.Text()))}
		}
		return []entry{newEntry("", model.EventFailed, told), newEntry(t.Agent, model.EventFailed, told)}
	})
}

func (c *Conversation) end(ctx context.Context, task string, tell func(*state, Task) []entry) (recorded bool, err error) {
	err = c.commit(ctx, func(s *state) ([]entry, error) {
		t, ok := s.tasks[task]
		if recorded = ok && !t.done; !ok {
			return nil, &model.Problem{Code: "unknown-task", What: fmt.Sprintf("There is no task %q in this conversation.", task), Next: "Begin it first."}
		}
		if t.done {
			return nil, nil
		}
		return ofTask(task, tell(s, t.Task)...), nil
	})
	return recorded && err == nil, err
}

// Unfinished lists the tasks that were begun and have not ended, by their IDs:
// after a restart those that went down with the program.
func (c *Conversation) Unfinished() []Task {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var list []Task
	for _, t := range c.state.tasks {
		if !t.done {
			list = append(list, t.Task)
		}
	}
	slices.SortFunc(list, func(a, b Task) int { return strings.Compare(a.ID, b.ID) })
	return list
}

// Response is one thing a running agent gives.
type Response struct {
	Final string // the answer; "" while the agent is still at work
	Event any    // whatever else there is for the observer
}

// ErrNoAnswer says that an agent ended without an answer.
var ErrNoAnswer = errors.New("the agent ended without an answer")

// Execute gives a task to an agent and sees it through: the task is written, the
// agent run, and its first answer written before the observer, which may be nil,
// hears of it; later ones are handed on and not written again. When run fails,
// panics, is cancelled or ends without an answer, that is written in place of
// one. The error is that of run, or of writing.
func (c *Conversation) Execute(ctx context.Context, t Task, run func(ctx context.Context, respond func(Response) error) error, observe func(Response)) (err error) {
	if err := c.Begin(ctx, t); err != nil {
		return err
	}
	err = errors.New("the agent's program broke off") // what stands if run never returns
	defer func() {
		// A cancelled run has to be told of, too.
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
