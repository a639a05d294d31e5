package live

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/doors"
	"palimpsest/compaction/session/figures"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/store"
)

// A running agent calls its hooks and waits for them, so a hook does the least: at
// PreCompact it starts another process, which reads the transcript while the agent
// asks its model for a summary; at SessionStart it hands over what that process
// left.
//
//	agent ── PreCompact ──▶ hook ──starts──▶ Prepare: record, ledger ──▶ state file
//	agent asks its model …                                                   │
//	agent ── SessionStart(compact) ──▶ hook ◀──────────reads─────────────────┘
//	      ◀── additionalContext: the ledger   └─starts──▶ Settle: the record with the agent's summary
//
// In doubt a hook says nothing, which lets the agent go on.

// event is what Claude Code and Codex write to a hook, as far as it matters.
type event struct {
	Name       string `json:"hook_event_name"`
	Session    string `json:"session_id"`
	Transcript string `json:"transcript_path"`
	Trigger    string `json:"trigger"` // of PreCompact: "auto" or "manual"
	Source     string `json:"source"`  // of SessionStart: "compact" after a compaction
}

// prepared is what Prepare leaves for the next event of a session.
type prepared struct {
	Transcript string    `json:"transcript"`
	Size       int64     `json:"size"` // of the transcript when it was read
	Trigger    string    `json:"trigger"`
	Record     string    `json:"record"`  // of what is about to go
	Ledger     string    `json:"ledger"`  // "": it was handed over
	Settled    bool      `json:"settled"` // the record is that of the compaction that happened
	Time       time.Time `json:"time"`
}

// Hooks answers the events of running agents.
type Hooks struct {
	World
	Dir    string // where state files are
	Tokens int    // of the ledger that is handed over
	Now    func() time.Time
	// Start runs the verb hook with these arguments in a process of its own that
	// outlives this one.
	Start func(args ...string) error
	// Writable opens the database for a new record.
	Writable func() (*store.Store, error)
	// OpenWith opens a transcript whose records go to the database.
	// The text is that of the file from, if one is named.
	OpenWith func(ctx context.Context, path, from string, st *store.Store) (*session.File, error)
}

// mostEvent bounds what a hook reads of its input.
const mostEvent = 1 << 20

// ErrNotReady says that an agent went on before what it was to compact had been read, or
// that it could not be read: why is another error.
var ErrNotReady = errors.New("what was to be compacted is not recorded")

// patience is how long a hook waits for the ledger if the agent was faster.
const patience = 100 * time.Millisecond

// Answer reads one event and writes what the agent is to be given, if anything.
// Its errors are for the log: the agent must not notice them.
func (h Hooks) Answer(in io.Reader, out io.Writer) error {
	b, err := io.ReadAll(io.LimitReader(in, mostEvent))
	if err != nil {
		return err
	}
	var e event
	if err := json.Unmarshal(b, &e); err != nil {
		return fmt.Errorf("the event is not JSON: %w", err)
	}
	if e.Transcript == "" || e.Session == "" {
		return fmt.Errorf("the event %q names no session or no transcript", e.Name)
	}
	doors.NoteCall(h.Dir, e.Transcript, e.Name)
	switch {
	case e.Name == "PreCompact":
		_ = os.Remove(h.state(e.Session)) // that of an earlier compaction
		_ = os.Remove(h.settling(e.Session))
		return h.Start("--prepare", e.Transcript, "--session", e.Session, "--trigger-kind", e.Trigger)
	case e.Name == "PostCompact":
		return h.Start("--settle", e.Transcript, "--session", e.Session)
	case e.Name == "SessionStart" && e.Source == "compact":
		err := h.handOver(e, out)
		return errors.Join(err, h.Start("--settle", e.Transcript, "--session", e.Session))
	}
	return nil // nothing of ours
}

// handOver writes the ledger for the agent's context.
func (h Hooks) handOver(e event, out io.Writer) error {
	p, err := h.wait(e.Session)
	if errors.Is(err, os.ErrNotExist) {
		return ErrNotReady
	} else if err != nil {
		return err
	}
	if p.Transcript != e.Transcript || p.Ledger == "" {
		return errors.New("the ledger is of another transcript, or was handed over already")
	}
	type specific struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	}
	if err := h.amend(e.Session, func(p *prepared) { p.Ledger = "" }); err != nil {
		return err
	}
	text := "A note of the messages that were just compacted away, made by Palimpsest without a model:\n\n" + p.Ledger
	return json.NewEncoder(out).Encode(struct {
		Specific specific `json:"hookSpecificOutput"`
	}{specific{"SessionStart", text}})
}

// wait reads the state file, and waits a moment for it.
func (h Hooks) wait(session string) (p prepared, err error) {
	deadline := h.Now().Add(patience)
	for {
		if p, err = h.left(session); !errors.Is(err, os.ErrNotExist) || h.Now().After(deadline) {
			return p, err
		}
		time.Sleep(patience / 10)
	}
}

// left is what is in the state file.
func (h Hooks) left(session string) (p prepared, err error) {
	b, err := os.ReadFile(h.state(session))
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(b, &p)
}

// state is the state file of a session; its name reveals nothing of it.
func (h Hooks) state(session string) string {
	sum := sha256.Sum256([]byte(session))
	return filepath.Join(h.Dir, fmt.Sprintf("%x.json", sum[:16]))
}

// Prepare records what a compaction is about to take from a transcript, with the
// originals, and leaves the ledger for the session's next event. The record's
// summary is the ledger.
func (h Hooks) Prepare(ctx context.Context, transcript, sessionID, trigger string) (*model.Record, error) {
	st, err := h.Writable()
	if err != nil {
		return nil, err
	}
	defer st.Close()
	f, s, err := h.thread(ctx, transcript, "", st)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	session.Pin(s, shownAgain(s.Thread()), true)
	d, err := h.takesAll(ctx, s, trigger)
	if err != nil {
		return nil, err
	}
	ledger, err := h.Hide.Text(d.Text.Text)
	if err != nil {
		return nil, err
	}
	ledger, _ = summarize.StripHeading(ledger) // it is context, not a summary message
	left := prepared{Transcript: transcript, Size: f.Doc.Size, Trigger: trigger, Ledger: strings.TrimSpace(ledger), Time: h.Now().UTC()}
	if err := h.leave(sessionID, left); err != nil { // the agent may be waiting: before the record
		return nil, err
	}
	rec, err := s.Records.Apply(ctx, session.Witnessed(s, d, "", "what the agent was about to compact; the summary is not its own"))
	if err != nil {
		return nil, err
	}
	return rec, errors.Join(h.amend(sessionID, func(p *prepared) { p.Record = rec.ID }), h.report(ctx, st, s, sessionID, rec))
}

// shownAgain lists what the agent's own compaction puts back: the attachments by which
// Claude Code shows the environment, skills, agents and reminders. Their facts are not lost.
func shownAgain(th *model.Thread) (list []int) {
	for h, i := range th.History {
		if m := &th.Messages[i]; m.Kind == model.KindUser && m.Origin == model.OriginInjected && m.Name != "" {
			list = append(list, h)
		}
	}
	return list
}

// report notes the session as one that runs.
func (h Hooks) report(ctx context.Context, st *store.Store, s *session.Session, id string, rec *model.Record) error {
	p, err := h.Policy("")
	if err != nil {
		return err
	}
	running := figures.Live(s, p)
	running.ID, running.Source, running.Changed, running.Record = id, model.LiveHook, h.Now().UTC(), rec.ID
	return st.PutLive(ctx, running)
}

// kept is how long a state file waits for its session: one that was ended in the middle
// of a compaction never asks for it.
const kept = 7 * 24 * time.Hour

// sweep removes the state files that nobody will ask for.
func (h Hooks) sweep() {
	list, _ := os.ReadDir(h.Dir)
	for _, e := range list {
		ours := strings.HasSuffix(e.Name(), ".json") || strings.HasSuffix(e.Name(), ".part")
		if i, err := e.Info(); ours && err == nil && h.Now().Sub(i.ModTime()) > kept {
			_ = os.Remove(filepath.Join(h.Dir, e.Name()))
		}
	}
}

// leave writes a state file, readable by its owner only.
func (h Hooks) leave(session string, p prepared) error {
	if err := os.MkdirAll(h.Dir, 0o700); err != nil {
		return err
	}
	h.sweep()
	b, err := json.Marshal(p)
	if err != nil {
		return err
	}
	path := h.state(session)
	tmp := path + ".part"
	if err := os.WriteFile(tmp, b, 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// amend changes a state file, if there is one. What was handed over and settled is done
// with.
func (h Hooks) amend(session string, change func(*prepared)) error {
	p, err := h.left(session)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if change(&p); p.Settled && p.Ledger == "" {
		return os.Remove(h.state(session))
	}
	return h.leave(session, p)
}
