package facts

import (
	"context"
	"testing"

	"palimpsest/model"
)

func TestPublic(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		text string
		want bool
	}{
		{Command, "git status", true}, {Command, "git -C /srv/tool status", false}, {Identifier, "fmt.Errorf", true},
		{Identifier, "scan.runeCol", false}, {Identifier, "--verbose", true}, {Identifier, "--keep-going", false}, {Path, "package.json", true},
		{Path, "src/lex/scan.go", false}, {Number, "28px", true}, {Number, "1.25 MB", false}, {Number, "2000 ms", true}, {Number, "20480 bytes", false},
		{Quoted, "start", true}, {Quoted, "the record is sealed", false}, {Instruction, "never push", false},
	} {
		if got := Public(Fact{c.kind, c.text}); got != c.want {
			t.Errorf("%v %q is public: %v", c.kind, c.text, got)
		}
	}
}

// The second measure leaves out what a request holds, the tools and the folder, meets
// a path in its other form, and weighs by the smallest message that held the fact.
func TestNeededSecond(t *testing.T) {
	history := []Message{
		say(Tool, "Policy: read docs/rules.md first."),
		say(Agent, "Look at the tree."),
		say(Tool, "In /srv/lexer: src/scanRunes.go and src/posTable.go, read by fetch_rows with limit 20480 bytes; docs/rules.md"),
		say(Tool, "src/posTable.go"),
		say(User, "Go on."),
		say(Agent, "In /srv/lexer I open src/scanRunes.go and /srv/lexer/src/posTable.go with fetch_rows, 20480 bytes, by docs/rules.md and git status."),
	}
	x, err := Build(context.Background(), Standard, len(history), func(i int) (Message, error) { return history[i], nil })
	if err != nil {
		t.Fatal(err)
	}
	s := Surroundings{Dir: "/srv/lexer", Tools: []string{"fetch_rows"}, System: 1, Tokens: []int{7, 4, 60, 5, 2, 40}}
	c := Change{At: 5, Removed: []model.Range{{From: 1, To: 4}}, Kept: []model.Range{{From: 0, To: 1}, {From: 4, To: 5}}, Remaining: []string{"Seen: src/posTable.go"}}
	out := x.NeededSecond([]Change{c}, s)
	got := map[string]bool{}
	for _, n := range out.Needed {
		got[n.Text] = n.Met
	}
	for text, met := range map[string]bool{"src/scanRunes.go": false, "20480 bytes": false} {
		if m, ok := got[text]; !ok || m != met {
			t.Errorf("%s: counted %v, met %v", text, ok, m)
		}
		delete(got, text)
	}
	delete(got, "/srv/lexer/src/posTable.go") // nothing that went held it in this form
	if len(got) > 0 {
		t.Errorf("counted besides: %v", got)
	}
	if out.LeftOut == 0 || out.Tokens.Needs < 120 || out.Tokens.Met > 5 {
		t.Errorf("%+v", out)
	}
}

// Of a to-do list what the open items name is looked for, that of the last list before
// the change alone.
func TestOpenToDos(t *testing.T) {
	list := func(text string) Message {
		return Message{Author: Agent, Parts: []model.Part{{Kind: model.PartCall, Name: "TodoWrite", Text: text}}}
	}
	first := `{"todos":[{"content":"read src/old.go","status":"pending"}]}`
	second := `{"todos":[{"content":"read src/old.go","status":"completed"},{"content":"mend src/scan.go","status":"in_progress"},` +
		`{"content":"test TestDrainAll","status":"pending"}]}`
	history := []Message{list(first), list(second), say(User, "Go on."), say(Agent, "So I do.")}
	x, err := Build(context.Background(), Standard, len(history), func(i int) (Message, error) { return history[i], nil })
	if err != nil {
		t.Fatal(err)
	}
	s := Surroundings{Tokens: []int{9, 9, 2, 2}}
	for i := range history {
		if open, ok := OpenItems(&history[i].Parts[0]); ok {
			s.Plans = append(s.Plans, Plan{i, open})
		}
	}
	c := Change{At: 3, Removed: []model.Range{{From: 0, To: 2}}, Kept: []model.Range{{From: 2, To: 3}}, Remaining: []string{"TestDrainAll"}}
	if got := x.NeededSecond([]Change{c}, s).Open; got != (Recall{Needs: 2, Met: 1}) {
		t.Errorf("%+v of src/scan.go and TestDrainAll", got)
	}
	if _, ok := OpenItems(&model.Part{Kind: model.PartCall, Name: "Task", Text: `{"prompt":"look"}`}); ok {
		t.Error("a call of an agent is a to-do list")
	}
}

func say(a Author, text string) Message {
	return Message{Author: a, Parts: []model.Part{{Text: text}}}
}
