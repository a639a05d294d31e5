package compaction

import (
	"context"
	"errors"
	"fmt"
	"pgregory.net/rapid"
	"slices"
	"strings"
	"unicode/utf8"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// agent is an agent that works: its history grows by a message, and before each
// call the policy is checked, as a session or a replay does. Its texts are real.
type agent struct {
	th     *model.Thread
	parts  [][]model.Part // by stored index
	policy model.Policy

	at    int
	items []model.Item
	texts map[string]string       // summaries by record
	taken map[string][]model.Item // what each record covers: its originals
	wait  BackOff

	// summarise makes the text; the attempt is counted before it is called.
	summarise func(ctx context.Context, r summarize.Request) (string, error)
	attempts  int
	input     []summarize.Entry // of the latest attempt
}

// countRough is a token count that is the same for every text of a length.
func countRough(s string) int { return (utf8.RuneCountInString(s) + 2) / 3 }

var fragments = []string{
	"read src/parse.go", "错误：找不到文件 配置.yaml", "🙂 done 👩‍👩‍👧‍👦", "**任务状态:** 完成 **目标:** 写解析器",
	"exit status 1", "The lexer is 3.4 kB", "見つかりません", "must never touch /etc/hosts", "a\u0301\u0302 combining", "[Conversation summary - earlier context]",
}

func drawText(t *rapid.T) string {
	f := rapid.SampledFrom(fragments).Draw(t, "words")
	return strings.Repeat(f+"\n", rapid.SampledFrom([]int{1, 1, 2, 8, 60}).Draw(t, "length"))
}

// newAgent draws a history with texts, and an agent at its beginning.
func newAgent(t *rapid.T, th *model.Thread, p model.Policy) *agent {
	a := &agent{th: th, policy: p, texts: map[string]string{}, taken: map[string][]model.Item{}}
	a.summarise = func(ctx context.Context, r summarize.Request) (string, error) {
		res, err := summarize.Make(ctx, r)
		return res.Text, err
	}
	for i := range th.Messages {
		m := &th.Messages[i]
		var parts []model.Part
		switch m.Kind {
		case model.KindResult:
			parts = append(parts, model.Part{Kind: model.PartResult, CallID: m.Answers, Text: drawText(t)})
		default:
			parts = append(parts, model.Part{Kind: model.PartText, Text: drawText(t)})
		}
		for _, c := range m.Calls {
			parts = append(parts, model.Part{Kind: model.PartCall, CallID: c.ID, Name: c.Name, Text: `{"path":"src/a.go"}`})
		}
		a.parts = append(a.parts, parts)
	}
	return a
}

func (a *agent) size(stored int32) int32 {
	n := 0
	for _, p := range a.parts[stored] {
		n += countRough(p.Text)
	}
	return int32(n)
}

func (a *agent) line() *Line {
	return NewLine(Source{
		Thread: a.th, At: a.at, Items: slices.Clone(a.items),
		Tokens: func(i int32, cleared bool) int32 {
			if cleared {
				return min(a.size(i), NoteTokens)
			}
			return a.size(i)
		},
		SummaryTokens: func(r string) int32 { return int32(countRough(a.texts[r])) },
		SummaryChars:  func(it model.Item) int { return utf8.RuneCountInString(a.texts[it.Record]) },
	})
}

// entries is what the plan takes, as a summariser reads it.
func (a *agent) entries(pl *Plan) []summarize.Entry {
	var out []summarize.Entry
	pl.Takes(func(i int) {
		it := pl.Line.Item(i)
		e := summarize.Entry{Num: pl.Line.History(i) + 1, Former: a.texts[it.Record]}
		if it.Msg >= 0 {
			e.Msg, e.Parts = &a.th.Messages[it.Msg], a.parts[it.Msg]
		}
		out = append(out, e)
	})
	return out
}

// call is a call of a model: the policy is checked, and what it says is done.
// It gives the draft that was made and why none was.
func (a *agent) call(ctx context.Context) (*Draft, error) {
	dr, err := MakeDraft(ctx, a.line(), a.policy, Options{Wait: a.wait.Left(a.at)}, func(ctx context.Context, pl *Plan) (Text, error) {
		a.attempts++
		a.input = a.entries(pl)
		text, err := a.summarise(ctx, summarize.Request{Entries: a.input, Strategy: model.Extract, Budget: pl.Budget, Count: countRough})
		return Text{Text: text, Tokens: countRough(text)}, err
	})
	a.wait = a.wait.After(dr, err, a.at, a.policy.BackOff)
	if err == nil && dr.Plan.Outcome == WouldApply {
		record := fmt.Sprint("R", len(a.texts))
		a.texts[record] = dr.Text.Text
		dr.Plan.Takes(func(i int) { a.taken[record] = append(a.taken[record], dr.Plan.Line.Item(i)) })
		a.items = dr.Plan.Apply(record)
	}
	return dr, err
}

// grow adds the next message; false at the end of the history.
func (a *agent) grow() bool {
	if a.at == len(a.th.History) {
		return false
	}
	a.items = append(a.items, model.Item{Msg: a.th.History[a.at]})
	a.at++
	return true
}

// originals is the history messages a list stands for, summaries resolved to
// what their records cover.
func (a *agent) originals(items []model.Item) []int32 {
	var out []int32
	for _, it := range items {
		if it.Msg >= 0 {
			out = append(out, it.Msg)
		} else {
			out = append(out, a.originals(a.taken[it.Record])...)
		}
	}
	return out
}

// fourPresets are those of the systems united here, in their own names.
var fourPresets = []string{"sliding-adaptive", "sliding-fixed", "message-count", "token-share"}

// drawPreset is one of the four with a context window small enough for a drawn
// history to fill.
func drawPreset(t *rapid.T) model.Policy {
	p, _ := PresetByID(rapid.SampledFrom(fourPresets).Draw(t, "preset"))
	p.Policy.Window = rapid.SampledFrom([]int{500, 2000, 8000}).Draw(t, "context window")
	return p.Policy
}

// drawBent is one of the four with some values that no one should give it.
func drawBent(t *rapid.T) model.Policy {
	p := drawPreset(t)
	for _, v := range []*int{
		&p.Window, &p.Reserve, &p.Tail.N, &p.Batch.N, &p.Target, &p.Budget.N, &p.LayerBudget.N,
		&p.MinGain.Messages, &p.MinGain.Tokens, &p.BackOff, &p.Triggers[0].At.N,
	} {
		if rapid.IntRange(0, 3).Draw(t, "bend") == 0 {
			*v = rapid.SampledFrom(extremes).Draw(t, "value")
		}
	}
	return p
}

// drawWork is a history of the kind a preset is made for, or any other.
func drawWork(t *rapid.T, p model.Policy) *model.Thread {
	if p.Tail.Unit == model.Steps && rapid.Bool().Draw(t, "step records") {
		return drawSteps(t)
	}
	return drawLong(t, 150)
}

// drawTidy is a history in which every call is answered, in any order, before
// the talk goes on; only the last one may still be waiting.
func drawTidy(t *rapid.T) *model.Thread {
	th := &model.Thread{}
	add := func(m model.Message) {
		th.History = append(th.History, int32(len(th.Messages)))
		th.Messages = append(th.Messages, m)
	}
	add(model.Message{Kind: model.KindSystem, Role: model.RoleSystem})
	for k := range rapid.IntRange(1, 60).Draw(t, "exchanges") {
		if rapid.IntRange(0, 3).Draw(t, "person") == 0 {
			add(model.Message{Kind: model.KindUser, Origin: model.OriginTyped})
		}
		m := model.Message{Kind: model.KindAssistant}
		var ids []string
		for c := range rapid.IntRange(0, 3).Draw(t, "calls") {
			ids = append(ids, fmt.Sprint(k, "-", c))
			m.Calls = append(m.Calls, model.Call{ID: ids[c], Name: "run"})
		}
		add(m)
		for _, id := range rapid.Permutation(ids).Draw(t, "answers") {
			add(model.Message{Kind: model.KindResult, Answers: id})
		}
	}
	return th
}

// work drives an agent through a drawn history and calls check after every
// call with the list before it. Some calls meet a summariser that fails.
func work(t *rapid.T, p model.Policy, check func(a *agent, before []model.Item, dr *Draft, err error)) *agent {
	a := newAgent(t, drawWork(t, p), p)
	sound := a.summarise
	for a.grow() {
		ctx := context.Background()
		if a.summarise = sound; rapid.IntRange(0, 5).Draw(t, "summariser") == 0 {
			ctx, a.summarise = badSummariser(t)
		}
		before := slices.Clone(a.items)
		dr, err := a.call(ctx)
		check(a, before, dr, err)
	}
	return a
}

// badSummariser fails, says nothing, says too much, is hostile, or hangs until
// the call, whose context comes with it, is cancelled.
func badSummariser(t *rapid.T) (context.Context, func(context.Context, summarize.Request) (string, error)) {
	text := rapid.SampledFrom([]string{"fail", "hang", "huge", "", " \n\u3000", "[Conversation summary - earlier context]\n", "\xff\xfe"}).Draw(t, "bad text")
	ctx, cancel := context.WithCancel(context.Background())
	return ctx, func(ctx context.Context, _ summarize.Request) (string, error) {
		defer cancel()
		switch text {
		case "fail":
			return "", errors.New("no model answers")
		case "hang":
			cancel()
			<-ctx.Done()
			return "", ctx.Err()
		case "huge":
			return strings.Repeat("x", 1<<20), nil
		}
		return text, nil
	}
}
