package summarize

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"palimpsest/model"
)

// thousand is a range of 1,000 messages: 50 turns, with tool results of 4 kB.
func thousand() []Entry {
	h := &history{}
	out := strings.Repeat("internal/parser/parser.go:118: expected ']' here\n", 80)
	for i := 0; len(h.entries) < 1000; i++ {
		h.typed(fmt.Sprintf("Please look at internal/pkg%02d and say why the test is slow.", i))
		for k := range 9 {
			h.does("Bash", fmt.Sprintf(`{"command":"go test -run Test%d ./internal/pkg%02d"}`, k, i), out)
		}
		h.says("It sleeps 200 ms a case; I replaced the sleep by a channel.")
	}
	return h.entries[:1000]
}

func BenchmarkMake(b *testing.B) {
	entries := thousand()
	for _, s := range strategies {
		for _, budget := range []model.Amount{{N: 1500, Unit: model.Chars}, {N: 4000, Unit: model.Tokens}, {}} {
			b.Run(fmt.Sprintf("%s/%d%s", s, budget.N, budget.Unit), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Make(context.Background(), Request{Entries: entries, Strategy: s, Budget: budget, Count: roughTokens}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkHugeParts shows that the work on a part is bounded.
func BenchmarkHugeParts(b *testing.B) {
	huge := strings.Repeat("x\x1b[31my\n", 10<<20/8)
	h := &history{}
	h.typed(huge)
	h.does("Write", `{"content":"`+strings.Repeat("z", 10<<20)+`","path":"a.go"}`, huge)
	h.says(huge)
	h.step(1, huge, huge, huge)
	for b.Loop() {
		if _, err := Make(context.Background(), Request{Entries: h.entries, Strategy: model.Extract, Budget: model.Amount{N: 4000, Unit: model.Chars}}); err != nil {
			b.Fatal(err)
		}
	}
}
