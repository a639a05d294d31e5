package tokens

import (
	"fmt"
	"sync"
)

// Encoding names a vocabulary with its splitting pattern.
type Encoding string

// The encodings that are counted exactly.
const (
	O200k  Encoding = "o200k_base"
	Cl100k Encoding = "cl100k_base"
)

// encoder is an encoding, loaded.
type encoder struct {
	name    Encoding
	splitAt splitter
	classes *classPages
	*vocabulary
	scratch sync.Pool
}

var (
	loadO200k  = sync.OnceValue(func() *encoder { return newEncoder(O200k, packedO200k, endO200k) })
	loadCl100k = sync.OnceValue(func() *encoder { return newEncoder(Cl100k, packedCl100k, endCl100k) })
)

func newEncoder(name Encoding, packed []byte, split splitter) *encoder {
	v, err := newVocabulary(packed)
	if err != nil {
		// The bytes are part of the program: only a broken build comes here.
		panic(fmt.Sprintf("tokens: embedded vocabulary %s: %v", name, err))
	}
	e := &encoder{name: name, splitAt: split, classes: loadClasses(), vocabulary: v}
	e.scratch.New = func() any { return new(scratch) }
	return e
}

// encoder returns the loaded encoding; an unknown name means O200k.
func (e Encoding) encoder() *encoder {
	if e == Cl100k {
		return loadCl100k()
	}
	return loadO200k()
}

// Count is the number of tokens of the text in the encoding, exactly as
// openai/tiktoken's encode_ordinary has it. An unknown encoding counts as O200k.
func Count(e Encoding, text string) int { return e.encoder().count(text) }

func (e *encoder) count(s string) int {
	w := e.scratch.Get().(*scratch)
	defer e.scratch.Put(w)
	return e.countWith(w, s)
}

// countWith is count with a scratch that nobody else has.
func (e *encoder) countWith(w *scratch, s string) (total int) {
	for i := 0; i < len(s); {
		end := e.splitAt(e.classes, s, i)
		switch n := end - i; {
		case n == 1:
			total++
		case n <= maxShort:
			key := uint64(n)<<shortLength | shortBytes(s, i, end)
			slot := &w.short[key*hashFactor>>(64-shortBits)]
			if *slot&(1<<shortCount-1) != key {
				*slot = key | uint64(e.mergeShort(s[i:end]))<<shortCount
			}
			total += int(*slot >> shortCount)
		case n <= maxMedium:
			head := load64(s, i)
			key := uint64(n-maxShort)<<shortLength | load64(s, end-8)>>(128-8*n)
			set := &w.medium[(head*hashFactor+key*hashFactor2)>>(65-mediumBits)]
			if set[0].head != head || set[0].rest&(1<<mediumCount-1) != key {
				first := set[1]
				if first.head != head || first.rest&(1<<mediumCount-1) != key {
					first = mediumSlot{head, key | uint64(e.encode(w, s[i:end]))<<mediumCount}
				}
				set[0], set[1] = first, set[0]
			}
			total += int(set[0].rest >> mediumCount)
		default:
			total += e.encode(w, s[i:end])
		}
		i = end
	}
	return total
}
