package store

import (
	"context"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"palimpsest/model"
)

// eventPage is how many events are read or written at once.
const eventPage = 200

// conversations are those of agents: each a list of events that only grows.
type conversations struct{ *db }

// Events returns the first events of a conversation that come after a number, in
// order; none when there are no more, or no such conversation.
func (c conversations) Events(ctx context.Context, conversation string, after int64) ([]model.Event, error) {
	return result(ctx, c.view, "read the conversation "+conversation, func(tx *gorm.DB) ([]model.Event, error) {
		row, err := findConversation(tx, conversation)
		if row.Num == 0 || err != nil {
			return nil, err
		}
		return eventsAfter(tx, row.Num, after)
	})
}

// Append adds an entry after the event with the number after: its events, the statistics of
// the conversation and its agents, and its records with their originals, in one
// transaction. The conversation is made with its first event. If it has more
// events by now, nothing is written and the first of those come back; if it has
// fewer, the error is [ErrChanged]. Records get their IDs. Under load entries
// share a commit; each is still written wholly or not at all.
func (c conversations) Append(ctx context.Context, conversation string, after int64, e model.Entry) (missed []model.Event, err error) {
	made := make([]model.Record, len(e.Records))
	err = group(ctx, c.db, "write to the conversation "+conversation, func(tx *gorm.DB) error {
		row, err := findConversation(tx, conversation)
		switch {
		case err != nil:
			return err
		case row.Seq > after:
			missed, err = eventsAfter(tx, row.Num, after)
			return err
		case row.Seq < after:
			return failure(ErrChanged, "it ends at event %d and had %d", row.Seq, after)
		}
		for i, r := range e.Records {
			made[i] = stamped(r.Record)
			if err := insert(tx, c.index, &made[i], r.Originals); err != nil {
				return err
			}
		}
		return appendEvents(tx, row, e.Events, &e.Stats)
	})
	if err != nil {
		return nil, err
	}
	if len(missed) == 0 {
		for i := range made {
			*e.Records[i].Record = made[i]
		}
	}
	return missed, nil
}

// findConversation returns a row without a number when there is none.
func findConversation(tx *gorm.DB, id string) (*conversationRow, error) {
	row := conversationRow{ID: id}
	_, err := first(tx.Select("num", "id", "seq", "created").Where("id = ?", id), &row)
	return &row, err
}

func eventsAfter(tx *gorm.DB, conversation, after int64) ([]model.Event, error) {
	var rows []eventRow
	err := tx.Where("conversation = ? AND seq > ?", conversation, after).Order("seq").Limit(eventPage).Find(&rows).Error
	if err != nil {
		return nil, err
	}
	list := make([]model.Event, len(rows))
	for i := range rows {
		list[i] = rows[i].event()
	}
	return list, nil
}

func appendEvents(tx *gorm.DB, row *conversationRow, events []model.Event, stats *model.ConversationStats) error {
	if len(events) == 0 {
		return nil
	}
	last := &events[len(events)-1]
	h := &stats.History
	row.Title, row.Seq, row.Changed = stats.Title, last.Seq, micros(last.Time)
	row.Messages, row.LastContent, row.LastType, row.LastAt = h.Messages, h.LastContent, h.LastType, micros(h.LastAt)
	if row.Num == 0 {
		row.Created = micros(events[0].Time)
	}
	// The row is complete: what was not read is in the statistics.
	if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(row).Error; err != nil {
		return err
	}
	rows := make([]eventRow, len(events))
	for i := range events {
		rows[i] = newEventRow(row.Num, &events[i])
	}
	if err := tx.CreateInBatches(&rows, eventPage).Error; err != nil {
		return err
	}
	if len(stats.Agents) == 0 {
		return nil
	}
	agents := make([]agentRow, len(stats.Agents))
	for i := range stats.Agents {
		agents[i] = newAgentRow(row.Num, &stats.Agents[i])
	}
	known := clause.OnConflict{Columns: []clause.Column{{Name: "conversation"}, {Name: "agent"}},
		DoUpdates: clause.AssignmentColumns([]string{"caller", "state", "interactions", "last_type", "last_at"})}
	return tx.Clauses(known).CreateInBatches(&agents, eventPage).Error
}

// lastContentRunes is how much of the last message a list has.
const lastContentRunes = 400

const listColumns = "num, id, title, seq, messages, substr(last_content, 1, ?) AS last_content, last_type, last_at, created, changed"

// Conversations lists the conversations with their agents, the one that changed
// last first. Of the last message they have the beginning only.
func (c conversations) Conversations(ctx context.Context) ([]model.ConversationInfo, error) {
	return result(ctx, c.view, "list the conversations", func(tx *gorm.DB) ([]model.ConversationInfo, error) {
		var rows []conversationRow
		if err := tx.Select(listColumns, lastContentRunes).Order("changed DESC, num DESC").Find(&rows).Error; err != nil {
			return nil, err
		}
		var agents []agentRow
		if err := tx.Order("num").Find(&agents).Error; err != nil {
			return nil, err
		}
		of := map[int64][]model.AgentStats{}
		for i := range agents {
			of[agents[i].Conversation] = append(of[agents[i].Conversation], agents[i].stats())
		}
		list := make([]model.ConversationInfo, len(rows))
		for i := range rows {
			list[i] = rows[i].info()
			list[i].Agents = of[rows[i].Num]
		}
		return list, nil
	})
}
