package repair

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"palimpsest/internal/realdata"
)

var (
	mutants = flag.Int("mutants", 300, "how many mutants of the files are repaired")
	mutant  = flag.Int("mutant", -1, "the number of the only mutant that is repaired")
)

// A mutation damages a file as crashes, races and writers do.
var mutations = map[string]func(r *rand.Rand, b []byte) []byte{
	"zeros": func(r *rand.Rand, b []byte) []byte {
		return insert(b, r.IntN(len(b)), bytes.Repeat([]byte{0}, 1+r.IntN(2000)))
	},
	"cut":   func(r *rand.Rand, b []byte) []byte { return b[:1+len(b)/2+r.IntN(len(b)/2)] },
	"noise": func(r *rand.Rand, b []byte) []byte { return insert(b, lineStart(r, b), []byte("[warn] not json\n")) },
	"half": func(r *rand.Rand, b []byte) []byte {
		return insert(b, after(r, b, `"content":`, `"text":`), []byte(`\ud83d`))
	},
	"bytes": func(r *rand.Rand, b []byte) []byte {
		return insert(b, after(r, b, `"content":`, `"text":`), []byte{0xff, 0xc3})
	},
	"newline": func(r *rand.Rand, b []byte) []byte {
		at := after(r, b, `"content":`, `"text":`)
		return insert(b, at, []byte("one\ntwo"))
	},
	"glue": func(r *rand.Rand, b []byte) []byte {
		at := lineStart(r, b)
		if at == 0 {
			return b
		}
		return append(bytes.Clone(b[:at-1]), b[at:]...)
	},
	"buried": func(r *rand.Rand, b []byte) []byte {
		at := lineStart(r, b)
		return insert(b, at, b[at:min(len(b), at+1+r.IntN(200))])
	},
	"lost": func(r *rand.Rand, b []byte) []byte {
		from, to := line(r, b)
		return append(bytes.Clone(b[:from]), b[to:]...)
	},
	"again": func(r *rand.Rand, b []byte) []byte { from, to := line(r, b); return insert(b, to, b[from:to]) },
	"swap": func(r *rand.Rand, b []byte) []byte {
		from, to := line(r, b)
		rest := append(bytes.Clone(b[:from]), b[to:]...)
		next := bytes.IndexByte(rest[from:], '\n') + 1
		return insert(rest, from+next, b[from:to])
	},
	"parent": func(r *rand.Rand, b []byte) []byte {
		at := after(r, b, `"parentUuid":`, `"parentId":`)
		return insert(b, at, []byte("gone-"))
	},
	"mark": func(_ *rand.Rand, b []byte) []byte {
		return append([]byte("\ufeff"), bytes.TrimPrefix(b, []byte("\ufeff"))...)
	},
	"nan": func(r *rand.Rand, b []byte) []byte { return bytes.Replace(b, []byte(`:1`), []byte(`:NaN,"x":1`), 1) },
	"low": func(r *rand.Rand, b []byte) []byte {
		return insert(b, after(r, b, `"content":`, `"text":`), []byte(`\ude00\ud83d`))
	},
	"hole": func(r *rand.Rand, b []byte) []byte { // a block of the disk that was never written
		from := r.IntN(len(b))
		to := min(len(b), from+1+r.IntN(4096))
		return append(append(bytes.Clone(b[:from]), make([]byte, to-from)...), b[to:]...)
	},
	"weave": func(r *rand.Rand, b []byte) []byte { // two writers at once
		from, to := line(r, b)
		next := to + bytes.IndexByte(b[to:], '\n') + 1
		if next <= to {
			return b
		}
		mid := from + r.IntN(to-from)
		return append(append(append(bytes.Clone(b[:mid]), b[to:next]...), b[mid:to]...), b[next:]...)
	},
	"block": func(r *rand.Rand, b []byte) []byte { // a part of the file once more
		from, to := lineStart(r, b), lineStart(r, b)
		return append(bytes.Clone(b), b[min(from, to):max(from, to)]...)
	},
	"behead": func(r *rand.Rand, b []byte) []byte { return b[lineStart(r, b)/2:] },
	"bits":   func(r *rand.Rand, b []byte) []byte { b = bytes.Clone(b); b[r.IntN(len(b))] ^= 1 << r.IntN(8); return b },
	"crlf":   func(r *rand.Rand, b []byte) []byte { return insert(b, max(0, lineStart(r, b)-1), []byte("\r")) },
	"loop": func(r *rand.Rand, b []byte) []byte {
		return swapped(r, b, `"parentUuid":"`, `"uuid":"`, `"parentId":"`, `"id":"`)
	},
	"twin": func(r *rand.Rand, b []byte) []byte { return swapped(r, b, `"uuid":"`, `"uuid":"`, `"id":"`, `"id":"`) },
	"root": func(r *rand.Rand, b []byte) []byte {
		return replaced(r, b, `"(parentUuid|parentId)": ?"[^"]*"`, `"$1":null`)
	},
	"big": func(r *rand.Rand, b []byte) []byte { return replaced(r, b, `(": ?)[0-9]+([,}])`, "${1}1e999$2") },
	"negative": func(r *rand.Rand, b []byte) []byte {
		return replaced(r, b, `([tT]okens[A-Za-z]*": ?)[0-9]+`, "${1}-77")
	},
	"role":  func(r *rand.Rand, b []byte) []byte { return replaced(r, b, `"role": ?"[a-z]+"`, `"role":"critic"`) },
	"empty": func(r *rand.Rand, b []byte) []byte { return replaced(r, b, `"text": ?"[^"\\]*"`, `"text":""`) },
	"rename": func(r *rand.Rand, b []byte) []byte {
		return replaced(r, b, `"(id|tool_use_id|call_id|tool_call_id|toolCallId)": ?"(toolu_|call_)`, `"$1":"gone_`)
	},
	"bare": func(r *rand.Rand, b []byte) []byte { return replaced(r, b, `,"compactMetadata":\{[^{}]*\}`, "") },
	"kept": func(r *rand.Rand, b []byte) []byte {
		return replaced(r, b, `"(firstKeptEntryId|headUuid|tailUuid|logicalParentUuid)":"`, `"$1":"0`)
	},
}

// replaced replaces one of the places that a pattern fits.
func replaced(r *rand.Rand, b []byte, pattern, with string) []byte {
	x := regexp.MustCompile(pattern)
	at := r.IntN(len(b))
	m := x.FindSubmatchIndex(b[at:])
	if m == nil {
		return b
	}
	out := x.Expand(bytes.Clone(b[:at+m[0]]), []byte(with), b[at:], m)
	return append(out, b[at+m[1]:]...)
}

// swapped puts the value of one member in the place of another's, of the first pair that is there.
func swapped(r *rand.Rand, b []byte, pairs ...string) []byte {
	value := func(member string) (from, to int) {
		at := r.IntN(len(b))
		i := bytes.Index(b[at:], []byte(member))
		if i < 0 {
			return 0, 0
		}
		from = at + i + len(member)
		return from, from + bytes.IndexByte(b[from:], '"')
	}
	for i := 0; i < len(pairs); i += 2 {
		f, t := value(pairs[i])
		g, u := value(pairs[i+1])
		if t > f && u > g {
			return append(append(bytes.Clone(b[:f]), b[g:u]...), b[t:]...)
		}
	}
	return b
}

// inValue are those that a file which is one value gets over: it has no lines to go by.
var inValue = map[string]bool{"zeros": true, "cut": true, "half": true, "bytes": true, "newline": true, "mark": true,
	"low": true, "big": true, "negative": true, "role": true, "empty": true, "rename": true}

func ofLines(b []byte) bool { yes, _ := recordLines(b); return yes }

func insert(b []byte, at int, what []byte) []byte {
	if at < 0 {
		return b
	}
	return append(append(bytes.Clone(b[:at]), what...), b[at:]...)
}

func line(r *rand.Rand, b []byte) (from, to int) {
	from = lineStart(r, b)
	to = from + bytes.IndexByte(b[from:], '\n') + 1
	if to == from {
		to = len(b)
	}
	return from, to
}

func lineStart(r *rand.Rand, b []byte) int {
	return bytes.LastIndexByte(b[:r.IntN(len(b))], '\n') + 1
}

// after is a place in the string of one of some members.
func after(r *rand.Rand, b []byte, members ...string) int {
	at := r.IntN(len(b))
	for _, m := range members {
		for _, quote := range []string{`"`, ` "`} {
			if i := bytes.Index(b[at:], []byte(m+quote)); i >= 0 {
				return at + i + len(m+quote)
			}
		}
	}
	return -1
}

// samples are the histories that the project carries, and the real ones that are beside it.
func samples(t testing.TB) (list []string) {
	own, _ := filepath.Glob(filepath.Join(realdata.Root(t), "assets", "samples", "*.json*"))
	for _, p := range own {
		if !strings.HasSuffix(p, ".zst") {
			list = append(list, p)
		}
	}
	if _, here := realdata.Look(t); here {
		list = append(list, realdata.Files(t)...)
		for _, below := range []string{"*/*", "*/*/*"} {
			more, _ := filepath.Glob(filepath.Join(realdata.Root(t), "..", "shared", "data", "formats2", below))
			list = append(list, more...)
		}
	}
	carried, _ := filepath.Glob(filepath.Join(realdata.Root(t), "model", "transcript", "testdata", "unseen", "*"))
	return append(list, carried...)
}

// Whatever happens to a file: what is mended loads, has no fault that could have been mended,
// and keeps all other bytes; the mends are the same when they are made again.
func TestMutantsAreRepaired(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var files [][]byte
	var names []string
	for _, p := range samples(t) {
		if b, err := os.ReadFile(p); err == nil && len(b) > 200 && len(b) < 400<<10 &&
			(!ofLines(b) || bytes.Count(b, []byte("\n")) > 3) {
			files, names = append(files, b), append(names, filepath.Base(p))
		}
	}
	var kinds []string
	for k := range mutations {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	mended, given := 0, 0
	for n := range *mutants {
		b, did := files[n%len(files)], names[n%len(files)]
		for range 1 + r.IntN(3) {
			kind := kinds[r.IntN(len(kinds))]
			for !ofLines(files[n%len(files)]) && !inValue[kind] {
				kind = kinds[r.IntN(len(kinds))]
			}
			if b = mutations[kind](r, b); len(b) < 4 {
				break
			}
			did += " " + kind
		}
		if len(b) < 4 || *mutant >= 0 && n != *mutant {
			continue
		}
		x, err := Check(t.Context(), "mutant", bytes.NewReader(b), int64(len(b)), Options{})
		if err != nil {
			t.Fatalf("%d %s: %v", n, did, err)
		}
		if x.Err != nil {
			given++
			t.Logf("%d %s: %.120s", n, did, x.Err)
			continue
		}
		if x.Mended() > 0 {
			mended++
		}
		if why := proven(t, b, x); why != "" {
			name := filepath.Join(os.TempDir(), fmt.Sprintf("mutant-%d", n))
			_ = os.WriteFile(name, b, 0o600)
			t.Errorf("%d %s (%s): %s", n, did, name, why)
		}
	}
	t.Logf("%d mutants of %d files: %d mended, %d can't be read", *mutants, len(files), mended, given)
	if *mutant < 0 && (mended < *mutants/2 || given > *mutants/10) {
		t.Error("too few were mended")
	}
}

// proven is why a repaired file is not what was promised; "": it is.
func proven(t *testing.T, b []byte, x *Report) string {
	var w bytes.Buffer
	if err := x.Write(&w); err != nil {
		return err.Error()
	}
	out := w.Bytes()
	again, err := Check(t.Context(), "repaired", bytes.NewReader(out), int64(len(out)), Options{})
	if err != nil || again.Err != nil {
		return fmt.Sprint("it does not load: ", err, again.Err)
	}
	for _, f := range again.Faults {
		if f.Proposed {
			return fmt.Sprintf("line %d has %s still: %q", f.Line, f.Rule, f.Found)
		}
	}
	at := 0
	for _, s := range x.Kept() {
		kept := b[s.Off:s.End()]
		i := bytes.Index(out[at:], kept)
		if i < 0 && moved(x) {
			i = 0
			if !bytes.Contains(out, kept) {
				return fmt.Sprintf("%q is not in it", excerpt(kept))
			}
			continue
		}
		if i < 0 {
			return fmt.Sprintf("%q is not in it", excerpt(kept))
		}
		at += i + len(kept)
	}
	if again.Doc.Style.JSONLines && ofLines(b) {
		for l := range bytes.Lines(out) {
			var v any
			if l = bytes.TrimSpace(l); len(l) > 0 && (json.Unmarshal(l, &v) != nil || !utf8.Valid(l)) {
				return "a line is not JSON: " + excerpt(l)
			}
			if spelled, err := json.Marshal(v); err != nil || bytes.Contains(spelled, []byte(`\ufffd`)) && !bytes.Contains(l, []byte(`fffd`)) && !bytes.Contains(l, []byte("\ufffd")) {
				return "a line has half a character: " + excerpt(l)
			}
		}
	}
	return ""
}

func moved(x *Report) bool {
	for _, f := range x.Faults {
		if f.Rule == "result-apart" {
			return true
		}
	}
	return false
}

// Anything may be a file: there is a report, and what it offers loads.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{
		`{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"x\ud83d"}}` + "\n" +
			`{"type":"assistant","uuid":"b","parentUuid":"z","sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]}}`,
		`[{"role":"user","content":"a"},{"role":"tool","tool_call_id":"x","content":"b"},{"role":"assist`,
		"{\"a\":1}{\"b\":\x00NaN}\n\xff\n{\"a\"", "\ufeff{}\n{}", "[[[[", "\x00\x00",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := Check(t.Context(), "fuzz", bytes.NewReader(b), int64(len(b)), Options{})
		if err != nil {
			t.Skip(err)
		}
		for _, fault := range x.Faults {
			if fault.Off < 0 || fault.Off > int64(len(b)) {
				t.Fatalf("%s is at byte %d of %d", fault.Rule, fault.Off, len(b))
			}
			x.Diff(fault)
		}
		var w bytes.Buffer
		if err := x.Write(&w); err != nil || x.Err != nil {
			return
		}
		again, err := Check(t.Context(), "fuzz", bytes.NewReader(w.Bytes()), int64(w.Len()), Options{})
		if err != nil || again.Err != nil {
			t.Fatalf("what was mended does not load: %v %v\n%q\n%q", err, again.Err, b, w.Bytes())
		}
	})
}
