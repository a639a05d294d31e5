package toolconfig

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/compaction"
	"palimpsest/model"
)

// drawPolicy draws a policy of any kind, with a context window.
func drawPolicy(t *rapid.T) model.Policy {
	presets := compaction.Presets()
	p := rapid.SampledFrom(presets).Draw(t, "preset").Policy
	p.Window = rapid.SampledFrom([]int{32000, 128000, 200000, 1000000, 1048576}).Draw(t, "window")
	p.Triggers = nil
	for range rapid.IntRange(0, 3).Draw(t, "clauses") {
		switch rapid.IntRange(0, 3).Draw(t, "clause") {
		case 0:
			p.Triggers = append(p.Triggers, compaction.ShareClause(float64(rapid.IntRange(1, 100).Draw(t, "percent"))/100))
		case 1:
			p.Triggers = append(p.Triggers, compaction.TriggerAt(rapid.IntRange(1000, p.Window).Draw(t, "tokens"), model.Tokens))
		case 2:
			p.Triggers = append(p.Triggers, compaction.TriggerAt(rapid.IntRange(2, 400).Draw(t, "messages"), model.Messages))
		case 3:
			p.Triggers = append(p.Triggers, compaction.TriggerAt(rapid.IntRange(1, 50).Draw(t, "steps"), model.Steps))
		}
	}
	p.Tail = model.Amount{N: rapid.IntRange(0, 60).Draw(t, "tail"),
		Unit: rapid.SampledFrom([]model.Unit{model.Messages, model.Turns, model.Steps, model.Tokens, model.Percent}).Draw(t, "unit")}
	p.Clear = model.Clearing{On: rapid.Bool().Draw(t, "clear"), Keep: rapid.IntRange(0, 9).Draw(t, "keep")}
	p.Strategy = rapid.SampledFrom(model.Strategies()).Draw(t, "strategy")
	p.KeepFirstUser = rapid.Bool().Draw(t, "first")
	p.MinGain.Tokens = rapid.IntRange(0, 5000).Draw(t, "gain")
	return p
}

// What a tool does under a written configuration can be written again, and then
// nothing is lost: the two directions of an adapter agree.
func TestWhatIsReadCanBeWritten(t *testing.T) {
	for _, tool := range Tools() {
		t.Run(tool.ID, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				r, err := tool.Write(drawPolicy(t), nil)
				must(t, err)
				again, err := tool.Write(r.Does, nil)
				must(t, err)
				for _, x := range again.Lost {
					t.Fatalf("%s: %v became %v\n%s\n%s", x.Key, x.Value(&r.Does), x.Value(&again.Does), r.Text, again.Text)
				}
				once, err := tool.Write(r.Does, again.Text)
				must(t, err)
				equal(t, string(again.Text), string(once.Text), "writing the same again changes nothing")
			})
		})
	}
}

// A parameter that is not reported lost means the same in what the tool does.
func TestNothingIsLostSilently(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tool := rapid.SampledFrom(Tools()).Draw(t, "tool")
		p := drawPolicy(t)
		r, err := tool.Write(p, nil)
		must(t, err)
		lost := map[string]bool{}
		for _, x := range r.Lost {
			lost[x.Key] = true
		}
		want, _ := triggerTokens(p)
		got, err := triggerTokens(r.Does)
		if !lost["trigger"] && len(p.Triggers) == 1 && err == nil {
			near(t, want, got, max(1, p.Window/1000))
		}
		if !lost["tail"] {
			legal, _ := compaction.Normalise(p)
			equal(t, legal.TailInForce().N, r.Does.Tail.N)
		}
		if p.Strategy == model.NoteText {
			equal(t, true, lost["strategy"], "no tool makes our ledger")
		}
	})
}

// With no configuration each tool does what its published numbers say, which are
// also those of its look-alike.
func TestPublishedDefaults(t *testing.T) {
	for id, want := range map[string]struct {
		window int
		fires  int
	}{
		"claude-code": {200000, 167000}, // 200,000 − 20,000 − 13,000
		"codex":       {258400, 232560}, // 90 %
		"gemini-cli":  {1048576, 524288},
		"opencode":    {200000, 180000},
	} {
		p, err := Find(id).Read(nil, want.window)
		must(t, err)
		at, err := triggerTokens(p)
		must(t, err, id)
		near(t, want.fires, at, 1, id)
		if l := Find(id).base(); len(l.Triggers) > 0 {
			l.Window = want.window
			published, err := triggerTokens(l)
			must(t, err)
			near(t, published, at, want.window/1000, id)
		}
	}
}

// Whatever comments a file has, and wherever they are, they stay, and lines that are not
// changed stay as they are spelled.
func TestCommentsStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []string
		extra := func() string {
			text := ""
			for range rapid.IntRange(0, 2).Draw(t, "comments") {
				c := fmt.Sprintf("/* c%d */", len(want))
				if want = append(want, c); rapid.Bool().Draw(t, "line") {
					c = strings.Replace(c, "/* ", "// ", 1) + "\n"
					want[len(want)-1] = strings.TrimSpace(c)
				}
				text += rapid.SampledFrom([]string{"", " ", "\n  "}).Draw(t, "space") + c
			}
			return text + rapid.SampledFrom([]string{"", " ", "\n  "}).Draw(t, "space")
		}
		names := rapid.Permutation([]string{`"a": 1`, `"autoCompactWindow": 5`, `"autoCompactEnabled":true`,
			`"env": {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "7"}`, `"b": [1]`}).Draw(t, "members")
		names = names[:rapid.IntRange(0, 5).Draw(t, "many")]
		var b strings.Builder
		b.WriteString(extra() + "{")
		for i, n := range names {
			key, val, _ := strings.Cut(n, ":")
			b.WriteString(extra() + key + extra() + ":" + extra() + val + extra())
			if i < len(names)-1 || rapid.Bool().Draw(t, "comma") {
				b.WriteString(",")
			}
		}
		b.WriteString(extra() + "}" + extra())
		p := compaction.Default()
		p.Window, p.Triggers = 200000, tokens(rapid.SampledFrom([]int{40000, 120000, 199000}).Draw(t, "trigger"))
		r, err := Find("claude-code").Write(p, []byte(b.String()))
		must(t, err)
		for _, c := range want {
			if !strings.Contains(string(r.Text), c) {
				t.Fatalf("%s is gone from\n%s\nwhich was\n%s", c, r.Text, b.String())
			}
		}
		again, err := Find("claude-code").Write(p, r.Text)
		must(t, err)
		equal(t, string(r.Text), string(again.Text))
	})
}

// What can't be changed for certain is refused with its name; ends of lines and spellings
// that are not changed stay.
func TestFilesAreKept(t *testing.T) {
	p := compaction.Default()
	p.Window, p.Triggers = 200000, tokens(160000)
	for text, why := range map[string]string{
		`{"autoCompactWindow": 1, "autoCompactWindow": 2}`: `It has "autoCompactWindow" twice`,
		`{"env": "string", "x": 1}`:                        "",
		`{"env": {"A": 1}, "env": {}}`:                     `It has "env" twice`,
	} {
		_, err := Find("claude-code").Write(p, []byte(text))
		var said *model.Problem
		switch {
		case why == "":
			must(t, err)
		case !errors.As(err, &said) || !strings.HasPrefix(said.Why, why):
			t.Errorf("%s: %v", text, err)
		}
	}
	p.Triggers = tokens(40000) // needs a variable
	_, err := Find("claude-code").Write(p, []byte(`{"env": "string"}`))
	var said *model.Problem
	if !errors.As(err, &said) || !strings.Contains(said.Why, `"env" is not an object`) {
		t.Error(err)
	}
	for _, h := range HookFiles("/opt/pal hook") {
		if _, err := h.Install([]byte(`{"hooks": {"PreCompact": [], "PreCompact": []}}`)); err == nil {
			t.Error("two lists of hooks of one event were taken for one")
		}
		with, err := h.Install([]byte("{\r\n  \"a\": 1\r\n}\r\n"))
		must(t, err)
		equal(t, strings.Count(string(with), "\n"), strings.Count(string(with), "\r\n"), h.ID)
	}
	for id, old := range map[string]string{"claude-code": "{\r\n  \"a\": 1\r\n}\r\n", "codex": "a = 1\r\n[b]\r\nc = 2\r\n"} {
		r, err := Find(id).Write(p, []byte(old))
		must(t, err)
		equal(t, strings.Count(string(r.Text), "\n"), strings.Count(string(r.Text), "\r\n"), id)
		equal(t, true, len(r.Text) > len(old))
	}
	p.Triggers = tokens(160000)
	r, err := Find("claude-code").Write(p, []byte(`{"autoCompactWindow": 1.93e5}`))
	must(t, err)
	if !strings.Contains(string(r.Text), "1.93e5") {
		t.Errorf("%s", r.Text)
	}
}

func TestClaudeCodeSettings(t *testing.T) {
	tool := Find("Claude-Code")
	old := "{\n  // mine\n  \"model\": \"opus\", // the large one\n  \"env\": {\n    \"FOO\": \"1\",\n    \"CLAUDE_CODE_AUTO_COMPACT_WINDOW\": \"400000\"\n  },\n}\n"
	p := compaction.Default()
	p.Window, p.Triggers = 1000000, tokens(460000)
	r, err := tool.Write(p, []byte(old))
	must(t, err)
	equal(t, "{\n  // mine\n  \"model\": \"opus\", // the large one\n  \"env\": {\n    \"FOO\": \"1\",\n    \"CLAUDE_CODE_AUTO_COMPACT_WINDOW\": \"493000\"\n  },\n"+
		"  \"autoCompactEnabled\": true,\n  \"autoCompactWindow\": 493000,\n}\n", string(r.Text))
	at, _ := triggerTokens(r.Does)
	equal(t, 460000, at)

	p.Window, p.Triggers = 200000, tokens(40000) // below the least window that can be set
	r, err = tool.Write(p, nil)
	must(t, err)
	equal(t, "{\n  \"autoCompactEnabled\": true,\n  \"autoCompactWindow\": 100000,\n  \"env\": {\n    \"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE\": \"50\"\n  }\n}\n", string(r.Text))
	at, _ = triggerTokens(r.Does)
	equal(t, 40000, at)

	p.Triggers = []model.Clause{compaction.ShareClause(.95)} // later than it can
	r, err = tool.Write(p, nil)
	must(t, err)
	at, _ = triggerTokens(r.Does)
	equal(t, 167000, at)
	equal(t, "trigger", r.Lost[0].Key)
}

func TestFilesAreNotRewritten(t *testing.T) {
	p := compaction.Default()
	p.Window = 200000
	for _, c := range []struct{ tool, old, want string }{
		{"codex", "# my settings\nmodel = \"gpt-5.5\"\nmodel_auto_compact_token_limit = 1 # low\n\n[mcp_servers.x]\ncommand = \"x\"\n",
			"# my settings\nmodel = \"gpt-5.5\"\nmodel_auto_compact_token_limit = 134000 # low\n\n[mcp_servers.x]\ncommand = \"x\"\n"},
		{"codex", "[tui]\ntheme = \"dark\"", "model_auto_compact_token_limit = 134000\n[tui]\ntheme = \"dark\"\n"},
		{"gemini-cli", `{"model": {"name": "x"}, "ui": {}}`, `{"model": {"name": "x", "compressionThreshold": 0.67}, "ui": {}}`},
		{"gemini-cli", "{\n  \"ui\": {} // mine\n}\n", "{\n  \"ui\": {}, // mine\n  \"model\": {\n    \"compressionThreshold\": 0.67\n  }\n}\n"},
		{"gemini-cli", "{\n  \"ui\": {}, // mine\n  // end\n}\n", "{\n  \"ui\": {}, // mine\n  \"model\": {\n    \"compressionThreshold\": 0.67\n  },\n  // end\n}\n"},
		{"gemini-cli", "{\"model\": {\"name\": \"x\" /* m */}}", "{\"model\": {\"name\": \"x\", /* m */ \"compressionThreshold\": 0.67}}"},
	} {
		r, err := Find(c.tool).Write(p, []byte(c.old))
		must(t, err, c.tool)
		equal(t, c.want, string(r.Text), c.tool)
	}
}

func TestConfigurationsThatAreNotOurs(t *testing.T) {
	p := compaction.Default()
	p.Window = 200000
	for _, c := range []struct{ tool, old string }{
		{"claude-code", `{"model": `},
		{"claude-code", `[1, 2]`},
		{"claude-code", `{"env": "none"}`},
		{"codex", "model = "},
		{"codex", "text = \"\"\"\nmodel_auto_compact_token_limit = 5\n\"\"\"\n"},
	} {
		_, err := Find(c.tool).Write(p, []byte(c.old))
		if c.old == `{"env": "none"}` && err == nil {
			continue // env need not be touched
		}
		var problem *model.Problem
		if !errors.As(err, &problem) || problem.Next == "" {
			t.Errorf("%s %s: %v", c.tool, c.old, err)
		}
	}
}

func TestWindowIsAskedFor(t *testing.T) {
	p := compaction.Default() // 80 % of an unknown window
	for _, id := range []string{"claude-code", "codex", "opencode"} {
		_, err := Find(id).Write(p, nil)
		var problem *model.Problem
		if !errors.As(err, &problem) || problem.Code != "tool-window" {
			t.Errorf("%s: %v", id, err)
		}
	}
	r, err := Find("gemini-cli").Write(p, nil)
	must(t, err)
	for _, x := range r.Lost {
		if x.Key == "trigger" {
			t.Error("the trigger is lost")
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, tool := range Tools() {
		p := compaction.Default()
		p.Window = 200000
		r, err := tool.Write(p, nil)
		must(f, err)
		f.Add(tool.ID, string(r.Text))
	}
	f.Add("codex", "model_auto_compact_token_limit = -160000\n")
	f.Fuzz(func(t *testing.T, id, text string) {
		tool := Find(id)
		if tool == nil {
			return
		}
		p, err := tool.Read([]byte(text), 200000)
		if err != nil {
			return
		}
		for _, c := range p.Triggers {
			if math.IsNaN(c.Share) || c.At.N < 0 {
				t.Fatalf("%+v from %q", c, text)
			}
		}
		if r, err := tool.Write(p, []byte(text)); err == nil && strings.TrimSpace(text) != "" {
			if _, err := tool.Read(r.Text, 200000); err != nil {
				t.Fatalf("%q can't be read: %v", r.Text, err)
			}
		}
	})
}

// tb is what a test and a drawn case have in common.
type tb interface {
	Helper()
	Errorf(string, ...any)
	Fatalf(string, ...any)
}

func must(t tb, err error, note ...any) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v %v", err, note)
	}
}

func equal(t tb, want, got any, note ...any) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Errorf("want %v\ngot  %v\n%v", want, got, note)
	}
}

func near(t tb, want, got, most int, note ...any) {
	t.Helper()
	if d := want - got; d > most || -d > most {
		t.Errorf("want %d ± %d, got %d %v", want, most, got, note)
	}
}

// Each program is led away from the server that its person set up, and to nothing else; what
// a person said is kept.
func TestStartLeadsToTheGateway(t *testing.T) {
	for program, c := range map[string]struct {
		files map[string]string
		env   string // NAME=value
		asks  string // servers, in order
		has   string // in arguments, variables and files
	}{
		"claude":   {map[string]string{".claude/settings.json": `{"env":{"ANTHROPIC_BASE_URL":"http://mine"}}`}, "ANTHROPIC_BASE_URL=http://shell", "http://mine", `"PreCompact"`},
		"codex":    {map[string]string{"~/.codex/auth.json": `{"tokens":{"id":"x"}}`}, "", "https://chatgpt.com/backend-api/codex", `openai_base_url="gw:`},
		"opencode": {map[string]string{"~/.config/opencode/opencode.json": `{"provider":{"m":{"options":{"baseURL":"http://mine/v1"}}}}`}, `OPENCODE_CONFIG_CONTENT={"model":"m/x"}`, "http://mine/v1 https://opencode.ai/zen/v1", `"model":"m/x"`},
		"qwen":     {map[string]string{"~/.qwen/settings.json": `{"modelProviders":{"openai":[{"id":"a","baseUrl":"http://other"}]}}`}, "OPENAI_BASE_URL=http://mine", "http://mine http://other", `{"baseUrl":"gw:http://other","id":"a"}`},
		"pi":       {map[string]string{"~/.pi/agent/models.json": `{"providers":{"openai":{"baseUrl":"http://mine"}}}`}, "", "http://mine", `pi.registerProvider("openai", { baseUrl: "gw:http://mine" })`},
		"copilot":  {nil, "COPILOT_PROVIDER_BASE_URL=http://mine", "http://mine", `"tools":["*"]`},
		"gemini":   {map[string]string{"/d.json": `{"ui":{"x":1}}`}, "GEMINI_CLI_SYSTEM_DEFAULTS_PATH=/d.json", "https://generativelanguage.googleapis.com https://cloudcode-pa.googleapis.com", `"x":1`},
		"cline":    {map[string]string{"~/.cline/data/settings/providers.json": `{"providers":{"anthropic":{"settings":{}},"b":{"settings":{"baseUrl":"http://mine"}}}}`, "~/.cline/data/settings/models.json": `{"version":1}`}, "", "https://api.anthropic.com http://mine", `{"baseUrl":"gw:http://mine"}`},
	} {
		t.Run(program, func(t *testing.T) {
			var asks []string
			name, value, _ := strings.Cut(c.env, "=")
			s := &Start{Self: []string{"/opt/palimpsest", "--db", "/x.db"}, Path: func(name string) string { return "/run/" + name },
				Env: func(n string) string {
					if n == name {
						return value
					}
					return ""
				},
				Read: func(path string) []byte { return []byte(c.files[path]) },
				Base: func(upstream string) string { asks = append(asks, upstream); return "gw:" + upstream }}
			must(t, Find(program).Start(s))
			for _, a := range strings.Fields(c.asks) {
				if !strings.Contains(strings.Join(asks, " ")+" ", a+" ") {
					t.Errorf("%s is not led away from %s: %q", program, a, asks)
				}
			}
			if program != "pi" {
				equal(t, len(strings.Fields(c.asks)), len(asks), asks)
			}
			all := fmt.Sprint(s.Args, s.Vars)
			for _, f := range s.Files {
				all += string(f)
			}
			if !strings.Contains(all, c.has) || program != "pi" && !strings.Contains(all, "/opt/palimpsest") {
				t.Errorf("%s lacks %s:\n%s", program, c.has, all)
			}
			if program == "cline" {
				equal(t, `{"version":1}`, string(s.Files["models.json"]), "what lies beside its file lies beside the copy")
			}
			for _, l := range s.Loans {
				old, given := []byte(c.files[l.File]), s.Files[l.Copy]
				if _, changed := l.Returned(old, given); changed {
					t.Error("what nobody wrote into goes back")
				}
				text, changed := l.Returned(old, append(given, '\n'))
				equal(t, true, changed)
				equal(t, true, !strings.Contains(string(text), "gw:") && !strings.Contains(string(text), "palimpsest"), string(text))
				if _, changed = l.Returned(append(old, ' '), append(given, '\n')); changed {
					t.Error("what the person changed meanwhile is lost")
				}
			}
		})
	}
}
