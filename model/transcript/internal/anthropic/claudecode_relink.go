package anthropic

import (
	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// ccLinks is what points where in a session: one reading of all records, made
// when a rewrite needs it.
type ccLinks struct {
	d         *model.Document
	e         *edit.Edits
	recs      []ccLinked
	byUUID    map[string]int
	others    map[string]int    // records that stay while the first of their uuid goes
	uuidAt    map[int64]string  // offset of a record → its uuid
	summaryOf map[string]string // UUID of the record that a summary replaces → the summary's
	order     []string          // those records, in the order of the file
	above     map[string]bool   // they and all their ancestors
	onChain   map[int]bool      // records on the chain that the reader walks; empty where it walks none
	preserved []ccPreserved
}

type ccLinked struct {
	span         model.Span
	line         int
	uuid, parent string
	was, becomes string // the parent as it is spelled, and as it is going to be
	logical      string // parent across a compaction's boundary
	parentAt     model.Span
	open         int64 // offset of the record's brace
	gone         bool
	chat         bool // of a person or the model, and no copy
	side         bool
	reply        bool // no first words, and it does not say that it is the first: it must follow something
	refs         []ccRef
}

// ccRef is a field that names another record.
type ccRef struct {
	field string
	span  model.Span
	to    string
}

// Relink points every kept record that named a dropped one to its nearest kept
// ancestor, or to the summary on the way to it.
func (ClaudeCode) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	if len(c.Drop) == 0 && len(c.Summaries) == 0 {
		return nil, nil
	}
	e.Promote()
	l := &ccLinks{d: d, e: e, byUUID: map[string]int{}, others: map[string]int{}, uuidAt: map[int64]string{},
		summaryOf: map[string]string{}, above: map[string]bool{}}
	if err := l.read(); err != nil {
		return nil, err
	}
	l.follow(th)
	var implied []int
	if c.Thread == 0 {
		implied = l.addImpliedParents()
	}
	past := l.unfollow(th, c)
	l.placeSummaries(th, c)
	links := l.keepPreserved()
	for _, i := range implied {
		if rec := &l.recs[i]; !rec.gone && l.recs[l.byUUID[rec.parent]].gone {
			links = append(links, l.repoint(rec, l.survivor(rec.parent, i)))
		}
	}
	for _, i := range past {
		if rec := &l.recs[i]; !rec.gone && !l.recs[l.byUUID[rec.was]].gone { // else it is one that named a dropped one
			links = append(links, l.repoint(rec, l.survivor(rec.parent, i)))
		}
	}
	for i := range l.recs {
		rec := &l.recs[i]
		if rec.gone {
			continue
		}
		for _, ref := range rec.refs {
			k, ok := l.byUUID[ref.to]
			if !ok || !l.recs[k].gone {
				continue
			}
			to := l.target(i, ref)
			if to == "" && l.namesake(th, ref.to) {
				continue // it takes the place of the one that goes, nothing else does
			}
			if ref.field == "parentUuid" {
				rec.becomes = to
			}
			e.Replace(ref.span, l.spell(to))
			links = append(links, edit.Relink{Line: rec.line, Off: ref.span.Off, Field: ref.field, From: ref.to, To: to})
		}
	}
	if c.Thread == 0 {
		links = l.keepOneLink(links)
	}
	return links, nil
}

// addImpliedParents names the parents that [ccReader.walkChain] finds by the
// order of the file, for records of the main line whose own parent is missing:
// once such a parent is dropped, the order of the file would lead elsewhere. It
// returns those records.
func (l *ccLinks) addImpliedParents() (list []int) {
	if !l.hasLinks() {
		return nil
	}
	leaf, side := -1, true
	if list := l.chats(false); len(list) > 0 {
		leaf = list[len(list)-1]
		side = l.recs[leaf].side
	}
	l.onChain = map[int]bool{}
	for i := leaf; i >= 0 && !l.onChain[i]; {
		l.onChain[i] = true
		rec := &l.recs[i]
		p, ok := l.byUUID[rec.parent]
		if rec.parent == "" && rec.logical != "" {
			p, ok = l.byUUID[rec.logical]
		}
		if !ok {
			if rec.parent == "" && rec.logical == "" && !rec.reply {
				break
			}
			for p = i - 1; p >= 0; p-- {
				if r := &l.recs[p]; r.chat && !l.onChain[p] && r.uuid != "" && (side || !r.side) {
					break
				}
			}
			if p >= 0 && rec.logical == "" {
				rec.parent = l.recs[p].uuid
				list = append(list, i)
			}
		}
		i = p
	}
	return list
}

// placeSummaries finds for each summary the record it replaces, and what it follows.
func (l *ccLinks) placeSummaries(th *model.Thread, c *edit.Change) {
	for i := range c.Summaries {
		s := &c.Summaries[i]
		at, _ := ClaudeCode{}.Place(l.d, th, &th.Messages[s.Before], l.e.Dropped)
		id := l.uuidAt[at.Off]
		if k, ok := l.byUUID[id]; !ok || len(l.onChain) > 0 && !l.onChain[k] {
			id = codec.FirstOf(l.namedRecord(th, s.Before), id)
		}
		if id == "" {
			continue // records without ids
		}
		if former, ok := l.summaryOf[id]; ok && l.hasLinks() {
			s.Parent = l.spell(former)
		} else {
			s.Parent = l.parentOf(id)
			l.order = append(l.order, id)
		}
		l.summaryOf[id] = s.UID
		for k, ok := l.byUUID[id]; ok && !l.above[id]; k, ok = l.byUUID[id] {
			l.above[id] = true
			id = l.recs[k].parent
		}
	}
}

// namedRecord is the first record that goes, from a message on, that others can name
// and that the chain passes: beside the chain, the summary would be on no line.
func (l *ccLinks) namedRecord(th *model.Thread, from int32) (beside string) {
	for i := range th.Messages[from:] {
		for _, p := range th.Messages[int(from)+i].Pieces {
			p = edit.Outermost(l.d, p)
			id := l.uuidAt[p.Off]
			if id == "" || !l.e.Dropped(p) {
				continue
			}
			if len(l.onChain) == 0 || l.onChain[l.byUUID[id]] {
				return id
			}
			beside = codec.FirstOf(beside, id)
		}
	}
	return beside
}

// hasLinks reports whether any record follows another one. In a session where
// none does, the order of the file is all there is, and a summary must not be
// the first to make a chain.
func (l *ccLinks) hasLinks() bool {
	for i := range l.recs {
		if _, ok := l.byUUID[l.recs[i].parent]; ok {
			return true
		}
	}
	return false
}

func (l *ccLinks) read() error {
	array := int32(-1)
	if !l.d.Style.JSONLines && len(l.d.Arrays) > 0 {
		array = 0 // the loglines
	}
	for _, s := range l.d.Segments {
		if s.Kind != model.SegmentRecord {
			continue
		}
		p := model.Piece{Span: s.Span, Array: array}
		v, err := edit.ParsePiece(l.d, p)
		if err != nil {
			return err
		}
		_, gone := l.e.Gone[s.Span]
		rec := ccLinked{span: s.Span, line: int(s.Line), gone: gone, open: s.Off + int64(v.Off)}
		l.refs(&rec, v)
		rec.was, rec.becomes = rec.parent, rec.parent
		if _, copied := l.byUUID[rec.uuid]; !copied {
			l.ordered(&rec, v)
		}
		switch first, ok := l.byUUID[rec.uuid]; {
		case !ok && rec.uuid != "":
			l.byUUID[rec.uuid] = len(l.recs)
		case ok && l.recs[first].gone && !gone: // it is not what the reader follows, be it the only one that stays
			if _, ok := l.others[rec.uuid]; !ok {
				l.others[rec.uuid] = len(l.recs)
			}
		}
		l.uuidAt[s.Off] = rec.uuid
		l.recs = append(l.recs, rec)
	}
	return nil
}

// ordered notes what the order of the file means to a record.
func (l *ccLinks) ordered(rec *ccLinked, v jspan.Value) {
	switch v.Get("type").TextN(12) {
	case "assistant":
		rec.chat, rec.reply = true, true
	case "user":
		rec.chat = true
		rec.reply = v.Get("message", "content").Index(0).Get("type").TextN(12) == "tool_result"
	}
	rec.reply = rec.reply && v.Get("parentUuid").Kind != jspan.Null
	rec.side = v.Get("isSidechain").Bool()
}

// refs collects the fields of a record that name other records.
func (l *ccLinks) refs(rec *ccLinked, v jspan.Value) {
	add := func(field string, at jspan.Value) {
		if to := at.Text(); to != "" {
			rec.refs = append(rec.refs, ccRef{field, edit.Within(rec.span, at), to})
		}
	}
	for key, val := range v.Each {
		switch k := string(key); k {
		case "uuid":
			rec.uuid = val.Text()
		case "parentUuid":
			rec.parent, rec.parentAt = val.Text(), edit.Within(rec.span, val)
			add(k, val)
		case "logicalParentUuid":
			rec.logical = val.Text()
			add(k, val)
		case "sourceToolAssistantUUID", "leafUuid", "messageId":
			add(k, val)
		case "snapshot":
			add("snapshot.messageId", val.Get("messageId"))
		case "forkedFrom":
			add("forkedFrom.messageUuid", val.Get("messageUuid"))
		case "compactMetadata":
			if val.Has("preservedSegment") || val.Has("preservedMessages") {
				l.preserved = append(l.preserved, ccPreserved{rec: len(l.recs), meta: val})
			}
		case "microcompactMetadata":
			for _, e := range val.Get("clearedAttachmentUUIDs").Items {
				add("microcompactMetadata.clearedAttachmentUUIDs", e)
			}
		}
	}
}

// target is what a reference to a dropped record becomes; "" for null.
func (l *ccLinks) target(of int, ref ccRef) string {
	if p := l.recs[of].parent; ref.field == "parentUuid" && l.byUUID[p] < of {
		ref.to = p
	}
	to := l.survivor(ref.to, of)
	if to == "" && len(l.order) > 0 && !l.above[l.recs[of].uuid] {
		return l.summaryOf[l.order[0]] // an early branch: hung on the summary, it stays beside the line
	}
	return to
}

// survivor is the nearest kept record on the way up from id, or the summary that
// replaces a dropped one on that way; "" if there is neither. The way is the one that Claude
// Code goes when it has loaded the boundaries, but for what it hangs on records that are
// after the one that asks.
func (l *ccLinks) survivor(id string, of int) string {
	start, seen := id, map[string]bool{}
	for id != "" && !seen[id] {
		seen[id] = true
		if s, ok := l.summaryOf[id]; ok {
			return s
		}
		k, ok := l.byUUID[id]
		if !ok {
			break
		}
		if !l.recs[k].gone {
			return id
		}
		if id = l.recs[k].parent; l.byUUID[id] > of {
			id = l.recs[k].was
		}
	}
	// the way ended at a root that is gone: the last summary in front of it
	best := ""
	for _, first := range l.order {
		if l.recs[l.byUUID[first]].span.Off <= l.recs[l.byUUID[start]].span.Off {
			best = l.summaryOf[first]
		}
	}
	return best
}

// parentOf is the reference that a summary in the place of a record has.
func (l *ccLinks) parentOf(id string) []byte {
	k, ok := l.byUUID[id]
	if !ok || l.recs[k].parent == "" {
		return []byte("null")
	}
	p := l.recs[k].parent
	if l.byUUID[p] > k {
		p = l.recs[k].was
	}
	if i, ok := l.byUUID[p]; ok && l.recs[i].gone {
		p = l.survivor(p, k)
	}
	return l.spell(p)
}

func (l *ccLinks) spell(id string) []byte {
	if id == "" {
		return []byte("null")
	}
	return edit.Quote(l.d, id)
}
