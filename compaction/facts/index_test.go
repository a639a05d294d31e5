package facts_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"palimpsest/compaction/facts"
	"palimpsest/internal/realdata"
	"palimpsest/model"

	"pgregory.net/rapid"
)

// slowStands is the rule for phrases, tried at every place.
func slowStands(text, phrase string) bool {
	continues := func(r rune) bool {
		return r == '_' || r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) ||
			r >= 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) && r != 'ー'
	}
	first, _ := utf8.DecodeRuneInString(phrase)
	last, _ := utf8.DecodeLastRuneInString(phrase)
	for i := 0; i+len(phrase) <= len(text); i++ {
		if text[i:i+len(phrase)] != phrase || !utf8.RuneStart(text[i]) {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(phrase):])
		if (i == 0 || !continues(before) || !continues(first)) && (i+len(phrase) == len(text) || !continues(after) || !continues(last)) {
			return true
		}
	}
	return false
}

// plainTexts are the texts of a message with JSON decoded by the standard library.
func plainTexts(t testing.TB, m facts.Message) []string {
	var out []string
	var walk func(v any, keys bool)
	walk = func(v any, keys bool) {
		switch v := v.(type) {
		case string:
			out = append(out, v)
		case []any:
			for _, e := range v {
				walk(e, keys)
			}
		case map[string]any:
			for k, e := range v {
				if keys {
					out = append(out, k)
				}
				walk(e, keys)
			}
		}
	}
	for _, p := range m.Parts {
		if p.Kind != model.PartText && p.Kind != model.PartReasoning && p.Kind != model.PartCall && p.Kind != model.PartResult {
			continue
		}
		var v any
		if p.Kind >= model.PartCall && json.Unmarshal([]byte(p.Text), &v) == nil {
			if _, plain := v.(string); !plain {
				walk(v, p.Kind == model.PartResult)
				continue
			}
		}
		out = append(out, p.Text)
	}
	return out
}

// The index holds exactly the messages in which a fact occurs: an atom where it
// is lifted, a phrase where a slow search finds it from its first lifting on.
func TestTheIndexIsTheRule(t *testing.T) {
	names := []string{"samples/mixed-languages.json", "samples/lab-notebook.jsonl"}
	if _, here := realdata.Look(t); here {
		names = append(names, "claude_code/dkimuson_5c0375b4_cjk.jsonl", "mini_swe_agent/django__django-11138.traj.json")
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			h := open(t, name)
			x := h.index(t)
			if x.Len() < 50 || x.Messages() != h.len() {
				t.Fatalf("%d facts in %d messages", x.Len(), x.Messages())
			}
			want := make([][]int, x.Len())
			first := make([]int, x.Len())
			for id := range first {
				first[id] = -1
			}
			for i := range h.len() {
				m, err := h.message(i)
				if err != nil {
					t.Fatal(err)
				}
				here := map[facts.ID]bool{}
				facts.Lift(&m, func(l facts.Lifted) {
					id, ok := x.ID(l.Fact)
					if !ok {
						t.Fatalf("%q is not in the index", l.Text)
					}
					here[id] = true
				})
				texts := plainTexts(t, m)
				for id := range x.Len() {
					f := x.Fact(facts.ID(id))
					stands := here[facts.ID(id)]
					if first[id] >= 0 && !f.Kind.Atom() && !stands {
						stands = slices.ContainsFunc(texts, func(s string) bool { return slowStands(s, f.Text) })
					}
					if stands {
						want[id] = append(want[id], i)
						if first[id] < 0 {
							first[id] = i
						}
					}
				}
			}
			for id := range want {
				var got []int
				for _, o := range x.Occurrences(facts.ID(id)) {
					got = append(got, o.Msg)
				}
				if !slices.Equal(got, want[id]) {
					t.Errorf("%v: in %v, want %v", x.Fact(facts.ID(id)), got, want[id])
				}
			}
		})
	}
}

// The same history gives the same index in one batch and in many.
func TestAnIndexInBatches(t *testing.T) {
	h := open(t, "samples/mixed-languages.json")
	var all []facts.Message
	for i := range h.len() {
		m, err := h.message(i)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	whole := h.index(t)
	rapid.Check(t, func(rt *rapid.T) {
		x, err := facts.BuildInBatches(context.Background(), len(all), func(i int) (facts.Message, error) { return all[i], nil },
			rapid.IntRange(1, 1<<18).Draw(rt, "bytes of a batch"))
		if err != nil {
			rt.Fatal(err)
		}
		if x.Len() != whole.Len() || x.Total() != whole.Total() {
			rt.Fatalf("%d facts, %d occurrences; want %d and %d", x.Len(), x.Total(), whole.Len(), whole.Total())
		}
		for id := range facts.ID(whole.Len()) {
			f := whole.Fact(id)
			other, ok := x.ID(f)
			if !ok || !slices.Equal(x.Occurrences(other), whole.Occurrences(id)) {
				rt.Fatalf("%v: %v, want %v", f, x.Occurrences(other), whole.Occurrences(id))
			}
		}
	})
}

// Facts found in a text, with phrases that begin alike or contain each other.
func TestStanding(t *testing.T) {
	x := index(t,
		`c: {"command":"go test ./lex && go test ./lex -v"}`,
		`u: The title is "渡轮码头" or "go test", and "Straße 7" is not "Straße 71".`,
		`a: I changed src/a.go and a.go; it took 12 MB.`)
	for text, want := range map[string]string{
		"run go test ./lex -v now":   "./lex|go test|go test ./lex|go test ./lex -v",
		"run go test ./lexer":        "go test", // ./lex goes on
		"cargo test ./lex":           "./lex",
		"在渡轮码头等":                     "渡轮码头",
		"Straße 71, not 7":           "Straße 71",
		"see lib/src/a.go":           "",
		"see src/a.go:12, (a.go).":   "a.go|src/a.go",
		"data.go and 112 MB, 12 MBs": "",
		"took 12 MB":                 "12 MB",
		"":                           "",
	} {
		var got []string
		for _, id := range x.FactsIn(text) {
			if f := x.Fact(id); f.Kind != facts.Instruction && f.Kind != facts.Decision {
				got = append(got, f.Text)
			}
		}
		slices.Sort(got)
		if s := strings.Join(slices.Compact(got), "|"); s != want {
			t.Errorf("%q holds %s; want %s", text, s, want)
		}
	}
}

func TestAReadErrorIsTold(t *testing.T) {
	broken := errors.New("broken")
	_, err := facts.Build(context.Background(), 3, func(i int) (facts.Message, error) {
		if i == 1 {
			return facts.Message{}, broken
		}
		return say("u: a.go"), nil
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "message 1") {
		t.Error(err)
	}
}
