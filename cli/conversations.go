package cli

import (
	"fmt"
	"strings"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/model"
)

type talksCmd struct {
	Record string `placeholder:"FILE" help:"Record a file of history items first, to be opened as conversation:ID."`
	ID     string `name:"id" placeholder:"ID" help:"The ID it is recorded under. Default: the file's name."`
	JSON   bool   `name:"json" help:"Print JSON (docs/json.md)."`
}

// conversationInfo is one entry of the JSON of conversations.
type conversationInfo struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Title  string `json:"title"`
	Events int64  `json:"events"`
	sharedInfo
	Created string      `json:"created"`
	Changed string      `json:"changed"`
	Agents  []agentInfo `json:"agents"`
}

// sharedInfo is what is recorded of the history that agents share.
type sharedInfo struct {
	Messages    int    `json:"messages"`
	LastMessage string `json:"last_message"`
	LastType    string `json:"last_type"`
	LastTime    string `json:"last_time"`
}

// agentInfo is what is recorded of an agent.
type agentInfo struct {
	Agent        string  `json:"agent"`
	CalledBy     *string `json:"called_by"`
	State        string  `json:"state"`
	Interactions int     `json:"interactions"`
	LastType     string  `json:"last_type"`
	LastTime     string  `json:"last_time"`
}

func (c *talksCmd) Run(a *app) error {
	if c.Record != "" {
		if err := a.record(c.Record, c.ID); err != nil {
			return err
		}
	} else if c.ID != "" {
		return usage("--id names what --record records.")
	}
	list, err := a.listConversations()
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(values(list, newConversationInfo))
	}
	return printRows(a.out, "There are no recorded conversations.", "conversation\tchanged\tmessages\tagents\ttitle\tlast message", 4,
		values(list, conversationRow))
}

// record keeps a file as a recorded conversation.
func (a *app) record(path, id string) error {
	st, err := a.writable()
	if err != nil {
		return err
	}
	defer st.Close()
	f, err := a.open(path, &readFlags{}, st)
	if err != nil {
		return err
	}
	defer f.Close()
	if id == "" {
		id = f.Name()
	}
	return session.RecordConversation(a.ctx, st, id, f)
}

// listConversations reads the list.
func (a *app) listConversations() ([]model.ConversationInfo, error) {
	st, err := forList(a)
	if st == nil || err != nil {
		return nil, err
	}
	defer st.Close()
	return st.Conversations(a.ctx)
}

func newConversationInfo(c *model.ConversationInfo) conversationInfo {
	return conversationInfo{ID: c.ID, Name: session.ConversationName(c.ID), Title: c.Title, Events: c.Events,
		sharedInfo: newSharedInfo(&c.History), Created: stamp(c.Created), Changed: stamp(c.Changed), Agents: values(c.Agents, newAgentInfo)}
}

func newSharedInfo(h *model.HistoryStats) sharedInfo {
	return sharedInfo{h.Messages, h.LastContent, h.LastType, stamp(h.LastAt)}
}

func newAgentInfo(g *model.AgentStats) agentInfo {
	return agentInfo{g.Agent, optional(g.Caller), g.State, g.Interactions, g.LastType, stamp(g.LastAt)}
}

// stamp spells a time for JSON; "" if it is unknown.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

func conversationRow(c *model.ConversationInfo) string {
	changed := "–"
	if !c.Changed.IsZero() {
		changed = when(c.Changed)
	}
	names := values(c.Agents, func(g *model.AgentStats) string { return g.Agent })
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s", clean(session.ConversationName(c.ID), 60), changed, thousands(c.History.Messages),
		clean(strings.Join(names, ", "), 40), clean(c.Title, 50), clean(c.History.LastContent, 50))
}
