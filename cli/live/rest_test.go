package live

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// A model that fails is asked once, and then left alone: requests that fit go as they are,
// those that don't are compacted without it. After the rest it is asked again; a second
// failure doubles the rest, an answer ends it.
func TestPolicyLetsAFailingModelRest(t *testing.T) {
	var asks atomic.Int64
	var works atomic.Bool
	var clock atomic.Int64
	clock.Store(time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC).Unix())
	later := func(d time.Duration) { clock.Add(int64(d / time.Second)) }
	r := newRig(t, ModelMode, smallPolicy())
	r.now = func() time.Time { return time.Unix(clock.Load(), 0) }
	r.open = Opening(session.Options{Verb: true, AcceptFlaws: true, Model: func() (*session.SummaryModel, error) {
		ask := func(context.Context, summarize.Question, int, func(summarize.AskEvent)) (summarize.ModelAnswer, error) {
			asks.Add(1)
			if !works.Load() {
				return summarize.ModelAnswer{}, errors.New("the summary server is out")
			}
			return summarize.ModelAnswer{Text: "## Goal\nThe files are mended one after the other."}, nil
		}
		return &session.SummaryModel{Name: "gpt-5", Host: "localhost", Ask: ask}, nil
	}})
	r.start()
	d := drawConversation(3, "/v1/messages")
	call := func() (sent, asked []byte) {
		asked = d.body()
		sent = r.post(d.path, asked)
		d.turn()
		return sent, asked
	}
	fits := 0
	sent, asked := call()
	for bytes.Equal(sent, asked) { // until it does not fit
		if asks.Load() > 0 {
			fits++
		}
		if len(asked) > 200_000 {
			t.Fatal("it was never compacted")
		}
		sent, asked = call()
	}
	if asks.Load() != 1 || fits < 3 {
		t.Errorf("the model was asked %d times, %d requests after that went as they are", asks.Load(), fits)
	}
	list := r.records()
	if len(list) != 2 || list[0].Outcome != model.Applied || !strings.Contains(list[0].Reason, "asked again in 1m0s") ||
		list[1].Outcome != model.Failed || !strings.Contains(list[1].Reason, "is out") {
		t.Fatalf("records %+v", list)
	}
	later(time.Minute)
	for asks.Load() < 2 {
		call()
	}
	live, err := r.st.Live(t.Context(), time.Time{})
	if err != nil || len(live) != 1 || !strings.Contains(live[0].Doubt, "is out") {
		t.Errorf("%v: %+v", err, live)
	}
	later(time.Minute) // of two
	if call(); asks.Load() != 2 {
		t.Error("the second rest is no longer than the first")
	}
	later(time.Minute)
	works.Store(true)
	for len(r.records()) == 2 {
		call()
	}
	if list = r.records(); asks.Load() != 3 || list[0].Strategy != model.ModelText || list[0].Outcome != model.Applied {
		t.Errorf("the model was asked %d times: %+v", asks.Load(), list[0].Strategy)
	}
}
