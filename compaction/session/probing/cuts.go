// Package probing asks a model what it knows of a session when it reads only what a
// compaction leaves, and compares settings by its answers. The questions and their marks are
// the ones of package probe.
//
//	session ──▶ cuts ──▶ questions ─────────────────────────┐
//	              └────▶ sides: whole history, kept window, │
//	                     settings, recorded summary, ledger ┴─▶ asked ──▶ table
//
// [Prepare] sends nothing. [Probe.Run] sends what [Probe.Cost] told, with secrets hidden. The
// package is deterministic but for the model.
package probing

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/compaction/probe"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// The sides that are not settings.
const (
	Whole        = "whole history" // the ceiling
	Window       = "kept window"   // the floor: what the first setting keeps, without a summary
	Recorded     = "recorded summary"
	RecordedNote = "recorded + note"
	Ledger       = "facts alone" // as long as the first setting's summary
)

// noteTokens is the size of the note after a recorded summary.
const noteTokens = 500

// A cut is worth questions when so many messages are before it, and so many after.
const (
	leastBefore = 30
	leastAfter  = 4
)

// Setting is a policy under its name.
type Setting struct {
	Name   string
	Policy model.Policy
}

// Cut is a place where a history is compacted, with its questions and what each side leaves.
type Cut struct {
	At        int        `json:"at"`    // history position
	Found     int        `json:"found"` // number of the file's compaction, from 1; 0: none is there
	Sides     []Side     `json:"sides"`
	Questions []Question `json:"questions"`
}

// Question is a question with what each side answered.
type Question struct {
	probe.Question
	Replies map[string]Reply `json:"replies"` // by side
}

// Reply is what a reader said, and what it was worth.
type Reply struct {
	Answer string     `json:"answer"`
	Mark   probe.Mark `json:"mark"`
	Says   string     `json:"says"` // what the side's text says of it, as far as a rule finds it
}

// Side is what a reader gets.
type Side struct {
	Name   string `json:"side"`
	Tokens int    `json:"tokens"` // of the text
	Why    string `json:"why"`    // why there is no text
	Text   string `json:"-"`

	sent string // the text with secrets hidden
}

// Prepare makes the cuts of a session with their questions and sides: where the file was
// compacted, else one at three fifths of it. With recorded the file's own summaries are sides
// and only their cuts are taken. The session is left at another position and policy.
func Prepare(ctx context.Context, s *session.Session, settings []Setting, recorded bool) ([]Cut, error) {
	history, err := read(ctx, s)
	if err != nil {
		return nil, err
	}
	var entries []summarize.Entry
	for i := range history {
		entries = append(entries, summarize.Entry{Msg: history[i].Message, Parts: history[i].Parts})
	}
	chinese := summarize.HistoryLang(entries) == summarize.Chinese
	var out []Cut
	for _, c := range places(s, recorded) {
		end := len(history)
		for _, f := range s.Found() {
			if f.At > c.At && !f.Clearing {
				end = min(end, f.At)
			}
		}
		if c.At < leastBefore || end-c.At < leastAfter {
			continue
		}
		if err := sides(ctx, s, &c, history, settings); err != nil {
			return nil, err
		}
		kept := ""
		if i := slices.IndexFunc(c.Sides, func(s Side) bool { return s.Name == Window }); i >= 0 {
			kept = c.Sides[i].Text
		}
		for _, q := range probe.Make(history[:end], c.At, kept, chinese) {
			c.Questions = append(c.Questions, Question{q, map[string]Reply{}})
		}
		out = append(out, c)
	}
	return out, ctx.Err()
}

func read(ctx context.Context, s *session.Session) ([]probe.Message, error) {
	t := s.Thread()
	out := make([]probe.Message, len(t.History))
	for h, stored := range t.History {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		parts, err := s.Read(stored)
		if err != nil {
			return nil, err
		}
		out[h] = probe.Message{Message: &t.Messages[stored], Num: h + 1, Parts: parts}
	}
	return out, nil
}

// places are the cuts of a session.
func places(s *session.Session, recorded bool) (out []Cut) {
	for i, f := range s.Found() {
		if !f.Clearing && !f.Own() && (f.Summary >= 0 || !recorded) {
			out = append(out, Cut{At: f.At, Found: i + 1})
		}
	}
	t := s.Thread()
	for at := len(t.History) * 3 / 5; len(out) == 0 && !recorded && 0 < at && at < len(t.History); at++ {
		if t.Messages[t.History[at-1]].Kind == model.KindResult && t.Messages[t.History[at]].Kind == model.KindAssistant {
			out = append(out, Cut{At: at})
		}
	}
	return out
}

// sides makes what each reader gets at a cut.
func sides(ctx context.Context, s *session.Session, c *Cut, history []probe.Message, settings []Setting) error {
	m := maker{s: s, cut: c, history: history}
	m.add(Whole, "", m.words(0, c.At), nil)
	at := c.At
	if c.Found > 0 {
		at-- // at the cut itself the file is compacted already
	}
	s.SetAt(at)
	for i, set := range settings {
		s.UsePreset(set.Policy)
		d, err := s.Draft(ctx, s.Policy(), compaction.Options{Manual: true}, nil)
		switch {
		case err != nil:
		case d.Plan.Outcome != compaction.WouldApply:
			err = fmt.Errorf("%s", d.Plan.Why)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			m.add(set.Name, "", "", err)
			continue
		}
		kept := m.left(d.Plan) + m.words(at, c.At)
		if i == 0 {
			m.add(Window, "", kept, nil)
			ledger, err := m.ledger(ctx, d.Plan, d.Text.Tokens)
			m.add(Ledger, ledger, kept, err)
			if err := m.recorded(ctx, d.Plan); err != nil {
				return err
			}
		}
		m.add(set.Name, d.Text.Text, kept, nil)
	}
	return nil
}

// maker makes the sides of a cut.
type maker struct {
	s       *session.Session
	cut     *Cut
	history []probe.Message
}

func (m *maker) add(name, summary, kept string, err error) {
	side := Side{Name: name}
	if err != nil {
		side.Why = err.Error()
	} else if side.Text = kept; summary != "" {
		side.Text = "[summary of what came before]\n" + summary + "\n\n" + kept
	}
	side.Tokens = m.s.CountText(side.Text)
	m.cut.Sides = append(m.cut.Sides, side)
}

// words are the messages of a range word for word.
func (m *maker) words(from, to int) string {
	var b strings.Builder
	for h := from; h < to; h++ {
		b.WriteString(m.history[h].Text())
	}
	return b.String()
}

// left is what a plan leaves word for word, and former summaries that stand.
func (m *maker) left(pl *compaction.Plan) string {
	var b strings.Builder
	left := replay.Leaves(pl)
	for _, it := range left.Stands {
		if it.Msg >= 0 { // which the verbs' histories without records always have
			b.WriteString(m.message(it.Msg).Text())
		}
	}
	for _, r := range left.Kept {
		b.WriteString(m.words(r.From, r.To))
	}
	return b.String()
}

// message is a stored message, which the history may not hold. One that can't be read now
// could be read for the history, or is a summary without a text.
func (m *maker) message(stored int32) *probe.Message {
	t := m.s.Thread()
	parts, _ := m.s.Read(stored)
	return &probe.Message{Message: &t.Messages[stored], Num: slices.Index(t.History, stored) + 1, Parts: parts}
}

// ledger is a bare list of facts of what a plan takes, so long.
func (m *maker) ledger(ctx context.Context, pl *compaction.Plan, tokens int) (string, error) {
	x, err := m.s.Insight.Facts(ctx, nil)
	if err != nil {
		return "", err
	}
	left := replay.Leaves(pl)
	return x.Lister(m.s.CountText).Ledger(facts.LedgerRequest{At: pl.Line.At(), Removed: left.Gone, Kept: left.Kept, Budget: tokens}), nil
}

// recorded adds what the file's own compaction left, alone and with a note after its summary.
func (m *maker) recorded(ctx context.Context, pl *compaction.Plan) error {
	if m.cut.Found == 0 || m.s.Found()[m.cut.Found-1].Summary < 0 {
		return nil
	}
	found := &m.s.Found()[m.cut.Found-1]
	var kept strings.Builder
	summary := ""
	for _, stored := range m.s.Thread().Live(found.At) {
		x := m.message(stored)
		if int(stored) != found.Summary {
			kept.WriteString(x.Text())
			continue
		}
		for _, p := range x.Parts {
			summary += p.Text
		}
	}
	m.add(Recorded, summary, kept.String(), nil)
	more, err := m.s.Insight.NoteAfter(ctx, pl, summary, noteTokens)
	m.add(RecordedNote, more, kept.String(), err)
	return ctx.Err()
}
