package main

import (
	"fmt"
	"math"

	"fyne.io/fyne/v2"

	"palimpsest/gui/chart"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/sched"
	"palimpsest/model/body"
)

// workbench is the main screen in outline: what most widgets look like beside
// each other.
func workbench(w fyne.Window) fyne.CanvasObject {
	file := func() []kit.MenuItem {
		return []kit.MenuItem{
			{Text: "Open file…", Shortcut: "Ctrl+O"}, {Text: "Open folder…", Shortcut: "Ctrl+Shift+O"}, kit.Rule,
			{Text: "Watch folder", Checked: true}, {Text: "Export…", Shortcut: "Ctrl+E", Disabled: true}, kit.Rule,
			{Text: "Quit", Shortcut: "Ctrl+Q", Run: fyne.CurrentApp().Quit},
		}
	}
	var entries []kit.MenuEntry
	for _, n := range []string{"File", "Edit", "View", "Session", "Compaction", "Records", "Tools", "Help"} {
		entries = append(entries, kit.MenuEntry{Text: n, Items: file})
	}
	menu := kit.NewMenuStrip("Palimpsest", entries, "Search or run a command", "Ctrl K")
	status := kit.NewStatusBar()
	status.Set(kit.ColorMuted, []string{"Offline", "counted with o200k_base · calibrated ×1.17 from 212 reported calls",
		"480 messages, 0 lines skipped"}, []string{"saved", "? keys"})

	tl := timeline()
	recorded := kit.Row(5, kit.NewSwatch(kit.ColorText, false), kit.NewText("recorded", kit.ColorMuted, 12))
	simulated := kit.Row(5, kit.NewSwatch(kit.ColorSummarised, true), kit.NewText("with these settings", kit.ColorMuted, 12))
	top := kit.NewPane("Context usage per call", tl, recorded, simulated,
		kit.NewSegments([]string{"Full history", "What the model sees"}, 0, nil))
	ledger := kit.NewLedger([6]string{"total", "fate", "#", "who · tool", "first words", "tokens"})
	ledger.SetSource(ledgerRows())
	ledger.Select(10)
	ledger.OnSelect = func(i int) { tl.SetCursor(float64(i * 20)) }
	detail := detailPane()
	middle := kit.NewSplit(true, top, kit.NewSplit(true, kit.NewPane("", ledger), detail, kit.KeepShare, .667), kit.KeepShare, .226)
	left := kit.NewPane("Sessions", kit.Column(0, kit.Pad(6, 8, 6, 8, kit.NewFilter("Filter", nil)),
		kit.Pad(4, 10, 4, 10, kit.NewText("SAMPLES", kit.ColorFaint, 11).Bold())), kit.NewMenuLink("newest", nil))
	right := kit.NewSplit(false, middle, parameters(w), kit.KeepSecond, 336)
	body := kit.NewSplit(false, left, right, kit.KeepFirst, 236)
	return kit.Column(0, menu, kit.Stretch(kit.Margin(6, 6, 6, 6, body)), status)
}

func timeline() *chart.Timeline {
	t := chart.NewTimeline()
	t.FormatY = func(v float64) string { return fmt.Sprintf("%.0fK", v/1000) }
	t.Hover = func(x float64) []string {
		y, _ := chart.At(t.Data().Series[0].Points, x)
		return []string{fmt.Sprintf("call %.0f", x), fmt.Sprintf("%.1fK recorded", y/1000)}
	}
	curve := func(k float64) []chart.Point {
		var p []chart.Point
		y := 14200.0
		for i := range 481 {
			x := float64(i)
			y += k * (720 + 260*math.Sin(x/17) + 150*math.Sin(x/3))
			if i == 214 || i == 398 {
				y = 44000 * k
			}
			p = append(p, chart.Point{X: x, Y: y})
		}
		return p
	}
	level := 160000.0
	set := func() {
		t.Set(chart.Data{
			XMax: 480, YMax: 208000, Base: []chart.Base{{Y: 14200, Tag: "fixed part 14.2K"}},
			Series: []chart.Series{{Points: curve(1), Color: kit.ColorText},
				{Points: curve(.93), Color: kit.ColorSummarised, Dotted: true}},
			Levels: []chart.Level{{Value: 200000, Label: "window 200K", Color: kit.ColorError},
				{ID: "trigger", Value: level, Label: fmt.Sprintf("trigger %.0f %%", level/2000), Color: kit.ColorAccent, Dashed: true,
					Tag: true, Drag: true}},
			Bands: []chart.Band{{ID: "tail", From: 170, To: 212, Color: kit.ColorKept, Drag: true}},
			Marks: []chart.Mark{{X: 214, Label: "1"}, {X: 398, Label: "2"}},
		})
	}
	set()
	t.OnDragLevel = func(_ string, v float64, _ bool) { level = v; set() }
	t.OnSelect = t.SetCursor
	t.SetCursor(212)
	return t
}

func ledgerRows() kit.Rows {
	base := kit.Rows{
		{Total: "14.2K", Fate: "P", Num: "1", Who: "system + tools",
			First: "You are a careful engineer. Work in small steps and run the tests after every change.", Tokens: "14.2K", Bar: .5},
		{Total: "16.0K", Fate: "P", Num: "2", Who: "user",
			First:  "Build a parser for the config language in docs/grammar.md. It must keep comments and report positions in runes.",
			Tokens: "1.8K", Bar: .2},
		{Total: "16.4K", Fate: "S", Num: "3", Who: "assistant", First: "I will first look at the grammar and the existing lexer.",
			Tokens: "400", Bar: .08, Dim: true},
		{Total: "16.5K", Fate: "S", Num: "4", Who: "assistant · list_dir", First: "src/", Tokens: "120", Bar: .03, Dim: true,
			Joined: kit.BracketTop},
		{Total: "17.0K", Fate: "S", Num: "5", Who: "result", First: "lex.go lex_test.go token.go parse.go (empty)", Tokens: "510",
			Bar: .09, Dim: true, Joined: kit.BracketBottom},
		{Total: "22.6K", Fate: "S", Num: "8", Who: "assistant",
			First: "混合语言 The grammar needs two tokens of lookahead in one place: 列表项 list items and 日本語の見出し 한국어", Tokens: "~600",
			Bar: .1, Dim: true},
		{Total: "75.0K", Fate: "S", Num: "9–58", Who: "50 messages", First: "summarised together", Tokens: "52.4K", Bar: .98,
			Dim: true, Fold: kit.FoldOpen},
		{Total: "60.2K", Fate: "S", Num: "9–40", Who: "32 messages", First: "lexer rewritten, 9 tests added", Tokens: "40.1K",
			Bar: .6, Dim: true, Faded: true, Indent: 1, Fold: kit.FoldClosed},
		{Total: "75.0K", Fate: "S", Num: "41", Who: "assistant", First: "docs/grammar.md", Tokens: "130", Bar: .04, Dim: true,
			Faded: true, Indent: 1},
		{Total: "75.1K", Fate: "C", Num: "59", Who: "assistant · read_file", First: "src/lex.go", Tokens: "110", Bar: .03},
		{Total: "83.4K", Fate: "C", Num: "60", Who: "result",
			First: "512 lines: package lex; import ( \"strings\" \"unicode/utf8\" ) " +
				"// Lexer turns source text into tokens; it keeps one rune",
			Tokens: "8.3K", Bar: .38},
		{Total: "137.3K", Fate: "S", Num: "62–1170", Who: "109 messages", First: "summarised together", Tokens: "53.4K", Bar: 1,
			Dim: true, Fold: kit.FoldClosed},
		{Total: "137.6K", Fate: "K", Num: "171", Who: "user", First: "Good. Now make the error messages say line and column.",
			Tokens: "300", Bar: .06},
		{Total: "138.1K", Fate: "D", Num: "172", Who: "assistant · edit_file", First: "src/parse.go +18 −4", Tokens: "540", Bar: .1},
		{Total: "138.4K", Fate: "+", Num: "§", Who: "summary", First: "Fact ledger of 3–58 and 61–170", Link: "View", Tokens: "~3.1K",
			Bar: .25},
		{Num: "214", Who: "compaction found", First: "160.4K → 44.0K", Link: "open", Mark: true},
		{Num: "812", Who: "damaged", First: "line cut off after 2,113 bytes", Link: "raw", Tokens: "?", Warn: true, Dim: true},
	}
	var all kit.Rows
	for i := range 2000 {
		all = append(all, base[i%len(base)])
	}
	return all
}

const code = "package lex\n\nimport (\n\t\"strings\"\n\t\"unicode/utf8\"\n)\n\n" +
	"// Lexer turns source text into tokens; it keeps one rune of lookahead. 会话 日本語 한국어 \u001b[31mred\u001b[0m \ue0b0\n" +
	"// A long line follows: the quick brown fox jumps over the lazy dog, again and again, " +
	"until the line is far longer than any pane of this window could ever be, so that it has to be wrapped somewhere.\n" +
	"type Lexer struct {\n\tsrc  string\n\tpos  int\n\tline int\n}\n\n" +
	"func (l *Lexer) Next() (Token, error) {\n" +
	"\tr, n := utf8.DecodeRuneInString(l.src[l.pos:])\n\tl.pos += n\n\treturn Token{Rune: r}, nil\n}\n"

func detailPane() fyne.CanvasObject {
	v := reading.New(sched.New(fyne.Do))
	v.Set(body.Plain(code))
	p := kit.NewPane("#60  result of read_file", v, kit.NewText("8.3K counted (o200k)", kit.ColorFaint, 12),
		kit.NewSegments([]string{"Rendered", "Raw"}, 0, func(int) {}),
		kit.NewButton("Pin", kit.Secondary, nil).Small())
	p.SetLeft(kit.NewTag("cleared by rule “keep newest 5 results”", kit.ColorMuted))
	return p
}
