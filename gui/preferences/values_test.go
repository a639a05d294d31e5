package preferences

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"palimpsest/compaction/summarize/remote"
	"palimpsest/gui/kit"
)

// Numbers are written as they are typed; none is an empty field.
func TestNumbersInFields(t *testing.T) {
	for v, want := range map[float64]string{0: "", -1: "", 3: "3", .25: "0.25", 1e6: "1000000"} {
		if got := numberText(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{1: "1.00", 1.2: "1.20", 1.18: "1.18", 1.1875: "1.1875"} {
		if got := factorText(v); got != want {
			t.Errorf("the factor %v is %q, want %q", v, got, want)
		}
	}
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	for text, want := range map[string]float64{"": 0, " 1,25 ": 1.25, "3": 3} {
		f := kit.NewTextField("", nil)
		f.SetText(text)
		if v, ok := amountIn(f); !ok || v != want {
			t.Errorf("%q is %v, %v", text, v, ok)
		}
	}
	for _, text := range []string{"x", "-1", "1e12", "1.2.3", "NaN"} {
		f := kit.NewTextField("", nil)
		f.SetText(text)
		if v, ok := amountIn(f); ok {
			t.Errorf("%q is taken for %v", text, v)
		}
	}
}

// An address is found among the known servers; a key belongs to a server, not to one of its
// addresses.
func TestServers(t *testing.T) {
	list := remote.Presets()
	for i, k := range list {
		if got := knownServer(k.Endpoint.BaseURL); got != i+1 && k.Endpoint.BaseURL != "" {
			t.Errorf("%s is number %d, want %d", k.Endpoint.BaseURL, got, i+1)
		}
	}
	if knownServer("") != 0 || knownServer("http://localhost:1/v1") != len(list)+1 {
		t.Errorf("no address is %d, another %d", knownServer(""), knownServer("http://localhost:1/v1"))
	}
	if a, b := account("https://models.example/v1"), account("https://models.example/v2"); a != b || a == account("https://other.example/v1") {
		t.Errorf("the keys are of %q and %q", a, b)
	}
	if orElse(0, time.Second) != time.Second || orElse(time.Minute, time.Second) != time.Minute {
		t.Error("a time that is not set is not the usual one")
	}
}

// An answer is shown by its beginning, on one line.
func TestFirstWords(t *testing.T) {
	if got := firstWords(" a\n b\t c "); got != "a b c" {
		t.Errorf("%q", got)
	}
	if got := []rune(firstWords(strings.Repeat("对", 80))); len(got) != 61 || got[60] != '…' {
		t.Errorf("%d characters", len(got))
	}
}
