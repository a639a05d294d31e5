package transcript

import (
	"io"
	"path/filepath"
	"reflect"
	"testing"

	"palimpsest/model"
)

// A reader that borrows texts gives the same parts, in any order of the messages.
func TestPartsReaderGivesTheSameParts(t *testing.T) {
	own, err := filepath.Glob("testdata/*.json*")
	if err != nil || len(own) == 0 {
		t.Fatal(err)
	}
	for _, path := range own {
		readsTheSame(t, openSample(t, path))
	}
	odd := `{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[` +
		`{"type":"text","text":""},{"type":"text","text":"a\n\u00e4"},{"type":"image"},{"type":"text","text":"` + "\xff\xfe" + ` b"}]},{"type":"text","text":"\ud800 lone"},{"type":"text","text":"plain"}]}}`
	readsTheSame(t, mustRead(t, odd+"\n"))
	t.Run("real", func(t *testing.T) {
		for _, s := range fewer(samples(t)) {
			if s.Messages > 0 {
				readsTheSame(t, openSample(t, s.Path))
			}
		}
	})
}

// readsTheSame reads the messages of a document both ways, back and forth.
func readsTheSame(t *testing.T, d *model.Document) {
	t.Helper()
	if c, ok := d.Source.(io.Closer); ok {
		defer c.Close()
	}
	r := NewPartsReader(d)
	for _, c := range d.Conversations {
		for _, th := range c.Threads {
			for i := range th.Messages {
				if i%7 == 3 {
					i = len(th.Messages) - i
				}
				m := &th.Messages[i]
				want, err := d.Parts(m)
				got, gotErr := r.Parts(m)
				if (err == nil) != (gotErr == nil) || !reflect.DeepEqual(got, want) {
					t.Fatalf("%s message %d: %v, %v; want %v, %v", d.Path, i, got, gotErr, want, err)
				}
			}
		}
	}
}
