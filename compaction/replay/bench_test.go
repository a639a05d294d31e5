package replay

import (
	"context"
	"fmt"
	"testing"

	"palimpsest/compaction"
	"palimpsest/internal/bench/cputime"
	"palimpsest/internal/bench/floor"
	"palimpsest/internal/bench/workload"
	"palimpsest/model"
)

// long is a history of n messages with the proportions of real agent runs: one
// typed message in twenty, calls with their results between, some of them long.
func long(n int) (*model.Thread, []int32) {
	th := &model.Thread{}
	sizes := make([]int32, n)
	for i := range n {
		m := model.Message{Kind: model.KindAssistant, Role: model.RoleAssistant}
		switch {
		case i == 0:
			m.Kind, m.Role = model.KindSystem, model.RoleSystem
		case i%20 == 1:
			m.Kind, m.Origin = model.KindUser, model.OriginTyped
		case i%2 == 0:
			m.Calls = []model.Call{{ID: fmt.Sprint(i), Name: "run"}}
		default:
			m.Kind, m.Answers = model.KindResult, fmt.Sprint(i-1)
		}
		th.Messages = append(th.Messages, m)
		th.History = append(th.History, int32(i))
		sizes[i] = int32(40 + i*7919%460)
	}
	return th, sizes
}

func benchPolicy(id string) model.Policy {
	p, _ := compaction.PresetByID(id)
	p.Policy.Window = 200_000
	return p.Policy
}

// BenchmarkReplay is one move of a slider that redraws the whole curve (goal P3:
// 100,000 messages in 5 ms), beside the naive way on the smaller histories.
func BenchmarkReplay(b *testing.B) {
	for _, n := range []int{2_000, 10_000, 50_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) { benchReplays(b, n) })
	}
}

func benchReplays(b *testing.B, n int) {
	th, sizes := long(n)
	h := preparedFor(th, sizes)
	tokens, kinds, sums := workload.Floor(n)
	b.Run("floor", func(b *testing.B) {
		defer cputime.Report(b)()
		for b.Loop() {
			floor.Replay(sums, kinds, 160_000, 20_000, 4_000)
		}
	})
	b.Run("floor-clearing", func(b *testing.B) {
		c := floor.Clearing{Trigger: 120_000, Limit: 200_000, Tail: 20_000, Gain: 2000, Keep: 5, Above: 200} // as Tools only
		defer cputime.Report(b)()
		for b.Loop() {
			floor.ReplayClearing(tokens, sums, kinds, c)
		}
	})
	bench := func(name string, p model.Policy, ok func(tl *Timeline) bool) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			defer cputime.Report(b)()
			for b.Loop() {
				tl, err := Run(context.Background(), h, p, Options{})
				if err != nil || !ok(tl) {
					b.Fatalf("%v %+v", err, tl.Totals)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/message")
		})
	}
	for _, preset := range compaction.Presets() {
		bench(preset.ID, benchPolicy(preset.ID), func(tl *Timeline) bool { return len(tl.Calls) > 0 })
	}
	p := benchPolicy("balanced")
	p.Window, p.Tail, p.Pins = 1<<41, model.Amount{N: 1 << 40, Unit: model.Tokens}, []model.Range{{From: 7, To: 9}}
	p.Triggers = []model.Clause{compaction.TriggerAt(100, model.Tokens)}
	bench("refused-at-every-call", p, func(tl *Timeline) bool { return tl.Totals.Refused >= len(tl.Calls)-3 })
	if n > 10_000 {
		return // minutes
	}
	b.Run("balanced/line-and-plan-a-call", func(b *testing.B) {
		for b.Loop() {
			define(context.Background(), th, sizes, benchPolicy("balanced"), nil)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/message")
	})
}

// BenchmarkPrepare is what is done once for a history, before any replay.
func BenchmarkPrepare(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		th, sizes := long(n)
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			for b.Loop() {
				preparedFor(th, sizes)
			}
		})
	}
}
