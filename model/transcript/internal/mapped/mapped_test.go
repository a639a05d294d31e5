package mapped

import (
	"testing"

	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// Each file of rules is a format with a name, a title and a way to recognise it, all different;
// and what has none of its signs is not taken for it.
func TestEveryFileOfRulesIsAFormat(t *testing.T) {
	v, err := jspan.Parse([]byte(`{"nothing":["that",{"any":"program"},"writes"]}`), 0)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, f := range Shipped() {
		info := f.Info()
		for _, name := range []string{string(info.Format), info.Title, info.How} {
			if name == "" || seen[name] {
				t.Errorf("%s: %q is empty, or another format's too", info.Format, name)
			}
			seen[name] = true
		}
		if score, why := f.Recognise(&codec.Sniff{Whole: v, Lines: []jspan.Value{v}}); score > 0 {
			t.Errorf("%s takes what is nobody's: %d, %s", info.Format, score, why)
		}
	}
	if len(Shipped()) < 60 {
		t.Errorf("there are %d formats of rules", len(Shipped()))
	}
}
