package cli

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/model"
)

// modelFlags say which model makes summaries. The key itself is never an
// argument: arguments can be read by other programs.
type modelFlags struct {
	Endpoint    string        `group:"model" placeholder:"URL" help:"${endpoint}"`
	Model       string        `group:"model" placeholder:"NAME" help:"${model}"`
	KeyEnv      string        `group:"model" placeholder:"VAR" help:"Environment variable that holds the key."`
	Timeout     time.Duration `group:"model" placeholder:"30s" help:"Of one attempt."`
	ModelWindow number        `group:"model" placeholder:"N" help:"${modelWindow}"`
	AcceptFlaws bool          `group:"model" help:"${acceptFlaws}"`
}

// connect makes what the verb asks for summaries, and lets --model choose the
// strategy. Nothing is sent.
func (m *modelFlags) connect(a *app, pf *policyFlags, p *model.Policy) error {
	if _, chosen := pf.given("strategy"); (m.Model != "" || m.Endpoint != "") && !chosen {
		p.Strategy = model.ModelText
	}
	if !p.Strategy.Asks() {
		return nil
	}
	provider, err := m.provider(a)
	if err != nil {
		return err
	}
	if !provider.Set() {
		return usage("The strategies model and model+ledger need to know whom to ask: " +
			"give --endpoint and --model, or set a model up in the window.")
	}
	a.asks, a.acceptFlaws = &online.Connection{}, m.AcceptFlaws
	a.asks.Use(provider)
	if _, err := a.asks.Model(); err != nil {
		return usage("%s", sentence(err)+".")
	}
	return nil
}

// provider is the one the window was set up with, with the flags put in. With
// another endpoint only prices and wording are taken over: a key goes to its own
// server only.
func (m *modelFlags) provider(a *app) (online.Provider, error) {
	var p online.Provider
	st, err := a.ifThere()
	if err != nil {
		return p, err
	}
	if st != nil {
		defer st.Close()
		if _, err := st.Setting(a.ctx, online.Setting, &p); err != nil {
			return p, err
		}
	}
	if m.Endpoint != "" {
		p = online.Provider{Prices: p.Prices, Template: p.Template}
		p.BaseURL = m.Endpoint
		for _, known := range remote.Presets() {
			if known.ID == m.Endpoint {
				p.Endpoint = known.Endpoint
			}
		}
	}
	if m.Model != "" && m.Model != p.Model {
		p.Model, p.Window = m.Model, 0
	}
	if m.KeyEnv != "" {
		p.Key = remote.KeyRef{Env: m.KeyEnv}
	}
	if m.Timeout > 0 {
		p.Timeout = m.Timeout
	}
	if m.ModelWindow.set {
		p.Window = m.ModelWindow.n
	}
	return p, nil
}

// enquiry is the JSON of what a model would be asked.
type enquiry struct {
	Host          string       `json:"host"`
	Model         string       `json:"model"`
	Window        int          `json:"window"`
	WindowAssumed bool         `json:"window_assumed"`
	Parts         int          `json:"parts"`
	Calls         int          `json:"calls"`
	Input         int          `json:"input"`
	Output        int          `json:"output_ceiling"`
	Price         *float64     `json:"price"`
	Currency      string       `json:"currency"`
	PriceDate     string       `json:"price_date"`
	Withheld      []string     `json:"withheld"`
	Texts         []model.Sent `json:"texts,omitempty"` // with --sent or --dry-run
}

func newEnquiry(e *session.Enquiry, texts bool) *enquiry {
	if e.Enquiry == nil {
		return nil
	}
	out := &enquiry{Host: e.Model.Host, Model: e.Model.Name, Parts: len(e.Questions),
		Calls: e.Calls, Input: e.Input, Output: e.Output}
	out.Window, out.WindowAssumed = e.Model.ContextWindow()
	if price, known := e.Price(); known {
		out.Price, out.Currency, out.PriceDate = &price, e.Model.Price.Currency, e.Model.Price.Date
	}
	out.Withheld = values(e.Withheld, func(w *session.Withheld) string {
		return fmt.Sprintf("message %d: %s %s (%d bytes, %.1f bits each), sent as %s",
			w.Num, w.Rule, redact.Mask(w.Secret), len(w.Secret), w.Entropy(), w.As)
	})
	if texts {
		for _, q := range e.Questions {
			out.Texts = append(out.Texts, model.Sent{Guard: q.Guard, Prompt: q.Prompt})
		}
	}
	return out
}

// print writes what compact would ask.
func (e *enquiry) print(a *app) {
	window := tokens(e.Window, false) + " tokens"
	if e.WindowAssumed {
		window += ", assumed: say it with --model-window"
	}
	rows := []string{"would ask\t" + e.Model + " at " + e.Host + " (window " + window + ")",
		fmt.Sprintf("\t%s, %s tokens in, at most %s out", plural(e.Calls, "call"), tokens(e.Input, true), tokens(e.Output, false))}
	if e.Price != nil {
		rows = append(rows, fmt.Sprintf("\tat most %.4f %s, by the price of %s", *e.Price, e.Currency, e.PriceDate))
	}
	table(a.out, rows...)
	a.printList("Not sent", e.Withheld)
	a.printSent("Would be sent", e.Texts)
}

// printSent prints texts as a model gets them.
func (a *app) printSent(title string, texts []model.Sent) {
	for i, t := range texts {
		fmt.Fprintf(a.out, "\n%s, %d of %d\n%s\n\n%s\n", title, i+1, len(texts), t.Guard, t.Prompt)
	}
}

// sending says what is about to leave the machine; beside JSON on the error output.
func (a *app) sending(e *session.Enquiry) {
	to := a.out
	if a.json {
		to = a.errOut
	}
	if e.Known == e.Calls {
		fmt.Fprintf(to, "Nothing is sent: %s at %s answered the same before, and its answer is kept.\n", e.Model.Name, e.Model.Host)
		return
	}
	text := fmt.Sprintf("Sending to %s at %s: ~%s tokens in %s, in %s.", e.Model.Name, e.Model.Host,
		thousands(e.Input), plural(e.Calls, "call"), plural(len(e.Questions), "part"))
	if e.Known > 0 {
		text += fmt.Sprintf(" Answered before, and not sent: %s.", plural(e.Known, "part"))
	}
	var order []string
	count := map[string]int{}
	for _, w := range e.Withheld {
		if w.Let {
			continue
		}
		if count[w.Rule] == 0 {
			order = append(order, w.Rule)
		}
		count[w.Rule]++
	}
	for i, rule := range order {
		order[i] = fmt.Sprintf("%s %s", thousands(count[rule]), rule)
	}
	if len(order) == 0 {
		order = []string{"nothing was found; a scan knows known shapes only"}
	}
	fmt.Fprintf(to, "%s Withheld: %s.\n", text, strings.Join(order, ", "))
}

// modelNext is what to do where a model could not be asked, behind why; "" for any other
// error.
func modelNext(err error) string {
	var f *remote.Failure
	if !errors.As(err, &f) {
		return ""
	}
	var dns *net.DNSError
	next := modelNexts[f.Kind]
	switch {
	case f.Kind != remote.Unreachable:
	case errors.Is(err, syscall.ECONNREFUSED):
		next = "Nothing listens at that address. " + next
	case errors.As(err, &dns):
		next = "The name of its host is not known, or there is no network. " + next
	}
	if next == "" {
		return ""
	}
	return ". " + next
}

var modelNexts = map[remote.Kind]string{
	remote.Unreachable:  "Start the server, or name another with --endpoint.",
	remote.Unauthorised: "Name the variable that holds the key with --key-env.",
	remote.NoModel:      "Check --model and --endpoint, which ends with /v1.",
	remote.TooLarge:     "Say how much the model takes with --model-window, and the range is sent in parts.",
	remote.Limited:      "Wait, then say the same again.",
	remote.TimedOut:     "Allow it more time with --timeout.",
	remote.ServerError:  "Say the same again later, or name another with --endpoint.",
}
