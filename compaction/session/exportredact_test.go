package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Keys are put together here so that no scanner takes this file for a leak.
var (
	plantedKey = "ghp_" + "x7Kq2mVb9LtRw4ZcY8nHs3JpDfGa6UeQ1TiM"
	plantedID  = "call_" + "ghp_" + "1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s"
)

// planted is a Claude Code session with secrets in all places: words, arguments
// inside of a string with escapes, results, and an id that only looks like one.
func planted(t *testing.T, opt Options) *Session {
	t.Helper()
	var b bytes.Buffer
	parent := any(nil)
	add := func(uuid, kind string, content any) {
		m := map[string]any{"role": kind, "content": content}
		if kind == "assistant" {
			m["id"], m["type"], m["model"] = "msg_"+uuid, "message", "m"
		}
		line, err := json.Marshal(map[string]any{"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s-1", "message": m,
			"timestamp": "2026-01-01T00:00:00Z", "cwd": "/home/ada/engine"})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
		parent = uuid
	}
	for i := range 6 {
		n := string(rune('a' + i))
		add("u"+n, "user", "Use the token "+plantedKey+" for jane.doe@acme-corp.com, step "+n)
		add("v"+n, "assistant", []any{map[string]any{"type": "tool_use", "id": plantedID + n, "name": "run",
			"input": map[string]any{"command": "curl -H \"Authorization: token " + plantedKey + "\"\n# C:\\Users\\Zoë\\x", "n": i}}})
		add("w"+n, "user", []any{map[string]any{"type": "tool_result", "tool_use_id": plantedID + n, "content": "ok /home/ada/engine " + strings.Repeat("text ", 40)}})
		add("x"+n, "assistant", []any{map[string]any{"type": "text", "text": "Done with step " + n}})
	}
	src := bytes.ReplaceAll(b.Bytes(), []byte("Zoë"), []byte(`Zo\u00eb`)) // as some writers spell it
	d, err := transcript.Read(context.Background(), "s.jsonl", bytes.NewReader(src), int64(len(src)), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewFile(d, opt).Session(context.Background(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Secrets leave in no form of export; ids and JSON stay, and what a person lets
// copyThrough goes.
func TestRedactedExports(t *testing.T) {
	ctx := context.Background()
	s := planted(t, Options{})
	p := s.Policy()
	p.Strategy, p.Tail = model.Extract, model.Amount{N: 6, Unit: model.Messages}
	if rec, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil); err != nil || rec.Outcome != model.Applied || !strings.Contains(rec.Summary, plantedKey) {
		t.Fatalf("%+v, %v", rec, err)
	}
	exports := map[string]func(o Output) (*Written, error){
		"same": func(o Output) (*Written, error) {
			return s.Overlay().ExportFile(ctx, o)
		},
		"source": func(o Output) (*Written, error) {
			return s.File().ExportSource(ctx, o)
		},
		"native": func(o Output) (*Written, error) {
			o.Native = true
			return s.Overlay().ExportFile(ctx, o)
		},
	}
	for _, form := range transcript.Targets() {
		exports[string(form.Format)] = func(o Output) (*Written, error) {
			return s.Overlay().ExportAs(ctx, o, Form{Format: form.Format, Full: true})
		}
	}
	for name, export := range exports {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			read := func(o Output) (string, *Written) {
				o.Path = filepath.Join(dir, "out")
				os.Remove(o.Path)
				out, err := export(o)
				if err != nil {
					t.Fatal(err)
				}
				b, err := os.ReadFile(o.Path)
				if err != nil {
					t.Fatal(err)
				}
				return string(b), out
			}
			plain, _ := read(Output{})
			got, out := read(Output{Redact: true})
			for _, secret := range []string{plantedKey, "jane.doe@acme-corp.com", "/home/ada", "Zoë", `Zo\u00eb`} {
				if strings.Contains(got, secret) {
					t.Errorf("%s is still there:\n%.200s", secret, got)
				}
			}
			if strings.Count(got, plantedID) != strings.Count(plain, plantedID) {
				t.Errorf("ids: %d of %d", strings.Count(got, plantedID), strings.Count(plain, plantedID))
			}
			for d := json.NewDecoder(strings.NewReader(got)); name != "csv" && name != "html" && name != "markdown"; {
				var v any
				if err := d.Decode(&v); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("it is no JSON: %v", err)
				}
			}
			if name == "csv" { // which holds no text
				return
			}
			again, err := Rehearse(func(path string) (*Written, error) { return export(Output{Path: path, Redact: true}) }, nil)
			if err != nil || len(again.Redacted) != len(out.Redacted) || len(again.Redacted) < 3 {
				t.Errorf("rehearsed %+v, written %+v, %v", again, out.Redacted, err)
			}
			if kept, _ := read(Output{Redact: true, Keep: map[string]bool{plantedKey: true}}); !strings.Contains(kept, plantedKey) || strings.Contains(kept, "jane.doe@") {
				t.Error("what was let through did not go, or more did")
			}
		})
	}
}

// askedContext ends when it was asked often enough whether it has.
type askedContext struct {
	context.Context
	times  atomic.Int64
	most   int64
	cancel func()
}

func (c *askedContext) Err() error {
	if c.times.Add(1) > c.most {
		c.cancel()
	}
	return c.Context.Err()
}

// A redacted export of a long text ends wherever it is called off, and leaves nothing.
func TestARedactedExportIsCalledOff(t *testing.T) {
	src := []byte(`{"messages":[{"role":"user","content":"` + strings.Repeat("the password = of api key client secret token ", 60_000) + `"}]}`)
	d, err := transcript.Read(t.Context(), "s.json", bytes.NewReader(src), int64(len(src)), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	asked := func(most int64) (int64, error) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		c := &askedContext{Context: ctx, most: most, cancel: cancel}
		_, err := NewFile(d, Options{}).ExportSource(c, Output{Path: filepath.Join(dir, "out.json"), Force: true, Redact: true})
		return c.times.Load(), err
	}
	whole, err := asked(math.MaxInt64)
	if err != nil || whole < 100 {
		t.Fatalf("it asks %d times whether it is to go on: %v", whole, err)
	}
	if err := os.Remove(filepath.Join(dir, "out.json")); err != nil {
		t.Fatal(err)
	}
	for _, most := range []int64{1, whole / 10, whole / 2, whole * 9 / 10} {
		_, err = asked(most)
		if left, _ := os.ReadDir(dir); !errors.Is(err, context.Canceled) || len(left) > 0 {
			t.Errorf("called off at %d of %d: %v, left %v", most, whole, err, left)
		}
	}
}

// What was called off in its last words takes no name.
func TestWhatIsCalledOffAtItsEndIsNotWritten(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	path := filepath.Join(t.TempDir(), "out.md")
	_, err := WriteLike(ctx, path, "", false, func(w io.Writer) error {
		_, err := io.WriteString(w, "half of it")
		cancel()
		return err
	})
	if _, there := os.Stat(path); !errors.Is(err, context.Canceled) || there == nil {
		t.Error(err, there)
	}
}

// While the scan fails nothing is written, in no form.
func TestNothingIsWrittenUnscanned(t *testing.T) {
	broken := errors.New("the rules can't be read")
	s := planted(t, Options{Scan: func(...string) (*redact.Redactor, error) { return nil, broken }})
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	_, own := s.Overlay().ExportFile(t.Context(), Output{Path: path, Redact: true})
	_, cross := s.Overlay().ExportAs(t.Context(), Output{Path: path, Redact: true}, Form{Format: transcript.FormatMarkdown, Full: true})
	for _, err := range []error{own, cross} {
		var p *model.Problem
		if !errors.As(err, &p) || p.Code != "not-scanned" || !errors.Is(err, broken) {
			t.Errorf("%v", err)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// Real files of every format are redacted: what is written has the same shape,
// which the export proves itself, and a second scan finds nothing in it.
func TestRealFilesRedacted(t *testing.T) {
	files, found := 0, 0
	for _, path := range realdata.Sources(t) {
		if st, err := os.Stat(path); err != nil || st.IsDir() || st.Size() > 300<<10 {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			f := openReal(t, path)
			out := filepath.Join(t.TempDir(), "out"+filepath.Ext(path))
			w, err := f.ExportSource(t.Context(), Output{Path: out, Redact: true})
			if err != nil {
				t.Fatal(err)
			}
			files, found = files+1, found+len(w.Redacted)
			again, err := Rehearse(func(to string) (*Written, error) {
				return openReal(t, out).ExportSource(t.Context(), Output{Path: to, Redact: true})
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range again.Redacted {
				t.Errorf("line %d still holds %s: %q", h.Num, h.Rule, h.Secret)
			}
		})
	}
	t.Logf("%d files, %d findings", files, found)
}
