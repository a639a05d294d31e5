package transcript

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"palimpsest/model"
)

// plainChat is a history in OpenAI's form, a message a line.
func plainChat() string {
	var b strings.Builder
	for range 12 {
		b.WriteString(`{"role":"user","content":"frage ü"}` + "\n" + `{"role":"assistant","content":"answer"}` + "\n")
	}
	return b.String()
}

func packedBy(t *testing.T, text string, pack func(w io.Writer) (io.WriteCloser, error)) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := pack(&b)
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gz(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }

func zipOf(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarOf(t *testing.T, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := tar.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		if err := z.WriteHeader(&tar.Header{Name: files[i], Mode: 0o600, Size: int64(len(files[i+1])), Typeflag: tar.TypeReg}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(z, files[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func utf16Of(text string, big bool) []byte {
	var out []byte
	for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

// A packed history reads as the plain one, its copy is the file, and a rewrite of it is
// packed in the same way and reads back.
func TestPackedSources(t *testing.T) {
	text := plainChat()
	plain := mustRead(t, text)
	for name, file := range map[string][]byte{
		"gzip": packedBy(t, text, gz),
		"zstd": packedBy(t, text, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }),
		"xz":   packedBy(t, text, func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) }),
		"zip":  zipOf(t, "readme.txt", "no history", "README.md", "# Say how", "a/chat.jsonl", text),
		"export": zipOf(t, "user.json", "{}", "conversations.json", `[{"uuid":"c","name":"n","chat_messages":[{"uuid":"m","sender":"human","text":"frage ü","content":[]}]}]`,
			"projects.json", "[]"),
		"tar.gz": packedBy(t, tarOf(t, "a/notes.txt", "x", "a/chat.jsonl", text), gz),
		"le":     utf16Of(text, false),
		"be":     utf16Of(text, true),
		"zip.gz": zipOf(t, "a/chat.jsonl.gz", string(packedBy(t, text, gz))),
		"tar.xz": packedBy(t, tarOf(t, "a/chat.jsonl", text), func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) }),
	} {
		t.Run(name, func(t *testing.T) {
			d, err := readBytes("x", file)
			if err != nil {
				t.Fatal(err)
			}
			var copied bytes.Buffer
			if err := Copy(&copied, d); err != nil || !bytes.Equal(copied.Bytes(), file) {
				t.Errorf("a copy is not the file: %v", err)
			}
			if name == "export" {
				if d.Format != "claude-ai-export" || d.Packed.Inner != "conversations.json" {
					t.Errorf("read %s of %s", d.Format, d.Packed.Inner)
				}
				return
			}
			th, want := d.Conversations[0].Main(), plain.Conversations[0].Main()
			if d.Format != plain.Format || len(th.Messages) != len(want.Messages) {
				t.Fatalf("read as %s with %d messages, not %d", d.Format, len(th.Messages), len(want.Messages))
			}
			for i := range th.Messages {
				if a, b := messageText(t, d, &th.Messages[i]), messageText(t, plain, &want.Messages[i]); a != b {
					t.Fatalf("message %d says %q, not %q", i, a, b)
				}
			}
			checkRewrites(t, d, 10)
		})
	}
}

// bzippedChat is `{"messages":[{"role":"user","content":"question"},{"role":"assistant","content":"answer"}]}`.
const bzippedChat = "425a68393141592653593612b2b200002a9b8010040010000a2aa7be8a200050a34640d1a64682553f4a69e934467a4794cc2c25971c96428bee52d0b35f5c2d20635a8f2b2ef26158818fe4c8fb0857c26ddda02c855768f66c57c2ee48a70a1206c2565640"

// What can only be read says so, and its copy is the file.
func TestPackedSourcesThatAreOnlyRead(t *testing.T) {
	bz, err := hex.DecodeString(bzippedChat)
	if err != nil {
		t.Fatal(err)
	}
	part := func(id string) string {
		return `[{"title":"` + id + `","conversation_id":"` + id + `","current_node":"b","mapping":{"a":{"id":"a","message":null,"children":["b"]},"b":{"id":"b","parent":"a","children":[],` +
			`"message":{"id":"b","author":{"role":"user"},"content":{"content_type":"text","parts":["question of ` + id + `"]}}}}}]`
	}
	for name, c := range map[string]struct {
		file   []byte
		format model.Format
		talks  int
	}{
		"bzip2": {bz, model.FormatOpenAI, 1},
		"an export in parts": {zipOf(t, "user.json", "{}", "conversations-001.json", part("two"), "conversations-000.json", part("one")),
			"chatgpt-export", 2},
	} {
		d, err := readBytes("x", c.file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var copied bytes.Buffer
		if err := Copy(&copied, d); err != nil || !bytes.Equal(copied.Bytes(), c.file) {
			t.Errorf("%s: a copy is not the file: %v", name, err)
		}
		if d.Format != c.format || len(d.Conversations) != c.talks || ReadOnly(d) == "" {
			t.Errorf("%s: %s, %d conversations, read only: %q", name, d.Format, len(d.Conversations), ReadOnly(d))
		}
		if c.talks > 1 && d.Conversations[0].Title != "one" {
			t.Errorf("%s: the first is %q", name, d.Conversations[0].Title)
		}
	}
}

// Folders are searched for all that can be opened, and not for what only looks alike.
func TestNamed(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, b []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	base := func(name string, tables ...string) {
		t.Helper()
		db, err := sql.Open("sqlite3", filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for _, q := range tables {
			if _, err := db.Exec(q); err != nil {
				t.Fatal(err)
			}
		}
	}
	text := plainChat()
	want := []string{".aider.chat.history.md", "a.af", "a.jsonl", "a.jsonl.bz2", "a.jsonl.gz", "a.json.xz", "a.jsonl.zst", "a.tar.gz", "b.zip", "sub/crush.db"}
	for _, name := range want {
		switch filepath.Ext(name) {
		case ".md":
			put(name, []byte("# aider chat started at 2024-08-05 19:33:02\n\n#### question\n\nanswer\n"))
		case ".zip":
			put(name, zipOf(t, "chat.jsonl", text))
		case ".db":
			put(name, nil)
			base(name, "CREATE TABLE sessions (id TEXT, title TEXT)", "CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT)")
		default:
			put(name, []byte(text))
		}
	}
	put("README.md", []byte("# How to use aider\n\n#### Usage\n\n> install\n"))
	put("pictures.zip", zipOf(t, "a.png", "x"))
	for _, name := range []string{"a.meta.json", "a.log.gz", "a.txt", "._a.jsonl", "empty.db", "a.sqlite"} {
		put(name, nil)
	}
	base("other.db", "CREATE TABLE messages (id TEXT, body TEXT)")
	var got []string
	if err := Walk(context.Background(), dir, func(path string) error {
		rel, err := filepath.Rel(dir, path)
		got = append(got, filepath.ToSlash(rel))
		return err
	}, nil); err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestPackedSourcesThatAreRefused(t *testing.T) {
	bomb := packedBy(t, strings.Repeat("\x20", 40<<20), gz)
	many := zipOf(t, "a.jsonl", plainChat(), "b.jsonl", plainChat())
	cut := packedBy(t, plainChat(), gz)
	for name, c := range map[string]struct {
		file []byte
		code string
	}{"bomb": {bomb, "too-large"}, "several": {many, "choose-entry"}, "none": {zipOf(t, "a.txt", "x"), "no-entry"}, "cut": {cut[:len(cut)/2], "damaged-archive"}} {
		_, err := readBytes("x.zip", c.file)
		if p, ok := err.(*model.Problem); !ok || p.Code != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, file := range map[string][]byte{"x.zip": many, "x.tar.gz": packedBy(t, tarOf(t, "a.jsonl", plainChat(), "b.jsonl", plainChat()), gz)} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := Open(context.Background(), filepath.Join(path, "b.jsonl"), Options{})
		if err != nil || d.Packed.Inner != "b.jsonl" || d.FilePath() != path {
			t.Errorf("%s: an entry by its path: %v", name, err)
		}
	}
}

func TestStandardInput(t *testing.T) {
	d, err := Open(context.Background(), "-", Options{Stdin: bytes.NewReader(packedBy(t, plainChat(), gz))})
	if err != nil || d.Format != model.FormatOpenAI {
		t.Errorf("%v", err)
	}
}

// A database is read with what is only in its write-ahead log, and is not touched.
func TestDatabaseWithItsLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crush.db")
	db, err := sql.Open("sqlite3", "file:"+path+"?_journal_mode=WAL")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	do := func(q string, args ...any) {
		t.Helper()
		if _, err := db.Exec(q, args...); err != nil {
			t.Fatal(err)
		}
	}
	do("PRAGMA wal_autocheckpoint=0")
	do("CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT, created_at INTEGER)")
	do("CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INTEGER)")
	do("INSERT INTO sessions VALUES ('s', NULL, 'A title', 1700000000)")
	for i, m := range [][2]string{{"user", `[{"type":"text","data":{"text":"question"}}]`},
		{"assistant", `[{"type":"tool_call","data":{"id":"t","name":"ls","input":"{}"}}]`},
		{"tool", `[{"type":"tool_result","data":{"tool_call_id":"t","name":"ls","content":"a.go"}}]`}} {
		do("INSERT INTO messages VALUES (?, 's', ?, ?, 'm', ?)", i, m[0], m[1], 1700000000+i)
	}
	before, err := os.ReadFile(path + "-wal")
	if err != nil || len(before) == 0 {
		t.Fatalf("there is no log: %v", err)
	}
	d, err := Open(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	th := d.Conversations[0].Main()
	if d.Format != "crush" || len(th.Messages) != 3 || th.Messages[2].Kind != model.KindResult || d.Conversations[0].Title != "A title" || !hasNote(d, "write-ahead-log") {
		t.Errorf("read as %s with %d messages", d.Format, len(th.Messages))
	}
	if ReadOnly(d) == "" {
		t.Error("a database would be written")
	}
	if after, err := os.ReadFile(path + "-wal"); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the log was touched: %v", err)
	}
	var copied bytes.Buffer
	if err := Copy(&copied, d); err != nil {
		t.Fatal(err)
	}
	back, err := readBytes("copy.db", copied.Bytes())
	if err != nil || len(back.Conversations[0].Main().Messages) != 3 {
		t.Errorf("a copy does not hold all: %v", err)
	}
}

// Two records on one line are two records; either can go without the other.
func TestGluedRecords(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(plainChat(), "\n"), "\n")
	glued := strings.Join(lines[:5], "\n") + lines[5] + "\n" + strings.Join(lines[6:], "\n") + "\n"
	d := mustRead(t, glued)
	if n := len(d.Conversations[0].Main().Messages); n != len(lines) || !hasNote(d, "glued-records") || d.DamagedCount() > 0 {
		t.Errorf("%d of %d messages, notes %+v", n, len(lines), d.Notes)
	}
	checkRewrites(t, d, 40)
	var v any
	if err := json.Unmarshal([]byte(lines[5]), &v); err != nil {
		t.Fatal(err)
	}
}
