package facts

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"palimpsest/model"
)

// Behind a summary that says what was asked and decided, a ledger spends on what the
// agent may need: decisions have no share, and standing orders half of theirs.
func TestBehindASummary(t *testing.T) {
	var history []Message
	for i := range 12 {
		history = append(history, say(User, fmt.Sprintf("Never write to the archive of station_%02d without asking me first.", i)),
			say(Agent, fmt.Sprintf("I'll use the quiet setting for station_%02d and keep the rest as it is.", i)),
			say(Agent, ""))
		for k := range 40 {
			history[len(history)-1].Parts[0].Text += fmt.Sprintf("drainQueue%02d%02d ", i, k)
		}
	}
	x, err := Build(context.Background(), len(history), func(i int) (Message, error) { return history[i], nil })
	if err != nil {
		t.Fatal(err)
	}
	words := func(s string) int { return len(strings.Fields(s)) }
	list := func(told bool) (orders, decisions, atoms int) {
		text := x.Lister(words).Ledger(LedgerRequest{At: len(history), Removed: []model.Range{{To: len(history)}}, Budget: 400,
			Told: told})
		return strings.Count(text, "\n- Never"), strings.Count(text, "\n- I'll"), strings.Count(text, "drainQueue")
	}
	orders, decisions, atoms := list(false)
	behind, none, more := list(true)
	if orders < 4 || behind == 0 || behind > orders/2 || decisions == 0 || none > 0 || more <= atoms {
		t.Errorf("%d orders, %d decisions, %d names; behind a summary %d, %d, %d", orders, decisions, atoms, behind, none, more)
	}
}

// say is a message of one text.
func say(author Author, text string) Message {
	return Message{Author: author, Parts: []model.Part{{Kind: model.PartText, Text: text}}}
}
