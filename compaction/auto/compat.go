package auto

// compatCountEnd is where the first authors of message-count compaction end their
// window: after the last chat message of the first batch, 0 when there is none.
// For comparison only.
func compatCountEnd(list []held, batch int) int {
	for i := min(batch, len(list)) - 1; i >= 0; i-- {
		if m := &list[i].msg; m.Role != "tool" && m.ToolCalls == nil {
			return i + 1
		}
	}
	return 0
}

// compatTruncate is how the first authors of token-share compaction truncate:
// first message and last keep, so that the first may be
// there twice and a keep of 0 keeps all. For comparison only.
func compatTruncate(list []held, keep int) []held {
	from := max(0, len(list)-keep)
	if keep == 0 {
		from = 0
	}
	return append([]held{list[0]}, list[from:]...)
}
