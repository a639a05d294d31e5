package find

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"palimpsest/assets"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/query"
	"palimpsest/model/transcript"
)

// collect is what a search finds, by stored message.
func collect(tb testing.TB, s *Searcher, m *query.Matcher) map[int32]Found {
	tb.Helper()
	out := map[int32]Found{}
	if err := s.Each(context.Background(), m, nil, func(f Found) { out[f.Stored] = f }); err != nil {
		tb.Fatal(err)
	}
	return out
}

// byHand decodes every message and matches it.
func byHand(tb testing.TB, s *Searcher, m *query.Matcher) map[int32]query.Hit {
	tb.Helper()
	out, x := map[int32]query.Hit{}, &query.Scratch{}
	for i := range s.thread.Messages {
		if !s.searched(int32(i)) {
			continue
		}
		parts, err := s.doc.Parts(&s.thread.Messages[i])
		if err != nil {
			tb.Fatal(err)
		}
		sub := s.subject(int32(i), nil)
		if h, ok := m.Match(&sub, parts, x); ok {
			out[int32(i)] = h
		}
	}
	return out
}

func parsed(tb testing.TB, text string) *query.Matcher {
	tb.Helper()
	q, err := query.Parse(text)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return query.Compile(q)
}

// words are a few of a thread's own, as queries.
func wordsOf(s *Searcher, r *rand.Rand, n int) (list []string) {
	for range n * 20 {
		if len(list) == n {
			return list
		}
		i := r.IntN(len(s.thread.Messages))
		parts, _ := s.doc.Parts(&s.thread.Messages[i])
		if len(parts) == 0 {
			continue
		}
		p := parts[r.IntN(len(parts))]
		text := query.TextOf(&p)
		runes := []rune(text[:min(len(text), 1<<16)])
		if len(runes) < 4 {
			continue
		}
		from := r.IntN(len(runes) - 3)
		word := strings.TrimFunc(string(runes[from:min(len(runes), from+3+r.IntN(12))]), func(r rune) bool { return !unicode.IsLetter(r) })
		if word == "" || strings.ContainsRune(word, unicode.ReplacementChar) {
			continue
		}
		if r.IntN(2) == 0 {
			word = strings.ToUpper(word)
		}
		list = append(list, query.Query{Terms: []query.Term{{Kind: query.Phrase, Text: word}}}.String())
	}
	return list
}

// check searches a document in many ways and by hand.
func check(t *testing.T, name string, d *model.Document, r *rand.Rand) {
	t.Helper()
	for ci, c := range d.Conversations[:min(3, len(d.Conversations))] {
		for ti, th := range c.Threads[:min(3, len(c.Threads))] {
			if len(th.Messages) == 0 {
				continue
			}
			s := New(d, th)
			for _, q := range append(wordsOf(s, r, 6), "role:user", "is:error", "has:image", "has:code -role:tool", "/[a-z]+ing\\b/i tool:*", "is:summary the") {
				m := parsed(t, q)
				got, want := collect(t, s, m), byHand(t, s, m)
				for i, h := range want {
					if f, ok := got[i]; !ok || !reflect.DeepEqual(f.Hit, h) {
						t.Errorf("%s (%s) %d.%d: %s: message %d is %+v, want %+v", name, d.Format, ci, ti, q, i, f, h)
						return
					}
				}
				if len(got) != len(want) {
					t.Errorf("%s: %s: found %d, want %d", name, q, len(got), len(want))
				}
			}
		}
	}
}

// What is found by the bytes is what decoding every message finds, in every format.
func TestFoundIsWhatDecodingFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, sample := range assets.Samples {
		d, err := transcript.Read(context.Background(), sample.ID, bytes.NewReader(sample.Bytes()), int64(len(sample.Bytes())), transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		check(t, sample.ID, d, r)
	}
	for _, path := range someSources(t, 2) {
		d, err := transcript.Open(context.Background(), path, transcript.Options{})
		if err != nil {
			continue
		}
		check(t, path, d, r)
		if c, ok := d.Source.(interface{ Close() error }); ok {
			c.Close()
		}
	}
}

// The bytes of a message hold every word of its text, or its format is one of those
// whose messages are decoded one by one.
func TestTheBytesHoldTheText(t *testing.T) {
	missing := map[model.Format]string{}
	for _, path := range someSources(t, 4) {
		d, err := transcript.Open(context.Background(), path, transcript.Options{})
		if err != nil {
			continue
		}
		for _, th := range d.Conversations[0].Threads {
			s := New(d, th)
			for _, stored := range s.list {
				m := &th.Messages[stored]
				if s.apart(m) || missing[d.Format] != "" {
					continue
				}
				if word := notInBytes(t, d, m); word != "" {
					missing[d.Format] = path + ": " + word
				}
			}
		}
	}
	for f, where := range missing {
		t.Errorf("%s: %s", f, where)
	}
}

// notInBytes is a word of a message's text that its bytes do not hold; "" if there is
// none.
func notInBytes(t *testing.T, d *model.Document, m *model.Message) string {
	var low []byte
	for _, p := range m.Pieces {
		b, err := d.Bytes(p.Span)
		if err != nil {
			t.Fatal(err)
		}
		low = append(append(low, b...), ' ')
	}
	query.Lower(low, low)
	if query.Escaped(low, 0) >= 0 {
		return ""
	}
	parts, _ := d.Parts(m)
	for _, p := range parts {
		for _, w := range strings.FieldsFunc(query.TextOf(&p), func(r rune) bool { return r > 0x7f || !unicode.IsLetter(r) && r != '`' }) {
			w = strings.ToLower(w)
			if len(w) > 2 && !bytes.Contains(low, []byte(w)) {
				return w
			}
		}
	}
	return ""
}

// someSources are a few files of each format.
func someSources(t *testing.T, each int) (list []string) {
	seen := map[string]int{}
	for _, path := range realdata.Sources(t) {
		kind := filepath.Base(filepath.Dir(path))
		if st, err := os.Stat(path); err == nil && st.Size() < 1<<20 && seen[kind] < each {
			seen[kind]++
			list = append(list, path)
		}
	}
	return list
}

// Files are found by the calls that name them, and their results with them.
func TestFilesFindCallsAndResults(t *testing.T) {
	for _, sample := range assets.Samples {
		d, err := transcript.Read(context.Background(), sample.ID, bytes.NewReader(sample.Bytes()), int64(len(sample.Bytes())), transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		th := d.Conversations[0].Main()
		s := New(d, th)
		got := collect(t, s, parsed(t, "file:.go"))
		calls, results := 0, 0
		for i := range got {
			m := &th.Messages[i]
			switch {
			case len(m.Calls) > 0:
				calls++
			case m.Kind == model.KindResult:
				results++
				if _, ok := got[s.caller[i]]; !ok {
					t.Errorf("%s: the result %d is found and its call is not", sample.ID, i)
				}
			default:
				t.Errorf("%s: message %d calls nothing", sample.ID, i)
			}
		}
		t.Logf("%s: %d calls, %d results", sample.ID, calls, results)
	}
}

func TestSnippets(t *testing.T) {
	for _, c := range []struct{ text, word, want string }{
		{"a short text", "short", "a [short] text"},
		{"one\n\n  two   three", "two three", "one [two] [three]"},
		{strings.Repeat("before ", 20) + "hit and after", "hit", "…before before before before before [hit] and after"},
		{strings.Repeat("漢", 30) + "語", "語", "…" + strings.Repeat("漢", 12) + "[語]"},
	} {
		m := parsed(t, c.word)
		h, ok := m.Match(&query.Subject{}, []model.Part{{Text: c.text}}, &query.Scratch{})
		if !ok {
			t.Fatalf("%q is not in %q", c.word, c.text)
		}
		s := SnippetOf(c.text, h.Places)
		got := s.Text
		for _, k := range slices.Backward(s.Marks) {
			got = got[:k.From] + "[" + got[k.From:k.To] + "]" + got[k.To:]
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.word, got, c.want)
		}
	}
}

// A search that is stopped ends with the context's error.
func TestASearchCanBeStopped(t *testing.T) {
	sample := assets.Samples[0]
	d, err := transcript.Read(context.Background(), sample.ID, bytes.NewReader(sample.Bytes()), int64(len(sample.Bytes())), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := New(d, d.Conversations[0].Main()).Each(ctx, parsed(t, "e"), nil, func(Found) {}); err != context.Canceled {
		t.Errorf("%v", err)
	}
}
