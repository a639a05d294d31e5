package gui

import (
	"strings"
	"testing"

	"palimpsest/gui/kit"
)

// Of a line of 400 KB the first 64 KB are shown, with the rest a click away.
func TestALongLineShowsItsBeginning(t *testing.T) {
	newStage(t)
	text := strings.Repeat("word four five ", 400<<10/15)
	m := kit.NewMeasure(13, false)
	shown := func(w wrapped) (n int) {
		for _, l := range w.lines {
			n += len(l.Text)
		}
		return n
	}
	first := wrapPages([]block{{text: text}}, 1, m, 600)
	if n := shown(first); !first.more || !first.inLine || n > pageBytes || n < pageBytes*9/10 {
		t.Errorf("%d bytes, more %v, in a line %v", shown(first), first.more, first.inLine)
	}
	if !strings.Contains(first.foot, "first 66 KB of 410 KB") && !strings.Contains(first.foot, "first 64 KB of 400 KB") {
		t.Errorf("foot %q", first.foot)
	}
	rest := wrapPages([]block{{text: text}}, 1+restPages, m, 600)
	if rest.more || rest.inLine || shown(rest) < len(text)*9/10 {
		t.Errorf("%d bytes of %d, more %v", shown(rest), len(text), rest.more)
	}
	paged := wrapPages([]block{{text: strings.Repeat("a line\n", 1000)}}, 1, m, 600)
	if !paged.more || paged.inLine || len(paged.lines) != pageLines {
		t.Errorf("%d lines, in a line %v", len(paged.lines), paged.inLine)
	}
}
