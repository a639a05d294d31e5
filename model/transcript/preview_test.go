package transcript

import (
	"encoding/json"
	"pgregory.net/rapid"
	"strings"
	"testing"
	"time"

	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// The preview of a value is that of its text, however it is spelled, and what was
// kept before stays as it is.
func TestPreviewOfValue(t *testing.T) {
	b := &codec.Builder{}
	word := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z ]{0,300}`), rapid.StringMatching(`\s{0,900}`), rapid.StringMatching(`[漢字😀é\n]{0,200}`))
	var kept, want []string
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(word, 0, 4).Draw(t, "text"), "")
		spelled, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "ascii") {
			spelled = jspan.AppendQuote(nil, text, true)
		}
		v, err := jspan.Parse(spelled, 0)
		if err != nil {
			t.Fatal(err)
		}
		got := b.Preview(v)
		if w := codec.Preview(v.Text()); got != w {
			t.Fatalf("%q shows as %q, want %q", text, got, w)
		}
		kept, want = append(kept, got), append(want, strings.Clone(got))
	})
	for i := range kept {
		if kept[i] != want[i] {
			t.Fatalf("what was kept as %q became %q", want[i], kept[i])
		}
	}
}

// A time is read as the library reads it.
func TestMillis(t *testing.T) {
	millis := func(text string) int64 {
		quoted, _ := json.Marshal(text)
		v, err := jspan.Parse(quoted, 0)
		if err != nil {
			t.Fatal(err)
		}
		return codec.Millis(v)
	}
	if ms := millis("2026-01-05T09:00:01.250Z"); ms != time.Date(2026, 1, 5, 9, 0, 1, 250e6, time.UTC).UnixMilli() {
		t.Fatal(ms)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9](\.[0-9]{1,9})?(Z|[+-]0[0-9]:30)`).Draw(t, "time")
		want, err := time.Parse(time.RFC3339Nano, s)
		if err == nil && want.UnixMilli() != millis(s) {
			t.Fatalf("%s is %d; the library has %v", s, millis(s), want)
		}
	})
}
