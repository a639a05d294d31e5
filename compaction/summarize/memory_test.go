package summarize

import (
	"context"
	"testing"

	"palimpsest/model"

	"pgregory.net/rapid"
)

// Whatever texts were made of some of the messages before, in either language and of other
// parts of the history, the next is what it would have been without.
func TestMemoryChangesNoText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRequest(t)
		all, kept := r.Entries, new(Memory)
		for range rapid.IntRange(2, 5).Draw(t, "texts") {
			from := rapid.IntRange(0, len(all)-1).Draw(t, "from")
			r.Entries = all[from:rapid.IntRange(from+1, len(all)).Draw(t, "to")]
			r.Strategy = rapid.SampledFrom(strategies).Draw(t, "strategy")
			r.Lang = rapid.SampledFrom([]Lang{English, Chinese}).Draw(t, "language")
			r.Memory = nil
			want, err := Make(context.Background(), r)
			r.Memory = kept
			got, again := Make(context.Background(), r)
			if got.Text != want.Text || (err == nil) != (again == nil) {
				t.Fatalf("%v, %v\n%s\nis not\n%s", err, again, got.Text, want.Text)
			}
		}
	})
}

// What a result says depends on whether the others are marked, and names of media on the
// language: each reading is kept apart.
func TestMemoryKeepsReadingsApart(t *testing.T) {
	part := func(p model.Part) []model.Part { return []model.Part{p} }
	all := []Entry{
		{Num: 1, Msg: &model.Message{Kind: model.KindUser, Origin: model.OriginTyped}, Parts: part(model.Part{Kind: model.PartMedia, Name: "image/png", Bytes: 5000})},
		{Num: 2, Msg: &model.Message{Kind: model.KindAssistant}, Parts: part(model.Part{Kind: model.PartCall, CallID: "a", Name: "Bash", Text: `{"command":"make"}`})},
		{Num: 3, Msg: &model.Message{Kind: model.KindResult, Answers: "a"}, Parts: part(model.Part{Kind: model.PartResult, CallID: "a", Text: "Error: no rule"})},
		{Num: 4, Msg: &model.Message{Kind: model.KindResult, Error: true}, Parts: part(model.Part{Kind: model.PartResult, CallID: "b", Text: "refused", Error: true})},
	}
	kept, seen := new(Memory), map[string]bool{}
	for _, lang := range []Lang{English, Chinese} {
		for _, to := range []int{3, 4} {
			r := Request{Entries: all[:to], Strategy: model.Extract, Lang: lang}
			want := mustMake(t, r).Text
			if r.Memory = kept; mustMake(t, r).Text != want {
				t.Errorf("%d messages in %v:\n%s\nis not\n%s", to, lang, mustMake(t, r).Text, want)
			}
			seen[want] = true
		}
	}
	if len(seen) < 4 {
		t.Errorf("the texts are alike: %v", seen)
	}
}
