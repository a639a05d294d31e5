package summarize

import (
	"context"
	"fmt"
	"sort"
)

// page is a whole summary, ready to be written.
type page struct {
	d       *digest
	earlier earlier
	gone    gone
	views   []*view
}

// gone counts the oldest blocks, which are left out.
type gone struct {
	blocks, turns    int
	first, last      int // message numbers
	fromTurn, toTurn int
	fromStep, toStep int // 0: no steps
	calls, failed    int
	stepCount        int
}

// layout writes a summary in one form.
type layout interface {
	block(v *view) string        // one block, as it is printed
	section(e earlier) string    // the section of former summaries
	omitted(g *gone) string      // the count of what is left out
	page(p *page) string         // everything, heading included
	least(m, formers int) string // the shortest honest text
	gap() int                    // code points that join two blocks
}

// fitter fills a page.
type fitter struct {
	d    *digest
	lay  layout
	m    measure
	full []*view
	cost []int // of the full views
	low  []int // of the shortest views
}

// fit writes the digest within the budget. The finished text is measured; when
// it is too long, since tokens of parts do not add up, the page is filled
// again with less.
func fit(ctx context.Context, d *digest, lay layout, m measure) (string, error) {
	f := &fitter{d: d, lay: lay, m: m}
	return f.fit(ctx, m.limit)
}

// fit is fit within a limit; blocks are priced once.
func (f *fitter) fit(ctx context.Context, limit int) (string, error) {
	f.m.limit = limit
	d, lay, m := f.d, f.lay, f.m
	if f.full == nil {
		if err := f.price(ctx); err != nil {
			return "", err
		}
	}
	if !m.bounded() {
		return lay.page(&page{d: d, earlier: carry(d, m.limit, f.sectionSize), views: f.full}), nil
	}
	room := m.limit
	for try := 0; try < 12 && room > 0; try++ {
		p, err := f.fill(ctx, room)
		if err != nil {
			return "", err
		}
		text := lay.page(p)
		size := m.size(text)
		if size <= m.limit {
			return text, nil
		}
		room -= size - m.limit + 1
		if try > 2 {
			room -= room / 10 // the parts and the whole are counted too differently
		}
	}
	bare := &page{d: d, gone: d.goneUpTo(len(d.blocks)), earlier: earlier{left: d.formerLines()}}
	if text := lay.page(bare); m.fits(text) {
		return text, nil
	}
	return lay.least(d.messages, len(d.formers)), nil
}

func (d *digest) formerLines() int {
	n := 0
	for i := range d.formers {
		n += d.formers[i].left + len(d.formers[i].lines)
	}
	return n
}

// price measures every block at its longest and its shortest.
func (f *fitter) price(ctx context.Context) error {
	f.full = make([]*view, len(f.d.blocks))
	f.cost = make([]int, len(f.d.blocks))
	f.low = make([]int, len(f.d.blocks))
	for i, b := range f.d.blocks {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("summarize: %w", err)
		}
		f.full[i] = b.view(f.d.w, whole)
		if !f.m.bounded() {
			continue
		}
		f.cost[i] = f.size(f.full[i])
		f.low[i] = min(f.cost[i], f.size(b.view(f.d.w, least)))
	}
	return nil
}

func (f *fitter) size(v *view) int { return f.d.memory.size(f.lay.block(v), f.m) + f.lay.gap() }

func (f *fitter) sectionSize(e earlier) int {
	if len(e.lines) == 0 && e.left == 0 {
		return 0
	}
	return f.m.size(f.lay.section(e)) + f.lay.gap()
}

// fill shares room between the former summaries and the blocks. The former
// summaries get half at most, or what the blocks leave; the blocks that can be
// shown, from the newest back, get equal slices, and what one leaves unused goes
// to older ones.
func (f *fitter) fill(ctx context.Context, room int) (*page, error) {
	d := f.d
	p := &page{d: d}
	room -= f.m.size(f.lay.page(p))
	want := 0
	for _, c := range f.cost {
		want += c
	}
	if len(d.formers) > 0 && room > 0 {
		p.earlier = carry(d, max(room/2, room-want), f.sectionSize)
		room -= f.sectionSize(p.earlier)
	}
	start := f.firstShown(room)
	if start > 0 {
		p.gone = d.goneUpTo(start)
		room -= f.goneSize(p.gone)
	}
	slices := f.slices(start, room)
	p.views = make([]*view, len(d.blocks)-start)
	spare := 0
	for i := len(d.blocks) - 1; i >= start; i-- {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("summarize: %w", err)
		}
		v, used := f.best(i, slices[i-start]+spare)
		p.views[i-start] = v
		spare += slices[i-start] - used
	}
	return p, nil
}

// goneSize is what the line about blocks left out takes.
func (f *fitter) goneSize(g gone) int { return f.m.size(f.lay.omitted(&g)) + f.lay.gap() }

// firstShown finds the first block that can be shown: all if their shortest views
// fit, else the newest that fit together with the line about the others.
func (f *fitter) firstShown(room int) int {
	n := len(f.d.blocks)
	sum := 0
	for _, c := range f.low {
		sum += c
	}
	if sum <= room {
		return 0
	}
	room -= f.goneSize(f.d.goneUpTo(n))
	for n > 0 && f.low[n-1] <= room {
		n--
		room -= f.low[n]
	}
	return n
}

// slices shares room equally among the blocks from start on; none gets more
// than it can use or less than its shortest view takes.
func (f *fitter) slices(start, room int) []int {
	n := len(f.cost) - start
	slice := func(i, level int) int { return max(f.low[start+i], min(f.cost[start+i], level)) }
	level := sort.Search(room+1, func(level int) bool {
		sum := 0
		for i := range n {
			if sum += slice(i, level); sum > room {
				return true
			}
		}
		return false
	}) - 1
	out := make([]int, n)
	for i := range out {
		out[i] = slice(i, level)
	}
	return out
}

// best is the longest view of block i that takes at most allowance, found by
// bisection over the view's size.
func (f *fitter) best(i, allowance int) (*view, int) {
	if f.cost[i] <= allowance {
		return f.full[i], f.cost[i]
	}
	b := f.d.blocks[i]
	best, used := b.view(f.d.w, least), f.low[i]
	lo, hi := least+1, 64+chars(f.lay.block(f.full[i]))*2
	for k := 0; k < 12 && lo <= hi; k++ {
		mid := (lo + hi) / 2
		if k == 0 {
			mid = min(hi, max(lo, chars(f.lay.block(f.full[i]))*allowance/max(1, f.cost[i])))
		}
		v := b.view(f.d.w, mid)
		if n := f.size(v); n <= allowance {
			if n >= used {
				best, used = v, n
			}
			lo = mid + 1
		} else {
			hi = mid - 1
		}
	}
	return best, used
}

// goneUpTo counts the blocks before block n.
func (d *digest) goneUpTo(n int) gone {
	var g gone
	for _, b := range d.blocks[:n] {
		if g.blocks == 0 {
			g.first = b.first
		}
		g.blocks++
		g.last = b.last
		if b.step != nil {
			if g.stepCount == 0 {
				g.fromStep = b.step.Number
			}
			g.toStep = b.step.Number
			g.stepCount++
			continue
		}
		if g.turns == 0 {
			g.fromTurn = b.turn.n
		}
		g.turns++
		g.toTurn = b.turn.n
		calls, failed := b.turn.counts()
		g.calls += calls
		g.failed += failed
	}
	return g
}
