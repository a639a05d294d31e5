package desk

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
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

// Library is what a search of all sessions found.
type Library struct {
	Groups  []FoundGroup
	Narrow  []query.Offer // terms that would narrow it; when it is done
	Looked  int           // how many sessions or records were looked through; when it is done
	Running bool
	Took    time.Duration
	Err     *query.Error // why the text is no query
}

// FoundGroup is what was found in one session, or in what one record took.
type FoundGroup struct {
	find.Result
	Record string // its ID; "": the session itself
}

// Asked is what all sessions are searched for.
type Asked struct {
	Text   string
	Lost   bool   // in what records took
	Record string // … this one alone; "": all
}

// FindAll searches all sessions, or what records took out of them, and calls each with
// what was found so far. A newer search ends the one before it.
func (x *finder) FindAll(ask Asked, each func(Library)) {
	d := &x.desk.rowList
	q, err := query.Parse(ask.Text)
	var l Library
	if errors.As(err, &l.Err); l.Err != nil || q.Empty() {
		d.Sched.Cancel("findAll")
		each(l)
		return
	}
	m, st := query.Compile(q), d.Store
	start, messages := time.Now(), 0
	l.Running = true
	each(l)
	gen := new(int)
	d.search.gen = gen
	give := func(x FoundGroup) {
		d.Dispatch(func() {
			if d.search.gen == gen && len(x.Matches) > 0 {
				l.Groups, l.Took = append(l.Groups, x), time.Since(start)
				messages += len(x.Matches)
				each(l)
			}
		})
	}
	open, own := x.opener()
	know := x.knownNow()
	looked := 0
	sched.Do(d.Sched, "findAll", func(ctx context.Context, _ func(sched.Progress)) error {
		if ask.Lost {
			var err error
			looked, err = findLost(ctx, st, ask.Record, m, give)
			return err
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
		looked = len(paths)
		return lib.Search(ctx, paths, m, func(r find.Result) {
			know(&r)
			give(FoundGroup{Result: r})
		})
	}, func(err error) {
		if err != nil {
			d.Fail(err)
		}
		var all []find.Match
		for _, g := range l.Groups {
			all = append(all, g.Matches...)
		}
		l.Running, l.Looked, l.Took, l.Narrow = false, looked, time.Since(start), q.Narrowing(find.ValuesOf(all), messages, mostNarrow)
		each(l)
	})
}

// knownNow returns what adds to a result what the window knows of its messages: the plan
// of the session that is open. It is for the background.
func (x *finder) knownNow() func(*find.Result) {
	d := x.desk
	e, s, pl := d.Current(), d.Session(), d.Planning.Plan()
	if e == nil || s == nil || pl == nil {
		return func(*find.Result) {}
	}
	path, ref := e.Path, e.Ref
	known := sync.OnceValue(func() func(int32) find.Known { return find.KnownOf(s, pl) })
	return func(r *find.Result) {
		for i := range r.Matches {
			if m := &r.Matches[i]; r.Path == path && m.Ref == ref {
				k := known()(m.Stored)
				m.Known = &k
			}
		}
	}
}

// opener opens histories as the window does, and lists those that are in it.
func (x *finder) opener() (open func(ctx context.Context, path string) (*session.File, error), own []string) {
	d, st := &x.desk.rowList, x.Store
	samples := map[string]source{}
	for _, e := range d.desk.entries {
		if own = append(own, e.Path); e.data != nil {
			samples[e.Path] = source{e.Path, e.data}
		}
	}
	opt := session.Options{Verb: true, Factors: d.desk.factors}
	if st != nil {
		opt.Store, opt.Conversations = st, st
	}
	return func(ctx context.Context, path string) (*session.File, error) {
		from, ok := samples[path]
		if !ok {
			from = source{path: path}
		}
		return from.openRemembered(ctx, st, opt, transcript.Options{})
	}, own
}

// peek is the history that a match was read of last; it is kept open, because the next
// match is often one of it. The goroutines that read share it.
type peek struct {
	mu           sync.Mutex
	path, record string
	file         *session.File
}

// read reads a message, in a history that open opens if it is not the last one.
func (p *peek) read(path, record string, m *find.Match, open func() (*session.File, error)) (*Detail, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil || p.path != path || p.record != record {
		p.close()
		f, err := open()
		if err != nil {
			return nil, err
		}
		p.path, p.record, p.file = path, record, f
	}
	return readMatch(p.file, m.Ref, m.Stored)
}

// close is called with the lock held.
func (p *peek) close() {
	if p.file != nil {
		_ = p.file.Close() // it was only read
		p.file = nil
	}
}

// ReadMatch reads the message of a match in the background, to be looked at where it
// was found.
func (x *finder) ReadMatch(g *FoundGroup, m *find.Match, done func(*Detail)) {
	d := &x.desk.rowList
	open, _ := x.opener()
	st, peeked := d.Store, &d.search.peeked
	path, record := g.Path, g.Record
	sched.Run(d.Sched, "findAll.read", func(ctx context.Context, _ func(sched.Progress)) (*Detail, error) {
		return peeked.read(path, record, m, func() (*session.File, error) {
			if record == "" {
				return open(ctx, path)
			}
			rec, err := st.Record(ctx, record)
			if err != nil {
				return nil, err
			}
			return session.OpenOriginals(ctx, st, rec)
		})
	}, func(t *Detail, err error) {
		if err != nil {
			t = &Detail{Err: err}
		}
		done(t)
	})
}

// EndFindAll ends a search of all sessions and closes what was kept open for it.
func (x *finder) EndFindAll() {
	d := &x.desk.rowList
	d.Sched.Cancel("findAll")
	peeked := &d.search.peeked
	sched.Do(d.Sched, "findAll.read", func(context.Context, func(sched.Progress)) error {
		peeked.mu.Lock()
		defer peeked.mu.Unlock()
		peeked.close()
		return nil
	}, func(error) {})
}

// readMatch reads a message and the call that it answers.
func readMatch(f *session.File, ref session.Ref, stored int32) (*Detail, error) {
	if !f.Has(ref) {
		return nil, fs.ErrNotExist
	}
	t := f.Doc.Conversations[ref.Conversation].Threads[ref.Thread]
	if int(stored) >= len(t.Messages) {
		return nil, fs.ErrNotExist
	}
	msg := &t.Messages[stored]
	out := &Detail{Row: session.Row{Stored: stored, Msg: msg}}
	var err error
	if out.Texts, err = f.Doc.Parts(msg); err != nil || msg.Answers == "" {
		return out, err
	}
	call := session.Callers(t)[stored]
	if call < 0 {
		return out, nil
	}
	parts, err := f.Doc.Parts(&t.Messages[call])
	out.takeCall(parts)
	return out, err
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

// findLost searches what each record took, or one, and returns how many were searched.
func findLost(ctx context.Context, st *store.Store, only string, m *query.Matcher, give func(FoundGroup)) (looked int, err error) {
	if st == nil {
		return 0, nil
	}
	list, err := st.Records(ctx, store.Filter{Limit: -1, Outcomes: []model.Outcome{model.Applied}, But: []model.Cause{model.CauseRestore}})
	if err != nil {
		return looked, err
	}
	for i := range list {
		if only != "" && list[i].ID != only {
			continue
		}
		looked++
		rec, err := st.Record(ctx, list[i].ID) // a list reads no runs
		if err != nil {
			return looked, err
		}
		found, err := find.InRecord(ctx, st, rec, m)
		if err != nil {
			return looked, err
		}
		r := find.Result{Path: rec.Path, Title: rec.Session, Matches: found}
		for _, x := range found {
			r.Places += x.Count
		}
		give(FoundGroup{r, rec.ID})
	}
	return looked, nil
}

// OpenMatch opens a session at a message, from 1, with a search kept.
func (x *finder) OpenMatch(path string, ref session.Ref, num int, text string) {
	d := &x.desk.rowList
	e := d.desk.entry(path)
	if d.desk.current == e && e.State == Ready && e.Ref == ref {
		d.SetFilter(Filter{Text: text, Around: HitsInAll})
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
	st := d.Store
	if st == nil || st.ReadOnly() {
		return
	}
	if d.Sched.Running("index") {
		d.search.again = true
		return
	}
	opt := session.Options{Verb: true}
	sched.Do(d.Sched, "index", func(ctx context.Context, _ func(sched.Progress)) error {
		paths, err := find.Histories(ctx, st)
		if err != nil {
			return err
		}
		x := find.Indexer{Catalog: st, Open: func(ctx context.Context, path string) (*session.File, error) {
			return source{path: path}.openRemembered(ctx, st, opt, transcript.Options{})
		}, Progress: func(done, total int, _ int64) {
			if done == total || done%64 == 0 {
				d.Dispatch(func() { d.search.indexed = [2]int{done, total} })
			}
		}}
		return x.Run(ctx, paths)
	}, func(error) { // it only saves time: a search reads what it does not know
		if d.search.again {
			d.search.again = false
			x.Index()
		}
	})
}

// Indexed returns how many of how many histories are in the index as they are now; 0
// of 0: that was not looked at.
func (x *finder) Indexed() (files, of int) {
	n := x.desk.search.indexed
	return n[0], n[1]
}
