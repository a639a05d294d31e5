package cli

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript"
)

// An archive of an evaluation goes through the verbs: one of its samples is
// compacted and written as OpenAI Chat, and the record gives the archive back byte for byte.
func TestInspectArchiveThroughTheVerbs(t *testing.T) {
	b := newBench(t)
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for n := 1; n <= 3; n++ {
		f, err := w.Create(fmt.Sprintf("samples/%d_epoch_1.json", n))
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for i := range 30 {
			list = append(list, fmt.Sprintf(`{"id":"%d.%d","role":"%s","content":"message %d %s"}`, n, i, []string{"user", "assistant"}[i%2], i, strings.Repeat("with some words ", 12)))
		}
		if _, err := fmt.Fprintf(f, `{"id":%d,"epoch":1,"input":"","messages":[%s],"output":{}}`, n, strings.Join(list, ",")); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	in, out := b.path("in.eval"), b.path("out.json")
	if err := os.WriteFile(in, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	b.run("compact", in, "-o", out).ends(exitUsage, "--conversation")
	c := value[compacted](b.run("compact", in, "--conversation", "2", "--window", "4", "--min-gain", "0", "--no-keep-first-user", "--summary-budget", "300", "-o", out, "--json").ends(exitDone))
	if c.Outcome != model.Applied {
		t.Fatalf("%+v", c)
	}
	d, err := transcript.Open(t.Context(), out, transcript.Options{})
	if err != nil || d.Format != model.FormatOpenAI || len(d.Conversations) != 1 {
		t.Fatalf("%+v, %v", d, err)
	}
	if n := len(d.Conversations[0].Main().Messages); n >= 30 || n < 4 {
		t.Errorf("the sample has %d messages", n)
	}
	b.run("export", in, "-o", b.path("same.eval")).ends(exitDone)
	b.same(b.path("same.eval"), in)
	b.run("restore", *c.Record, "-o", b.path("back.eval")).ends(exitDone)
	b.same(b.path("back.eval"), in)
	b.run("export", *c.Record, "-f", "openai-chat", "-o", b.path("again.json")).ends(exitDone)
	b.same(b.path("again.json"), out)
}
