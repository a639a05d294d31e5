package facts_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"palimpsest/compaction/facts"
	"palimpsest/model"
)

// corpus is the text of a sample history.
func corpus(b testing.TB, name string) (msgs []facts.Message, size int) {
	h := open(b, name)
	for i := range h.len() {
		m, err := h.message(i)
		if err != nil {
			b.Fatal(err)
		}
		for _, p := range m.Parts {
			size += len(p.Text)
		}
		msgs = append(msgs, m)
	}
	return msgs, size
}

var sink int

// Lifting compared with looking at every character of the same texts once.
func BenchmarkLift(b *testing.B) {
	msgs, size := corpus(b, "samples/long-coding-run.jsonl")
	b.Run("scan", func(b *testing.B) {
		b.SetBytes(int64(size))
		for b.Loop() {
			for i := range msgs {
				for _, p := range msgs[i].Parts {
					for _, r := range p.Text {
						if r == utf8.RuneError {
							sink++
						}
					}
				}
			}
		}
	})
	b.Run("lift", func(b *testing.B) {
		b.SetBytes(int64(size))
		for b.Loop() {
			for i := range msgs {
				facts.Lift(&msgs[i], func(facts.Lifted) { sink++ })
			}
		}
	})
}

// Lines of 10 MB of what could go wrong.
func BenchmarkHostile(b *testing.B) {
	for _, unit := range []string{",123", "1,", "`a ", "“a", "a > b ", "error ", "(/", "<a>", "x_", "'a ", "a.b/", "\\", "$ "} {
		b.Run(fmt.Sprintf("%q", unit), func(b *testing.B) {
			m := facts.Message{Author: facts.User, Parts: []model.Part{{Kind: model.PartText, Text: strings.Repeat(unit, 10<<20/len(unit))}}}
			b.SetBytes(10 << 20)
			for b.Loop() {
				facts.Lift(&m, func(facts.Lifted) { sink++ })
			}
		})
	}
}

// The whole index: lifting, phrases, lists.
func BenchmarkBuild(b *testing.B) {
	msgs, size := corpus(b, "samples/long-coding-run.jsonl")
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		sink += built(b, msgs).Len()
	}
}

// grown repeats a history with most of its names changed until it has n
// messages.
func grown(b testing.TB, n int) ([]facts.Message, *facts.Index) {
	msgs, _ := corpus(b, "samples/long-coding-run.jsonl")
	var all []facts.Message
	for round := 0; len(all) < n; round++ {
		x := string(rune('a' + round%26))
		other := strings.NewReplacer("can", "can"+x, "est", "est"+x, "lex", "lex"+x, "or", "or"+x, "in", "in"+x, "re", "re"+x)
		for _, m := range msgs[:min(len(msgs), n-len(all))] {
			parts := append([]model.Part{}, m.Parts...)
			for i := range parts {
				parts[i].Text = other.Replace(parts[i].Text)
			}
			all = append(all, facts.Message{Author: m.Author, Parts: parts})
		}
	}
	return all, built(b, all)
}

// built is the index of messages.
func built(b testing.TB, all []facts.Message) *facts.Index {
	x, err := facts.Build(b.Context(), len(all), func(i int) (facts.Message, error) { return all[i], nil })
	if err != nil {
		b.Fatal(err)
	}
	return x
}

// What survives a cut that takes nine tenths of 10,000 messages, with a summary
// of 16 kB, compared with lifting it all again.
func BenchmarkSurvive(b *testing.B) {
	all, x := grown(b, 10000)
	b.Logf("%d facts, %d occurrences", x.Len(), x.Total())
	var summary strings.Builder
	for i := 0; summary.Len() < 16<<10; i++ {
		summary.WriteString(x.Fact(facts.ID(i*7%x.Len())).Text + "\n")
	}
	c := facts.Change{At: len(all), Removed: []model.Range{{From: 1, To: 9000}}, Kept: []model.Range{{From: 0, To: 1}, {From: 9000, To: 10000}}, Remaining: []string{summary.String()}}
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			s := x.Survive(c)
			sink += s.All().Survived
		}
	})
	b.Run("index with 200 lost", func(b *testing.B) {
		for b.Loop() {
			sink += len(x.Survive(c).Lost(200))
		}
	})
	b.Run("summary alone", func(b *testing.B) {
		for b.Loop() {
			sink += len(x.FactsIn(c.Remaining[0]))
		}
	})
	b.Run("rescan", func(b *testing.B) {
		for b.Loop() {
			gone, kept := map[facts.Fact]bool{}, map[facts.Fact]bool{}
			for i := range all {
				into := gone
				if i == 0 || i >= 9000 {
					into = kept
				}
				facts.Lift(&all[i], func(l facts.Lifted) { into[l.Fact] = true })
			}
			for f := range gone {
				if kept[f] {
					sink++
				}
			}
		}
	})
}

// Needs of a session of 10,000 messages that fires every 100.
func BenchmarkNeededLater(b *testing.B) {
	_, x := grown(b, 10000)
	var firings []facts.Change
	for at := 200; at < 10000; at += 100 {
		firings = append(firings, facts.Change{At: at, Removed: []model.Range{{From: at - 200, To: at - 100}}, Kept: []model.Range{{From: at - 100, To: at}}})
	}
	for b.Loop() {
		sink += x.NeededLater(firings).Needs
	}
}

// A ledger of 4,000 tokens over 1,000 messages, and the scores alone.
func BenchmarkLedger(b *testing.B) {
	all, x := grown(b, 1000)
	r := facts.LedgerRequest{At: len(all), Removed: []model.Range{{From: 1, To: 950}}, Kept: []model.Range{{From: 0, To: 1}, {From: 950, To: 1000}}}
	b.Logf("%d facts, %d occurrences", x.Len(), x.Total())
	for _, budget := range []int{1000, 4000} {
		b.Run(fmt.Sprint(budget), func(b *testing.B) {
			r.Budget = budget
			for b.Loop() {
				sink += len(x.Lister(count).Ledger(r))
			}
		})
	}
	b.Run("chances", func(b *testing.B) {
		for b.Loop() {
			for id := range x.Removed(facts.Change{At: r.At, Removed: r.Removed, Kept: r.Kept}) {
				if x.Evidence(id, r.At).Chance() > 0.5 {
					sink++
				}
			}
		}
	})
}
