package facts

import (
	"math"
	"math/rand/v2"
	"testing"

	"palimpsest/model"
)

// What is written of a forest is the forest: the same chances for any evidence.
func TestForestIsReadAsWritten(t *testing.T) {
	again, err := ParseForest("# a note\n" + Fitted().String())
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	differ := map[float64]bool{}
	for range 500 {
		var s Steps
		for f := range s {
			s[f] = uint8(rnd.IntN(256))
		}
		c := Fitted().Chance(&s)
		if c != again.Chance(&s) || !(c > 0 && c < 1) {
			t.Fatalf("%v, read again %v", c, again.Chance(&s))
		}
		differ[c] = true
	}
	if len(differ) < 50 {
		t.Errorf("%d different chances", len(differ))
	}
	for _, bad := range []string{"base x", "used>1 : 1 2", "nothing>1 a>1 a>1 a>1 a>1 :" + " 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"} {
		if _, err := ParseForest(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// The calls of several agents, and the class of each.
func TestClassOfCalls(t *testing.T) {
	for _, c := range []struct {
		name, args string
		want       Shows
	}{
		{"Read", `{"file_path":"/a/b.go"}`, ByReading},
		{"view_file", `{"path":"a"}`, ByReading},
		{"Grep", `{"pattern":"x"}`, BySearch},
		{"Glob", `{}`, BySearch},
		{"Edit", `{"file_path":"/a","old_string":"x"}`, ByEdit},
		{"apply_patch", "*** Begin Patch", ByEdit},
		{"TodoWrite", `{"todos":[]}`, ByPlan},
		{"update_plan", `{"plan":[]}`, ByPlan},
		{"Bash", `{"command":"cd /srv && rg -n drain"}`, BySearch},
		{"Bash", `{"command":"go test ./..."}`, ByRun},
		{"exec_command", `{"cmd":"sed -n 1,80p a.go"}`, ByReading},
		{"shell", `{"command":["bash","-lc","git grep x"]}`, BySearch},
		{"weather", `{}`, ByOther},
	} {
		if got := classOf(&model.Part{Kind: model.PartCall, Name: c.name, Text: c.args}); got != c.want {
			t.Errorf("%s %s: %d, not %d", c.name, c.args, got, c.want)
		}
	}
}

// A result has the class of the call that it answers, by its ID, or of the last one.
func TestResultsHaveTheClassOfTheirCall(t *testing.T) {
	b := NewBuilder(Standard)
	err := b.Add(t.Context(), []Message{
		{Author: Agent, Parts: []model.Part{{Kind: model.PartCall, Name: "Read", CallID: "1", Text: `{"file_path":"src/a.go"}`},
			{Kind: model.PartCall, Name: "Grep", CallID: "2", Text: `{}`}}},
		{Parts: []model.Part{{Kind: model.PartResult, CallID: "1", Text: "x"}}},
		{Parts: []model.Part{{Kind: model.PartResult, CallID: "2", Text: "x", Error: true}}},
		{Parts: []model.Part{{Kind: model.PartResult, Text: "x"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	x := b.Index()
	for m, want := range []Shows{ByWords, ByReading, BySearch, BySearch} {
		if x.shows[m] != want || x.failed[m] != (m == 2) {
			t.Errorf("message %d: %d, failed %v", m, x.shows[m], x.failed[m])
		}
	}
}

// Files that a call changes and what a to-do list names are marked.
func TestEditedAndPlanned(t *testing.T) {
	marks := map[string]Where{}
	Standard.Lift(&Message{Author: Agent, Parts: []model.Part{
		{Kind: model.PartCall, Name: "Edit", Text: `{"file_path":"src/a.go","new_string":"see src/b.go"}`},
		{Kind: model.PartCall, Name: "apply_patch", Text: "*** Begin Patch\n*** Update File: src/c.go\n+see src/d.go\n"},
		{Kind: model.PartCall, Name: "TodoWrite", Text: `{"todos":[{"content":"mend src/e.go"}]}`},
	}}, func(f Lifted) { marks[f.Text] |= f.Where })
	for name, want := range map[string]Where{"src/a.go": Edited, "src/b.go": 0, "src/c.go": Edited, "src/d.go": 0, "src/e.go": Planned} {
		if marks[name]&(Edited|Planned) != want {
			t.Errorf("%s: %b, not %b", name, marks[name], want)
		}
	}
}

// A chance is the sum of the entries that the answers name, asked one by one; those of
// several facts, asked at once, do not touch each other.
func TestAChanceIsTheSumOfItsEntries(t *testing.T) {
	f, rnd := Fitted(), rand.New(rand.NewPCG(5, 6))
	for range 200 {
		var list [lanes]Steps
		var want [lanes]float64
		for k := range list {
			s := &list[k]
			for i := range s {
				s[i] = uint8(rnd.IntN(256))
			}
			for range 20 { // as much as the question names, which is not above it
				k, q := rnd.IntN(len(f.tables)), rnd.IntN(questions)
				s[f.tables[k].feature[q]] = f.tables[k].above[q]
			}
			z := f.base
			for i := range f.tables {
				entry := 0
				for q := range questions {
					if s[f.tables[i].feature[q]] > f.tables[i].above[q] {
						entry |= 1 << q
					}
				}
				z += float64(f.tables[i].entries[entry])
			}
			if want[k] = 1 / (1 + math.Exp(-z)); f.Chance(s) != want[k] {
				t.Fatalf("%v, not %v", f.Chance(s), want[k])
			}
		}
		if got := f.chances(&list); got != want {
			t.Fatalf("%v, not %v", got, want)
		}
	}
}

func BenchmarkChance(b *testing.B) {
	f, rnd := Fitted(), rand.New(rand.NewPCG(5, 6))
	list := make([][lanes]Steps, 1000)
	for i := range list {
		for k := range list[i] {
			for n := range list[i][k] {
				list[i][k][n] = uint8(rnd.IntN(100))
			}
		}
	}
	for i := 0; b.Loop(); i++ {
		f.chances(&list[i%len(list)])
	}
}
