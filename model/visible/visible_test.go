package visible

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestAControlIsShown(t *testing.T) {
	const text, want = "\xe6a\x1b[2J\x00\r\nover\rit\u202e\u009b\x7f 漢\tend\r\xe6\xbc", "\ufffda␛[2J␀\nover␍it\ufffd\ufffd␡ 漢\tend␍\ufffd"
	for size := 1; size < 6; size++ {
		var b strings.Builder
		v := To(&b)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if _, err := v.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := v.Close(); err != nil || b.String() != want {
			t.Errorf("in pieces of %d: %q, %v", size, b.String(), err)
		}
	}
}

// What joins an emoji or letters is part of them; behind anything else it hides something.
func TestJoinersStay(t *testing.T) {
	const emoji, word, hidden = "👩🏽\u200d💻 ❤️\u200d🔥", "می\u200cخواهم क्\u200dष", "a\u200cb\u200d\u200d1\u200c👩\u200d\u200d👩\u200c"
	if got := Text(emoji + word); got != emoji+word {
		t.Errorf("%q", got)
	}
	if got, want := Text(hidden), "a\ufffdb\ufffd\ufffd1\ufffd👩\u200d\ufffd👩\ufffd"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// JSON with such characters means the same.
func TestJSONSpellsWhatIsNotSeen(t *testing.T) {
	const text = "\x1b[2J \u009b \u202e \x7f \u2028 \ufeff \U000e0041 漢 \r\n"
	in, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	v := JSON(&b)
	if _, err := v.Write(in); err != nil || v.Close() != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back != text {
		t.Errorf("%q, %v", back, err)
	}
	for _, r := range b.String() {
		if !Is(r) {
			t.Errorf("%U is raw in %s", r, b.String())
		}
	}
}

// A spreadsheet takes a cell that begins like a formula for one.
func TestCell(t *testing.T) {
	for cell, want := range map[string]string{"=1+1": "'=1+1", "-x": "'-x", "read": "read", "": ""} {
		if got := Cell(cell); got != want {
			t.Errorf("%q becomes %q", cell, got)
		}
	}
}
