package source

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// A file that was made to take memory takes little of it, whether it is refused or read.
func TestHostileSourcesTakeLittleMemory(t *testing.T) {
	const most = 300 << 20
	defer debug.SetGCPercent(debug.SetGCPercent(25)) // what is needed counts, not what waits to be collected
	bomb := gzipOf(t, zeros(200<<20))
	for name, b := range map[string][]byte{
		"gzip":                   bomb,
		"gzip in gzip":           gzipOf(t, bytes.NewReader(bomb)),
		"gzip in zip":            zipOf(t, "a.jsonl.gz", bomb),
		"parts of an export":     manyParts(t, 30),
		"a window of zstd":       zstdWindow(),
		"elements far apart":     []byte(`{"kind":0,"v":{"a":[]}}` + "\n" + farApart(2000)),
		"elements in elements":   []byte(`{"kind":0,"v":{"a":1}}` + "\n" + `{"kind":1,"k":["b"` + strings.Repeat(",65000", 400) + `],"v":1}` + "\n"),
		"a way that is too long": []byte(`{"kind":0,"v":{"a":1}}` + "\n" + `{"kind":1,"k":["b"` + strings.Repeat(`,"c"`, 2<<20) + `],"v":1}` + "\n"),
		"a name of many names": []byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","spanId":"s","name":"n","attributes":` +
			`[{"key":"llm.input_messages` + strings.Repeat(".a", 2<<20) + `","value":{"stringValue":"x"}}]}]}]}]}`),
		"text computed by a database": dataBase(t, crushTables("model TEXT GENERATED ALWAYS AS (hex(zeroblob(200000000)))"),
			`INSERT INTO messages (id, session_id, role, parts, created_at) VALUES ('m', 's', 'user', '[]', 1)`),
		"a search index in place of a table": dataBase(t, `CREATE TABLE sessions (id TEXT, title TEXT, parent_session_id TEXT, created_at INTEGER)`,
			`INSERT INTO sessions VALUES ('s', 't', NULL, 1)`,
			`CREATE VIEW endless AS WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) `+
				`SELECT i AS id, 's' AS session_id, 'user' AS role, '[]' AS parts, 'm' AS model, 1 AS created_at FROM r`,
			`CREATE VIRTUAL TABLE messages USING fts4(id, session_id, role, parts, model, created_at, content="endless")`),
		"a message in many places": dataBase(t, `CREATE TABLE cursorDiskKV (key TEXT, value BLOB)`,
			`INSERT INTO cursorDiskKV VALUES ('bubbleId:c:b', json_object('text', hex(zeroblob(1000000))))`,
			`WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 3000) INSERT INTO cursorDiskKV `+
				`SELECT 'composerData:c', json_object('fullConversationHeadersOnly', json_group_array(json_object('bubbleId', 'b'))) FROM r`),
		"many packed threads": dataBase(t, `CREATE TABLE threads (id TEXT, summary TEXT, updated_at TEXT, data_type TEXT, data BLOB)`,
			fmt.Sprintf(`WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 40) INSERT INTO threads `+
				`SELECT i, 's', -i, 'zstd', x'%x' FROM r`, zstdOf(`{"a":"`+strings.Repeat("0", 30<<20)+`"}`))),
		"the same session many times": dataBase(t, crushTables("model TEXT"),
			`WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 3000) INSERT INTO sessions SELECT 's', 't', NULL, 1 FROM r`,
			`WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 3000) `+
				`INSERT INTO messages (id, session_id, role, parts, created_at) SELECT 'm', 's', 'user', '[]', 1 FROM r`),
	} {
		t.Run(name, func(t *testing.T) {
			debug.FreeOSMemory()
			peak := watchHeap()
			text, err := Open(context.Background(), "", bytes.NewReader(b), int64(len(b)), "")
			used, n := peak(), 0
			if text != nil {
				n = len(text.Bytes)
			}
			t.Logf("%d KB: %d MB, %d KB of text, %v", len(b)>>10, used>>20, n>>10, err)
			if used > most {
				t.Errorf("%d KB took %d MB", len(b)>>10, used>>20)
			}
		})
	}
}

// watchHeap returns what gives the most bytes that the heap had since then, of what is in
// use and what is not yet collected.
func watchHeap() (peak func() uint64) {
	of := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(of)
	before, most := of[0].Value.Uint64(), uint64(0)
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
				metrics.Read(of)
				most = max(most, of[0].Value.Uint64())
			}
		}
	}()
	return func() uint64 {
		close(stop)
		<-done
		return max(most, before) - before
	}
}

func zeros(n int64) io.Reader { return io.LimitReader(zero{}, n) }

type zero struct{}

func (zero) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '0'
	}
	return len(b), nil
}

func gzipOf(t *testing.T, r io.Reader) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.Copy(z, r); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t *testing.T, name string, body []byte) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write(body)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// manyParts is an export of so many parts, each of which is at the same place of the
// archive and unpacks to 30 MB.
func manyParts(t *testing.T, parts int) []byte {
	body := []byte("[\"" + strings.Repeat("0", 30<<20) + "\"]")
	one := zipOf(t, "conversations-000.json", body)
	end := int64(len(one)) - 22
	from := int64(binary.LittleEndian.Uint32(one[end+16:]))
	entry := one[from:end]
	out := bytes.Clone(one[:from])
	for i := range parts {
		e := bytes.Clone(entry)
		copy(e[46:], fmt.Sprintf("conversations-%03d.json", i))
		out = append(out, e...)
	}
	tail := bytes.Clone(one[end:])
	binary.LittleEndian.PutUint16(tail[8:], uint16(parts))
	binary.LittleEndian.PutUint16(tail[10:], uint16(parts))
	binary.LittleEndian.PutUint32(tail[12:], uint32(parts*len(entry)))
	return append(out, tail...)
}

func zstdOf(text string) []byte {
	w, _ := zstd.NewWriter(nil)
	return w.EncodeAll([]byte(text), nil)
}

// zstdWindow is a frame of a few bytes that asks for a window of 512 MB.
func zstdWindow() []byte {
	var b bytes.Buffer
	w, _ := zstd.NewWriter(&b, zstd.WithWindowSize(512<<20), zstd.WithSingleSegment(false))
	_, _ = w.Write([]byte(`{"a":1}`))
	_ = w.Flush() // so that the size is not known, and the window is said
	_, _ = w.Write([]byte("\n"))
	_ = w.Close()
	return b.Bytes()
}

func farApart(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, `{"kind":1,"k":["a",%d],"v":0}`+"\n", (i+1)*65000)
	}
	return b.String()
}

func crushTables(column string) string {
	return `CREATE TABLE sessions (id TEXT, title TEXT, parent_session_id TEXT, created_at INTEGER);
		CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, created_at INTEGER, ` + column + `);
		INSERT INTO sessions VALUES ('s', 't', NULL, 1)`
}

func dataBase(t *testing.T, statements ...string) []byte {
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%v: %s", err, s)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
