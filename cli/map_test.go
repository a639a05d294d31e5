package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"palimpsest/model"

	"palimpsest/model/store"
)

// A file that only a field map explains is compacted, checked by the same map,
// and given back from its record, which keeps the map.
func TestFieldMapThroughTheVerbs(t *testing.T) {
	b := newBench(t)
	var list []string
	for i := range 40 {
		who := []string{"kunde", "bot"}[i%2]
		list = append(list, fmt.Sprintf(`{"by":{"n":"%s"},"said":"message %d %s"}`, who, i, strings.Repeat("with some words ", 12)))
	}
	in, out := b.path("in.json"), b.path("out.json")
	text := `{"x":{"rows":[` + strings.Join(list, ",\n") + `]}}`
	if err := os.WriteFile(in, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const fields = "messages=$.x.rows,role=by.n,text=said"
	b.run("inspect", in, "--json").ends(exitFailed, "not a conversation")
	b.run("inspect", in, "--map", "role=x", "--json").ends(exitFailed, "field map")
	was := value[inspection](b.run("inspect", in, "--map", fields, "--json").ends(exitDone))
	if was.Format != model.FormatGeneric || was.Messages != 40 {
		t.Fatalf("%+v", was)
	}
	r := b.run("compact", in, "--map", fields, "--window", "4", "--min-gain", "0", "--no-keep-first-user", "--summary-budget", "300", "-o", out, "--json").ends(exitDone)
	c := value[compacted](r)
	if c.Outcome != model.Applied {
		t.Fatalf("%+v", c)
	}
	is := value[inspection](b.run("inspect", out, "--map", fields, "--json").ends(exitDone))
	if is.Messages >= was.Messages || is.Tokens.Count >= was.Tokens.Count {
		t.Errorf("%d messages, %d tokens", is.Messages, is.Tokens.Count)
	}
	b.run("restore", *c.Record, "-o", b.path("back")).ends(exitDone)
	b.same(b.path("back"), in)
	b.run("export", *c.Record, "-o", b.path("again")).ends(exitDone)
	b.same(b.path("again"), out)
}

// A file that no format claims is read by a guess: it can be looked at, and is
// neither compacted nor exported until somebody says that the guess is right.
func TestAGuessHasToBeConfirmed(t *testing.T) {
	b := newBench(t)
	var list []string
	for i := range 40 {
		list = append(list, fmt.Sprintf(`{"speaker":"%s","utterance":"message %d %s"}`, []string{"user", "bot"}[i%2], i, strings.Repeat("with some words ", 12)))
	}
	in, out := b.path("in.json"), b.path("out.json")
	if err := os.WriteFile(in, []byte(`{"log":[`+strings.Join(list, ",\n")+`]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if was := value[inspection](b.run("inspect", in, "--json").ends(exitDone)); was.Format != model.FormatGeneric || was.Messages != 40 {
		t.Fatalf("%+v", was)
	}
	policy := []string{"--window", "4", "--min-gain", "0", "--no-keep-first-user", "--summary-budget", "300"}
	b.run(append([]string{"compact", in, "-o", out}, policy...)...).ends(exitFailed, "--read-as generic")
	b.run("export", in, "-o", out, "--format", "markdown").ends(exitFailed, "--read-as generic")
	b.run("inspect", in, "--read-as", "no-such").ends(exitUsage, "no-such")
	b.run("inspect", in, "--read-as", "codex", "--map", "messages=$.log,role=speaker,text=utterance").ends(exitUsage, "--map")
	if _, err := os.Stat(out); err == nil {
		t.Fatal("something was written")
	}
	b.run("export", in, "-o", b.path("same.json")).ends(exitDone) // a copy needs no reading
	b.same(b.path("same.json"), in)
	b.run("export", in, "-o", out, "--format", "markdown", "--read-as", "generic").ends(exitDone)
	out = b.path("compacted.json")
	c := value[compacted](b.run(append([]string{"compact", in, "-o", out, "--read-as", "generic", "--json"}, policy...)...).ends(exitDone))
	if c.Outcome != model.Applied {
		t.Fatalf("%+v", c)
	}
	b.run("restore", *c.Record, "-o", b.path("back")).ends(exitDone)
	b.same(b.path("back"), in)
}

// A map that is kept is used by its name, and listed.
func TestFieldMapsByName(t *testing.T) {
	b := newBench(t)
	in := b.path("in.json")
	if err := os.WriteFile(in, []byte(`{"x":{"rows":[{"by":"me","said":"one"},{"by":"it","said":"two"}]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	const fields = "messages=$.x.rows,role=by,text=said"
	b.run("inspect", in, "--map", "@mine").ends(exitFailed, `no field map "mine"`)
	st := b.store()
	defer st.Close()
	if err := st.SaveFieldMap(t.Context(), store.FieldMap{Name: "mine", Map: fields}); err != nil {
		t.Fatal(err)
	}
	b.run("maps").ends(exitDone).says("mine", fields)
	list := value[[]store.FieldMap](b.run("maps", "--json").ends(exitDone))
	if len(list) != 1 || list[0] != (store.FieldMap{Name: "mine", Map: fields}) {
		t.Fatalf("%+v", list)
	}
	named := value[inspection](b.run("inspect", in, "--map", "@mine", "--json").ends(exitDone))
	if named.Messages != 2 || named.Format != model.FormatGeneric {
		t.Errorf("%+v", named)
	}
}
