package transcript

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// tb is what the checks need of a test; rapid's tests have it too.
type tb interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// What the tests here call the real transcripts and the project's root.
type sample = realdata.Row

var (
	projectRoot       = realdata.Root
	sharedTranscripts = realdata.Transcripts
	samples           = realdata.Manifest
)

// fewer leaves out the large files with -short, as under the race detector: a test that
// reads one file after the other runs the same at the same time in each.
func fewer(files []sample) []sample {
	if !testing.Short() {
		return files
	}
	return slices.DeleteFunc(files, func(s sample) bool {
		st, err := os.Stat(s.Path)
		return err == nil && st.Size() > 400_000
	})
}

// openSample opens a file, or fails the test.
func openSample(t testing.TB, path string) *model.Document {
	t.Helper()
	d, err := Open(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// readBytes reads a transcript that is given as bytes.
func readBytes(name string, b []byte) (*model.Document, error) {
	return Read(context.Background(), name, bytes.NewReader(b), int64(len(b)), Options{})
}

// mustRead reads a transcript that is given as text, or fails the test.
func mustRead(t tb, text string) *model.Document {
	t.Helper()
	d, err := readBytes("test", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%.400s", err, text)
	}
	return d
}

// stats counts what the main and other threads of a document hold.
type stats struct {
	Conversations, Items, Messages, Calls, Results, Paired, Found int
}

func (s stats) String() string {
	return fmt.Sprintf("%d conversations, %d items, %d messages, %d calls, %d results (%d paired), %d compactions found",
		s.Conversations, s.Items, s.Messages, s.Calls, s.Results, s.Paired, s.Found)
}

func count(d *model.Document) stats {
	s := stats{Conversations: len(d.Conversations), Items: d.Items}
	for _, c := range d.Conversations {
		for _, th := range c.Threads {
			s.Messages += len(th.Messages)
			s.Found += len(th.Found)
			open := map[string]int{}
			for i := range th.Messages {
				m := &th.Messages[i]
				s.Calls += len(m.Calls)
				for _, c := range m.Calls {
					open[c.ID]++
				}
				if m.Kind == model.KindResult {
					s.Results++
					if open[m.Answers] > 0 {
						open[m.Answers]--
						s.Paired++
					}
				}
			}
		}
	}
	return s
}

// checkDocument holds a document against everything that is true of every
// document, whatever its format.
func checkDocument(t tb, d *model.Document) {
	t.Helper()
	checkedFormats.Store(d.Format, true)
	checkCover(t, d)
	checkCopy(t, d)
	checkThreads(t, d)
}

// checkCopy demands that an untouched document comes out byte for byte.
func checkCopy(t tb, d *model.Document) {
	t.Helper()
	var out bytes.Buffer
	if err := edit.Copy(&out, d); err != nil {
		t.Fatalf("copy: %v", err)
	}
	file := &model.Document{}
	if file.Source, file.Size = d.File(); !bytes.Equal(out.Bytes(), sourceBytes(t, file)) {
		t.Fatal("the copy differs from the source")
	}
}

func sourceBytes(t tb, d *model.Document) []byte {
	t.Helper()
	b, err := d.Bytes(model.Span{Len: d.Size})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// checkCover demands that no byte is in two segments, and that in JSON Lines each that is
// in none is white space.
func checkCover(t tb, d *model.Document) {
	t.Helper()
	at := int64(0)
	if d.Style.BOM {
		at = 3
	}
	between := func(to int64) {
		if to == at || !d.Style.JSONLines || d.Packed != nil {
			return
		}
		b, err := d.Bytes(model.Span{Off: at, Len: to - at})
		if err != nil || len(bytes.Trim(b, " \t\r\n\x00")) > 0 {
			t.Fatalf("in no segment: %.200q at %d, %v", b, at, err)
		}
	}
	for i, s := range d.Segments {
		if s.Off < at || s.Len <= 0 {
			t.Fatalf("segment %d is [%d,+%d), the one before it ends at %d", i, s.Off, s.Len, at)
		}
		between(s.Off)
		at = s.End()
	}
	if at > d.Size {
		t.Fatalf("segments end at %d of %d bytes", at, d.Size)
	}
	between(d.Size)
}

// checkThreads demands that every index, piece and part of the document can be
// followed.
func checkThreads(t tb, d *model.Document) {
	t.Helper()
	for ci, c := range d.Conversations {
		if len(c.Threads) == 0 {
			t.Fatalf("conversation %d has no thread", ci)
		}
		for ti, th := range c.Threads {
			checkThread(t, d, th, fmt.Sprintf("conversation %d thread %d", ci, ti))
		}
	}
}

func checkThread(t tb, d *model.Document, th *model.Thread, where string) {
	t.Helper()
	n := int32(len(th.Messages))
	end := d.Size
	if s, ok := d.Source.(*edit.PackedSource); ok && len(s.Texts) > 0 {
		last := s.Texts[len(s.Texts)-1]
		end = last.Off + last.Size
	}
	for i := range th.Messages {
		m := &th.Messages[i]
		for _, p := range m.Pieces {
			if p.Off < 0 || p.End() > end || p.Len <= 0 || int(p.Array) >= len(d.Arrays) {
				t.Fatalf("%s message %d: piece %+v is not in the source", where, i, p)
			}
		}
		if _, err := d.Parts(m); err != nil {
			t.Fatalf("%s message %d: %v", where, i, err)
		}
		if r := len([]rune(m.Preview)); r > model.PreviewRunes {
			t.Fatalf("%s message %d: preview of %d code points", where, i, r)
		}
	}
	seen := map[int32]bool{}
	for _, i := range th.History {
		if i < 0 || i >= n || seen[i] {
			t.Fatalf("%s: history holds %d of %d messages, or twice", where, i, n)
		}
		seen[i] = true
		if k := th.Messages[i].Kind; k == model.KindSummary || k == model.KindBoundary {
			t.Fatalf("%s: history holds message %d, a %s", where, i, k)
		}
	}
	at := 0
	for _, r := range th.Resets {
		if r.At < at || r.At > len(th.History) {
			t.Fatalf("%s: reset at %d after one at %d, of %d", where, r.At, at, len(th.History))
		}
		at = r.At
		for _, i := range r.Base {
			if i < 0 || i >= n {
				t.Fatalf("%s: reset at %d holds %d of %d messages", where, r.At, i, n)
			}
		}
	}
	for _, f := range th.Found {
		if f.At < 0 || f.At > len(th.History) || f.Summary < -1 || f.Summary >= int(n) {
			t.Fatalf("%s: found compaction %+v points nowhere", where, f)
		}
	}
}

// digest is everything a model would see of a message.
func digest(t tb, d *model.Document, m *model.Message) string {
	t.Helper()
	parts, err := d.Parts(m)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s/%s/%s/%s", m.Role, m.Kind, m.Name, m.Answers)
	for _, c := range m.Calls {
		fmt.Fprintf(&b, "|%s=%s", c.ID, c.Name)
	}
	for _, p := range parts {
		fmt.Fprintf(&b, "\n%s %q %q %v %d %s", p.Kind, p.CallID, p.Name, p.Error, p.Bytes, p.Text)
	}
	return b.String()
}

func digests(t tb, d *model.Document, th *model.Thread, list []int32) []string {
	t.Helper()
	out := make([]string, len(list))
	for i, k := range list {
		out[i] = digest(t, d, &th.Messages[k])
	}
	return out
}

// messageText is the text parts of a message, joined.
func messageText(t tb, d *model.Document, m *model.Message) string {
	t.Helper()
	parts, err := d.Parts(m)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, p := range parts {
		if p.Kind == model.PartText || p.Kind == model.PartResult {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}
