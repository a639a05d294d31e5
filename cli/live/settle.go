package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
)

// settleFor is how long the record of a compaction and its summary are waited for: an
// agent may write it down after its hooks.
const settleFor = 2 * time.Minute

// errNotYet says that a transcript does not hold the compaction.
var errNotYet = errors.New("the transcript does not hold the compaction")

// Settle puts the record of the compaction that happened in the place of the one that
// Prepare made before it: with the agent's own summary, what it kept, and what was lost
// with it. A summary that can't be read, as Codex's encrypted ones, leaves the record as
// it is.
func (h Hooks) Settle(ctx context.Context, transcript, sessionID string) (*model.Record, error) {
	alone, err := os.OpenFile(h.settling(sessionID), os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil, nil // both PostCompact and SessionStart start it
	} else if err != nil {
		return nil, err
	}
	defer os.Remove(alone.Name())
	alone.Close()
	st, err := h.Writable()
	if err != nil {
		return nil, err
	}
	defer st.Close()
	deadline := h.Now().Add(settleFor)
	for pause := patience; ; pause *= 2 {
		var rec *model.Record
		p, err := h.left(sessionID)
		switch {
		case errors.Is(err, os.ErrNotExist), err == nil && (p.Record == "" || p.Transcript != transcript):
			err = ErrNotReady
		case err == nil:
			rec, err = h.settle(ctx, st, sessionID, &p)
		}
		if err == nil {
			return rec, h.amend(sessionID, func(p *prepared) { p.Settled = true })
		}
		if !errors.Is(err, errNotYet) && !errors.Is(err, ErrNotReady) || h.Now().Add(pause).After(deadline) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

func (h Hooks) settling(session string) string { return h.state(session) + ".settling.part" }

// settle makes the record if the transcript holds the compaction.
func (h Hooks) settle(ctx context.Context, st *store.Store, sessionID string, p *prepared) (*model.Record, error) {
	now, err := os.Stat(p.Transcript)
	if err != nil {
		return nil, err
	}
	if now.Size() <= p.Size {
		return nil, errNotYet
	}
	f, after, err := h.thread(ctx, p.Transcript, "", st)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	from, err := h.head(p.Transcript, p.Size)
	if err != nil {
		return nil, err
	}
	defer os.Remove(from)
	g, before, err := h.thread(ctx, p.Transcript, from, st)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	found, text, err := newest(before, after)
	if err != nil {
		return nil, err
	}
	session.Pin(before, staying(before.Thread(), after.Thread(), found.At), true)
	d, err := h.takesAll(ctx, before, p.Trigger)
	if err != nil {
		return nil, err
	}
	rec, err := before.Records.Apply(ctx, session.Witnessed(before, d, text, "the agent's own compaction, with its own summary"))
	if err != nil {
		return nil, err
	}
	_, err = st.Delete(ctx, p.Record)
	return rec, errors.Join(err, h.report(ctx, st, after, sessionID, rec))
}

// thread opens the main thread of a transcript, whose text is in another file if one is
// named.
func (h Hooks) thread(ctx context.Context, transcript, from string, st *store.Store) (*session.File, *session.Session, error) {
	f, err := h.OpenWith(ctx, transcript, from, st)
	s, err := mainThread(ctx, f, err)
	return f, s, err
}

// head copies the beginning of a transcript, as it was before the compaction.
func (h Hooks) head(transcript string, size int64) (path string, err error) {
	in, err := os.Open(transcript)
	if err != nil {
		return "", err
	}
	defer in.Close()
	out, err := os.CreateTemp(h.Dir, "*.part") // readable by its owner only
	if err != nil {
		return "", err
	}
	_, err = io.CopyN(out, in, size)
	if err = errors.Join(err, out.Close()); err != nil {
		_ = os.Remove(out.Name())
	}
	return out.Name(), err
}

// newest is the compaction of an agent that a transcript holds now and did not before, with
// its summary.
func newest(before, after *session.Session) (model.Found, string, error) {
	theirs := func(s *session.Session) (list []model.Found, texts []string) {
		records := s.FoundRecords() // the newest first
		for i, f := range s.Found() {
			if !f.Clearing && !f.Own() {
				list, texts = append(list, f), append(texts, records[len(records)-1-i].Summary)
			}
		}
		return list, texts
	}
	was, _ := theirs(before)
	is, texts := theirs(after)
	if len(is) <= len(was) {
		return model.Found{}, "", errNotYet
	}
	found, text := is[len(was)], texts[len(was)]
	if text == "" {
		return found, "", fmt.Errorf("the summary of %s can't be read", after.File().Doc.Path)
	}
	return found, text, nil
}

// staying lists the messages of a history that a compaction left as they were: those that
// are live after it in the transcript that went on, at their place or as copies (Codex).
func staying(before, after *model.Thread, at int) (list []int) {
	live, copies := map[int64]bool{}, map[string]bool{}
	for _, i := range after.Live(at) {
		m := &after.Messages[i]
		if len(m.Pieces) == 0 || m.Kind == model.KindSummary {
			continue
		}
		if live[m.Pieces[0].Off] = true; m.ID != "" && m.Kind == model.KindUser {
			copies[m.ID] = true
		}
	}
	for h, i := range before.History {
		if m := &before.Messages[i]; len(m.Pieces) > 0 && (live[m.Pieces[0].Off] || copies[m.ID]) {
			list = append(list, h)
		}
	}
	return list
}

// takesAll is a draft by which a ledger replaces all that is not pinned.
func (h Hooks) takesAll(ctx context.Context, s *session.Session, trigger string) (*session.Draft, error) {
	p := ledgerOfAll(h.Tokens)
	p.Preset, p.Pins = "hook", s.Policy().Pins
	if trigger == "auto" { // always fires: the agent has decided
		p.Triggers = []model.Clause{compaction.TriggerAt(0, model.Messages)}
	}
	d, err := s.Draft(ctx, p, compaction.Options{Manual: trigger != "auto"}, nil)
	if err == nil && d.Plan.Outcome != compaction.WouldApply {
		err = errors.New(session.Refusal(d.Plan, s.Estimated()))
	}
	return d, err
}
