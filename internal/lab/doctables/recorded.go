package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/model"
)

// lookAlikes compares the compactions that the sessions hold with those of the
// look-alike of the engine that made them.
func lookAlikes(ctx context.Context, root string) (string, error) {
	list, err := threads(ctx, root, func(t *model.Thread) bool { return len(t.Found) > 0 })
	if err != nil {
		return "", err
	}
	list = slices.DeleteFunc(list, func(t thread) bool {
		// What was compacted is not in a file with fewer messages.
		const excerpt = 50
		return strings.HasPrefix(t.name, "malformed/") || len(t.Thread().History) < excerpt // or damaged copies of another
	})
	var b strings.Builder
	b.WriteString("| session, messages | model limit | recorded: before message | tokens | replayed: before message " +
		"| tokens | apart | difference |\n|---|---|---|---|---|---|---|---|\n")
	for _, t := range list {
		rows, err := besides(ctx, t)
		if err != nil {
			return "", fmt.Errorf("%s: %w", t.name, err)
		}
		b.WriteString(rows)
	}
	return b.String(), nil
}

func besides(ctx context.Context, t thread) (string, error) {
	var b strings.Builder
	n := len(t.Thread().History)
	like, known := t.LookAlike()
	if !known { // the file names no engine
		return "", nil
	}
	tl, err := t.Insight.Replay(ctx, t.Adapt(like.Policy), false)
	if err != nil {
		return "", err
	}
	window := "unknown"
	if w := t.Window().Tokens; w > 0 {
		window = thousands(int64(w))
	}
	list := t.PairRecorded(tl)
	alone := map[int]bool{} // firings without a counterpart
	for k := range tl.Firings {
		alone[k] = true
	}
	for i, r := range list {
		who, at := "", ""
		if i == 0 {
			who = fmt.Sprintf("%s, %s", t.name, thousands(int64(n)))
			at = window
		}
		replayed, sizes, apart := "–", "–", "–"
		if r.Firing >= 0 {
			f := tl.Firings[r.Firing]
			delete(alone, r.Firing)
			replayed = thousands(int64(f.At + 1))
			sizes = fmt.Sprintf("~%s → ~%s", thousands(f.Before.Tokens), thousands(f.After.Tokens))
			apart = fmt.Sprintf("%+d", f.At-r.At)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s → %s | %s | %s | %s | %s |\n", who, at, place(r), figure(r.Before), figure(r.After),
			replayed, sizes, apart, why(t, tl, r))
	}
	for k, f := range tl.Firings {
		if alone[k] {
			fmt.Fprintf(&b, "| | | – | | %s | ~%s → ~%s | | the preset fires there, the file records nothing |\n",
				thousands(int64(f.At+1)), thousands(f.Before.Tokens), thousands(f.After.Tokens))
		}
	}
	return b.String(), nil
}

func place(r session.Recorded) string {
	text := thousands(int64(r.At + 1))
	switch {
	case r.Clearing:
		text += ", results cleared"
	case r.Cause != "":
		text += ", " + r.Cause
	}
	return text
}

// figure is a size and where it was found: in the record of the compaction, or in
// the usage of the call next to it.
func figure(f session.Figure) string {
	switch f.From {
	case session.OfBoundary:
		return thousands(f.Tokens)
	case session.OfUsage:
		return thousands(f.Tokens) + " (usage)"
	}
	return "not recorded"
}

// why names the causes of a difference that the file and the replay show.
func why(t thread, tl *replay.Timeline, r session.Recorded) string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	window := int64(t.Window().Tokens)
	switch {
	case r.Clearing:
		return "the preset does not clear"
	case r.Cause == "manual":
		say("a person asked for it")
	case window > 0 && r.Before.Tokens > 0 && len(tl.Policy.Triggers) > 0:
		say("engine at %.1f %%, preset at %s", 100*float64(r.Before.Tokens)/float64(window), trigger(tl.Policy))
	}
	if n := cleared(t, r.At); n > 0 {
		say("the engine had cleared ~%s tokens of results", thousands(n))
	}
	if r.Firing < 0 {
		switch {
		case window == 0:
			say("no model limit, so no share of it")
		case tl.Totals.Largest > 0:
			say("the largest call is ~%s", thousands(tl.Totals.Largest))
		default:
			say("the file holds no call to replay")
		}
		return strings.Join(out, "; ")
	}
	f := tl.Firings[r.Firing]
	if r.Before.Tokens > 0 && t.Calibration().Calls == 0 {
		say("sizes are estimated without usage figures")
	}
	if r.After.Tokens > 0 {
		say("afterwards %s", signed(f.After.Tokens-r.After.Tokens))
	}
	return strings.Join(out, "; ")
}

// cleared is by how much the reported input fell before a position without a
// compaction that the file records: from one call to the next by a tenth or more.
func cleared(t thread, before int) (sum int64) {
	last := int64(0)
	found := t.Thread().Found
	for _, q := range t.Curve(0) {
		if q.History >= before {
			break
		}
		for len(found) > 0 && found[0].At <= q.History {
			if !found[0].Clearing {
				sum, last = 0, 0
			}
			found = found[1:]
		}
		if q.Recorded == 0 {
			continue
		}
		if fall := last - q.Recorded; fall*10 >= last {
			sum += max(0, fall)
		}
		last = q.Recorded
	}
	return sum
}

func trigger(p model.Policy) string {
	var out []string
	for _, c := range p.Triggers {
		if c.Share > 0 {
			out = append(out, fmt.Sprintf("%.4g %%", 100*c.Share))
			continue
		}
		out = append(out, fmt.Sprintf("%s %s", thousands(int64(c.At.N)), c.At.Unit))
	}
	return strings.Join(out, " or ")
}

func signed(n int64) string {
	if n > 0 {
		return "+" + thousands(n)
	}
	return thousands(n)
}

// thousands writes a number in groups of three digits.
func thousands(n int64) string {
	if n < 0 {
		return "−" + thousands(-n)
	}
	s := fmt.Sprint(n)
	for k := len(s) - 3; k > 0; k -= 3 {
		s = s[:k] + "," + s[k:]
	}
	return s
}
