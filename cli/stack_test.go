package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// Records that were made in a window, one on top of the other: the verbs give
// back each state the history went through.
func TestRecordsOfAWindow(t *testing.T) {
	b := newBench(t)
	ctx := context.Background()
	path := b.chat("a.json", 40)
	st, err := store.Open(b.db)
	if err != nil {
		t.Fatal(err)
	}
	f, err := session.Open(ctx, path, session.Options{Store: st}, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Session(ctx, session.Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var states [][]byte // before each record
	keep := func() {
		var buf bytes.Buffer
		if _, err := s.Overlay().Export(&buf); err != nil {
			t.Fatal(err)
		}
		states = append(states, buf.Bytes())
	}
	p := compaction.Default()
	p.Batch = model.Amount{N: 40, Unit: model.Messages}
	p.Triggers = nil
	p.Tail = model.Amount{N: 10, Unit: model.Messages}
	p.Budget = model.Amount{N: 300, Unit: model.Tokens}
	for range 3 {
		keep()
		rec, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil)
		if err != nil || rec.Outcome != model.Applied {
			t.Fatalf("%+v %v", rec, err)
		}
	}
	keep()
	if _, err := s.Records.Restore(ctx, "R-0002"); err != nil { // R-0004 undoes R-0002 and R-0003
		t.Fatal(err)
	}
	f.Close()
	st.Close()

	for _, c := range []struct {
		args []string
		want []byte
	}{
		{[]string{"restore", "R-0003"}, states[0]},
		{[]string{"restore", "R-0001", "--state"}, states[0]},
		{[]string{"restore", "R-0002", "--state"}, states[1]},
		{[]string{"restore", "R-0003", "--state"}, states[2]},
		{[]string{"restore", "R-0004", "--state"}, states[3]},
		{[]string{"export", "R-0001"}, states[1]},
		{[]string{"export", "R-0002"}, states[2]},
		{[]string{"export", "R-0003"}, states[3]},
		{[]string{"export", "R-0004"}, states[1]},
	} {
		b.run(append(c.args, "-o", b.path("out"), "--force")...).ends(exitDone)
		if !bytes.Equal(b.read(b.path("out")), c.want) {
			t.Errorf("%q does not give the state", c.args)
		}
	}
	// A verb begins with the file, and its record is not put under a window.
	c := value[compacted](b.run("compact", path, "--window", "10", "--json").ends(exitDone))
	if c.Before.Messages != 161 || c.Continues != nil {
		t.Errorf("%+v", c)
	}
	if st, err = store.Open(b.db); err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if f, err = session.Open(ctx, path, session.Options{Store: st}, transcript.Options{}); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if s, err = f.Session(ctx, session.Ref{}, nil); err != nil {
		t.Fatal(err)
	}
	if stack := s.Stack(); len(stack) != 1 || stack[0].ID != "R-0001" {
		t.Errorf("the window finds %d records", len(stack))
	}
	b.run("records").ends(exitDone).says("R-0003", "switched off", "restored")
	b.run("records", "show", "3").ends(exitDone).says("covers in all")
	b.run("records", "show", "3", "--json").ends(exitDone).says(`"covers_in_all": {`)
	b.run("records", "show", "1", "--json").ends(exitDone).says(`"covers_in_all": null`)
	if out := b.run("records", "show", "1").ends(exitDone).out; strings.Contains(out, "covers in all") {
		t.Errorf("the first record covers nothing below it:\n%s", out)
	}
}
