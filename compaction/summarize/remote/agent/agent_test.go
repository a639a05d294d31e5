package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sashabaranov/go-openai"

	"palimpsest/compaction/auto"
	"palimpsest/compaction/session/journal"
	"palimpsest/compaction/summarize/remote/agent"
	"palimpsest/compaction/summarize/remote/trial"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

func server(t *testing.T) (*trial.Server, *openai.Client) {
	t.Helper()
	s, err := trial.Listen("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	conf := openai.DefaultConfig("key")
	conf.BaseURL = s.URL()
	return s, openai.NewClientWithConfig(conf)
}

func small(summaryModel string) agent.Option {
	return agent.Configured(func(c *auto.Config) {
		c.MaxCount, c.Batch, c.KeepRecent, c.SummaryModel, c.KeepFirstUser = 12, 0, 4, summaryModel, true
	})
}

// talk lets a program that keeps its whole conversation make n calls.
func talk(t *testing.T, a *agent.OpenAI, list []openai.ChatCompletionMessage, n int) []openai.ChatCompletionMessage {
	t.Helper()
	for i := range n {
		list = append(list, openai.ChatCompletionMessage{Role: "user", Content: fmt.Sprintf("Question %d %s", len(list), strings.Repeat("about it ", 40))})
		answer, err := a.CreateChatCompletion(t.Context(), openai.ChatCompletionRequest{Model: "good", Messages: list})
		if err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
		list = append(list, answer.Choices[0].Message)
	}
	return list
}

func begin() []openai.ChatCompletionMessage {
	return []openai.ChatCompletionMessage{{Role: "system", Content: "You are careful."}, {Role: "user", Content: "Never touch /srv/prod."},
		{Role: "assistant", Content: "Understood."}}
}

// A program changes nothing but the client it calls: requests stay short, the
// standing order stays in them, everything is stored, and a new process goes on.
func TestAProgramNeedsNoOtherChange(t *testing.T) {
	s, client := server(t)
	dir := t.TempDir()
	a, err := agent.ForOpenAI(client, "good", agent.Folder(dir), small("plain"))
	if err != nil {
		t.Fatal(err)
	}
	list := talk(t, a, begin(), 20)
	if m := a.Metrics(); m.Applied < 3 || m.Failed > 0 {
		t.Fatalf("%+v", m)
	}
	if n := len(a.History()); n != len(list) {
		t.Errorf("the history holds %d messages, the program %d", n, len(list))
	}
	sent := a.Messages()
	if len(sent) > 14 || !slices.ContainsFunc(sent, func(m auto.ChatMessage) bool { return m.Content == "Never touch /srv/prod." }) {
		t.Errorf("%d messages are sent", len(sent))
	}
	models := map[string]int{}
	for _, r := range s.Requests() {
		models[r.Model]++
	}
	if models["plain"] != a.Metrics().Asked || models["good"] != 20 {
		t.Errorf("asked %v, %d summaries", models, a.Metrics().Asked)
	}

	again, err := agent.ForOpenAI(client, "good", agent.Folder(dir), small("plain"))
	if err != nil {
		t.Fatal(err)
	}
	if n, m := len(again.Records()), len(a.Records()); n != m || n == 0 {
		t.Errorf("%d records are loaded of %d", n, m)
	}
	list = talk(t, again, list, 3)
	if n := len(again.History()); n != len(list) {
		t.Errorf("after a restart the history holds %d of %d", n, len(list))
	}
	path := filepath.Join(dir, "agent.json")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	st, _ := f.Stat()
	d, err := transcript.Read(context.Background(), path, f, st.Size(), transcript.Options{})
	if err != nil || d.Format != "agent-state" {
		t.Fatalf("the state opens as %q, %v", d.Format, err)
	}
}

// The conversation is kept in the window's database: each compaction is a record,
// and a new process goes on.
func TestAProgramInTheDatabase(t *testing.T) {
	_, client := server(t)
	st, err := store.Open(filepath.Join(t.TempDir(), "agents.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	kept := agent.Journal(journal.Recorded(st))
	a, err := agent.ForOpenAI(client, "good", nil, small("plain"), agent.ID("bot"), kept)
	if err != nil {
		t.Fatal(err)
	}
	list := talk(t, a, begin(), 12)
	again, err := agent.ForOpenAI(client, "good", nil, small("plain"), agent.ID("bot"), kept)
	if err != nil || len(again.History()) != len(list) {
		t.Fatalf("%d messages of %d, %v", len(again.History()), len(list), err)
	}
	talk(t, again, list, 6)
	n, err := st.CountRecords(t.Context(), store.Filter{Path: "conversation:bot"})
	if err != nil || int(n) != len(again.Records()) || n < 2 {
		t.Errorf("%d records of %d compactions, %v", n, len(again.Records()), err)
	}
	if _, err := agent.ForOpenAI(client, "good", agent.Folder(t.TempDir()), kept); err == nil {
		t.Error("a store and a journal are taken")
	}
}

// A model that fails or hangs stops no call; the error of the agent's own call is
// returned, and what was said is stored.
func TestAServerThatMisbehaves(t *testing.T) {
	for _, behaviour := range []string{"status-500", "empty-choices", "blank", "malformed", "refusal", "html"} {
		_, client := server(t)
		a, err := agent.ForOpenAI(client, "good", nil, small(behaviour))
		if err != nil {
			t.Fatal(err)
		}
		talk(t, a, begin(), 10)
		if m := a.Metrics(); m.Asked == 0 || m.Asked > 6 {
			t.Errorf("%s: %+v", behaviour, m)
		}
	}
	_, client := server(t)
	dir := t.TempDir()
	a, err := agent.ForOpenAI(client, "good", agent.Folder(dir))
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.CreateChatCompletion(t.Context(), openai.ChatCompletionRequest{Model: "status-503", Messages: begin()[:2]})
	var api *openai.APIError
	if err == nil || !errors.As(err, &api) && !strings.Contains(err.Error(), "503") {
		t.Errorf("%v", err)
	}
	if b, err := agent.Folder(dir).Load("agent"); err != nil || !strings.Contains(string(b), "/srv/prod") {
		t.Errorf("%q, %v", b, err)
	}
	huge := agent.Configured(func(c *auto.Config) { c.Window = 100 })
	a, _ = agent.ForOpenAI(client, "good", nil, huge)
	_, err = a.CreateChatCompletion(t.Context(), openai.ChatCompletionRequest{Model: "good",
		Messages: []openai.ChatCompletionMessage{{Role: "user", Content: strings.Repeat("word ", 500)}}})
	var over *auto.OverLimitError
	if !errors.As(err, &over) {
		t.Errorf("%v", err)
	}
}

// No field is lost on the way there and back.
func TestConversionsKeepEveryField(t *testing.T) {
	index := 0
	for _, m := range []openai.ChatCompletionMessage{
		{Role: "user", Content: "plain", Name: "ann"},
		{Role: "user", MultiContent: []openai.ChatMessagePart{{Type: "text", Text: "see"},
			{Type: "image_url", ImageURL: &openai.ChatMessageImageURL{URL: "data:image/png;base64,AA", Detail: "low"}}}},
		{Role: "assistant", Content: "so", ReasoningContent: "hm", Refusal: "no",
			ToolCalls: []openai.ToolCall{{Index: &index, ID: "1", Type: "function", Function: openai.FunctionCall{Name: "f", Arguments: `{"a":1}`}}}},
		{Role: "tool", ToolCallID: "1", Content: "done"},
	} {
		there, err := agent.FromOpenAI(m)
		if err != nil {
			t.Fatal(err)
		}
		back, err := agent.ToOpenAI(there)
		if err != nil || !reflect.DeepEqual(m, back) {
			t.Errorf("%+v comes back as %+v, %v", m, back, err)
		}
	}
}

// All agents of an application are loaded and saved together; a state that is
// damaged stays as it is, and keeps no other from loading.
func TestAgentsOfAnApplication(t *testing.T) {
	dir := t.TempDir()
	store := agent.Folder(dir)
	fresh := func(id string) (*auto.Compactor, error) {
		return auto.New(auto.DefaultConfig(), auto.Options{Agent: id, Clock: agent.SystemClock{}})
	}
	all, err := agent.LoadAgents(store, fresh)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"planner", "coder/1", "审查"} {
		c, err := all.Agent(id)
		if err != nil {
			t.Fatal(err)
		}
		c.Append(auto.ChatMessage{Role: "user", Content: "for " + id})
	}
	if err := all.Save(); err != nil {
		t.Fatal(err)
	}
	if err := store.Save("broken", []byte(`{"messages":`)); err != nil {
		t.Fatal(err)
	}
	again, err := agent.LoadAgents(store, fresh)
	if err == nil || !strings.Contains(err.Error(), "broken") || !slices.Equal(again.IDs(), []string{"coder/1", "planner", "审查"}) {
		t.Fatalf("%v, %v", again.IDs(), err)
	}
	c, _ := again.Agent("审查")
	if h := c.History(); len(h) != 1 || h[0].Content != "for 审查" {
		t.Errorf("%+v", h)
	}
	if err := again.Save(); err != nil {
		t.Error(err)
	}
	if b, _ := store.Load("broken"); strings.TrimSpace(string(b)) != `{"messages":` {
		t.Errorf("the damaged state was overwritten: %q", b)
	}
}

// The tool compacts by hand and returns the outcome to the model.
func TestTheToolOfAModel(t *testing.T) {
	_, client := server(t)
	a, err := agent.ForOpenAI(client, "good", nil, agent.Configured(func(c *auto.Config) { c.KeepRecent = 2 }))
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(auto.ToolParameters(), &schema); err != nil || schema["type"] != "object" {
		t.Errorf("%v, %v", schema, err)
	}
	if said, err := auto.HandleTool(t.Context(), a.Compactor, `{"reason":"done"}`); err != nil || !strings.HasPrefix(said, "Nothing was compacted") {
		t.Errorf("%q, %v", said, err)
	}
	talk(t, a, begin(), 8)
	a.Append(auto.ChatMessage{Role: "assistant", ToolCalls: []auto.ChatCall{{ID: "c", Name: auto.ToolName, Arguments: `{}`}}})
	said, err := auto.HandleTool(t.Context(), a.Compactor, `{}`)
	if err != nil || !strings.HasPrefix(said, "Compacted: ") || len(a.Records()) != 1 {
		t.Errorf("%q, %v", said, err)
	}
	if last := a.Messages()[len(a.Messages())-1]; len(last.ToolCalls) != 1 {
		t.Errorf("the call of the tool is gone: %+v", last)
	}
	if _, err := auto.HandleTool(t.Context(), a.Compactor, `[`); err == nil {
		t.Error("arguments that are no JSON are taken")
	}
}

func TestReadConfig(t *testing.T) {
	c, err := auto.ReadConfig([]byte(`{"conversation":{"autoCompression":{"threshold":0.7,"summaryModel":"m"}},"other":1}`))
	if err != nil || c.Threshold != .7 || c.SummaryModel != "m" || c.KeepRecent != 10 {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err := auto.ReadConfig([]byte(`{"threshold":0.6}`)); err != nil || c.Threshold != .6 {
		t.Errorf("%+v, %v", c, err)
	}
	for _, bad := range []string{`{"threshold":2}`, `{`, `{"conversation":{"autoCompression":{"threshold":"x"}}}`} {
		if _, err := auto.ReadConfig([]byte(bad)); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
