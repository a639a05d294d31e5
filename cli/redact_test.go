package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction/session/doors"
	"palimpsest/model"
)

// Keys are put together here so that no scanner takes this file for a leak.
var leakedKey = "ghp_" + "x7Kq2mVb9LtRw4ZcY8nHs3JpDfGa6UeQ1TiM"

// leaky is a chat with secrets in many places.
func (b *bench) leaky() string {
	text := `{"model":"gpt-4o","messages":[` + strings.Repeat(`{"role":"user","name":"jane@acme-corp.com","content":"Use `+leakedKey+` in /home/ada/src and write to jane@acme-corp.com and joe@acme-corp.com."},`+
		`{"role":"assistant","content":"Done, it took a while to read through all of the files that are there."},`, 20) + `{"role":"user","content":"Bye."}]}`
	path := b.path("leaky.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

// holds returns which of the secrets are in a file.
func (b *bench) holds(path string) (list string) {
	b.Helper()
	text := string(fileBytes(b.T, path))
	if text == "" {
		b.Fatalf("%s is empty", path)
	}
	for name, s := range map[string]string{"K": leakedKey, "A": "jane@acme-corp.com", "J": "joe@acme-corp.com", "H": "/home/ada"} {
		if strings.Contains(text, s) {
			list += name
		}
	}
	return list
}

// A person reads the list of what was found and lets some of it through: by its
// rule, by its placeholder, or by its text.
func TestWhatIsLetThrough(t *testing.T) {
	b := newBench(t)
	in := b.leaky()
	for i, c := range []struct {
		let  []string
		want string // one secret that stays
	}{{nil, ""}, {[]string{"github-pat"}, "K"}, {[]string{"email-1"}, "A"}, {[]string{"[redacted:email-2]"}, "J"}, {[]string{"ada"}, "H"}} {
		for _, form := range []string{"same", "html", "markdown", "json"} {
			args := []string{"export", in, "-f", form, "--redact", "--json", "-o", b.path("out." + form + string(rune('0'+i)))}
			for _, l := range c.let {
				args = append(args, "--let", l)
			}
			g := value[given](b.run(args...).ends(exitDone))
			if got := b.holds(g.Output); got != c.want {
				t.Errorf("%s with %v: %q stands", form, c.let, got)
			}
			let := 0
			for _, f := range g.Redacted {
				if f.Let {
					let++
				}
				if strings.Contains(f.Like, "acme") || strings.Contains(f.Like, leakedKey) {
					t.Errorf("the list tells %q", f.Like)
				}
			}
			if len(g.Redacted) != 4 || let != len(c.let) {
				t.Errorf("%s: %+v", form, g.Redacted)
			}
		}
	}
	b.run("export", in, "--let", "email", "-o", b.path("x")).ends(exitUsage, "--redact")
	out := b.run("export", in, "--redact", "--let", "email", "-o", b.path("y")).ends(exitDone).says("Taken out", "Let through", "[redacted:email-1]", "jane…",
		"in 1 line, first in line 1").out
	if strings.Contains(out, "acme") {
		t.Error(out)
	}
	b.run("export", in, "--redact", "-f", "html", "-o", b.path("z.html")).ends(exitDone).says("in 20 messages, first in message 1")
}

// What compact writes is redacted, too; its record gives the originals back whole,
// and the file is not taken for what the record leaves.
func TestACompactedFileIsRedacted(t *testing.T) {
	b := newBench(t)
	in := b.leaky()
	policy := []string{"--window", "4", "--min-gain", "0", "--strategy", "extract", "--summary-budget", "600"}
	b.run(append([]string{"compact", in, "--redact"}, policy...)...).ends(exitUsage, "give -o")
	c := value[compacted](b.run(append([]string{"compact", in, "--redact", "--let", "home", "-o", b.path("out.json"), "--json"}, policy...)...).ends(exitDone))
	if c.Outcome != model.Applied || len(c.Redacted) != 4 || b.holds(b.path("out.json")) != "H" {
		t.Fatalf("%+v; %s stands", c, b.holds(b.path("out.json")))
	}
	b.run("restore", *c.Record, "-o", b.path("back.json")).ends(exitDone)
	b.same(b.path("back.json"), in)
	if is := value[inspection](b.run("inspect", b.path("out.json"), "--json").ends(exitDone)); is.Continues != nil || is.Messages != c.After.Messages {
		t.Errorf("%+v", is)
	}
	if err := os.WriteFile(b.path("there.json"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.run(append([]string{"compact", in, "--redact", "-o", b.path("there.json")}, policy...)...).ends(exitFailed, "exists")
}

// planted is a chat with made-up secrets of many shapes in words, arguments and results,
// and their values.
func (b *bench) planted(seed uint64) (path string, values []string) {
	rng := rand.New(rand.NewPCG(seed, 1))
	some := func(n int, of string) string {
		s := make([]byte, n)
		for i := range s {
			s[i] = of[rng.IntN(len(of))]
		}
		return string(s)
	}
	const low, an = "abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	words := []string{"token", "hunter", "letmein", "summer", "config", "value", "prod", "main"}
	word := func() string { return words[rng.IntN(len(words))] + some(2, "0123456789") }
	var messages []map[string]any
	for i := range 60 {
		value := []string{some(14, an), some(32, an), some(40, an), word(), some(9, low), some(36, "0123456789abcdef")}[rng.IntN(6)]
		spelled := fmt.Sprintf([]string{"password=%s", "PASSWORD: %s", "db_password: '%s'", `{"password":"%s"}`, "export SECRET_KEY=\"%s\"", "ghp_%s",
			"sk-%s", "Authorization: Bearer %s", "curl -u admin:%s https://h/", "Cookie: sid=%s", "https://h/v1?api_key=%s", "postgres://svc:%s@db/prod",
			"--token %s", "x-api-key: %s", "~/.claude/projects/-home-%s-work", "C:\\Users\\%s\\x.go", "%s@corp-mail.com", "AWS_SECRET_ACCESS_KEY=%s"}[rng.IntN(18)], value)
		values = append(values, value)
		args, err := json.Marshal(map[string]string{"cmd": "run '" + spelled + "'"})
		must(b.T, err)
		messages = append(messages,
			map[string]any{"role": "user", "content": "See " + spelled + " please."},
			map[string]any{"role": "assistant", "content": "I look.", "tool_calls": []any{map[string]any{"id": fmt.Sprint("c", i), "type": "function",
				"function": map[string]any{"name": "bash", "arguments": string(args)}}}},
			map[string]any{"role": "tool", "tool_call_id": fmt.Sprint("c", i), "content": "out\n" + spelled + "\nend"})
	}
	messages = append(messages, map[string]any{"role": "user", "content": "go"}, map[string]any{"role": "user", "content": "on"})
	text, err := json.Marshal(map[string]any{"model": "gpt-4o", "messages": messages})
	must(b.T, err)
	path = b.path(fmt.Sprintf("planted-%d.json", seed))
	must(b.T, os.WriteFile(path, text, 0o600))
	return path, values
}

// A model gets nothing that a redacted export would not hold, and both let few of them
// through.
func TestAModelGetsNoMoreThanARedactedExport(t *testing.T) {
	b := newBench(t)
	t.Setenv("PALIMPSEST_TRIAL_KEY", "k")
	sent, exported, all := 0, 0, 0
	for seed := uint64(2); seed < 5; seed++ {
		in, values := b.planted(seed)
		out := b.path(fmt.Sprintf("out-%d.json", seed))
		b.run("export", in, "--redact", "-o", out).ends(exitDone)
		var held strings.Builder
		flatten(t, fileBytes(t, out), &held)
		asked := value[struct{ Enquiry struct{ Texts []model.Sent } }](b.run("compact", in, "--strategy", "model", "--endpoint", "http://127.0.0.1:1/v1",
			"--model", "m", "--key-env", "PALIMPSEST_TRIAL_KEY", "--model-window", "400000", "--window", "1msgs", "--trigger", "2msgs", "--dry-run", "--json").ends(exitDone))
		if len(asked.Enquiry.Texts) == 0 {
			t.Fatal("nothing would be sent")
		}
		var prompt strings.Builder
		for _, x := range asked.Enquiry.Texts {
			prompt.WriteString(x.Guard + x.Prompt)
		}
		for _, v := range values {
			all++
			in, out := strings.Contains(prompt.String(), v), strings.Contains(held.String(), v)
			if in {
				sent++
			}
			if out {
				exported++
			}
			if in && !out {
				at := strings.Index(prompt.String(), v)
				t.Errorf("seed %d: %q is sent, and an export would not hold it: …%q", seed, v, prompt.String()[max(0, at-90):at+len(v)+30])
			}
		}
	}
	t.Logf("of %d values %d would be sent and %d are in exports", all, sent, exported)
	if exported == 0 || exported*2 > all { // 0: nothing was compared
		t.Errorf("of %d values %d are in exports", all, exported)
	}
}

// flatten writes every string of a JSON text, and those of the JSON in strings.
func flatten(t *testing.T, text []byte, to *strings.Builder) {
	t.Helper()
	var v any
	must(t, json.Unmarshal(text, &v))
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			to.WriteString(v + "\n")
			var inner any
			if json.Unmarshal([]byte(v), &inner) == nil {
				if _, again := inner.(string); !again {
					walk(inner)
				}
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(v)
}

// An agent that finds a message again does not get the secrets of it, unless a person
// says so; names and paths it gets.
func TestWhatAnAgentIsGivenHasNoSecrets(t *testing.T) {
	b := newBench(t)
	b.run("compact", b.leaky(), "--strategy", "drop", "--window", "4msgs").ends(exitDone)
	for _, redact := range []bool{true, false} {
		w := (&app{ctx: t.Context(), db: b.db}).world(&readFlags{})
		if !redact {
			w.Hide = nil
		}
		c := b.client(w)
		var found struct {
			Hits []struct {
				Words   string
				Message int
			}
		}
		equal(t, "", c.call("recall", map[string]any{"query": "joe@acme-corp.com"}, &found))
		var page struct{ Text string }
		equal(t, "", c.call("original", map[string]any{"record": "R-0001", "message": found.Hits[0].Message}, &page))
		for _, text := range []string{found.Hits[0].Words, page.Text} {
			if strings.Contains(text, leakedKey) == redact || !strings.Contains(text, "/home/ada/src") || !strings.Contains(text, "joe@acme-corp.com") {
				t.Errorf("redacted %v: %s", redact, text)
			}
		}
	}
}

// A log holds no secret of an address or of what a server says.
func TestLogsHoldNoSecrets(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: hideInLog(nil)}))
	log.Warn("not asked", "why", fmt.Errorf("Post \"https://h.example/v1?key=%s\": refused", "Zx9kQ2vLm7Rt4Wp8Yc3N"), "path", "/v1/"+leakedKey, "n", 7)
	if s := out.String(); strings.Contains(s, leakedKey) || strings.Contains(s, "Zx9kQ2") || !strings.Contains(s, "level=WARN") ||
		!strings.Contains(s, "refused") || !strings.Contains(s, "n=7") {
		t.Error(s)
	}
}

// What an agent's tool answers when it fails, and the error that a hook leaves behind, are
// read by others: they hold no secret of a name.
func TestFailuresHoldNoSecrets(t *testing.T) {
	b := newBench(t)
	if said := b.mcp().call("facts", map[string]any{"file": b.path(leakedKey)}, nil); said == "" || strings.Contains(said, leakedKey) {
		t.Errorf("the tool said %q", said)
	}
	dir := t.TempDir()
	noteHook(dir, fmt.Errorf("open %s: no such file", leakedKey))
	left, err := os.ReadFile(filepath.Join(dir, doors.LastHookError))
	if err != nil || !strings.Contains(string(left), "no such file") || strings.Contains(string(left), leakedKey) {
		t.Errorf("the hook left %q, %v", left, err)
	}
}
