package redact

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func scan(t *testing.T, text string, ids ...string) []Finding {
	t.Helper()
	r, err := New(ids...)
	if err != nil {
		t.Fatal(err)
	}
	return r.Scan(text)
}

// Keys are put together here so that no scanner takes this file for a leak.
var (
	githubKey = "ghp_" + "x7Kq2mVb9LtRw4ZcY8nHs3JpDfGa6UeQ1TiM"
	awsKey    = "AKIA" + "Z7QWX3RTY5UIOPLK"
	slackKey  = "xoxb-" + "1234567890-0987654321-" + "aBcDeFgHiJkLmNoPqRsTuVwX"
)

func TestSecretsAreFound(t *testing.T) {
	for text, rule := range map[string]string{
		"export GITHUB_TOKEN=" + githubKey:                     "github-pat",
		`{"aws_access_key_id":"` + awsKey + `"}`:               "aws-access-token",
		"slack: " + slackKey + " end":                          "slack-bot-token",
		`api_key = "` + "q8Zr5TnW2yLp7XcV4bMk9JhG3fDs6A" + `"`: "secret-value",
		"-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("MIIEow", 20) + "\n-----END RSA PRIVATE KEY-----": "private-key",
	} {
		found := scan(t, text)
		if len(found) != 1 || found[0].Rule != rule || text[found[0].From:found[0].To] != found[0].Secret {
			t.Errorf("%s: found %+v", rule, found)
		}
	}
}

func TestPeople(t *testing.T) {
	for text, want := range map[string]string{
		"mail ada.lovelace@engine.org, please":  "ada.lovelace@engine.org",
		"in /home/ada/src/main.go:12":           "ada",
		`C:\Users\Ada\notes.txt`:                "Ada",
		`"C:\\Users\\Ada\\notes.txt"`:           "Ada",
		"/Users/小明/文档":                          "小明",
		"git@github.com:ada/engine.git":         "",
		"noreply@github.com":                    "",
		"ada@example.com":                       "",
		"/home/user/project and /Users/runner/": "",
		"decorators: @app.route('/x')":          "",
		`"see\n@app.route('/x')\n@AGENTS.md"`:   "",
		`"see\nada@engine.org"`:                 "ada@engine.org",
		"npm i left-pad@1.3.0":                  "",
		"patches/solid-js@1.9.10.patch":         "",
		"icons/128x128@2x.png":                  "",
		"hostkey sk-ecdsa-sha2@openssh.com":     "",
		"url.git@github.com:ada/engine":         "",
		"log in as your_name@engine.org":        "",
		"src/routes/home/index.test.tsx":        "",
		"src/routes/home/-components/Hero.tsx":  "",
		"/home/linuxbrew/.linuxbrew":            "",
		"ana@engine.com.py":                     "ana@engine.com.py",
		"in ../../Users/ada.lovelace/x":         "ada.lovelace",
	} {
		found := scan(t, text)
		got := ""
		if len(found) > 0 {
			got = found[0].Secret
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWhatIsNoSecretStays(t *testing.T) {
	for _, text := range []string{
		"The token count is 158900 and the key idea is simple.",
		"api_key = os.environ['API_KEY']",
		`{"call_id":"call_9f8e7d6c5b4a39281706f5e4","name":"read_file"}`,
		"sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"func (s *Server) tokenize(text string) []string { return nil }",
	} {
		if found := scan(t, text); len(found) > 0 {
			t.Errorf("%q: found %+v", text, found)
		}
	}
}

func TestIDsAreNeverFindings(t *testing.T) {
	id := "q8Zr5TnW2yLp7XcV4bMk9JhG3fDs6A"
	text := `access_token: "` + id + `"`
	if len(scan(t, text)) != 1 {
		t.Fatal("the text is not one that looks like a secret")
	}
	if found := scan(t, text, id); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
}

func TestTheSameSecretHasTheSamePlaceholder(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	a, _ := redacted(r, "use "+githubKey+" and ada@engine.org")
	b, _ := redacted(r, "again ada@engine.org, then "+githubKey+" and bob@engine.org")
	if a != "use [redacted:github-pat-1] and [redacted:email-1]" || b != "again [redacted:email-1], then [redacted:github-pat-1] and [redacted:email-2]" {
		t.Errorf("%q\n%q", a, b)
	}
	if p, _ := redacted(r, "/home/ada/x and /home/bob/y and /home/ada/z"); p != "/home/redacted-user-1/x and /home/redacted-user-2/y and /home/redacted-user-1/z" {
		t.Errorf("%q", p)
	}
}

// JSON stays JSON with the same keys, and a second pass finds nothing new.
func TestRedactedJSONStaysJSON(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{githubKey, awsKey, slackKey, "ada@engine.org", `C:\Users\Ada\x`, "/home/ada/y",
			"password=", `api_key: "q8Zr5TnW2yLp7XcV4bMk9JhG3fDs6A"`, "好", "\n", " ", "text", `"`, `\`}), 0, 30).Draw(rt, "pieces")
		value := strings.Join(pieces, rapid.SampledFrom([]string{"", " ", "\n"}).Draw(rt, "between"))
		in, err := json.Marshal(map[string]string{"content": value})
		if err != nil {
			rt.Fatal(err)
		}
		r, err := New()
		if err != nil {
			rt.Fatal(err)
		}
		out, _ := redacted(r, string(in))
		var back map[string]string
		if err := json.Unmarshal([]byte(out), &back); err != nil || len(back) != 1 {
			rt.Fatalf("%s\nbecame\n%s: %v", in, out, err)
		}
		if !utf8.ValidString(out) {
			rt.Fatalf("not UTF-8: %q", out)
		}
		for _, s := range []string{githubKey, "ada@engine.org"} {
			for _, sep := range []string{" ", "\n"} {
				if strings.Contains(sep+value+sep, sep+s+sep) && strings.Contains(back["content"], sep+s+sep) {
					rt.Fatalf("%q is still in %q", s, back["content"])
				}
			}
		}
	})
}

func TestRulesThatCantBeReadAreAnError(t *testing.T) {
	for _, text := range []string{"", "[[rules", "[[rules]]\nid='x'\nregex='('", "[[rules]]\nid='x'\nregex='a'\nsecretGroup=3", "[[rules]]\nid='x'\nregex='a'\n[[rules.allowlists]]\nregexes=['(']"} {
		if _, err := parse(text); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
	set, err := load()
	if err != nil || len(set.rules) < 200 {
		t.Errorf("%v rules, %v", len(set.rules), err)
	}
}

func FuzzRedact(f *testing.F) {
	for _, s := range []string{"", githubKey, "a@b.co /home/x", `{"key":"` + awsKey + `"}`, "\xff@\xfe.com"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := New()
		if err != nil {
			t.Fatal(err)
		}
		reads := func(secret string) bool { // somebody reads it, with escapes and codes off or unpacked
			there := slices.ContainsFunc(viewsOf(text), func(v view) bool { return strings.Contains(v.text, secret) })
			packed(text, func(_, _ int, inside string) { there = there || strings.Contains(inside, secret) })
			return there
		}
		end := 0
		for _, x := range r.Scan(text) {
			if x.From < end || x.To <= x.From || x.To > len(text) || text[x.From:x.To] != x.Secret && !reads(x.Secret) {
				t.Fatalf("finding %+v after %d", x, end)
			}
			end = x.To
		}
	})
}

func BenchmarkScan(b *testing.B) {
	line := "read_file src/parse.go → ok: func (p *Parser) next() token { return p.tokens[p.at] } // key words of 第一行\n"
	text := strings.Repeat(line, 1<<20/len(line))
	r, err := New()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Scan(text)
	}
}

// A line of JSON stays JSON, and a secret is found however it is spelled in it:
// with escapes, or in JSON inside of a string.
func TestSievedJSON(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		value := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{githubKey, "zoë@engine.org", "ada@engine.org", `C:\Users\Zoë\x`, "/home/ada/y", "é", "\n", `"`, `\`, "text",
			strings.Repeat("long ", 200)}), 0, 12).Draw(rt, "pieces"), " ")
		inner, err := json.Marshal(map[string]any{"command": value, "n": 1})
		if err != nil {
			rt.Fatal(err)
		}
		line, err := json.Marshal(map[string]any{"id": "m1", "text": value, "arguments": string(inner)})
		if err != nil {
			rt.Fatal(err)
		}
		spelled := strings.ReplaceAll(strings.ReplaceAll(string(line), "ë", `\u00eb`), "/", `\/`)
		r, err := New()
		if err != nil {
			rt.Fatal(err)
		}
		s := NewSieve(r, nil)
		var b strings.Builder
		w := s.Through(&b)
		for _, piece := range []string{spelled[:len(spelled)/2], spelled[len(spelled)/2:], "\n", spelled} {
			if _, err := w.Write([]byte(piece)); err != nil {
				rt.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			rt.Fatal(err)
		}
		first, second, _ := strings.Cut(b.String(), "\n")
		var got, want map[string]string
		if err := json.Unmarshal([]byte(first), &got); err != nil || second != first {
			rt.Fatalf("%s\nbecame\n%s: %v", spelled, b.String(), err)
		}
		if err := json.Unmarshal(line, &want); err != nil {
			rt.Fatal(err)
		}
		if !json.Valid([]byte(got["arguments"])) || got["id"] != "m1" {
			rt.Fatalf("%s", first)
		}
		for _, secret := range []string{githubKey, "ada@engine.org", "Zoë", "/home/ada"} {
			if strings.Contains(got["text"], secret) || strings.Contains(got["arguments"], secret) {
				rt.Fatalf("%q is still in %s", secret, first)
			}
		}
		if len(s.Found()) == 0 && first != spelled {
			rt.Fatalf("nothing was found, and %s became %s", spelled, first)
		}
	})
}

// redacted is a text without what is found in it.
func redacted(r *Redactor, text string) (string, []Finding) {
	found := r.Scan(text)
	return r.Replace(text, found), found
}
