package cli

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction/agents"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// record writes a conversation of n tasks into the bench's database: A answers
// each after it asked B.
func (b *bench) record(id string, n int) {
	b.Helper()
	st, err := store.Open(b.db)
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	at := time.Date(2025, 1, 3, 10, 0, 0, 0, time.UTC)
	c, err := agents.Open(b.Context(), id, agents.Options{Journal: st, Now: func() time.Time {
		at = at.Add(time.Second)
		return at
	}})
	if err != nil {
		b.Fatal(err)
	}
	for i := range n {
		task := fmt.Sprint("task", i)
		err := c.Execute(b.Context(), agents.Task{ID: task, Agent: "A", Input: fmt.Sprintf("第 %d 个问题: 北京天气怎么样？%s", i, strings.Repeat("说明。", 40))},
			func(ctx context.Context, respond func(agents.Response) error) error {
				ask := agents.Task{ID: task + "/B", Agent: "B", Input: "查询北京天气", Caller: "A"}
				if err := c.Begin(ctx, ask); err != nil {
					return err
				}
				if _, err := c.Finish(ctx, ask.ID, strings.Repeat("晴，25°C。", 60)); err != nil {
					return err
				}
				return respond(agents.Response{Final: fmt.Sprintf("第 %d 天: 晴天。", i)})
			}, nil)
		if err != nil {
			b.Fatal(err)
		}
	}
}

// A recorded conversation is listed, looked at, compacted and given back as a
// file is.
func TestConversationVerbs(t *testing.T) {
	b := newBench(t)
	b.run("inspect", "conversation:c1").ends(exitFailed, "no database")
	b.record("c1", 12)
	b.record("other", 1)

	b.run("conversations").ends(exitDone).says("conversation:c1", "A, B", "第 0 个问题", "第 11 天")
	r := b.run("conversations", "--json").ends(exitDone)
	check(r, map[string]string{"0.id": "string", "0.name": "string", "0.messages": "number", "0.events": "number", "0.agents.0.agent": "string",
		"0.agents.0.called_by": "null", "0.agents.0.state": "string", "0.last_message": "string", "0.last_time": "string"})
	list := value[[]conversationInfo](r)
	if len(list) != 2 || list[0].ID != "c1" || list[0].Messages != 24 || list[0].Events != 96 || list[0].LastTime != "2025-01-03T10:01:35Z" ||
		list[0].Agents[1].Agent != "B" || *list[0].Agents[1].CalledBy != "A" || list[0].Agents[0].State[:len("输入: 第 11 个问题")] != "输入: 第 11 个问题" {
		t.Errorf("%+v", list)
	}

	in := value[inspection](b.run("inspect", "conversation:c1", "--json").ends(exitDone))
	if in.Format != model.FormatHistoryItems || in.Threads != 3 || in.Agents != 2 || in.ToolCalls != 12 || in.ToolResults != 12 ||
		in.Messages != 24+48+24 || in.ThreadList[1].ID != "A" || in.ThreadList[1].Kind != "main" || in.ThreadList[2].Kind != "sub-agent" {
		t.Errorf("%+v", in)
	}
	b.run("inspect", "conversation:none").ends(exitFailed, "no recorded conversation")

	out := b.path("out.json")
	got := value[compacted](b.run("compact", "conversation:c1", "--agent", "A", "--preset", "message-count", "-o", out, "--json").ends(exitDone))
	if got.Outcome != model.Applied || got.Agent != "A" || got.Thread != 1 || got.After.Messages >= got.Before.Messages {
		t.Errorf("%+v", got)
	}
	d, err := transcript.Open(t.Context(), out, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	th := d.Conversations[0].Threads
	if len(th[0].Messages) != 24 || len(th[2].Messages) != 24 || len(th[1].Found) != 1 || len(th[1].Live(len(th[1].History))) != got.After.Messages {
		t.Errorf("threads of %d, %d and %d messages", len(th[0].Messages), len(th[1].Messages), len(th[2].Messages))
	}
	if again := value[inspection](b.run("inspect", out, "--json").ends(exitDone)); again.Continues == nil || *again.Continues != *got.Record {
		t.Errorf("%+v", again)
	}

	// The record gives the conversation back as it was.
	folder := b.path("given")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	b.run("restore", *got.Record, "-o", folder).ends(exitDone)
	b.run("export", "conversation:c1", "-o", b.path("same.json")).ends(exitDone)
	one, err := os.ReadFile(b.path("given/conversation-c1.json"))
	if err != nil {
		t.Fatal(err)
	}
	if two, err := os.ReadFile(b.path("same.json")); err != nil || string(two) != string(one) {
		t.Errorf("what is given back is not what was recorded: %v", err)
	}
	b.run("export", *got.Record, "-f", "markdown", "-o", b.path("a.md")).ends(exitDone)
	if err := os.Mkdir(b.path("several"), 0o777); err != nil {
		t.Fatal(err)
	}
	b.run("compact", "conversation:c1", "--agent", "A", "--preset", "message-count", "-o", b.path("several")).ends(exitDone)
	if _, err := os.Stat(b.path("several/conversation-c1.json")); err != nil {
		t.Error(err)
	}
}
