package transcript

import (
	"bytes"
	"encoding/json"
	rand "math/rand/v2"
	"strings"
	"time"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
)

const testUID = "5e0c9f6a-0000-4000-8000-00000000c0de"

// mustRewrite replaces live[from:to] of the main thread by a summary.
func mustRewrite(t tb, d *model.Document, live []int32, from, to int) *codec.Rewriting {
	t.Helper()
	r, err := Rewrite(d, &edit.Change{Drop: live[from:to], Summaries: []edit.Summary{{Text: testSummary, Before: live[from], UID: testUID,
		Time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}}})
	if err != nil {
		t.Fatalf("rewrite %d:%d: %v", from, to, err)
	}
	return r
}

// checkThreadRewrites compacts threads beside the main one: sub-agents and
// branches have contexts of their own.
func checkThreadRewrites(t tb, d *model.Document) {
	t.Helper()
	for ti, th := range d.Conversations[0].Threads[1:] {
		live := th.Live(len(th.History))
		cuts := legalCuts(th, live, 0)
		cut := cuts[len(cuts)/2]
		if len(live) < 3 || cut == len(live) {
			continue
		}
		r, err := Rewrite(d, &edit.Change{Thread: ti + 1, Drop: live[:cut], Summaries: []edit.Summary{{Text: testSummary, Before: live[0], UID: testUID, Time: time.Unix(0, 0)}}})
		if err != nil {
			t.Fatalf("thread %d: %v", ti+1, err)
		}
		back, err := readBytes(d.Path, written(t, r.Edits))
		if err != nil {
			t.Fatalf("thread %d: %v", ti+1, err)
		}
		checkDocument(t, back)
		if len(back.Conversations[0].Threads) != len(d.Conversations[0].Threads) {
			t.Fatalf("thread %d: %d threads, were %d", ti+1, len(back.Conversations[0].Threads), len(d.Conversations[0].Threads))
		}
		th2 := back.Conversations[0].Threads[ti+1]
		live2 := th2.Live(len(th2.History))
		if len(live2) != len(live)-cut+1 || th2.Messages[live2[0]].Kind != model.KindSummary || th2.Kind != th.Kind && th.Kind != model.ThreadSubagent {
			t.Fatalf("thread %d (%s) has %d live messages (%s) after %d of %d went", ti+1, th.Kind, len(live2), th2.Kind, cut, len(live))
		}
		want, have := digests(t, d, th, live[cut:]), digests(t, back, th2, live2[1:])
		for i := range want {
			if want[i] != have[i] {
				t.Fatalf("thread %d: kept message %d changed", ti+1, i)
			}
		}
		a, b := d.Conversations[0].Main(), back.Conversations[0].Main()
		if len(a.History) != len(b.History) || len(a.Messages) != len(b.Messages) {
			t.Fatalf("thread %d: the main line changed", ti+1)
		}
	}
}

// checkChain drops random ranges and demands that no reference of a kept record
// points to a removed one, and that only listed records changed.
func checkChain(t tb, d *model.Document) {
	t.Helper()
	th := d.Conversations[0].Main()
	live := th.Live(len(th.History))
	rng := rand.New(rand.NewPCG(7, uint64(d.Size)))
	for range 4 {
		from := rng.IntN(len(live))
		cuts := legalCuts(th, live, from)
		if legal := legalCuts(th, live, -1); from > 0 && !contains(legal, from) {
			continue
		}
		r := mustRewrite(t, d, live, from, cuts[rng.IntN(len(cuts))])
		before, after := uuids(sourceBytes(t, d)), uuids(written(t, r.Edits))
		for id := range before.own {
			if after.own[id] {
				continue
			}
			if f := after.refs[id]; f != "" {
				t.Fatalf("%s still points to the removed record %s", f, id)
			}
		}
		if n := after.roots - before.roots; n > 1 {
			t.Fatalf("%d records lost their parent", n)
		}
	}
}

func contains(list []int, n int) bool {
	for _, v := range list {
		if v == n {
			return true
		}
	}
	return false
}

type idSet struct {
	own   map[string]bool
	refs  map[string]string // id → field that names it
	roots int
}

// uuids collects the ids of records and the references to them.
func uuids(b []byte) idSet {
	s := idSet{own: map[string]bool{}, refs: map[string]string{}}
	for _, l := range bytes.Split(b, []byte("\n")) {
		var v map[string]any
		if json.Unmarshal(l, &v) != nil {
			continue
		}
		if id, ok := v["uuid"].(string); ok {
			s.own[id] = true
		}
		for _, f := range []string{"parentUuid", "logicalParentUuid", "sourceToolAssistantUUID", "leafUuid", "messageId"} {
			if id, ok := v[f].(string); ok {
				s.refs[id] = f
			}
		}
		if p, ok := v["parentUuid"]; ok && p == nil {
			s.roots++
		}
		if m, ok := v["compactMetadata"].(map[string]any); ok {
			if seg, ok := m["preservedSegment"].(map[string]any); ok {
				for f, id := range seg {
					if id, ok := id.(string); ok && !strings.HasPrefix(f, "anchor") {
						s.refs[id] = f
					}
				}
			}
		}
	}
	return s
}
