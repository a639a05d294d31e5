package desk

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/find"
	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/query"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
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
	texts   *query.Matcher // what is looked for in texts; nil: nothing
	lit     *regexp.Regexp // the words of the query, for marking
	asked   string         // texts, as it is spelled
	thread  *model.Thread  // that found is of
	found   map[int32]find.Found
	running bool
	tools   map[string]string // by call, of thread
	saved   []string
	loaded  bool
	gen     *int // the search of all sessions that counts
	again   bool // the index is to be looked at again
}

// finder is what panes ask of a search; its state is that of the rows.
type finder struct{ subject }

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
		case t.Kind != query.Clause, t.Key == query.Has, t.Key == query.In, t.Key == query.File:
			texts.Terms = append(texts.Terms, t)
		default:
			rows.Terms = append(rows.Terms, t)
		}
	}
	s.rows, s.lit, s.texts = query.Compile(rows), q.Expression(), nil
	if !texts.Empty() {
		s.texts = query.Compile(texts)
	}
	if was := s.asked; was != texts.String() {
		s.asked, s.found, s.running = texts.String(), nil, false
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

// toolOf is the tool that a message is a result of.
func (s *searching) toolOf(t *model.Thread, m *model.Message) string {
	if s.tools == nil || s.thread != t {
		s.thread, s.tools, s.found = t, map[string]string{}, nil
		for i := range t.Messages {
			for _, c := range t.Messages[i].Calls {
				s.tools[c.ID] = c.Name
			}
		}
	}
	return s.tools[m.Answers]
}

// subject is a row as a query asks about it.
func (s *searching) subject(t *model.Thread, r *session.Row) query.Subject {
	x := query.Subject{Num: r.Num, Msg: r.Msg, Tokens: r.Tokens, Live: r.Live, Fate: r.Fate, Pinned: r.Pinned,
		Summary: r.Msg == nil || r.Msg.Kind == model.KindSummary}
	if r.Msg != nil {
		x.Tool = s.toolOf(t, r.Msg)
	}
	return x
}

// refilter lists the rows that pass, and has texts looked through where that is asked
// for and not done.
func (d *rowList) refilter() {
	d.rows, d.hits = nil, nil
	s := d.desk.Session()
	if d.filter == (Filter{}) || d.ledger == nil || s == nil {
		return
	}
	d.rows = []int{}
	t := s.Thread()
	if t != d.search.thread {
		d.search.tools = nil
	}
	var x query.Scratch
	for i := range d.ledger.Len() {
		r := d.ledger.Row(i)
		sub := d.search.subject(t, &r)
		if d.search.rows.May(&sub) && d.textPasses(s, &r, &sub, &x) {
			d.rows = append(d.rows, i)
		}
	}
	d.hits = d.rows
	if d.filter.Whole {
		d.rows = nil
		if d.filter.Largest {
			for i := range d.ledger.Len() {
				d.rows = append(d.rows, i)
			}
		}
	}
	if d.filter.Largest {
		slices.SortStableFunc(d.rows, func(a, b int) int { return d.ledger.Row(b).Tokens - d.ledger.Row(a).Tokens })
	}
	if d.search.texts != nil && d.search.found == nil && !d.search.running {
		d.searchTexts(s)
	}
}

// textPasses reports whether what is asked of texts is met by a row; while that is
// being looked for, by those found so far.
func (d *rowList) textPasses(s *session.Session, r *session.Row, sub *query.Subject, x *query.Scratch) bool {
	switch {
	case d.search.texts == nil:
		return true
	case r.Stored >= 0:
		_, ok := d.search.found[r.Stored]
		return ok
	}
	text := ""
	if r.Record != "" {
		text = s.SummaryText(r.Record)
	} else if draft := d.desk.Draft(); r.Kind == session.RowSummary && draft != nil {
		text = draft.Text.Text
	}
	_, ok := d.search.texts.Match(sub, []model.Part{{Text: text}}, x)
	return ok
}

// partly is how often what was found so far is shown while a search runs.
const partly = 60 * time.Millisecond

// searchTexts searches the texts in the background; what is found is shown as it comes.
func (d *rowList) searchTexts(s *session.Session) {
	m, t := d.search.texts, s.Thread()
	d.search.running = true
	doc := s.File().Doc
	show := func(found map[int32]find.Found) {
		if d.search.texts == m && d.search.thread == t {
			num := d.selectedNum()
			d.search.found = found
			d.refilter()
			d.reselect(num)
			d.notify(TopicPlan, TopicSelect)
		}
	}
	sched.Run(d.sched, "search", func(ctx context.Context, _ func(sched.Progress)) (map[int32]find.Found, error) {
		found, last := map[int32]find.Found{}, time.Now()
		err := find.New(doc, t).Each(ctx, m, nil, func(f find.Found) {
			found[f.Stored] = f
			if now := time.Now(); len(found) == 1 || now.Sub(last) > partly {
				last = now
				so := make(map[int32]find.Found, len(found))
				for k, v := range found {
					so[k] = v
				}
				d.dispatch(func() {
					if d.search.running {
						show(so)
					}
				})
			}
		})
		return found, err
	}, func(found map[int32]find.Found, err error) {
		d.search.running = false
		if err != nil {
			d.desk.Fail(err)
			found = map[int32]find.Found{}
		}
		show(found)
	})
}

// Searching reports whether texts are being looked through.
func (x *finder) Searching() bool { return x.desk.search.running }

// Query is what the filter asks for, and why its text is no query; nil: it is one.
func (x *finder) Query() (query.Query, *query.Error) { return x.desk.search.query, x.desk.search.err }

// Lit marks the words of the filter where a text is shown; nil: it has none.
func (x *finder) Lit() *regexp.Regexp { return x.desk.search.lit }

// FoundIn is what was found in a shown row.
func (x *finder) FoundIn(i int) (find.Found, bool) {
	d := &x.desk.rowList
	r := d.Row(i)
	f, ok := d.search.found[r.Stored]
	return f, ok && len(f.Places) > 0
}

// Hits are the rows that were found, the places in all of them, and which of them is
// selected, from 1; 0: none.
func (x *finder) Hits() (messages, places, at int) {
	d := &x.desk.rowList
	if !d.filter.Hides() || d.ledger == nil {
		return 0, 0, 0
	}
	for k, i := range d.hits {
		places += d.search.found[d.ledger.Row(i).Stored].Count
		if d.row >= 0 && d.row < d.RowCount() && d.ledgerRow(d.row) == i {
			at = k + 1
		}
	}
	return len(d.hits), places, at
}

// HitRows are the shown rows that were found, where rows that were not are shown, too.
func (x *finder) HitRows() []int {
	d := &x.desk.rowList
	if !d.filter.Whole || d.filter.Largest {
		return nil
	}
	return d.hits
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
	if len(d.hits) == 0 || !d.filter.Hides() {
		return
	}
	if !d.filter.Whole {
		n := d.RowCount()
		at := d.row + by
		if d.row < 0 {
			at = max(0, -by*(n-1))
		}
		d.SelectRow((at + n) % n)
		return
	}
	k, ok := slices.BinarySearch(d.hits, d.row)
	switch {
	case by < 0:
		k--
	case ok:
		k++
	}
	d.SelectRow(slices.Index(d.shownRows(), d.hits[(k+len(d.hits))%len(d.hits)]))
}

// shownRows are the ledger rows that are shown, in their order.
func (d *rowList) shownRows() []int {
	if d.rows != nil {
		return d.rows
	}
	list := make([]int, d.ledger.Len())
	for i := range list {
		list[i] = i
	}
	return list
}

// QueryFacts are the values that occur in the history, for completion.
func (x *finder) QueryFacts() query.Facts {
	d := &x.desk.rowList
	counts := query.Tally{}
	s := d.desk.Session()
	if s == nil || d.ledger == nil {
		return nil
	}
	for i := range d.ledger.Len() {
		r := d.ledger.Row(i)
		if r.Msg == nil {
			continue
		}
		counts.Add(query.Role, r.Msg.Role.String())
		for _, c := range r.Msg.Calls {
			counts.Add(query.Tool, c.Name)
		}
		if r.Msg.Kind == model.KindResult {
			if tool := d.search.toolOf(s.Thread(), r.Msg); tool != "" {
				counts.Add(query.Tool, tool)
			}
		}
		if r.Live {
			counts.Add(query.Fate, r.Fate.Letter())
		}
		pinned := r.Pinned || r.Live && r.Fate == model.Pinned
		is := map[string]bool{"error": r.Msg.Error, "typed": r.Msg.Typed(), "pinned": pinned, "live": r.Live, "gone": !r.Live,
			"summary": r.Msg.Kind == model.KindSummary}
		counts.Is(is)
	}
	return counts.Facts()
}

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
		if tool := d.search.toolOf(s.Thread(), r.Msg); tool != "" {
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

// SavedFilters are the filters that a person kept, the newest first. They are read in
// the background when they are asked for first; then panes are notified.
func (x *finder) SavedFilters() []string {
	d := &x.desk.rowList
	if st := d.store; !d.search.loaded && st != nil {
		d.search.loaded = true
		sched.Run(d.sched, "filters", func(ctx context.Context, _ func(sched.Progress)) (list []string, err error) {
			_, err = st.Setting(ctx, savedFilters, &list)
			return list, err
		}, func(list []string, err error) {
			if err == nil {
				d.search.saved = append(d.search.saved, list...)
				d.notify(TopicSelect)
			}
		})
	}
	return d.search.saved
}

// KeepFilter saves the text of a filter, or forgets it.
func (x *finder) KeepFilter(text string, keep bool) {
	d := &x.desk.rowList
	list := slices.DeleteFunc(slices.Clone(d.search.saved), func(s string) bool { return s == text })
	if keep {
		list = slices.Insert(list, 0, text)
	}
	d.search.saved = list
	if st := d.store; st != nil {
		sched.Do(d.sched, "filters.save", func(ctx context.Context, _ func(sched.Progress)) error {
			return st.SetSetting(ctx, savedFilters, list)
		}, func(err error) {
			if err != nil {
				d.desk.Fail(err)
			}
		})
	}
}

// Library is what a search of all sessions found.
type Library struct {
	Groups  []FoundGroup
	Running bool
	Err     *query.Error // why the text is no query
}

// FoundGroup is what was found in one session, or in what one record took.
type FoundGroup struct {
	find.Result
	Record string // its ID; "": the session itself
}

// FindAll searches all sessions, or with lost what records took out of them, and
// calls each with what was found so far. A newer search ends the one before it.
func (x *finder) FindAll(text string, lost bool, each func(Library)) {
	d := &x.desk.rowList
	q, err := query.Parse(text)
	var l Library
	if errors.As(err, &l.Err); l.Err != nil || q.Empty() {
		d.sched.Cancel("findAll")
		each(l)
		return
	}
	m, st := query.Compile(q), d.store
	samples, own := map[string]source{}, []string{}
	for _, e := range d.desk.entries {
		if own = append(own, e.Path); e.data != nil {
			samples[e.Path] = source{e.Path, e.data}
		}
	}
	opt := session.Options{Verb: true, Factors: d.desk.factors}
	if st != nil {
		opt.Store, opt.Conversations, opt.Counts = st, st, st
	}
	open := func(ctx context.Context, path string) (*session.File, error) {
		from, ok := samples[path]
		if !ok {
			from = source{path: path}
		}
		return from.openRemembered(ctx, st, opt, transcript.Options{})
	}
	l.Running = true
	each(l)
	gen := new(int)
	d.search.gen = gen
	give := func(x FoundGroup) {
		d.dispatch(func() {
			if d.search.gen == gen && len(x.Matches) > 0 {
				l.Groups = append(l.Groups, x)
				each(l)
			}
		})
	}
	sched.Do(d.sched, "findAll", func(ctx context.Context, _ func(sched.Progress)) error {
		if lost {
			return findLost(ctx, st, m, give)
		}
		lib := find.Library{Open: open, Plan: defaultPlan}
		paths := own
		if st != nil {
			lib.Catalog = st
			known, err := find.Histories(ctx, st)
			if err != nil {
				return err
			}
			for _, p := range known {
				if !slices.Contains(own, p) {
					paths = append(paths, p)
				}
			}
		}
		_, err := lib.Search(ctx, paths, m, func(r find.Result) { give(FoundGroup{Result: r}) })
		return err
	}, func(err error) {
		if err != nil {
			d.desk.Fail(err)
		}
		l.Running = false
		each(l)
	})
}

// defaultPlan plans a thread of a file that is not open under the policy that it would
// be opened with.
func defaultPlan(f *session.File) find.Plan {
	return func(ctx context.Context, ref session.Ref) (*session.Session, *compaction.Plan, error) {
		s, err := f.Session(ctx, ref, nil)
		if err != nil {
			return nil, nil, err
		}
		return s, s.Plan(s.Policy(), compaction.Options{Manual: true}), nil
	}
}

// findLost searches what each record took.
func findLost(ctx context.Context, st *store.Store, m *query.Matcher, give func(FoundGroup)) error {
	if st == nil {
		return nil
	}
	list, err := st.Records(ctx, store.Filter{Limit: -1, Outcomes: []model.Outcome{model.Applied}, But: []model.Cause{model.CauseRestore}})
	if err != nil {
		return err
	}
	for i := range list {
		rec, err := st.Record(ctx, list[i].ID) // a list reads no runs
		if err != nil {
			return err
		}
		found, err := find.InRecord(ctx, st, rec, m)
		if err != nil {
			return err
		}
		r := find.Result{Path: rec.Path, Title: rec.Session, Format: rec.Format, Matches: found}
		for _, x := range found {
			r.Places += x.Count
		}
		give(FoundGroup{r, rec.ID})
	}
	return nil
}

// OpenMatch opens a session at a message, from 1, with a search kept.
func (x *finder) OpenMatch(path string, ref session.Ref, num int, text string) {
	d := &x.desk.rowList
	e := d.desk.entry(path)
	if d.desk.current == e && e.State == Ready && e.Ref == ref {
		d.SetFilter(Filter{Text: text, Whole: true})
		d.SelectMessage(num - 1)
		return
	}
	d.carried = text
	d.awaitMessage(num)
	if e.State == Ready && e.File != nil && e.Ref != ref {
		d.desk.SelectThread(e, ref)
		return
	}
	d.desk.Select(e)
}

// Index brings the index of all histories up to date in the background. What was asked
// for while it runs is done after it.
func (x *finder) Index() {
	d := &x.desk.rowList
	st := d.store
	if st == nil || st.ReadOnly() {
		return
	}
	if d.sched.Running("index") {
		d.search.again = true
		return
	}
	opt := session.Options{Verb: true}
	sched.Do(d.sched, "index", func(ctx context.Context, _ func(sched.Progress)) error {
		paths, err := find.Histories(ctx, st)
		if err != nil {
			return err
		}
		x := find.Indexer{Catalog: st, Open: func(ctx context.Context, path string) (*session.File, error) {
			return source{path: path}.openRemembered(ctx, st, opt, transcript.Options{})
		}}
		return x.Run(ctx, paths)
	}, func(error) { // it only saves time: a search reads what it does not know
		if d.search.again {
			d.search.again = false
			x.Index()
		}
	})
}
