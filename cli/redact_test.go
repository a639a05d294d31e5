package cli

import (
	"os"
	"strings"
	"testing"

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
		for _, form := range []string{"same", "csv", "html", "markdown", "json"} {
			args := []string{"export", in, "-f", form, "--redact", "--json", "-o", b.path("out." + form + string(rune('0'+i)))}
			for _, l := range c.let {
				args = append(args, "--let", l)
			}
			g := value[given](b.run(args...).ends(exitDone))
			want := c.want
			if form == "csv" && want != "A" {
				want = "" // it holds no texts, only names
			}
			if got := b.holds(g.Output); got != want {
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
			if form != "csv" && (len(g.Redacted) != 4 || let != len(c.let)) {
				t.Errorf("%s: %+v", form, g.Redacted)
			}
		}
	}
	b.run("export", in, "--let", "email", "-o", b.path("x")).ends(exitUsage, "--redact")
	out := b.run("export", in, "--redact", "--let", "email", "-o", b.path("y")).ends(exitDone).says("Taken out", "Let through", "[redacted:email-1]", "jane…").out
	if strings.Contains(out, "acme") {
		t.Error(out)
	}
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

	b.run("records", "export", "--redact", "-o", b.path("r.json")).ends(exitUsage, "proved by their hashes")
	for _, form := range []string{"csv", "markdown"} {
		e := value[recordsExported](b.run("records", "export", "-f", form, "--redact", "--let", "email-1", "--json", "-o", b.path("r."+form)).ends(exitDone))
		plain := b.run("records", "export", "-f", form, "-o", b.path("p."+form)).ends(exitDone)
		if got := b.holds(b.path("r." + form)); got != "A" || len(e.Redacted) < 3 || b.holds(b.path("p."+form)) == got {
			t.Errorf("%s: %q stands, %+v; %s", form, got, e.Redacted, plain.out)
		}
	}
}
