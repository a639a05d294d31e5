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

// pieces are parts of texts, and the facts that each holds: summaries of one history are
// mostly of the same lines, and new lines of the same names.
type pieces struct {
	mu   sync.RWMutex
	of   map[string][]ID
	size int // bytes in it, about
}

// mostKnown is how many bytes are kept of pieces; then they begin anew.
const mostKnown = 8 << 20

// find returns the facts of a piece; ok is false where it is not known.
func (p *pieces) find(piece string) (ids []ID, ok bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	ids, ok = p.of[piece]
	return ids, ok
}

// keep keeps pieces.
func (p *pieces) keep(fresh map[string][]ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for piece, ids := range fresh {
		size := len(piece) + 4*len(ids) + 48
		if p.size += size; p.of == nil || p.size > mostKnown {
			p.of, p.size = map[string][]ID{}, size
		}
		p.of[piece] = ids
	}
}

func (p *pieces) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of, p.size = nil, 0
}

// inLines are the facts of a text, some of them several times. No fact goes beyond its
// line, but for the paths of groups, and what is lifted there depends on no other line. It is
// for the standard extractor.
func (l *lifted) inLines(x *Index, text string) (out []ID) {
	var fresh map[string][]ID
	for i := 0; i < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
			end = i + n
		}
		line := text[max(0, i-1):min(len(text), end+1)] // with the breaks around it
		ids, ok := l.lines.find(line)
		if !ok {
			ids = l.inLine(x, line)
			if fresh == nil {
				fresh = map[string][]ID{}
			}
			fresh[strings.Clone(line)] = ids
		}
		out = append(out, ids...)
		i = end + 1
	}
	Grouped(text, func(t string, _, _ int) {
		if id, ok := idOf(x, Fact{Path, t}); ok && wholePath(t) {
			out = append(out, id)
		}
	})
	l.lines.keep(fresh)
	return out
}

// inLine are the facts of a line, some of them several times.
func (l *lifted) inLine(x *Index, s string) (out []ID) {
	yield := func(k Kind, t string) {
		if id, ok := idOf(x, Fact{k, t}.key()); ok {
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
		ids, ok := l.words.find(word)
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
	l.words.keep(fresh)
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
