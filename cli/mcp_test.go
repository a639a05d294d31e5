package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"palimpsest/cli/live"
)

// mcpClient is a client of the protocol's own library, connected to the server.
type mcpClient struct {
	*testing.T
	session *mcp.ClientSession
}

func (b *bench) mcp() *mcpClient {
	b.Helper()
	return b.client((&app{ctx: context.Background(), db: b.db}).world(&readFlags{}))
}

// client is a client of a server that works on a world.
func (b *bench) client(w live.World) *mcpClient {
	b.Helper()
	ctx := context.Background()
	here, there := mcp.NewInMemoryTransports()
	server, err := live.NewServer(w).Connect(ctx, there, nil)
	must(b.T, err)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, here, nil)
	must(b.T, err)
	b.Cleanup(func() {
		client.Close()
		_ = server.Wait()
	})
	return &mcpClient{b.T, client}
}

// call gives the structured answer, or the text of an error.
func (c *mcpClient) call(name string, args map[string]any, out any) (failure string) {
	c.Helper()
	r, err := c.session.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
	must(c.T, err)
	if r.IsError {
		return r.Content[0].(*mcp.TextContent).Text
	}
	b, err := json.Marshal(r.StructuredContent)
	must(c.T, err)
	must(c.T, json.Unmarshal(b, out))
	return ""
}

// An agent finds again what a compaction took: the words are searched for, and the
// message is read in full.
func TestMCPFindsWhatACompactionTook(t *testing.T) {
	b := newBench(t)
	file := filepath.Join("..", "assets", "samples", "long-coding-run.jsonl")
	done := value[compacted](b.run("compact", file, "--strategy", "drop", "--window", "4msgs", "--json").ends(exitDone))
	c := b.mcp()
	tools, err := c.session.ListTools(context.Background(), nil)
	must(t, err)
	equal(t, 5, len(tools.Tools))

	var found struct {
		Hits []struct {
			Record, Session, Role, Words string
			Message                      int
		}
		More int
	}
	equal(t, "", c.call("recall", map[string]any{"query": "UnifyReference"}, &found))
	if len(found.Hits) == 0 {
		t.Fatal("a name that was taken away is not found")
	}
	for _, h := range found.Hits {
		equal(t, *done.Record, h.Record)
		if !strings.Contains("user assistant tool", h.Role) || h.Role == "" {
			t.Errorf("role %q", h.Role)
		}
		contains(t, strings.ToLower(h.Words), "unifyreference")
		var page struct {
			Text  string
			Total int
			Next  int
		}
		text, offset := "", 0
		for { // page by page
			page.Next = 0
			equal(t, "", c.call("original", map[string]any{"record": h.Record, "message": h.Message, "offset": offset}, &page))
			text += page.Text
			if offset = page.Next; offset == 0 {
				break
			}
		}
		equal(t, page.Total, len([]rune(text)))
		contains(t, strings.ToLower(text), "unifyreference")
	}
	// What the program's own compaction took is in the file itself.
	equal(t, "", c.call("recall", map[string]any{"query": "scanHeredoc"}, &found))
	equal(t, 0, len(found.Hits))
	equal(t, "", c.call("recall", map[string]any{"query": "scanHeredoc", "file": file}, &found))
	if len(found.Hits) < 5 || found.Hits[0].Record != "" {
		t.Errorf("%d hits in the file: %+v", len(found.Hits), found.Hits)
	}

	var nothing struct{ Hits []any }
	equal(t, "", c.call("recall", map[string]any{"query": "no such words anywhere zzz"}, &nothing))
	equal(t, 0, len(nothing.Hits))

	contains(t, c.call("original", map[string]any{"record": *done.Record, "message": 100000}, nil), "There is no message 100000")
	contains(t, c.call("original", map[string]any{"record": "R-9999", "message": 1}, nil), "R-9999")
	contains(t, c.call("original", map[string]any{"message": 1}, nil), "Give record or file")
	contains(t, c.call("recall", map[string]any{"query": " "}, nil), "nothing to search for")
	contains(t, c.call("preview", map[string]any{"file": "/none"}, nil), "There is no such file")
}

// A long message comes in pages that together are the message, to the last character; what is
// no offset is refused or empty.
func TestMCPPagesAreTheMessage(t *testing.T) {
	b := newBench(t)
	var said strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&said, "測試 état 🙂 line %d word\n", i)
	}
	list := []map[string]string{{"role": "user", "content": "Start"}, {"role": "user", "content": said.String()}}
	for i := range 20 {
		list = append(list, map[string]string{"role": "assistant", "content": fmt.Sprint(i, strings.Repeat(" word", 300))},
			map[string]string{"role": "user", "content": fmt.Sprint("go on ", i)})
	}
	text, err := json.Marshal(map[string]any{"messages": list})
	must(t, err)
	file := filepath.Join(b.dir, "chat.json")
	must(t, os.WriteFile(file, text, 0o600))
	done := value[compacted](b.run("compact", file, "--strategy", "drop", "--tail", "4msgs", "--json").ends(exitDone))
	c := b.mcp()
	var page struct {
		Text        string
		Total, Next int
	}
	original := func(offset any) string {
		page.Text, page.Next = "", 0
		return c.call("original", map[string]any{"record": *done.Record, "message": 2, "offset": offset}, &page)
	}
	got, pages := "", 0
	for offset := 0; pages == 0 || offset > 0; offset = page.Next {
		equal(t, "", original(offset))
		got += page.Text
		pages++
	}
	equal(t, true, got == said.String(), "the pages are the message")
	equal(t, 5, pages)
	equal(t, len([]rune(got)), page.Total)
	for _, beyond := range []int{page.Total, 1 << 30} {
		equal(t, "", original(beyond))
		equal(t, "", page.Text)
		equal(t, 0, page.Next)
	}
	contains(t, original(-5), "offset can't be -5")
	contains(t, c.call("facts", map[string]any{"file": file, "tokens": -5}, nil), "tokens can't be -5")
	contains(t, c.call("preview", map[string]any{"file": file, "context_window": -5}, nil), "context_window can't be -5")
	contains(t, original("x"), "offset")
}

// The tools that plan say what the verbs say.
func TestMCPPreviewIsThatOfTheVerb(t *testing.T) {
	b := newBench(t)
	file := filepath.Join("..", "assets", "samples", "long-coding-run.jsonl")
	want := value[preview](b.run("preview", file, "--json").ends(exitDone))
	c := b.mcp()
	var got struct {
		Decision, Reason, Summary string
		From, To                  int
		Before, After             struct{ Messages, Tokens int }
		Warnings                  []string
	}
	equal(t, "", c.call("compress_context", map[string]any{"file": file}, &got))
	equal(t, want.Decision, got.Decision)
	equal(t, int64(got.After.Tokens), want.After.Tokens)
	equal(t, want.Summary, got.Summary)
	equal(t, want.Warnings, got.Warnings)
	got.Summary = ""
	equal(t, "", c.call("preview", map[string]any{"file": file, "preset": "message-count"}, &got))
	equal(t, "", got.Summary)

	var facts struct{ Text string }
	equal(t, "", c.call("facts", map[string]any{"file": file, "tokens": 500}, &facts))
	if n := len(facts.Text); n < 500 || n > 4000 {
		t.Errorf("%d bytes of facts", n)
	}
	empty := newBench(t).mcp() // no database yet
	var none struct{ Hits []any }
	equal(t, "", empty.call("recall", map[string]any{"query": "x"}, &none))
	contains(t, empty.call("original", map[string]any{"record": "R-0001", "message": 1}, nil), "Nothing has been recorded")
}
