package transcript

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// No archive is at hand: these are made as Inspect's recorder makes them, from
// the samples of JSON logs.

// archive packs entries, in the order of their names and texts.
func archive(t tb, method uint16, entries ...[2]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zstd.ZipMethodWinZip, zstd.ZipCompressor())
	for _, e := range entries {
		f, err := w.CreateHeader(&zip.FileHeader{Name: e[0], Method: method, Modified: time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, e[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.SetComment("a log"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// evalOf packs the samples of a JSON log as Inspect does.
func evalOf(t tb, method uint16, log string) []byte {
	t.Helper()
	var l struct {
		Eval    json.RawMessage
		Samples []json.RawMessage
	}
	if err := json.Unmarshal([]byte(log), &l); err != nil {
		t.Fatal(err)
	}
	entries := [][2]string{{"_journal/start.json", `{"version":2,"eval":` + string(l.Eval) + `}`}}
	for i := len(l.Samples) - 1; i >= 0; i-- { // as they end, not as they are numbered
		var s struct {
			ID    json.RawMessage
			Epoch int
		}
		var pretty bytes.Buffer
		if json.Unmarshal(l.Samples[i], &s) != nil || json.Indent(&pretty, l.Samples[i], "", "  ") != nil {
			t.Fatal("no sample: ", string(l.Samples[i]))
		}
		name := fmt.Sprintf("samples/%s_epoch_%d.json", strings.Trim(string(s.ID), `"`), s.Epoch)
		entries = append(entries, [2]string{name, pretty.String()})
	}
	return archive(t, method, append(entries, [2]string{"summaries.json", "[]"}, [2]string{"header.json", `{"version":2,"eval":` + string(l.Eval) + `}`})...)
}

func mustReadArchive(t tb, b []byte) *model.Document {
	t.Helper()
	d, err := readBytes("log.eval", b)
	if err != nil {
		t.Fatal(err)
	}
	if d.Format != model.FormatInspect {
		t.Fatal(d.Format, d.Why)
	}
	return d
}

// An archive of a log holds what the log holds, however it is packed; rewrites
// of it read back, and every entry but the rewritten one is there as it was packed.
func TestInspectArchives(t *testing.T) {
	logs := map[string]string{"made": inspectLog, "compacted": inspectCompacted, "trimmed": inspectTrimmed}
	for _, s := range fewer(samples(t, "inspect")) {
		if b, err := os.ReadFile(s.Path); err == nil {
			logs[filepath.Base(s.File)] = string(b)
		}
	}
	for name, log := range logs {
		for _, method := range []uint16{zip.Store, zip.Deflate, zstd.ZipMethodWinZip} {
			t.Run(fmt.Sprint(name, method), func(t *testing.T) {
				d, same := mustReadArchive(t, evalOf(t, method, log)), mustRead(t, log)
				if len(d.Conversations) != len(same.Conversations) || len(d.Notes) != 0 || d.Items != same.Items {
					t.Fatalf("%d conversations instead of %d, notes %+v", len(d.Conversations), len(same.Conversations), d.Notes)
				}
				for i, c := range d.Conversations {
					a, b := same.Conversations[i], c
					if a.ID != b.ID || a.Model != b.Model || liveShape(a.Main()) != liveShape(b.Main()) {
						t.Errorf("conversation %d is %q (%s) instead of %q (%s)", i, b.ID, liveShape(b.Main()), a.ID, liveShape(a.Main()))
					}
					for k := range a.Main().Messages {
						m, n := &a.Main().Messages[k], &b.Main().Messages[k]
						if len(m.Calls) == 0 && digest(t, same, m) != digest(t, d, n) { // whose arguments are indented
							t.Errorf("message %d is %s", k, digest(t, d, n))
						}
					}
				}
				checkDocument(t, d)
				checkRewrites(t, d, 20)
				checkClearing(t, d)
			})
		}
	}
}

// rawEntries are the entries of an archive as they are packed.
func rawEntries(t tb, b []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range z.File {
		r, err := f.OpenRaw()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name] = fmt.Sprintf("%d %d %d %v %s", f.Method, f.CRC32, f.UncompressedSize64, f.Modified, raw)
	}
	return out
}

func TestInspectArchiveRewriteLeavesEntriesPacked(t *testing.T) {
	in := evalOf(t, zstd.ZipMethodWinZip, inspectLog)
	d := mustReadArchive(t, in)
	r, err := Rewrite(d, &edit.Change{Conversation: 1, Drop: []int32{0, 1}, Summaries: []edit.Summary{{Text: "S", Before: 0, UID: testUID}}})
	if err != nil {
		t.Fatal(err)
	}
	out := written(t, r.Edits)
	was, is := rawEntries(t, in), rawEntries(t, out)
	if len(was) != len(is) {
		t.Fatalf("%d entries instead of %d", len(is), len(was))
	}
	for name := range was {
		if changed := was[name] != is[name]; changed != (name == "samples/a_epoch_2.json") {
			t.Errorf("%s: changed: %v", name, changed)
		}
	}
	z, err := zip.NewReader(bytes.NewReader(out), int64(len(out)))
	if err != nil || z.Comment != "a log" {
		t.Errorf("comment %q, %v", z.Comment, err)
	}
	b, err := mustReadArchive(t, out).Bytes(mustReadArchive(t, out).Conversations[1].Main().Messages[0].Pieces[0].Span)
	if want := "{\n      \"content\": \"S\",\n      \"role\": \"user\",\n      \"metadata\": {\"summary\": true}\n    }"; err != nil || string(b) != want {
		t.Errorf("%s, %v", b, err)
	}
}

// Random changes of random samples: each reads back, several at once as well.
func TestInspectArchiveRandomChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []string
		n := rapid.IntRange(1, 12).Draw(t, "samples")
		for i := range n {
			list = append(list, fmt.Sprintf(`{"id":%d,"epoch":1,"input":"","messages":[{"role":"user","content":"u%d"},{"role":"assistant","content":"a%d"},{"role":"user","content":"v"}],"output":{}}`, n-i, n-i, n-i))
		}
		in := evalOf(t, rapid.SampledFrom([]uint16{zip.Store, zip.Deflate, zstd.ZipMethodWinZip}).Draw(t, "method"), `{"eval":{},"samples":[`+strings.Join(list, ",")+`]}`)
		d := mustReadArchive(t, in)
		var changes []*edit.Change
		for i := range n {
			if rapid.Bool().Draw(t, "changed") {
				changes = append(changes, &edit.Change{Conversation: i, Drop: []int32{0, 1}, Summaries: []edit.Summary{{Text: fmt.Sprint("S", i), Before: 0, UID: testUID}}})
			}
		}
		r, err := RewriteAll(d, changes...)
		if err != nil {
			t.Fatal(err)
		}
		out := written(t, r.Edits)
		if len(changes) == 0 && !bytes.Equal(in, out) {
			t.Fatal("nothing was changed, and the bytes differ")
		}
		back := mustReadArchive(t, out)
		for i, c := range back.Conversations {
			if c.ID != fmt.Sprint(i+1) {
				t.Fatalf("conversation %d is sample %s", i, c.ID)
			}
			got := liveShape(c.Main())
			if changed := got == "summary, typed"; changed != hasChange(changes, i) || !changed && got != "typed, assistant, typed" {
				t.Fatalf("sample %d reads %s", i, got)
			}
		}
	})
}

func hasChange(list []*edit.Change, conversation int) bool {
	for _, c := range list {
		if c.Conversation == conversation {
			return true
		}
	}
	return false
}

// Damaged entries are reported and kept; what is no log is refused.
func TestInspectArchiveBadInput(t *testing.T) {
	const good = `{"id":1,"epoch":1,"input":"","messages":[{"role":"user","content":"u"}],"output":{}}`
	in := archive(t, zip.Store, [2]string{"samples/1_epoch_1.json", good}, [2]string{"samples/2_epoch_1.json", `{"id":2,`},
		[2]string{"samples/3_epoch_1.json", "{} {}"}, [2]string{"samples/4_epoch_1.json", ""}, [2]string{"samples/x.txt", "no"})
	d := mustReadArchive(t, in)
	if len(d.Conversations) != 1 || noteCodes(d) != "map[bad-entry:3]" {
		t.Fatalf("%d conversations, notes %s", len(d.Conversations), noteCodes(d))
	}
	checkDocument(t, d)
	checkRewrites(t, d, 3)
	for name, b := range map[string][]byte{
		"cut off":        in[:len(in)/2],
		"the mark alone": edit.ZipMark,
	} {
		if _, err := readBytes("x.eval", b); problemCode(err) != "binary" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := readBytes("x.eval", archive(t, zip.Store, [2]string{"samples/1_epoch_1.json", "no"})); problemCode(err) != "no-messages" {
		t.Error(err)
	}
	i := bytes.Index(in, []byte(`"u"`))
	bad := bytes.Clone(in)
	bad[i+1] = 'v'
	if _, err := readBytes("x.eval", bad); problemCode(err) != "no-messages" {
		t.Errorf("a wrong checksum: %v", err)
	}
}

// A file that changes while it is open is noticed when it is written.
func TestInspectArchiveThatChanges(t *testing.T) {
	in := evalOf(t, zip.Deflate, inspectLog)
	path := filepath.Join(t.TempDir(), "log.eval")
	if err := os.WriteFile(path, in, 0o600); err != nil {
		t.Fatal(err)
	}
	d := openSample(t, path)
	r, err := Rewrite(d, &edit.Change{Drop: []int32{1}, Summaries: []edit.Summary{{Text: "S", Before: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Clone(in)
	other[len(other)-1] ^= 1 // of the comment
	if err := os.WriteFile(path, other, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.Edits.Write(discard{}); problemCode(err) != "source-changed" {
		t.Error(err)
	}
	if err := d.Source.(io.Closer).Close(); err != nil {
		t.Error(err)
	}
}

func FuzzReadInspectArchive(f *testing.F) {
	for _, method := range []uint16{zip.Store, zip.Deflate, zstd.ZipMethodWinZip} {
		for _, log := range []string{inspectLog, inspectCompacted, inspectTrimmed} {
			var l struct{ Samples []json.RawMessage }
			if err := json.Unmarshal([]byte(log), &l); err != nil {
				f.Fatal(err)
			}
			f.Add(method, string(l.Samples[0]))
		}
	}
	f.Fuzz(func(t *testing.T, method uint16, sample string) {
		if method != zip.Store && method != zip.Deflate && method != zstd.ZipMethodWinZip {
			return
		}
		in := archive(t, method, [2]string{"samples/1_epoch_1.json", sample}, [2]string{"header.json", sample})
		d, err := readBytes("fuzz.eval", in)
		if err != nil {
			return
		}
		checkDocument(t, d)
		checkDropNothing(t, d)
		th := d.Conversations[0].Main()
		if live := th.Live(len(th.History)); len(live) > 0 {
			if r, err := Rewrite(d, &edit.Change{Drop: live[:1], Summaries: []edit.Summary{{Text: "S", Before: live[0]}}}); err == nil {
				mustReadArchive(t, written(t, r.Edits))
			}
		}
	})
}
