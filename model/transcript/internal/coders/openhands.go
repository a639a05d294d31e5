package coders

import (
	"context"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// OpenHands reads the events of OpenHands in both generations, V0 (action or
// observation, a numeric id, cause) and the SDK's (kind, a UUID), and in every
// wrapping: one event a line, an array, and the rows of an evaluation output
// with a history each.
//
// The actions of one model response are one assistant message. A condensation
// event hides others by their ids and puts a summary among those that are left.
type OpenHands struct{}

func (OpenHands) Info() codec.Info {
	return codec.Info{Format: model.FormatOpenHands, Title: "OpenHands events",
		How: "events with source and an action or observation, or of a kind that ends in Event; " +
			"also rows of an evaluation output, and the folder of a conversation"}
}

// isOHEvent recognises an event of either generation.
func isOHEvent(v jspan.Value) bool {
	m := codec.MembersOf(v, "kind", "source", "id", "timestamp", "action", "observation")
	if kind := m[0]; m[1].Kind != jspan.String || !m[2].Exists() && !m[3].Exists() {
		return false
	} else if kind.Kind == jspan.String {
		return ohKinds[kind.TextN(60)] || strings.HasSuffix(kind.TextN(60), "Event")
	}
	return m[4].Kind == jspan.String || m[5].Kind == jspan.String
}

// ohKinds are the kinds of SDK events whose name does not say that they are.
var ohKinds = map[string]bool{"Condensation": true, "CondensationRequest": true, "UserRejectObservation": true}

// ohHistory is the list of events that a row or export holds.
func ohHistory(v jspan.Value) jspan.Value {
	if v.Kind != jspan.Object {
		return jspan.Value{}
	}
	for _, list := range codec.MembersOf(v, "history", "trajectory", "events") {
		if isOHList(list) {
			return list
		}
	}
	return jspan.Value{}
}

// isOHList recognises a list of events, or of pairs of an action and its
// observation, as they were written in 2024.
func isOHList(v jspan.Value) bool {
	return codec.Mostly(v, 10, func(e jspan.Value) bool { return isOHEvent(e) || isOHPair(e) })
}

func isOHPair(v jspan.Value) bool {
	if v.Kind != jspan.Array || v.Count() != 2 {
		return false
	}
	a, o := v.Index(0), v.Index(1)
	return a.Get("action").Kind == jspan.String && a.Has("args") && o.Get("observation").Kind == jspan.String
}

// holdsOHEvents reports whether a value is a conversation: a list of events, or a row that has one.
func holdsOHEvents(v jspan.Value) bool { return isOHList(v) || ohHistory(v).Exists() }

func (OpenHands) Recognise(s *codec.Sniff) (int, string) {
	if score, why := s.ScoreLayout(89, holdsOHEvents, "a history of OpenHands events"); score > 0 {
		return score, why
	}
	return s.ScoreLayout(88, isOHEvent, "a source, and an action, observation or kind of OpenHands")
}

func (OpenHands) Read(ctx context.Context, b *codec.Builder) error {
	var bare *openHandsReader // of events that no list holds
	is := func(v jspan.Value) bool { return isOHEvent(v) || holdsOHEvents(v) }
	err := b.ReadConversations(ctx, is, func(v jspan.Value) {
		if !isOHEvent(v) {
			readOHRow(b, v)
			return
		}
		if bare == nil {
			bare = newOHReader(b)
		}
		bare.event(v, b.Record(v))
	})
	if bare != nil {
		bare.finish()
	}
	return err
}

// readOHRow reads a list of events, or the one of a row of an evaluation output.
func readOHRow(b *codec.Builder, v jspan.Value) {
	r := newOHReader(b)
	if v.Kind == jspan.Array {
		r.list(v)
		r.finish()
		return
	}
	r.Conv.ID = v.Get("instance_id").TextN(200)
	if m := v.Get("metadata", "llm_config", "model"); m.Kind == jspan.String {
		r.Conv.Model = m.TextN(200)
	}
	r.list(ohHistory(v))
	r.finish()
	if r.Conv.ID != "" {
		r.Conv.Title = r.Conv.ID
	}
}

// openHandsReader builds one conversation from its events.
type openHandsReader struct {
	*codec.Chat
	responses map[string]int32  // id of a model response → its assistant message
	messages  map[string]int32  // id of an event → the message it belongs to
	callOf    map[string]string // id of an action → id of the call it makes
	view      []string          // ids of the events that a view holds, in order
	totals    ohTotals
	usage     *model.Usage // reported before the answer it belongs to
	unknown   codec.Tally
	sdk       bool
}

func newOHReader(b *codec.Builder) *openHandsReader {
	return &openHandsReader{Chat: b.NewChat(), responses: map[string]int32{}, messages: map[string]int32{},
		callOf: map[string]string{}}
}

func (r *openHandsReader) finish() {
	r.matched()
	r.unknown.Report(r.B)
	r.Chat.Finish()
}

// list reads an array of events or of pairs.
func (r *openHandsReader) list(v jspan.Value) {
	outer := r.B.Array(v, model.Piece{})
	for i, e := range v.Items {
		p := r.B.Elem(outer, i)
		if e.Kind != jspan.Array {
			r.event(e, p)
			continue
		}
		inner := r.B.Array(e, p)
		for k, e := range e.Items {
			r.event(e, r.B.Elem(inner, k))
		}
	}
}

func (r *openHandsReader) event(v jspan.Value, p model.Piece) {
	r.B.Doc.Items++
	id := edit.IDText(v.Get("id"))
	m := model.Message{ID: id, Time: codec.Millis(v.Get("timestamp")), Pieces: []model.Piece{p}}
	if v.Get("kind").Kind == jspan.String {
		r.sdk = true
		r.sdkEvent(v, m)
	} else if action := v.Get("action"); action.Kind == jspan.String {
		r.action(v, action.TextN(60), m)
	} else if o := v.Get("observation"); o.Kind == jspan.String {
		r.observation(v, o.TextN(60), m)
	} else {
		r.B.NoteAt(v, "unknown-record", "not an event; it is kept in place")
	}
}

// addEvent adds a message of one event.
func (r *openHandsReader) addEvent(m model.Message, v jspan.Value) int32 {
	id := m.ID
	i := r.Add(m, v)
	r.register(id, i)
	return i
}

func (r *openHandsReader) register(id string, msg int32) {
	if id != "" {
		r.messages[id] = msg
		r.view = append(r.view, id)
	}
}

// answer adds an action to the assistant message of its response.
func (r *openHandsReader) answer(m model.Message, response string, v jspan.Value) {
	at, ok := r.responses[response]
	if !ok || response == "" {
		if m.Usage == nil {
			m.Usage = r.usage
		}
		r.usage = nil
		at = r.addEvent(m, v)
		if response != "" {
			r.responses[response] = at
		}
		return
	}
	a := &r.Th.Messages[at]
	for _, c := range m.Calls {
		a.Calls = append(a.Calls, c)
		r.NoteCall(c, at)
	}
	a.Pieces = append(a.Pieces, m.Pieces...)
	r.register(m.ID, at)
}
