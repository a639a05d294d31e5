package gui

import (
	"iter"

	"palimpsest/gui/words"
	"palimpsest/model"
)

// previewOnly is which messages the two sides of a preview show, by their fate.
type previewOnly uint8

const (
	onlyAll previewOnly = iota
	onlyChanges
	onlySummarised
	onlyCleared
	onlyDropped
)

// previewOnlyNames are the choices in words, in their order.
func previewOnlyNames() []string {
	out := []string{words.T("preview.all"), words.T("preview.changes")}
	for _, f := range []model.Fate{model.Summarised, model.Cleared, model.Dropped} {
		out = append(out, words.T("preview.only", "fate", f.Letter()))
	}
	return out
}

// shows reports whether messages of a fate are shown.
func (o previewOnly) shows(f model.Fate) bool {
	switch o {
	case onlyChanges:
		return f != model.Kept && f != model.Pinned
	case onlySummarised:
		return f == model.Summarised
	case onlyCleared:
		return f == model.Cleared
	case onlyDropped:
		return f == model.Dropped
	}
	return true
}

// roundFrom walks over all n places of a list once, from the one behind a place
// (or with −1 before it) and round at the ends; from no place (−1) it begins at the
// first or the last.
func roundFrom(place, by, n int) iter.Seq[int] {
	if place < 0 && by < 0 {
		place = 0
	}
	return func(yield func(int) bool) {
		for k := 1; k <= n; k++ {
			if i := ((max(-1, place)+by*k)%n + n) % n; !yield(i) {
				return
			}
		}
	}
}
