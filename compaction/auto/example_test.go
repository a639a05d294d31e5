package auto

import (
	"context"
	"fmt"
	"time"
)

// exampleModel is the part of an agent that talks to a model; a real one sends
// r.System and r.Prompt without tools, at r.Temperature.
type exampleModel struct{}

func (exampleModel) Summarise(_ context.Context, r SummaryRequest) (string, error) {
	return "Conversation summary: the user wants the service deployed to /srv/data.", nil
}

// wallClock is the time of the machine.
type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

func (wallClock) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d)
}

func ExampleCompactor() {
	cfg := DefaultConfig()
	cfg.AgentName = "gpt-4o" // its window and its counting are known
	cfg.SummaryModel = "gpt-4o-mini"

	agent, err := New(cfg, Options{
		Agent: "deployer", Client: exampleModel{}, Clock: wallClock{},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	agent.Append(ChatMessage{Role: "system", Content: "You deploy services."})
	for turn := range 25 {
		agent.Append(ChatMessage{Role: "user", Content: fmt.Sprintf("Deploy build %d to /srv/data and tell me how it went.", turn)})

		call := agent.BeforeCall(context.Background())
		if call.Refused {
			fmt.Println(call.Err)
			return
		}
		if call.Compressed {
			fmt.Printf("turn %d: %d messages became %d\n", turn, call.OriginalCount, call.NewCount)
			fmt.Println(call.Messages[1].Content)
		}
		// Send call.Messages to the model here; then tell what it said it used:
		// agent.ReportUsage(ReportedUsage{Used: …, Max: …})
		agent.Append(ChatMessage{Role: "assistant", Content: fmt.Sprintf("Build %d runs: all checks are green.", turn)})
	}
	fmt.Println(len(agent.History()), "messages in the full history,", len(agent.Messages()), "in the context")
	// Output:
	// turn 19: 40 messages became 12
	// [Conversation summary - earlier context]
	// Conversation summary: the user wants the service deployed to /srv/data.
	// 51 messages in the full history, 23 in the context
}
