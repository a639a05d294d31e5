package tokens

import (
	"os"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"pgregory.net/rapid"
)

// peers are the encodings as pkoukk/tiktoken-go has them: an independent,
// exact and slow counter. Its cl100k_base has the older pattern, which gives
// the same counts (see TestPatternsOfCl100k).
var peers = sync.OnceValue(func() map[Encoding]*tiktoken.Tiktoken {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	m := make(map[Encoding]*tiktoken.Tiktoken)
	for _, e := range []Encoding{O200k, Cl100k} {
		t, err := tiktoken.GetEncoding(string(e))
		if err != nil {
			panic(err)
		}
		m[e] = t
	}
	return m
})

// peerKnows reports whether the peer is right about the text: its Unicode is
// Go's, older than tiktoken's, it takes ſ for another letter than s, and it
// replaces bytes that are not UTF-8.
func peerKnows(s string) bool {
	if !utf8.ValidString(s) || strings.Contains(s, "'ſ") {
		return false
	}
	for _, r := range s {
		for _, n := range newer {
			if r >= n.lo && r <= n.hi {
				return false
			}
		}
	}
	return true
}

func comparePeer(t interface{ Errorf(string, ...any) }, s string) {
	for e, peer := range peers() {
		if got, want := Count(e, s), len(peer.EncodeOrdinary(s)); got != want {
			t.Errorf("%s: %d tokens, the peer has %d, in %.200q", e, got, want, s)
		}
	}
}

// TestRealStrings compares with the peer on strings of real transcripts: every
// 10th, or all of them if TOKENS_ALL is set. Long ones are cut, for the peer
// takes time with the square of a run's length.
func TestRealStrings(t *testing.T) {
	all := realStrings(t)
	step := 10
	if os.Getenv("TOKENS_ALL") != "" {
		step = 1
	}
	n, bytes := 0, 0
	for i := 0; i < len(all); i += step {
		s := all[i]
		if len(s) > 20_000 {
			s = strings.ToValidUTF8(s[:20_000], "")
		}
		if peerKnows(s) {
			comparePeer(t, s)
			n++
			bytes += len(s)
		}
	}
	t.Logf("%d strings, %d bytes", n, bytes)
}

// TestRandomTexts compares with the peer on texts of runs that each are of one
// kind: words in all cases, numbers, symbols, white space, Chinese, base64, any
// characters.
func TestRandomTexts(t *testing.T) {
	letters := []rune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZéßДжǅʰªあア한中文")
	run := rapid.OneOf(
		rapid.StringOfN(rapid.SampledFrom(letters), 1, 12, -1),
		rapid.StringOfN(rapid.RuneFrom([]rune("0123456789abcdefABCDEFGxyz+/=")), 1, 40, -1),
		rapid.StringOfN(rapid.SampledFrom([]rune(" \t\n\r\u00a0\u3000")), 1, 20, -1),
		rapid.StringOfN(rapid.SampledFrom([]rune("!'\"#$%&()*+,-./:;<=>?@[]^_`{|}~´€😀")), 1, 10, -1),
		rapid.StringOfN(rapid.RuneFrom(nil, unicode.Han), 1, 30, -1),
		rapid.SampledFrom([]string{"'s", "'LL", " don't", "://", "\r\n    ", "import ", "\u0301"}),
		rapid.StringN(1, 8, -1),
	)
	texts := rapid.SliceOfN(run, 1, 20)
	rapid.Check(t, func(t *rapid.T) {
		if s := strings.Join(texts.Draw(t, "runs"), ""); peerKnows(s) {
			comparePeer(t, s)
		}
	})
}

// FuzzCount compares with the peer on whatever the fuzzer finds.
func FuzzCount(f *testing.F) {
	for _, g := range readGolden(f) {
		if len(g.Text) < 2_000 {
			f.Add(g.Text)
		}
	}
	partition(f, "")
	comparePeer(f, "loads its tables") // which under the fuzzer takes longer than the 10 s of an input
	f.Fuzz(func(t *testing.T, s string) {
		partition(t, s)
		if len(s) < 5_000 && peerKnows(s) {
			comparePeer(t, s)
		}
	})
}
