package cli

import (
	"context"
	"fmt"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// work is one thread on its way.
type work struct {
	*planner
	draft *session.Draft
	made  session.Unsaved // what is to be stored of it
	out   *compacted
	uid   string // of its record, in a batch
}

// together is how many threads are planned, and their records stored in one transaction,
// before the next ones are: a file may hold 100,000.
const together = 256

// file compacts one file. The results are in the order of its threads.
func (c *compactCmd) file(a *app, st *store.Store, path, out string, p model.Policy) []*compacted {
	if out != "" {
		if _, err := session.FreePath(out, c.Force || c.ReplaceSource); err != nil {
			return []*compacted{failure(path, err)}
		}
	}
	f, err := a.open(path, &c.readFlags, st)
	if err != nil {
		return []*compacted{failure(path, err)}
	}
	defer f.Close()
	refs, err := c.refs(f)
	if err != nil {
		return []*compacted{failure(path, err)}
	}
	j := fileWork{c, a, st, f, refs, path, out, p}
	step := len(refs)
	if out == "" && !c.WriteBack {
		step = together
	}
	var list []*compacted
	for from := 0; from < len(refs); from += step {
		some, err := j.some(from, min(from+step, len(refs)))
		list = append(list, some...)
		if err != nil {
			return append(list, failure(path, err))
		}
	}
	return list
}

// fileWork is the compaction of the threads of one file.
type fileWork struct {
	c         *compactCmd
	a         *app
	st        *store.Store
	f         *session.File
	refs      []session.Ref
	path, out string
	p         model.Policy
}

// some compacts the threads from one to another.
func (j *fileWork) some(from, to int) ([]*compacted, error) {
	list, ready, err := j.drafts(from, to)
	if err != nil {
		return list, err
	}
	ready = j.c.indexed(j.a, ready)
	switch {
	case len(ready) == 0:
	case j.out == "":
		j.apply(ready)
	case transcript.ReadOnly(j.f.Doc) != "" && !j.c.Native:
		j.c.other(j.a, j.f, ready, j.out)
	default:
		j.c.write(j.a, ready, j.out)
	}
	for _, w := range ready {
		j.a.unnamed(j.st, w.out.Record)
	}
	if j.c.WriteBack {
		j.writeBack(ready)
	}
	return list, nil
}

func (j *fileWork) writeBack(list []*work) {
	for _, w := range list {
		if w.out.Outcome != model.Applied {
			continue
		}
		if err := w.s.Overlay().WriteBack(j.a.ctx); err != nil {
			w.out.end(err)
			continue
		}
		w.out.WrittenBack = true
	}
}

// drafts plans the threads from one to another that are not done. ready are those that go
// on; list has what became of each so far.
func (j *fileWork) drafts(from, to int) (list []*compacted, ready []*work, err error) {
	var refused []*work
	defer func() { j.store(refused) }()
	for i, ref := range j.refs[from:to] {
		uid := ""
		if j.c.made != nil {
			var done *model.Record
			if uid, done, err = j.c.made.of(j.a.ctx, j.f.Doc.Hash(), from+i); err != nil {
				return list, nil, err
			}
			if done != nil {
				r := newCompacted(j.path, ref)
				r.done(done)
				list = append(list, r)
				continue
			}
			j.c.made.next = uid
		}
		w := j.c.draft(j.a, j.f, ref, j.path, j.p)
		w.uid = uid
		list = append(list, w.out)
		switch {
		case w.draft != nil:
			ready = append(ready, w)
		case w.made.Record != nil:
			if refused = append(refused, w); len(refused) == together { // each keeps its thread
				j.store(refused)
				refused = nil
			}
		}
	}
	return list, ready, nil
}

// apply stores what the drafts make.
func (j *fileWork) apply(ready []*work) {
	var made []*work
	for _, w := range ready {
		if j.c.made != nil {
			j.c.made.next = w.uid
		}
		var err error
		if w.made, err = w.s.Records.Applied(w.draft); err != nil {
			w.done(j.a, nil, err)
			continue
		}
		made = append(made, w)
	}
	j.store(made)
}

// store stores the records that were made, in one transaction. When that fails each is
// stored by itself, unless nothing can be saved: what is wrong with one does not take the
// others along.
func (j *fileWork) store(list []*work) {
	all := make([]session.Unsaved, len(list))
	for i, w := range list {
		all[i] = w.made
	}
	err := session.SaveAll(j.a.ctx, all...)
	each := err != nil && len(list) > 1 && !store.NoSaving(err)
	for _, w := range list {
		if each {
			w.stored(j.a, session.SaveAll(j.a.ctx, w.made))
			continue
		}
		w.stored(j.a, err)
	}
}

// stored takes over how storing ended.
func (w *work) stored(a *app, err error) {
	if err != nil && w.draft != nil {
		w.done(a, nil, err)
		return
	}
	w.out.take(w.made.Record)
	if err != nil {
		w.out.end(err)
	}
}

// indexed reads the facts of the threads that are about to be compacted, so that
// their records say what survived: a pass over the texts, which costs about what
// counting them did. A thread where that fails is left as it is.
func (c *compactCmd) indexed(a *app, ready []*work) (rest []*work) {
	for _, w := range ready {
		if err := w.s.Insight.Tally(a.ctx, w.draft); err != nil {
			w.note(a, w.draft, err)
			continue
		}
		rest = append(rest, w)
	}
	return rest
}

// draft plans one thread and makes its text. A failure is noted in the store, the record of
// a refusal is made; then there is no draft to go on with.
func (c *compactCmd) draft(a *app, f *session.File, ref session.Ref, path string, p model.Policy) *work {
	w := &work{out: newCompacted(path, ref)}
	var err error
	if w.planner, err = a.planner(f, ref, c.At, &c.policyFlags, p); err != nil {
		w.out.end(err)
		return w
	}
	w.out.Agent = w.s.Thread().AgentID
	w.out.Method, w.out.fixed = method(w.s), w.p.Fixed
	d, err := w.s.Draft(a.ctx, w.p, w.o, nil)
	if err != nil {
		w.note(a, nil, err)
		return w
	}
	w.out.Warnings = sentences(d.Plan.Warnings, compaction.SizesOf(w.s.Estimated(), &d.Plan.Policy))
	if d.Plan.Outcome != compaction.WouldApply {
		w.out.wouldDo = wouldDo(d.Plan)
		if w.made, err = w.s.Records.Noted(d, w.p, model.Refused, session.Refusal(d.Plan, w.s.Estimated())); err != nil {
			w.out.end(err)
		}
		return w
	}
	w.draft = d
	return w
}

// wouldDo is a sentence on what makes a refused plan apply, with a space before it;
// "" if it applies, or if nothing so simple does.
func wouldDo(pl *compaction.Plan) string {
	tail, ok := pl.ShorterTail()
	if !ok {
		return ""
	}
	return fmt.Sprintf(" A shorter window would do: --window %dtok.", tail.N)
}

// write applies the drafts of one file and writes what they leave.
func (c *compactCmd) write(a *app, ready []*work, out string) {
	parts := make([]session.Part, len(ready))
	for i, w := range ready {
		parts[i] = session.Part{Session: w.s, Draft: w.draft}
	}
	to := c.output(out, c.Force)
	to.Damaged, to.ReplaceSource, to.Native = c.KeepDamaged, c.ReplaceSource, c.Native
	recs, written, err := session.ApplyTo(a.ctx, to, parts)
	for i, w := range ready {
		w.done(a, recs[i], err)
		if written != nil && err == nil {
			w.out.Output = &written.Path
			if i == 0 {
				w.out.Relinked, w.out.Redacted = listed(written.Relinked), redactedOf(written.Redacted)
			}
		}
	}
}

// other applies the draft of a file whose own form is not written, and writes what it
// leaves as OpenAI Chat.
func (c *compactCmd) other(a *app, f *session.File, ready []*work, out string) {
	why := transcript.ReadOnly(f.Doc)
	if len(ready) > 1 {
		why += fmt.Sprintf(" It would be written as OpenAI Chat, and such a file holds one conversation, not %d.", len(ready))
		for _, w := range ready {
			w.out.end(&model.Problem{Code: "read-only-format", What: "Nothing was compacted.", Why: why,
				Next: "Choose one with --conversation, or leave out -o and write each record: palimpsest export RECORD -f openai-chat."})
		}
		return
	}
	w := ready[0]
	rec, err := w.s.Records.Apply(a.ctx, w.draft)
	if w.done(a, rec, err); err != nil {
		return
	}
	written, err := w.s.Overlay().ExportAs(a.ctx, c.output(out, c.Force), session.Form{Format: model.FormatOpenAI})
	if err != nil {
		w.done(a, rec, err)
		return
	}
	w.out.Output, w.out.Redacted, w.out.OutputFormat = &written.Path, redactedOf(written.Redacted), model.FormatOpenAI
	why += " The compacted history was written as OpenAI Chat, whose tokens are counted anew when it is opened."
	missing := values(written.Lost.List(), func(l *transcript.Loss) string {
		return fmt.Sprintf("%s (%s)", l.Text(), thousands(written.Lost[*l]))
	})
	if len(missing) > 0 {
		why += " It does not hold " + strings.Join(missing, ", ") + "."
	}
	if n := len(f.Doc.Conversations); n > 1 {
		why += fmt.Sprintf(" It holds this one of %d conversations.", n)
	}
	w.out.Warnings = append(w.out.Warnings, why)
}

// done takes over how applying ended. A record that was stored although the
// file could not take its name stays, and is reported.
func (w *work) done(a *app, rec *model.Record, err error) {
	if err == nil {
		w.out.take(rec)
		return
	}
	if rec != nil {
		w.out.take(rec)
		w.out.end(fmt.Errorf("%w Record %s is stored: palimpsest export %s -o OUT writes its transcript", err, rec.ID, rec.ID))
		return
	}
	w.note(a, w.draft, err)
}

// note stores how a compaction ended that changed nothing. When that can't be
// stored either, the first error is the one to report.
func (w *work) note(a *app, d *session.Draft, err error) {
	outcome, reason := session.Ending(err)
	rec, noteErr := w.s.Records.Note(context.WithoutCancel(a.ctx), d, w.p, outcome, reason)
	if noteErr == nil {
		w.out.take(rec)
	}
	w.out.end(err)
}
