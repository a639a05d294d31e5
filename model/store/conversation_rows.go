package store

import (
	"time"

	"palimpsest/model"
)

type conversationRow struct {
	Num         int64 `gorm:"primaryKey"`
	ID          string
	Title       string
	Seq         int64
	Messages    int
	LastContent string
	LastType    string
	LastAt      int64
	Created     int64
	Changed     int64
}

type agentRow struct {
	Num          int64 `gorm:"primaryKey"`
	Conversation int64
	Agent        string
	Caller       string
	State        string
	Interactions int
	LastType     string
	LastAt       int64
}

type eventRow struct {
	Conversation int64 `gorm:"primaryKey;autoIncrement:false"`
	Seq          int64 `gorm:"primaryKey;autoIncrement:false"`
	Time         int64
	Kind         model.EventKind
	Agent        string
	Task         string
	Caller       string
	Covers       int
	Items        string
}

func (conversationRow) TableName() string { return "conversations" }
func (agentRow) TableName() string        { return "conversation_agents" }
func (eventRow) TableName() string        { return "conversation_events" }

func newEventRow(conversation int64, e *model.Event) eventRow {
	return eventRow{conversation, e.Seq, micros(e.Time), e.Kind, e.Agent, e.Task, e.Caller, e.Covers, e.Items}
}

func (row *eventRow) event() model.Event {
	return model.Event{Seq: row.Seq, Time: fromMicros(row.Time), Kind: row.Kind, Agent: row.Agent, Task: row.Task,
		Caller: row.Caller, Items: row.Items, Covers: row.Covers}
}

func newAgentRow(conversation int64, a *model.AgentStats) agentRow {
	return agentRow{0, conversation, a.Agent, a.Caller, a.State, a.Interactions, a.LastType, micros(a.LastAt)}
}

func (row *agentRow) stats() model.AgentStats {
	return model.AgentStats{Agent: row.Agent, Caller: row.Caller, State: row.State, Interactions: row.Interactions,
		LastType: row.LastType, LastAt: fromMicros(row.LastAt)}
}

func (row *conversationRow) info() model.ConversationInfo {
	return model.ConversationInfo{ID: row.ID, Events: row.Seq, Created: fromMicros(row.Created), Changed: fromMicros(row.Changed),
		ConversationStats: model.ConversationStats{Title: row.Title, History: model.HistoryStats{Messages: row.Messages,
			LastContent: row.LastContent, LastType: row.LastType, LastAt: fromMicros(row.LastAt)}}}
}

// micros keeps an unknown time unknown.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicros(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}
