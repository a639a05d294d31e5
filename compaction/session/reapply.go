package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Reapplication is what applying records again would do to a session.
type Reapplication struct {
	Of   []*model.Record // the records that are applied again, bottom first
	Now  model.Size
	Then model.Size

	records []*model.Record // the new ones, not stored yet
	stack   []*model.Record // that they stand on
	version int
}

// ReapplyPreview tells what applying a record again would do, on the history it
// was made of or on one that has grown or was edited since. The records it
// stands on that are not applied come with it; of a restore, what it undid is
// applied again. It is refused, with the reason, when the messages that it
// covers are not byte for byte those it was made of, or when other records
// stand in its place.
func (s *Session) ReapplyPreview(ctx context.Context, rec *model.Record) (*Reapplication, error) {
	chain, err := s.chain(ctx, rec)
	if err != nil {
		return nil, err
	}
	version, stack := s.snapshot()
	n := 0
	for n < len(stack) && n < len(chain) && sameEffect(stack[n], chain[n]) {
		n++
	}
	switch {
	case n == len(chain):
		return nil, &model.Problem{Code: "is-applied", What: fmt.Sprintf("Record %s is applied already.", rec.ID), Next: "Choose another record."}
	case n < len(stack):
		return nil, &model.Problem{Code: "other-records", What: fmt.Sprintf("Record %s can't be applied again now.", rec.ID),
			Why: fmt.Sprintf("Record %s is applied, and %s was not made on it.", stack[n].ID, chain[n].ID), Next: fmt.Sprintf("Restore the originals of %s first.", stack[n].ID)}
	}
	r := &Reapplication{Of: chain[n:], stack: stack, version: version}
	s.mu.Lock()
	at := s.at
	s.mu.Unlock()
	r.Now = s.sizeAt(stack, at)
	made := againMaker{s: s, uids: map[string]string{}}
	for i, old := range chain[:n] {
		made.uids[old.UID] = stack[i].UID
	}
	for _, old := range r.Of {
		again, err := made.again(stack, old)
		if err != nil {
			return nil, err
		}
		stack = append(slices.Clip(stack), again)
		r.records = append(r.records, again)
	}
	r.Then = s.sizeAt(stack, at)
	return r, nil
}

// chain is the records that have to stand for a record to stand.
func (s *Session) chain(ctx context.Context, rec *model.Record) ([]*model.Record, error) {
	st := s.file.opt.Store
	if rec.Cause == model.CauseRestore && len(rec.Parents) > 0 && st != nil {
		top, err := st.Record(ctx, rec.Parents[len(rec.Parents)-1])
		if err != nil {
			return nil, fmt.Errorf("look for what %s undid: %w", rec.ID, err)
		}
		rec = top
	}
	if rec.Outcome != model.Applied || rec.Cause == model.CauseRestore || rec.Cause == model.CauseFound {
		return nil, &model.Problem{Code: "nothing-again", What: fmt.Sprintf("Record %s can't be applied again.", rec.ID), Why: "It holds no compaction of this program.", Next: "Choose a record that was applied."}
	}
	if st == nil || rec.Verb {
		return []*model.Record{rec}, nil
	}
	return StackOf(ctx, st, rec)
}

// sameEffect reports whether two records do the same to a list: they are one, or
// one is the other applied again.
func sameEffect(a, b *model.Record) bool {
	return a.UID == b.UID || a.At == b.At && a.RangeSHA == b.RangeSHA && a.Summary == b.Summary && len(a.Live) == len(b.Live)
}

// againMaker makes records anew for a session.
type againMaker struct {
	s    *Session
	uids map[string]string // of records to those that stand for them now
}

func (m *againMaker) again(stack []*model.Record, old *model.Record) (*model.Record, error) {
	s, doc := m.s, m.s.file.Doc
	differs := func(why string) error {
		return &model.Problem{Code: "covered-changed", What: fmt.Sprintf("Record %s was not applied again.", old.ID), Why: why, Next: "Make a new compaction instead."}
	}
	switch {
	case old.Conversation != s.ref.Conversation || old.Thread != s.ref.Thread:
		return nil, differs("It was made on another conversation or agent of the file.")
	case old.At > len(s.thread.History):
		return nil, differs(fmt.Sprintf("It was made at message %d, and the history has %d.", old.At, len(s.thread.History)))
	}
	r := *old
	r.ID, r.UID, r.Again = "", s.file.opt.UID(), cmp.Or(old.Again, old.ID)
	r.Session, r.Path, r.Format, r.FieldMap = s.file.Title(s.ref.Conversation), doc.Path, doc.Format, transcript.MapOf(doc)
	r.SourceSHA, r.SourceSize, r.Agent = doc.Hash(), doc.Size, s.thread.AgentID
	r.Cause, r.Duration, r.Asked, r.Off, r.Verb = model.CauseManual, 0, nil, false, s.file.opt.Verb
	r.Output, r.OutputSHA, r.Counted = "", "", s.counter.Name()
	m.uids[old.UID] = r.UID
	r.Live = slices.Clone(old.Live)
	for i, it := range r.Live {
		if now, ok := m.uids[it.Record]; ok {
			r.Live[i].Record = now
		}
	}
	if err := s.fits(stack, &r, differs); err != nil {
		return nil, err
	}
	r.Base, r.Parents = s.base, nil
	if k := len(stack); k > 0 {
		r.Base = stack[k-1].ID
	}
	r.Before, r.After = s.sizeAt(stack, r.At), s.sizeAt(append(slices.Clip(stack), &r), r.At)
	return &r, nil
}

// fits checks that a record says of this history what it said of its own: the
// covered bytes are the same, what it keeps is there, and no call is parted from
// its results.
func (s *Session) fits(stack []*model.Record, r *model.Record, differs func(string) error) error {
	there := map[model.Item]bool{}
	for _, it := range s.liveItems(stack, r.At) {
		there[model.Item{Msg: it.Msg, Record: it.Record}] = true
	}
	for _, it := range r.Live {
		if it.Record != r.UID && !there[model.Item{Msg: it.Msg, Record: it.Record}] {
			return differs("Messages that it keeps are not there any more.")
		}
	}
	taken := s.Taken(stack, r)
	if sum := len(taken) - len(messagesOf(taken)); sum != len(r.Parents) {
		return differs(fmt.Sprintf("It covers %d summaries, and %d stand there.", len(r.Parents), sum))
	}
	sum, err := s.bytesHash(messagesOf(taken))
	if err != nil {
		return err
	}
	if sum != r.RangeSHA {
		return differs(fmt.Sprintf("The messages it covers have changed: their SHA-256 is %.12s, it was %.12s.", sum, r.RangeSHA))
	}
	gone := map[string]bool{}
	for _, m := range messagesOf(taken) {
		for _, c := range s.thread.Messages[m].Calls {
			gone[c.ID] = true
		}
	}
	for _, it := range r.Live {
		if it.Msg >= 0 && gone[s.thread.Messages[it.Msg].Answers] && s.thread.Messages[it.Msg].Answers != "" {
			return differs("A kept result would lose its call.")
		}
	}
	return nil
}

// Reapply stores the new records and puts them on the stack, the bottom one
// first. If one can't be stored those before it stand; they are given beside the
// error.
func (s *Session) Reapply(ctx context.Context, r *Reapplication) ([]*model.Record, error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	if version, _ := s.snapshot(); version != r.version {
		return nil, &model.Problem{Code: "stale-draft", What: "The record was not applied again.",
			Why: "The session changed since it was looked at.", Next: "Look again."}
	}
	return s.storeAgain(ctx, r)
}

func (s *Session) storeAgain(ctx context.Context, r *Reapplication) ([]*model.Record, error) {
	ids := map[string]string{}
	var made []*model.Record
	for i, rec := range r.records {
		if i > 0 {
			rec.Base = made[i-1].ID
		}
		rec.Time, rec.Parents = s.file.opt.Now().UTC(), nil
		for _, p := range r.Of[i].Parents {
			rec.Parents = append(rec.Parents, cmp.Or(ids[p], p))
		}
		if err := s.save(ctx, rec); err != nil {
			return made, err
		}
		ids[r.Of[i].ID] = rec.ID
		s.push(rec)
		made = append(made, rec)
	}
	return made, nil
}

// ReapplyTo is Reapply together with the file it leaves, as one act like
// [ApplyTo]: the records are stored once the file is written and read back.
func (s *Session) ReapplyTo(ctx context.Context, path string, force bool, r *Reapplication) ([]*model.Record, *Written, error) {
	stack := append(slices.Clip(r.stack), r.records...)
	var made []*model.Record
	var links []transcript.Relink
	sum := sha256.New()
	out, err := WriteFile(ctx, path, force, func(w io.Writer) (err error) {
		links, err = s.export(io.MultiWriter(w, sum), stack)
		return err
	}, func(tmp string) (err error) {
		if err := s.check(ctx, tmp, stack); err != nil {
			return err
		}
		if err := grown(s.file.Doc, path); err != nil {
			return err
		}
		top := r.records[len(r.records)-1]
		top.Output, top.OutputSHA = absolute(path), hex.EncodeToString(sum.Sum(nil))
		made, err = s.Reapply(ctx, r)
		return err
	})
	if out != nil {
		out.Relinked = links
	}
	return made, out, err
}
