package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/internal/realdata"
	"palimpsest/model"
)

// The second measure of needs: its vocabulary, the needs that a person labelled, and
// what the shipped ledger comes to.

func mainThreads(t *model.Thread) bool { return t.Kind == model.ThreadMain && len(t.History) > 20 }

// longEnough reports whether a session is judged.
func longEnough(s *session.Session) bool {
	total := 0
	for i := range s.Thread().History {
		total += s.Tokens(s.Thread().History[i])
	}
	return float64(total)/s.Counter().Factor() >= leastTokens
}

// measured replays a session under the setting of the measure.
func measured(ctx context.Context, s *session.Session, strategy model.Strategy, budget int) (*replay.Timeline, error) {
	p := s.Policy()
	p.Strategy, p.Window = strategy, 1<<30
	p.Triggers = []model.Clause{{At: model.Amount{N: 32000, Unit: model.Tokens}, Over: true}}
	p.Tail, p.Budget = model.Amount{N: 8000, Unit: model.Tokens}, model.Amount{N: budget, Unit: model.Tokens}
	return s.Insight.Replay(ctx, s.Adapt(p), true)
}

// firingsOf are the firings of that replay; the facts of the session are indexed.
func firingsOf(ctx context.Context, s *session.Session, strategy model.Strategy, budget int) ([]facts.Change, error) {
	tl, err := measured(ctx, s, strategy, budget)
	if err != nil {
		return nil, err
	}
	_, err = s.Insight.Facts(ctx, nil)
	return session.Changes(tl.Firings), err
}

// How many projects a fact, and a segment of a name, occurs in from which on it is
// public.
const projectsOfFact, projectsOfSegment = 3, 2

var dotted = regexp.MustCompile(`^[\w$]+(\.[\w$]+)*$`)

// vocabulary makes compaction/facts/public.txt from the sessions that something is
// fitted to.
func vocabulary(ctx context.Context, root string) (string, error) {
	inFacts, inSegments := map[string]map[string]bool{}, map[string]map[string]bool{}
	note := func(of map[string]map[string]bool, text, project string) {
		if of[text] == nil {
			of[text] = map[string]bool{}
		}
		of[text][project] = true
	}
	err := each(ctx, root, mainThreads, func(name, project string, s *session.Session) error {
		if realdata.Frozen(name) || !longEnough(s) {
			return nil
		}
		x, err := s.Insight.Facts(ctx, nil)
		if err != nil {
			return err
		}
		for id := range x.Len() {
			f := x.Fact(facts.ID(id))
			text := strings.Join(strings.Fields(f.Text), " ")
			if f.Kind != facts.Number && f.Kind != facts.Quoted {
				note(inFacts, text, project)
			}
			var parts []string
			switch {
			case dotted.MatchString(text):
				parts = strings.Split(text, ".")
			case f.Kind == facts.Command:
				parts = strings.Fields(text)
			}
			for _, part := range parts {
				note(inSegments, part, project)
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	common := func(of map[string]map[string]bool, least int) (list []string) {
		for text, projects := range of {
			if len(projects) >= least {
				list = append(list, text)
			}
		}
		slices.Sort(list)
		return list
	}
	text := fmt.Sprintf("version 1: facts in %d projects, segments of names and words of commands in %d\n%s\n\n%s\n",
		projectsOfFact, projectsOfSegment,
		strings.Join(common(inFacts, projectsOfFact), "\n"), strings.Join(common(inSegments, projectsOfSegment), "\n"))
	return text, os.WriteFile(filepath.Join("compaction", "facts", "public.txt"), []byte(text), 0o644)
}

// sampled is how many of a million needs are drawn for labels.
const sampled = 9000

// drawn reports whether a need is among those that are labelled.
func drawn(name string, firing int, f facts.Fact) bool {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%d\x00%d\x00%s", name, firing, f.Kind, f.Text)
	return h.Sum64()%1e6 < sampled
}

// labelKey is a need as testdata/needs.tsv names it.
func labelKey(name string, firing, use int, f facts.Fact) string {
	return fmt.Sprintf("%s\t%d\t%d\t%v\t%s", name, firing, use, f.Kind, strings.Join(strings.Fields(f.Text), " "))
}

// draw prints needs with what is around their uses, to be labelled by a person.
func draw(ctx context.Context, root string) (string, error) {
	var b strings.Builder
	err := each(ctx, root, mainThreads, func(name, _ string, s *session.Session) error {
		if !longEnough(s) {
			return nil
		}
		changes, err := firingsOf(ctx, s, model.Drop, 1000)
		if err != nil {
			return err
		}
		for k := range changes {
			for _, u := range s.Insight.KnownFacts().UsedAfter(changes, k) {
				if u.Strict() && drawn(name, k, u.Fact) {
					fmt.Fprintf(&b, "%s\n\tuse:  %s\n\tlast: %s\n", labelKey(name, k, u.Uses[0], u.Fact), around(s, u.Uses[0], u.Fact),
						around(s, u.Last, u.Fact))
				}
			}
		}
		return nil
	})
	return b.String(), err
}

// around is the text of a message around a fact.
func around(s *session.Session, at int, f facts.Fact) string {
	const room = 110
	if at < 0 {
		return "(a summary)"
	}
	m := &s.Thread().Messages[s.Thread().History[at]]
	parts, _ := s.File().Doc.Parts(m)
	for _, p := range parts {
		if i := strings.Index(p.Text, f.Text); i >= 0 {
			text := p.Text[max(0, i-room):min(len(p.Text), i+len(f.Text)+room)]
			return fmt.Sprintf("%v %v %s: %s", m.Kind, p.Kind, p.Name, strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " "))
		}
	}
	return m.Kind.String()
}

// second is the table of the second measure: the shipped engine at 1,000 tokens.
func second(ctx context.Context, root string) (string, error) {
	type columns struct {
		needs, left                            int
		first, second, tokens, orders, lastOne mean
		open                                   facts.Recall // pooled: few sessions have such lists
	}
	projects := map[string]*columns{}
	all := &columns{}
	err := each(ctx, root, mainThreads, func(name, project string, s *session.Session) error {
		if !longEnough(s) {
			return nil
		}
		changes, err := firingsOf(ctx, s, model.Ledger, 1000)
		if err != nil {
			return err
		}
		x := s.Insight.KnownFacts()
		first, n := x.NeededLater(changes), x.NeededSecond(changes, s.Insight.Surroundings())
		if n.Needs < leastNeeds {
			return nil
		}
		if projects[project] == nil {
			projects[project] = &columns{}
		}
		for _, c := range []*columns{all, projects[project]} {
			c.needs, c.left = c.needs+n.Needs, c.left+n.LeftOut
			c.first.add(first.Share())
			c.second.add(n.Share())
			c.tokens.add(n.Tokens.Share())
			if r := x.StandingOrders(changes); r.Needs > 0 {
				c.orders.add(r.Share())
			}
			if n.LastSaid.Needs > 0 {
				c.lastOne.add(n.LastSaid.Share())
			}
			c.open.Needs, c.open.Met = c.open.Needs+n.Open.Needs, c.open.Met+n.Open.Met
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| sessions of | n | needs | left out | first measure | second measure | weighted by tokens | standing orders " +
		"| last errors and decisions | open to-dos |\n|---|---|---|---|---|---|---|---|---|---|\n")
	row := func(name string, c *columns) {
		fmt.Fprintf(&b, "| %s | %.0f | %d | %d | %v | %v | %v | %v | %v | %d of %d |\n", name, c.second.n, c.needs, c.left,
			c.first, c.second, c.tokens, c.orders, c.lastOne, c.open.Met, c.open.Needs)
	}
	row("**all**", all)
	for _, p := range slices.Sorted(keys(projects)) {
		row(p, projects[p])
	}
	return b.String(), nil
}
