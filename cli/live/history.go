package live

import (
	"context"
	"path/filepath"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
)

// World is what the servers of this package work on.
type World struct {
	Version string
	// Store opens the database for reading; nil without an error: there is none.
	Store func() (*store.Store, error)
	// Open opens a transcript.
	Open func(ctx context.Context, path string) (*session.File, error)
	// Policy is the policy of a preset; "": the default.
	Policy func(preset string) (model.Policy, error)
	// Hide is what texts of histories go through before an agent gets them; nil: they
	// are handed out as they are.
	Hide *Hider
	// Projects are the folders whose histories an agent may read; nil: all.
	Projects []string
}

// gone is a history with what compactions took out of it.
type gone struct {
	file    *session.File
	path    string // of the transcript
	thread  *session.Session
	record  string // that took it; "": the file's own compactions
	ranges  []model.Range
	closing func() error
}

func (g *gone) close() {
	if g.closing != nil {
		_ = g.closing()
	}
}

// ofRecord opens the originals of a record.
func ofRecord(ctx context.Context, st *store.Store, rec *model.Record) (*gone, error) {
	f, err := session.OpenOriginals(ctx, st, rec)
	if err != nil {
		return nil, err
	}
	s, err := f.OriginalSession(ctx, rec)
	if err != nil {
		f.Close()
		return nil, err
	}
	g := &gone{file: f, path: rec.Path, thread: s, record: rec.ID, closing: f.Close}
	for _, o := range session.OriginalRanges(rec) {
		g.ranges = append(g.ranges, o.Range)
	}
	return g, nil
}

// ofFile opens a transcript; what went is everything before its last compaction. An agent can't
// ask so which files there are outside its projects.
func ofFile(ctx context.Context, w World, path string) (*gone, error) {
	if path == "-" {
		path = "./-" // a file: the standard input is the protocol's
	}
	f, err := w.Open(ctx, path)
	s, err := mainThread(ctx, f, err)
	if err != nil {
		if dir, _ := filepath.Abs(filepath.Dir(path)); !w.within(dir) {
			err = errElsewhere(filepath.Base(path))
		}
		return nil, err
	}
	g := &gone{file: f, path: path, thread: s, closing: f.Close}
	if !w.shows(g) {
		g.close()
		return nil, errElsewhere(filepath.Base(path))
	}
	if found := s.FoundRecords(); len(found) > 0 {
		g.ranges = []model.Range{{From: 0, To: found[0].At}}
	}
	return g, nil
}

// text is what message i of the history says: its words, calls and results.
func (g *gone) text(i int) (string, error) {
	parts, err := g.thread.Read(g.thread.Thread().History[i])
	if err != nil {
		return "", err
	}
	var texts []string
	for _, p := range parts {
		if p.Kind == model.PartCall {
			p.Text = strings.TrimSpace(p.Name + " " + p.Text)
		}
		if p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n"), nil
}

// message is message i of the history.
func (g *gone) message(i int) *model.Message {
	t := g.thread.Thread()
	return &t.Messages[t.History[i]]
}

// Ledger lists the literal facts of what the context held before the last
// compaction of a file or, without one, of all of it, within so many tokens.
func Ledger(ctx context.Context, s *session.Session, budget int) (string, error) {
	if found := s.FoundRecords(); len(found) > 0 {
		s.SetAt(max(found[0].At-1, 0)) // one message further it has happened already
	}
	d, err := s.Draft(ctx, ledgerOfAll(budget), compaction.Options{Manual: true}, nil)
	if err != nil {
		return "", err
	}
	if d.Plan.Outcome != compaction.WouldApply {
		return "", &model.Problem{Code: "nothing-went", What: "There is nothing to list.", Why: session.Refusal(d.Plan, s.Estimated())}
	}
	return d.Text.Text, nil
}

// ledgerOfAll is a policy that replaces everything by a ledger.
func ledgerOfAll(budget int) model.Policy {
	p := compaction.BasePolicy() // without a tail and a batch
	p.Strategy, p.Budget = model.NoteText, model.Amount{N: budget, Unit: model.Tokens}
	return p
}
