package facts

import (
	"strings"
	"sync"

	"palimpsest/model"
)

// textMessage is a text as a message without an author: atoms are lifted from it
// and nothing is judged.
func textMessage(s string) *Message {
	return &Message{Author: Tool, Parts: []model.Part{{Kind: model.PartText, Text: s}}}
}

// known are pieces of texts, and the facts that each holds: summaries of one history are
// mostly of the same lines, and new lines of the same names.
type known struct {
	mu   sync.RWMutex
	of   map[string][]ID
	size int // bytes in it, about
}

// mostKnown is how many bytes are kept of pieces; then they begin anew.
const mostKnown = 8 << 20

// find returns the facts of a piece; ok is false where it is not known.
func (k *known) find(piece string) (ids []ID, ok bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	ids, ok = k.of[piece]
	return ids, ok
}

// keep keeps pieces.
func (k *known) keep(fresh map[string][]ID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for piece, ids := range fresh {
		size := len(piece) + 4*len(ids) + 48
		if k.size += size; k.of == nil || k.size > mostKnown {
			k.of, k.size = map[string][]ID{}, size
		}
		k.of[piece] = ids
	}
}

func (k *known) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.of, k.size = nil, 0
}

// factsInLines are the facts of a text, some of them several times. No fact goes beyond its
// line, but for the paths of groups, and what is lifted there depends on no other line. It is
// for the standard extractor.
func (x *Index) factsInLines(text string) (out []ID) {
	var fresh map[string][]ID
	for i := 0; i < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
			end = i + n
		}
		line := text[max(0, i-1):min(len(text), end+1)] // with the breaks around it
		ids, ok := x.texts.lines.find(line)
		if !ok {
			ids = x.factsInLine(line)
			if fresh == nil {
				fresh = map[string][]ID{}
			}
			fresh[strings.Clone(line)] = ids
		}
		out = append(out, ids...)
		i = end + 1
	}
	Grouped(text, func(t string, _, _ int) {
		if id, ok := x.known(Fact{Path, t}); ok && wholePath(t) {
			out = append(out, id)
		}
	})
	x.texts.lines.keep(fresh)
	return out
}

// factsInLine are the facts of a line, some of them several times.
func (x *Index) factsInLine(s string) (out []ID) {
	yield := func(k Kind, t string) {
		if id, ok := x.known(Fact{k, t}.key()); ok {
			out = append(out, id)
		}
	}
	fresh := map[string][]ID{}
	for i := 0; i < len(s); {
		end := wordAlone(s, i)
		if end == 0 {
			i = atom(s, i, yield)
			continue
		}
		word := s[i:end]
		ids, ok := x.texts.words.find(word)
		if !ok {
			before := len(out)
			atom(s, i, yield)
			ids = append([]ID(nil), out[before:]...)
			out = out[:before]
			fresh[strings.Clone(word)] = ids
		}
		out = append(out, ids...)
		i = end
	}
	x.texts.words.keep(fresh)
	x.book.find(s, func(id ID) { out = append(out, id) })
	return out
}

// wordAlone is the end of a word that begins at i, where spaces or ends of the text are
// around it, it is one token and no figure: what is lifted from it depends on nothing else;
// 0: there is none.
func wordAlone(s string, i int) int {
	if i > 0 && s[i-1] != ' ' && s[i-1] != '\n' || class[s[i]]&(lower|upper) == 0 && strings.IndexByte("/._@", s[i]) < 0 {
		return 0
	}
	for j := i; ; j++ {
		switch {
		case j == len(s) || s[j] == ' ' || s[j] == '\n':
			return j
		case class[s[j]] == 0 || s[j] == '.' && j > i && s[j-1] == '.' || j-i > tokenBytes:
			return 0
		}
	}
}
