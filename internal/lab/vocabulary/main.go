// Command vocabulary repacks OpenAI's vocabulary files for package tokens.
//
// It reads the *.tiktoken files that the module
// github.com/pkoukk/tiktoken-go-loader embeds, refuses a file whose SHA-256 is
// not the one that openai/tiktoken publishes, and writes
// model/tokens/vocab/NAME.zst in the layout that package vocab describes. Run it with
// "go generate ./model/tokens".
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// expected holds the hashes that openai/tiktoken checks its downloads against
// (tiktoken_ext/openai_public.py).
var expected = map[string]string{
	"o200k_base":  "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
	"cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}

func main() {
	log.SetFlags(0)
	for name, sum := range expected {
		tokens, err := read(name, sum)
		if err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		packed, err := pack(tokens)
		if err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		path := filepath.Join("model", "tokens", "vocab", name+".zst")
		if err := os.WriteFile(path, packed, 0o644); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %d tokens, %d bytes, sha256 %x\n", path, len(tokens), len(packed), sha256.Sum256(packed))
	}
}

// read returns the tokens of a vocabulary in the order of their ranks.
func read(name, sum string) ([]string, error) {
	file, err := assets.Assets.ReadFile(name + ".tiktoken")
	if err != nil {
		return nil, err
	}
	if h := sha256.Sum256(file); hex.EncodeToString(h[:]) != sum {
		return nil, fmt.Errorf("SHA-256 is %x, expected %s", h, sum)
	}
	var tokens []string
	for line := range strings.Lines(string(file)) {
		text, rank, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || rank != strconv.Itoa(len(tokens)) {
			return nil, fmt.Errorf("line %d: ranks are not 0, 1, 2 …", len(tokens)+1)
		}
		token, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(tokens)+1, err)
		}
		tokens = append(tokens, string(token))
	}
	return tokens, nil
}

// pack writes the tokens in byte order, each as the number of bytes it shares
// with the one before and the rest, so that a trie can be built without sorting.
func pack(tokens []string) ([]byte, error) {
	ranks := make(map[string]int, len(tokens))
	for rank, token := range tokens {
		ranks[token] = rank
	}
	order := make([]int, len(tokens))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(tokens[a], tokens[b]) })

	var columns [9][]byte // shared, extra, cut, then rank and right by byte from the lowest
	var rest []byte
	before := ""
	for _, rank := range order {
		token := tokens[rank]
		cut, err := lastMerge(token, ranks)
		if err != nil {
			return nil, err
		}
		right := ranks[token[cut:]] // itself if it is a single byte
		shared := 0
		for shared < min(len(before), len(token)) && before[shared] == token[shared] {
			shared++
		}
		rest = append(rest, token[shared:]...)
		row := [...]byte{byte(shared), byte(len(token) - shared), byte(cut),
			byte(rank), byte(rank >> 8), byte(rank >> 16), byte(right), byte(right >> 8), byte(right >> 16)}
		for i, b := range row {
			columns[i] = append(columns[i], b)
		}
		before = token
	}
	n := len(tokens)
	raw := []byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}
	raw = append(raw, bytes.Join(columns[:], nil)...)
	raw = append(raw, rest...)

	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return nil, err
	}
	return enc.EncodeAll(raw, nil), nil
}

// lastMerge encodes the token's own bytes and returns the length of the left part
// in the merge that makes the token; 0 for a single byte. The counter relies on
// every token being reachable by merges, so one that is not is an error.
func lastMerge(token string, ranks map[string]int) (int, error) {
	if len(token) == 1 {
		return 0, nil
	}
	if len(token) > 255 {
		return 0, fmt.Errorf("token of %d bytes", len(token))
	}
	ends := make([]int, len(token)+1) // 0 and the end of every part
	for i := range ends {
		ends[i] = i
	}
	for len(ends) > 3 {
		best, at := -1, 0
		for i := 0; i+2 < len(ends); i++ {
			if r, ok := ranks[token[ends[i]:ends[i+2]]]; ok && (best < 0 || r < best) {
				best, at = r, i
			}
		}
		if best < 0 {
			return 0, fmt.Errorf("token %q is not reachable by merges", token)
		}
		ends = slices.Delete(ends, at+1, at+2)
	}
	return ends[1], nil
}
