package kit

import (
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"
)

// A change of the look reads no fonts: Fyne would read them all anew, and each time keep
// those before.
func TestAChangeOfTheLookReadsNoFonts(t *testing.T) {
	a := test.NewTempApp(t)
	change := func(m Mode) {
		Use(a, m, 1)
		for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Monospace: true}} {
			fyne.MeasureText("tokens 压缩", 12, style)
		}
	}
	w := a.NewWindow("")
	w.SetContent(NewText("tokens 压缩", ColorText, 12))
	change(Dark)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 4 {
		change(Light)
		change(Dark)
	}
	runtime.ReadMemStats(&after)
	if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 4 { // a face has at least as much
		t.Errorf("8 changes of the look take %d MB", made)
	}
}

func TestLineHeightIsThatOfLatin(t *testing.T) {
	a := test.NewTempApp(t)
	Use(a, Dark, 1)
	for _, style := range []fyne.TextStyle{{}, {Bold: true}} {
		latin := fyne.MeasureText("Hxg", 13, style).Height
		mixed := fyne.MeasureText("会话 Hxg → 1", 13, style).Height
		if latin < 17.5 || latin > 18 || mixed != latin {
			t.Errorf("%v: %v and %v, want 17.7", style, latin, mixed)
		}
	}
}

func TestClean(t *testing.T) {
	test.NewTempApp(t)
	for in, want := range map[string]string{
		"":                                  "",
		"plain text":                        "plain text",
		"two\nlines\r\nand\tmore":           "two lines and more",
		"\x1b[31mred\x1b[0m":                "red",
		"\x1b]0;title\x07rest":              "⎋]0;title�rest",
		"\x1b]8;;http://x\x1b\\link\x1b(B.": "⎋]8;;http://x⎋\\link⎋(B.",
		"cut \x1b[ or \x1b[38;5":            "cut ⎋[ or ⎋[38;5",
		"\u009b31m, \x1b[2J":                "�31m, ⎋[2J",
		"\ufeffbegin, mid\ufeffdle":         "begin, mid�dle",
		"se\u200dcret\ufe0e\ufe0f":          "se�cret��",
		"family 👨\u200d👩, key 1\ufe0f":      "family 👨👩, key 1",
		"a\ufe01b\U000E0100":                "a�b�",
		"tags \U000E0041":                   "tags �",
		"bell\x07 and nul\x00":              "bell� and nul�",
		"glyph \ue0b0 \U000F0000":           "glyph � �",
		"会話 한국어 é — “q” → ✓":                "会話 한국어 é — “q” → ✓",
		"bad \xff\xfe bytes":                "bad �� bytes",
		"zero\u200bwidth\u202eflip":         "zero�width�flip",
		"flag \U0001F600\uFE0F":             "flag \U0001F600",
		"unassigned \u0378":                 "unassigned �",
	} {
		if got := Clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := cleanBlock("a\tb\n\tc\r\n12345\td"); got != "a   b\n    c\n12345   d" {
		t.Errorf("%q", got)
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"\x1b[31mred", "\x1b]0;t\x07", "会話\ue0b0", "\xff\t\r\n", "a\u200db"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		for _, r := range got {
			if r != placeholder && (unicode.IsControl(r) || unicode.Is(unicode.Co, r)) {
				t.Errorf("%q kept %U", s, r)
			}
		}
		if !utf8.ValidString(got) || Clean(got) != got {
			t.Errorf("%q: %q is not clean", s, got)
		}
	})
}

func TestEllipsizeFits(t *testing.T) {
	a := test.NewTempApp(t)
	Use(a, Dark, 1)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.SampledFrom([]rune("abcWi .会話é")), 0, 80, -1).Draw(t, "s")
		room := float32(rapid.IntRange(0, 400).Draw(t, "room"))
		got := Ellipsize(s, room, 13, fyne.TextStyle{})
		if w := width(got, 13, fyne.TextStyle{}); w > room+1.5 && got != "…" {
			t.Fatalf("%q is %v wide in %v", got, w, room)
		}
		if cut, ok := strings.CutSuffix(got, "…"); ok && !strings.HasPrefix(s, cut) {
			t.Fatalf("%q is no part of %q", got, s)
		}
	})
	long := strings.Repeat("x", 1<<20)
	if got := Ellipsize(long, 1e9, 13, fyne.TextStyle{}); len(got) > maxMeasured+10 {
		t.Errorf("%d characters of a long line", len(got))
	}
}

// What was found in a line is seen in however little room holds it.
func TestEllipsizeAroundAPlace(t *testing.T) {
	a := test.NewTempApp(t)
	Use(a, Dark, 1)
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, least int) string {
			return rapid.StringOfN(rapid.SampledFrom([]rune("abcWi .会話é")), least, 60, -1).Draw(t, name)
		}
		before, hit, after := draw("before", 0), draw("hit", 1), draw("after", 0)
		s, place := before+hit+after, [2]int{len(before), len(before) + len(hit)}
		room := float32(rapid.IntRange(0, 400).Draw(t, "room"))
		got := EllipsizeAround(s, place, room, 13, fyne.TextStyle{})
		if w := width(got, 13, fyne.TextStyle{}); w > room+1.5 && got != "…" {
			t.Fatalf("%q is %v wide in %v", got, w, room)
		}
		if width("……"+hit, 13, fyne.TextStyle{})*1.08 < room && !strings.Contains(got, hit) {
			t.Fatalf("%q is not in %q", hit, got)
		}
		if rest, cut := strings.CutPrefix(got, "…"); cut && !strings.Contains(s, strings.TrimSuffix(rest, "…")) {
			t.Fatalf("%q is no part of %q", got, s)
		}
		if width(s, 13, fyne.TextStyle{}) < room*.9 && got != s {
			t.Fatalf("%q was cut to %q", s, got)
		}
	})
}

// A line is not cut that fits when it is shaped, though its characters one by one
// would not.
func TestNoCutOfWhatFits(t *testing.T) {
	Use(test.NewTempApp(t), Dark, 1)
	for _, style := range []fyne.TextStyle{{}, {Bold: true}} {
		for _, text := range []string{"The originals of R-0001 are back. The restore is record R-0003.", "AVAVAV To Ty We, fi", "压缩记录 R-0003"} {
			room := fyne.MeasureText(text, FontPx(13), style).Width
			if got := Ellipsize(text, room, FontPx(13), style); got != text {
				t.Errorf("%q was cut to %q", text, got)
			}
			if got := Ellipsize(text, room*.8, FontPx(13), style); got == text || fyne.MeasureText(got, FontPx(13), style).Width > room*.8+1 {
				t.Errorf("%q does not fit: %q", text, got)
			}
		}
	}
}

// Words of several lines keep their lines; each is wrapped.
func TestLinesStayLines(t *testing.T) {
	test.NewTempApp(t)
	room := width("find a word ", 13, fyne.TextStyle{}) + 1
	if got := wrapWords("find a word or two\nEnter goes on", room, 13, 9); strings.Join(got, "|") != "find a word|or two|Enter goes|on" {
		t.Errorf("%q", got)
	}
}

// A number and its sign are on one line.
func TestANumberKeepsItsSign(t *testing.T) {
	test.NewTempApp(t)
	room := width("kept 89 ", 13, fyne.TextStyle{}) + 1
	got := wrapWords("kept 89 % of it", room, 13, 3)
	if len(got) < 2 || got[0] != "kept" || !strings.HasPrefix(got[1], "89 %") {
		t.Errorf("%q", got)
	}
}
