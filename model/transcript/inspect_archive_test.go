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

	"palimpsest/model"
	"palimpsest/model/transcript/internal/source"
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

// An archive of a log holds what the log holds, however it is packed.
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
				if len(d.Conversations) != len(same.Conversations) || len(d.Notes) != len(same.Notes) || d.Items != same.Items {
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
				checkOnlyRead(t, d)
			})
		}
	}
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
	for name, b := range map[string][]byte{
		"cut off":        in[:len(in)/2],
		"the mark alone": source.ZipMark,
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
	})
}
