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

// knownWords are words of texts, and the facts that each holds as an atom: summaries of one
// history are mostly of the same names. It is for the standard extractor.
type knownWords struct {
	mu sync.RWMutex
	of map[string][]ID
}

// mostWords is how many are kept; then it begins anew.
const mostWords = 1 << 16

// lift appends to out the facts that are atoms of a text. fact finds one that is in no
// known word, and appends it.
func (w *knownWords) lift(s string, out *[]ID, fact func(Fact)) {
	yield := func(k Kind, t string) { fact(Fact{k, t}.key()) }
	fresh := map[string][]ID{}
	w.mu.RLock()
	for i := 0; i < len(s); {
		end := wordAlone(s, i)
		if end == 0 {
			i = atom(s, i, yield)
			continue
		}
		ids, known := w.of[s[i:end]]
		if !known {
			ids, known = fresh[s[i:end]]
		}
		if !known {
			before := len(*out)
			atom(s, i, yield)
			ids = append([]ID(nil), (*out)[before:]...)
			*out = (*out)[:before]
			fresh[strings.Clone(s[i:end])] = ids
		}
		*out = append(*out, ids...)
		i = end
	}
	w.mu.RUnlock()
	Grouped(s, func(t string, _, _ int) {
		if wholePath(t) {
			yield(Path, t)
		}
	})
	w.keep(fresh)
}

// keep keeps words.
func (w *knownWords) keep(fresh map[string][]ID) {
	if len(fresh) == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of == nil || len(w.of)+len(fresh) > mostWords {
		w.of = map[string][]ID{}
	}
	for word, ids := range fresh {
		w.of[word] = ids
	}
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
