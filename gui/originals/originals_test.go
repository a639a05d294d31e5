package originals

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/store"
)

// The first line in which two texts differ is found, however they are cut into pieces.
func TestTheFirstLineThatDiffers(t *testing.T) {
	const was = "one\ntwo\nthree\n"
	for _, x := range []struct {
		now   string
		line  int
		found bool
	}{{was, 3, false}, {"one\nTwo\nthree\n", 1, true}, {"one\n", 1, true}, {was + "four\n", 3, false}, {"", 0, true}} {
		for _, piece := range []int{1, 5, len(was)} {
			d := difference{file: bufio.NewReader(strings.NewReader(x.now))}
			for rest := []byte(was); len(rest) > 0; {
				n := min(piece, len(rest))
				if _, err := d.Write(rest[:n]); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if d.line != x.line || d.found != x.found {
				t.Errorf("%q in pieces of %d: line %d, differs %v; want %d, %v", x.now, piece, d.line, d.found, x.line, x.found)
			}
		}
	}
}

// A record whose copy is not in the database says so, and what became of its file is said
// all the same.
func TestTheFileOfARecordWithoutACopy(t *testing.T) {
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	content := []byte("one\ntwo\n")
	sum := sha256.Sum256(content)
	sha := hex.EncodeToString(sum[:])
	path := filepath.Join(t.TempDir(), "a.jsonl")
	r := &model.Record{ID: "R-0001", Path: path, SourceSHA: sha}
	for _, x := range []struct {
		content []byte // nil: there is no file
		disk    Disk
	}{{nil, Gone}, {content, Unchanged}, {bytes.ToUpper(content), Changed}} {
		if x.content != nil {
			if err := os.WriteFile(path, x.content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c := Read(t.Context(), st, r)
		if c.Disk != x.disk || c.Lost == nil || c.Intact(r) || c.Holds() != (x.disk == Unchanged) || c.Line != 0 {
			t.Errorf("%q: %s, lost %v, line %d", x.content, c.Disk, c.Lost, c.Line)
		}
	}
	r.Path = "conversation:x"
	if c := Read(t.Context(), st, r); c.Disk != NoFile {
		t.Errorf("of what is in the database it says %s", c.Disk)
	}
}
