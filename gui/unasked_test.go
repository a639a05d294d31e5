package gui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/gui/preferences"
	"palimpsest/internal/netcount"
	"palimpsest/model"
)

// With a model set up and a strategy that asks one, no command of the window
// opens a connection, whatever is shown: only Send and Test connection do.
func TestTheWindowAsksNothingUnasked(t *testing.T) {
	netcount.Test(t, func(t *testing.T, connections func() int) {
		var b strings.Builder
		for i := range 30 {
			fmt.Fprintf(&b, `{"role":"user","content":"Look at src/f%d.go."},{"role":"assistant","content":"%s"},`, i, strings.Repeat("It holds a package clause. ", 20))
		}
		path := filepath.Join(t.TempDir(), "talk.json")
		if err := os.WriteFile(path, []byte(`{"model":"gpt-4o","messages":[`+b.String()+`{"role":"user","content":"Bye."}]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		s := newStage(t, path)
		s.Desk.SetProvider(online.Provider{Endpoint: remote.Endpoint{BaseURL: netcount.Endpoint, Model: "good", Tries: 1}, Window: 32000})
		s.settle()
		quiet := func(what string) {
			t.Helper()
			if n := connections(); n != 0 {
				t.Fatalf("%s: %d connections", what, n)
			}
		}
		for _, st := range model.Strategies() {
			s.Desk.Planning.Set(func(p *model.Policy) { p.Strategy, p.Tail = st, model.Amount{N: 4, Unit: model.Messages} })
			s.settle()
			quiet("strategy " + string(st))
		}
		s.Desk.Planning.Set(func(p *model.Policy) { p.Strategy = model.ModelText })
		s.settle()
		ran := 0
		for i := range s.Commands.List {
			id := s.Commands.List[i].ID // a language or a text size builds the window anew
			if id == "quit" || id == "remove" || !s.Commands.Enabled(id) {
				continue
			}
			s.Commands.Run(id)
			s.settle()
			quiet(id)
			s.press("Escape")
			ran++
		}
		if ran < 40 {
			t.Errorf("only %d commands were run", ran)
		}
		preferences.ShowModels(s.Host).Test()
		s.settle()
		if connections() == 0 {
			t.Error("a test of the connection did not come to the proxy: nothing was proved")
		}
	})
}
