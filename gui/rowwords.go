package gui

import (
	"strconv"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/words"
	"palimpsest/model"
)

func fateWord(f model.Fate) string { return words.T("fate." + f.String()) }

// reasonWords says why something is so. Numbers are whole ones with separators.
func reasonWords(r compaction.Reason) string {
	return words.T("reason."+r.Code, "n", r.N, "m", r.M, "count", r.N)
}

// fateReason is a fate with its reason: "kept: recent tail".
func fateReason(d *desk.Desk, r session.Row) string {
	if pl := d.Plan(); r.Kind == session.RowSummary && pl != nil {
		return words.T("row.why", "fate", fateWord(r.Fate), "reason", words.T("row.added", "count", pl.Removed.Messages))
	}
	if !r.Live {
		if r.Kind == session.RowFound {
			return ""
		}
		return words.T("row.past")
	}
	return fateBecause(r.Fate, r.Why)
}

// fateBecause is a fate with its reason, which may name the fate itself.
func fateBecause(f model.Fate, why compaction.Reason) string {
	switch why.Code {
	case "":
		return fateWord(f)
	case "range", "pinned", "cleared", "cleared-before":
		return reasonWords(why)
	}
	return words.T("row.why", "fate", fateWord(f), "reason", reasonWords(why))
}

// tokenCount writes a number of tokens in the way of the history looked at:
// with a tilde if such numbers are estimates there.
func tokenCount(d *desk.Desk, n int64) string {
	s := d.Session()
	return words.TokensOf(n, true, s != nil && !s.Estimated())
}

// whoSays is the speaker of a row and the tool a call names.
func whoSays(r session.Row) string {
	m := r.Msg
	switch {
	case r.Kind == session.RowFound:
		return words.T("row.found")
	case m == nil:
		return words.T("role.summary")
	case m.Step > 0 && m.Name != "":
		return words.T("row.step", "n", int(m.Step), "phase", phaseWord(m.Name))
	}
	who := speaker(m)
	if len(m.Calls) == 0 {
		return who
	}
	return who + " · " + callNames(m.Calls)
}

func speaker(m *model.Message) string {
	switch m.Kind {
	case model.KindSystem:
		return words.T("role.system")
	case model.KindAssistant:
		if m.Name != "" { // one of several agents that speak in one history
			return shortened(m.Name, 40)
		}
		return words.T("role.assistant")
	case model.KindResult:
		return words.T("role.result")
	case model.KindSummary:
		return words.T("role.summary")
	case model.KindUser:
		switch m.Origin {
		case model.OriginInjected:
			return words.T("role.context")
		case model.OriginObservation:
			return words.T("role.observation")
		}
		return words.T("role.user")
	}
	return words.T("role.other")
}

func phaseWord(name string) string {
	switch name {
	case "analysis":
		return words.T("phase.analysis")
	case "execution":
		return words.T("phase.execution")
	case "supervision":
		return words.T("phase.supervision")
	}
	return name
}

// callNames names the tools of parallel calls: "read_file ×3", "read_file +1".
func callNames(calls []model.Call) string {
	same := 0
	for _, c := range calls {
		if c.Name == calls[0].Name {
			same++
		}
	}
	s := calls[0].Name
	if same > 1 {
		s += " ×" + strconv.Itoa(same)
	}
	if n := len(calls) - same; n > 0 {
		s += " +" + strconv.Itoa(n)
	}
	return s
}

// rowTitle names a row in the head of the detail pane: "result of read_file".
func rowTitle(r session.Row) string {
	if r.Msg != nil && r.Msg.Kind == model.KindResult && r.Msg.Name != "" {
		return words.T("detail.resultOf", "tool", r.Msg.Name)
	}
	return whoSays(r)
}

// foundWords tells a compaction that the file holds: "160.4K → 44.0K · auto".
func foundWords(f *model.Found) string {
	number := func(n *int) string {
		if n == nil {
			return words.Unknown
		}
		return words.Tokens(int64(*n))
	}
	var parts []string
	if f.Clearing {
		parts = append(parts, words.T("row.clearing"))
	}
	if f.Before != nil || f.After != nil {
		parts = append(parts, number(f.Before)+" → "+number(f.After))
	} else {
		parts = append(parts, words.T("row.sizesUnknown"))
	}
	switch f.Cause {
	case "":
	case "auto", "automatic":
		parts = append(parts, words.T("cause.automatic"))
	case "manual":
		parts = append(parts, words.T("cause.manual"))
	default:
		parts = append(parts, f.Cause)
	}
	return strings.Join(parts, " · ")
}

// firstOf is the first words of a text without the heading of a summary.
func firstOf(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			continue
		}
		return line
	}
	return ""
}

// shortened cuts a text to so many characters.
func shortened(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// unitWord is a unit as it stands in a field.
func unitWord(u model.Unit) string { return words.T("unit." + string(u)) }

// countedWords is a number with its unit: "1 message", "20,000 tok".
func countedWords(n int64, u model.Unit) string { return words.T("amount."+string(u), "count", n) }

// amountWords is an amount with its unit.
func amountWords(a model.Amount) string {
	return countedWords(int64(a.N), a.Unit)
}

// rangeWords is 1-based inclusive numbers of half-open ranges: "3, 17–20".
func rangeWords(list []model.Range) string {
	parts := make([]string, len(list))
	for i, r := range list {
		parts[i] = spanWords(r.From+1, r.To)
	}
	return strings.Join(parts, ", ")
}

// spanWords is a span of message numbers, both ends included.
func spanWords(from, to int) string {
	if from >= to {
		return words.Int(int64(from))
	}
	return words.Int(int64(from)) + "–" + words.Int(int64(to))
}
