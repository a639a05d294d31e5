package transcript

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"palimpsest/internal/workload"
	"palimpsest/model"
)

// A document opened by its index is the one that was read, to the last field.
func TestIndexGivesTheDocument(t *testing.T) {
	sources := map[string][]byte{}
	for _, shape := range []workload.Shape{workload.ClaudeCode, workload.Codex} {
		var b bytes.Buffer
		if err := workload.Write(&b, shape, 12_000_000); err != nil {
			t.Fatal(err)
		}
		sources[string(shape)] = b.Bytes()
	}
	for _, pattern := range []string{"assets/samples/*.jsonl", "model/transcript/testdata/*.jsonl", "model/transcript/testdata/*/*.jsonl"} {
		paths, err := filepath.Glob(filepath.Join(projectRoot(t), pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if sources[path], err = os.ReadFile(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	indexed := 0
	for name, data := range sources {
		d, err := readBytes(name, data)
		if err != nil {
			continue // a source that nothing can read
		}
		packed, ok := PackIndex(d)
		if !ok {
			continue
		}
		indexed++
		src := bytes.NewReader(data)
		got := OpenIndexed(src, int64(len(data)), packed)
		if got == nil {
			t.Errorf("%s: not opened", name)
			continue
		}
		got.Source, d.Source, got.Path = nil, nil, d.Path
		if !reflect.DeepEqual(got, d) {
			t.Errorf("%s: another document", name)
		}
		ends := frameEnds(packed)
		if len(data) >= 12_000_000 && len(ends) < 1+2*2 {
			t.Errorf("%s: an index of %d bytes in %d frames", name, len(packed), len(ends))
		}
		for _, cut := range append(ends[:len(ends)-1], 0, 31, 32, 40, len(packed)-1) { // and none of a damaged one
			if got := OpenIndexed(src, int64(len(data)), packed[:cut]); got != nil {
				t.Errorf("%s: %d bytes of the index give %v", name, cut, got)
			}
		}
		for at := 32; at < len(packed); at += 1 + len(packed)/16 {
			damaged := bytes.Clone(packed)
			damaged[at] ^= 1
			got := OpenIndexed(src, int64(len(data)), damaged)
			if got == nil {
				continue
			}
			if got.Source, got.Path = nil, d.Path; !reflect.DeepEqual(got, d) { // as it is where a bit means nothing
				t.Errorf("%s: an index with another byte at %d of %d gives another document", name, at, len(packed))
			}
		}
		if got := OpenIndexed(src, int64(len(data))-1, packed); got != nil {
			t.Errorf("%s: a shorter source gives %v", name, got)
		}
	}
	if indexed < 4 {
		t.Errorf("%d documents have an index", indexed)
	}
}

// frameEnds are the places at which the frames of an index end, that of its head first.
func frameEnds(packed []byte) (ends []int) {
	for at := 32; at < len(packed); ends = append(ends, at) {
		n, k := binary.Uvarint(packed[at:])
		at += k + int(n)
	}
	return ends
}

// Every field of what the index spells itself is in it.
func TestIndexHasEveryField(t *testing.T) {
	var m model.Message
	var th model.Thread
	fill(reflect.ValueOf(&m).Elem(), 3)
	fill(reflect.ValueOf(&th).Elem(), 2)
	th.Messages = []model.Message{m, {}, m}
	var w indexWriter
	w.thread(&th)
	r := indexReader{text: string(w.text), nums: w.nums, pieces: make([]model.Piece, 0, w.pieces), calls: make([]model.Call, 0, w.calls),
		reports: make([]model.Usage, w.reports)}
	got := th
	got.Messages, got.History, got.Resets = nil, nil, nil
	if r.thread(&got); r.bad || len(r.nums) > 0 || r.text != "" || !reflect.DeepEqual(got, th) {
		t.Errorf("%+v\nwant %+v", got, th)
	}
}

// fill gives every field a value that no other field next to it has.
func fill(v reflect.Value, k int) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), k+i)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), k+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), k+i)
		}
	case reflect.String:
		v.SetString(string(rune('a'+k)) + "\xff")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8:
		v.SetUint(uint64(1 + k%4))
	default:
		v.SetInt(int64(1000 + k))
	}
}
