package session

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// codexMeta is what the first record of a rollout says of its agent.
type codexMeta struct {
	Payload struct {
		ID             string
		ParentThreadID string          `json:"parent_thread_id"`
		Nickname       string          `json:"agent_nickname"`
		Role           string          `json:"agent_role"`
		Source         json.RawMessage // a string, or {subagent:{thread_spawn:{…}}}
	}
}

func (m *codexMeta) parent() string {
	var s struct {
		Subagent struct {
			Spawn struct {
				Parent string `json:"parent_thread_id"`
			} `json:"thread_spawn"`
		}
	}
	_ = json.Unmarshal(m.Payload.Source, &s) // the older form is a string
	return cmp.Or(s.Subagent.Spawn.Parent, m.Payload.ParentThreadID)
}

func (f *File) codexAgents(ctx context.Context) ([]Related, error) {
	c := f.Doc.Conversations[0]
	own, caller := c.ID, ""
	if len(c.Agents) > 0 {
		caller = c.Agents[0].Parent
	}
	if own == "" {
		return nil, nil
	}
	var list []Related
	left := maxRelatedFiles
	for _, dir := range f.codexFolders(caller != "") {
		for _, p := range names(dir) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if left--; left < 0 {
				return list, nil
			}
			var m codexMeta
			if p == f.Doc.Path || !firstRecord(p, &m) || m.Payload.ID == "" {
				continue
			}
			switch {
			case m.parent() == own:
				list = append(list, Related{Path: p, ID: m.Payload.ID, Name: cmp.Or(m.Payload.Nickname, m.Payload.Role)})
			case m.Payload.ID == caller:
				list = append(list, Related{Path: p, ID: caller, Parent: true})
			}
		}
	}
	return list, nil
}

// maxCodexDays bounds how many days before or behind a rollout's own are looked
// at.
const maxCodexDays = 7

// codexFolders are the folders in which the rollouts of a rollout's agents, or
// of its caller, may be: its own first. Codex keeps them by the day on which they
// began, sessions/2026/01/31: an agent began while its caller was at work, so
// between the caller's own day and that of its last message.
func (f *File) codexFolders(called bool) []string {
	dir := filepath.Dir(f.Doc.Path)
	folders := []string{dir}
	root := filepath.Dir(filepath.Dir(filepath.Dir(dir)))
	day, err := time.Parse("2006/01/02", filepath.ToSlash(strings.TrimPrefix(dir, root+string(filepath.Separator))))
	if err != nil {
		return folders
	}
	last := day
	for _, t := range f.Doc.Conversations[0].Threads {
		for i := range t.Messages {
			if at := time.UnixMilli(t.Messages[i].Time); t.Messages[i].Time > 0 && at.After(last) {
				last = at
			}
		}
	}
	from, to := 0, min(int(last.Sub(day)/(24*time.Hour))+1, maxCodexDays) // one more: days are local, times are not
	if called {
		from = -maxCodexDays
	}
	for k := from; k <= to; k++ {
		if at := day.AddDate(0, 0, k); k != 0 {
			folders = append(folders, filepath.Join(root, fmt.Sprintf("%04d", at.Year()), at.Format("01"), at.Format("02")))
		}
	}
	return folders
}
