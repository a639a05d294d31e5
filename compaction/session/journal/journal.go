// Package journal keeps the histories of embedded agents in the database of the
// window and the verbs, and makes records of their compactions, like those of
// compactions that a person makes: explained, searched, and restorable.
//
//	auto.Compactor ─┐ state, decision        ┌── conversations: conversation:ID
//	steps.History ──┼────────────▶ Recorded ─┤
//	agents.Conversation ┘ compaction         └── records with their originals
//
// A whole program:
//
//	package main
//
//	import (
//		"context"
//		"log"
//		"time"
//
//		"palimpsest/compaction/session/journal"
//		"palimpsest/compaction/steps"
//		"palimpsest/model/store"
//	)
//
//	func main() {
//		st, err := store.Open("agents.db")
//		if err != nil {
//			log.Fatal(err)
//		}
//		defer st.Close()
//		ctx := context.Background()
//		history, err := steps.Open(ctx, "builder", steps.DefaultSettings(),
//			steps.Env{Clock: time.Now, Journal: journal.Recorded(st)})
//		if err != nil {
//			log.Fatal(err)
//		}
//		if err := history.Append(ctx, 1, "**Progress:** 10%", "**Result:** built", "**Passed:** yes"); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// "palimpsest --db agents.db" shows what is in it while the agent runs.
package journal

import (
	"bytes"
	"context"
	"crypto/sha256"

	"palimpsest/compaction/session"
	"palimpsest/model"
)

// Store keeps events and records. The store package implements it.
type Store interface {
	model.Journal
	session.Lookup
}

// Recorded is the store as a journal that makes records of compactions: each is
// stored in the transaction of its event.
func Recorded(st Store) model.Journal { return recorded{st} }

type recorded struct{ Store }

// Append makes the records of an entry and writes it.
func (r recorded) Append(ctx context.Context, history string, after int64, e model.Entry) ([]model.Event, error) {
	for i := range e.Compacted {
		e.Records = append(e.Records, r.record(ctx, history, &e.Compacted[i]))
	}
	e.Compacted = nil
	return r.Store.Append(ctx, history, after, e)
}

// record is the record of a compaction. Where its document can't be read the
// record still has the summary and the originals, and says why the rest is
// missing: an agent does not stop for it.
func (r recorded) record(ctx context.Context, history string, c *model.Compacted) model.Recording {
	rec, src, err := session.EmbeddedRecord(ctx, history, c, session.Options{Lookup: r.Store})
	if err != nil {
		b := c.Document
		src = model.Originals{Source: bytes.NewReader(b), Size: int64(len(b)), SHA256: sha256.Sum256(b)}
		rec = &model.Record{Time: c.Time, Session: history, Path: session.ConversationName(history), Format: c.Format,
			Cause: c.Cause, Policy: c.Policy, Strategy: c.Policy.Strategy, Model: c.Model, Summary: c.Summary, KeyPoints: c.KeyPoints,
			Duration: c.Duration, Outcome: c.Outcome, Reason: "not described: " + err.Error(), Verb: true}
	}
	return model.Recording{Record: rec, Originals: src}
}
