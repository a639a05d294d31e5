package cli

import (
	"fmt"

	"palimpsest/compaction/session"
	"palimpsest/model"
)

// evidence is what the sizes of a thread rest on: the context window and where it is
// from, what no message holds, and how our estimate meets the last reported call.
type evidence struct {
	Window    int              `json:"context_window"`
	From      string           `json:"context_window_from"` // set, file, calls, table, unknown
	Why       string           `json:"context_window_why"`
	Suggested *suggestedWindow `json:"suggested_window"` // by recorded automatic compactions; null: none, or what is known
	Beyond    beyondMessages   `json:"beyond_messages"`
	Check     *checkInfo       `json:"check"` // null: no call is reported
}

type suggestedWindow struct {
	Tokens    int   `json:"tokens"`
	Compacted int64 `json:"compacted_at"`
}

// beyondMessages is what the last call holds beyond the messages of the file.
type beyondMessages struct {
	System int64  `json:"system"` // system prompt and tools; 0: not known
	Unseen int64  `json:"unseen"` // earlier history and what else is not in the file; below 0: less was sent than the file holds
	Split  string `json:"split"`  // the evidence by which both were distinguished: "", compaction, usual, unknown
}

// checkInfo compares the last reported call with our estimate of it.
type checkInfo struct {
	Message   int     `json:"message"` // history index of its answer
	Reported  int64   `json:"reported"`
	Estimated int64   `json:"estimated"`
	Off       float64 `json:"off"`      // share of what is reported
	Sentence  string  `json:"sentence"` // "" up to 20 %
	Cause     string  `json:"cause,omitempty"`
	From      *int    `json:"from,omitempty"` // history index from which both differ
}

// evidenceOf collects it for a thread under a policy.
func evidenceOf(s *session.Session, p model.Policy) evidence {
	w, fit := s.Window().Under(p), s.Calibration()
	e := evidence{Window: w.Tokens, From: string(w.From), Why: w.Why(),
		Beyond: beyondMessages{System: int64(p.Fixed), Unseen: fit.UnseenAt(s.At()), Split: string(fit.Split)}}
	if w.Suggested > 0 && w.Suggested != w.Tokens {
		e.Suggested = &suggestedWindow{w.Suggested, w.Compacted}
	}
	if c := s.CrossCheck(p.Fixed); c.At >= 0 {
		e.Check = &checkInfo{Message: c.At, Reported: c.Reported, Estimated: c.Estimated, Off: c.Off(), Sentence: c.String()}
		if c.Loud() {
			e.Check.Cause, e.Check.From = string(c.Cause.Code), &c.From
		}
	}
	return e
}

// rows are the evidence as lines of a table.
func (e *evidence) rows() []string {
	size := "?"
	if e.Window > 0 {
		size = thousands(e.Window)
	}
	why := e.Why
	if s := e.Suggested; s != nil {
		why += fmt.Sprintf("; it compacted by itself at %s: --model-limit %d?", thousands(s.Compacted), s.Tokens)
	}
	rows := []string{row("model limit", size, why)}
	b := e.Beyond
	if b.System > 0 {
		how := "system prompt and tools, on top: fitted to reported usage"
		if b.Split == string(session.SplitUsual) {
			how = "system prompt and tools, on top: the usual size for this program"
		}
		rows = append(rows, row("fixed part", tokens(b.System, true), how))
	}
	switch {
	case b.Unseen > 0 && b.Split == string(session.SplitUnknown):
		rows = append(rows, row("not in the file", tokens(b.Unseen, true),
			"system prompt, tools and earlier history, on top: nobody can compact it here"))
	case b.Unseen > 0 && b.Split != "":
		rows = append(rows, row("not in the file", tokens(b.Unseen, true),
			"earlier history, on top: the session began elsewhere; nobody can compact it here"))
	case b.Unseen > 0:
		rows = append(rows, row("not in the file", tokens(b.Unseen, true), "on top: files shown again, hidden reasoning"))
	case b.Unseen < 0:
		rows = append(rows, row("no longer sent", tokens(-b.Unseen, true), "less: the file does not say what"))
	}
	return rows
}

// printCheck prints the cross-check where it must be said aloud.
func (a *app) printCheck(e *evidence) {
	if e.Check != nil && e.Check.Sentence != "" {
		fmt.Fprintln(a.out, "Warning: "+e.Check.Sentence+".")
	}
}
