package transcript

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// The folders of two conversations, and any event in them, open as the whole.
func TestEventFolders(t *testing.T) {
	for folder, want := range map[string]string{
		"sdk_events_confirmation_mode":   "system, typed, assistant terminal, result, assistant, typed, assistant terminal, result, assistant, typed, assistant terminal, result, assistant",
		"sdk_events_creating_agent_plan": "system, typed, assistant task_tracker, result, assistant task_tracker, result, assistant",
	} {
		dir := filepath.Join(sharedTranscripts(t), "openhands", folder)
		d := openSample(t, dir)
		th := d.Conversations[0].Main()
		got := regexp.MustCompile(`result \w+`).ReplaceAllString(liveShape(th), "result")
		if d.Format != model.FormatOpenHands || got != want {
			t.Errorf("%s: %s\n%s", folder, d.Format, got)
		}
		if len(d.Notes) != 1 || d.Notes[0].Code != "folder" {
			t.Errorf("notes %+v", d.Notes)
		}
		checkDocument(t, d)
		checkRewrites(t, d, 12)
		checkClearing(t, d)
		files, err := filepath.Glob(filepath.Join(dir, "event-*.json"))
		if err != nil || len(files) == 0 {
			t.Fatal(err)
		}
		var all []byte
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all = append(append(all, b...), '\n')
		}
		if !bytes.Equal(sourceBytes(t, d), all) {
			t.Error("the source is not the files, a line each")
		}
		if one := openSample(t, files[2]); one.SHA256 != d.SHA256 || one.Path != dir {
			t.Errorf("an event of the folder opens as %s of %d bytes", one.Path, one.Size)
		}
	}
}

func TestFolderSource(t *testing.T) {
	dir := t.TempDir()
	var want []byte
	for i, content := range []string{"{\"n\":0}", "{\"n\":1}\n", "", strings.Repeat("x", 5000), "\n"} {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.json", i*7)), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		want = append(want, content...)
		if !strings.HasSuffix(content, "\n") {
			want = append(want, '\n')
		}
	}
	for _, other := range []string{"base_state.json", "event-1.txt", "99999999999999999999.json"} {
		if err := os.WriteFile(filepath.Join(dir, other), []byte("no"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, err := newFolderSource(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := iotest.TestReader(io.NewSectionReader(src, 0, src.Size), want); err != nil {
		t.Error(err)
	}
	if n, err := src.ReadAt(make([]byte, 10), src.Size-3); n != 3 || err != io.EOF {
		t.Errorf("%d bytes, %v at the end", n, err)
	}
	if _, err := Open(context.Background(), dir, Options{}); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder of other files: %v", err)
	}
}

// Numbered files of another kind are not the events of one conversation.
func TestFolderOfOthers(t *testing.T) {
	dir := t.TempDir()
	for i := range 3 {
		text := `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}`
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.json", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(context.Background(), dir, Options{}); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("%v", err)
	}
}

// A file that changes under an open document is noticed when it is written.
func TestFolderThatChanges(t *testing.T) {
	dir := t.TempDir()
	for i, line := range strings.Split(strings.TrimSpace(ohSDK), "\n") {
		name := fmt.Sprintf("event-%05d-00000000-0000-0000-0000-%012d.json", i, i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := openSample(t, dir)
	if got := string(sourceBytes(t, d)); got != ohSDK {
		t.Errorf("read as\n%s", got)
	}
	files, err := eventFiles(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, files[1]), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := edit.Copy(io.Discard, d); err == nil {
		t.Error("written as if nothing had changed")
	}
}
