package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math"
	"path/filepath"
	"slices"

	"palimpsest/compaction/facts"
	"palimpsest/model"
	"palimpsest/model/tokens"
	"palimpsest/model/transcript"
)

// band is which sessions take part, by their tokens: from more than over, to most.
type band struct{ over, most int }

// leastTokens is the length from which a session takes part in the fit.
const leastTokens = 60000

var long = band{leastTokens, math.MaxInt}

// count counts tokens with one encoding for all sessions, so that their budgets
// are the same.
func count(s string) int {
	if len(s) > longText {
		return tokens.Count(tokens.O200k, s)
	}
	n, ok := counted[s]
	if !ok {
		n = tokens.Count(tokens.O200k, s)
		counted[s] = n
	}
	return n
}

// counted remembers the counts of facts, which every ledger asks for again.
var counted = map[string]int{}

// session is the main thread of one conversation.
type session struct {
	name   string
	index  *facts.Index
	kinds  []model.Kind
	tokens []int
	system int // length of the leading run of system messages
	total  int
	texts  map[uint64]bool // hashes of the long texts, by which the same talk is known in another file
}

// load opens the sessions of a folder that are long enough. What can't be read
// is left out: the folder holds damaged files too. So is a session that is there
// already in another format: it would be judged by weights fitted to itself.
func load(ctx context.Context, root string, lengths band) ([]*session, error) {
	var out []*session
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		doc, err := transcript.Open(ctx, path, transcript.Options{})
		if err != nil {
			return ctx.Err()
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if path == root {
			name = filepath.Base(path)
		}
		for c, conversation := range doc.Conversations {
			if conversation.Main() == nil {
				continue
			}
			s := &session{name: filepath.ToSlash(name), texts: map[uint64]bool{}}
			if len(doc.Conversations) > 1 {
				s.name += fmt.Sprintf("#%d", c+1)
			}
			if err := s.read(ctx, doc, conversation.Main(), lengths); err == nil && s.index != nil && !slices.ContainsFunc(out, s.same) {
				out = append(out, s)
			}
		}
		return ctx.Err()
	})
	return out, err
}

// read counts a thread and, if it is as long as asked for, indexes it.
func (s *session) read(ctx context.Context, doc *model.Document, th *model.Thread, lengths band) error {
	message := func(i int) (facts.Message, error) {
		m := &th.Messages[th.History[i]]
		parts, err := doc.Parts(m)
		return facts.Message{Author: facts.AuthorOf(m), Parts: parts}, err
	}
	for i := range th.History {
		m, err := message(i)
		if err != nil {
			return err
		}
		n := 0
		for _, p := range m.Parts {
			n += count(p.Text)
			if len(p.Text) >= longText {
				h := fnv.New64a()
				h.Write([]byte(p.Text))
				s.texts[h.Sum64()] = true
			}
		}
		s.tokens = append(s.tokens, n)
		s.total += n
		s.kinds = append(s.kinds, th.Messages[th.History[i]].Kind)
	}
	for s.system < len(s.kinds) && s.kinds[s.system] == model.KindSystem {
		s.system++
	}
	if s.total <= lengths.over || s.total > lengths.most {
		return nil
	}
	var err error
	s.index, err = facts.Build(ctx, len(th.History), message)
	return err
}

// longText is the length in bytes from which a text is hardly in two sessions by
// chance.
const longText = 200

// same reports whether two sessions are one talk: half of the long texts of one
// occur in the other.
func (s *session) same(o *session) bool {
	common := 0
	for h := range s.texts {
		if o.texts[h] {
			common++
		}
	}
	return common > 0 && 2*common >= min(len(s.texts), len(o.texts))
}

// setting is when a session is compacted, in tokens.
type setting struct{ trigger, tail int }

// measured is the setting of the measure: a window of 40,000 at 80 %.
var measured = setting{32000, 8000}

// replay fires before the agent's messages as soon as the context reaches the
// trigger; all before the tail goes. text returns the text that replaces everything that
// ever went; it is taken to fill its budget.
func (s *session) replay(set setting, budget int, text func(k int, c facts.Change) string) []facts.Change {
	var firings []facts.Change
	fixed := 0
	for i := range s.system {
		fixed += s.tokens[i]
	}
	cut, used := s.system, fixed
	for i := s.system; i < len(s.kinds); i++ {
		if s.kinds[i] == model.KindAssistant && used >= set.trigger {
			at, kept := i, 0
			for at > cut && (kept < set.tail || s.kinds[at] == model.KindResult) {
				at--
				kept += s.tokens[at]
			}
			if at > cut {
				cut = at
				c := facts.Change{At: i, Removed: []model.Range{{From: s.system, To: cut}},
					Kept: []model.Range{{From: 0, To: s.system}, {From: cut, To: i}}}
				if made := text(len(firings), c); made != "" {
					c.Remaining = []string{made}
				}
				firings = append(firings, c)
				used = fixed + kept + budget
			}
		}
		used += s.tokens[i]
	}
	return firings
}

func nothing(int, facts.Change) string { return "" }

// recall is what a text maker meets of the needs.
func (s *session) recall(budget int, text func(int, facts.Change) string) facts.Recall {
	return s.index.NeededLater(s.replay(measured, budget, text)).Recall
}

// oracle is what the best list could meet.
func (s *session) oracle(budget int) facts.Recall {
	return oracle(s.index, s.replay(measured, budget, nothing), budget, count)
}

// ledger makes ledgers by the rule.
func (s *session) ledger(budget int) func(int, facts.Change) string {
	lister := s.index.Lister(count)
	return func(_ int, c facts.Change) string {
		return lister.Ledger(facts.LedgerRequest{At: c.At, Removed: c.Removed, Kept: c.Kept, Budget: budget})
	}
}
