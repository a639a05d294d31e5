package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"palimpsest/compaction"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/tally"
	"palimpsest/model/transcript"
)

// Every real file, compacted with several tails and written in every way: counted in the bytes,
// no call loses its result and no result its call, and every text that is not in the output
// stands in a record of a message that went.
func TestNoExportPartsACallFromItsResult(t *testing.T) {
	if testing.Short() {
		t.Skip("many real files, one after the other")
	}
	applied := 0
	reported, err := filepath.Glob(filepath.Join(realdata.Transcripts(t), "..", "reports3", "*.json*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(realdata.Sources(t), reported...) {
		if info, err := os.Stat(path); err != nil || info.IsDir() || info.Size() > 3<<20 {
			continue
		}
		for _, tail := range []int{2, 6, 9, 23} {
			if exportsWhole(t, path, tail, model.Extract) {
				applied++
			}
		}
	}
	if applied == 0 {
		t.Error("nothing was compacted")
	}
	t.Logf("%d compactions", applied)
}

// So are small inputs of the shapes that people reported, which only leave messages out: a summary
// would be larger.
func TestNoExportOfUnseenInputsPartsACall(t *testing.T) {
	paths, err := filepath.Glob("../../model/transcript/testdata/unseen/*")
	if err != nil {
		t.Fatal(err)
	}
	applied := 0
	for _, path := range paths {
		for tail := 1; tail < 4; tail++ {
			if exportsWhole(t, path, tail, model.Drop) {
				applied++
			}
		}
	}
	if applied < len(paths) {
		t.Errorf("%d compactions of %d inputs", applied, len(paths))
	}
}

func exportsWhole(t *testing.T, path string, tail int, strategy model.Strategy) bool {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "r.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	f, err := Open(t.Context(), path, Options{Store: st}, transcript.Options{})
	if err != nil || transcript.Confirmed(f.Doc) != nil {
		return false
	}
	defer f.Close()
	s, err := f.Session(t.Context(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Policy()
	p.Strategy, p.Tail, p.KeepFirstUser = strategy, model.Amount{N: tail, Unit: model.Messages}, strategy != model.Drop
	p.MinGain = model.Gain{Tokens: 1}
	d, err := s.Draft(t.Context(), p, compaction.Options{Manual: true}, nil)
	if err != nil || d.Plan.Outcome != compaction.WouldApply {
		return false
	}
	if _, err := s.Records.Apply(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	name, o := fmt.Sprintf("%s, tail %d", filepath.Base(path), tail), s.Overlay()
	out := filepath.Join(t.TempDir(), "out"+filepath.Ext(path))
	if transcript.ReadOnly(f.Doc) == "" {
		if _, err := o.ExportFile(t.Context(), Output{Path: out, Force: true}); slices.Contains([]string{"check-failed", "parted", "unsaid"}, problemCode(err)) {
			t.Errorf("%s: %v", name, err)
		} else if err == nil {
			sameCalls(t, name, f, out)
			nothingUnsaid(t, name, s, out)
		}
		if _, err := o.ExportFile(t.Context(), Output{Path: out, Force: true, Native: true}); slices.Contains([]string{"check-failed", "parted", "unsaid"}, problemCode(err)) {
			t.Errorf("%s, native: %v", name, err)
		} else if err == nil {
			sameCalls(t, name, f, out)
		}
	}
	for _, form := range []model.Format{model.FormatOpenAI, model.FormatAnthropic} {
		for _, full := range []bool{false, true} {
			if _, err := o.ExportAs(t.Context(), Output{Path: out, Force: true}, Form{Format: form, Full: full}); err != nil {
				t.Errorf("%s as %s: %v", name, form, err)
			}
		}
	}
	return true
}

func sameCalls(t *testing.T, name string, f *File, out string) {
	t.Helper()
	count := func(r io.Reader) *tally.Count {
		c, err := tally.Of(r)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(f.Doc.Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := count(bytes.NewReader(b)).Worse(count(bytes.NewReader(src)), true); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// nothingUnsaid looks for texts of the source that are not in an output: each must be in the
// records of messages that the record took.
func nothingUnsaid(t *testing.T, name string, s *Session, out string) {
	t.Helper()
	src, err := os.ReadFile(s.file.Doc.Path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	there, went, read := map[string]bool{}, []model.Span{}, strings.Builder{}
	eachText(b, func(text string, _ int64) { there[text] = true })
	for _, it := range s.With(nil).Taken(s.Stack()[0]) {
		if it.Msg >= 0 {
			for _, p := range s.thread.Messages[it.Msg].Pieces {
				went = append(went, p.Span)
			}
			parts, err := s.file.Doc.Parts(&s.thread.Messages[it.Msg])
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range parts {
				read.WriteString(letters(p.Text))
				eachSaid(decodedFrom(p.Text), func(text string) { read.WriteString(letters(text)) })
			}
		}
	}
	shown := read.String()
	for _, v := range decodedFrom(string(src)) {
		eachSaid([]any{v}, func(text string) {
			if !there[text] && !strings.Contains(shown, letters(text)) {
				t.Errorf("%s: a text is gone, and no message that went says it: %.80q", name, text)
			}
		})
	}
	eachText(src, func(text string, end int64) {
		if there[text] {
			return
		}
		for _, s := range went {
			if s.Off < end && end <= s.End() {
				return
			}
		}
		t.Errorf("%s: a text before byte %d is gone, and no message that went has it: %.80q", name, end, text)
	})
}

// A message that an export leaves out, though no record took it, stops the export.
func TestAnExportLosesNoTextThatNoRecordTook(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "talk.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(talkOfWords(40), "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(t.Context(), path, Options{}, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := f.Session(t.Context(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Policy()
	p.Strategy, p.Tail, p.MinGain = model.Extract, model.Amount{N: 6, Unit: model.Messages}, model.Gain{Tokens: 1}
	d, err := s.Draft(t.Context(), p, compaction.Options{Manual: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.Records.Preview(d)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := o.Export(&out); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(out.String(), "\n")
	for dropped := -1; dropped < 6; dropped++ {
		of := slices.Clone(lines[:len(lines)-1])
		if dropped >= 0 {
			of = slices.Delete(of, len(of)-1-dropped, len(of)-dropped)
		}
		short := filepath.Join(dir, "short.jsonl")
		if err := os.WriteFile(short, []byte(strings.Join(of, "")), 0o600); err != nil {
			t.Fatal(err)
		}
		back, err := f.readBack(t.Context(), short)
		if err != nil {
			t.Fatal(err)
		}
		err = f.nothingLost(back.Doc, o)
		back.Close()
		if want := map[bool]string{true: "unsaid"}[dropped >= 0]; problemCode(err) != want {
			t.Errorf("without line %d of the tail: %v, want %q", dropped, err, want)
		}
	}
}

// talkOfWords is a history whose messages say, each for itself, more than a line.
func talkOfWords(n int) (lines []string) {
	for i := range n {
		role := []string{"user", "assistant"}[i%2]
		lines = append(lines, fmt.Sprintf(`{"role":%q,"content":"Message %d says at some length what none of the others says, in so many words."}`, role, i))
	}
	return lines
}

// eachText gives every string of some words in a JSON value, or in lines of them, with its end.
func eachText(b []byte, f func(text string, end int64)) {
	walk := func(b []byte, at int64) bool {
		d := json.NewDecoder(bytes.NewReader(b))
		for {
			tok, err := d.Token()
			if err != nil {
				return err == io.EOF
			}
			if s, ok := tok.(string); ok && len(s) >= 40 && strings.Count(s, " ") >= 3 {
				f(s, at+d.InputOffset())
			}
		}
	}
	if json.Valid(b) {
		walk(b, 0)
		return
	}
	at := int64(0)
	for line := range bytes.Lines(b) {
		if json.Valid(line) {
			walk(line, at)
		}
		at += int64(len(line))
	}
}

// decodedFrom decodes a JSON value, or lines of them.
func decodedFrom(text string) (list []any) {
	var v any
	if json.Unmarshal([]byte(text), &v) == nil {
		return []any{v}
	}
	for line := range strings.Lines(text) {
		var v any
		if json.Unmarshal([]byte(line), &v) == nil {
			list = append(list, v)
		}
	}
	return list
}

// eachSaid gives the texts of messages, blocks and items in values: those beside a type or a role.
func eachSaid(list []any, f func(text string)) {
	for _, v := range list {
		switch v := v.(type) {
		case []any:
			eachSaid(v, f)
		case map[string]any:
			_, typed := v["type"].(string)
			_, role := v["role"].(string)
			for key, in := range v {
				if slices.Contains(beside, key) {
					continue
				}
				s, is := in.(string)
				if is && (typed || role) && (key == "text" || key == "content" || key == "output") && len(s) >= 40 && strings.Count(s, " ") >= 3 {
					f(s)
				}
				eachSaid([]any{in}, f)
			}
		}
	}
}

// beside are members in which real files keep, beside what the model sees, more or other words
// of the same record.
var beside = []string{"toolUseResult", "data", "extra", "raw_messages"}

// letters are the letters and digits of a text, without what escapes spell.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, strings.NewReplacer(`\n`, " ", `\t`, " ", `\r`, " ").Replace(text))
}
