package anthropic

import (
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

func (r *ccReader) system(rec *ccRecord, v jspan.Value) {
	m := model.Message{Role: model.RoleSystem, Kind: model.KindBoundary, Preview: codec.Preview(v.Get("content").TextN(codec.PreviewScan)),
		Pieces: []model.Piece{rec.piece}}
	switch v.Get("subtype").TextN(24) {
	case "compact_boundary":
		rec.logical = v.Get("logicalParentUuid").Text()
		compact := v.Get("compactMetadata")
		seg, kept := compact.Get("preservedSegment"), compact.Get("preservedMessages")
		anchor := codec.FirstOf(kept.Get("anchorUuid").Text(), seg.Get("anchorUuid").Text())
		b := &ccBoundary{head: seg.Get("headUuid").Text(), tail: seg.Get("tailUuid").Text(), anchor: anchor, found: model.Found{
			Cause: compact.Get("trigger").Text(), Before: optionalInt(compact.Get("preTokens")),
			After:   optionalInt(compact.Get("postTokens")),
			Summary: -1, Time: codec.Millis(v.Get("timestamp"))}}
		for _, v := range kept.Get("uuids").Items {
			b.kept = append(b.kept, v.Text())
		}
		rec.bound = b
	case "microcompact_boundary":
		micro := v.Get("microcompactMetadata")
		found := model.Found{Cause: micro.Get("trigger").Text(), Before: optionalInt(micro.Get("preTokens")),
			Summary: -1, Clearing: true, Time: codec.Millis(v.Get("timestamp"))}
		if saved := optionalInt(micro.Get("tokensSaved")); saved != nil && found.Before != nil {
			after := *found.Before - *saved
			found.After = &after
		}
		rec.bound = &ccBoundary{found: found}
	case "local_command":
		m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginInjected
	default:
		return // a note for the screen
	}
	rec.add(m)
}

// optionalInt is a number that may be absent.
func optionalInt(v jspan.Value) *int {
	if v.Kind != jspan.Number {
		return nil
	}
	n := int(v.Int())
	return &n
}

// attachment makes a message of what Claude Code shows the model as a reminder.
func (r *ccReader) attachment(rec *ccRecord, v jspan.Value) {
	a := v.Get("attachment")
	origin := model.OriginInjected
	switch a.Get("type").TextN(24) {
	case "hook_success": // only these two are shown to the model, and only if they said something
		if e := a.Get("hookEvent").TextN(20); e != "SessionStart" && e != "UserPromptSubmit" || a.Get("content").Len() <= 2 {
			return
		}
	case "hook_cancelled", "hook_error_during_execution", "hook_non_blocking_error", "command_permissions", "prompt_snapshot", "":
		return // prompt_snapshot is the system prompt, which is no message
	case "queued_command": // typed while the agent was working, unless a background task speaks
		text := strings.Join(ccTexts(a.Get("prompt")), "\n")
		r.shownAs[r.promptHash(text)] = int32(len(r.recs))
		if mode := a.Get("commandMode"); model.Said(text) != "" && !model.Injected(text) && (mode.Is("prompt") || !mode.Exists()) {
			origin = model.OriginTyped
		}
	}
	rec.add(model.Message{Role: model.RoleUser, Kind: model.KindUser, Origin: origin, Name: r.Text(a.Get("type")),
		Preview: codec.Preview(ccAttachmentText(a, v.Get("rendered"))), Pieces: []model.Piece{rec.piece}})
}

// ccAttachmentText is the readable part of an attachment: what the model was shown,
// where the record has that (from Claude Code 2.1.3xx on), else its content in one of
// the spellings that occur, else the attachment as it is spelled.
func ccAttachmentText(a, rendered jspan.Value) string {
	var shown []string
	for _, v := range rendered.Items {
		shown = append(shown, ccTexts(v.Get("content"))...)
	}
	if len(shown) > 0 {
		return strings.Join(shown, "\n")
	}
	for _, v := range []jspan.Value{a.Get("content"), a.Get("prompt"), a.Get("snippet"), a.Get("text"), a.Get("addedBlocks"),
		a.Get("content", "file", "content"), a.Get("content", "content")} {
		if texts := ccTexts(v); len(texts) > 0 {
			return strings.Join(texts, "\n")
		}
	}
	return a.RawText()
}

// ccTexts lists the texts of a content, without empty ones.
func ccTexts(content jspan.Value) (texts []string) {
	for _, p := range codec.BlockParts(content, nil) {
		if p.Kind == model.PartText && p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return texts
}
