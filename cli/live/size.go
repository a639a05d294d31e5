package live

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"palimpsest/compaction/session"
	"palimpsest/model"
)

// A request is measured as a document is: message by message, in the vocabulary of
// its model. A request brings the messages of the one before it again, so only
// what is new is counted.

// size is how much a request holds.
type size struct {
	tokens   int // of all
	counted  int // of all, before it was fitted to what the server reports
	fixed    int // of these, the definitions of tools, which no message holds
	messages int
}

// sizes remembers what was counted, by vocabulary and by what a message says.
type sizes struct {
	recent[sizeKey, size]
	models recent[string, model.Policy] // by the name of a model
	calls  recent[[32]byte, measured]   // the last one of each session, by its root
}

// measured is the last request of a session that was answered, or refused as too long: its size
// by our own count and as the server reports it, and how many tokens the server counts for each
// that we count more. What a server adds by itself is in its report and not in the slope.
type measured struct {
	counted, reported int
	slope             float64
}

// Below leastRatio the server reports something else, as where it counts only what its cache did
// not hold; beyond mostRatio for each token and mostAdded it is a fault.
const (
	leastRatio = 0.4
	usualRatio = 3.0 // the most for a first call, whose report may be mostly what the server adds
	mostRatio  = 8.0
	mostAdded  = 100_000
)

// then is what is known after a further call.
func (m measured) then(counted, reported int) measured {
	if counted <= 0 || float64(reported) < leastRatio*float64(counted) || float64(reported) > mostRatio*float64(counted)+mostAdded {
		return measured{slope: 1}
	}
	slope := min(float64(reported)/float64(counted), usualRatio)
	if grown := counted - m.counted; m.reported > 0 && max(grown, -grown) >= counted/20 {
		slope = float64(reported-m.reported) / float64(grown)
	} else if m.reported > 0 {
		slope = m.slope
	}
	return measured{counted, reported, min(max(slope, leastRatio), mostRatio)}
}

// of is what the server will report of a request: what it reported of the last one, and what was
// added since.
func (m measured) of(counted int) int {
	if m.reported == 0 {
		return counted
	}
	slope, grown := m.slope, counted-m.counted
	if grown > 0 {
		slope = max(slope, 1)
	}
	return max(m.reported+int(slope*float64(grown)), int(leastRatio*float64(counted)))
}

// ratio is tokens as the server counts them for each of ours that a request has.
func (m measured) ratio() float64 {
	if m.reported == 0 {
		return 1
	}
	return float64(m.reported) / float64(m.counted)
}

// answered takes over what a server says of a session's call that was measured.
func (z *sizes) answered(session [32]byte, s size, reported int) measured {
	last, _ := z.calls.get(session)
	if s.counted > 0 {
		last = last.then(s.counted, reported)
		z.calls.put(session, last)
	}
	return last
}

type sizeKey struct {
	model, api string
	sum        [32]byte
}

// of measures the pieces of a request, with what is beside them.
func (z *sizes) of(ctx context.Context, c *Compactor, b *body, pieces []piece) (all size, err error) {
	var missing []counted
	add := func(k sizeKey, spell func() []byte) {
		if s, ok := z.get(k); ok {
			all.tokens, all.messages = all.tokens+s.tokens, all.messages+s.messages
		} else {
			missing = append(missing, counted{key: k, raw: spell()})
		}
	}
	for _, p := range pieces {
		if p.Msg >= 0 {
			add(sizeKey{b.model, b.api.name, b.sums[p.Msg]}, b.items[p.Msg].Raw)
		} else {
			add(sizeKey{b.model, b.api.name, sha256.Sum256(p.Text)}, func() []byte { return p.Text })
		}
	}
	if len(missing) > 0 {
		if err := c.count(ctx, b, missing); err != nil {
			return all, err
		}
		for _, m := range missing {
			z.put(m.key, m.size)
			all.tokens, all.messages = all.tokens+m.size.tokens, all.messages+m.size.messages
		}
	}
	beside, err := z.beside(ctx, c, b)
	all.tokens, all.fixed, all.messages = all.tokens+beside.tokens, beside.fixed, all.messages+beside.messages
	return all, err
}

// counted is an element to be counted.
type counted struct {
	key  sizeKey
	raw  []byte
	size size
}

// mostAtOnce bounds how much of a request is copied to be measured.
const mostAtOnce = 4 << 20

// count measures elements, a few megabytes at a time.
func (c *Compactor) count(ctx context.Context, b *body, list []counted) error {
	for from := 0; from < len(list); {
		to, n := from, 0
		for to < len(list) && (to == from || n+len(list[to].raw) <= mostAtOnce) {
			n += len(list[to].raw)
			to++
		}
		if err := c.countSome(ctx, b, list[from:to]); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// countSome measures elements as the messages of a request of their own.
func (c *Compactor) countSome(ctx context.Context, b *body, list []counted) error {
	var doc bytes.Buffer
	whole := 4 << 10
	for _, m := range list {
		whole += len(m.raw) + 1
	}
	doc.Grow(whole)
	name, err := json.Marshal(b.model)
	if err != nil {
		return err
	}
	fmt.Fprintf(&doc, `{"model":%s,%q:[`, name, b.api.messages)
	starts := make([]int64, len(list))
	for i, m := range list {
		if i > 0 {
			doc.WriteByte(',')
		}
		starts[i] = int64(doc.Len())
		doc.Write(m.raw)
	}
	doc.WriteString("]}")
	s, f, err := c.small(ctx, b.api, doc.Bytes())
	if err != nil {
		return err
	}
	defer f.Close()
	t := s.Thread()
	for _, stored := range t.History {
		m := &t.Messages[stored]
		if len(m.Pieces) == 0 {
			continue
		}
		i, found := slices.BinarySearch(starts, m.Pieces[0].Off)
		if !found {
			i--
		}
		if i >= 0 {
			list[i].size.tokens += s.Tokens(stored)
			list[i].size.messages++
		}
	}
	return nil
}

// small opens a request that was made to be measured.
func (c *Compactor) small(ctx context.Context, a *api, raw []byte) (*session.Session, *session.File, error) {
	f, err := c.Open(ctx, Source{Path: "request", Bytes: raw, Format: a.format})
	s, err := mainThread(ctx, f, err)
	return s, f, err
}

// hello is a request with one message.
func hello(a *api, name string) []byte {
	m, _ := json.Marshal(name) // a string can be spelled
	says := `"content":"Hello"`
	if a == geminiAPI {
		says = `"parts":[{"text":"Hello"}]`
	}
	return fmt.Appendf(nil, `{"model":%s,%q:[{"role":"user",%s}]}`, m, a.messages, says)
}

// beside measures the system prompt and the definitions of tools.
func (z *sizes) beside(ctx context.Context, c *Compactor, b *body) (size, error) {
	h := sha256.New()
	h.Write(b.system.Raw())
	h.Write([]byte{0})
	h.Write(b.tools.Raw())
	k := sizeKey{model: b.model, api: "beside " + b.api.name}
	h.Sum(k.sum[:0])
	if s, ok := z.get(k); ok {
		return s, nil
	}
	s, f, err := c.small(ctx, b.api, hello(b.api, b.model))
	if err != nil {
		return size{}, err
	}
	defer f.Close()
	out := size{}
	if text := wholeText(b.system); text != "" {
		out.tokens, out.messages = s.CountText(text), 1
	}
	if b.hasTools() {
		out.fixed = s.CountText(string(b.tools.Raw()))
		out.tokens += out.fixed
	}
	z.put(k, out)
	return out, nil
}
