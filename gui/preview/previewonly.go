package preview

import (
	"palimpsest/gui/words"
	"palimpsest/model"
)

// previewOnly is which messages the two sides of a preview show, by their fate.
type previewOnly uint8

const (
	OnlyAll previewOnly = iota
	onlyChanges
	onlySummarised
	onlyCleared
	OnlyDropped
)

// previewOnlyNames are the choices in words, in their order.
func previewOnlyNames() []string {
	out := []string{words.T("preview.all"), words.T("preview.changes")}
	for _, f := range []model.Fate{model.Summarised, model.Cleared, model.Dropped} {
		out = append(out, words.T("preview.only", "fate", f.Letter()))
	}
	return out
}

// Shows reports whether messages of a fate are shown.
func (o previewOnly) Shows(f model.Fate) bool {
	switch o {
	case onlyChanges:
		return f != model.Kept && f != model.Pinned
	case onlySummarised:
		return f == model.Summarised
	case onlyCleared:
		return f == model.Cleared
	case OnlyDropped:
		return f == model.Dropped
	}
	return true
}
