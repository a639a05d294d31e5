package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"palimpsest/compaction"
	"palimpsest/internal/bench/cputime"
	"palimpsest/internal/bench/workload"
	"palimpsest/model/transcript"
)

// talk is a chat of n messages after a system prompt, each of about 200
// characters of the workload's texts.
func talk(b *testing.B, n int) *Session {
	b.Helper()
	texts, _ := workload.Texts()
	if len(texts) == 0 {
		b.Skip("there are no texts")
	}
	var out bytes.Buffer
	out.WriteString(`{"model":"gpt-4o","messages":[{"role":"system","content":"You are careful."}`)
	for i := range n {
		role, text := "user", []rune(texts[i%len(texts)])
		if i%10 != 0 {
			role = "assistant"
		}
		content, _ := json.Marshal(string(text[:min(len(text), 200)]))
		fmt.Fprintf(&out, `,{"role":%q,"content":%s}`, role, content)
	}
	out.WriteString("]}")
	d, err := transcript.Read(b.Context(), "talk.json", bytes.NewReader(out.Bytes()), int64(out.Len()), transcript.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s, err := NewFile(d, Options{}).Session(b.Context(), Ref{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkReplayTexts is a replay with the real offline texts of all firings. A
// history of twice the length has twice the firings and should cost twice as much.
func BenchmarkReplayTexts(b *testing.B) {
	for _, n := range []int{25_000, 50_000, 100_000} {
		s := talk(b, n)
		for _, id := range []string{"balanced", "message-count", "sliding-fixed"} {
			preset, _ := compaction.PresetByID(id)
			p := s.adopt(preset.Policy)
			p.Window = 200_000
			b.Run(fmt.Sprintf("messages=%d/%s", n, id), func(b *testing.B) {
				firings := 0
				defer cputime.Report(b)()
				for b.Loop() {
					tl, err := s.Insight.Replay(b.Context(), p, true)
					if err != nil || tl.Totals.Summaries == 0 {
						b.Fatal(err)
					}
					firings = tl.Totals.Firings
				}
				b.ReportMetric(float64(firings), "firings")
			})
		}
	}
}
