package repair

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// entry is what is remembered of a record.
type entry struct {
	piece        model.Piece
	id, parent   string
	logical      string // the parent across a compaction
	parentAt     model.Span
	hash         uint64
	talk, side   bool
	root, onLine bool // root: it says that nothing is before it, or that a compaction is
}

// records looks at the records of a document one by one, and then at how they hang together.
type records struct {
	*check
	d       *model.Document
	how     form
	list    []entry
	byID    map[string]int
	seed    maphash.Seed
	first   model.Piece  // the first record
	cwd     string       // the folder that the session was in
	begun   bool         // a first record is put before them
	compact []model.Span // the lists of old contexts that a Codex file keeps
}

func newRecords(c *check, d *model.Document) *records {
	r := &records{check: c, d: d, how: forms[d.Format], byID: map[string]int{}, seed: maphash.MakeSeed()}
	if !d.Style.JSONLines {
		r.how = form{}
	}
	return r
}

func (r *records) record(s model.Segment) {
	b, err := r.d.Bytes(s.Span)
	if err != nil {
		return
	}
	v, err := jspan.Parse(b, 0)
	if err != nil {
		return
	}
	r.numbers(s.Span, b, v)
	switch r.d.Format {
	case model.FormatCopilot:
		for _, m := range separators.FindAllIndex(b, -1) {
			r.raw("line-separator", s.Off+int64(m[0]), 3, fmt.Appendf(nil, `\u20%x`, b[m[0]+2]-0x80), "U+2028")
		}
	case model.FormatCodex:
		if x := v.Get("payload", "replacement_history"); v.Get("type").Is("compacted") && x.Kind == jspan.Array {
			r.compact = append(r.compact, within(s.Span, x))
		}
	}
	x := &spelled{d: r.d, like: v, at: model.Piece{Span: s.Span, Array: -1}}
	if ops := x.changes(r.how.Metadata); ops != nil {
		r.add(&Fault{Rule: "no-metadata", Found: v.Get(r.how.ID).Text(), ops: ops})
	}
	r.cwd = cmp.Or(r.cwd, v.Get("cwd").Text(), v.Get("payload", "cwd").Text(), v.Get("data", "context", "cwd").Text())
	if r.first.Len == 0 {
		r.first = model.Piece{Span: s.Span, Array: -1}
	}
	if r.how.ID == "" {
		return
	}
	kind := v.Get("type").TextN(40)
	e := entry{piece: model.Piece{Span: s.Span, Array: -1}, id: v.Get(r.how.ID).Text()}
	e.talk = slices.Contains(r.how.Talk, kind) || len(r.how.Talk) == 0 && kind != "session"
	e.side = v.Get("isSidechain").Bool()
	p := v.Get(r.how.Parent)
	e.parent = p.Text()
	e.logical = v.Get("logicalParentUuid").Text()
	e.root = p.Kind == jspan.Null && (v.Has("logicalParentUuid") || kind == "session")
	if p.Exists() {
		e.parentAt = within(s.Span, p)
	}
	if e.id == "" || kind == "session" {
		return
	}
	e.hash = maphash.Bytes(r.seed, b)
	r.named(e)
}

// named notes a record by its id, or the fault that the id was there before.
func (r *records) named(e entry) {
	first, known := r.byID[e.id]
	switch {
	case !known:
		r.byID[e.id] = len(r.list)
	case r.list[first].hash == e.hash:
		r.add(&Fault{Rule: "copied-record", Found: e.id, ops: []op{{kind: drops, at: e.piece}}})
		return
	default:
		r.add(&Fault{Rule: "double-id", Found: e.id, span: e.piece.Span, NoMend: "Which of the two the others follow is not in the file."})
	}
	r.list = append(r.list, e)
}

// separators are line ends of Unicode that JSON has raw, and some readers of lines take as one.
var separators = regexp.MustCompile("\u2028|\u2029")

// negative is a member with a number below nothing; counted one that counts tokens, in which
// -1 may stand for "not known".
var (
	negative = regexp.MustCompile(`"([A-Za-z]+)": ?(-[0-9.]+)[,}]`)
	counted  = regexp.MustCompile(`"([A-Za-z_]*[tT]okens?[A-Za-z_]*)": ?(-(?:[2-9]|1[0-9])[0-9]*)[,}]`)
)

// numbers looks for numbers that Copilot CLI refuses when it loads a session, and for tokens of
// any tool that are counted below nothing.
func (r *records) numbers(s model.Span, b []byte, v jspan.Value) {
	below := counted
	switch v.Get("type").TextN(40) {
	case "session.compaction_complete", "session.truncation", "session.usage_info":
		below = negative
	}
	if !bytes.Contains(b, []byte(`":-`)) && !bytes.Contains(b, []byte(`": -`)) {
		return
	}
	for _, m := range below.FindAllSubmatchIndex(b, -1) {
		r.raw("number-range", s.Off+int64(m[4]), int64(m[5]-m[4]), []byte("0"), fmt.Sprintf("%s: %s", b[m[2]:m[3]], b[m[4]:m[5]]))
	}
}

// start has a session begin with the record that names it: its file or its folder has that name.
func (r *records) start() {
	if r.first.Len == 0 || len(r.how.First) == 0 {
		return
	}
	b, err := r.d.Bytes(r.first.Span)
	if err != nil {
		return
	}
	v, err := jspan.Parse(b, 0)
	if err != nil {
		return
	}
	name := strings.TrimSuffix(filepath.Base(r.Path), filepath.Ext(r.Path))
	if r.d.Format == model.FormatCopilot {
		name = filepath.Base(filepath.Dir(r.Path))
	}
	x := &spelled{d: r.d, like: v, uid: newID(r.d.Format, "start"), session: cmp.Or(uuids.FindString(name), newID("", "session "+name)),
		cwd: cmp.Or(r.cwd, ".")}
	text, _ := x.record(r.how.First)
	if r.begun = text != nil; r.begun {
		r.add(&Fault{Rule: "no-start", Found: v.Get("type").Text(), ops: []op{{kind: precedes, at: r.first, text: text}}})
	}
}

var uuids = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// keptNowhere finds compactions whose pointers to what they kept lead to nothing that is there.
func (r *records) keptNowhere() {
	for i := range r.list {
		at := r.list[i].piece.Span
		b, err := r.d.Bytes(at)
		if err != nil || !bytes.Contains(b, []byte(`"preservedSegment"`)) && !bytes.Contains(b, []byte(`"firstKeptEntryId"`)) {
			continue
		}
		v, err := jspan.Parse(b, 0)
		if err != nil {
			continue
		}
		if first := v.Get("firstKeptEntryId"); first.Kind == jspan.String && v.Get("type").Is("compaction") {
			if _, ok := r.byID[first.Text()]; !ok && i > 0 {
				where := within(at, first)
				r.raw("kept-nowhere", where.Off, where.Len, jspan.AppendQuote(nil, r.list[i-1].id, true), "firstKeptEntryId "+first.Text())
			}
			continue
		}
		seg := v.Get("compactMetadata", "preservedSegment")
		for _, k := range []string{"headUuid", "anchorUuid", "tailUuid"} {
			if id := seg.Get(k).Text(); id != "" {
				if _, ok := r.byID[id]; !ok {
					cut := member(b, seg)
					r.raw("kept-nowhere", at.Off+cut.Off, cut.Len, nil, k+" "+id)
					break
				}
			}
		}
	}
}

// member is the span of an object's member with one of the commas beside it, given its value.
func member(b []byte, v jspan.Value) model.Span {
	from, to := v.Off, v.End
	for from--; b[from] != ':'; from-- {
	}
	for from--; b[from] != '"'; from-- {
	}
	for from--; b[from] != '"'; from-- {
	}
	switch before := bytes.TrimRight(b[:from], " \t\r\n"); {
	case before[len(before)-1] == ',':
		from = len(before) - 1
	default:
		if next := jspan.Space(b, to); b[next] == ',' {
			to = jspan.Space(b, next+1)
		}
	}
	return model.Span{Off: int64(from), Len: int64(to - from)}
}

// chain walks from the newest record up the parents, as the tools do that load a session.
func (r *records) chain() {
	if r.how.ID == "" {
		return
	}
	r.keptNowhere()
	leaf, side := -1, true
	for i := range r.list {
		if e := &r.list[i]; e.talk && (!e.side || side) {
			leaf, side = i, e.side
		}
	}
	linkedAtAll := slices.ContainsFunc(r.list, func(e entry) bool { _, ok := r.byID[e.parent]; return ok })
	for i := leaf; i >= 0 && linkedAtAll; {
		e := &r.list[i]
		e.onLine = true
		p, ok := r.byID[e.parent]
		switch {
		case ok && !r.list[p].onLine:
			i = p
		case ok:
			first := r.earliest(i)
			i = r.reparent("parent-loop", first, r.before(first, side))
		case e.parent != "":
			to := r.before(i, side)
			if !r.begun && r.firstSaid(i, side) {
				return // nothing is there that could be lost
			}
			i = r.reparent("missing-parent", i, to)
		case e.root || e.parentAt.Len == 0: // what is before a compaction is not loaded, and hangs together all the same
			if i, ok = r.byID[e.logical]; !ok || r.list[i].onLine {
				return
			}
		default:
			if before := r.before(i, side); before >= 0 {
				r.reparent("second-root", i, before)
			}
			return
		}
	}
}

// firstSaid reports whether nothing is said before a record.
func (r *records) firstSaid(i int, side bool) bool {
	return !slices.ContainsFunc(r.list[:i], func(e entry) bool { return e.talk && (side || !e.side) })
}

// earliest is the first record in the file of the circle that a record is in; the record itself
// where its parents lead elsewhere, since one of them is mended already.
func (r *records) earliest(in int) int {
	best, seen := in, map[int]bool{}
	for i, ok := r.byID[r.list[in].parent]; i != in; i, ok = r.byID[r.list[i].parent] {
		if !ok || seen[i] {
			return in
		}
		seen[i], best = true, min(best, i)
	}
	return best
}

// reparent has a record follow another one, and returns that; -1: none.
func (r *records) reparent(rule string, i, to int) int {
	e, id := &r.list[i], []byte("null")
	if to >= 0 {
		id = jspan.AppendQuote(nil, r.list[to].id, r.d.Style.ASCII)
	}
	r.add(&Fault{Rule: rule, Found: e.parent, ops: []op{put(e.parentAt, id)}})
	return to
}

// before is the last record of the talk before another one that is not on the line yet.
func (r *records) before(i int, side bool) int {
	for i--; i >= 0; i-- {
		if e := &r.list[i]; e.talk && !e.onLine && (side || !e.side) && r.byID[e.id] == i {
			return i
		}
	}
	return -1
}

// oldCheckpoints finds copies of the context that a newer one replaces, where they are large.
func (r *records) oldCheckpoints() {
	if len(r.compact) < 2 {
		return
	}
	old := r.compact[:len(r.compact)-1]
	sum := int64(0)
	for _, s := range old {
		sum += s.Len
	}
	if sum*10 < r.d.Size || sum < 1<<16 {
		return
	}
	for _, s := range old {
		if s.Len > 2 {
			r.raw("old-checkpoint", s.Off, s.Len, []byte("[]"), fmt.Sprintf("%d bytes", s.Len))
		}
	}
}
