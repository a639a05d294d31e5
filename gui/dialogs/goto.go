package dialogs

import (
	"strconv"
	"strings"

	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
)

// ShowGoto asks for the number of a message and selects it.
func ShowGoto(w *screen.Host) {
	last := len(w.Desk.Session().Thread().History)
	number := func(s string) int {
		n, err := strconv.Atoi(strings.TrimLeft(s, "#"))
		if err != nil || n > last {
			return 0
		}
		return n
	}
	kit.AskLine(w.Win.Canvas(), kit.LineQuestion{
		Title: words.T("goto.title"), Hint: words.T("goto.hint", "from", 1, "to", last), Do: words.T("goto.do"),
		Right:   func(s string) bool { return number(s) > 0 },
		Caption: func(string) string { return "" },
		Done:    func(s string) { w.Desk.SelectMessage(number(s) - 1) },
	})
}
