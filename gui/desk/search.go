package desk

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/find"
	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/query"
)

// searching is what the filter of the rows asks for, and what was found. A query is
// answered in two parts: what is asked of texts is looked for in the background and
// kept, what is asked of fates, tokens and the like follows every plan at once.
//
//	filter text ─Parse─┬─ of texts ── find.Searcher, "search" ──▶ found ─┐
//	                   └─ of rows ──────────────────────────────────────┴▶ rows
type searching struct {
	query   query.Query
	err     *query.Error
	rows    *query.Matcher // what can be asked of a row at once
	clauses bool           // rows asks for something
	texts   *query.Matcher // what is looked for in texts; nil: nothing
	lit     *regexp.Regexp // the words of the query, for marking
	asked   string         // texts, as it is spelled
	thread  *model.Thread  // that found and in are of
	in      *find.Searcher // made once; nil: not yet
	found   findings
	places  int // of all rows that were found
	running bool
	callers []int32 // by stored message of thread: the message of the call that it answers
	saved   []string
	loaded  bool
	gen     *int   // the search of all sessions that counts
	again   bool   // the index is to be looked at again
	indexed [2]int // files of the index that are up to date, of how many; 0, 0: not known
	peeked  peek

	counted   asked
	facts     query.Facts
	narrow    []query.Offer
	without   Without
	withoutOf string // the text that was looked at
}

// findings is what was found of each stored message; nil: nothing was looked for. Those
// without a place of their own are nil.
type findings []*find.Found

// of is what was found in a stored message; nil: nothing.
func (f findings) of(stored int32) *find.Found {
	if stored < 0 || int(stored) >= len(f) {
		return nil
	}
	return f[stored]
}

// savedFilters is the setting with the filters that are kept.
const savedFilters = "filters"

// parse takes up the text of a filter. A text that is no query yet asks for what its
// beginning asks for.
func (s *searching) parse(text string) {
	q, err := query.Parse(text)
	s.query, s.err = q, nil
	errors.As(err, &s.err)
	var rows, texts query.Query
	for _, t := range q.Terms {
		switch {
		case t.Kind != query.Clause, t.Key == query.Has, t.Key == query.In, t.Key == query.File, t.Key == query.Match:
			texts.Terms = append(texts.Terms, t)
		default:
			rows.Terms = append(rows.Terms, t)
		}
	}
	s.rows, s.clauses, s.lit = query.Compile(rows), !rows.Empty(), q.Expression()
	if asked := texts.String(); s.asked != asked { // else what runs answers this query, too
		s.asked, s.texts, s.found, s.running = asked, nil, nil, false
		if !texts.Empty() {
			s.texts = query.Compile(texts)
		}
	}
}

// fate is the one fate that a query asks for: its index in model.Fates plus 1; 0: none, or
// several.
func (s *searching) fate() int {
	for _, t := range s.query.Terms {
		if t.Kind == query.Clause && t.Key == query.Fate && !t.Not && len(t.Values) == 1 {
			return slices.IndexFunc(model.Fates[:], func(f model.Fate) bool { return f.Letter() == t.Values[0].Text }) + 1
		}
	}
	return 0
}

// withFate is a filter text that asks for one fate, or for none.
func withFate(text string, was, fate int) string {
	q, _ := query.Parse(text)
	if was > 0 {
		q = q.Without(query.Fate, model.Fates[was-1].Letter())
	}
	if fate > 0 {
		q = q.With(query.Fate, model.Fates[fate-1].Letter(), false)
	}
	return q.String()
}

// on forgets what belongs to another thread.
func (s *searching) on(t *model.Thread) {
	if s.thread != t {
		s.thread, s.callers, s.found, s.in = t, nil, nil, nil
	}
}

// toolOf is the tool that a stored message is a result of.
func (s *searching) toolOf(t *model.Thread, stored int32) string {
	if s.on(t); s.callers == nil {
		s.callers = session.Callers(t)
	}
	return t.NameOf(stored, s.callers[stored])
}

// subject is a row as a query asks about it.
func (s *searching) subject(t *model.Thread, r *session.Row) query.Subject {
	x := query.Subject{Num: r.Num, Msg: r.Msg, Tokens: r.Tokens, Live: r.Live, Fate: r.Fate, Pinned: r.Pinned,
		Summary: r.Msg == nil || r.Msg.Kind == model.KindSummary}
	if r.Msg != nil {
		x.Tool = s.toolOf(t, r.Stored)
	}
	return x
}

// refilter lists the rows that pass, and has texts looked through where that is asked
// for and not done.
func (d *rowList) refilter() {
	d.rows, d.hits, d.search.places = nil, nil, 0
	s := d.desk.Session()
	if s == nil {
		d.search.on(nil)
		return
	}
	d.search.on(s.Thread())
	if d.filter == (Filter{}) || d.ledger == nil {
		return
	}
	d.rows = []int{}
	var x query.Scratch
	for i := range d.ledger.Len() {
		if places, ok := d.passes(s, i, &x); ok {
			d.rows = append(d.rows, i)
			d.search.places += places
		}
	}
	d.hits = d.rows
	switch {
	case d.filter.Around == HitsNear:
		d.rows = withNear(d.hits, d.ledger.Len())
	case d.filter.Around == HitsInAll && d.filter.Sort != AsSaid:
		d.rows = make([]int, d.ledger.Len())
		for i := range d.rows {
			d.rows[i] = i
		}
	case d.filter.Around == HitsInAll:
		d.rows = nil
	case d.filter.Sort != AsSaid:
		d.rows = slices.Clone(d.hits)
	}
	sortRows(d.rows, d.ledger, d.filter.Sort)
	if d.search.texts != nil && d.search.found == nil && !d.search.running {
		d.searchTexts(s)
	}
	d.searchWithout(s)
}

// sortRows puts rows of a ledger, which are in its order, into another.
func sortRows(rows []int, l *session.Ledger, by Sort) {
	switch by {
	case Largest:
		slices.SortStableFunc(rows, func(a, b int) int { return l.Row(b).Tokens - l.Row(a).Tokens })
	case ByWho:
		who := make(map[int]string, len(rows))
		for _, i := range rows {
			who[i] = spoken(l.Row(i))
		}
		slices.SortStableFunc(rows, func(a, b int) int { return strings.Compare(who[a], who[b]) })
	}
}

// spoken is what rows are ordered by when they are ordered by who speaks.
func spoken(r session.Row) string {
	if r.Msg == nil {
		return "~" // after all that somebody said
	}
	said := fmt.Sprint(r.Msg.Kind, " ", r.Msg.Name)
	for _, c := range r.Msg.Calls {
		said += " " + c.Name
	}
	return said
}

// withNear are hits among so many rows, with the rows around each.
func withNear(hits []int, all int) []int {
	rows, next := []int{}, 0
	for _, h := range hits {
		for next = max(next, h-near); next < min(h+near+1, all); next++ {
			rows = append(rows, next)
		}
	}
	return rows
}

// passes reports whether a row meets the query, and how many places of it are known.
// While texts are being looked through, those found so far pass.
func (d *rowList) passes(s *session.Session, i int, x *query.Scratch) (places int, ok bool) {
	r := d.ledger.Row(i)
	switch {
	case r.Kind == session.RowDamaged, r.Kind == session.RowFound && (r.Stored < 0 || holds(d.desk.Planning.Plan().Line, r.Stored)):
		return 0, false // no message, or one with a row of its own
	case r.Kind == session.RowFound:
		r.Msg, r.Tokens = &s.Thread().Messages[r.Stored], s.Tokens(r.Stored)
	case r.Stored >= 0 && r.Num == 0 && r.Msg.Kind != model.KindSummary && !d.search.rows.Asks(query.Fate):
		return 0, false // a copy that a compaction put in: it is found where it was
	}
	if d.search.texts != nil && r.Stored >= 0 { // most rows end here
		f := d.search.found.of(r.Stored)
		if f == nil {
			return 0, false
		}
		places = f.Count
	}
	if d.search.clauses {
		if sub := d.search.subject(s.Thread(), &r); !d.search.rows.May(&sub) {
			return 0, false
		}
	}
	if d.search.texts == nil || r.Stored >= 0 {
		return places, true
	}
	_, hit, ok := inSummary(d, s, &r, x)
	return hit.Count, ok
}

// inSummary looks for the texts of the query in a summary that no message has.
func inSummary(d *rowList, s *session.Session, r *session.Row, x *query.Scratch) (text string, hit query.Hit, ok bool) {
	text = summaryText(d.desk, s, r)
	hit, ok = d.search.texts.Match(new(d.search.subject(s.Thread(), r)), []model.Part{{Text: text}}, x)
	return text, hit, ok
}

// summaryText is the text of a summary that is not in the file: a record's, or the one
// that the plan would make.
func summaryText(d *Desk, s *session.Session, r *session.Row) string {
	if r.Record != "" {
		return s.SummaryText(r.Record)
	}
	if draft := d.DraftSet.Draft(); r.Kind == session.RowSummary && draft != nil {
		return draft.Text.Text
	}
	return ""
}

// holds reports whether a stored message is in a list.
func holds(l *compaction.Line, stored int32) bool {
	for e := range l.Len() {
		if l.Item(e).Msg == stored {
			return true
		}
	}
	return false
}

// partly is how often what was found so far is shown while a search runs: showing it
// takes a core from the search.
const partly = 150 * time.Millisecond

// searchTexts searches the texts in the background and shows hits as they come, the
// first at once.
func (d *rowList) searchTexts(s *session.Session) {
	m, t := d.search.texts, s.Thread()
	d.search.running = true
	doc, in := s.File().Doc, d.search.in
	show := func(list findings) {
		if d.search.texts == m && d.search.thread == t {
			d.search.found = list
		} else if d.search.running {
			return // another one was begun
		}
		num := d.selectedNum()
		d.refilter() // which begins anew where the history was counted or grew meanwhile
		d.reselect(num)
		d.Notify(TopicPlan, TopicSelect)
	}
	type result struct {
		in   *find.Searcher
		list findings
	}
	sched.Run(d.Sched, "search", func(ctx context.Context, _ func(sched.Progress)) (result, error) {
		if in == nil {
			in = find.New(doc, t)
		}
		list, first, last := make(findings, len(t.Messages)), true, time.Now()
		err := in.Each(ctx, m, nil, func(f find.Found) {
			list[f.Stored] = &f
			if now := time.Now(); first || now.Sub(last) > partly {
				first, last = false, now
				so := slices.Clone(list)
				d.Dispatch(func() {
					if d.search.running {
						show(so)
					}
				})
			}
		})
		return result{in, list}, err
	}, func(r result, err error) {
		d.search.running = false
		if err != nil {
			d.Fail(err)
			r.list = findings{}
		}
		if d.search.thread == t {
			d.search.in = r.in
		}
		show(r.list)
	})
}

// searchWithout looks in the background for the term that is in the way, once for
// each text that finds nothing.
func (d *rowList) searchWithout(s *session.Session) {
	pl, q, text := d.desk.Planning.Plan(), d.search.query, d.filter.Text
	if len(d.hits) > 0 || d.search.running || len(q.Terms) < 2 || pl == nil || d.search.withoutOf == text {
		return
	}
	d.search.withoutOf, d.search.without = text, Without{}
	doc, ledger := s.File().Doc, d.ledger
	sched.Run(d.Sched, "search.without", func(ctx context.Context, _ func(sched.Progress)) (best Without, err error) {
		in, known, rows := find.New(doc, s.Thread()), find.KnownOf(s, pl), storedOf(ledger)
		for i, t := range q.Terms {
			less, n := q.Drop(i), 0
			err := in.Each(ctx, query.Compile(less), known, func(f find.Found) {
				if rows[f.Stored] {
					n++
				}
			})
			if err != nil {
				return best, err
			}
			if n > best.N {
				best = Without{Term: t.String(), Text: less.String(), N: n}
			}
		}
		return best, nil
	}, func(best Without, err error) {
		if err == nil && d.search.withoutOf == text {
			d.search.without = best
			d.Notify(TopicSelect)
		}
	})
}
