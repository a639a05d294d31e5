package body

import (
	"encoding/json"
	"strings"
	"testing"

	"palimpsest/model"

	"pgregory.net/rapid"
)

func editOf(t interface{ Fatal(...any) }, old, now string) *Doc {
	args, err := json.Marshal(map[string]string{"file_path": "a.txt", "old_string": old, "new_string": now})
	if err != nil {
		t.Fatal(err)
	}
	return Read([]model.Part{{Kind: model.PartCall, Name: "Edit", Text: string(args)}}, Options{})
}

func sidesPaper(width float32) Paper {
	return Paper{Width: width, Pitch: 20, Sides: true, Letter: func(Face, rune) float32 { return 8 }}
}

// What changed within a line is marked, by words; of lines that have little in common
// nothing is.
func TestChangesWithinLines(t *testing.T) {
	changed := func(old, now string) (out []string) {
		d := editOf(t, old, now)
		for _, b := range d.Blocks {
			for _, s := range b.Spans {
				if s.Changed {
					out = append(out, b.Text[s.From:s.To])
				}
			}
		}
		return out
	}
	for _, c := range []struct{ old, now, want string }{
		{"return one + two", "return one + three", "two three"},
		{"call(a, b)", "call(a, b, c)", ", c"},
		{"same\nlimit := 10", "same\nlimit := 20", "10 20"},
		{"for i := range alike { use(some) }", "for i := range alike { use(other words) }", "some other words"},
		{"all of it", "nothing left", ""},
		{"same", "same", ""},
		{"长的一行文字", "长的两行文字", "一 两"},
	} {
		if got := strings.ReplaceAll(strings.Join(changed(c.old, c.now), " "), ",  c", ", c"); got != c.want {
			t.Errorf("%q → %q: %q, want %q", c.old, c.now, got, c.want)
		}
	}
}

// Side by side every line is there: those that went on the left, those that came on the
// right, what stayed on both; and every place is in the row that shows it.
func TestEditsSideBySide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringOfN(rapid.SampledFrom([]rune("ab (")), 0, 60, -1)
		text := func(name string) string { return strings.Join(rapid.SliceOfN(line, 1, 12).Draw(t, name), "\n") }
		old, now := text("old"), text("new")
		d := editOf(t, old, now)
		width := rapid.Float32Range(100, 1200).Draw(t, "width")
		l := d.Lay(sidesPaper(width))
		var left, right strings.Builder
		lines := map[bool]int32{false: -1, true: -1}
		for i, r := range l.Rows {
			if r.Cells == 0 {
				if d.Blocks[r.Block].Kind == Diff && r.Kind == RowText && width > 500 {
					t.Fatalf("row %d is not side by side", i)
				}
				continue
			}
			b := &d.Blocks[r.Block]
			for _, c := range l.Cells[r.Cells-1] {
				out := &left
				if c.Right {
					out = &right
				}
				if lines[c.Right] != c.Line {
					lines[c.Right] = c.Line
					out.WriteByte('\n')
				}
				out.WriteString(strings.ReplaceAll(b.Text[c.From:c.To], " ", ""))
				if c.X+c.Width > width+1 {
					t.Fatalf("a cell ends at %g of %g", c.X+c.Width, width)
				}
				if c.From < c.To {
					at := Place{Block: int(r.Block), At: int(c.From)}
					if got := l.RowOf(at); got != i && l.Rows[got].Line != r.Line {
						t.Fatalf("place %v is in row %d, shown in %d", at, got, i)
					}
				}
			}
		}
		if left.Len() == 0 {
			return
		}
		plain := func(s string) string {
			if s == "" {
				return "" // it has no line
			}
			return "\n" + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), " ", "")
		}
		if got := left.String(); got != plain(old) {
			t.Fatalf("left %q, want %q", got, plain(old))
		}
		if got := right.String(); got != plain(now) {
			t.Fatalf("right %q, want %q", got, plain(now))
		}
	})
}
