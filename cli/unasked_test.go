package cli

import (
	"path/filepath"
	"testing"

	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/internal/netcount"
	"palimpsest/model/store"
)

// Of all verbs, with a model set up, only compact by a strategy that asks one
// opens a connection.
func TestNoVerbAsksUnasked(t *testing.T) {
	netcount.Test(t, func(t *testing.T, connections func() int) {
		b := newBench(t)
		in := b.chat("a.json", 30)
		end := remote.Endpoint{BaseURL: netcount.Endpoint, Model: "good", Tries: 1}
		setUp := func() {
			st, err := store.Open(b.db)
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			if err := st.SetSetting(t.Context(), online.Setting, online.Provider{Endpoint: end, Window: 32000}); err != nil {
				t.Fatal(err)
			}
		}
		setUp()
		policy := []string{"--trigger", "20msgs", "--window", "6msgs"}
		for _, args := range [][]string{
			{"inspect", in}, {"preview", in}, {"preview", in, "--strategy", "model"}, {"preview", in, "--endpoint", netcount.Endpoint, "--model", "good"},
			{"replay", in, "--strategy", "model", "--texts"}, {"replay", in, "--strategy", "model+ledger", "--recall"},
			{"sweep", in, "--strategy", "model", "--texts", "--x", "trigger=50,80", "--y", "batch=0,8"},
			{"compact", in}, {"compact", in, "--strategy", "ledger", "-o", b.path("out.json"), "--redact"},
			{"records"}, {"records", "show", "1"}, {"records", "export", "-o", b.path("r.json")}, {"records", "import", b.path("r.json")}, {"records", "check"},
			{"restore", "1", "-o", b.path("back.json")}, {"reapply", "1", in, "-o", b.path("again.json")},
			{"export", in, "-f", "html", "-o", b.path("x.html")}, {"export", in, "--redact", "-o", b.path("x.json")}, {"export", "1", "-o", b.path("y.json")},
			{"conversations"}, {"presets"}, {"maps"}, {"formats"}, {"--version"}, {"--help"},
		} {
			verb := args[0]
			if verb == "preview" || verb == "replay" || verb == "compact" {
				args = append(args, policy...)
			}
			b.run(args...).ends(exitDone)
			if n := connections(); n != 0 {
				t.Fatalf("%q opened %d connections", args, n)
			}
		}
		for _, sample := range samples(t) {
			b.run("inspect", filepath.Clean(sample)).ends(exitDone)
		}
		if n := connections(); n != 0 {
			t.Fatalf("the samples opened %d connections", n)
		}
		b.run(append([]string{"compact", in, "--strategy", "model"}, policy...)...).ends(exitFailed, "Summarise: ") // reached or broken off: the proxy does not wait
		if connections() == 0 {
			t.Error("what was asked for did not come to the proxy: nothing was proved")
		}
	})
}
