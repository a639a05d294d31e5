package desk

import (
	"context"
	"regexp"
	"slices"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/find"
	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/query"
)

// finder is what panes ask of a search; its state is that of the rows.
type finder struct{ subject }

// Searching reports whether texts are being looked through.
func (x *finder) Searching() bool { return x.desk.search.running }

// Query is what the filter asks for, and why its text is no query; nil: it is one.
func (x *finder) Query() (query.Query, *query.Error) { return x.desk.search.query, x.desk.search.err }

// Lit marks the words of the filter where a text is shown; nil: it has none.
func (x *finder) Lit() *regexp.Regexp { return x.desk.search.lit }

// FoundIn is what was found in a shown row.
func (x *finder) FoundIn(i int) (find.Found, bool) {
	d := &x.desk.rowList
	if _, hit := slices.BinarySearch(d.hits, d.ledgerRow(i)); !hit {
		return find.Found{}, false
	}
	r := d.Row(i)
	if f := d.search.found.of(r.Stored); f != nil && len(f.Places) > 0 {
		return *f, true
	}
	s := d.desk.Session()
	if r.Stored >= 0 || d.search.texts == nil || s == nil {
		return find.Found{}, false
	}
	text, hit, ok := inSummary(d, s, &r, &query.Scratch{})
	if !ok || len(hit.Places) == 0 {
		return find.Found{}, false
	}
	return find.Found{Stored: -1, Hit: hit, Snippet: find.SnippetOf(text, hit.Places)}, true
}

// Hits are the rows that were found, the places in all of them, and which of them is
// selected, from 1; 0: none.
func (x *finder) Hits() (messages, places, at int) {
	d := &x.desk.rowList
	if !d.filter.Hides() || d.ledger == nil {
		return 0, 0, 0
	}
	if d.row >= 0 && d.row < d.RowCount() {
		if k, ok := slices.BinarySearch(d.hits, d.ledgerRow(d.row)); ok {
			at = k + 1
		}
	}
	return len(d.hits), d.search.places, at
}

// HitRows are the shown rows that were found, where rows that were not are shown, too.
func (x *finder) HitRows() (list []int) {
	d := &x.desk.rowList
	if d.filter.Around == HitsOnly || d.filter.Sort != AsSaid {
		return nil
	}
	if d.rows == nil {
		return d.hits
	}
	for i, r := range d.rows {
		if _, ok := slices.BinarySearch(d.hits, r); ok {
			list = append(list, i)
		}
	}
	return list
}

// HitMessages are the numbers of the messages that were found; nil: nothing is looked
// for.
func (x *finder) HitMessages() (list []int) {
	d := &x.desk.rowList
	if d.search.query.Empty() || d.ledger == nil {
		return nil
	}
	for _, i := range d.hits {
		if n := d.ledger.Row(i).Num; n > 0 {
			list = append(list, n)
		}
	}
	return list
}

// StepHit selects the next row that was found, or with −1 the one before; around the ends.
func (x *finder) StepHit(by int) {
	d := &x.desk.rowList
	n := len(d.hits)
	if n == 0 || !d.filter.Hides() {
		return
	}
	if d.filter.Around == HitsOnly { // in the order in which they are shown
		at := d.row + by
		if d.row < 0 {
			at = max(0, -by*(n-1))
		}
		d.SelectRow((at + n) % n)
		return
	}
	now := -1
	if d.row >= 0 && d.row < d.RowCount() {
		now = d.ledgerRow(d.row)
	}
	k, ok := slices.BinarySearch(d.hits, now)
	switch {
	case by < 0:
		k--
	case ok:
		k++
	}
	d.SelectRow(d.shownAt(d.hits[(k+n)%n]))
}

// asked is what values were counted for.
type asked struct {
	of   *compaction.Plan
	text string // the filter
	hits int    // that were found so far
}

// QueryFacts are the values that occur in the history, for completion. They are
// counted in the background when the filter or the plan changed; until that is done
// they are the former ones. Then panes are notified.
func (x *finder) QueryFacts() query.Facts {
	d := &x.desk.rowList
	s, pl := d.desk.Session(), d.desk.Planning.Plan()
	now := asked{pl, d.filter.Text, len(d.hits)}
	if s == nil || pl == nil || d.search.running || now == d.search.counted {
		return d.search.facts
	}
	if now.text != d.search.counted.text {
		d.search.narrow = nil // it is of another query
	}
	d.search.counted = now
	found := map[int32]bool{}
	for _, i := range d.hits {
		found[d.ledger.Row(i).Stored] = true
	}
	q, doc, ledger := d.search.query, s.File().Doc, d.ledger
	sched.Run(d.Sched, "search.values", func(ctx context.Context, _ func(sched.Progress)) (out [2]query.Facts, err error) {
		in, known := find.New(doc, s.Thread()), find.KnownOf(s, pl)
		rows := storedOf(ledger)
		out[0] = in.Facts(known, func(stored int32) bool { return rows[stored] })
		if len(found) > 0 {
			out[1] = in.Facts(known, func(stored int32) bool { return found[stored] })
		}
		return out, ctx.Err()
	}, func(out [2]query.Facts, err error) {
		if err == nil && d.ledger == ledger {
			d.search.facts, d.search.narrow = out[0], q.Narrowing(out[1], len(found), mostNarrow)
			d.Notify(TopicSelect)
		}
	})
	return d.search.facts
}

// storedOf are the stored messages that have a row.
func storedOf(g *session.Ledger) map[int32]bool {
	rows := make(map[int32]bool, g.Len())
	for i := range g.Len() {
		if r := g.Row(i); r.Stored >= 0 {
			rows[r.Stored] = true
		}
	}
	return rows
}

// mostNarrow is how many terms are offered that narrow a search.
const mostNarrow = 5

// Narrowing are terms that narrow what was found.
func (x *finder) Narrowing() []query.Offer {
	if d := &x.desk.rowList; len(d.hits) > 1 && !d.search.query.Empty() {
		return d.search.narrow
	}
	return nil
}

// Without is the term most in the way of a search that found nothing.
type Without struct {
	Term, Text string // the text is the query without it
	N          int    // messages that it finds
}

// Without returns the term without which a search that found nothing finds most.
func (x *finder) Without() (Without, bool) {
	d := &x.desk.rowList
	w := d.search.without
	return w, w.N > 0 && d.search.withoutOf == d.filter.Text && len(d.hits) == 0 && !d.search.running
}

// Glance looks for a text in the history and hands over the first messages that have
// it; newer glances end those before.
func (x *finder) Glance(text string, done func([]find.Match)) {
	d := &x.desk.rowList
	s := d.desk.Session()
	q, err := query.Parse(text)
	if s == nil || err != nil || q.Empty() {
		d.Sched.Cancel("search.glance")
		return
	}
	m, doc := query.Compile(q), s.File().Doc
	if find.Needs(m) {
		return // a glance knows no plan
	}
	sched.Run(d.Sched, "search.glance", func(ctx context.Context, _ func(sched.Progress)) (list []find.Match, err error) {
		in := find.New(doc, s.Thread())
		enough, stop := context.WithCancel(ctx)
		defer stop()
		err = in.Each(enough, m, nil, func(f find.Found) {
			if num := in.Num(f.Stored); num > 0 {
				list = append(list, find.Match{Num: num, Msg: in.Message(f.Stored), Tools: in.Tools(f.Stored), Found: f})
			}
			if len(list) > mostGlanced {
				stop()
			}
		})
		if enough.Err() != nil {
			err = ctx.Err()
		}
		slices.SortFunc(list, func(a, b find.Match) int { return a.Num - b.Num })
		return list, err
	}, func(list []find.Match, err error) {
		if err == nil {
			done(list)
		}
	})
}

// mostGlanced is where a glance ends: who wants more looks at all of them.
const mostGlanced = 200

// ToolsOf are the tools that a row calls, or the one it is the result of.
func (x *finder) ToolsOf(r session.Row) (list []string) {
	d := &x.desk.rowList
	s := d.desk.Session()
	if s == nil || r.Msg == nil {
		return nil
	}
	for _, c := range r.Msg.Calls {
		if !slices.Contains(list, c.Name) {
			list = append(list, c.Name)
		}
	}
	if r.Msg.Kind == model.KindResult {
		if tool := d.search.toolOf(s.Thread(), r.Stored); tool != "" {
			list = append(list, tool)
		}
	}
	return list
}

// Narrow puts a value into the filter: only rows that have it, or none of them.
func (x *finder) Narrow(k query.Key, value string, not bool) {
	d := &x.desk.rowList
	f := d.filter
	f.Text = d.search.query.With(k, value, not).String()
	d.SetFilter(f)
}

// Alike are the messages of the history that have a value, as a filter for it would find
// them.
func (x *finder) Alike(k query.Key, value string) (messages []int, tokens int64) {
	d := &x.desk.rowList
	s := d.desk.Session()
	if s == nil || d.ledger == nil {
		return nil, 0
	}
	m := query.Compile(query.Query{}.With(k, value, false))
	for i := range d.ledger.Len() {
		r := d.ledger.Row(i)
		if sub := d.search.subject(s.Thread(), &r); r.Num > 0 && m.May(&sub) {
			messages, tokens = append(messages, r.Num-1), tokens+int64(r.Tokens)
		}
	}
	return messages, tokens
}

// SavedFilters calls done with the filters that a person kept, the newest first. They
// are read when they are asked for first, in the background.
func (x *finder) SavedFilters(done func([]string)) {
	d := &x.desk.rowList
	if d.search.loaded || d.Store == nil {
		done(d.search.saved)
		return
	}
	sched.Run(d.Sched, "filters", func(ctx context.Context, _ func(sched.Progress)) (list []string, err error) {
		_, err = d.Store.Setting(ctx, savedFilters, &list)
		return list, err
	}, func(list []string, err error) {
		if d.search.loaded = err == nil; err != nil {
			d.Fail(err)
			return
		}
		d.search.saved = list
		done(list)
	})
}

// KeepFilter saves the text of a filter, or forgets it, once the others were read.
func (x *finder) KeepFilter(text string, keep bool) {
	d := &x.desk.rowList
	list := slices.DeleteFunc(slices.Clone(d.search.saved), func(s string) bool { return s == text })
	if keep {
		list = slices.Insert(list, 0, text)
	}
	d.search.saved = list
	d.Keep(savedFilters, list)
}
