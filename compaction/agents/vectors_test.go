package agents

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"palimpsest/compaction/summarize"
	"palimpsest/internal/vectors"
	"palimpsest/model/transcript/historyitem"
)

// eventCase is one case of the golden vectors of system B.
type eventCase struct {
	ID     string
	Events [][]string
	After  []eventState `json:"expect_after"`
	Final  struct {
		Conversation struct {
			HistoryContext                      json.RawMessage
			MessageCount                        int
			LastMessageContent, LastMessageType string
		}
		Agents map[string]struct {
			ActiveContext json.RawMessage
			StatePhase    string  `json:"state_phase"`
			StateAppend   *string `json:"state_append"`
			Interactions  int     `json:"interaction_count_messages"`
			ContextLen    int     `json:"context_len"`
		}
	} `json:"expect_final"`
}

type eventState struct {
	HistoryLen   int    `json:"history_len"`
	MessageCount int    `json:"message_count"`
	LastContent  string `json:"last_message_content"`
	LastType     string `json:"last_message_type"`

	Agent        string
	StatePhase   string  `json:"state_phase"`
	StateAppend  *string `json:"state_append"`
	Interactions int     `json:"interaction_count_messages"`
	ContextLen   int     `json:"context_len"`
}

// eachVector drives every case and calls after behind every event, and final at
// the end.
func eachVector(t *testing.T, opt Options, after func(t *testing.T, c *Conversation, want eventState), final func(t *testing.T, c *Conversation, ec *eventCase)) {
	opt.Language = summarize.Chinese // the vectors have Chinese labels, whatever the texts are
	for _, ec := range vectors.Cases[eventCase](t, "b_events") {
		t.Run(ec.ID, func(t *testing.T) {
			c := newConversation(t, opt)
			for i, ev := range ec.Events {
				drive(t, c, ev)
				if after != nil {
					after(t, c, ec.After[i])
				}
			}
			if final != nil {
				final(t, c, &ec)
			}
		})
	}
}

func drive(t *testing.T, c *Conversation, ev []string) {
	t.Helper()
	ctx, h, a := context.Background(), c.History(), c.Agents()
	var err error
	switch ev[0] {
	case "user_message":
		err = h.AppendUserMessage(ctx, ev[1])
	case "assistant_message":
		err = h.AppendAssistantMessage(ctx, ev[1])
	case "conv_function_call":
		err = h.AppendFunctionCall(ctx, ev[1], ev[2], ev[3])
	case "conv_function_output":
		err = h.AppendFunctionCallOutput(ctx, ev[1], ev[2])
	case "agent_called":
		err = a.Called(ctx, ev[1], ev[2])
	case "agent_response":
		err = a.Responded(ctx, ev[1], ev[2])
	case "tool_called":
		err = a.CalledTool(ctx, ev[1], ev[2], ev[3], ev[4])
	case "tool_returned":
		err = a.ToolReturned(ctx, ev[1], ev[2], ev[3])
	default:
		t.Fatalf("unknown event %q", ev[0])
	}
	if err != nil {
		t.Fatal(err)
	}
}

// sameList compares lists as JSON: white space between tokens is not part of
// the vectors, everything else is.
func sameList(t *testing.T, what string, got []historyitem.Item, want json.RawMessage) {
	t.Helper()
	var a, b bytes.Buffer
	if err := json.Compact(&a, []byte(historyitem.FormatList(got))); err != nil {
		t.Fatal(err)
	}
	if err := json.Compact(&b, want); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Errorf("%s is\n%s\nwant\n%s", what, a.String(), b.String())
	}
}

// The shared history: its items and its length after every event.
func TestB1I13VectorSharedHistory(t *testing.T) {
	eachVector(t, Options{}, func(t *testing.T, c *Conversation, want eventState) {
		if got := len(c.History().Context().Items); want.Agent == "" && got != want.HistoryLen {
			t.Errorf("%d items, want %d", got, want.HistoryLen)
		}
	}, func(t *testing.T, c *Conversation, ec *eventCase) {
		sameList(t, "the history", c.History().Context().Items, ec.Final.Conversation.HistoryContext)
	})
}

func TestB2VectorStatistics(t *testing.T) {
	eachVector(t, Options{}, func(t *testing.T, c *Conversation, want eventState) {
		s := c.History().Stats()
		if want.Agent == "" && (s.Messages != want.MessageCount || s.LastContent != want.LastContent || s.LastType != want.LastType) {
			t.Errorf("%+v, want %+v", s, want)
		}
	}, func(t *testing.T, c *Conversation, ec *eventCase) {
		s, want := c.History().Stats(), ec.Final.Conversation
		if s.Messages != want.MessageCount || s.LastContent != want.LastMessageContent || s.LastType != want.LastMessageType {
			t.Errorf("%+v, want %+v", s, want)
		}
	})
}

// The contexts of the agents (B4–B7): items, lengths and interaction counts.
func TestB4VectorContexts(t *testing.T) {
	eachVector(t, Options{}, func(t *testing.T, c *Conversation, want eventState) {
		if want.Agent == "" {
			return
		}
		x, ok := c.Agents().Context(want.Agent)
		s, _ := c.Agents().Stats(want.Agent)
		if !ok || len(x.Items) != want.ContextLen || s.Interactions != want.Interactions {
			t.Errorf("%s: %d items, %d interactions; want %+v", want.Agent, len(x.Items), s.Interactions, want)
		}
	}, func(t *testing.T, c *Conversation, ec *eventCase) {
		if names := c.Agents().Names(); len(names) != len(ec.Final.Agents) {
			t.Errorf("agents %v, want %d", names, len(ec.Final.Agents))
		}
		for agent, want := range ec.Final.Agents {
			x, _ := c.Agents().Context(agent)
			s, _ := c.Agents().Stats(agent)
			sameList(t, "the context of "+agent, x.Items, want.ActiveContext)
			if len(x.Items) != want.ContextLen || s.Interactions != want.Interactions {
				t.Errorf("%s: %d items, %d interactions; want %+v", agent, len(x.Items), s.Interactions, want)
			}
			if o := x.Orphans(); len(o) > 0 {
				t.Errorf("%s: outputs %v without a call", agent, o)
			}
		}
	})
}

// The state description as the latest input with the current phase (K16).
func TestB8VectorStatePhase(t *testing.T) {
	eachVector(t, Options{}, func(t *testing.T, c *Conversation, want eventState) {
		if got := c.Agents().State(want.Agent, summarize.Auto); got != want.StatePhase {
			t.Errorf("%s is %q, want %q", want.Agent, got, want.StatePhase)
		}
	}, func(t *testing.T, c *Conversation, ec *eventCase) {
		for agent, want := range ec.Final.Agents {
			if got := c.Agents().State(agent, summarize.Auto); got != want.StatePhase {
				t.Errorf("%s is %q, want %q", agent, got, want.StatePhase)
			}
		}
	})
}

// The same by pure appending, where the vectors fix it: until an agent is
// called a second time.
func TestB8VectorStateAppend(t *testing.T) {
	checked := 0
	eachVector(t, Options{Compat: Compat{StateAppend: true}}, func(t *testing.T, c *Conversation, want eventState) {
		if want.StateAppend == nil {
			return
		}
		checked++
		if got := c.Agents().State(want.Agent, summarize.Auto); got != *want.StateAppend {
			t.Errorf("%s is %q, want %q", want.Agent, got, *want.StateAppend)
		}
	}, func(t *testing.T, c *Conversation, ec *eventCase) {
		for agent, want := range ec.Final.Agents {
			if want.StateAppend == nil {
				continue
			}
			checked++
			if got := c.Agents().State(agent, summarize.Auto); got != *want.StateAppend {
				t.Errorf("%s is %q, want %q", agent, got, *want.StateAppend)
			}
		}
	})
	if checked == 0 {
		t.Error("no state was compared")
	}
}
