package anthropic

import (
	"slices"
	"strconv"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Native writes a boundary and a summary behind it, as Claude Code does. What
// stays word for word stays where it is in the file and is named by the
// boundary: one by one, and as a segment if it is one run of records. Its own
// order is the summary first.
func (ClaudeCode) Native(d *model.Document, th *model.Thread, n *codec.Native) ([][]byte, error) {
	text, summaries := "", 0
	kept := map[int32]bool{}
	for _, it := range n.Items {
		switch {
		case it.Cleared:
			return nil, codec.NoNative(d, "a cleared tool result comes back whole when the session is opened again")
		case it.Msg < 0:
			text = n.Summary(it.Record)
			summaries++
		default:
			kept[it.Msg] = true
		}
	}
	if summaries != 1 {
		return nil, codec.NoNative(d, "a compaction has one summary")
	}
	silent, err := thinkingLines(d, th, n.Thinking)
	if err != nil {
		return nil, err
	}
	uuids, between, last, err := chainUUIDs(d, th, kept, silent)
	if err != nil {
		return nil, err
	}
	uuid := last.Get("uuid")
	if uuid.Kind != jspan.String || last.Get("parentUuid").Kind != jspan.String {
		return nil, codec.NoNative(d, "records are linked by ids, and these are not")
	}
	when := n.Time.UTC().Format("2006-01-02T15:04:05.000Z")
	meta := edit.NewObject(d).Str("trigger", "manual").Raw("preTokens", number(n.Before)).Raw("postTokens", number(n.After))
	if len(uuids) > 0 && !between {
		meta.Raw("preservedSegment", edit.NewObject(d).Str("headUuid", uuids[0]).Str("anchorUuid", n.UIDs[1]).
			Str("tailUuid", uuids[len(uuids)-1]).Done())
	}
	if len(uuids) > 0 { // a segment follows parents, and passes one of several calls of an answer
		list := quoteList(d, uuids)
		meta.Raw("preservedMessages", edit.NewObject(d).Str("anchorUuid", n.UIDs[1]).Raw("uuids", list).Raw("allUuids", list).Done())
	}
	boundary := sessionMembers(edit.NewObject(d).Raw("parentUuid", []byte("null")).Raw("logicalParentUuid", uuid.Raw()), last).
		Str("type", "system").Str("subtype", "compact_boundary").Str("content", "Conversation compacted").Raw("isMeta", []byte("false")).
		Str("timestamp", when).Str("uuid", n.UIDs[0]).Str("level", "info").Raw("compactMetadata", meta.Done()).Done()
	of := edit.Summary{Text: text, Parent: edit.Quote(d, n.UIDs[0]), UID: n.UIDs[1], Time: n.Time}
	summary, err := ClaudeCode{}.Summary(d, th, of, last)
	return [][]byte{boundary, summary}, err
}

// thinkingLines are the places of the records that hold nothing but signed thinking of the given
// messages: these stay without them. A record is named as a whole or not at all.
func thinkingLines(d *model.Document, th *model.Thread, list []int32) (map[int64]bool, error) {
	gone := map[int64]bool{}
	for _, i := range list {
		says := false
		for _, p := range th.Messages[i].Pieces {
			p = edit.Outermost(d, p)
			v, err := edit.ParsePiece(d, p)
			if err != nil {
				return nil, err
			}
			content := v.Get("message", "content")
			signed := 0
			for _, b := range content.Items {
				if codec.SignedThinking(b) {
					signed++
				}
			}
			if signed > 0 && signed < content.Count() {
				return nil, codec.NoNative(d, "thinking stays with what else is in its record, and here it is to go")
			}
			gone[p.Off] = signed > 0
			says = says || signed == 0
		}
		if !says {
			return nil, codec.NoNative(d, "a message that is nothing but thinking goes or stays with it")
		}
	}
	return gone, nil
}

// chainUUIDs gives the ids of the records of kept messages in the order of the
// thread, but for those of thinking that goes, whether a record of another message
// of the thread or such a one is between them, and the thread's last record.
func chainUUIDs(d *model.Document, th *model.Thread, kept map[int32]bool, silent map[int64]bool) (
	uuids []string, between bool, last jspan.Value, err error) {
	type rec struct {
		p    model.Piece
		kept bool
	}
	var recs []rec
	seen := map[int64]bool{} // by the place of a record: whether it is kept
	for i := range th.Messages {
		if th.Messages[i].Name == queuedName { // it has no id, and goes with the message before it
			if i > 0 && kept[int32(i)] != kept[int32(i)-1] {
				return nil, false, last, codec.NoNative(d, "a prompt that only the queue has stays or goes with the message before it")
			}
			continue
		}
		for _, p := range th.Messages[i].Pieces {
			p = edit.Outermost(d, p)
			if stays, known := seen[p.Off]; known && stays != kept[int32(i)] {
				return nil, false, last, codec.NoNative(d, "a record stays or goes as a whole")
			} else if !p.Duplicate && !known {
				seen[p.Off] = kept[int32(i)]
				recs = append(recs, rec{p, kept[int32(i)] && !silent[p.Off]})
			}
		}
	}
	gap := false
	for _, r := range recs {
		if !r.kept {
			gap = len(uuids) > 0
			continue
		}
		v, err := edit.ParsePiece(d, r.p)
		if err != nil {
			return nil, false, last, err
		}
		between = between || gap
		uuids = append(uuids, v.Get("uuid").Text())
	}
	if len(recs) > 0 {
		latest := slices.MaxFunc(recs, func(a, b rec) int { return int(a.p.Off - b.p.Off) })
		last, err = edit.ParsePiece(d, latest.p)
	}
	return uuids, between, last, err
}

func number(n int) []byte { return strconv.AppendInt(nil, int64(n), 10) }
