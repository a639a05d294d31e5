package find

import (
	"context"
	"slices"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/query"
)

// Where is a thread that is searched.
type Where struct {
	File *session.File
	Ref  session.Ref
	*Searcher
}

// Plan returns what is known of the messages of a thread: the plan that says their
// fates, on the session it was made for.
type Plan func(ctx context.Context, ref session.Ref) (*session.Session, *compaction.Plan, error)

// File searches all threads of a file. plan is asked only for a query that needs it;
// see [Needs].
func File(ctx context.Context, f *session.File, m *query.Matcher, plan Plan, found func(Where, Found)) error {
	for ci, c := range f.Doc.Conversations {
		for ti, t := range c.Threads {
			w := Where{f, session.Ref{Conversation: ci, Thread: ti}, New(f.Doc, t)}
			var known func(int32) Known
			if Needs(m) {
				s, pl, err := plan(ctx, w.Ref)
				if err != nil {
					return err
				}
				known = KnownOf(s, pl)
			}
			if err := w.Each(ctx, m, known, func(x Found) { found(w, x) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// Needs reports whether a query asks for what only a counted session and a plan say.
func Needs(m *query.Matcher) bool {
	return m.Asks(query.Tokens) || m.Asks(query.Fate) || m.Asks(query.Is, "pinned", "live", "gone")
}

// KnownOf is what a session and its plan say of its messages.
func KnownOf(s *session.Session, pl *compaction.Plan) func(stored int32) Known {
	g := s.Ledger(pl, session.FullHistory)
	nums := numbers(s.Thread())
	put := map[int32]int{} // what a compaction put in: its entry in the live list
	for e := range pl.Line.Len() {
		if it := pl.Line.Item(e); it.Msg >= 0 && nums[it.Msg] == 0 {
			put[it.Msg] = e
		}
	}
	return func(stored int32) Known {
		k := Known{Tokens: s.Tokens(stored)}
		if e, ok := put[stored]; ok {
			k.Live = true
			k.Fate, _ = pl.FateAt(e)
		} else if h := nums[stored]; h > 0 {
			if at := g.RowOf(int(h) - 1); at >= 0 {
				r := g.Row(at)
				k.Live, k.Fate, k.Pinned = r.Live, r.Fate, r.Pinned
			}
		}
		return k
	}
}

// numbers are the numbers of the stored messages in the history, from 1; 0: not in it.
func numbers(t *model.Thread) []int32 {
	nums := make([]int32, len(t.Messages))
	for h, stored := range t.History {
		nums[stored] = int32(h + 1)
	}
	return nums
}

// lost searches what a record took out of the history: its originals, without what it
// kept. w is the thread that the record was made of.
func lost(ctx context.Context, w Where, rec *model.Record, m *query.Matcher, found func(Found)) error {
	went := map[int32]bool{}
	history := w.thread.History
	for _, r := range rec.Runs {
		if r.Taken() || r.Fate == model.Cleared.String() {
			for h := r.From; h < min(r.To, len(history)); h++ {
				went[history[h]] = true
			}
		}
	}
	return w.Each(ctx, m, nil, func(f Found) {
		if went[f.Stored] {
			found(f)
		}
	})
}

// Summary searches the summary and the key points of a record.
func Summary(rec *model.Record, m *query.Matcher, x *query.Scratch) (Found, bool) {
	parts := []model.Part{{Kind: model.PartText, Text: rec.Summary}}
	for _, k := range rec.KeyPoints {
		parts = append(parts, model.Part{Kind: model.PartText, Text: k})
	}
	sub := query.Subject{Summary: true, Live: !rec.Off, Fate: model.Added, Tokens: int(rec.After.Tokens)}
	hit, ok := m.Match(&sub, parts, x)
	f := Found{Stored: -1, Hit: hit}
	if ok && len(hit.Places) > 0 {
		f.Snippet = SnippetOf(x.First(), hit.Places)
	}
	return f, ok
}

// Num is the number of a message in its history, from 1; 0: it is not in it.
func (s *Searcher) Num(stored int32) int { return int(s.nums[stored]) }

// Message is a stored message.
func (s *Searcher) Message(stored int32) *model.Message { return &s.thread.Messages[stored] }

// Tools are the tools that a message calls, or the one it is the result of.
func (s *Searcher) Tools(stored int32) (list []string) {
	m := s.Message(stored)
	for _, c := range m.Calls {
		if !slices.Contains(list, c.Name) {
			list = append(list, c.Name)
		}
	}
	if m.Kind == model.KindResult {
		if name := s.thread.NameOf(stored, s.caller[stored]); name != "" {
			list = append(list, name)
		}
	}
	return list
}

// Facts are the values that occur in the thread, for completion. known is as for
// [Searcher.Each]; with among, only messages that it allows are counted.
func (s *Searcher) Facts(known func(stored int32) Known, among func(stored int32) bool) query.Facts {
	counts := query.Tally{}
	for i := range s.thread.Messages {
		stored := int32(i)
		if !s.searched(stored) || among != nil && !among(stored) {
			continue
		}
		countValues(counts, s.Message(stored), s.Tools(stored))
		if known != nil {
			k := known(stored)
			if k.Live {
				counts.Add(query.Fate, k.Fate.Letter())
			}
			counts.Is("live", k.Live)
			counts.Is("gone", !k.Live)
			counts.Is("pinned", k.Pinned || k.Live && k.Fate == model.Pinned)
		}
	}
	return counts.Facts()
}

// countValues counts what a message says of itself.
func countValues(counts query.Tally, m *model.Message, tools []string) {
	counts.Add(query.Role, m.Role.String())
	for _, t := range tools {
		counts.Add(query.Tool, t)
	}
	counts.Is("error", m.Error)
	counts.Is("typed", m.ByPerson())
	counts.Is("summary", m.Kind == model.KindSummary)
}

// ValuesOf are the values that occur in matches.
func ValuesOf(list []Match) query.Facts {
	counts := query.Tally{}
	for i := range list {
		if m := &list[i]; m.Msg != nil {
			countValues(counts, m.Msg, m.Tools)
		}
	}
	return counts.Facts()
}

// InRecord finds what a record took out of its history, in the originals that the
// store keeps; see [Lost].
func InRecord(ctx context.Context, st session.Store, rec *model.Record, m *query.Matcher) (list []Match, err error) {
	f, err := session.OpenOriginals(ctx, st, rec)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	ref := session.Ref{Conversation: rec.Conversation, Thread: rec.Thread}
	if !f.Has(ref) {
		return nil, nil
	}
	w := Where{f, ref, New(f.Doc, f.Doc.Conversations[ref.Conversation].Threads[ref.Thread])}
	err = lost(ctx, w, rec, m, func(x Found) { list = append(list, w.match(x)) })
	slices.SortFunc(list, func(a, b Match) int { return int(a.Stored - b.Stored) })
	return list, err
}
