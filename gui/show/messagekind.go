package show

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// MessageKind names the messages of a kind, as a part of what fills a context, and gives
// their colour.
func MessageKind(k model.Kind) (name string, color fyne.ThemeColorName) {
	key, color := "other", kit.ColorMuted
	switch k {
	case model.KindSystem:
		key, color = "system", kit.ColorFaint
	case model.KindUser:
		key, color = "user", kit.ColorPinned
	case model.KindAssistant:
		key, color = "assistant", kit.ColorKept
	case model.KindResult:
		key, color = "result", kit.ColorCleared
	case model.KindSummary:
		key, color = "summary", kit.ColorSummarised
	}
	return words.T("agents.kind." + key), color
}
