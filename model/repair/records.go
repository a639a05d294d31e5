package repair

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"path/filepath"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// linked is how the records of a format name themselves and the one before.
type linked struct {
	id, parent string
	chat       func(v jspan.Value) (talk, side bool)
}

var links = map[model.Format]linked{
	model.FormatClaudeCode: {"uuid", "parentUuid", claudeTalk},
	formatQwen:             {"uuid", "parentUuid", claudeTalk},
	model.FormatPi:         {"id", "parentId", func(v jspan.Value) (bool, bool) { return !v.Get("type").Is("session"), false }},
	model.FormatCopilot:    {"id", "parentId", func(jspan.Value) (bool, bool) { return true, false }},
}

func claudeTalk(v jspan.Value) (talk, side bool) {
	switch v.Get("type").TextN(12) {
	case "user", "assistant", "tool_result":
		talk = true
	}
	return talk, v.Get("isSidechain").Bool()
}

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
	how     linked
	list    []entry
	byID    map[string]int
	seed    maphash.Seed
	compact []model.Span // the lists of old contexts that a Codex file keeps
}

func newRecords(c *check, d *model.Document) *records {
	r := &records{check: c, d: d, how: links[d.Format], byID: map[string]int{}, seed: maphash.MakeSeed()}
	if !d.Style.JSONLines {
		r.how = linked{}
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
	switch r.d.Format {
	case model.FormatCopilot:
		r.copilot(s.Span, b, v)
	case model.FormatClaudeCode:
		r.boundary(s.Span, v)
	case model.FormatCodex:
		if x := v.Get("payload", "replacement_history"); v.Get("type").Is("compacted") && x.Kind == jspan.Array {
			r.compact = append(r.compact, within(s.Span, x))
		}
	}
	if r.how.id == "" {
		return
	}
	e := entry{piece: model.Piece{Span: s.Span, Array: -1}, id: v.Get(r.how.id).Text()}
	e.talk, e.side = r.how.chat(v)
	p := v.Get(r.how.parent)
	e.parent = p.Text()
	e.logical = v.Get("logicalParentUuid").Text()
	e.root = p.Kind == jspan.Null && (v.Has("logicalParentUuid") || v.Get("type").Is("session"))
	if p.Exists() {
		e.parentAt = within(s.Span, p)
	}
	if e.id == "" || v.Get("type").Is("session") {
		return
	}
	e.hash = maphash.Bytes(r.seed, b)
	first, known := r.byID[e.id]
	switch {
	case !known:
		r.byID[e.id] = len(r.list)
	case r.list[first].hash == e.hash:
		r.add(&Fault{Rule: "copied-record", Found: e.id, ops: []op{{kind: drops, at: e.piece}}})
		return
	default:
		r.add(&Fault{Rule: "double-id", Found: e.id, span: s.Span, NoMend: "Which of the two the others follow is not in the file."})
	}
	r.list = append(r.list, e)
}

// copilot looks for what Copilot CLI checks when it loads a session.
func (r *records) copilot(s model.Span, b []byte, v jspan.Value) {
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte("\xe2\x80"))
		if i < 0 || at+i+2 >= len(b) {
			break
		}
		if at += i; b[at+2] == 0xa8 || b[at+2] == 0xa9 {
			r.raw("line-separator", s.Off+int64(at), 3, fmt.Appendf(nil, `\u20%x`, b[at+2]-0x80), "U+2028")
		}
		at += 3
	}
	switch v.Get("type").TextN(40) {
	case "session.compaction_complete", "session.truncation", "session.usage_info":
	default:
		return
	}
	for key, val := range v.Get("data").Each {
		if val.Kind == jspan.Number && val.Raw()[0] == '-' {
			at := within(s, val)
			r.raw("number-range", at.Off, at.Len, []byte("0"), fmt.Sprintf("%s: %s", key, val.Raw()))
		}
	}
}

// start has a Copilot session begin with the event that names it: its folder has that name.
func (r *records) start() {
	if r.d.Format != model.FormatCopilot || len(r.list) == 0 {
		return
	}
	at := r.list[0].piece
	b, err := r.d.Bytes(at.Span)
	if err != nil {
		return
	}
	v, err := jspan.Parse(b, 0)
	if err != nil || v.Get("type").Is("session.start") {
		return
	}
	x := &spelled{d: r.d, like: v}
	text := x.object("type", "session.start", "data", x.object("sessionId", filepath.Base(filepath.Dir(r.Path)), "version", []byte("1"),
		"producer", "copilot-agent", "copilotVersion", "1.0.0", "startTime", x.member("timestamp"), "context", x.object("cwd", ".")),
		"id", newID(r.d.Format, "start"), "timestamp", x.member("timestamp"), "parentId", null)
	r.add(&Fault{Rule: "no-start", Found: v.Get("type").Text(), ops: []op{{kind: precedes, at: at, text: text}}})
}

// boundary looks at the mark of a compaction of Claude Code.
func (r *records) boundary(s model.Span, v jspan.Value) {
	if !v.Get("subtype").Is("compact_boundary") {
		return
	}
	if m := v.Get("compactMetadata"); m.Kind != jspan.Object {
		add := []byte(`,"compactMetadata":{"trigger":"auto","preTokens":0}`)
		if r.d.Style.Spaced {
			add = []byte(`, "compactMetadata": {"trigger": "auto", "preTokens": 0}`)
		}
		if m.Exists() {
			at := within(s, m)
			r.raw("no-metadata", at.Off, at.Len, add[bytes.IndexByte(add, '{'):], v.Get("uuid").Text())
			return
		}
		r.raw("no-metadata", s.Off+int64(v.End)-1, 0, add, v.Get("uuid").Text())
	}
}

// keptNowhere finds compactions whose list of kept messages names none that is there.
func (r *records) keptNowhere() {
	if r.d.Format != model.FormatClaudeCode {
		return
	}
	for i := range r.list {
		at := r.list[i].piece.Span
		b, err := r.d.Bytes(at)
		if err != nil || !bytes.Contains(b, []byte(`"preservedSegment"`)) {
			continue
		}
		v, err := jspan.Parse(b, 0)
		if err != nil {
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
	if r.how.id == "" {
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
			i = r.repoint("parent-loop", r.earliest(p, i), side)
		case e.parent != "":
			i = r.repoint("missing-parent", i, side)
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

// earliest is the first record in the file of a circle, given its ends.
func (r *records) earliest(from, last int) int {
	best := last
	for i := last; i != from; {
		p, ok := r.byID[r.list[i].parent]
		if !ok {
			break
		}
		if i = p; i < best {
			best = i
		}
		if i == last {
			break
		}
	}
	return best
}

// repoint has a record follow the one before it in the file, and returns that; -1: there is
// none.
func (r *records) repoint(rule string, i int, side bool) int {
	before := r.before(i, side)
	r.reparent(rule, i, before)
	return before
}

func (r *records) reparent(rule string, i, to int) {
	e, id := &r.list[i], []byte("null")
	if to >= 0 {
		id = jspan.AppendQuote(nil, r.list[to].id, r.d.Style.ASCII)
	}
	r.add(&Fault{Rule: rule, Found: e.parent, ops: []op{put(e.parentAt, id)}})
}

// before is the last record of the talk before another one that is not on the line yet.
func (r *records) before(i int, side bool) int {
	for i--; i >= 0; i-- {
		if e := &r.list[i]; e.talk && !e.onLine && (side || !e.side) {
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
