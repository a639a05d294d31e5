package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// around are, for each example of docs/embedding.md, what its reader has before it and
// what is looked at after it.
var around = []struct{ before, after string }{
	{`key := "key"; req := openai.ChatCompletionRequest{Model: "gpt-4o", Messages: []openai.ChatCompletionMessage{{Role: "user", Content: "Hello."}}}`,
		`must(err); want(answer.Choices[0].Message.Content, "all went well")
		_, err = os.Stat("agents"); must(err)`},
	{`cfg := auto.MessageCountConfig("gpt-4o"); summaries := asked()`,
		`must(err); must(history.Append(ctx, 1, "a", "b", "c")); compactor.Append(auto.ChatMessage{Role: "user", Content: "Hello."})
		must(compactor.Save(ctx)); must(talk.History().AppendUserMessage(ctx, "Hello."))
		list, err := st.Conversations(ctx); must(err); want(fmt.Sprint(len(list)), "3")`},
	{`n, analysis, execution, supervision, failure := 1, "a", "b", "c", errors.New("disk full")`,
		`must(err); want(prompt, "[First execution]"); want(history.Text(), "disk full")`},
	{`st, err := store.Open("talk.db"); must(err); defer st.Close(); question, answer := "Is it raining?", "No."`,
		`must(err); state, _ := c.Agents().Stats("A"); want(state.State, "No.")`},
	{`summaries, question := asked(), "Hello."; ask := func([]auto.ChatMessage) (auto.ChatMessage, openai.Usage) {
			return auto.ChatMessage{Role: "assistant", Content: "Yes."}, openai.Usage{PromptTokens: 64_000} }`,
		`must(err); want(fmt.Sprint(agent.BeforeCall(ctx).Messages), "Yes.")`},
	{``, `text, err := summaries.Summarise(ctx, auto.SummaryRequest{Prompt: "Summarise.", MaxTokens: 100}); must(err); want(text, "all went well")`},
}

// exampleProgram is what the examples run in: all they ask goes to a server of its own.
const exampleProgram = `package main

import (
%s
)

var ctx, clock, logger = context.Background(), agent.SystemClock{}, slog.New(slog.DiscardHandler)

// asked makes summaries by a model of the server.
func asked() auto.SummaryClient {
	c, err := remote.New(remote.Endpoint{BaseURL: "http://localhost:11434/v1", Model: "m"})
	must(err)
	return online.Summaries(c)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func want(text, part string) {
	if !strings.Contains(text, part) {
		panic(fmt.Sprintf("%%q does not hold %%q", text, part))
	}
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:11434")
	must(err)
	here := func(ctx context.Context, _, _ string) (net.Conn, error) { return new(net.Dialer).DialContext(ctx, "tcp", l.Addr().String()) }
	http.DefaultTransport = &http.Transport{DialContext: here, DialTLSContext: here}
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, %s)
	}))
%s	fmt.Println("all ran")
}
`

// The examples of docs/embedding.md run as they are printed; … is where an error is looked at.
func TestTheExamplesOfEmbeddingRun(t *testing.T) {
	text, err := os.ReadFile("../docs/embedding.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) != len(around) {
		t.Fatalf("%d examples, of which %d are known", len(blocks), len(around))
	}
	var body strings.Builder
	for i, b := range blocks {
		code := regexp.MustCompile(`(?s)import (\(.*?\)|"[^"]*")\n`).ReplaceAllString(b[1], "")
		code = strings.ReplaceAll(code, "\n…\n", "\nmust(err)\n")
		fmt.Fprintf(&body, "\tmust(func() error {\n%s\n%s\n%s\nreturn nil }())\n", around[i].before, code, around[i].after)
	}
	var imports strings.Builder
	for _, path := range strings.Fields(`context errors fmt log/slog net net/http os strings time github.com/sashabaranov/go-openai
		palimpsest/compaction/agents palimpsest/compaction/auto palimpsest/compaction/session/journal palimpsest/compaction/session/online
		palimpsest/compaction/steps palimpsest/compaction/summarize palimpsest/compaction/summarize/remote
		palimpsest/compaction/summarize/remote/agent palimpsest/model/store`) {
		fmt.Fprintf(&imports, "\t%q\n", path)
	}
	dir := t.TempDir()
	answer := "`" + `{"choices":[{"index":0,"message":{"role":"assistant","content":"all went well"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}}` + "`"
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, fmt.Appendf(nil, exampleProgram, imports.String(), answer, body.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-tags", "sqlite_fts5", "-o", filepath.Join(dir, "examples"), file)
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	run := exec.Command(filepath.Join(dir, "examples"))
	run.Dir = dir
	out, err := run.CombinedOutput()
	switch {
	case strings.Contains(string(out), "address already in use"):
		t.Skip("another program has the port of the example")
	case err != nil || !strings.Contains(string(out), "all ran"):
		t.Errorf("%v:\n%s", err, out)
	}
}
