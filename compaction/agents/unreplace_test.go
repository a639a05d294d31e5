package agents

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

// texts are what items say.
func texts(items []historyitem.Item) string {
	var list []string
	for _, it := range items {
		list = append(list, it.Text())
	}
	return strings.Join(list, " ")
}

// A replacement is taken back: the list is as it was before, followed by all that was
// appended since, also where another replacement came in between; and it is another replacement, so
// that it can be taken back itself. What other agents have stays as it is.
func TestUnreplace(t *testing.T) {
	j := &memoryJournal{}
	c, err := Open(t.Context(), "talk", Options{Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	a := c.Agents()
	say := func(agent, text string) { t.Helper(); must(a.Called(t.Context(), agent, text)) }
	replace := func(text string) {
		t.Helper()
		x, _ := a.Context("A")
		must(a.Replace(t.Context(), x, []historyitem.Item{historyitem.Wrapped.Message("user", text)}))
	}
	now := func(agent string) string { x, _ := a.Context(agent); return texts(x.Items) }
	holds := func(text string) func([]historyitem.Item) bool {
		return func(list []historyitem.Item) bool { return texts(list) == text }
	}
	for _, text := range []string{"1", "2"} {
		say("A", text)
		say("B", "b"+text)
	}
	replace("S")
	say("A", "3")
	say("B", "b3")
	must(a.Unreplace(t.Context(), "A", holds("S")))
	if now("A") != "1 2 3" || now("B") != "b1 b2 b3" {
		t.Errorf("taken back, A has %q, B %q", now("A"), now("B"))
	}
	replace("T")
	say("A", "4")
	replace("U")
	must(a.Unreplace(t.Context(), "A", holds("T")))
	if now("A") != "1 2 3 4" {
		t.Errorf("of two replacements the first is taken back: %q", now("A"))
	}
	must(a.Unreplace(t.Context(), "A", holds("1 2 3 4")))
	if now("A") != "U" {
		t.Errorf("what was taken back is there again as %q", now("A"))
	}
	again, err := Open(t.Context(), "talk", Options{Journal: j})
	must(err)
	if x, _ := again.Agents().Context("A"); texts(x.Items) != "U" {
		t.Errorf("opened again, A has %q", texts(x.Items))
	}
	code := func(err error) string {
		if p := (*model.Problem)(nil); errors.As(err, &p) {
			return p.Code
		}
		return ""
	}
	if err := a.Unreplace(t.Context(), "A", holds("nothing")); code(err) != "no-replacement" {
		t.Errorf("of a replacement that is not there: %v", err)
	}
	for agent, want := range map[string]string{"": code(noAgent()), "C": code(unknownAgent("C"))} {
		if err := a.Unreplace(t.Context(), agent, holds("S")); err == nil || code(err) != want {
			t.Errorf("of the agent %q: %v", agent, err)
		}
	}
}

// The shared history is put back, too; and nothing is appended for no agent.
func TestUnreplaceOfTheSharedHistory(t *testing.T) {
	c, err := Open(t.Context(), "talk", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"1", "2"} {
		if err := errors.Join(c.History().AppendUserMessage(t.Context(), "q"+id), c.History().AppendAssistantMessage(t.Context(), "a"+id)); err != nil {
			t.Fatal(err)
		}
	}
	before := texts(c.History().Context().Items)
	x := c.History().Context()
	if err := c.History().Replace(t.Context(), x, []historyitem.Item{historyitem.Wrapped.Message("user", "S")}); err != nil {
		t.Fatal(err)
	}
	if err := c.History().Unreplace(t.Context(), func(list []historyitem.Item) bool { return texts(list) == "S" }); err != nil {
		t.Fatal(err)
	}
	if got := texts(c.History().Context().Items); got != before || !slices.Contains(strings.Fields(got), "q1") {
		t.Errorf("it has %q, want %q", got, before)
	}
	items := []historyitem.Item{historyitem.Wrapped.Message("user", "x")}
	if c.Agents().AppendItems(t.Context(), "", items) == nil || c.Agents().Import(t.Context(), "", "", items) == nil {
		t.Error("items are appended for no agent")
	}
	if len(c.Agents().Names()) != 0 {
		t.Errorf("there are agents %q", c.Agents().Names())
	}
}

// A later replacement that kept what the one to be taken back brought in does not stand for it.
func TestUnreplaceTakesBackTheFirst(t *testing.T) {
	c := newConversation(t, Options{})
	a := c.Agents()
	say := func(text string) { t.Helper(); must(t, a.Called(t.Context(), "A", text)) }
	replace := func(list ...string) {
		t.Helper()
		var items []historyitem.Item
		for _, text := range list {
			items = append(items, historyitem.Wrapped.Message("user", text))
		}
		must(t, a.Replace(t.Context(), contextOf(t, c, "A"), items))
	}
	say("1")
	replace("S")
	say("2")
	replace("S", "2")
	must(t, a.Unreplace(t.Context(), "A", func(list []historyitem.Item) bool { return list[0].Text() == "S" }))
	if got := texts(contextOf(t, c, "A").Items); got != "1 2" {
		t.Errorf("it is %q", got)
	}
}
