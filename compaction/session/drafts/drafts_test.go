package drafts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/drafts"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// A line is traced to the message that has its words, and never to one that stays.
func TestALineComesFromWhatItReplaces(t *testing.T) {
	ctx := context.Background()
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	question := "why do we have agentv.trajectory.v1, what is the difference with agentv.trace.v1"
	list := []message{{"user", "look at agentv.trace.v1 first"}, {"assistant", "agentv.trace.v1 and agentv.trajectory.v1 are formats"}, {"user", question}}
	for i := range 20 {
		list = append(list, message{"assistant", fmt.Sprintf("step %d is done: %s", i, strings.Repeat("it works well. ", 40))}, message{"user", "go on"})
	}
	list = append(list, message{"assistant", "agentv.trajectory.v1 was derived from agentv.trace.v1 in src/late.go"})
	data, err := json.Marshal(map[string]any{"messages": list})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := transcript.Read(ctx, "chat.json", bytes.NewReader(data), int64(len(data)), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.NewFile(doc, session.Options{}).Session(ctx, session.Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Insight.Facts(ctx, nil); err != nil {
		t.Fatal(err)
	}
	p := s.Policy()
	p.Strategy, p.Tail = model.Extract, model.Amount{N: 4, Unit: model.Messages}
	dr, err := s.Draft(ctx, p, compaction.Options{Manual: true}, nil)
	if err != nil || dr.Plan.Outcome != compaction.WouldApply {
		t.Fatal(dr.Plan.Outcome, err)
	}
	want := map[string][]int{
		"User: " + question:              {2},
		"User: " + question[:40]:         {2}, // cut
		"User: go on":                    nil, // said 20 times
		"of agentv.trajectory.v1":        {1},
		"agentv.trace.v1 in src/late.go": {1}, // what says more of it stays
	}
	for line, at := range want {
		r := drafts.Read(s, s.Edit(dr, "## Notes\n\n- "+line))
		found := false
		for b := range r.Blocks {
			for l := range r.Blocks[b].Lines {
				if x := r.Of[b].Lines[l]; !r.Blocks[b].Lines[l].Fixed {
					found = true
					if fmt.Sprint(x.Sources) != fmt.Sprint(at) {
						t.Errorf("%q comes from %v, want %v", line, x.Sources, at)
					}
				}
			}
		}
		if !found {
			t.Errorf("%q is no line", line)
		}
	}
}
