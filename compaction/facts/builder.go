package facts

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"palimpsest/compaction/summarize/redact"
	"palimpsest/model"
)

// builder grows an index message by message. It keeps no text. It is for one
// goroutine, and uses several itself.
type builder struct {
	ids   map[Fact]ID
	facts []Fact
	first []uint32 // message in which a fact was first lifted
	leads []string // the words before it there, of those that these explain
	kept  []secrecy
	book  *phrasebook
	stamp []uint32 // 1 + the message in which a fact was noted last
	place []uint32 // where in that message's list

	from    []uint32
	log     []ID
	marks   []Where
	authors []Author
	blocks  []uint32
}

// newBuilder starts an index.
func newBuilder() *builder {
	return &builder{ids: map[Fact]ID{}, book: &phrasebook{}, from: []uint32{0}, blocks: []uint32{0}}
}

// lift is what was found in one message of a batch.
type lift struct {
	known   []mark
	fresh   []freshFact // that had no ID when the batch began
	secrets []ID        // known facts that turned out to be secrets
}

// freshFact is a fact that was lifted for the first time, with what its message says of it.
type freshFact struct {
	Fact
	where   Where
	lead    string
	secrecy secrecy
}

// secrecy is what is known of whether a fact is a password or a key.
type secrecy uint8

const (
	noSecret secrecy = iota // it is not written like one
	mayBeOne                // it is written like one
	isSecret                // a text around it shows that it is one
)

// secrecyOf looks at a fact in one of its places.
func secrecyOf(f *Lifted) secrecy {
	switch {
	case !f.Kind.Atom() && f.Kind != Quoted || !redact.MadeUp(f.Text):
		return noSecret
	case f.secret():
		return isSecret
	}
	return mayBeOne
}

// mark is a fact and where in a message it occurs.
type mark struct {
	id    ID
	where Where
}

// add appends messages to the history. It returns the error of ctx.
func (b *builder) add(ctx context.Context, batch []Message) error {
	lifts := make([]lift, len(batch))
	if err := each(ctx, len(batch), func(i int) { lifts[i] = b.lift(&batch[i]) }); err != nil {
		return err
	}
	base := len(b.authors)
	known := len(b.facts)
	lists := make([][]mark, len(batch))
	for i := range lifts {
		lists[i] = b.name(base+i, &lifts[i])
	}
	var more []phrase
	for id := known; id < len(b.facts); id++ {
		if f := b.facts[id]; !f.Kind.Atom() && len(f.Text) >= shortPhrase {
			more = append(more, phrase{text: f.Text, id: ID(id)})
		}
	}
	book := b.book
	if len(more) > 0 {
		book = book.with(more)
	}
	again := make([][]mark, len(batch))
	err := each(ctx, len(batch), func(i int) { again[i] = b.phrases(book, base+i, &batch[i]) })
	if err != nil {
		return err
	}
	b.book = book
	for i := range batch {
		b.note(base+i, &batch[i], lists[i], again[i])
	}
	return nil
}

// lift extracts from one message. It only reads, so several may run at once.
func (b *builder) lift(m *Message) (l lift) {
	at, fresh := map[ID]int{}, map[Fact]int{}
	Lift(m, func(f Lifted) {
		id, ok := b.ids[f.key()]
		if !ok {
			k, ok := fresh[f.key()]
			if !ok {
				k = len(l.fresh)
				fresh[f.key()] = k
				l.fresh = append(l.fresh, freshFact{Fact: Fact{f.Kind, strings.Clone(f.Text)}})
				if led(f.Fact) {
					l.fresh[k].lead = strings.Clone(lead(f.before()))
				}
			}
			l.fresh[k].where |= f.Where
			l.fresh[k].secrecy = max(l.fresh[k].secrecy, secrecyOf(&f))
			return
		}
		if b.kept[id] == mayBeOne && f.secret() {
			l.secrets = append(l.secrets, id)
		}
		k, ok := at[id]
		if !ok {
			k = len(l.known)
			at[id] = k
			l.known = append(l.known, mark{id: id})
		}
		l.known[k].where |= f.Where
	})
	return l
}

// name assigns IDs to new facts and writes the list of message msg.
func (b *builder) name(msg int, l *lift) []mark {
	list := l.known
	for _, id := range l.secrets {
		b.kept[id] = isSecret
	}
	for _, f := range l.fresh {
		id, ok := b.ids[f.key()]
		if !ok {
			id = ID(len(b.facts))
			b.ids[f.key()] = id
			b.facts = append(b.facts, f.Fact)
			b.first = append(b.first, uint32(msg))
			b.leads = append(b.leads, f.lead)
			b.kept = append(b.kept, f.secrecy)
			b.stamp = append(b.stamp, 0)
			b.place = append(b.place, 0)
		}
		if b.stamp[id] != uint32(msg)+1 {
			b.stamp[id], b.place[id] = uint32(msg)+1, uint32(len(list))
			list = append(list, mark{id: id})
		}
		list[b.place[id]].where |= f.where
		b.kept[id] = max(b.kept[id], f.secrecy)
	}
	return list
}

// phrases finds phrases in a message that were lifted from earlier ones.
func (b *builder) phrases(book *phrasebook, msg int, m *Message) []mark {
	var found []mark
	at := map[ID]int{}
	texts(m, func(where Where, s string) {
		book.find(s, func(id ID) {
			if b.first[id] >= uint32(msg) {
				return
			}
			k, ok := at[id]
			if !ok {
				k = len(found)
				at[id] = k
				found = append(found, mark{id: id})
			}
			found[k].where |= where
		})
	})
	return found
}

// texts calls yield with the texts of a message, as they are lifted from.
func texts(m *Message, yield func(Where, string)) {
	for i := range m.Parts {
		switch p := &m.Parts[i]; {
		case p.Kind == model.PartText:
			yield(InText, p.Text)
		case p.Kind == model.PartReasoning:
			yield(InReasoning, p.Text)
		case p.Kind == model.PartCall && jsonLike(p.Text):
			jsonStrings(p.Text, false, func(_, v string) { yield(InCall, v) })
		case p.Kind == model.PartCall:
			yield(InCall, p.Text)
		case p.Kind == model.PartResult && jsonLike(p.Text):
			jsonStrings(p.Text, true, func(_, v string) { yield(InResult, v) })
		case p.Kind == model.PartResult:
			yield(InResult, p.Text)
		}
	}
}

// note writes a message's facts into the log.
func (b *builder) note(msg int, m *Message, lifted, again []mark) {
	begin := len(b.log)
	for _, list := range [][]mark{lifted, again} {
		for _, k := range list {
			at := begin + int(b.place[k.id])
			if b.stamp[k.id] != uint32(msg)+1 || at >= len(b.log) || b.log[at] != k.id {
				b.stamp[k.id], b.place[k.id] = uint32(msg)+1, uint32(len(b.log)-begin)
				at = len(b.log)
				b.log, b.marks = append(b.log, k.id), append(b.marks, 0)
			}
			b.marks[at] |= k.where
		}
	}
	b.from = append(b.from, uint32(len(b.log)))
	b.authors = append(b.authors, m.Author)
	b.blocks = append(b.blocks, b.blocks[len(b.blocks)-1]+uint32(len(m.Parts)))
}

// each runs work for 0 … n-1 on all processors.
func each(ctx context.Context, n int, work func(i int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(i)
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("facts: %w", err)
	}
	return nil
}

// batchBytes is how much text is held at once while an index is built.
const batchBytes = 4 << 20

// Build makes the index of a history of n messages. read decodes message i; it is
// called from one goroutine, in order, and its texts are held no longer than a
// batch of some megabytes. Errors are those of read and of ctx.
func Build(ctx context.Context, n int, read func(i int) (Message, error)) (*Index, error) {
	return build(ctx, n, read, batchBytes)
}

func build(ctx context.Context, n int, read func(i int) (Message, error), batchBytes int) (*Index, error) {
	b := newBuilder()
	var batch []Message
	size := 0
	for i := range n {
		m, err := read(i)
		if err != nil {
			return nil, fmt.Errorf("facts: message %d: %w", i, err)
		}
		batch = append(batch, m)
		for k := range m.Parts {
			size += len(m.Parts[k].Text)
		}
		if size >= batchBytes || i == n-1 {
			if err := b.add(ctx, batch); err != nil {
				return nil, err
			}
			batch, size = nil, 0
		}
	}
	return b.index(), nil
}
