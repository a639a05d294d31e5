package session

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
)

// An order is listed once: not by the ledger where the copy of its message stays, which a
// compaction of the file made.
func TestAnOrderWhoseCopyStaysIsNotListed(t *testing.T) {
	const order = "Always run make larch-check before you commit."
	var lines []string
	add := func(kind string, payload any) {
		raw, err := json.Marshal(map[string]any{"timestamp": fmt.Sprintf("2026-03-04T09:%02d:00.000Z", len(lines)), "type": kind, "payload": payload})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(raw))
	}
	item := func(role, kind, text string) map[string]any {
		return map[string]any{"type": "message", "role": role, "content": []any{map[string]string{"type": kind, "text": text}}}
	}
	turn := func(ask string) {
		add("response_item", item("user", "input_text", ask))
		add("response_item", item("assistant", "output_text", "It is done. "+strings.Repeat("It went well. ", 80)))
	}
	add("session_meta", map[string]string{"id": "0195-larch", "cwd": "/home/mira/larch", "originator": "codex_cli_rs", "cli_version": "0.142.0"})
	turn(order)
	turn("Go on.")
	add("compacted", map[string]any{"message": "", "replacement_history": []any{
		item("user", "input_text", order), item("user", "input_text", "Go on.")}})
	for k := range 12 {
		turn(fmt.Sprintf("Now part %d of the tree, src/part%d.go.", k, k))
	}
	s := sessionOf(t, strings.Join(lines, "\n")+"\n")
	p := s.Policy()
	p.Strategy, p.Tail = model.NoteText, model.Amount{N: 4, Unit: model.Messages}
	p.Budget = model.Amount{N: 4000, Unit: model.Tokens}
	for _, stays := range []bool{false, true} {
		p.KeepFirstUser = stays
		d, err := s.Draft(context.Background(), p, compaction.Options{Manual: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(d.Text.Text, strings.TrimSuffix(order, ".")); got == stays {
			t.Errorf("its copy stays: %v, it is listed: %v\n%s", stays, got, d.Text.Text)
		}
	}
}
