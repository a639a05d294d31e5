package session

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"palimpsest/compaction"
	"palimpsest/internal/bench/cputime"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// longSession is n messages of a history in which every step names files,
// numbers and commands.
func longSession(b *testing.B, n int) *Session {
	b.Helper()
	var w bytes.Buffer
	w.WriteString(`{"model":"gpt-4o","messages":[{"role":"system","content":"You are careful."}`)
	for i := range n / 4 {
		fmt.Fprintf(&w, `,{"role":"user","content":"Please look at src/p%d/f%d.go, it took %d ms."}`, i%97, i%1009, i)
		fmt.Fprintf(&w, `,{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"bash","arguments":"{\"command\":\"go test ./p%d -run TestCase%d\"}"}}]}`, i, i%97, i%1009)
		fmt.Fprintf(&w, `,{"role":"tool","tool_call_id":"c%d","content":"ok p%d 0.%03d s\nparseValue%d and lex_state%d were called"}`, i, i%97, i%1000, i%313, i%211)
		fmt.Fprintf(&w, `,{"role":"assistant","content":"parseValue%d is done; next is src/p%d/f%d.go."}`, i%313, (i+1)%97, (i+1)%1009)
	}
	w.WriteString("]}")
	d, err := transcript.Read(context.Background(), "long.json", bytes.NewReader(w.Bytes()), int64(w.Len()), transcript.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s, err := NewFile(d, Options{}).Session(context.Background(), Ref{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// What a move of a slider costs: plan, survival and replay.
func BenchmarkMove(b *testing.B) {
	for _, n := range []int{10000, 100000} {
		s := longSession(b, n)
		ctx := context.Background()
		x, err := s.Insight.Facts(ctx, nil)
		if err != nil {
			b.Fatal(err)
		}
		p := s.Policy()
		p.Window = 200000
		s.History()
		b.Logf("%d messages, %d facts, %d occurrences", x.Messages(), x.Len(), x.Total())
		b.Run(fmt.Sprintf("plan+survive/%d", n), func(b *testing.B) {
			defer cputime.Report(b)()
			for i := 0; b.Loop(); i++ {
				p.Tail = model.Amount{N: 20000 + i%100, Unit: model.Tokens}
				s.Insight.Survive(s.Plan(p, compaction.Options{Manual: true}), "")
			}
		})
		for name, needed := range map[string]bool{"half: plan+survive": false, "half: plan+survive+needed after": true} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				s.SetAt(n / 2)
				defer s.SetAt(len(s.Thread().History))
				defer cputime.Report(b)()
				for i := 0; b.Loop(); i++ {
					p.Tail = model.Amount{N: 20000 + i%100, Unit: model.Tokens}
					pl := s.Plan(p, compaction.Options{Manual: true})
					s.Insight.Survive(pl, "")
					if needed {
						s.Insight.NeededAfter(pl, "")
					}
				}
			})
		}
		b.Run(fmt.Sprintf("plan/%d", n), func(b *testing.B) {
			defer cputime.Report(b)()
			for i := 0; b.Loop(); i++ {
				p.Tail = model.Amount{N: 20000 + i%100, Unit: model.Tokens}
				s.Plan(p, compaction.Options{Manual: true})
			}
		})
		b.Run(fmt.Sprintf("lost/%d", n), func(b *testing.B) {
			v := s.Insight.Survive(s.Plan(p, compaction.Options{Manual: true}), "")
			defer cputime.Report(b)()
			for b.Loop() {
				v.Lost(0)
			}
		})
		b.Run(fmt.Sprintf("replay/%d", n), func(b *testing.B) {
			defer cputime.Report(b)()
			for b.Loop() {
				if _, err := s.Insight.Replay(ctx, p, false); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("needed/%d", n), func(b *testing.B) {
			defer cputime.Report(b)()
			for b.Loop() {
				if _, err := s.Insight.LiveNeeds(ctx, p, true); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
