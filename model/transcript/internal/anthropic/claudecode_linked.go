package anthropic

import (
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// A session in which no message follows another one is read by the order of the
// file, see [ccReader.hasLinks]. So the last link must not go while a message is
// left beside the main line: it would join it.

// keepOneLink hangs a message beside the line on the last one of the line, where
// it remains beside it, if otherwise no link were left. A summary is a link of
// its own. The references that had to change are given and taken.
func (l *ccLinks) keepOneLink(links []edit.Relink) []edit.Relink {
	list := l.chats(true)
	if len(l.summaryOf) > 0 || len(list) == 0 || !l.follows(false) || l.follows(true) {
		return links
	}
	last := len(list) - 1
	leaf := l.recs[list[last]].uuid
	for _, i := range list[:last] {
		if !l.onChain[i] && leaf != "" {
			hung := l.repoint(&l.recs[i], leaf)
			same := func(r edit.Relink) bool { return r.Off == hung.Off && r.Field == hung.Field }
			return append(slices.DeleteFunc(links, same), hung)
		}
	}
	return links
}

// chats are the messages that the main line is looked for in, those that stay or
// all: the main agent's, in the file of a sub-agent its own.
func (l *ccLinks) chats(kept bool) (list []int) {
	side := true
	for i := range l.recs {
		rec := &l.recs[i]
		if !rec.chat || kept && rec.gone || rec.side && !side {
			continue
		}
		if !rec.side && side {
			list, side = nil, false
		}
		list = append(list, i)
	}
	return list
}

// follows reports whether a session is linked as [ccReader.hasLinks] has it: as the
// file is or, of what is kept, as it is going to be.
func (l *ccLinks) follows(kept bool) bool {
	there := map[string]int{}
	for i := range l.recs {
		rec := &l.recs[i]
		if _, ok := there[rec.uuid]; !ok && rec.uuid != "" && !(kept && rec.gone) {
			there[rec.uuid] = i
		}
	}
	for _, i := range l.chats(kept) {
		parent := l.recs[i].was
		if kept {
			parent = l.recs[i].becomes
		}
		if p, ok := there[parent]; ok && p != i {
			return true
		}
	}
	return false
}

// repoint gives a record another parent, "" for null. A record that names none
// gets the member: left without it, it would follow what is before it.
func (l *ccLinks) repoint(rec *ccLinked, to string) edit.Relink {
	at, b := rec.parentAt, l.spell(to)
	if at.Len == 0 {
		at = model.Span{Off: rec.open, Len: 1}
		b = edit.NewObject(l.d).Raw("parentUuid", b).Done()
		b[len(b)-1] = ','
		if l.d.Style.Spaced {
			b = append(b, ' ')
		}
	}
	l.e.Replace(at, b)
	rec.becomes = to
	return edit.Relink{Line: rec.line, Off: at.Off, Field: "parentUuid", From: rec.was, To: to}
}

// namesake reports whether a message of the thread stays that has the uuid of a
// record that goes.
func (l *ccLinks) namesake(th *model.Thread, uuid string) bool {
	i, ok := l.others[uuid]
	if !ok {
		return false
	}
	for k := range th.Messages {
		for _, p := range th.Messages[k].Pieces {
			if edit.Outermost(l.d, p).Off == l.recs[i].span.Off {
				return true
			}
		}
	}
	return false
}

// When Claude Code loads a session, it hangs what a boundary left word for word on the
// anchor, and what else hangs on the anchor after the last of that. From the last such
// record it follows parents back to the first; if it does not come there, it reads all that
// was before the boundary again. So a rewrite follows the same links, and a boundary that
// stays names records that are there, or none.

// ccPreserved is what a boundary says of the records that it left word for word.
type ccPreserved struct {
	rec    int // the boundary
	meta   jspan.Value
	anchor string
	uuids  []string // in their order; none if its links do not hold
}

// follow reads what boundaries left, and links the records as Claude Code does in memory.
func (l *ccLinks) follow(th *model.Thread) {
	for i := range l.preserved {
		p := &l.preserved[i]
		segment, list := p.meta.Get("preservedSegment"), p.meta.Get("preservedMessages")
		p.anchor = codec.FirstOf(list.Get("anchorUuid").Text(), segment.Get("anchorUuid").Text())
		if p.uuids = l.there(list.Get("uuids")); len(p.uuids) == 0 {
			p.uuids = l.segment(segment.Get("headUuid").Text(), segment.Get("tailUuid").Text())
		}
		if _, ok := l.byUUID[p.anchor]; !ok || len(p.uuids) == 0 {
			p.uuids = nil
			continue
		}
		last := p.uuids[len(p.uuids)-1]
		for k := range l.recs {
			if rec := &l.recs[k]; rec.was == p.anchor && rec.uuid != p.uuids[0] {
				rec.parent = last
			}
		}
		l.followPast(th, p)
		above := p.anchor
		for _, uuid := range p.uuids {
			l.recs[l.byUUID[uuid]].parent = above
			above = uuid
		}
	}
}

// unfollow forgets the links of boundaries that go on to leave something: Claude Code makes
// them again. It returns the records that follow what was left, past a summary that comes
// after the boundary's own: they are to follow that.
func (l *ccLinks) unfollow(th *model.Thread, c *edit.Change) (past []int) {
	for _, p := range l.preserved {
		stays := func(id string) bool { return !l.recs[l.byUUID[id]].gone }
		placed := func(s edit.Summary) bool { return slices.Contains(p.uuids, th.Messages[s.Before].ID) }
		if !slices.ContainsFunc(p.uuids, stays) && !slices.ContainsFunc(c.Summaries, placed) {
			continue
		}
		for k := range l.recs {
			rec := &l.recs[k]
			left := slices.Contains(p.uuids, rec.uuid)
			between := func(s edit.Summary) bool {
				at := edit.Outermost(l.d, th.Messages[s.Before].Pieces[0]).Off
				return l.recs[l.byUUID[p.anchor]].span.Off < at && at < rec.span.Off
			}
			switch {
			case !left && rec.parent != rec.was && slices.Contains(p.uuids, rec.was) && slices.ContainsFunc(c.Summaries, between):
				past = append(past, k)
			case left || rec.was == p.anchor || slices.Contains(p.uuids, rec.was):
				rec.parent = rec.was
			}
		}
	}
	return past
}

// followPast lets what follows the records that a boundary left, past the boundary, follow
// what of the thread is between: the summary, and files that were shown again.
func (l *ccLinks) followPast(th *model.Thread, p *ccPreserved) {
	on := map[int64]bool{}
	for i := range th.Messages {
		for _, piece := range th.Messages[i].Pieces {
			on[edit.Outermost(l.d, piece).Off] = true
		}
	}
	before := ""
	for k := p.rec + 1; k < len(l.recs); k++ {
		rec := &l.recs[k]
		if on[rec.span.Off] {
			if before != "" && slices.Contains(p.uuids, rec.was) {
				rec.parent = before
			}
			before = rec.uuid
		}
	}
}

// there lists the records that a list names.
func (l *ccLinks) there(list jspan.Value) (uuids []string) {
	for _, v := range list.Items {
		if _, ok := l.byUUID[v.Text()]; ok {
			uuids = append(uuids, v.Text())
		}
	}
	return uuids
}

// segment lists the records from head to tail, by their parents; none if tail does not lead to head.
func (l *ccLinks) segment(head, tail string) (uuids []string) {
	for id := tail; id != ""; {
		k, ok := l.byUUID[id]
		if !ok || slices.Contains(uuids, id) {
			return nil
		}
		uuids = append(uuids, id)
		if id == head {
			slices.Reverse(uuids)
			return uuids
		}
		id = l.recs[k].was
	}
	return nil
}

// keepPreserved lets each boundary that stays name what still is of the records that it left,
// and summaries that came in their place.
func (l *ccLinks) keepPreserved() (links []edit.Relink) {
	for _, p := range l.preserved {
		rec := &l.recs[p.rec]
		anchor, uuids := p.anchor, l.left(p.uuids)
		if k, ok := l.byUUID[anchor]; ok && l.recs[k].gone {
			anchor = l.survivor(anchor, len(l.recs))
		}
		if rec.gone || anchor == p.anchor && slices.Equal(uuids, p.uuids) {
			continue
		}
		o := edit.NewObject(l.d)
		for key, val := range p.meta.Each {
			switch k, kept := string(key), edit.NewObject(l.d); {
			case k != "preservedSegment" && k != "preservedMessages":
				o.Raw(k, val.Raw())
			case len(uuids) == 0:
			case k == "preservedSegment":
				o.Raw(k, kept.Str("headUuid", uuids[0]).Str("anchorUuid", anchor).Str("tailUuid", uuids[len(uuids)-1]).Done())
			default:
				all := l.left(l.there(val.Get("allUuids")))
				o.Raw(k, kept.Str("anchorUuid", anchor).Raw("uuids", quoteList(l.d, uuids)).Raw("allUuids", quoteList(l.d, all)).Done())
			}
		}
		at := edit.Within(rec.span, p.meta)
		l.e.Replace(at, o.Done())
		links = append(links, edit.Relink{Line: rec.line, Off: at.Off, Field: "compactMetadata", From: p.anchor, To: anchor})
	}
	return links
}

// left is what is of some records after the rewrite: themselves, or the summary in their place.
func (l *ccLinks) left(uuids []string) (out []string) {
	for _, id := range uuids {
		if l.recs[l.byUUID[id]].gone {
			id = l.summaryOf[id]
		}
		if id != "" && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// quoteList spells a list of ids.
func quoteList(d *model.Document, uuids []string) []byte {
	quoted := make([][]byte, len(uuids))
	for i, id := range uuids {
		quoted[i] = edit.Quote(d, id)
	}
	return edit.List(quoted...)
}
