package summarize

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"unicode/utf8"
)

// whole asks a view for everything there is to show.
const whole = math.MaxInt / 4

// least is the size, in code points, below which a block is counted and not
// shown: less than this holds no words worth reading.
const least = 110

// briefly is the size below which a block is shown on one line.
const briefly = 200

// maxListed is the number of calls listed one by one; a turn with more is shown
// by tools, since nobody reads a list of 900.
const maxListed = 60

// view is what is shown of a block at one size.
type view struct {
	first, last int // message numbers

	// Of a turn.
	turn          int
	user, outcome string
	calls, failed int      // counts of all, shown or not
	list          []*call  // shown one by one
	groups        []string // shown by tool, when there are too many to list
	failures      []failed // with groups: failed calls
	lastCalls     []*call  // with groups: the last calls
	errs          []string

	// Of a step.
	step  int
	facts *stepFacts

	brief bool // on one line
}

func chars(s string) int { return utf8.RuneCountInString(s) }

// view shows the block in about size code points, labels included. How much the
// text takes in the budget's unit is for the layout to measure.
func (b *block) view(w *words, size int) *view {
	v := &view{first: b.first, last: b.last, brief: size < briefly}
	if b.step != nil {
		b.viewStep(v, size)
		return v
	}
	t := b.turn
	v.turn = t.n
	v.calls, v.failed = t.counts()
	if size >= whole {
		v.user, v.outcome, v.errs = t.user, t.outcome, t.errs
		if len(t.calls) <= maxListed {
			v.list = t.calls
		} else {
			t.group(v, w, whole)
		}
		return v
	}
	left := max(0, size-40) // the turn's own label
	if v.brief {
		v.user = clip(t.user, left*3/5)
		if !wholeSentence(v.user) {
			v.user = clip(t.user, left)
		}
		if v.outcome = clip(t.outcome, max(0, left-chars(v.user)-3)); v.user != "" &&
			(!wholeSentence(v.outcome) || v.outcome != t.outcome && chars(v.outcome) < courtesy) {
			v.outcome = "" // half a sentence says less than none, and so does a mere "Yes."
			v.user = clip(t.user, left)
		}
		return v
	}
	v.user = clip(t.user, max(60, left/2))
	v.outcome = clip(t.outcome, max(60, (left-chars(v.user))*2/3))
	left -= chars(v.user) + chars(v.outcome) + 16
	for i := len(t.errs) - 1; i >= 0 && left > 40; i-- {
		e := shorten(t.errs[i], max(40, left/2))
		v.errs = append([]string{e}, v.errs...)
		left -= chars(e) + 8
	}
	if len(t.calls) <= maxListed && listSize(t.calls) <= left {
		v.list = t.calls
		// What the calls leave, the words may have.
		left -= listSize(t.calls)
		v.user = clip(t.user, chars(v.user)+left/2)
		v.outcome = clip(t.outcome, chars(v.outcome)+left/2)
		return v
	}
	t.group(v, w, max(0, left))
	return v
}

func (b *block) viewStep(v *view, size int) {
	v.step = b.step.Number
	f := b.facts
	if size < whole {
		n := 0
		for i := range f.field {
			if f.field[i] != "" {
				n++
			}
		}
		if f.err != "" {
			n++
		}
		limit := max(8, (size-90)/max(1, n))
		if v.brief {
			limit = max(8, (size-30)/2)
		}
		for i := range f.field {
			f.field[i] = shorten(f.field[i], min(limit, fieldLimit+3))
		}
		f.err = shorten(f.err, limit)
	}
	v.facts = &f
}

// failed is a call that failed, with all that it failed with.
type failed struct {
	call *call // the first one; times counts all
	errs string
}

func (f *failed) line(sep string) string { return f.call.text() + sep + f.errs }

// text is a call without its end: tool, key argument, how often in a row.
func (c *call) text() string {
	s := c.tool
	if c.key != "" {
		s += " " + c.key
	}
	if c.times > 1 {
		s += fmt.Sprintf(" ×%d", c.times)
	}
	return s
}

// end is how a call ended: ok, its first error line, or that nothing came back.
func (c *call) end(w *words) string {
	switch {
	case !c.answered:
		return w.open
	case c.failed && c.err == "":
		return w.fail
	case c.failed:
		return c.err
	}
	return w.ok
}

func (c *call) line(w *words) string { return c.text() + " → " + c.end(w) }

func listSize(calls []*call) int {
	n := 0
	for _, c := range calls {
		n += chars(c.tool) + chars(c.key) + chars(c.err) + 12
	}
	return n
}

// group summarises the calls of a long turn: which tools on what, changed files
// first, then failures and the last calls, in about size code points.
func (t *turn) group(v *view, w *words, size int) {
	left := size
	if size >= 240 {
		left -= t.lastFew(v, w, size/6)
	}
	if size >= 60 {
		left -= t.failures(v, w, size/3)
	}
	v.groups = t.byTool(left)
}

// lastFew takes the last calls, at most five.
func (t *turn) lastFew(v *view, w *words, size int) (used int) {
	for i := len(t.calls) - 1; i >= 0 && len(v.lastCalls) < 5; i-- {
		n := chars(t.calls[i].line(w)) + 5
		if used+n > size && len(v.lastCalls) > 0 || n > size*2 {
			break
		}
		used += n
		v.lastCalls = append([]*call{t.calls[i]}, v.lastCalls...)
	}
	return used
}

// failures takes failed calls, newest first, each call once with what it failed
// with, in the order they happened.
func (t *turn) failures(v *view, w *words, size int) (used int) {
	listed := map[*call]bool{}
	for _, c := range v.lastCalls {
		listed[c] = true
	}
	type kind struct {
		call *call
		errs []string
		seen map[string]bool
	}
	at := map[string]*kind{}
	var kinds []*kind
	for i := len(t.calls) - 1; i >= 0; i-- {
		c := t.calls[i]
		if !c.failed || listed[c] {
			continue
		}
		k := at[c.tool+"\x00"+c.key]
		if k == nil {
			one := *c
			one.times = 0
			k = &kind{call: &one, seen: map[string]bool{}}
			at[c.tool+"\x00"+c.key] = k
			kinds = append(kinds, k)
		}
		k.call.times += c.times
		if e := c.end(w); !k.seen[e] {
			k.seen[e] = true
			k.errs = append(k.errs, e)
		}
	}
	for i, k := range kinds {
		slice := size
		if size < whole/8 {
			slice = max(40, (size-used)*2/(len(kinds)-i+1))
		}
		label := chars(k.call.text()) + 5
		errs := shortenList(k.errs, slice-label, "; ")
		if errs == "" && slice-label > 24 {
			errs = shorten(k.errs[0], slice-label)
		}
		if errs == "" || used+label+chars(errs) > size {
			continue
		}
		used += label + chars(errs)
		v.failures = append([]failed{{k.call, errs}}, v.failures...)
	}
	return used
}

// toolGroup is the calls of one tool.
type toolGroup struct {
	tool  string
	edit  bool
	calls int
	keys  []*keyCount
	index map[string]*keyCount
}

func (g *toolGroup) name() string {
	if g.calls == 1 {
		return g.tool
	}
	return fmt.Sprintf("%s ×%d", g.tool, g.calls)
}

type keyCount struct {
	key   string
	times int
	last  int // position of the last call
}

// byTool lists all calls by tool: "Edit ×14: a.go ×12, b.go … +3". Tools
// that change files come first, then the most used.
func (t *turn) byTool(size int) []string {
	if t.groups == nil {
		t.groups = grouped(t.calls)
	}
	groups, names := t.groups, 0
	for _, g := range groups {
		names += chars(g.tool) + 8
	}
	if names > size && size < whole {
		var all []string
		for _, g := range groups {
			all = append(all, g.name())
		}
		return []string{shortenList(all, max(size, 40), ", ")}
	}
	spare := size - names
	out := make([]string, len(groups))
	for i, g := range groups {
		// The slices are equal, but what a group leaves goes to those after it;
		// files that were changed get a double slice.
		slice := spare / (len(groups) - i)
		if g.edit {
			slice = min(spare, 2*slice)
		}
		s := g.name()
		if list := g.list(slice); list != "" {
			s += ": " + list
			spare -= chars(list)
		}
		out[i] = s
	}
	return out
}

func grouped(calls []*call) []*toolGroup {
	index := map[string]*toolGroup{}
	var groups []*toolGroup
	for i, c := range calls {
		id := c.tool
		if c.edit {
			id += "\x00edit"
		}
		g := index[id]
		if g == nil {
			g = &toolGroup{tool: c.tool, edit: c.edit, index: map[string]*keyCount{}}
			index[id] = g
			groups = append(groups, g)
		}
		g.calls += c.times
		if c.key == "" {
			continue
		}
		k := g.index[c.key]
		if k == nil {
			k = &keyCount{key: c.key}
			g.index[c.key] = k
			g.keys = append(g.keys, k)
		}
		k.times += c.times
		k.last = i
	}
	sort.SliceStable(groups, func(a, b int) bool {
		if groups[a].edit != groups[b].edit {
			return groups[a].edit
		}
		return groups[a].calls > groups[b].calls
	})
	for _, g := range groups {
		sort.SliceStable(g.keys, func(a, b int) bool {
			if g.keys[a].times != g.keys[b].times {
				return g.keys[a].times > g.keys[b].times
			}
			return g.keys[a].last > g.keys[b].last
		})
	}
	return groups
}

// list names the tool's key arguments, the most frequent first, the rest by
// number.
func (g *toolGroup) list(size int) string {
	parts := make([]string, len(g.keys))
	sep := ", "
	longest := keyLimit
	if size < whole/8 {
		longest = max(24, min(80, size/3)) // several cut commands say more than one whole
	}
	for i, k := range g.keys {
		parts[i] = k.key
		if strings.Contains(k.key, " ") { // a path cut in half would be no fact any more
			parts[i] = shorten(k.key, longest)
		}
		if strings.Contains(k.key, ", ") || strings.Contains(k.key, " ") {
			sep = "; "
		}
		if k.times > 1 && k.times < g.calls { // else the tool's own count says it
			parts[i] += fmt.Sprintf(" ×%d", k.times)
		}
	}
	return shortenList(parts, size, sep)
}

// shortenList joins what fits in size code points and says how many more there
// are; "" when not even one fits.
func shortenList(parts []string, size int, sep string) string {
	used, k := 0, 0
	for k < len(parts) {
		n := chars(parts[k]) + len(sep)
		if used+n > size-8 && (k+1 < len(parts) || used+n > size) {
			break
		}
		used += n
		k++
	}
	if k == 0 {
		return ""
	}
	s := strings.Join(parts[:k], sep)
	if k < len(parts) {
		s += fmt.Sprintf(" … +%d", len(parts)-k)
	}
	return s
}
