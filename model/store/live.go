package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"palimpsest/model"
)

// running are the sessions of agents that run, and what a gateway has put in the
// place of their messages.
type running struct{ *db }

// liveTables: chain and answer say where a session goes on, so that a gateway
// which was started again knows it; wish is what a person asked a gateway for.
// An overlay is found by the hash of the messages it covers and by that of
// the first of them.
var liveTables = []string{
	`CREATE TABLE live_sessions (
		id      TEXT PRIMARY KEY,
		changed INTEGER NOT NULL, -- Unix microseconds
		chain   TEXT NOT NULL,
		answer  TEXT NOT NULL,
		paused INTEGER NOT NULL,
		wish    TEXT NOT NULL,
		body    TEXT NOT NULL)`, // JSON
	`CREATE INDEX live_sessions_changed ON live_sessions(changed)`,
	`CREATE INDEX live_sessions_chain ON live_sessions(chain)`,
	`CREATE INDEX live_sessions_answer ON live_sessions(answer)`,
	`CREATE TABLE overlays (
		chain  TEXT PRIMARY KEY,
		root   TEXT NOT NULL,
		record TEXT NOT NULL,
		made   INTEGER NOT NULL,
		switched_off    INTEGER NOT NULL,
		body   BLOB NOT NULL)`, // only the caller knows how it is packed
	`CREATE INDEX overlays_root ON overlays(root)`,
}

// LiveCap is how many running sessions are remembered; those that were silent
// longest are forgotten.
const LiveCap = 1000

type liveRow struct {
	ID      string `gorm:"primaryKey"`
	Changed int64
	Chain   string
	Answer  string
	Paused  bool
	Wish    model.LiveWish
	Body    string
}

func (liveRow) TableName() string { return "live_sessions" }

func (r *liveRow) session() (model.LiveSession, error) {
	s := model.LiveSession{}
	if err := json.Unmarshal([]byte(r.Body), &s); err != nil {
		return s, &Error{Kind: ErrCorrupt, Detail: fmt.Sprintf("the running session %q can't be read", r.ID), Err: err}
	}
	s.ID, s.Changed, s.Paused, s.Wish = r.ID, time.UnixMicro(r.Changed).UTC(), r.Paused, r.Wish
	return s, nil
}

// PutLive notes how far a session is. What a person asked for stays as it is.
func (l running) PutLive(ctx context.Context, s model.LiveSession) error {
	body, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("note a running session: %w", err)
	}
	row := liveRow{ID: s.ID, Changed: s.Changed.UnixMicro(), Chain: hex.EncodeToString(s.Chain), Answer: s.Answer, Body: string(body)}
	return l.update(ctx, "note a running session", func(tx *gorm.DB) error {
		known := clause.OnConflict{Columns: []clause.Column{{Name: "id"}},
			DoUpdates: clause.AssignmentColumns([]string{"changed", "chain", "answer", "body"})}
		if err := tx.Clauses(known).Create(&row).Error; err != nil || s.Calls > 1 {
			return err
		}
		return tx.Exec(`DELETE FROM live_sessions WHERE id NOT IN
			(SELECT id FROM live_sessions ORDER BY changed DESC, id LIMIT ?)`, LiveCap).Error
	})
}

// Live lists the sessions that were heard of since a time, the latest first.
func (l running) Live(ctx context.Context, since time.Time) ([]model.LiveSession, error) {
	return result(ctx, l.view, "list the running sessions", func(tx *gorm.DB) (list []model.LiveSession, err error) {
		var rows []liveRow
		if err := tx.Where("changed >= ?", since.UnixMicro()).Order("changed DESC, id").Find(&rows).Error; err != nil {
			return nil, err
		}
		for i := range rows {
			s, err := rows[i].session()
			if err != nil {
				return nil, err
			}
			list = append(list, s)
		}
		return list, nil
	})
}

// LiveSession returns a session by its ID, or by a beginning that no other has;
// else the error is [ErrNotFound].
func (l running) LiveSession(ctx context.Context, id string) (model.LiveSession, error) {
	return l.liveWhere(ctx, failure(ErrNotFound, "there is no running session %q", id), "id LIKE ?", id+"%")
}

// LiveByChain returns the session whose last request ended with one of these
// hashes, the first that is found; none: the error is [ErrNotFound].
func (l running) LiveByChain(ctx context.Context, chains ...[]byte) (s model.LiveSession, at int, err error) {
	names := make([]string, len(chains))
	for i, c := range chains {
		names[i] = hex.EncodeToString(c)
	}
	at = -1
	err = l.view(ctx, "look for a running session", func(tx *gorm.DB) error {
		var rows []liveRow
		if err := tx.Where("chain IN ?", names).Find(&rows).Error; err != nil {
			return err
		}
		for i, name := range names {
			if k := slices.IndexFunc(rows, func(r liveRow) bool { return r.Chain == name }); k >= 0 {
				at = i
				s, err = rows[k].session()
				return err
			}
		}
		return failure(ErrNotFound, "no running session goes on there")
	})
	return s, at, err
}

// LiveByAnswer returns the session that was last answered so; else the error
// is [ErrNotFound].
func (l running) LiveByAnswer(ctx context.Context, answer string) (model.LiveSession, error) {
	return l.liveWhere(ctx, failure(ErrNotFound, "no running session was answered so"), "answer = ?", answer)
}

func (l running) liveWhere(ctx context.Context, none error, query string, arg any) (model.LiveSession, error) {
	return result(ctx, l.view, "look for a running session", func(tx *gorm.DB) (s model.LiveSession, err error) {
		var rows []liveRow
		if err := tx.Where(query, arg).Limit(2).Find(&rows).Error; err != nil {
			return s, err
		}
		if len(rows) != 1 {
			return s, none
		}
		return rows[0].session()
	})
}

// SetLive changes what a person wants of a session; nothing that the session's
// agent waits for.
func (l running) SetLive(ctx context.Context, id string, paused bool, wish model.LiveWish) error {
	return l.update(ctx, "change a running session", func(tx *gorm.DB) error {
		return changed(tx.Model(&liveRow{}).Where("id = ?", id).Updates(map[string]any{"paused": paused, "wish": wish}),
			failure(ErrNotFound, "there is no running session %q", id))
	})
}

// Granted takes a wish back that was done; another that came meanwhile stays.
func (l running) Granted(ctx context.Context, id string, wish model.LiveWish) error {
	return l.update(ctx, "note a wish as done", func(tx *gorm.DB) error {
		return tx.Model(&liveRow{}).Where("id = ? AND wish = ?", id, wish).Update("wish", "").Error
	})
}

// Overlay is what a gateway sends in the place of a session's first messages.
type Overlay struct {
	Chain  [32]byte // the hash of the messages that it covers
	Root   [32]byte // the hash of the first of them
	Record string   // that made it
	Off    bool     // the messages themselves are sent again
	Body   []byte   // only the caller knows how it is packed
}

type overlayRow struct {
	Chain  string `gorm:"primaryKey"`
	Root   string
	Record string
	Made   int64
	Off    bool `gorm:"column:switched_off"`
	Body   []byte
}

func (overlayRow) TableName() string { return "overlays" }

// AddOverlay stores an overlay unless there is one for the same messages, and
// returns the one that is in force: of two gateways both send the same.
func (l running) AddOverlay(ctx context.Context, o Overlay) (Overlay, error) {
	row := overlayRow{hex.EncodeToString(o.Chain[:]), hex.EncodeToString(o.Root[:]), o.Record, time.Now().UnixMicro(), o.Off, o.Body}
	err := l.update(ctx, "store an overlay", func(tx *gorm.DB) error {
		if err := tx.Where("chain = ? AND switched_off", row.Chain).Delete(&overlayRow{}).Error; err != nil {
			return err
		}
		if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error; err != nil {
			return err
		}
		return tx.Where("chain = ?", row.Chain).Take(&row).Error
	})
	o.Record, o.Off, o.Body = row.Record, row.Off, row.Body
	return o, err
}

// Overlays returns what is in force for the sessions that begin with a message. A
// record that was restored switches its overlay off.
func (l running) Overlays(ctx context.Context, root [32]byte) ([]Overlay, error) {
	return result(ctx, l.view, "look for overlays", func(tx *gorm.DB) (list []Overlay, err error) {
		var rows []overlayRow
		err = tx.Raw(`SELECT chain, root, record, body FROM overlays WHERE root = ? AND NOT switched_off AND NOT EXISTS
			(SELECT 1 FROM records WHERE records.switched_off AND `+l.engine.recordID+` = overlays.record)`,
			hex.EncodeToString(root[:])).Scan(&rows).Error
		for _, r := range rows {
			o := Overlay{Root: root, Record: r.Record, Body: r.Body}
			if _, err := hex.Decode(o.Chain[:], []byte(r.Chain)); err != nil {
				return nil, &Error{Kind: ErrCorrupt, Detail: "an overlay can't be read", Err: err}
			}
			list = append(list, o)
		}
		return list, err
	})
}

// Overlaid is how many sessions there are of which something was sent compacted, and goes
// on being sent so.
func (l running) Overlaid(ctx context.Context) (sessions int64, err error) {
	return result(ctx, l.view, "count overlays", func(tx *gorm.DB) (n int64, err error) {
		return n, tx.Model(&overlayRow{}).Where("NOT switched_off").Distinct("root").Count(&n).Error
	})
}

// DropOverlays switches overlays off.
func (l running) DropOverlays(ctx context.Context, chains ...[32]byte) error {
	names := make([]string, len(chains))
	for i, c := range chains {
		names[i] = hex.EncodeToString(c[:])
	}
	return l.update(ctx, "switch an overlay off", func(tx *gorm.DB) error {
		return tx.Model(&overlayRow{}).Where("chain IN ?", names).Update("switched_off", true).Error
	})
}
