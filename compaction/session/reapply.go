package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"palimpsest/model"
	"palimpsest/model/figure"
)

// Reapplication is what applying records again would do to a session.
type Reapplication struct {
	Of   []*model.Record // the records that are applied again, bottom first
	Now  model.Size
	Then model.Size

	records []*model.Record // the new ones, not stored yet
	overlay Overlay         // with them on top
	version int
}

// ReapplyPreview returns what applying a record again would do, on the history it
// was made of or on one that has grown or was edited since. The records it was
// made on that are not applied come with it; of a restore, what it undid is
// applied again. It is refused, with the reason, when the messages that it
// covers are not byte for byte those it was made of, or when other records are
// applied in its place.
func (rs *Records) ReapplyPreview(ctx context.Context, rec *model.Record) (*Reapplication, error) {
	chain, err := rs.chain(ctx, rec)
	if err != nil {
		return nil, err
	}
	version, o := rs.s.snapshot()
	n := 0
	for n < len(o.stack) && n < len(chain) && sameEffect(o.stack[n], chain[n]) {
		n++
	}
	switch {
	case n == len(chain):
		return nil, &model.Problem{Code: "is-applied", What: fmt.Sprintf("Record %s is applied already.", rec.ID),
			Next: "Choose another record."}
	case n < len(o.stack):
		return nil, &model.Problem{Code: "other-records", What: fmt.Sprintf("Record %s can't be applied again now.", rec.ID),
			Why:  fmt.Sprintf("Record %s is applied, and %s was not made on it.", o.stack[n].ID, chain[n].ID),
			Next: fmt.Sprintf("Restore the originals of %s first.", o.stack[n].ID)}
	}
	fixed := rs.s.Policy().Fixed
	r := &Reapplication{Of: chain[n:], Now: o.size(fixed), version: version}
	uids := map[string]string{} // of the old records to those that take their place
	for i, old := range chain[:n] {
		uids[old.UID] = o.stack[i].UID
	}
	for _, old := range r.Of {
		again, err := rs.again(o, old, uids)
		if err != nil {
			return nil, err
		}
		o = o.push(again)
		r.records = append(r.records, again)
	}
	r.overlay, r.Then = o, o.size(fixed)
	return r, nil
}

// chain is the records that have to be applied for a record to be.
func (rs *Records) chain(ctx context.Context, rec *model.Record) ([]*model.Record, error) {
	st := rs.s.file.opt.Store
	if rec.Cause == model.CauseRestore && len(rec.Parents) > 0 && st != nil {
		top, err := st.Record(ctx, rec.Parents[len(rec.Parents)-1])
		if err != nil {
			return nil, fmt.Errorf("look for what %s undid: %w", rec.ID, err)
		}
		rec = top
	}
	if rec.Outcome != model.Applied || rec.Cause == model.CauseRestore || rec.Cause == model.CauseFound {
		return nil, &model.Problem{Code: "nothing-again", What: fmt.Sprintf("Record %s can't be applied again.", rec.ID),
			Why: "It holds no compaction of this program.", Next: "Choose a record that was applied."}
	}
	if st == nil {
		return []*model.Record{rec}, nil
	}
	return StackOf(ctx, st, rec)
}

// sameEffect reports whether two records do the same to a list: they are one, or
// one is the other applied again.
func sameEffect(a, b *model.Record) bool {
	return a.UID == b.UID || a.At == b.At && a.RangeSHA == b.RangeSHA && a.Summary == b.Summary && len(a.Live) == len(b.Live)
}

// again makes a new record like an old one on an overlay, and notes its UID.
func (rs *Records) again(o Overlay, old *model.Record, uids map[string]string) (*model.Record, error) {
	var why string
	switch {
	case !o.ownRecord(old):
		why = "It was made on another conversation or agent of the file."
	case old.At > len(o.thread.History):
		why = fmt.Sprintf("It was made at message %d, and the history has %d.", old.At, len(o.thread.History))
	}
	r := *old
	o.describeSource(&r)
	r.ID, r.UID, r.Again = "", o.file.opt.UID(), cmp.Or(old.Again, old.ID)
	r.Cause, r.Duration, r.Asked, r.Off, r.Verb = model.CauseManual, 0, nil, false, o.file.opt.Verb
	r.Output, r.OutputSHA = "", ""
	uids[old.UID] = r.UID
	r.Live = slices.Clone(old.Live)
	for i, it := range r.Live {
		r.Live[i].Record = cmp.Or(uids[it.Record], it.Record)
	}
	if why == "" {
		var err error
		if why, err = o.upTo(r.At).differs(&r); err != nil {
			return nil, err
		}
	}
	if why != "" {
		return nil, &model.Problem{Code: "covered-changed", What: fmt.Sprintf("Record %s can't be applied again.", old.ID),
			Why: why, Next: "Make a new compaction instead."}
	}
	r.Runs, r.Base, r.Parents = numbered(o.CountedThread, r.Runs), rs.baseOf(o), nil
	fixed := rs.s.Policy().Fixed
	r.Before, r.After = o.upTo(r.At).size(fixed), o.push(&r).upTo(r.At).size(fixed)
	return &r, nil
}

// differs returns what a record says of another history than the one below it, or
// "": the covered bytes are the same, what it keeps is there, and no call is
// parted from its results.
func (o Overlay) differs(r *model.Record) (why string, err error) {
	there := map[model.Item]bool{}
	for _, it := range o.Items() {
		there[model.Item{Msg: it.Msg, Record: it.Record}] = true
	}
	for _, it := range r.Live {
		if it.Record != r.UID && !there[model.Item{Msg: it.Msg, Record: it.Record}] {
			return "Messages that it keeps are not there any more.", nil
		}
	}
	taken := o.Taken(r)
	messages := messagesOf(taken)
	n := 0
	for _, it := range taken {
		if it.Msg < 0 || o.lineage.records[it.Msg] != nil {
			n++
		}
	}
	if n != len(r.Parents) {
		return fmt.Sprintf("It covers %s; the history holds %d there.", figure.Plural(int64(len(r.Parents)), "summary"), n), nil
	}
	sum, err := o.bytesHash(messages)
	if err != nil {
		return "", err
	}
	if sum != r.RangeSHA {
		return fmt.Sprintf("The messages it covers have changed: their SHA-256 is %.12s, it was %.12s.", sum, r.RangeSHA), nil
	}
	callers := Callers(o.thread)
	for _, m := range messagesOf(r.Live) {
		if slices.Contains(messages, callers[m]) {
			return "A kept result would lose its call.", nil
		}
	}
	return "", nil
}

// Reapply stores the new records and puts them on the stack, the bottom one first. If one
// can't be stored those before it are applied, and returned beside the error.
func (rs *Records) Reapply(ctx context.Context, r *Reapplication) ([]*model.Record, error) {
	rs.changing.Lock()
	defer rs.changing.Unlock()
	if version, _ := rs.s.snapshot(); version != r.version {
		return nil, &model.Problem{Code: "stale-draft", What: "The record was not applied again.",
			Why: "The session changed since it was looked at.", Next: "Look again."}
	}
	ids := map[string]string{}
	for i, rec := range r.records {
		if i > 0 {
			rec.Base = r.records[i-1].ID
		}
		rec.Time, rec.Parents = rs.s.file.opt.Now().UTC(), nil
		for _, p := range r.Of[i].Parents {
			rec.Parents = append(rec.Parents, cmp.Or(ids[p], p))
		}
		if err := SaveAll(ctx, Unsaved{Record: rec, of: rs}); err != nil {
			return r.records[:i], err
		}
		ids[r.Of[i].ID] = rec.ID
	}
	return r.records, nil
}

// ReapplyTo is Reapply together with the file it leaves, as one act like
// [ApplyTo]: the records are stored once the file is written and read back.
func (rs *Records) ReapplyTo(ctx context.Context, path string, force bool, r *Reapplication) (made []*model.Record, w *Written, err error) {
	w, err = rs.s.file.writeOverlays(ctx, Output{Path: path, Force: force}, []Overlay{r.overlay}, func(sha string) error {
		top := r.records[len(r.records)-1]
		top.Output, top.OutputSHA = model.AbsolutePath(path), sha
		made, err = rs.Reapply(ctx, r)
		return err
	})
	return made, w, err
}
