package openai

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// Codex reads the rollouts of Codex CLI: JSON Lines of {timestamp, type,
// payload}, and the flat form of 2025 with bare items.
//
// The response items are the model's history. Events beside them repeat
// things to a screen; they become duplicates of the message they repeat, so that
// they go where it goes. A compacted record replaces the history by a list of
// items of its own.
type Codex struct{ codec.InPlace }

func (Codex) Info() codec.Info {
	return codec.Info{Format: model.FormatCodex, Title: "Codex rollout",
		How: "records with type and payload (session_meta, response_item, event_msg …); or bare response items behind a session line"}
}

var codexTypes = map[string]bool{"session_meta": true, "response_item": true, "event_msg": true, "turn_context": true,
	"compacted": true, "world_state": true, "inter_agent_communication": true, "inter_agent_communication_metadata": true}

func (Codex) Recognise(s *codec.Sniff) (int, string) {
	if s.Any(func(v jspan.Value) bool {
		return v.Get("payload").Kind == jspan.Object && codexTypes[v.Get("type").TextN(40)]
	}) {
		return 95, "Records have a payload and a type as Codex's rollouts have."
	}
	if !s.JSONLines {
		return 0, ""
	}
	items := s.Share(IsBareItem)
	if s.Any(func(v jspan.Value) bool { return v.Get("record_type").TextN(8) == "state" }) && items > 0 {
		return 90, "Bare response items with state records between them, as Codex wrote them in 2025."
	}
	if head := s.Lines[0]; head.Has("id") && head.Has("timestamp") && head.Has("instructions") && items > 0 {
		return 90, "A session line and bare response items, as Codex wrote them in 2025."
	}
	if items >= 0.5 {
		return 50, "Lines are bare response items (message, function_call, reasoning), one each."
	}
	return 0, ""
}

// IsBareItem recognises a response item that is a record of its own.
func IsBareItem(v jspan.Value) bool {
	if v.Has("payload") || v.Has("uuid") {
		return false
	}
	switch v.Get("type").TextN(30) {
	case "message":
		return v.Get("role").Kind == jspan.String && v.Get("content").Kind == jspan.Array
	case "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output":
		return v.Has("call_id")
	case "reasoning":
		return v.Has("summary")
	case "local_shell_call":
		return v.Has("action")
	}
	return false
}

func (Codex) Read(ctx context.Context, b *codec.Builder) error {
	r := NewCodexReader(b)
	if err := codec.EachRecord(ctx, b, jspan.Value{}, r.Record); err != nil {
		return err
	}
	r.finish()
	return nil
}

// Parts reads the message's items back.
func (Codex) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	return codec.ReadItems(d, m, func(v jspan.Value, out []model.Part) []model.Part {
		if pl := v.Get("payload"); pl.Kind == jspan.Object {
			if v.Get("type").TextN(12) == "compacted" {
				pl = pl.Get("message")
			}
			v = pl
		}
		return codec.ItemParts(v, out)
	})
}
