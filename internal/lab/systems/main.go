// Command systems runs the four history systems on made-up work, asks no model, and keeps
// all they do in one database for the window to look at.
//
//	scripts/lab.sh systems agents.db && palimpsest --db agents.db
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"palimpsest/compaction/agents"
	"palimpsest/compaction/auto"
	"palimpsest/compaction/session/journal"
	"palimpsest/compaction/steps"
	"palimpsest/compaction/summarize/remote/agent"
	"palimpsest/model"
	"palimpsest/model/store"
)

func main() {
	path := "agents.db"
	if len(os.Args) > 1 {
		path = os.Args[1]
	}
	if err := record(context.Background(), path); err != nil {
		log.Fatal(err)
	}
}

// record runs each system once.
func record(ctx context.Context, path string) error {
	st, err := store.Open(path)
	if err != nil {
		return err
	}
	defer st.Close()
	j := journal.Recorded(st)
	count := auto.MessageCountConfig("")
	count.MaxCount, count.Batch, count.KeepRecent = 40, 30, 10
	share := auto.TokenShareConfig("")
	share.Window, share.Threshold, share.KeepRecent = 6000, 0.8, 10
	for _, run := range []func() error{
		func() error { return stepHistory(ctx, j) },
		func() error { return agentContexts(ctx, j) },
		func() error { return chat(ctx, j, "message count", count) },
		func() error { return chat(ctx, j, "token share", share) },
	} {
		if err := run(); err != nil {
			return err
		}
	}
	return nil
}

// stepHistory is an agent that analyses, executes and checks, 30 times. All steps are in full
// still, so that window and batch can be tried.
func stepHistory(ctx context.Context, j model.Journal) error {
	h, err := steps.Open(ctx, "step history", steps.FixedSettings(30, 3, 5000), steps.Env{Clock: time.Now, Journal: j})
	for n := 1; n <= 30 && err == nil; n++ {
		err = h.Append(ctx, n,
			fmt.Sprintf("**Task Status:** in progress\n**Progress Assessment:** %d %%\n"+
				"Module %d is next, since module %d needs it.", n*3, n, n+1),
			fmt.Sprintf("**Execution Goal:** move module %d\n"+
				"**Execution Result:** /src/module%d.go moved, %d tests pass\n%s", n, n, n*7, lines(n)),
			fmt.Sprintf("**Quality Score:** %d/10\n**Passed:** yes", 6+n%4))
	}
	return err
}

// agentContexts is agent A, which a person asks, and agent B, which A asks, in 20 tasks.
func agentContexts(ctx context.Context, j model.Journal) error {
	c, err := agents.Open(ctx, "agent contexts", agents.Options{Journal: j, Now: time.Now})
	for n := 1; n <= 20 && err == nil; n++ {
		id := fmt.Sprint(n)
		question := fmt.Sprintf("Will it rain in town %d tomorrow?", n)
		err = c.Execute(ctx, agents.Task{ID: id, Agent: "A", Input: question},
			func(ctx context.Context, respond func(agents.Response) error) error {
				look := agents.Task{ID: id + ".1", Agent: "B", Caller: "A", Input: fmt.Sprintf("Look up the forecast of town %d", n)}
				if err := c.Begin(ctx, look); err != nil {
					return err
				}
				if _, err := c.Finish(ctx, look.ID, fmt.Sprintf("station%d.csv: %d mm.\n%s", n, n%5, lines(n))); err != nil {
					return err
				}
				return respond(agents.Response{Final: fmt.Sprintf("In town %d %d mm are expected.", n, n%5)})
			}, nil)
	}
	return err
}

// chat is one agent's history of 60 turns under a configuration.
func chat(ctx context.Context, j model.Journal, name string, cfg auto.Config) error {
	cfg.Strategy = model.Extract // asks no model
	a, err := auto.Open(ctx, cfg, auto.Options{Agent: name, Clock: agent.SystemClock{}, Journal: j})
	if err != nil {
		return err
	}
	a.ReportUsage(auto.ReportedUsage{Max: int64(cfg.Window)})
	a.Append(auto.ChatMessage{Role: "system", Content: "You deploy services."})
	for n := 1; n <= 60; n++ {
		order := fmt.Sprintf("By %s: deploy build %d to /srv/app%d, and keep the log.", name, n, n)
		a.Append(auto.ChatMessage{Role: "user", Content: order})
		if r := a.BeforeCall(ctx); r.Err != nil {
			return r.Err
		}
		a.Append(auto.ChatMessage{Role: "assistant", Content: fmt.Sprintf("Build %d runs on port %d.\n%s", n, 8000+n, lines(n))})
	}
	return a.Save(ctx)
}

// lines are what a tool printed.
func lines(n int) string { return strings.Repeat(fmt.Sprintf("ok service%d 0.%d s\n", n, n), 5+n%4) }
