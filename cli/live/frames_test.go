package live

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"palimpsest/model/store"
)

// A line that is no message is answered, and the conversation goes on.
func TestMCPAnswersBadLines(t *testing.T) {
	theirs, in := io.Pipe()
	out, ours := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- ServeMCP(t.Context(), World{Version: "1", Store: func() (*store.Store, error) { return nil, nil }}, theirs, ours)
	}()
	answers := bufio.NewReader(out)
	ask := func(line string) (code int, id string) {
		t.Helper()
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
		text, err := answers.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		var a struct {
			ID    json.RawMessage
			Error struct{ Code int }
		}
		if err := json.Unmarshal(text, &a); err != nil {
			t.Fatal(err)
		}
		return a.Error.Code, string(a.ID)
	}
	if code, _ := ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`); code != 0 {
		t.Fatal(code)
	}
	io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n\n")
	for line, want := range map[string]int{
		"{bad json": noJSON, `{"jsonrpc":"2.0"`: noJSON, "\x00": noJSON, `{} {}`: noJSON, `"x"`: noRequest, "{}": noRequest, "7": noRequest,
		`[{"jsonrpc":"2.0","id":3,"method":"ping"}]`: noRequest, `{"jsonrpc":"1.0","id":3,"method":"ping"}`: noRequest,
		`{"jsonrpc":"2.0","id":3,"method":5}`: noRequest,
	} {
		if code, id := ask(line); code != want || id != "null" {
			t.Errorf("%q is answered with %d for %s", line, code, id)
		}
		if code, id := ask(`{"jsonrpc":"2.0","id":9,"method":"ping"}`); code != 0 || id != "9" {
			t.Errorf("after %q: %d for %s", line, code, id)
		}
	}
	if code, id := ask(`{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"recall","arguments":{"query":"` + strings.Repeat("x", 1<<20) + `"}}}`); id != "10" {
		t.Error(code, id)
	}
	in.Close()
	if err := <-ended; err != nil && err != io.EOF {
		t.Error(err)
	}
}
