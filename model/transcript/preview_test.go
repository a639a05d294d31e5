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

// The quick way to read a time takes what it takes for what the library does.
func TestUTCMillis(t *testing.T) {
	if ms, ok := codec.UTCMillis([]byte("2026-01-05T09:00:01.250Z")); !ok || ms != time.Date(2026, 1, 5, 9, 0, 1, 250e6, time.UTC).UnixMilli() {
		t.Fatalf("%d, %v", ms, ok)
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9](\.[0-9]{0,10})?[Zz0]`).Draw(t, "time")
		if rapid.Bool().Draw(t, "odd") {
			at := rapid.IntRange(0, len(s)-1).Draw(t, "at")
			s = s[:at] + rapid.String().Draw(t, "noise") + s[at+1:]
		}
		ms, ok := codec.UTCMillis([]byte(s))
		if !ok {
			return
		}
		if want, err := time.Parse(time.RFC3339Nano, s); err != nil || want.UnixMilli() != ms {
			t.Fatalf("%s is %d; the library has %v, %v", s, ms, want, err)
		}
	})
}
