package compaction

import (
	"testing"

	"palimpsest/model"
)

// The kept first user message is the one the history began with, or the copy a
// compaction of the file put in its place; never one that is merely the first
// that is left.
func TestKeptFirstUserMessage(t *testing.T) {
	for _, c := range []struct {
		name, talk string
		reset      func(th *model.Thread)
		want       string
	}{
		{name: "live", talk: "SuUAUAUA", want: "KSKSSSKK"},
		{name: "nobody typed", talk: "SuAuAuA", want: "KKSSSKK"},
		{name: "compacted away", talk: "SUAUAUAUA", want: "KSSSSKK", reset: func(th *model.Thread) {
			th.Messages = append(th.Messages, model.Message{Kind: model.KindSummary})
			th.Resets = []model.Reset{{At: 4, Base: []int32{0, 9}}}
		}},
		{name: "a copy stands for it", talk: "SUAUAUAUA", want: "KKSSSSSKK", reset: func(th *model.Thread) {
			th.Messages = append(th.Messages, model.Message{Kind: model.KindUser, Origin: model.OriginTyped}, model.Message{Kind: model.KindSummary})
			th.Resets = []model.Reset{{At: 3, Base: []int32{0, 9, 10}}}
		}},
		{name: "a copy behind the history is none", talk: "SUAUAUAUA", want: "KSSSSSKK", reset: func(th *model.Thread) {
			th.Messages = append(th.Messages, model.Message{Kind: model.KindUser, Origin: model.OriginTyped})
			th.Resets = []model.Reset{{At: 4, Base: []int32{0, 2, 9}}}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			th := talkThread(c.talk)
			if c.reset != nil {
				c.reset(th)
			}
			pl := NewLine(Source{Thread: th, At: len(c.talk), Tokens: func(int32, bool) int32 { return 100 }}).Plan(model.Policy{
				Tail: model.Amount{N: 2, Unit: model.Messages}, KeepFirstUser: true,
			}, Options{Manual: true})
			if got := spelling(pl); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
