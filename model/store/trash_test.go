package store

import (
	"errors"
	"slices"
	"testing"
	"time"

	"palimpsest/model"
)

// rowsOf are all rows of the records and their bodies and texts, whole.
func rowsOf(t *testing.T, s *Store) (out []string) {
	t.Helper()
	for _, q := range []string{
		"SELECT quote(num) || quote(uid) || quote(time) || quote(source_id) || quote(base) || quote(switched_off) || quote(trashed) FROM records ORDER BY num",
		"SELECT quote(num) || quote(body) FROM record_bodies ORDER BY num",
		"SELECT quote(num) || quote(text_id) FROM record_texts ORDER BY num, text_id",
	} {
		var rows []string
		if err := s.db.read.Raw(q).Scan(&rows).Error; err != nil {
			t.Fatal(err)
		}
		out = append(out, rows...)
	}
	return out
}

// A record in the trash is found by nothing, and comes back as it was.
func TestTrashKeepsAllAndIsFoundByNothing(t *testing.T) {
	s := openTemp(t)
	a := save(t, s, sampleRecord(), lines(3, 5000))
	b := save(t, s, sampleRecord(), lines(4, 5000))
	before := rowsOf(t, s)
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	c := Change{Trash: []string{a.ID}, Off: []string{b.ID}}
	if err := s.Change(t.Context(), c, now); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Record(t.Context(), a.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("a record in the trash is read: %v", err)
	}
	if _, err := s.Record(t.Context(), a.UID); !errors.Is(err, ErrNotFound) {
		t.Errorf("a record in the trash is read by its UID: %v", err)
	}
	for _, f := range []Filter{{}, {Text: a.ID}, {Text: "a"}, {Sort: SortTime}, {Path: a.Path}, {SourceSHA: a.SourceSHA}} {
		ids, err := s.IDs(t.Context(), f)
		n, countErr := s.CountRecords(t.Context(), f)
		if err != nil || countErr != nil || slices.Contains(ids, a.ID) || int(n) != len(ids) {
			t.Errorf("%+v: %v (%d), %v, %v", f, ids, n, err, countErr)
		}
	}
	if r, err := s.Record(t.Context(), b.ID); err != nil || !r.Off {
		t.Errorf("the other one is not switched off: %v", err)
	}
	list, since, err := s.Trashed(t.Context())
	if err != nil || len(list) != 1 || list[0].ID != a.ID || !since[0].Equal(now) {
		t.Errorf("in the trash: %v, %v, %v", list, since, err)
	}
	if c, err := s.Check(t.Context()); err != nil || len(c.Found) != 0 || c.Records != 2 {
		t.Errorf("with a record in the trash the database is not whole: %+v, %v", c, err)
	}
	if st, err := s.Stats(t.Context()); err != nil || st.Records != 1 {
		t.Errorf("%d records beside the one in the trash, %v", st.Records, err)
	}
	if err := s.Change(t.Context(), c, now); !errors.Is(err, ErrNotFound) {
		t.Errorf("the same twice: %v", err)
	}
	if err := s.Change(t.Context(), c.Inverse(), now); err != nil {
		t.Fatal(err)
	}
	if after := rowsOf(t, s); !slices.Equal(before, after) {
		t.Errorf("not as it was:\n%q\n%q", before, after)
	}
	// All or nothing.
	if err := s.Change(t.Context(), Change{Trash: []string{a.ID, "R-0099"}}, now); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if after := rowsOf(t, s); !slices.Equal(before, after) {
		t.Error("half of a change was made")
	}
}

func TestEmptyingTheTrashFreesByAge(t *testing.T) {
	s := openTemp(t)
	content := lines(3, 5000)
	a, b := save(t, s, sampleRecord(), content), save(t, s, sampleRecord(), content)
	stays := save(t, s, sampleRecord(), content)
	now := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	put := func(r *model.Record, at time.Time) {
		t.Helper()
		if err := s.Change(t.Context(), Change{Trash: []string{r.ID}}, at); err != nil {
			t.Fatal(err)
		}
	}
	put(a, now.Add(-TrashAge-time.Hour))
	put(b, now.Add(-time.Hour))
	if n, _, err := s.EmptyTrash(t.Context(), now.Add(-TrashAge)); n != 1 || err != nil {
		t.Errorf("%d went, %v", n, err)
	}
	if list, _, err := s.Trashed(t.Context()); err != nil || len(list) != 1 || list[0].ID != b.ID {
		t.Errorf("left: %v, %v", list, err)
	}
	// The originals stay while the trash or a record needs them.
	if _, err := s.Delete(t.Context(), stays.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.Change(t.Context(), Change{Back: []string{b.ID}}, now); err != nil {
		t.Fatal(err)
	}
	if got := giveBack(t, s, b.ID); string(got) != string(content) {
		t.Error("the originals of a record from the trash are others")
	}
	put(b, now)
	if n, freed, err := s.EmptyTrash(t.Context(), now.Add(time.Second)); n != 1 || freed == 0 || err != nil {
		t.Errorf("%d went, %d bytes, %v", n, freed, err)
	}
}
