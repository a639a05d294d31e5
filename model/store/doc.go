// Package store keeps what outlives a window: records of compactions with the
// originals they replaced, conversations of agents, presets, settings, recent
// files and the token counts of threads. It is one SQLite file, or the tables of a
// PostgreSQL server for those who share records, reached through GORM; no other
// package of the program imports GORM.
//
//	Store ─┬─ records ─────── records ─┬─ record_bodies
//	       │                           ├─ record_texts ── texts ── text_index (FTS5)
//	       │                           └─ sources ── source_blocks ── blocks
//	       ├─ conversations ─ conversations ─┬─ conversation_events
//	       │                                 └─ conversation_agents
//	       ├─ preferences ─── settings, presets, recents
//	       ├─ caches ──────── answers
//	       ├─ running ─────── live_sessions, overlays
//	       ├─ batches ─────── settings
//	       ├─ catalog ─────── text_files ── text_extents ── text_groups ── text_slices
//	       └─ upkeep          checks, measures, backups, expiry
//
// What it promises:
//
//   - A record and its originals are written in one transaction, or not at all.
//   - [Store.WriteSource] returns an input file byte for byte, even when the
//     file is gone. Every block is checked against its SHA-256 before it is
//     written and the whole against the file's; a difference is [ErrCorrupt].
//   - The events of a conversation are rows that are only ever added, in one
//     order however many write; see [Store.Append].
//   - A record is found by the words of its summary, its key points and the
//     messages it took out of the history; see [Filter].Text.
//   - Nothing is deleted but by [Store.Delete], [Store.DeletePreset] and
//     [Store.DeleteFieldMap], and by [Store.Expire] once
//     a person has set a [Retention]; only the recent files, the answers of models,
//     the running sessions, the batches and the token counts are bounded and drop their oldest by themselves.
//   - An older database is brought up to date step by step after a copy of it
//     was set aside; a newer one is refused untouched.
//   - Errors are of type [*Error]: a sentence for a person, and a cause for
//     errors.Is. Cancelling a context returns the context's error.
//
// A Store may be used by any number of goroutines, and a database by several
// processes: readers never wait, writers wait for each other up to the busy
// timeout. There is no domain logic here; records go in and come out as
// [palimpsest/model.Record].
package store
