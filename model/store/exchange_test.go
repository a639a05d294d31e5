package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"palimpsest/model"
)

// exporter has a stack of three records, the third of which names the others,
// and one of another file.
func exporter(t *testing.T) (s *Store, recs []*model.Record, contents [][]byte) {
	t.Helper()
	s = openTemp(t)
	a, b := lines(1, 600_000), noise(2, 3*blockSize)
	for i, content := range [][]byte{a, a, b, a} {
		rec := sampleRecord()
		rec.Base, rec.Parents = "", nil
		switch i {
		case 1:
			rec.Base = "R-0001"
		case 3:
			rec.Base, rec.Parents = "R-0002", []string{"R-0001", "R-0002"}
		}
		src := originals(content)
		src.Texts = yieldAll("请压缩历史记录", string(rune('a'+i)))
		if err := s.SaveRecord(t.Context(), rec, src); err != nil {
			t.Fatal(err)
		}
		recs, contents = append(recs, rec), append(contents, content)
	}
	if err := s.Exec("UPDATE records SET switched_off = true WHERE num = 4"); err != nil {
		t.Fatal(err)
	}
	recs[3].Off = true
	return s, recs, contents
}

func export(t *testing.T, s *Store, want int, ids ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := s.Export(t.Context(), &b, ids...)
	if err != nil || n != want {
		t.Fatalf("%d records, %v; want %d", n, err, want)
	}
	if !json.Valid(b.Bytes()) {
		t.Fatal("the export is no JSON")
	}
	return b.Bytes()
}

// Records travel to another database with all they were made on, under new IDs.
func TestExchange(t *testing.T) {
	from, recs, contents := exporter(t)
	to := openTemp(t)
	save(t, to, sampleRecord(), lines(9, 1000))
	part := export(t, from, 3, "4")
	got, err := to.Import(t.Context(), bytes.NewReader(part))
	if err != nil || got.Records != 3 || got.Known != 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	all := export(t, from, 4)
	got, err = to.Import(t.Context(), bytes.NewReader(all))
	if err != nil || got.Records != 1 || got.Known != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, rec := range recs {
		there, err := to.Record(t.Context(), rec.UID)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(giveBack(t, to, there.ID), contents[i]) {
			t.Errorf("%s: other originals came back", rec.ID)
		}
		want := *rec
		want.ID = there.ID
		if i == 1 {
			want.Base = "R-0002"
		}
		if i == 3 {
			want.Base, want.Parents = "R-0003", []string{"R-0002", "R-0003"}
		}
		if !reflect.DeepEqual(*there, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", rec.ID, *there, want)
		}
	}
	if got := found(t, to, "压缩"); len(strings.Fields(got)) != 4 {
		t.Errorf("found by what was summarised away: %s", got)
	}
	// There and back again changes nothing.
	if got, err := from.Import(t.Context(), bytes.NewReader(export(t, to, 5))); err != nil || got.Known != 4 || got.Records != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A record whose base was deleted names nobody else's.
func TestExchangeOfOrphan(t *testing.T) {
	from, recs, _ := exporter(t)
	if _, err := from.Delete(t.Context(), "2"); err != nil {
		t.Fatal(err)
	}
	to := openTemp(t)
	for range 2 {
		save(t, to, sampleRecord(), nil)
	}
	if _, err := to.Import(t.Context(), bytes.NewReader(export(t, from, 2, "R-0004"))); err != nil {
		t.Fatal(err)
	}
	if got, err := to.Record(t.Context(), recs[3].UID); err != nil || got.Base != "gone R-0002" || got.Parents[0] != "R-0003" {
		t.Errorf("%+v, %v", got, err)
	}
	var none bytes.Buffer
	_, err := from.Export(t.Context(), &none, "R-0002")
	expect(t, err, ErrNotFound, "R-0002")
}

// The originals of an import that would unpack to more than any history does are refused
// before they are unpacked, however long the record says that they are.
func TestImportOfABomb(t *testing.T) {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	rec := sampleRecord()
	rec.SourceSHA, rec.SourceSize = strings.Repeat("ab", 32), 200<<20
	e := exchangeEntry{Record: *rec, Source: w.EncodeAll(make([]byte, rec.SourceSize), nil)}
	if _, err := e.originals(); err == nil || !strings.Contains(err.Error(), "more than any history") {
		t.Errorf("%d bytes for %d: %v", len(e.Source), rec.SourceSize, err)
	}
}

// A file that is cut short, changed or something else brings nothing at all.
func TestImportOfOtherFiles(t *testing.T) {
	from, _, _ := exporter(t)
	good := string(export(t, from, 4))
	to := openTemp(t)
	refuse := func(name, file string) {
		t.Helper()
		_, err := to.Import(t.Context(), strings.NewReader(file))
		if !errors.Is(err, ErrNotExport) && !errors.Is(err, ErrChanged) && !errors.Is(err, ErrNoOriginals) {
			t.Errorf("%s: %v", name, err)
		}
		if st := stats(t, to); st.Records != 0 || st.Sources != 0 || st.Blocks != 0 || st.Texts != 0 {
			t.Fatalf("%s left something: %+v", name, st)
		}
	}
	for _, n := range []int{0, 1, 20, 200, len(good) / 2, len(good) - 4, len(good) - 2} {
		refuse("cut", good[:n])
	}
	refuse("text", "hello")
	refuse("another object", `{"messages":[]}`)
	refuse("another list", `[1,2]`)
	refuse("another kind", `{"kind":"x","version":1,"entries":[]}`)
	refuse("a later version", strings.Replace(good, `"version":1`, `"version":2`, 1))
	refuse("no entries", `{"kind":"palimpsest-records","version":1}`)
	refuse("entries of another kind", `{"kind":"palimpsest-records","version":1,"entries":[7]}`)
	refuse("an empty entry", `{"kind":"palimpsest-records","version":1,"entries":[{}]}`)
	refuse("another length", strings.Replace(good, `"sourceBytes":600000`, `"sourceBytes":599999`, 1))
	refuse("another hash", strings.Replace(good, `"sourceSha256":"`, `"sourceSha256":"0000`, 1))
	refuse("no originals", good[:strings.Index(good, `,"source":"`)]+"}]}")
	refuse("other originals", strings.Replace(good, `,"source":"KLUv`, `,"source":"KLUw`, 1))
	if got, err := to.Import(t.Context(), strings.NewReader(good)); err != nil || got.Records != 4 {
		t.Errorf("%+v, %v", got, err)
	}
	reader := openAt(t, to.Path(), OpenReadOnly())
	_, err := reader.Import(t.Context(), strings.NewReader(good))
	expect(t, err, ErrReadOnly)
}

// Whatever is read, nothing panics and nothing half is kept.
func FuzzImport(f *testing.F) {
	f.Add([]byte(`{"kind":"palimpsest-records","version":1,"entries":[{"record":{"id":"R-0001","uid":"u","sourceSha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","sourceBytes":0},"source":"KLUv/SAAAQAA"}]}`))
	f.Add([]byte(`{"kind":"palimpsest-records","version":1,"entries":[]}`))
	s := openTemp(f)
	f.Fuzz(func(t *testing.T, file []byte) {
		before := stats(t, s).Records
		got, err := s.Import(t.Context(), bytes.NewReader(file))
		if after := stats(t, s).Records; after != before+int64(got.Records) || err != nil && after != before {
			t.Errorf("%d records, were %d; %+v, %v", after, before, got, err)
		}
	})
}

// A record that contradicts itself is not taken, whoever wrote it.
func TestImportRefusesContradictions(t *testing.T) {
	from, _, _ := exporter(t)
	good := export(t, from, 4)
	for name, forge := range map[string]func(r map[string]any){
		"range beyond the history": func(r map[string]any) { r["range"] = map[string]int{"from": 5, "to": 99999} },
		"inverted range":           func(r map[string]any) { r["range"] = map[string]int{"from": 20, "to": 2} },
		"negative tokens":          func(r map[string]any) { r["after"] = map[string]int{"messages": 1, "tokens": -5} },
		"negative size":            func(r map[string]any) { r["covered"] = -9 },
		"another outcome":          func(r map[string]any) { r["outcome"] = "pwned" },
		"another cause":            func(r map[string]any) { r["cause"] = "x" },
		"a strategy that is none":  func(r map[string]any) { r["strategy"] = "x" },
		"a uid with a path":        func(r map[string]any) { r["uid"] = "../../x" },
		"a late year":              func(r map[string]any) { r["time"] = "9999-12-31T23:59:59Z" },
		"half a hash":              func(r map[string]any) { r["rangeSha256"] = "1111" },
		"a summary of no record":   func(r map[string]any) { r["live"] = []map[string]any{{"msg": -1}} },
	} {
		t.Run(name, func(t *testing.T) {
			var doc struct {
				Kind    string           `json:"kind"`
				Version int              `json:"version"`
				Entries []map[string]any `json:"entries"`
			}
			if err := json.Unmarshal(good, &doc); err != nil {
				t.Fatal(err)
			}
			forge(doc.Entries[0]["record"].(map[string]any))
			b, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			got, err := openTemp(t).Import(t.Context(), bytes.NewReader(b))
			if !errors.Is(err, ErrNotExport) || !strings.Contains(err.Error(), "contradicts itself") {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}
