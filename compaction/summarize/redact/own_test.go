package redact

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What a person's own rules find is replaced everywhere, the same value by the same
// stand-in, as it is written and inside of JSON.
func TestRulesOfAPerson(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	own := []Own{{Name: "build host", Find: `larch-ci-[0-9]+\.lan`, Expr: true}, {Name: "customer", Find: "Acme"}}
	if err := r.Own(own); err != nil {
		t.Fatal(err)
	}
	got, _ := redacted(r, "ssh larch-ci-7.lan && ssh larch-ci-8.lan # for ACME\n{\"host\":\"larch-ci-7.lan\"}")
	want := "ssh [redacted:build-host-1] && ssh [redacted:build-host-2] # for [redacted:customer-1]\n{\"host\":\"[redacted:build-host-1]\"}"
	if got != want {
		t.Errorf("%s", got)
	}
}

// Kinds are switched on and off, secrets can't be, and a rule that is switched off passes.
func TestKindsAreSwitched(t *testing.T) {
	text := "mail jo@larch.dev at 10.0.4.7, /home/maria/x, key " + githubKey + " of Acme"
	found := func(rules ...Own) (kinds string) {
		r, err := New()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Own(rules); err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Scan(text) {
			kinds += string(f.Kind) + " "
		}
		return kinds
	}
	for _, c := range []struct {
		want  string
		rules []Own
	}{
		{"email home secret ", nil},
		{"email address home secret ", []Own{{Kind: Address}}},
		{"home secret ", []Own{{Kind: Email, Off: true}}},
		{"secret ", []Own{{Kind: Email, Off: true}, {Kind: Home, Off: true}, {Kind: Secret, Off: true}}},
		{"email home secret secret ", []Own{{Name: "customer", Find: "acme"}}},
		{"email home secret ", []Own{{Name: "customer", Find: "acme", Off: true}}},
	} {
		if got := found(c.rules...); got != c.want {
			t.Errorf("%+v find %q, want %q", c.rules, got, c.want)
		}
	}
}

func TestRulesOfAPersonThatCantBeUsed(t *testing.T) {
	for _, o := range []Own{{}, {Name: "a"}, {Find: "a"}, {Name: "a", Find: "(", Expr: true}, {Name: "a", Find: "x*", Expr: true}, {Name: " ", Find: "a"}} {
		r, err := New()
		if err != nil {
			t.Fatal(err)
		}
		if o.Check() == nil || r.Own([]Own{o}) == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}

// No text that is let through holds words of a rule, whatever is around them.
func TestOwnWordsNeverPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.StringMatching(`[A-Za-z][A-Za-z .$^*+-]{1,20}[a-z]`).Draw(t, "words")
		r, err := New()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Own([]Own{{Name: "own", Find: words}}); err != nil {
			t.Fatal(err)
		}
		text := rapid.String().Draw(t, "before") + strings.ToUpper(words) + rapid.String().Draw(t, "after")
		if got, _ := redacted(r, text); strings.Contains(strings.ToLower(got), strings.ToLower(words)) && !strings.Contains("[redacted:own-1]", strings.ToLower(words)) {
			t.Errorf("%q in %q", words, got)
		}
	})
}
