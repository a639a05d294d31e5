package session

import (
	"context"
	"fmt"
	"time"

	"palimpsest/compaction/agents"
	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

// RecordConversation keeps a file of history items as a recorded conversation:
// its main thread as the shared history, every other thread as the context of
// its agent, each item as it is spelled. An ID that is taken is refused.
func RecordConversation(ctx context.Context, in Conversations, id string, f *File) error {
	d := f.Doc
	if d.Format != model.FormatHistoryItems {
		return &model.Problem{Code: "no-history-items", What: fmt.Sprintf("%s can't be recorded.", d.Path),
			Why: "It holds no history items.", Next: "Export it as history items first, or record another file."}
	}
	c, err := agents.OpenAgentConversation(ctx, id, agents.AgentOptions{Journal: in, Now: time.Now})
	if err != nil {
		return err
	}
	if c.Events() > 0 {
		return &model.Problem{Code: "conversation-exists", What: fmt.Sprintf("There is a recorded conversation %q already.", id), Next: "Give this one another ID."}
	}
	for i, th := range d.Conversations[0].Threads {
		items, err := itemsOf(d, th)
		if err != nil {
			return err
		}
		keep := func(it historyitem.Item) error { return c.History().AppendItem(ctx, it) }
		if i > 0 {
			keep = func(it historyitem.Item) error { return c.Agents().AppendItem(ctx, th.AgentID, it) }
		}
		for _, it := range items {
			if err := keep(it); err != nil {
				return err
			}
		}
	}
	return nil
}
