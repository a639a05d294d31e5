package online_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/compaction/summarize/remote/trial"
	"palimpsest/model"
)

// Under a permanently failing server a replayed history of n calls makes
// O(log n) attempts, whatever the back-off begins with (test I7).
func TestAFailingServerThroughReplay(t *testing.T) {
	if testing.Short() {
		t.Skip("one compaction after the other")
	}
	for _, backOff := range []int{1, 5, 40} {
		attempts := map[int]int{}
		for _, calls := range []int{250, 1000, 4000} {
			b := newBench(t, calls/2) // two calls an exchange
			c, err := remote.New(remote.Endpoint{BaseURL: b.server.URL(), Model: "status-500", Tries: 1, Minute: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			s := b.open()
			p := s.Policy()
			p.Strategy, p.BackOff, p.Window = model.ModelText, backOff, 4000
			p.Triggers = []model.Clause{{Share: .5}}
			p.Tail = model.Amount{N: 4, Unit: model.Messages}
			tried := 0
			tl, err := replay.Run(context.Background(), s.History(), p, replay.Options{
				Summarise: func(ctx context.Context, pl *compaction.Plan, _ func(string) string) (compaction.Text, error) {
					tried++
					said, err := online500(ctx, c, pl)
					return compaction.Text{Text: said.Text}, err
				}})
			if err != nil {
				t.Fatal(err)
			}
			c.Close()
			if tl.Totals.Firings != 0 || len(tl.Calls) < calls-2 || tried == 0 {
				t.Fatalf("%d calls: %d firings, %d attempts in %d calls", calls, len(tl.Firings), tried, len(tl.Calls))
			}
			if n := len(b.server.Requests()); n > tried {
				t.Errorf("%d requests in %d attempts", n, tried)
			}
			attempts[calls] = tried
			if most := 2 + int(math.Ceil(math.Log2(float64(4*calls)))); tried > most {
				t.Errorf("back-off %d: %d attempts in %d calls, at most %d", backOff, tried, calls, most)
			}
		}
		if attempts[4000]-attempts[1000] > 3 || attempts[1000]-attempts[250] > 3 {
			t.Errorf("back-off %d: attempts grow faster than a logarithm: %v", backOff, attempts)
		}
		t.Logf("back-off %d: attempts by calls %v", backOff, attempts)
	}
}

// online500 asks about a plan in a sentence: what is asked does not matter to a
// server that answers nobody.
func online500(ctx context.Context, c *remote.Client, pl *compaction.Plan) (*remote.Answer, error) {
	a, err := c.Complete(ctx, remote.Prompt{User: fmt.Sprintf("Summarise %d messages.", pl.Removed.Messages), MaxTokens: 100}, nil)
	if err != nil {
		return &remote.Answer{}, err
	}
	return a, nil
}

// Each way to misbehave changes nothing, is reported in one plain sentence, and the
// same question put again is answered.
func TestEveryMisbehaviourCanBeTriedAgain(t *testing.T) {
	b := newBench(t, 10)
	s := b.open()
	for _, behaviour := range trial.Behaviours() {
		switch behaviour {
		case "good", "plain", "slow", "reason":
			continue
		}
		t.Run(behaviour, func(t *testing.T) {
			b.model = behaviour + "@1"
			p := policy(s)
			e, err := s.Enquire(context.Background(), p, manual, session.Asking{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			d, err := s.Ask(context.Background(), e, nil)
			switch {
			case err == nil && len(d.Flaws) == 0:
				t.Fatalf("taken for a good answer: %q", d.Text.Text)
			case err == nil: // a draft to be read
				if _, err := s.Records.Apply(context.Background(), d); err == nil {
					t.Fatal("applied without a second word")
				}
			default:
				rec, noteErr := s.Records.Note(context.Background(), nil, p, model.Failed, err.Error())
				if noteErr != nil || rec.Outcome != model.Failed || rec.Asked == nil || rec.Model != b.model {
					t.Errorf("%+v, %v", rec, noteErr)
				}
				said := strings.TrimPrefix(err.Error(), "summarise: ")
				if n := utf8.RuneCountInString(said); n == 0 || n > 300 || strings.ContainsAny(said, "\n\t") || strings.Contains(said, "0x") || strings.Contains(said, "goroutine") {
					t.Errorf("no sentence for a person: %q", said)
				}
			}
			d, err = s.Ask(context.Background(), e, nil)
			if err != nil || len(d.Flaws) > 0 || d.Text.Text != good {
				t.Fatalf("tried again: %+v, %v", d, err)
			}
			var out bytes.Buffer
			if _, err := s.Overlay().Export(&out); err != nil || !bytes.Equal(out.Bytes(), b.input) || len(s.Stack()) != 0 {
				t.Errorf("the history changed: %v", err)
			}
		})
	}
}

// A template of one's own is sent, kept with the record, and distinguished.
func TestOwnWording(t *testing.T) {
	b := newBench(t, 10)
	own := summarize.Template{Name: "own", English: "Begin with 'Conversation summary:' and list files{limit}."}
	make := b.opt.Model
	b.opt.Model = func() (*session.SummaryModel, error) {
		m, err := make()
		if err == nil {
			m.Template = &own
		}
		return m, err
	}
	s := b.open()
	d := ask(t, s, policy(s), session.Asking{})
	if q := b.server.Requests()[0].User; !strings.HasPrefix(q, "Begin with 'Conversation summary:' and list files (at most 400 tokens).") {
		t.Errorf("asked: %.200s", q)
	}
	rec, err := s.Records.Apply(context.Background(), d)
	if err != nil || rec.Asked.Template != own.Version() || rec.Asked.Wording != own.English+"\n" || rec.Prompt != own.Version() {
		t.Errorf("%+v, %v", rec.Asked, err)
	}
}
