package tokens

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

type golden struct {
	Name   string
	Text   string
	Repeat int
	O200k  int
	Cl100k int
}

func readGolden(tb testing.TB) []golden {
	tb.Helper()
	file, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		tb.Fatal(err)
	}
	var all []golden
	if err := json.Unmarshal(file, &all); err != nil {
		tb.Fatal(err)
	}
	for i := range all {
		all[i].Text = strings.Repeat(all[i].Text, max(1, all[i].Repeat))
	}
	return all
}

func TestGolden(t *testing.T) {
	for _, g := range readGolden(t) {
		if got := Count(O200k, g.Text); got != g.O200k {
			t.Errorf("o200k, %s: %d tokens, want %d", g.Name, got, g.O200k)
		}
		if got := Count(Cl100k, g.Text); got != g.Cl100k {
			t.Errorf("cl100k, %s: %d tokens, want %d", g.Name, got, g.Cl100k)
		}
	}
}

// tokenTexts spells the tokens, in byte order.
func tokenTexts(words *sortedTokens) (texts []string) {
	before, rest := "", string(words.bytes)
	for i, keep := range words.shared {
		add := words.added[i]
		before = before[:keep] + rest[:add]
		rest = rest[add:]
		texts = append(texts, before)
	}
	return texts
}

// TestVocabulary spells the packed vocabularies as .tiktoken files again.
func TestVocabulary(t *testing.T) {
	for _, c := range []struct {
		packed []byte
		sum    string
	}{
		{packedO200k, "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"},
		{packedCl100k, "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"},
	} {
		words, err := unpack(c.packed)
		if err != nil {
			t.Fatal(err)
		}
		texts := tokenTexts(words)
		lines := make([]string, words.number())
		for i := range lines {
			rank := words.ranks.at(i)
			lines[rank] = base64.StdEncoding.EncodeToString([]byte(texts[i])) + fmt.Sprintf(" %d\n", rank)
		}
		sum := sha256.Sum256([]byte(strings.Join(lines, "")))
		if hex.EncodeToString(sum[:]) != c.sum {
			t.Errorf("%d tokens spell a file with SHA-256 %x, want %s", words.number(), sum, c.sum)
		}
	}
}

func TestUnpackDamaged(t *testing.T) {
	for _, packed := range [][]byte{nil, []byte("x"), packedCl100k[:1000], packedCl100k[5:]} {
		if _, err := unpack(packed); err == nil {
			t.Errorf("%d damaged bytes are a vocabulary", len(packed))
		}
	}
}

// TestTokensAreOne asks for every token by its own text: it must be found in
// the trie, and its two halves must not be allowed to stay apart.
func TestTokensAreOne(t *testing.T) {
	for _, e := range []*encoder{loadO200k(), loadCl100k()} {
		words, err := unpack(map[Encoding][]byte{O200k: packedO200k, Cl100k: packedCl100k}[e.name])
		if err != nil {
			t.Fatal(err)
		}
		texts := tokenTexts(words)
		w := e.scratch.New().(*scratch)
		for i := range words.number() {
			rank := words.ranks.at(i)
			text := texts[i]
			e.begin()
			if e.trie.longest(text) != rank || e.encode(w, text) != 1 {
				t.Fatalf("%s: token %d %q is not found", e.name, rank, text)
			}
			if p := e.tokens[rank].pair(); len(text) > 1 && (e.valid(p) || e.merged(p) != rank) {
				t.Fatalf("%s: the halves of token %d %q don't merge", e.name, rank, text)
			}
		}
	}
}

// TestPatternsOfCl100k shows why it does not matter to a count which pattern of
// cl100k_base a counter has: they differ in whether white space after the last
// line break of a text is cut off, and no token reaches across that cut.
func TestPatternsOfCl100k(t *testing.T) {
	words, err := unpack(packedCl100k)
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range tokenTexts(words) {
		at := strings.LastIndexAny(token, "\r\n")
		if at < 0 || at == len(token)-1 {
			continue
		}
		// the first bytes of all white space but line breaks
		if strings.IndexByte("\t\v\f \xC2\xE1\xE2\xE3", token[at+1]) >= 0 {
			t.Errorf("token %q reaches from a line break into white space", token)
		}
	}
}

// TestClasses compares the class of every code point with what the Rust core of
// tiktoken 1.0.22 (Unicode 16.0) takes it for; the sum was made there. If a new
// Go release knows later characters this fails and unicode16.go has to say so.
func TestClasses(t *testing.T) {
	classes := loadClasses()
	all := make([]byte, unicode.MaxRune+1)
	for r := range all {
		all[r] = classes.of(rune(r))
		if r < utf8.RuneSelf && asciiClass[r] != all[r] {
			t.Errorf("the tables differ at %U", r)
		}
	}
	const want = "9c9efbeeadc8a796a719ea0d62efe1ad0ed220b4a738bd2f2ad00a0bac1f23c2"
	if sum := sha256.Sum256(all); hex.EncodeToString(sum[:]) != want {
		t.Errorf("classes have SHA-256 %x, want %s (Go's Unicode is %s)", sum, want, unicode.Version)
	}
}

// partition checks that splitting covers the bytes in order, each piece at
// least one byte, and that no character is cut.
func partition(t interface{ Fatalf(string, ...any) }, s string) {
	for _, e := range []*encoder{loadO200k(), loadCl100k()} {
		for i := 0; i < len(s); {
			end := e.splitAt(e.classes, s, i)
			if end <= i || end > len(s) {
				t.Fatalf("%s: piece from %d to %d of %q", e.name, i, end, s)
			}
			if end < len(s) && utf8.ValidString(s) && !utf8.RuneStart(s[end]) {
				t.Fatalf("%s: a character is cut at %d of %q", e.name, end, s)
			}
			i = end
		}
		n := e.count(s)
		if n < 0 || n > len(s) || (n == 0) != (s == "") {
			t.Fatalf("%s: %d tokens in %d bytes", e.name, n, len(s))
		}
	}
}

func TestPartition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if rapid.Bool().Draw(t, "text") {
			partition(t, rapid.String().Draw(t, "s"))
		} else {
			partition(t, string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")))
		}
	})
}

// TestInvalid: a byte that is not UTF-8 is a symbol of one byte.
func TestInvalid(t *testing.T) {
	for _, s := range []string{"\xff", "a\xffb", "\xe4\xb8", "中\xe4\xb8", "\xed\xa0\x80x", "\xf5\x80\x80\x80", "\xc0\xaf", strings.Repeat("\x80", 1000)} {
		partition(t, s)
	}
	if a, b := Count(O200k, "word\xffword"), Count(O200k, "word")+1; a < b {
		t.Errorf("%d tokens, want at least %d", a, b)
	}
}

// TestConcurrent counts the same texts from many goroutines.
func TestConcurrent(t *testing.T) {
	all := readGolden(t)
	var group sync.WaitGroup
	for k := range 8 {
		group.Go(func() {
			for i := range all {
				g := all[(i*7+k*13)%len(all)]
				if n := Count(O200k, g.Text); n != g.O200k {
					t.Errorf("%s: %d tokens, want %d", g.Name, n, g.O200k)
				}
				if n := Count(Cl100k, g.Text); n != g.Cl100k {
					t.Errorf("%s: %d tokens, want %d", g.Name, n, g.Cl100k)
				}
			}
		})
	}
	group.Wait()
}
