package transcript

import (
	"testing"

	"palimpsest/model"
)

func TestCodexSamples(t *testing.T) {
	for _, s := range samples(t, "codex_rollout") {
		t.Run(s.File, func(t *testing.T) {
			d := openSample(t, s.Path)
			if d.Format != model.FormatCodex {
				t.Fatalf("recognised as %s: %s", d.Format, d.Why)
			}
			st := count(d)
			t.Log(st)
			if d.Items != s.Messages || st.Calls != s.Calls {
				t.Errorf("%d items and %d calls, the manifest says %d and %d", d.Items, st.Calls, s.Messages, s.Calls)
			}
			checkDocument(t, d)
			checkRewrites(t, d, 12)
		})
	}
}
