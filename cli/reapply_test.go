package cli

import (
	"bytes"
	"os"
	"testing"
)

// A record is applied again on its file, on the grown file and on one that was
// edited elsewhere; where the messages it covers changed it is refused and
// nothing is written.
func TestReapply(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 12)
	b.run("compact", f, "--window", "10", "-o", b.path("out")).ends(exitDone)
	want, err := os.ReadFile(b.path("out"))
	if err != nil {
		t.Fatal(err)
	}
	got := value[reapplied](b.run("reapply", "1", f, "-o", b.path("again"), "--json").ends(exitDone))
	have, err := os.ReadFile(b.path("again"))
	if err != nil || len(got.Records) != 1 || got.Records[0] != "R-0002" || got.Of[0] != "R-0001" || got.After.Tokens >= got.Before.Tokens {
		t.Errorf("%+v, %v", got, err)
	}
	if !bytes.Equal(have, want) {
		t.Errorf("applied again it leaves another file: %d bytes, %d", len(have), len(want))
	}
	b.run("reapply", "1", f, "-o", b.path("again")).ends(exitFailed, "exists already")
	b.run("records").ends(exitDone).says("R-0002")

	source, err := os.ReadFile(f)
	if err != nil {
		t.Fatal(err)
	}
	tail := bytes.LastIndex(source, []byte(`]`))
	grown := append(append(bytes.Clone(source[:tail]), `,{"role":"user","content":"And now the next one, please."}`...), source[tail:]...)
	b.run("reapply", "1", b.write("grown.json", grown), "-o", b.path("grown.out")).ends(exitDone).says("R-0001 applied again as R-0003")
	b.run("inspect", b.path("grown.out")).ends(exitDone)

	edited := bytes.Replace(source, []byte("Answer 2. "), []byte("Answer 2! "), 1)
	if bytes.Equal(edited, source) {
		t.Fatal("the covered words are not in the file")
	}
	b.run("reapply", "1", b.write("edited.json", edited), "-o", b.path("edited.out")).ends(exitFailed, "have changed", "SHA-256")
	b.missing(b.path("edited.out"))
	b.run("reapply", "9", f, "-o", b.path("none")).ends(exitFailed, `"9"`)
}
