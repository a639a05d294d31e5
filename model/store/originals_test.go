package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"testing"

	"palimpsest/model"
)

// The same file twice costs a record; a longer version of it its new blocks.
func TestSharing(t *testing.T) {
	s := openTemp(t)
	content := noise(1, 10*blockSize+777)
	save(t, s, sampleRecord(), content)
	one := stats(t, s)
	if one.Blocks != 11 || one.Sources != 1 {
		t.Errorf("%+v", one)
	}
	save(t, s, sampleRecord(), content)
	unknown := model.Originals{Source: bytes.NewReader(content), Size: int64(len(content))}
	if err := s.SaveRecord(t.Context(), sampleRecord(), unknown); err != nil {
		t.Fatal(err)
	}
	two := stats(t, s)
	if two.Blocks != 11 || two.Sources != 1 || two.Stored != one.Stored || two.Records != 3 {
		t.Errorf("%+v", two)
	}
	grown := append(bytes.Clone(content), noise(2, 2*blockSize)...)
	rec := save(t, s, sampleRecord(), grown)
	st := stats(t, s)
	if st.Blocks != 11+3 || st.Sources != 2 || st.Logical != int64(len(content)+len(grown)) {
		t.Errorf("%+v", st)
	}
	for id, want := range map[string][]byte{"1": content, "3": content, rec.ID: grown} {
		if !bytes.Equal(giveBack(t, s, id), want) {
			t.Errorf("record %s: other bytes came back", id)
		}
	}
}

// A block that a file repeats is stored once, within a batch and across.
func TestRepeatedBlocks(t *testing.T) {
	s := openTemp(t)
	content := make([]byte, (32+3)*blockSize)
	rec := save(t, s, sampleRecord(), content)
	if st := stats(t, s); st.Blocks != 1 {
		t.Errorf("%+v", st)
	}
	if !bytes.Equal(giveBack(t, s, rec.ID), content) {
		t.Error("other bytes came back")
	}
}

// Blocks that don't shrink are stored as they are, others packed.
func TestPacking(t *testing.T) {
	s := openTemp(t)
	save(t, s, sampleRecord(), noise(1, 4*blockSize))
	if st := stats(t, s); st.Stored != 4*blockSize {
		t.Errorf("noise: %+v", st)
	}
	save(t, s, sampleRecord(), lines(1, 4*blockSize))
	if st := stats(t, s); st.Stored > 4*blockSize+2*blockSize {
		t.Errorf("text: %+v", st)
	}
}

// Every way in which stored bytes can be wrong is found out.
func TestDamage(t *testing.T) {
	for _, c := range []struct {
		name   string
		noise  bool
		damage string
	}{
		{"a bit of a packed block", false, "UPDATE blocks SET data = CAST(substr(data, 1, 900) || x'00' || substr(data, 902) AS BLOB) WHERE id = 2"},
		{"a bit of a raw block", true, "UPDATE blocks SET data = CAST(substr(data, 1, 900) || x'00' || substr(data, 902) AS BLOB) WHERE id = 2"},
		{"a packed block cut short", false, "UPDATE blocks SET data = substr(data, 1, 100) WHERE id = 1"},
		{"a raw block cut short", true, "UPDATE blocks SET data = substr(data, 1, 100) WHERE id = 1"},
		{"an empty block", true, "UPDATE blocks SET data = x'' WHERE id = 3"},
		{"another content under the hash", true, "UPDATE blocks SET data = (SELECT data FROM blocks WHERE id = 1), codec = 0 WHERE id = 2"},
		{"a hash cut short", true, "UPDATE blocks SET sha = x'00' WHERE id = 2"},
		{"an unknown codec", true, "UPDATE blocks SET codec = 9"},
		{"a block taken for packed", true, "UPDATE blocks SET codec = 1 WHERE id = 1"},
		{"a block that is gone", true, "DELETE FROM blocks WHERE id = 2"},
		{"a place that is gone", true, "DELETE FROM source_blocks WHERE seq = 1"},
		{"the order", true, "UPDATE source_blocks SET block_id = 3 - block_id WHERE block_id < 3"},
		{"the whole list", true, "DELETE FROM source_blocks"},
		{"the hash of the whole", true, "UPDATE sources SET sha = zeroblob(32)"},
		{"the size of the whole", true, "UPDATE sources SET size = size - 1"},
		{"the source", true, "DELETE FROM sources"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openTemp(t)
			content := lines(1, 3*blockSize)
			if c.noise {
				content = noise(1, 3*blockSize)
			}
			save(t, s, sampleRecord(), content)
			if err := s.writing().Exec("PRAGMA foreign_keys = OFF").Error; err != nil {
				t.Fatal(err)
			}
			if err := s.writing().Exec(c.damage).Error; err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			err := s.WriteSource(t.Context(), "1", &got)
			expect(t, err, ErrCorrupt, "record 1", s.Path())
		})
	}
}

func TestDamagedRecord(t *testing.T) {
	for _, damage := range []string{
		"UPDATE record_bodies SET body = x'00'",
		"UPDATE record_bodies SET body = CAST(substr(body, 1, 40) || x'00' || substr(body, 42) AS BLOB)",
		"DELETE FROM record_bodies",
	} {
		s := openTemp(t)
		save(t, s, sampleRecord(), nil)
		if err := s.writing().Exec(damage).Error; err != nil {
			t.Fatal(err)
		}
		_, err := s.Record(t.Context(), "1")
		expect(t, err, ErrCorrupt, "R-0001")
		if list, err := s.Records(t.Context(), Filter{}); err != nil || len(list) != 1 {
			t.Errorf("the list does not need the body: %v, %v", list, err)
		}
	}
}

func TestWriteSourceErrors(t *testing.T) {
	s := openTemp(t)
	save(t, s, sampleRecord(), noise(1, 5*blockSize))
	expect(t, s.WriteSource(t.Context(), "7", io.Discard), ErrNotFound, `"7"`)
	if err := s.WriteSource(t.Context(), "1", &fullWriter{left: 2 * blockSize}); !errors.Is(err, errBroken) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := s.WriteSource(ctx, "1", &fullWriter{left: 2 * blockSize, then: cancel}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	giveBack(t, s, "1")
}

type fullWriter struct {
	left int
	then func()
}

func (w *fullWriter) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		if w.then == nil {
			return 0, errBroken
		}
		w.then()
	}
	return len(b), nil
}

// When the disk is full nothing is half-written, and what was there is whole.
func TestDiskFull(t *testing.T) {
	s := openTemp(t)
	content := noise(1, 2*blockSize)
	save(t, s, sampleRecord(), content)
	before := stats(t, s)
	pages, err := pragma(s.writing(), "page_count")
	if err != nil {
		t.Fatal(err)
	}
	// max_page_count holds for the one connection that writes.
	if _, err := pragma(s.writing(), "max_page_count = "+strconv.Itoa(pages+40)); err != nil {
		t.Fatal(err)
	}
	rec := sampleRecord()
	expect(t, s.SaveRecord(t.Context(), rec, originals(noise(2, 12<<20))), ErrFull, s.Path(), "Free some space")
	if after := stats(t, s); after.Records != 1 || after.Blocks != before.Blocks || after.Sources != 1 || rec.ID != "" {
		t.Errorf("%+v, was %+v; ID %q", after, before, rec.ID)
	}
	expect(t, s.SetSetting(t.Context(), "a", string(make([]byte, 1<<20))), ErrFull)
	if got := giveBack(t, s, "1"); !bytes.Equal(got, content) {
		t.Error("the originals differ")
	}
	if _, err := pragma(s.writing(), "max_page_count = "+strconv.Itoa(1<<30)); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveRecord(t.Context(), rec, originals(noise(2, 12<<20))); err != nil || rec.ID != "R-0002" {
		t.Errorf("with space again: %s, %v", rec.ID, err)
	}
}

// A process that dies in the middle of saving leaves the state before.
func TestKilledWhileSaving(t *testing.T) {
	dir := t.TempDir()
	s := openAt(t, dir+"/p.db")
	content := noise(1, 2*blockSize)
	save(t, s, sampleRecord(), content)
	killed := dir + "/killed.db"
	fresh := noise(2, 20<<20)
	// The files are copied while the last batch is being read: the blocks of
	// the others are in the log by then.
	src := copyAt{bytes.NewReader(fresh), 17 << 20, func() { copyDatabase(t, s.Path(), killed) }}
	if err := s.SaveRecord(t.Context(), sampleRecord(), model.Originals{Source: src, Size: int64(len(fresh))}); err != nil {
		t.Fatal(err)
	}
	k := openAt(t, killed)
	if st := stats(t, k); st.Records != 1 || st.Blocks != 2 || st.Sources != 1 {
		t.Errorf("%+v", st)
	}
	if got := giveBack(t, k, "1"); !bytes.Equal(got, content) {
		t.Error("the originals differ")
	}
	if rec := save(t, k, sampleRecord(), fresh); rec.ID != "R-0002" {
		t.Error(rec.ID)
	}
	var check string
	if err := k.read.Raw("PRAGMA integrity_check").Row().Scan(&check); err != nil || check != "ok" {
		t.Errorf("%s, %v", check, err)
	}
}

type copyAt struct {
	*bytes.Reader
	off  int64
	copy func()
}

func (c copyAt) ReadAt(b []byte, off int64) (int, error) {
	if off <= c.off && c.off < off+int64(len(b)) {
		c.copy()
	}
	return c.Reader.ReadAt(b, off)
}

func copyDatabase(t *testing.T, from, to string) {
	for _, end := range []string{"", "-wal"} {
		b, err := os.ReadFile(from + end)
		if err == nil {
			err = os.WriteFile(to+end, b, 0o600)
		}
		if err != nil {
			t.Error(err)
		}
	}
}
