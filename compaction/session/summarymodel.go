package session

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// SummaryModel is the model that makes summaries, as it is set up at this
// moment. It holds no key.
type SummaryModel struct {
	Name   string // as its server names it
	Host   string // where it is asked, for a sentence on a screen
	Window int    // context window in tokens; 0: known from the name, or assumed
	Price  Price
	Ask    summarize.Asker

	Template *summarize.Template // words what is asked; nil: summarize.Sections
}

// assumedWindow is taken for the context window of a model where it is unknown:
// what the small models that people run at home have at least.
const assumedWindow = 8192

// ContextWindow is the model's window, and whether it is only assumed.
func (m *SummaryModel) ContextWindow() (n int, assumed bool) {
	if m.Window > 0 {
		return m.Window, false
	}
	if n, _, ok := tokens.Window(m.Name); ok {
		return n, false
	}
	return assumedWindow, true
}

// Price is what tokens cost, as the person who pays entered it.
type Price struct {
	Input    float64 `json:"input,omitempty"` // for a million tokens
	Output   float64 `json:"output,omitempty"`
	Currency string  `json:"currency,omitempty"`
	Date     string  `json:"date,omitempty"` // when it was entered, YYYY-MM-DD
}

// Known reports whether there is a price to reckon with.
func (p Price) Known() bool { return p.Input > 0 || p.Output > 0 }

// Of is what so many tokens cost.
func (p Price) Of(input, output int) float64 {
	return (float64(input)*p.Input + float64(output)*p.Output) / 1e6
}

// Answers keeps what models answered, so that the same question is not paid for
// twice. The store implements it.
type Answers interface {
	Answer(ctx context.Context, key [32]byte) (answer []byte, ok bool, err error)
	PutAnswer(ctx context.Context, key [32]byte, answer []byte) error
}

// keeper asks only what was not answered before: the same model at the same host,
// the same words (in which are the prompt's version, the messages and the
// instruction) and the same ceiling. fresh asks again, and keeps the new answer.
// Answers that are not complete, hold no words or were found flawed are not
// kept, so that asking again asks. What can't be read or kept is asked: the cache
// is a convenience. It serves one enquiry.
type keeper struct {
	m       *SummaryModel
	answers Answers
	fresh   bool
	log     bool // what is sent is kept in sent

	mu   sync.Mutex
	new  []keptAnswer // in the order in which they came
	sent []model.Sent
}

type keptAnswer struct {
	key  [32]byte
	text []byte
}

// ask is a [summarize.Asker].
func (k *keeper) ask(
	ctx context.Context, q summarize.Question, ceiling int, report func(summarize.AskEvent),
) (summarize.ModelAnswer, error) {
	if k.answers == nil {
		return k.send(ctx, q, ceiling, report)
	}
	key := AnswerKey(k.m, q, ceiling)
	if s, ok := k.known(ctx, key); ok {
		report(summarize.AskEvent{Delta: s.Text, Reset: true})
		return s, nil
	}
	s, err := k.send(ctx, q, ceiling, report)
	if err != nil || s.CutOff || s.Filtered || s.Refusal != "" {
		return s, err
	}
	if _, blank := summarize.Answer(s.Text, q.Lang, 0, 0, nil); blank != nil {
		return s, nil
	}
	if b, err := json.Marshal(s); err == nil {
		k.mu.Lock()
		k.new = append(k.new, keptAnswer{key, b})
		k.mu.Unlock()
	}
	return s, nil
}

// known is an answer of before.
func (k *keeper) known(ctx context.Context, key [32]byte) (s summarize.ModelAnswer, ok bool) {
	if k.fresh || k.answers == nil {
		return s, false
	}
	b, ok, err := k.answers.Answer(ctx, key)
	if err != nil || !ok || json.Unmarshal(b, &s) != nil {
		return s, false
	}
	s.Cached = true
	return s, true
}

// send asks the server, and notes what it was sent.
func (k *keeper) send(
	ctx context.Context, q summarize.Question, most int, report func(summarize.AskEvent),
) (summarize.ModelAnswer, error) {
	if k.log {
		k.mu.Lock()
		k.sent = append(k.sent, model.Sent{Guard: q.Guard, Prompt: q.Prompt})
		k.mu.Unlock()
	}
	return k.m.Ask(ctx, q, most, report)
}

// keep stores what was answered, also when the enquiry failed or was called off:
// its parts are paid for. Of a reply that is not good the last answer, which is
// the one that was judged, is left out.
func (k *keeper) keep(ctx context.Context, good bool) {
	if n := len(k.new); !good && n > 0 {
		k.new = k.new[:n-1]
	}
	for _, a := range k.new {
		_ = k.answers.PutAnswer(context.WithoutCancel(ctx), a.key, a.text) // the answer is there all the same
	}
}

// AnswerKey is the key under which the answer of a model to a question is kept.
func AnswerKey(m *SummaryModel, q summarize.Question, ceiling int) [32]byte {
	b, err := json.Marshal([]any{m.Host, m.Name, q.Guard, q.Prompt, ceiling})
	if err != nil {
		panic(err) // strings and a number
	}
	return sha256.Sum256(b)
}

// model is the model to ask, an error when none is set up.
func (o Options) model() (*SummaryModel, error) {
	if o.Model != nil {
		if m, err := o.Model(); m != nil || err != nil {
			return m, err
		}
	}
	return nil, &model.Problem{Code: "no-model", What: "No summary was made.", Why: "The strategy asks a model, and none is set up.",
		Next: "Set one up (Settings in the window, --endpoint and --model with a verb), or choose the strategy extract."}
}

// FlawedError is that an answer was judged and is not to be applied before somebody
// accepted it.
type FlawedError struct{ Flaws []summarize.Flaw }

func (e *FlawedError) Error() string {
	words := make([]string, len(e.Flaws))
	for i, f := range e.Flaws {
		words[i] = f.Code.Words()
	}
	return "the model's answer has flaws: " + strings.Join(words, ", ")
}

// flawsOf names an error of a model's answer for a record; nil: it is none.
func flawsOf(err error) []summarize.Flaw {
	var flawed *FlawedError
	switch {
	case errors.As(err, &flawed):
		return flawed.Flaws
	case errors.Is(err, summarize.ErrBlank):
		return []summarize.Flaw{{Code: summarize.FlawBlank}}
	}
	return nil
}
