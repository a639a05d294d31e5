package transcript

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// store writes the files that opencode would keep of an export.
func store(t *testing.T, root, project, export string) {
	t.Helper()
	var x struct {
		Info     json.RawMessage
		Messages []struct {
			Info  json.RawMessage
			Parts []json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(export), &x); err != nil {
		t.Fatal(err)
	}
	id := func(raw json.RawMessage) string {
		var v struct{ ID string }
		if err := json.Unmarshal(raw, &v); err != nil || v.ID == "" {
			t.Fatal(err, string(raw))
		}
		return v.ID
	}
	put := func(raw json.RawMessage, path ...string) {
		name := filepath.Join(append([]string{root}, path...)...)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	session := id(x.Info)
	put(x.Info, "session", project, session+".json")
	for _, m := range x.Messages {
		put(m.Info, "message", session, id(m.Info)+".json")
		for _, p := range m.Parts {
			put(p, "part", id(m.Info), id(p)+".json")
		}
	}
}

// A session of a storage folder is the session that an export of it is, opened
// by its file, by the folder of its messages, or with all others.
func TestOpenCodeStorage(t *testing.T) {
	root := filepath.Join(t.TempDir(), "opencode", "storage")
	store(t, root, "p1", ocSession)
	other := strings.NewReplacer("ses_1", "ses_2", "msg_", "msg_b", "A title", "Another").Replace(ocSession)
	store(t, root, "p2", other)
	want := mustRead(t, ocSession)
	for _, path := range []string{filepath.Join(root, "session", "p1", "ses_1.json"), filepath.Join(root, "message", "ses_1")} {
		d := openSample(t, path)
		if d.Format != model.FormatOpenCode || len(d.Conversations) != 1 || noteCodes(d) != "map[folder:1]" || d.Path != path {
			t.Fatalf("%s: %s, notes %+v", path, d.Format, d.Notes)
		}
		a, b := want.Conversations[0], d.Conversations[0]
		if a.ID != b.ID || a.Title != b.Title || liveShape(a.Main()) != liveShape(b.Main()) {
			t.Errorf("%q %q\n%s\n%s", b.ID, b.Title, liveShape(b.Main()), liveShape(a.Main()))
		}
		for i := range a.Main().Messages {
			if digest(t, want, &a.Main().Messages[i]) != digest(t, d, &b.Main().Messages[i]) {
				t.Errorf("message %d differs", i)
			}
		}
		checkDocument(t, d)
		checkRewrites(t, d, 40)
		checkClearing(t, d)
		checkNested(t, d, 40)
	}
	for _, path := range []string{root, filepath.Dir(root)} {
		d := openSample(t, path)
		if len(d.Conversations) != 2 || d.Conversations[0].Title != "A title" || d.Conversations[1].Title != "Another" {
			t.Fatalf("%s: %d conversations", path, len(d.Conversations))
		}
		checkDocument(t, d)
		checkRewrites(t, d, 10)
	}
	ctx := context.Background()
	if !IsEventFolder(ctx, filepath.Join(root, "message", "ses_2")) || IsEventFolder(ctx, root) {
		t.Error("not the folder of a session's messages is taken for one")
	}
	for name, inner := range map[string]bool{"session": false, "message": true, "part": true, "todo": true} {
		if IsInnerFolder(filepath.Join(root, name)) != inner {
			t.Errorf("%s: inner is not %v", name, inner)
		}
	}
}

func TestOpenCodeStorageBadInput(t *testing.T) {
	root := filepath.Join(t.TempDir(), "storage")
	store(t, root, "p", ocSession)
	session := filepath.Join(root, "session", "p", "ses_1.json")
	for _, name := range []string{filepath.Join("part", "msg_5", "pe.json"), filepath.Join("message", "ses_1", "msg_6.json")} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(`{"id":`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := openSample(t, session)
	if noteCodes(d) != "map[bad-file:2 folder:1]" {
		t.Errorf("notes %+v", d.Notes)
	}
	checkDocument(t, d)
	if err := os.Remove(filepath.Join(root, "part", "msg_1", "p1.json")); err != nil {
		t.Fatal(err)
	}
	if err := edit.Copy(io.Discard, d); err == nil {
		t.Error("written as if nothing had changed")
	}
	// a session whose messages are in the database, and the database
	moved := filepath.Join(root, "session", "p", "ses_9.json")
	if err := os.WriteFile(moved, []byte(`{"id":"ses_9"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(context.Background(), moved, Options{})
	if problemCode(err) != "no-stored-messages" || !strings.Contains(err.Error(), "opencode export ses_9") {
		t.Error(err)
	}
	db := filepath.Join(filepath.Dir(root), "opencode.db")
	if err := os.WriteFile(db, []byte("SQLite format 3\x00 and so on"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err = Open(context.Background(), db, Options{}); problemCode(err) != "binary" || !strings.Contains(err.Error(), "opencode export") {
		t.Error(err)
	}
	if err := os.WriteFile(session, []byte(`{`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), session, Options{}); problemCode(err) != "not-json" {
		t.Error(err)
	}
}
