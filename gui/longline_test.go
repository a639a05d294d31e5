package gui

import (
	"strings"
	"testing"

	"palimpsest/gui/kit"
	"palimpsest/gui/workbench"
)

// Of a line of 400 KB the first 64 KB are shown, with the rest a click away.
func TestALongLineShowsItsBeginning(t *testing.T) {
	newStage(t)
	text := strings.Repeat("word four five ", 400<<10/15)
	m := kit.NewMeasure(13, false)
	shown := func(w workbench.Wrapped) (n int) {
		for _, l := range w.Lines {
			n += len(l.Text)
		}
		return n
	}
	first := workbench.WrapPages([]workbench.Block{{Text: text}}, 1, m, 600)
	if n := shown(first); !first.More || !first.InLine || n > workbench.PageBytes || n < workbench.PageBytes*9/10 {
		t.Errorf("%d bytes, more %v, in a line %v", shown(first), first.More, first.InLine)
	}
	if !strings.Contains(first.Foot, "first 66 KB of 410 KB") && !strings.Contains(first.Foot, "first 64 KB of 400 KB") {
		t.Errorf("foot %q", first.Foot)
	}
	rest := workbench.WrapPages([]workbench.Block{{Text: text}}, 1+workbench.RestPages, m, 600)
	if rest.More || rest.InLine || shown(rest) < len(text)*9/10 {
		t.Errorf("%d bytes of %d, more %v", shown(rest), len(text), rest.More)
	}
	paged := workbench.WrapPages([]workbench.Block{{Text: strings.Repeat("a line\n", 1000)}}, 1, m, 600)
	if !paged.More || paged.InLine || len(paged.Lines) != workbench.PageLines {
		t.Errorf("%d lines, in a line %v", len(paged.Lines), paged.InLine)
	}
}
