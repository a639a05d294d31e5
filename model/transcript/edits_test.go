package transcript

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// lineDoc is a JSON Lines document without a format.
func lineDoc(t testing.TB, text string) *model.Document {
	t.Helper()
	d := &model.Document{Source: strings.NewReader(text), Size: int64(len(text))}
	d.Style.BOM = strings.HasPrefix(text, "\xef\xbb\xbf")
	d.Style = sniffStyle(d, &codec.Sniff{JSONLines: true})
	b := &codec.Builder{Doc: d}
	if err := b.Lines(context.Background(), func(jspan.Value) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return d
}

// lineAt is the piece of the n-th line that is not blank.
func lineAt(d *model.Document, n int) model.Piece {
	for _, s := range d.Segments {
		if n == 0 {
			return model.Piece{Span: s.Span, Array: -1}
		}
		n--
	}
	panic("no such line")
}

// arrayDoc is one JSON value whose arrays named items and content are cut:
// content belongs to the element of items that holds it.
func arrayDoc(t testing.TB, text string) *model.Document {
	t.Helper()
	d := &model.Document{Source: strings.NewReader(text), Size: int64(len(text)), SHA256: sha256.Sum256([]byte(text))}
	v, err := jspan.Parse([]byte(text), 0)
	if err != nil {
		t.Fatal(err)
	}
	d.Style = sniffStyle(d, &codec.Sniff{})
	b := &codec.Builder{Doc: d, Whole: v}
	items := v
	if v.Kind == jspan.Object {
		items = v.Get("items")
	}
	top := b.Array(items, model.Piece{})
	items.Items(func(i int, e jspan.Value) bool {
		if c := e.Get("content"); c.Kind == jspan.Array {
			b.Array(c, b.Elem(top, i))
		}
		return true
	})
	b.Cut()
	return d
}

func elemAt(d *model.Document, array, i int) model.Piece {
	return model.Piece{Span: d.Arrays[array].Elems[i], Array: int32(array)}
}

func TestLineEdits(t *testing.T) {
	tests := []struct {
		name, source string
		edit         func(d *model.Document, e *edit.Edits)
		want         string
	}{
		{"nothing", "{}\n{}\n", func(*model.Document, *edit.Edits) {}, "{}\n{}\n"},
		{"first", "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n", drops(0), "{\"a\":2}\n{\"a\":3}\n"},
		{"middle", "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n", drops(1), "{\"a\":1}\n{\"a\":3}\n"},
		{"last", "{\"a\":1}\n{\"a\":2}\n", drops(1), "{\"a\":1}\n"},
		{"last of ragged", "{\"a\":1}\n{\"a\":2}", drops(1), "{\"a\":1}"},
		{"last two of ragged", "{\"a\":1}\n{\"a\":2}\n{\"a\":3}", drops(1, 2), "{\"a\":1}"},
		{"all", "{\"a\":1}\n{\"a\":2}\n", drops(0, 1), ""},
		{"all of ragged", "{\"a\":1}\n{\"a\":2}", drops(0, 1), ""},
		{"CRLF", "{\"a\":1}\r\n{\"a\":2}\r\n{\"a\":3}\r\n", drops(1), "{\"a\":1}\r\n{\"a\":3}\r\n"},
		{"CRLF ragged", "{\"a\":1}\r\n{\"a\":2}", drops(1), "{\"a\":1}"},
		{"BOM stays", "\xef\xbb\xbf{\"a\":1}\n{\"a\":2}\n", drops(0), "\xef\xbb\xbf{\"a\":2}\n"},
		{"BOM and all of ragged", "\xef\xbb\xbf{\"a\":1}", drops(0), "\xef\xbb\xbf"},
		{"blank lines stay", "{\"a\":1}\n\n{\"a\":2}\n\n{\"a\":3}\n", drops(1), "{\"a\":1}\n\n\n{\"a\":3}\n"},
		{"bad lines stay", "oops\n{\"a\":2}\n[1]\n", drops(1), "oops\n[1]\n"},
		{"insert at the head", "{\"a\":1}\n", puts(0, false, "N"), "N\n{\"a\":1}\n"},
		{"insert behind the BOM", "\xef\xbb\xbf{\"a\":1}\r\n", puts(0, false, "N"), "\xef\xbb\xbfN\r\n{\"a\":1}\r\n"},
		{"insert at the end", "{\"a\":1}\n", puts(0, true, "N"), "{\"a\":1}\nN\n"},
		{"insert at a ragged end", "{\"a\":1}\r\n{\"a\":2}", puts(1, true, "N"), "{\"a\":1}\r\n{\"a\":2}\r\nN"},
		{"two in order", "{\"a\":1}\n", both(puts(0, true, "N"), puts(0, true, "M")), "{\"a\":1}\nN\nM\n"},
		{"in place of one", "{\"a\":1}\n{\"a\":2}\n", both(drops(0), puts(0, false, "N")), "N\n{\"a\":2}\n"},
		{"behind a dropped one", "{\"a\":1}\n{\"a\":2}\n", both(drops(0), puts(0, true, "N")), "N\n{\"a\":2}\n"},
		{"in place of the ragged last", "{\"a\":1}\n{\"a\":2}", both(drops(1), puts(1, false, "N")), "{\"a\":1}\nN"},
		{"in place of all", "{\"a\":1}\n{\"a\":2}", both(drops(0, 1), puts(0, false, "N")), "N"},
		{"replace inside", "{\"a\":1}\n{\"a\":2}\n", func(d *model.Document, e *edit.Edits) {
			e.Replace(model.Span{Off: lineAt(d, 1).Off + 5, Len: 1}, []byte("null"))
		}, "{\"a\":1}\n{\"a\":null}\n"},
		{"replace inside a dropped one", "{\"a\":1}\n{\"a\":2}\n", func(d *model.Document, e *edit.Edits) {
			e.Replace(model.Span{Off: lineAt(d, 1).Off + 5, Len: 1}, []byte("null"))
			e.Drop(lineAt(d, 1))
		}, "{\"a\":1}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := lineDoc(t, tt.source)
			checkCover(t, d)
			e := edit.NewEdits(d)
			tt.edit(d, e)
			for range 2 { // may be written any number of times
				if got := string(written(t, e)); got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			}
		})
	}
}

type editFunc func(d *model.Document, e *edit.Edits)

func drops(lines ...int) editFunc {
	return func(d *model.Document, e *edit.Edits) {
		for _, n := range lines {
			e.Drop(lineAt(d, n))
		}
	}
}

func puts(line int, behind bool, text string) editFunc {
	return func(d *model.Document, e *edit.Edits) { e.Insert(lineAt(d, line), behind, []byte(text)) }
}

func both(edits ...editFunc) editFunc {
	return func(d *model.Document, e *edit.Edits) {
		for _, f := range edits {
			f(d, e)
		}
	}
}

func TestArrayEdits(t *testing.T) {
	elems := func(array int, gone ...int) editFunc {
		return func(d *model.Document, e *edit.Edits) {
			for _, i := range gone {
				e.Drop(elemAt(d, array, i))
			}
		}
	}
	put := func(array, i int, behind bool, text string) editFunc {
		return func(d *model.Document, e *edit.Edits) { e.Insert(elemAt(d, array, i), behind, []byte(text)) }
	}
	pretty := "{\n  \"items\": [\n    {\n      \"a\": 1\n    },\n    2,\n    3\n  ],\n  \"b\": 1\n}\n"
	nested := `[{"content":[1,2]},{"content":[3]},4]`
	tests := []struct {
		name, source string
		edit         editFunc
		want         string
	}{
		{"first", `[1, 2, 3]`, elems(0, 0), `[2, 3]`},
		{"middle", `[1, 2, 3]`, elems(0, 1), `[1, 3]`},
		{"last", `[1, 2, 3]`, elems(0, 2), `[1, 2]`},
		{"first two", `[1, 2, 3]`, elems(0, 0, 1), `[3]`},
		{"all", `[1,2]`, elems(0, 0, 1), `[]`},
		{"head", `[1,2]`, put(0, 0, false, "N"), `[N,1,2]`},
		{"middle put", `[1,2]`, put(0, 0, true, "N"), `[1,N,2]`},
		{"end", `[1,2]`, put(0, 1, true, "N"), `[1,2,N]`},
		{"in place of the first", `[1,2]`, both(elems(0, 0), put(0, 0, false, "N")), `[N,2]`},
		{"in place of the last", `[1,2]`, both(elems(0, 1), put(0, 1, false, "N")), `[1,N]`},
		{"in place of all", `[1,2]`, both(elems(0, 0, 1), put(0, 0, false, "N")), `[N]`},
		{"behind the only one", `[1]`, put(0, 0, true, "N"), `[1,N]`},
		{"pretty drop", pretty, elems(0, 1), strings.Replace(pretty, "    2,\n", "", 1)},
		{"pretty first", pretty, elems(0, 0), strings.Replace(pretty, "    {\n      \"a\": 1\n    },\n", "", 1)},
		{"pretty put", pretty, put(0, 0, true, "N"), strings.Replace(pretty, "    2,", "    N,\n    2,", 1)},
		{"pretty only one", "[\n\t1\n]", put(0, 0, true, "N"), "[\n\t1,\n\tN\n]"},
		{"pretty CRLF", "[\r\n 1,\r\n 2\r\n]", elems(0, 0), "[\r\n 2\r\n]"},
		{"nested one of two", nested, elems(1, 0), `[{"content":[2]},{"content":[3]},4]`},
		{"nested all: the holder goes", nested, elems(1, 0, 1), `[{"content":[3]},4]`},
		{"nested only one", nested, elems(2, 0), `[{"content":[1,2]},4]`},
		{"nested all, but one comes", nested, both(elems(1, 0, 1), put(1, 1, true, "N")), `[{"content":[N]},{"content":[3]},4]`},
		{"holder and inside", nested, both(elems(0, 0), elems(1, 0)), `[{"content":[3]},4]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := arrayDoc(t, tt.source)
			checkCover(t, d)
			e := edit.NewEdits(d)
			tt.edit(d, e)
			for range 2 {
				if got := string(written(t, e)); got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			}
		})
	}
}

func TestDroppedFollowsHolders(t *testing.T) {
	d := arrayDoc(t, `[{"content":[1,2]},{"content":[3]}]`)
	e := edit.NewEdits(d)
	e.Drop(elemAt(d, 1, 0))
	if e.Dropped(elemAt(d, 1, 1)) || e.Dropped(elemAt(d, 0, 0)) || !e.Dropped(elemAt(d, 1, 0)) {
		t.Error("one of two is gone, and only that one")
	}
	e.Drop(elemAt(d, 1, 1))
	for range 2 {
		if !e.Dropped(elemAt(d, 1, 1)) || e.Dropped(elemAt(d, 2, 0)) {
			t.Error("both are gone, their neighbour is not")
		}
		if written(t, e); !e.Dropped(elemAt(d, 0, 0)) {
			t.Error("the holder is gone when it is written")
		}
	}
}

func TestWriteNoticesAChangedSource(t *testing.T) {
	for name, source := range map[string]string{"same length": `[1,9]`, "shorter": `[1,`} {
		d := arrayDoc(t, `[1,2]`)
		d.Source = strings.NewReader(source)
		var p *model.Problem
		if err := edit.Copy(&bytes.Buffer{}, d); !errors.As(err, &p) || p.Code != "source-changed" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLineEditsAgainstModel compares random edits with a list of lines.
func TestLineEditsAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		n := rapid.IntRange(1, 8).Draw(t, "lines")
		var lines []string
		for i := range n {
			lines = append(lines, rapid.SampledFrom([]string{`{"n":%d}`, ` {"n":%d} `, `bad %d`, `{"cut":%d`}).Draw(t, "line"))
			lines[i] = fmt.Sprintf(lines[i], i)
		}
		blank := strings.Repeat(eol, rapid.IntRange(1, 2).Draw(t, "blank"))
		source := strings.Join(lines, blank)
		if rapid.Bool().Draw(t, "bom") {
			source = "\xef\xbb\xbf" + source
		}
		closed := rapid.Bool().Draw(t, "closed")
		if closed {
			source += eol
		}
		if !strings.Contains(source, eol) {
			eol = "\n"
		}
		d := &model.Document{Source: strings.NewReader(source), Size: int64(len(source))}
		d.Style.BOM = strings.HasPrefix(source, "\xef\xbb\xbf")
		d.Style = sniffStyle(d, &codec.Sniff{JSONLines: true})
		b := &codec.Builder{Doc: d}
		if err := b.Lines(context.Background(), func(jspan.Value) error { return nil }); err != nil {
			t.Fatal(err)
		}
		e := edit.NewEdits(d)
		before, behind, gone := make([][]string, n), make([][]string, n), make([]bool, n)
		for i := range n {
			gone[i] = rapid.Bool().Draw(t, "drop")
			if gone[i] {
				e.Drop(lineAt(d, i))
			}
		}
		for k := range rapid.IntRange(0, 3).Draw(t, "inserts") {
			i, end := rapid.IntRange(0, n-1).Draw(t, "at"), rapid.Bool().Draw(t, "behind")
			text := fmt.Sprintf(`{"new":%d}`, k)
			e.Insert(lineAt(d, i), end, []byte(text))
			if end && !gone[i] {
				behind[i] = append(behind[i], text)
			} else {
				before[i] = append(before[i], text)
			}
		}
		var want []string
		for i := range n {
			want = append(want, before[i]...)
			if !gone[i] {
				want = append(want, strings.TrimSpace(lines[i]))
			}
			want = append(want, behind[i]...)
		}
		var out bytes.Buffer
		if err := e.Write(&out); err != nil {
			t.Fatal(err)
		}
		got := out.String()
		var have []string
		for _, l := range strings.Split(strings.TrimPrefix(got, "\xef\xbb\xbf"), "\n") {
			if l = strings.TrimSpace(l); l != "" {
				have = append(have, l)
			}
		}
		if !reflect.DeepEqual(have, want) {
			t.Fatalf("%q became %q, want %q", source, have, want)
		}
		if len(want) > 0 && strings.HasSuffix(strings.TrimRight(got, " "), "\n") != closed {
			t.Fatalf("%q became %q: the final newline", source, got)
		}
		if d.Style.BOM != strings.HasPrefix(got, "\xef\xbb\xbf") {
			t.Fatal("the byte order mark")
		}
		if eol == "\r\n" && strings.Count(got, "\n") != strings.Count(got, "\r\n") {
			t.Fatalf("%q became %q: line ends", source, got)
		}
	})
}

// TestArrayEditsAgainstModel compares random edits of nested arrays with the
// same edits of the decoded values.
func TestArrayEditsAgainstModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		type row struct {
			ID      int   `json:"id"`
			Content []any `json:"content"`
		}
		next := 0
		fresh := func() int { next++; return next }
		rows := make([]row, rapid.IntRange(0, 5).Draw(rt, "rows"))
		for i := range rows {
			rows[i] = row{ID: fresh(), Content: []any{}}
			for range rapid.IntRange(0, 3).Draw(rt, "content") {
				rows[i].Content = append(rows[i].Content, fresh())
			}
		}
		source, err := json.Marshal(map[string]any{"items": rows, "z": 1})
		if rapid.Bool().Draw(rt, "pretty") {
			source, err = json.MarshalIndent(map[string]any{"items": rows, "z": 1}, "", "\t")
		}
		if err != nil {
			rt.Fatal(err)
		}
		d := arrayDoc(t, string(source))
		e := edit.NewEdits(d)
		want := []any{}
		insert := func(array, i int, behind bool) any {
			v := fresh()
			e.Insert(elemAt(d, array, i), behind, []byte(fmt.Sprint(v)))
			return float64(v)
		}
		for i, r := range rows {
			in := []any{}
			for k, v := range r.Content {
				if rapid.IntRange(0, 5).Draw(rt, "put inside") == 0 {
					in = append(in, insert(i+1, k, false))
				}
				if rapid.Bool().Draw(rt, "drop inside") {
					e.Drop(elemAt(d, i+1, k))
				} else {
					in = append(in, float64(v.(int)))
				}
			}
			if rapid.IntRange(0, 4).Draw(rt, "put before") == 0 {
				want = append(want, insert(0, i, false))
			}
			if rapid.IntRange(0, 3).Draw(rt, "drop") == 0 {
				e.Drop(elemAt(d, 0, i))
			} else if len(in) > 0 || len(r.Content) == 0 {
				want = append(want, map[string]any{"id": float64(r.ID), "content": in})
			}
			if rapid.IntRange(0, 4).Draw(rt, "put behind") == 0 {
				want = append(want, insert(0, i, true))
			}
		}
		var out bytes.Buffer
		if err := e.Write(&out); err != nil {
			rt.Fatalf("%s: %v", source, err)
		}
		var got struct {
			Items []any
			Z     int
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil || got.Z != 1 {
			rt.Fatalf("%s became %s: %v", source, out.Bytes(), err)
		}
		if !reflect.DeepEqual(got.Items, want) {
			rt.Fatalf("%s became %s, want %v", source, out.Bytes(), want)
		}
	})
}

// A record behind one that breaks off, and one that goes over two lines, are read; a compacted
// file has them on lines of their own, and the broken line only if it is asked for.
func TestBrokenLinesAreMended(t *testing.T) {
	const source = `{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"first"}}
{"type":"assistant","uuid":"b","par{"type":"assistant","uuid":"b","parentUuid":"a","sessionId":"s","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"one"}]}}
{"type":"user","uuid":"c","parentUuid":"b","sessionId":"s","message":{"role":"user","content":"second
and more"}}
no record
{"type":"assistant","uuid":"d","parentUuid":"c","sessionId":"s","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"two"}]}}
`
	d := mustRead(t, source)
	checkDocument(t, d)
	if got, want := strings.Join(liveTexts(t, d), "|"), "first|one|second\nand more|two"; got != want {
		t.Fatalf("live %q, want %q", got, want)
	}
	for damaged, lines := range map[bool]int{false: 4, true: 6} {
		r, err := Rewrite(d, &edit.Change{Drop: []int32{0}, Damaged: damaged,
			Summaries: []edit.Summary{{Text: testSummary, Before: 0, UID: testUID, Time: time.Unix(0, 0)}}})
		if err != nil {
			t.Fatal(err)
		}
		out := string(written(t, r.Edits))
		if got := strings.Join(liveTexts(t, mustRead(t, out)), "|"); got != testSummary+"|one|second\nand more|two" {
			t.Errorf("damaged %v: live %q", damaged, got)
		}
		good := 0
		for line := range strings.Lines(out) {
			if json.Valid([]byte(line)) {
				good++
			}
		}
		if n := strings.Count(out, "\n"); n != lines || !damaged && good != n {
			t.Errorf("damaged %v: %d lines, %d records\n%s", damaged, n, good, out)
		}
	}
}
