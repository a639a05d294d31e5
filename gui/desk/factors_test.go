package desk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/tokens"
)

// A factor that is set weighs open histories again with their parameters, selection
// and records, and is known again in the next window; while a text that was
// written by hand waits, the history stays as it is.
func TestAFactorThatIsSet(t *testing.T) {
	st, err := store.Open(filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, `{"role":"user","content":"Look at src/f%d.go."},{"role":"assistant","content":"%s"},`, i, strings.Repeat("It holds a package clause. ", 20))
	}
	path := filepath.Join(t.TempDir(), "talk.json")
	if err := os.WriteFile(path, []byte(`{"model":"glm-4.6","messages":[`+b.String()+`{"role":"user","content":"Bye."}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	open := func() *window {
		q := sched.NewQueue()
		w := &window{New(q.Dispatch, st), q, map[Topic]int{}}
		t.Cleanup(w.Close)
		w.Add(path)
		w.settle()
		return w
	}
	w := open()
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 6, Unit: model.Messages} })
	w.settle()
	w.CompactNow()
	w.settle()
	before := w.Session()
	if len(before.Stack()) != 1 {
		t.Fatalf("%d records stand: %v", len(before.Stack()), w.Notices())
	}
	x, err := w.Factors().With("glm", 2.06)
	if err != nil {
		t.Fatal(err)
	}
	w.SetFactors(x)
	w.settle()
	now := w.Session()
	if now.Counter().Factor() != 2.06 || now.Counter().Why() != tokens.ByHand || len(now.Stack()) != 1 || w.Planning.Params().Tail.N != 6 {
		t.Errorf("%s, %d records, tail %d", now.Counter().Name(), len(now.Stack()), w.Planning.Params().Tail.N)
	}
	if was, is := before.Tokens(1), now.Tokens(1); is < 2*was-1 || is > 2*was+1 {
		t.Errorf("%d tokens became %d", was, is)
	}
	if other, err := x.With("Qwen", 1.5); err != nil {
		t.Fatal(err)
	} else if w.SetFactors(other); w.Session() != now {
		t.Error("a history of another family was weighed anew")
	}
	w.settle()
	if again := open(); again.Session().Counter().Factor() != 2.06 || again.Factors()["Qwen"] != 1.5 {
		t.Errorf("the next window: %s, %v", again.Session().Counter().Name(), again.Factors())
	}
}
