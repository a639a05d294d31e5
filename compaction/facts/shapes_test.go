package facts

import (
	"slices"
	"strings"
	"testing"
)

// Shapes of tokens are told at their edges.
func TestShapesOfTokens(t *testing.T) {
	for _, x := range []struct {
		name    string
		is      func(string) bool
		yes, no []string
	}{
		{"host", isHost, []string{"www.a.b", "go.org", "my-site.example.com", "a1.org"}, []string{"www.a", "a.go", "x.dev", "My.dev", "a_b.com", "main.py"}},
		{"test", isTest, []string{"TestDrain", "Test_drain", "test_drain", "drain_test"}, []string{"Test", "Testing", "test", "latest", "Contest_drains"}},
		{"kebab", isKebab, []string{"utf-8", "av-l5qi", "gpt-4.1-mini", "a_b-1"}, []string{"a--b", "gpt-4.", "a_b-c", "a-b.c", "a/b-1"}},
		{"acronyms", acronyms, []string{"APIs", "URLs", "PRs"}, []string{"APIS", "ApIs", "API", "APIx"}},
		{"version", isVersion, []string{"1.2.3", "v2", "v1.2", "1.11.x", "1.0.0-rc.1", "1.2.123456789"}, []string{"1.2", "x.1.2", "1..2", "1.2.1234567890", "v", "v1234"}},
		{"constant", isConstant, []string{"MAX_RETRIES", "A_1"}, []string{"Max_RETRIES", "max"}},
	} {
		for _, token := range x.yes {
			if !x.is(token) {
				t.Errorf("%s is no %s", token, x.name)
			}
		}
		for _, token := range x.no {
			if x.is(token) {
				t.Errorf("%s is taken for a %s", token, x.name)
			}
		}
	}
}

// A sentence has six bytes at least, and no mark at its end.
func TestSentences(t *testing.T) {
	for text, want := range map[string]string{"12345": "", "123456": "123456", "  **Keep the tests.** ": "Keep the tests", "保持测试不变。": "保持测试不变",
		strings.Repeat("a", 4*sentenceRunes+1): "", strings.Repeat("a", sentenceRunes): strings.Repeat("a", sentenceRunes), strings.Repeat("a", sentenceRunes+1): ""} {
		got := ""
		sentence(text, func(s string) { got = s })
		if got != want {
			t.Errorf("%.40q is the sentence %.40q, want %.40q", text, got, want)
		}
	}
}

// A command says what was run: no single word, no assignment, no half of a program in quotes.
func TestCommands(t *testing.T) {
	for text, want := range map[string][]string{
		"make test": {"make test"}, "./run": {"./run"}, "make": nil, "cd src": nil, "A=1 make test": nil, "python3 -c '": nil, "{ make lint": {"make lint"},
		"~/bin/x now": {"~/bin/x now"}, "make test > out.txt": {"make test"}, "git commit -m 'one\ntwo'": {"git commit -m 'one"}, "\xff make": nil,
	} {
		var got []string
		simple(text, func(c string) { got = append(got, c) })
		if !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
