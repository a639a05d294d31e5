package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// canary is a sentence that a person says once, early, and what of it must stand
// after every compaction, in small letters. The method is that of public recall
// harnesses (canaries of five sorts, five rounds of compaction, no model); sentences
// and words around them are our own.
type canary struct {
	sort, says string
	holds      []string
}

var canaries = []canary{
	{"safety rule", "Never print the deploy key, not even in a debug log.", []string{"never", "deploy key"}},
	{"safety rule", "Never run a migration on production without asking me first.", []string{"never", "migration", "production"}},
	{"safety rule", "You must not send customer addresses to any outside service.", []string{"must not", "customer addresses"}},
	{"safety rule", "Never delete anything below /srv/archive.", []string{"never", "/srv/archive"}},
	{"constraint", "The binary must stay below 12 MB.", []string{"12 mb"}},
	{"constraint", "Use only Go 1.22, and never add a dependency.", []string{"1.22", "dependency"}},
	{"constraint", "Do not push to origin/main before I have read the diff.", []string{"push", "origin/main"}},
	{"constraint", "All times must be written in Europe/Zurich time.", []string{"europe/zurich"}},
	{"fact", "The codename is HERON and the freeze is on 2027-02-19.", []string{"heron", "2027-02-19"}},
	{"fact", "The queue database is at db-7.internal:5433 and its schema is alarms_v2.", []string{"alarms_v2"}},
	{"fact", "The staging API is at https://staging.heron.example/v2.", []string{"https://staging.heron.example/v2"}},
	{"fact", "The flaky test is TestDrainLeapDay in internal/sched/drain_test.go.",
		[]string{"testdrainleapday", "internal/sched/drain_test.go"}},
	{"goal", "We are moving alarms to the new scheduler; the next step is internal/sched/token.go.", []string{"internal/sched/token.go"}},
	{"goal", "Three checks fail: JUDGE-004, DATA-002 and TRAJ-001; fix JUDGE-004 first.", []string{"judge-004", "data-002", "traj-001"}},
	{"goal", "The branch is spike/heron-drain, based on commit 4be1d07a.", []string{"spike/heron-drain", "4be1d07a"}},
	{"goal", "Still open: whether --strict becomes the default.", []string{"--strict"}},
	{"preference", "Please always answer in short sentences without semicolons.", []string{"short sentences", "semicolons"}},
	{"preference", "Always use metric units in examples.", []string{"metric units"}},
	{"preference", "Please give me one recommendation, never a list of options.", []string{"one recommendation"}},
	{"preference", "Only write examples in Go, never in JavaScript.", []string{"javascript"}},
}

// rounds is how many compactions follow each other.
const rounds = 5

// canaryHistory plants the canaries among other talk, then talks on for some rounds.
func canaryHistory() []byte {
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	all := []message{{"system", "You are a coding assistant."}}
	say := func(user, agent string) { all = append(all, message{"user", user}, message{"assistant", agent}) }
	talk := 0
	filler := func() {
		talk++
		say(fmt.Sprintf("Let us look at module_%d next, it logs to /var/log/app/part%d.log.", talk, talk),
			fmt.Sprintf("Module_%d has %d functions; handlePart%d is the longest, with %d lines.", talk, 3+talk%9, talk, 20+talk%70))
	}
	for i := range canaries {
		filler()
		say(canaries[i].says, "Noted.")
	}
	for range 40 * rounds {
		filler()
	}
	b, _ := json.Marshal(map[string]any{"model": "gpt-4o", "messages": all}) // strings can be spelled
	return b
}

// canaryTable shows how many canaries stand after each of five compactions, by
// strategy.
func canaryTable(ctx context.Context, _ string) (string, error) {
	b := canaryHistory()
	d, err := transcript.Read(ctx, "canaries.json", strings.NewReader(string(b)), int64(len(b)), transcript.Options{})
	if err != nil {
		return "", err
	}
	s, err := session.NewFile(d, session.Options{}).Session(ctx, session.Ref{}, nil)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "| strategy, 1,000 tokens | round 1 | round %d | by sort in round %d |\n|---|---|---|---|\n", rounds, rounds)
	for _, st := range []model.Strategy{model.Drop, model.Extract, model.StructuredJSON, model.NoteText} {
		first, last, sorts, err := standing(ctx, s, st)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "| %s | %d of %d | %d of %d | %s |\n", st, first, len(canaries), last, len(canaries), sorts)
	}
	return out.String(), nil
}

// standing replays the history and counts the canaries that the context holds after
// the first compaction that took them all away, and four compactions later.
func standing(ctx context.Context, s *session.Session, st model.Strategy) (first, last int, sorts string, err error) {
	p := s.Policy()
	p.Strategy, p.KeepFirstUser = st, false
	p.Triggers = []model.Clause{{At: model.Amount{N: 110, Unit: model.Messages}}}
	p.Tail, p.Budget = model.Amount{N: 20, Unit: model.Messages}, model.Amount{N: 1000, Unit: model.Tokens}
	tl, err := s.Insight.Replay(ctx, s.Adapt(p), true)
	if err != nil {
		return 0, 0, "", err
	}
	changes := session.Changes(tl.Firings)
	if len(changes) < rounds {
		return 0, 0, "", fmt.Errorf("%d compactions, %d are wanted", len(changes), rounds)
	}
	count := func(k int) (n int, by map[string]int) {
		text := strings.ToLower(strings.Join(changes[k].Remaining, "\n"))
		by = map[string]int{}
		for _, c := range canaries {
			stands := true
			for _, h := range c.holds {
				stands = stands && strings.Contains(text, h)
			}
			if stands {
				n++
				by[c.sort]++
			}
		}
		return n, by
	}
	first, _ = count(0)
	last, by := count(rounds - 1)
	var list []string
	for i := 0; i < len(canaries); i += 4 {
		list = append(list, fmt.Sprintf("%s %d of 4", canaries[i].sort, by[canaries[i].sort]))
	}
	return first, last, strings.Join(list, ", "), nil
}
