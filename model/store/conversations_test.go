package store

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"palimpsest/model"
)

const oneItem = `{"message": {"role": "user", "content": [{"text": "帮我查北京天气 😀 \ud800"}]}}`

func event(seq int64, agent string) model.Event {
	return model.Event{Seq: seq, Time: time.Date(2025, 1, 3, 10, 0, int(seq), 5000, time.UTC), Kind: model.EventCalled, Agent: agent,
		Task: "t", Caller: "X", Items: oneItem, Covers: 3}
}

func appendTo(t *testing.T, s *Store, id string, after int64, stats model.ConversationStats, events ...model.Event) []model.Event {
	t.Helper()
	missed, err := s.Append(t.Context(), id, after, model.Entry{Events: events, Stats: stats})
	if err != nil {
		t.Fatal(err)
	}
	return missed
}

// What was appended is what is read, in order and page by page; lists show what
// it came to.
func TestConversations(t *testing.T) {
	s := openTemp(t)
	ctx := t.Context()
	if list, err := s.Events(ctx, "nobody", 0); len(list) > 0 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	var want []model.Event
	for n := int64(1); n <= 2*eventPage+1; n++ {
		want = append(want, event(n, "A"))
	}
	a := model.AgentStats{Agent: "A", Caller: "X", State: "输入: x", Interactions: 1, LastType: "called", LastAt: want[0].Time}
	b := model.AgentStats{Agent: "B", State: "s"}
	stats := model.ConversationStats{Title: "T", History: model.HistoryStats{Messages: 1, LastContent: strings.Repeat("漢", 1000), LastType: "user", LastAt: want[0].Time},
		Agents: []model.AgentStats{b, a}}
	appendTo(t, s, "c", 0, stats, want[:3]...)
	a.State, a.Interactions = "输出: y", 2
	stats.Agents = []model.AgentStats{a}
	appendTo(t, s, "c", 3, stats, want[3:]...)
	appendTo(t, s, "other's '; --", 0, model.ConversationStats{Title: "O"}, model.Event{Seq: 1, Kind: model.EventItem, Items: "null"})

	var got []model.Event
	for {
		page, err := s.Events(ctx, "c", int64(len(got)))
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		got = append(got, page...)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d events of %d, or others", len(got), len(want))
	}
	list, err := s.Conversations(ctx)
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	stats.History.LastContent = strings.Repeat("漢", lastContentRunes)
	stats.Agents = []model.AgentStats{b, a}
	info := model.ConversationInfo{ID: "c", Events: 2*eventPage + 1, Created: want[0].Time, Changed: want[2*eventPage].Time, ConversationStats: stats}
	if !reflect.DeepEqual(list[0], info) {
		t.Errorf("%+v\nwant %+v", list[0], info)
	}
	if o := list[1]; o.ID != "other's '; --" || o.Events != 1 || !o.Changed.IsZero() || len(o.Agents) != 0 {
		t.Errorf("%+v", o)
	}
}

// Whoever has not seen what others wrote writes nothing and learns it.
func TestAppendBehindOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	one, two := openAt(t, path), openAt(t, path)
	appendTo(t, one, "c", 0, model.ConversationStats{}, event(1, "A"), event(2, "B"))
	missed := appendTo(t, two, "c", 0, model.ConversationStats{Title: "lost"}, event(1, "Z"))
	if !reflect.DeepEqual(missed, []model.Event{event(1, "A"), event(2, "B")}) {
		t.Errorf("missed %+v", missed)
	}
	if missed := appendTo(t, two, "c", 2, model.ConversationStats{}, event(3, "Z")); len(missed) > 0 {
		t.Errorf("missed %+v", missed)
	}
	if list, err := one.Conversations(t.Context()); err != nil || list[0].Title != "" || list[0].Events != 3 {
		t.Errorf("%+v, %v", list, err)
	}
	_, err := two.Append(t.Context(), "c", 9, model.Entry{Events: []model.Event{event(10, "Z")}, Stats: model.ConversationStats{}})
	expect(t, err, ErrChanged, "ends at event 3")
}

// An append is whole or not at all (F27).
func TestAppendIsWhole(t *testing.T) {
	s := openTemp(t)
	_, err := s.Append(t.Context(), "c", 0, model.Entry{Events: []model.Event{event(1, "A"), event(1, "A")}, Stats: model.ConversationStats{}})
	expect(t, err, ErrExists)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Append(ctx, "c", 0, model.Entry{Events: []model.Event{event(1, "A")}, Stats: model.ConversationStats{}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if list, err := s.Conversations(t.Context()); len(list) != 0 || err != nil {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err := s.Events(t.Context(), "c", 0); len(list) != 0 || err != nil {
		t.Errorf("%+v, %v", list, err)
	}
}
