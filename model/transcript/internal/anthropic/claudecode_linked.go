package anthropic

import (
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
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
